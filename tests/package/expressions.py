#!/usr/bin/env python3
"""Derivatives of derivatives and means over steps: known answers, seamless where blocks meet, the same on all ranks.

usage: expressions.py KARMAN KARMAN-DATASET MPIEXEC…
"""
import csv
import io
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
except ImportError:
    print("there is no h5py (Debian: python3-h5py)")
    sys.exit(77)

KARMAN, _, *MPIEXEC = sys.argv[1:]
NI, NJ, NK, STEPS = 25, 21, 18, 5
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


def arrays(bend):
    """Coordinates of a skewed box, bent or not."""
    k, j, i = np.meshgrid(np.arange(NK), np.arange(NJ), np.arange(NI), indexing="ij")
    x = 0.25 * i + 0.0625 * j + bend * np.sin(0.3 * j + 0.2 * k)
    y = 0.25 * j - 0.125 * k + bend * np.sin(0.2 * i)
    z = 0.25 * k + bend * np.cos(0.25 * i + 0.1 * j)
    return {"x": x, "y": y, "z": z}


def values(grid, step):
    x, y, z = grid["x"], grid["y"], grid["z"]
    return {"quadratic": x * x + 2 * y * y - z * z + x * y, "wave": np.sin(x) * np.cos(y + step) + 0.1 * z * z,
            "velocity_x": y * y + step, "velocity_y": x * z, "velocity_z": np.sin(x)}


HOLE = (4, 10, 3)  # cell k, j, i without a value
LONELY = (slice(13, 16), slice(5, 10), slice(2, 6))  # vertices whose planes below and above are blanked


def write(path, blocks, bend, cells=(), holes=False):
    """Blocks are boxes of vertices, with the order of their axes. Holes: a cell lacks values, vertices lack cells."""
    whole = arrays(bend)
    blanked = np.ones((NK, NJ, NI), "i4")
    if holes:
        whole["gap"] = np.zeros((NK, NJ, NI))
        whole["gap"][HOLE] = 1
        blanked[LONELY][::2] = 0
        whole["iblank"] = blanked
    with h5py.File(path, "w") as file:
        for n, (box, order) in enumerate(blocks):
            grid = {name: np.transpose(a[box], order) for name, a in whole.items()}
            for name, a in grid.items():
                if name != "gap":
                    file[f"grid/b{n}/{name}"] = a.astype("i4" if name == "iblank" else "f4")
            # the cell of the hole has its lowest corner at the lowest end of each axis, as none is turned
            lacks = grid["gap"][:-1, :-1, :-1] > 0 if holes else False
            for step in range(STEPS):
                for name, a in values(grid, step).items():
                    if name in cells:
                        a = sum(a[k:k - 1 or None, j:j - 1 or None, i:i - 1 or None]
                                for k in (0, 1) for j in (0, 1) for i in (0, 1)) / 8
                        a = np.where(lacks, np.nan, a)
                    file[f"flow/{step:04d}/b{n}/{name}"] = a.astype("f4")
                file[f"flow/{step:04d}"].attrs["time"] = 0.5 * step


def probe(path, fields, points, steps="3", ranks=1):
    at = [word for p in points for word in ("--at", ",".join(f"{c:.9g}" for c in p))]
    return run("probe", path, *at, "--steps", steps, "--fields", ",".join(fields), ranks=ranks).stdout


def some_points(bend, count=30):
    """Points within cells: means of the corners of some."""
    whole, rng, points = arrays(bend), np.random.default_rng(3), []
    for _ in range(count):
        k, j, i = (int(rng.integers(0, n - 1)) for n in (NK, NJ, NI))
        points.append([float(whole[c][k:k + 2, j:j + 2, i:i + 2].mean()) for c in "xyz"])
    return points


def check_known(path, more_ranks=()):
    """Second derivatives of quadratic fields are exact on a skewed box, up to its ends."""
    known = {"div(grad(quadratic))": lambda x, y, z: 4, "grad(vorticity_z).y": lambda x, y, z: -2,
             "grad(curl(velocity).z).z": lambda x, y, z: 1, "grad(mag(grad(quadratic))^2).x": lambda x, y, z:
             2 * (2 * x + y) * 2 + 2 * (4 * y + x), "grad(grad(quadratic).x).y": lambda x, y, z: 1,
             "mean(velocity_x)": lambda x, y, z: y * y + 2, "mean(velocity_x, 1, 2)": lambda x, y, z: y * y + 1.5,
             "velocity_x - mean(velocity_x)": lambda x, y, z: 1, "mean(velocity).y": lambda x, y, z: x * z,
             "mean(velocity_x, 4)": lambda x, y, z: y * y + 4, "curl(mean(velocity)).z": lambda x, y, z: z - 2 * y,
             "grad(grad(mean(quadratic)).y).y": lambda x, y, z: 4, "mean(time)": lambda x, y, z: 1,
             "mean(previous(velocity_x))": lambda x, y, z: y * y + 1.5}
    points = some_points(0)
    one = probe(path, known, points)
    for row, point in zip(rows(one), points):
        for name, value in known.items():
            # between vertices, y * y and x * z of the cell are linear
            expect(abs(float(row[name]) - value(*point)) < 0.2, f"{name} at {point}: {row[name]}, not {value(*point)}")
    for name in ("div(grad(quadratic))", "grad(vorticity_z).y", "velocity_x - mean(velocity_x)", "mean(time)"):
        for row, point in zip(rows(one), points):
            expect(abs(float(row[name]) - known[name](*point)) < 5e-3, f"{name} at {point}: {row[name]}")
    for ranks in more_ranks:
        expect(probe(path, known, points, ranks=ranks) == one, f"{ranks} ranks have other values")


