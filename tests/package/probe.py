#!/usr/bin/env python3
"""Probes and lines: exact for linear fields, the same on all ranks, with what lies outside.

usage: probe.py KARMAN KARMAN-DATASET MPIEXEC…
"""
import csv
import io
import json
import math
import os
import random
import subprocess
import sys
import tempfile

KARMAN, DATASET, *MPIEXEC = sys.argv[1:]
LINEAR = "derive.own=1 + x - 2 * y + 0.5 * z"
faults = []


def run(*arguments, ranks=1, fails=False):
    launcher = [*MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launcher, KARMAN, *arguments], capture_output=True, text=True, timeout=120)
    if (done.returncode != 0) != fails:
        raise SystemExit(f"{arguments} on {ranks} ranks: exit {done.returncode}: {done.stderr}")
    return done


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def expect(condition, what):
    if not condition:
        faults.append(what)


def check_linear(name, path, folder):
    """Values of a linear field at random points, in and outside of the grid."""
    lo, hi = json.loads(run("info", "--json", path).stdout)["bounds"]
    points = os.path.join(folder, "points.txt")
    rng = random.Random(5)
    with open(points, "w", encoding="utf-8") as file:
        file.write("x y z\n# random\n")
        for _ in range(300):
            file.write(" ".join(str(rng.uniform(a, b)) for a, b in zip(lo, hi)) + "\n")
    one = run("probe", path, "--points", points, "--set", LINEAR, "--steps", "first").stdout
    found = rows(one)
    inside = [row for row in found if row["block"]]
    size = max(abs(v) for v in lo + hi) + 1.0
    expect(len(found) == 300 and len(inside) > 30, f"{name}: {len(inside)} of {len(found)} points lie inside")
    for row in inside:
        x, y, z, own = (float(row[key]) for key in ("x", "y", "z", "own"))
        expect(abs(own - (1 + x - 2 * y + 0.5 * z)) < 1e-5 * size, f"{name}: {row}")
    for row in found:
        expect(bool(row["block"]) == bool(row["own"]), f"{name}: {row}")
    for ranks in (2, 3):
        expect(run("probe", path, "--points", points, "--set", LINEAR, "--steps", "first", ranks=ranks).stdout == one,
               f"{name}: {ranks} ranks print another table")


def check_vertices(path):
    """Vertices have the values of the file, and lines a distance."""
    table = rows(run("line", path, "--vertices", "cylinder:5,0:8,3", "--steps", "first", "--set", LINEAR).stdout)
    expect(len(table) == 9, f"a line of 9 vertices has {len(table)} rows")
    for n, row in enumerate(table):
        x, y, z = (float(row[key]) for key in "xyz")
        expect([float(row[key]) for key in "ijk"] == [5, n, 3], f"vertex {n}: {row}")
        expect(abs(float(row["own"]) - (1 + x - 2 * y + 0.5 * z)) < 1e-4, f"vertex {n}: {row}")
    way = sum(math.dist(*([float(row[key]) for key in "xyz"] for row in pair)) for pair in zip(table, table[1:]))
    expect(abs(float(table[-1]["distance"]) - way) < 1e-5, f"the line is {way} long: {table[-1]}")


def check_faces(path, folder):
    """A point on the first face of a block has no index below 0, whatever rounding says."""
    points = os.path.join(folder, "face.txt")
    face = rows(run("probe", path, "--vertices", "cylinder:0,:,:", "--fields", "x").stdout)
    with open(points, "w", encoding="utf-8") as file:
        file.writelines(" ".join(row[key] for key in "xyz") + "\n" for row in face)
    found = [row for row in rows(run("probe", path, "--points", points, "--fields", "x").stdout) if row["block"]]
    expect(len(found) > 50, f"{len(found)} of {len(face)} points of a face lie in cells")
    for row in found:
        expect(not any(row[key].startswith("-") for key in "ijk"), f"an index is below 0: {row}")


def check_steps(path, folder):
    out = os.path.join(folder, "sub", "line.json")
    run("line", path, "--from", "1,0,1", "--to", "30,0,1", "-n", "4", "--steps", "all", "--fields", "velocity_x,time2",
        "--set", "derive.time2=2 * time + 0 * velocity_x", "-o", out)
    with open(out, encoding="utf-8") as file:
        steps = json.load(file)
    expect(len(steps) == 2, f"{len(steps)} steps")
    for step in steps:
        first, last = step["points"][0], step["points"][-1]
        expect(first["inside"] and first["values"]["time2"] == 2 * step["time"], f"{first}")
        expect(not last["inside"] and last["away"] > 10 and last["values"]["velocity_x"] is None, f"{last}")


