#!/usr/bin/env python3
"""Integrals: exact where they should be, of second order elsewhere, the same on all ranks.

usage: integrate.py KARMAN KARMAN-DATASET MPIEXEC…
"""
import csv
import io
import json
import math
import os
import subprocess
import sys
import tempfile

KARMAN, DATASET, *MPIEXEC = sys.argv[1:]
faults = []


def run(*arguments, ranks=1, threads=None, fails=False):
    launcher = [*MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    environment = dict(os.environ, **({"OMP_NUM_THREADS": str(threads)} if threads else {}))
    done = subprocess.run([*launcher, KARMAN, *arguments], capture_output=True, text=True, timeout=240, check=False,
                          env=environment)
    if (done.returncode != 0) != fails:
        raise SystemExit(f"{arguments} on {ranks} ranks: exit {done.returncode}: {done.stderr}")
    return done


def table(*arguments, **options):
    """Rows by place, with numbers where there are some."""
    out = {}
    for row in csv.DictReader(io.StringIO(run("integrate", *arguments, **options).stdout)):
        out[row["place"]] = {key: float(value) for key, value in row.items() if value and key != "place"}
    return out


def expect(condition, what):
    if not condition:
        faults.append(what)


def near(found, wanted, tolerance, what):
    expect(abs(found - wanted) <= tolerance, f"{what}: {found}, not {wanted}")


def make(folder, data, *options):
    path = os.path.join(folder, "".join((data, *options)).replace(",", "_") + ".h5")
    subprocess.run([DATASET, data, *options, "--output", path], check=True, timeout=120, capture_output=True)
    return path


def sides(block):
    return [f"{block}:{side}" for side in ("0,:,:", "-1,:,:", ":,0,:", ":,-1,:", ":,:,0", ":,:,-1")]


def check_gauss(path, blocks):
    """Linear fields are exact on any hexahedra, so the theorem of Gauss is, over blocks."""
    derive = ["--derive", "velocity_x=3*x+y", "--derive", "velocity_y=x-z", "--derive", "velocity_z=z-x",
              "--derive", "density=2+0*x", "--derive", "temperature=x-3*y+2*z", "--steps", "first"]
    for block in blocks:
        walls = [option for side in sides(block) for option in ("--wall", side)]
        options = [path, "--block", block, *walls, *derive, "--pressure", "5+2*x-y", "--viscosity", "0.5",
                   "--conductivity", "3", "--flux", "1", "--mass-flow", "--about", "1,2,3", "--fields", "x,y,z"]
        found = table(*options)
        volume = found.pop("block " + block)
        size, center = volume["volume"], [volume[f"mean({c})"] for c in "xyz"]

        def closed(key):
            return sum(row[key] for row in found.values())
        what, tolerance = f"{os.path.basename(path)} {block} ", 2e-6 * size
        for axis, wanted in zip("xyz", (2 * size, -size, 0)):
            near(closed("normal_" + axis), 0, tolerance, what + "normals")
            near(closed("pressure_force_" + axis), wanted, 9 * tolerance, what + "pressure on " + axis)
            near(closed("viscous_force_" + axis), 0, 99 * tolerance, what + "friction on " + axis)
        near(closed("flux(1)"), 4 * size, 9 * tolerance, what + "flow")
        near(closed("mass_flow"), 8 * size, 9 * tolerance, what + "mass flow")
        near(closed("heat_flow"), 0, 99 * tolerance, what + "heat")
        lever = [center[axis] - 1 - axis for axis in range(3)]  # the force grad(p) V acts at the centre
        for axis, wanted in enumerate((lever[2] * size, 2 * size * lever[2], -lever[0] * size - 2 * size * lever[1])):
            near(closed("moment_" + "xyz"[axis]), wanted, 99 * tolerance, what + "moment about " + "xyz"[axis])
    return options


def check_ranks(options):
    one = run("integrate", *options).stdout
    for ranks in (2, 3, 8):
        expect(run("integrate", *options, ranks=ranks, threads=1).stdout == one, f"{options}: another table on {ranks}")
    expect(run("integrate", *options, threads=3).stdout == one, f"{options}: another table with 3 threads")


def check_order(folder):
    """A ring of three quarters, radius 1 to 2, height 1: integrals, and friction between cylinders."""
    wanted = {"volume": 2.25 * math.pi, "integral(x)": -7 / 3, "mean(x^2+y^2)": 2.5}
    on_walls = {"area": 3 * math.pi, "normal_x": -2, "force_x": math.pi * 3, "moment_z": 3 * math.pi * 0.5 * 0.25,
                "heat_flow": -math.pi * 1.5}
    errors = {}
    for size in ("9,25,7", "17,49,13"):
        path = make(folder, "annulus", "--size", size)
        block = json.loads(run("info", "--json", path).stdout)["blocks"][0]["name"]
        swirl = "(r + 0.25/r)"
        options = [path, "--volume", "--wall", f"{block}:-1,:,:", "--fields", "x,x^2+y^2", "--viscosity", "0.5",
                   "--about", "0,0,0", "--conductivity", "1", "--derive", "temperature=log(r)",
                   "--derive", "r=sqrt(x^2+y^2)", "--derive", f"velocity_x=-y/r*{swirl}",
                   "--derive", f"velocity_y=x/r*{swirl}", "--derive", "velocity_z=0*x", "--pressure", "x"]
        found = table(*options)
        row, wall = found["volume"], found[f"wall {block}:-1,:,:"]
        for key, value in wanted.items():
            errors.setdefault(key, []).append(abs(row[key] - value))
        for key, value in on_walls.items():
            key = {"force_x": "pressure_force_x"}.get(key, key)
            errors.setdefault(key, []).append(abs(wall[key] - value))
    for key, (coarse, fine) in errors.items():
        order = math.log2(coarse / fine) if fine > 0 else 9
        expect(order > 1.8, f"{key}: errors {coarse}, {fine}: order {order:.2f}")


def check_cells(folder):
    """Blanked cells, fields in cells, steps, two dimensions, copies, other formats."""
    sphere = make(folder, "iblank-sphere")
    info = json.loads(run("info", "--json", sphere).stdout)["cells"]
    whole = table(sphere, "--steps", "first", "--fields", "linear,1+0*x")["volume"]
    expect(whole["cells"] == info["all"] - info["blanked"], f"{whole}: {info}")
    near(whole["integral(1+0*x)"], whole["volume"], 1e-6, "blanked cells")
    expect(7 < whole["volume"] < 8, f"a cube less a ball: {whole}")
    near(table(sphere, "--steps", "first", "--plane", "x=0", "--fields", "linear")["plane x=0"]["mean(linear)"], 1.0, 2e-2,
         "a plane with a hole")
    warped = make(folder, "warped-box")
    row = table(warped, "--steps", "first", "--plane", "1,0,0:0.1,0,0", "--plane", "1,1,1:0,0,0",
                "--fields", "2*x+y+1", "--flux", "1", "--derive", "velocity_x=1+0*x", "--derive", "velocity_y=2*z",
                "--derive", "velocity_z=0*x")
    plane = row["plane 1,0,0:0.1,0,0"]
    near(plane["flux(1)"], plane["normal_x"], 1e-5, "flow through a plane")
    near(plane["normal_x"], plane["area"], 1e-6, "the normal of a plane")
    near(row["plane 1,1,1:0,0,0"]["normal_x"] * math.sqrt(3), row["plane 1,1,1:0,0,0"]["area"], 1e-5, "an oblique plane")
    cells = table(warped, "--steps", "first", "--fields", "cell_blob,blob")["volume"]
    near(cells["integral(cell_blob)"], cells["integral(blob)"], 2e-2, "a field in cells")
    flat = make(folder, "flat")
    sheet = table(flat, "--steps", "first", "--plane", "x=0", "--volume", "--fields", "x")
    expect(sheet["volume"]["volume"] > 1 and sheet["plane x=0"]["area"] > 0.5, f"two dimensions: {sheet}")
    vanes = make(folder, "vanes")
    expect(table(vanes, "--steps", "first", "--set", "data.copies=[{rotate: {axis: [1, 0, 0], count: 24}}]") ==
           table(vanes, "--steps", "first"), "copies count")
    target = os.path.join(folder, "warped.vtm")
    run("convert", warped, "-o", target)
    fields = ["--fields", "linear,blob,cell_blob", "--volume", "--plane", "z=0.2"]
    a, b = (table(path, "--steps", "first", *fields) for path in (warped, target))
    expect(a == b, f"VTK's files have other integrals: {a} {b}")


def check_units(folder):
    """Quantities have the units that follow from those of the file."""
    path = os.path.join(folder, "units.dat")
    points = [(x, y, z) for z in range(3) for y in range(3) for x in range(3)]
    with open(path, "w", encoding="utf-8") as file:
        file.write('VARIABLES = "X (m)" "Y (m)" "Z (m)" "density (kg/m^3)" "pressure (Pa)" "velocity_x (m/s)" '
                   '"velocity_y (m/s)" "velocity_z (m/s)" "temperature (K)"\nZONE T="box", I=3, J=3, K=3, F=POINT\n')
        for x, y, z in points:
            file.write(f"{x} {y} {z} 2 {x} 3 0 0 300\n")
    options = [path, "--wall", "box:0,:,:", "--volume", "--about", "0,0,0", "--mass-flow", "--fields",
               "density,temperature,2*pressure", "--flux", "1", "--pressure", "pressure"]
    for ranks in (1, 3):
        head = csv.DictReader(io.StringIO(run("integrate", *options, ranks=ranks).stdout)).fieldnames
        for name in ("area [m^2]", "volume [m^3]", "mass_flow [kg/s]", "force_x [N]", "moment_y [N m]",
                     "integral(density)", "mean(temperature) [K]", "mean(2*pressure)", "flux(1) [m^3/s]"):
            expect(name in head, f"{name} is not in {head} on {ranks} ranks")
    rows = json.loads(run("integrate", *options, "--json").stdout)
    expect(rows[0]["units"]["force_x"] == "N" and abs(rows[0]["mass_flow"]) == 24, f"{rows[0]}")
    only = csv.DictReader(io.StringIO(run("integrate", path, "--fields", "density").stdout)).fieldnames
    expect("integral(density) [kg]" in only, f"the mass: {only}")


def check_steps(folder):
    wake = make(folder, "karman", "--size", "61,31,7", "--steps", "3")
    out = os.path.join(folder, "sub", "wake.json")
    options = ["integrate", wake, "--wall", "cylinder::,0,:", "--force", "--volume", "--fields", "pressure"]
    run(*options, "--steps", "all", "-o", out)
    with open(out, encoding="utf-8") as file:
        rows = json.load(file)
    expect([(row["step"], row["place"]) for row in rows] ==
           [(step, place) for step in (0, 1, 2) for place in ("wall cylinder::,0,:", "volume")], f"{rows}")
    expect(len({row.get("force_y") for row in rows}) > 2, "the force stays")


def check_faults(path):
    for arguments, message in (
            (("--wall", "nobody"), "there is no boundary condition 'nobody'"),
            (("--walls",), "the data name no walls"),
            (("--faces", "box:0,0,:"), "give one number and two ranges"),
            (("--faces", "boxy:0,:,:"), "there is no block 'boxy'"),
            (("--block", "boxy"), "there is no such block; the first is 'box'"),
            (("--plane", "2"), "plane 2: give an axis and a place, such as x=2"),
            (("--fields", "blobb"), "did you mean 'blob'?"),
            (("--fields", "blob+("), "the expression"),
            (("--force",), "forces and flows need a surface"),
            (("--derive", "x"), "--derive x: give a name and an expression"),
            (("--plane", "x=0", "--force"), "pressure")):
        for ranks in (1, 3):
            text = run("integrate", path, *arguments, "--steps", "first", ranks=ranks, fails=True).stderr
            expect(message in text and text.count("error:") == 1, f"{arguments}: {text}")


with tempfile.TemporaryDirectory() as top:
    boxes = make(top, "warped-box")
    kept = check_gauss(boxes, ["box"])
    check_ranks(kept)
    check_gauss(make(top, "annulus"), ["ring"])
    turned = make(top, "orientations")
    names = [block["name"] for block in json.loads(run("info", "--json", turned).stdout)["blocks"]]
    check_ranks(check_gauss(turned, [names[0], names[7], names[40]]))
    check_ranks([make(top, "iblank-sphere"), "--steps", "first", "--plane", "1,2,3:0.1,0,0", "--volume"])
    check_order(top)
    check_cells(top)
    check_units(top)
    check_steps(top)
    check_faults(boxes)
for fault in faults[:20]:
    print(fault)
sys.exit(1 if faults else 0)