SEAMLESS = ("div(grad(wave))", "grad(mag(vorticity))", "lambda2(curl(velocity))", "grad(mag(velocity - mean(velocity)))",
            "curl(curl(velocity))", "grad(div(grad(wave)))", "mag(grad(mean(wave))) + q(curl(mean(velocity)))")


def check_seams(whole, split, ranks):
    """Blocks that meet have the values of one block, but for rounding."""
    fields = [f"mag({f})" if f.startswith(("grad", "curl")) else f for f in SEAMLESS]
    points = some_points(0.1)
    one, parts = probe(whole, fields, points), probe(split, fields, points)
    for a, b, point in zip(rows(one), rows(parts), points):
        for field in fields:
            one_value, other = float(a[field]), float(b[field])
            expect(abs(one_value - other) < 2e-2 * (1 + abs(one_value)), f"{field} at {point}: {one_value}, {other}")
    for n in ranks:
        expect(probe(split, fields, points, ranks=n) == parts, f"{split}: {n} ranks have other values")


def check_holes(whole, split):
    """Beside a cell without a value there is no derivative; beside vertices without cells it is one-sided. Blocks that
    meet elsewhere change nothing."""
    grid, cells = arrays(0.1), set()
    for middle in (HOLE, (14, 7, 4)):
        for axis in range(3):
            for n in range(-5, 6):
                cells.add(tuple(c + n * (a == axis) for a, c in enumerate(middle)))
    cells = [c for c in sorted(cells) if all(0 <= a < n - 1 for a, n in zip(c, (NK, NJ, NI)))]
    points = [[float(grid[c][k:k + 2, j:j + 2, i:i + 2].mean()) for c in "xyz"] for k, j, i in cells]
    fields = ("wave", "mag(grad(wave))", "div(grad(wave))", "velocity_x - mean(velocity_x)")
    one, parts = rows(probe(whole, fields, points)), rows(probe(split, fields, points))
    missing = sum(not row["mag(grad(wave))"] for row in one)
    expect(4 < missing < len(points) - 20, f"{missing} of {len(points)} derivatives are missing")
    for a, b, cell in zip(one, parts, cells):
        for field in fields:
            same = bool(a[field]) == bool(b[field])
            expect(same and (not a[field] or abs(float(a[field]) - float(b[field])) < 1e-2 * (1 + abs(float(a[field])))),
                   f"{field} in cell {cell}: {a[field]}, {b[field]}")


def check_pictures(path, folder):
    """A lit surface is the same on all ranks, and at the second frame of a series."""
    for field in ("grad(mag(vorticity)).x", "velocity_x - mean(velocity_x)"):
        pictures = []
        for ranks in (1, 3):
            name = os.path.join(folder, f"{ranks}_%d.png")
            run("render", path, "--iso", "own=0.5", "--derive", f"own={field}", "--set", "data.steps=[2,3]", "--set", "image.width=160",
                "-o", name, ranks=ranks)
            pictures.append([open(name % step, "rb").read() for step in (2, 3)])
        expect(pictures[0] == pictures[1], f"{field}: pictures differ")


def check_faults(path):
    for field, message in (
            ("mean(grad(quadratic).x)", "mean() takes no derivatives"), ("mean(mean(wave))", "takes no mean() of"),
            ("mean(wave, 3, 1)", "the first step is behind the last one"), ("mean(wave, time)", "takes numbers of steps"),
            ("mean(wave, 77)", "no step with all fields of mean()"), ("mean(3)", "this is one number everywhere"),
            ("mean(wave, 1, 2, 3)", "mean takes 3 arguments"), ("mean()", "is missing"),
            ("grad(mag(vorticty)).x", "did you mean 'vorticity"),
            ("grad(grad(grad(grad(wave).x).x).x).x", "too deep")):
        text = run("probe", path, "--at", "1,1,1", "--fields", field, fails=True).stderr
        expect(message in text and text.count("error:") == 1, f"{field}: {text}")


WHOLE = [((slice(None), slice(None), slice(None)), (0, 1, 2))]
SPLIT = [((slice(0, 10), slice(None), slice(0, 9)), (0, 1, 2)), ((slice(9, None), slice(None), slice(0, 9)), (2, 0, 1)),
         ((slice(0, 10), slice(None), slice(8, None)), (1, 0, 2)), ((slice(9, None), slice(None), slice(8, None)), (1, 2, 0))]
with tempfile.TemporaryDirectory() as top:
    names = {name: os.path.join(top, name + ".h5") for name in ("skewed", "skewed_split", "whole", "split", "cells", "cells_split", "holes", "holes_split")}
    write(names["skewed"], WHOLE, 0)
    write(names["skewed_split"], SPLIT, 0)
    write(names["whole"], WHOLE, 0.1)
    write(names["split"], SPLIT, 0.1)
    in_cells = ("wave", "velocity_x", "velocity_y", "velocity_z")
    write(names["cells"], WHOLE, 0.1, in_cells)
    write(names["cells_split"], SPLIT, 0.1, in_cells)
    check_known(names["skewed"], (3, 8))
    check_known(names["skewed_split"])
    check_seams(names["whole"], names["split"], (3, 8))
    check_seams(names["cells"], names["cells_split"], (3,))
    write(names["holes"], WHOLE, 0.1, in_cells, holes=True)
    write(names["holes_split"], SPLIT, 0.1, in_cells, holes=True)
    check_holes(names["holes"], names["holes_split"])
    check_pictures(names["split"], top)
    check_faults(names["split"])
for fault in faults[:20]:
    print(fault)
sys.exit(1 if faults else 0)