def check_previous(path):
    """previous() has the values of the step before, in fields, vectors and derivatives, on all ranks."""
    fields = ("pressure", "previous(pressure)", "mag(velocity)", "previous(mag(velocity))", "grad(pressure).x",
              "previous(grad(pressure).x)", "(pressure - previous(pressure)) / (time - previous(time))")
    options = ("probe", path, "--at", "3,1,1", "--at", "6,2,2", "--steps", "all", "--fields", ",".join(fields))
    one = run(*options).stdout
    expect(run(*options, ranks=3).stdout == one, "previous() differs on 3 ranks")
    first, second = rows(one)[:2], rows(one)[2:4]
    for before, now in zip(first, second):
        for n in (0, 2, 4):
            expect(not before[fields[n + 1]] and now[fields[n + 1]] == before[fields[n]], f"{fields[n]}: {before}, {now}")
        slope = (float(now["pressure"]) - float(before["pressure"])) / (float(now["time"]) - float(before["time"]))
        expect(abs(float(now[fields[6]]) - slope) < 1e-5 * abs(slope), f"{slope}: {now}")


def check_stream(path):
    """A streamline goes through its point, along the velocity there, the same on all ranks."""
    options = ("line", path, "--stream", "3,1,1", "--steps", "first", "--fields", "mag(velocity)")
    one = run(*options).stdout
    expect(run(*options, ranks=3).stdout == one, "a streamline differs on 3 ranks")
    table = rows(one)
    expect(len(table) > 50 and all(row["block"] for row in table), f"a streamline of {len(table)} points")
    start = [row for row in table if float(row["travel_time"]) == 0]
    expect(len(start) == 1 and math.dist([float(start[0][key]) for key in "xyz"], (3, 1, 1)) < 1e-6, f"{start}")
    for a, b in zip(table, table[1:]):
        way = float(b["distance"]) - float(a["distance"])
        time = float(b["travel_time"]) - float(a["travel_time"])
        speed = 0.5 * (float(a["mag(velocity)"]) + float(b["mag(velocity)"]))
        expect(time > 0 and abs(way - speed * time) < 0.05 * way + 1e-5, f"{way} in {time} at {speed}")


def check_nearest(path, block, folder):
    """Points outside have the distance to the nearest of all vertices."""
    vertices = [tuple(float(row[key]) for key in "xyz")
                for row in rows(run("probe", path, "--vertices", f"{block}::,:,:", "--fields", "x").stdout)]
    rng = random.Random(7)
    points = os.path.join(folder, "outside.txt")
    size = max(abs(v) for vertex in vertices for v in vertex)
    with open(points, "w", encoding="utf-8") as file:
        for _ in range(40):
            file.write(" ".join(str(rng.uniform(-2 * size, 2 * size)) for _ in range(3)) + "\n")
    for ranks in (1, 3):
        found = json.loads(run("probe", path, "--points", points, "--fields", "x", "--json", ranks=ranks).stdout)
        outside = [p for p in found[0]["points"] if not p["inside"]]
        expect(len(outside) > 20, f"{len(outside)} points lie outside")
        for point in outside:
            away = min(math.dist(point["x"], vertex) for vertex in vertices)
            expect(abs(point["away"] - away) < 1e-5 * size, f"{point} is {away} away")


def check_faults(path):
    for arguments, message in (
            (("probe", path), "probe needs points: --at X,Y,Z"),
            (("probe", path, "--at", "1,2"), "--at 1,2: give three numbers"),
            (("probe", path, "--at", "1,0,1", "--fields", "presure"), "did you mean 'pressure'?"),
            (("probe", path, "--at", "1,0,1", "--fields", "previous(previous(pressure))"), "goes back by one step only"),
            (("probe", path, "--points", "/nowhere.txt"), "cannot read '/nowhere.txt'"),
            (("line", path, "--from", "1,0,1"), "line needs two points"),
            (("line", path, "--stream", "1,0,1", "--vertices", "cylinder:0,0,:"), "line needs two points"),
            (("line", path, "--stream", "3,1,1", "--steps", "all"), "a streamline belongs to one step"),
            (("line", path, "--stream", "99,1,1"), "none of the 1 lies in a cell"),
            (("line", path, "--vertices", "wing:0,0,0"), "there is no block 'wing'"),
            (("line", path, "--vertices", "cylinder:0:900,0,0"), "ranges a:b or ':', within 0 to"),
            (("probe", path, "--at", "1,0,1", "--steps", "77"), "--steps 77")):
        for ranks in (1, 3):
            text = run(*arguments, ranks=ranks, fails=True).stderr
            expect(message in text and text.count("error:") == 1, f"{arguments}: {text}")


with tempfile.TemporaryDirectory() as top:
    for data, options in (("karman", ["--size", "61,31,7", "--steps", "2"]), ("annulus", []), ("warped-box", []),
                          ("orientations", []), ("pole", [])):
        file_of = os.path.join(top, data + ".h5")
        subprocess.run([DATASET, data, *options, "--output", file_of], check=True, timeout=120, capture_output=True)
        check_linear(data, file_of, top)
    karman = os.path.join(top, "karman.h5")
    check_vertices(karman)
    check_faces(karman, top)
    check_steps(karman, top)
    check_previous(karman)
    check_stream(karman)
    check_nearest(karman, "cylinder", top)
    check_faults(karman)
for fault in faults[:20]:
    print(fault)
sys.exit(1 if faults else 0)
