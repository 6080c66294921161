#!/usr/bin/env python3
"""Plots: their curves, read back from SVG, are those of the tables.

usage: plots.py KARMAN KARMAN-DATASET MPIEXEC…
"""
import csv
import io
import os
import re
import subprocess
import sys
import tempfile

KARMAN, DATASET, *MPIEXEC = sys.argv[1:]
CURVE = "stroke-width:1.56;"  # no other line has this width
faults = []


def run(*arguments, ranks=1, fails=False):
    launcher = [*MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launcher, KARMAN, *arguments], capture_output=True, text=True, timeout=120)
    if (done.returncode != 0) != fails:
        raise SystemExit(f"{arguments} on {ranks} ranks: exit {done.returncode}: {done.stderr}")
    return done


def expect(condition, what):
    if not condition:
        faults.append(what)


def read_curves(path, curve=CURVE):
    """The curves of an SVG file in their order, each a list of pieces without gaps, in pixels. Pieces of a legend
    have two points at one height and stand first."""
    curves = []
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for style, way in re.findall(r'<path style="([^"]*)" d="([^"]*)"', text):
        if curve in style and "fill:none" in style:
            pieces = [[tuple(float(v) for v in point.split()) for point in piece.split("L")]
                      for piece in way.split("M")[1:]]
            curves.append(pieces)
    return curves


def split(column):
    """The pieces of a column of (place, value or None) between its gaps."""
    pieces, last = [], None
    for place, value in column:
        if value is not None:
            if last is None:
                pieces.append([])
            pieces[-1].append((place, value))
        last = value
    return pieces


def map_of(pieces, wanted, axis):
    """From values to pixels, by the two most distant ends of pieces: a function, and its slope."""
    pairs = [(value[n][axis], pixel[n][axis]) for value, pixel in zip(wanted, pieces) for n in (0, -1)]
    (a, pixel_a), (b, pixel_b) = min(pairs), max(pairs)
    slope = (pixel_b - pixel_a) / (b - a)
    return lambda value: pixel_a + slope * (value - a), slope


def height_at(piece, x):
    """The height of a polyline at x. cairo leaves out points on straight lines."""
    for (x0, y0), (x1, y1) in zip(piece, piece[1:]):
        if x0 - 1e-3 <= x <= x1 + 1e-3:
            return y0 + (y1 - y0) * min(max((x - x0) / (x1 - x0), 0.0), 1.0)
    return float("inf")


def compare(name, curves, table):
    """Each curve goes through the points of its column of `table`, and has its gaps."""
    expect(len(curves) == len(table), f"{name}: {len(curves)} curves for {len(table)} columns")
    for pieces, column in zip(curves, table):
        wanted = split(column)
        expect(len(pieces) == len(wanted), f"{name}: {len(pieces)} pieces, not {len(wanted)}")
        (across, slope), (up, fall) = map_of(pieces, wanted, 0), map_of(pieces, wanted, 1)
        expect(slope > 0 > fall, f"{name}: slopes {slope} and {fall}")
        off = max(abs(height_at(piece, across(place)) - up(value))
                  for piece, points in zip(pieces, wanted) for place, value in points)
        expect(off < 0.05, f"{name}: off by {off} pixels")
        expect(sum(len(p) for p in pieces) > 0.7 * sum(len(p) for p in wanted), f"{name}: points are missing")


def column_of(rows, place, value):
    return [(float(row[place]), float(row[value]) if row[value] else None) for row in rows]


def check_line(path, folder):
    """One field along a line with two gaps, and the same bytes on three ranks."""
    options = ("line", path, "--from", "-6,0.4,1", "--to", "30,0.4,1", "-n", "300", "--fields", "velocity_x")
    rows = list(csv.DictReader(io.StringIO(run(*options).stdout)))
    svg = os.path.join(folder, "line.svg")
    run(*options, "-o", svg)
    column = column_of(rows, "distance", "velocity_x")
    expect(len(read_curves(svg)[0]) == 2, "the cylinder is no gap")
    compare("line", read_curves(svg), [column])
    for ending in ("png", "pdf"):
        files = []
        for ranks in (1, 3):
            out = os.path.join(folder, f"line{ranks}.{ending}")
            run(*options, "-o", out, ranks=ranks)
            with open(out, "rb") as file:
                files.append(file.read())
        expect(files[0] == files[1], f"{ending} differs on 3 ranks")


def check_steps(path, folder):
    """A point over steps, and integrals of two places."""
    svg = os.path.join(folder, "sub", "steps.svg")
    options = ("probe", path, "--at", "3,1,1", "--steps", "all", "--fields", "pressure")
    rows = list(csv.DictReader(io.StringIO(run(*options).stdout)))
    run(*options, "-o", svg)
    compare("probe", read_curves(svg), [column_of(rows, "time", "pressure")])
    options = ("integrate", path, "--plane", "x=3", "--plane", "x=10", "--steps", "all", "--fields", "pressure")
    rows = list(csv.DictReader(io.StringIO(run(*options).stdout)))
    run(*options, "-o", svg)
    curves = read_curves(svg)
    expect(len(curves) == 2 + 4, f"{len(curves)} lines for a legend of two and four curves")
    compare("integrate", curves[2:], [column_of(rows[place::2], "time", f"{kind}(pressure)")
                                      for kind in ("integral", "mean") for place in (0, 1)])


def check_insets(path, folder):
    """Plots in pictures have the curves of `karman line`; the same bytes on any ranks; small ones are drawn, too."""
    config = os.path.join(folder, "insets.yaml")
    with open(config, "w", encoding="utf-8") as file:
        file.write(f"""data: {{file: {path}, steps: last}}
derive: {{speed: "mag(velocity)"}}
layers: [{{contour: {{field: pressure, z: 1}}}}]
image: {{width: 1000, height: 700}}
annotations:
  scalar_bar: true
  title: insets
  plots:
    - {{fields: "pressure,speed", from: [1, 0, 1], to: [8, 0, 1], place: bottom-right, title: behind}}
    - {{fields: mag(vorticity), from: [3, -3, 1], to: [3, 30, 1], count: 300, place: top-left, width: 0.3, height: 0.25}}
output: {{frames: {folder}/x.png}}
""")
    svg = os.path.join(folder, "insets.svg")
    run("render", config, "--quiet", "--set", f"output={{figure: {svg}}}")
    columns = []
    for options, fields in ((("--from", "1,0,1", "--to", "8,0,1", "-n", "200"), ("pressure", "mag(velocity)")),
                            (("--from", "3,-3,1", "--to", "3,30,1", "-n", "300"), ("mag(vorticity)",))):
        text = run("line", path, *options, "--steps", "last", "--fields", ",".join(fields)).stdout
        columns += [column_of(list(csv.DictReader(io.StringIO(text))), "distance", field) for field in fields]
    curves = read_curves(svg, "stroke-width:1.394531")
    expect(len(curves) == 2 + 3, f"{len(curves)} lines for a legend of two and three curves")
    compare("insets", curves[2:], columns)
    files = []
    for ranks in (1, 3, 8):
        out = os.path.join(folder, f"insets{ranks}.png")
        run("render", config, "--quiet", "--set", f"output.frames={out}", ranks=ranks)
        with open(out, "rb") as file:
            files.append(file.read())
    expect(files[0] == files[1] == files[2], "insets differ on 3 or 8 ranks")
    run("render", config, "--quiet", "--set", "image={width: 40, height: 30}")
    for ranks in (1, 3):
        text = run("render", config, "--quiet", "--set", "annotations.plots.0.fields=presure", ranks=ranks, fails=True).stderr
        expect("annotations.plots.0.fields" in text and "did you mean 'pressure'" in text and text.count("error:") == 1, text)


def check_faults(path, folder):
    for arguments, message in (
            (("line", path, "--from", "1,0,1", "--to", "3,0,1", "-o", "x.txt"),
             "-o x.txt: give a name that ends in .csv, .json, .png, .svg or .pdf"),
            (("integrate", path, "-o", "x.gif"), "-o x.gif: give a name that ends in .csv"),
            (("probe", path, "--at", "1,0,1", "-o", "x.pdf", "--json"), "JSON needs a name that ends in .json"),
            (("integrate", path, "-o", "x.pdf"), "a plot over steps needs two or more: --steps all"),
            (("probe", path, "--at", "1,0,1", "-o", "x.pdf"), "a plot over steps needs two or more: --steps all")):
        for ranks in (1, 3):
            text = run(*arguments, ranks=ranks, fails=True).stderr
            expect(message in text and text.count("error:") == 1, f"{arguments}: {text}")
    plain = os.path.join(folder, "table")
    run("probe", path, "--at", "1,0,1", "-o", plain)
    with open(plain, encoding="utf-8") as file:
        expect(file.readline().startswith("step,time,x,y,z"), "a name without an ending is no CSV")


with tempfile.TemporaryDirectory() as top:
    karman = os.path.join(top, "karman.h5")
    subprocess.run([DATASET, "karman", "--size", "61,31,7", "--steps", "9", "--output", karman], check=True, timeout=120,
                   capture_output=True)
    tried = subprocess.run([KARMAN, "line", karman, "--from", "1,0,1", "--to", "3,0,1", "-o", os.path.join(top, "try.svg")],
                           capture_output=True, text=True, timeout=120, check=False)
    if "without cairo" in tried.stderr:
        sys.exit(77)
    check_line(karman, top)
    check_steps(karman, top)
    check_insets(karman, top)
    check_faults(karman, top)
for fault in faults[:20]:
    print(fault)
sys.exit(1 if faults else 0)
