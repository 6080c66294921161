#!/usr/bin/env python3
"""Extracts: polygons of linear fields lie in planes, and are the same on all ranks; areas are those of VTK.

usage: extracts.py KARMAN KARMAN-DATASET MPIEXEC…
"""
import csv
import math
import os
import re
import struct
import subprocess
import sys
import tempfile

KARMAN, DATASET, *MPIEXEC = sys.argv[1:]
LINEAR = "derive.own=1 + x - 2 * y + 0.5 * z"
NORMAL = (1.0, -2.0, 0.5)
TYPES = {"Float64": "d", "Float32": "f", "Int64": "q"}
faults = []


def run(*arguments, ranks=1, code=0):
    launcher = [*MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launcher, KARMAN, "render", *arguments, "--quiet"],
                          capture_output=True, text=True, timeout=120)
    if done.returncode != code:
        raise SystemExit(f"{arguments} on {ranks} ranks: exit {done.returncode}: {done.stderr}")
    return done.stderr


def expect(condition, what):
    if not condition:
        faults.append(what)


def read(path):
    """The polygons or lines of a .vtp file: lists of (x, y, z, value)."""
    with open(path, "rb") as file:
        data = file.read()
    begin = data.index(b'<AppendedData encoding="raw">\n_') + len(b'<AppendedData encoding="raw">\n_')
    head = data[:begin].decode()
    found = []
    for piece in re.findall(r"<Piece.*?</Piece>", head, re.S):
        arrays, in_cells = {}, "<CellData>" in piece
        for kind, name, offset in re.findall(r'type="(\w+)" Name="([^"]*)".*?offset="(\d+)"', piece):
            at = begin + int(offset)
            size = struct.unpack_from("Q", data, at)[0]
            letter = TYPES[kind]
            arrays[name] = struct.unpack_from(f"{size // struct.calcsize(letter)}{letter}", data, at + 8)
        points, indices, ends = arrays.pop("Points"), arrays.pop("connectivity"), arrays.pop("offsets")
        values = next(iter(arrays.values()), None)
        first = 0
        for number, end in enumerate(ends):
            found.append([points[3 * n:3 * n + 3] + ((values[number if in_cells else n],) if values else ())
                          for n in indices[first:end]])
            first = end
    return found


def area(polygons):
    total = 0.0
    for p in polygons:
        for n in range(1, len(p) - 1):
            a, b = ([p[m][c] - p[0][c] for c in range(3)] for m in (n, n + 1))
            cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
            total += 0.5 * math.sqrt(sum(x * x for x in cross))
    return total


def rounded(polygons):
    return sorted(tuple(sorted(tuple(round(x, 4) + 0.0 for x in corner) for corner in p)) for p in polygons)


def check_planes(name, path, folder):
    """An isosurface of a linear field, and a slice along it, are one plane."""
    value = 1.2
    point = [value - 1.0, 0.0, 0.0]
    layers = ("layers=[{isosurface: {field: own, value: 1.2}}, {contour: {field: own, plane: "
              f"{{point: {point}, normal: {list(NORMAL)}}}}}}}]")
    sets = ["--set", LINEAR, "--set", layers, "--set", "data.steps=first"]
    out = os.path.join(folder, f"{name}.vtm")
    run(path, *sets, "-o", out)
    iso, cut = (read(os.path.join(folder, name, file)) for file in ("0_isosurface.vtp", "1_contour.vtp"))
    expect(len(iso) > 20 and abs(area(iso) - area(cut)) < 1e-4 * area(cut),
           f"{name}: isosurface {area(iso)}, slice {area(cut)}")
    for polygon in iso + cut:
        for x, y, z, own in polygon:
            expect(abs(own - value) < 1e-4 and abs(1 + x - 2 * y + 0.5 * z - value) < 1e-4, f"{name}: {x} {y} {z} {own}")
    other = os.path.join(folder, f"{name}-ranks.vtm")
    run(path, *sets, "-o", other, ranks=3)
    for file, mine in (("0_isosurface.vtp", iso), ("1_contour.vtp", cut)):
        theirs = read(os.path.join(folder, f"{name}-ranks", file))
        expect(rounded(theirs) == rounded(mine), f"{name}: {file}: three ranks have {len(theirs)} other polygons")
    rows_path = os.path.join(folder, f"{name}.csv")
    run(path, *sets, "-o", rows_path, ranks=2)
    with open(rows_path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    expect(len(rows) == sum(map(len, iso + cut)), f"{name}: {len(rows)} rows")
    expect(all(abs(float(row["value"]) - value) < 1e-4 for row in rows), f"{name}: values of rows")


def check_colors(name, path, folder):
    """An isosurface has the values of the field that colours it, on every brick."""
    out = os.path.join(folder, f"{name}-colors.vtm")
    run(path, "--set", LINEAR, "--set", "derive.tint=2 * x + y - z", "--set", "data.steps=first", "--set",
        "layers=[{isosurface: {field: own, value: 1.2, color_by: tint}}]", "-o", out)
    polygons = read(os.path.join(folder, f"{name}-colors", "0_isosurface.vtp"))
    expect(len(polygons) > 20, f"{name}: {len(polygons)} coloured polygons")
    off = max(abs(2 * x + y - z - tint) for p in polygons for x, y, z, tint in p)
    expect(off < 1e-4, f"{name}: colours of the isosurface are off by {off}")


def check_wake(folder):
    """Walls, streamlines, several steps beside pictures; the volume is named as left out."""
    path = os.path.join(folder, "wake.h5")
    subprocess.run([DATASET, "karman", "--size", "49,25,7", "--steps", "2", "--output", path], check=True,
                   stdout=subprocess.DEVNULL, timeout=60)
    said = run(path, "--slice", "x=2", "--walls", "pressure", "--streamlines", "-o", os.path.join(folder, "wake.vtm"))
    names = sorted(os.listdir(os.path.join(folder, "wake")))
    expect([n.split("_")[1] for n in names] == ["contour.vtp", "object.vtp", "particles.vtp"], f"wake: {names} {said}")
    wall = read(os.path.join(folder, "wake", names[1]))
    expect(abs(area(wall) - math.pi * 4.0) < 0.05, f"wake: the cylinder has {area(wall)}")
    expect(all(abs(math.hypot(c[0], c[1]) - 0.5) < 1e-5 for p in wall for c in p), "wake: the wall is no cylinder")
    expect(all(len(line) > 1 for line in read(os.path.join(folder, "wake", names[2]))), "wake: lines")
    said = run(path, "--set", "data.steps=all", "--set", f"output.frames={folder}/w_%02d.png",
               "--set", f"output.extracts={folder}/w_%02d.vtm", "--set", "image={width: 60, height: 40}")
    expect("has no volume" in said, f"wake: {said}")
    expect(os.path.exists(f"{folder}/w_01.vtm") and os.path.exists(f"{folder}/w_01.png"), "wake: files of steps")
    said = run(path, "--set", "partition=screen", "-o", f"{folder}/x.vtm", code=2)
    expect("partition: object" in said, f"screen: {said}")
    blocked = os.path.join(folder, "file")
    with open(blocked, "w", encoding="utf-8") as file:
        file.write("no folder")
    said = run(path, "--slice", "x=2", "-o", f"{blocked}/x.vtm", ranks=2, code=1)
    expect("x.vtm" in said and said.count("error") == 1, f"no folder: {said}")


def check_clips(name, path, folder):
    """Clips cut polygons and lines where they cut the picture, on any number of ranks; two halves are the whole."""
    layers = f"layers=[{{isosurface: {{field: own, value: 1.2}}}}, {{contour: {{field: own, z: 0.1}}}}]"
    files = ("0_isosurface.vtp", "1_contour.vtp")

    def polygons(label, clip, ranks=1):
        said = run(path, "--set", LINEAR, "--set", layers, "--set", "data.steps=first", *clip, "-o",
                   os.path.join(folder, f"{name}-{label}.vtm"), ranks=ranks)
        expect("clip" not in said, f"{name}: {said}")
        return [read(os.path.join(folder, f"{name}-{label}", file)) for file in files]

    def plane(sign):
        return ["--set", f"clip=[{{point: [{x0}, {y0}, 0], normal: [{sign}, {0.3 * sign}, 0]}}]"]
    whole = polygons("whole", [])
    corners = [c for p in whole[0] for c in p]
    x0, y0 = (sum(c[axis] for c in corners) / len(corners) for axis in (0, 1))
    above, below = polygons("above", plane(1)), polygons("below", plane(-1))
    for n, file in enumerate(files):
        parts = area(above[n]), area(below[n])
        expect(min(parts) > 0.05 * area(whole[n]) and abs(sum(parts) / area(whole[n]) - 1) < 1e-5,
               f"{name}: {file}: {parts} of {area(whole[n])}")
        expect(all(c[0] - x0 + 0.3 * (c[1] - y0) > -1e-5 for p in above[n] for c in p), f"{name}: {file} is beyond")
        expect(all(abs(1 + x - 2 * y + 0.5 * z - own) < 1e-4 for p in above[n] for x, y, z, own in p),
               f"{name}: {file}: values where it is cut")
    for ranks in (3, 8):
        others = polygons(f"above-{ranks}", plane(1), ranks)
        expect([rounded(p) for p in others] == [rounded(p) for p in above], f"{name}: clipped by {ranks} ranks")
    if name != "warped-box":
        return
    ball = polygons("ball", ["--set", "clip=[{point: [0, 0, 0.1], radius: 0.4}]"])[1]
    expect(abs(area(ball) / (math.pi * 0.16) - 1) < 0.02, f"{name}: a disc of {area(ball)}")


def check_thresholds(name, path, folder):
    """Thresholds cut polygons where the field takes the limits, on any number of ranks; two halves are the whole."""
    tint = "derive.tint=2 * x + y - z"
    layers = "{isosurface: {field: own, value: 1.2}}, {contour: {field: own, z: 0.1}}, {object: {k: 1, color_by: tint}}"
    files = ("0_isosurface.vtp", "1_contour.vtp", "2_object.vtp")

    def polygons(label, threshold, ranks=1, more=()):
        said = run(path, "--set", LINEAR, "--set", tint, "--set", "data.steps=first", "--set",
                   f"layers=[{layers}{threshold}]", *more, "-o", os.path.join(folder, f"{name}-{label}.vtm"), ranks=ranks)
        expect("threshold" not in said, f"{name}: {said}")
        return [read(os.path.join(folder, f"{name}-{label}", file)) for file in files]

    def tint_of(corner):
        return 2 * corner[0] + corner[1] - corner[2]

    whole = polygons("all", "")
    tints = [[tint_of(c) for p in polygons for c in p] for polygons in whole]
    limit = round(0.5 * (max(map(min, tints)) + min(map(max, tints))), 3)
    above, below = (polygons(side, f", {{threshold: {{field: tint, {side}: {limit}}}}}") for side in ("above", "below"))
    for n, file in enumerate(files):
        parts = area(above[n]), area(below[n])
        expect(min(parts) > 0.002 * area(whole[n]) and abs(sum(parts) / area(whole[n]) - 1) < 1e-4,
               f"{name}: {file}: thresholds leave {parts} of {area(whole[n])}")
        expect(all(tint_of(c) > limit - 1e-4 for p in above[n] for c in p), f"{name}: {file} lies below the limit")
        expect(all(tint_of(c) < limit + 1e-4 for p in below[n] for c in p), f"{name}: {file} lies above the limit")
    cells = f", {{threshold: {{field: tint, above: {limit}, cells: true}}}}, {{threshold: {{from: [2, 0, 0], to: [-3, -1, -1]}}}}"
    some = polygons("cells", cells)
    for n, file in enumerate(files):
        left = set(rounded(some[n]))
        expect(0 < len(left) < len(whole[n]) and left <= set(rounded(whole[n])), f"{name}: {file}: {len(left)} of cells")
        expect(all(tint_of(c) > limit - 1e-4 for p in some[n] for c in p), f"{name}: {file}: cells below the limit")
    for ranks in (3, 8):
        for label, threshold, mine in (("above", f", {{threshold: {{field: tint, above: {limit}}}}}", above),
                                       ("cells", cells, some)):
            others = polygons(f"{label}-{ranks}", threshold, ranks)
            expect([rounded(p) for p in others] == [rounded(p) for p in mine], f"{name}: {label} on {ranks} ranks")
    both = polygons("both", f", {{threshold: {{field: tint, above: {limit}}}}}, {{threshold: {{field: own, below: 1.3}}}}",
                    1, ["--set", f"clip=[{{point: [0, 0, 0.2], normal: [0, 0, -1]}}]"])
    expect(all(own < 1.3 + 1e-4 and tint_of((x, y, z)) > limit - 1e-4 and z < 0.2 + 1e-5
               for p in both[1] for x, y, z, own in p), f"{name}: two thresholds and a clip")
    expect(0 < area(both[1]) < area(above[1]) + 1e-6, f"{name}: two thresholds: {area(both[1])}")


def check_lines_of_thresholds(folder):
    """Lines end where the field takes the limit, or in whole cells; `whole` ones do not."""
    path = os.path.join(folder, "lines.h5")
    subprocess.run([DATASET, "karman", "--size", "49,25,7", "--steps", "1", "--output", path], check=True,
                   stdout=subprocess.DEVNULL, timeout=60)

    def lines(label, threshold, whole="false", ranks=1):
        run(path, "--set", f"layers=[{{particles: {{mode: stream, seeds: auto, color_by: velocity_magnitude}}, whole: {whole}}}{threshold}]", "--set",
            "derive.right=x + 0.3 * y", "-o", os.path.join(folder, f"lines-{label}.vtm"), ranks=ranks)
        return read(os.path.join(folder, f"lines-{label}", "0_particles.vtp"))

    def length(parts):
        return sum(math.dist(a[:3], b[:3]) for p in parts for a, b in zip(p, p[1:]))

    def right(parts):
        return [c[0] + 0.3 * c[1] for p in parts for c in p]
    everything = lines("all", "")
    above, below = (lines(side, f", {{threshold: {{field: right, {side}: 2}}}}") for side in ("above", "below"))
    expect(abs((length(above) + length(below)) / length(everything) - 1) < 1e-4 and
           min(length(above), length(below)) > 0.01 * length(everything),
           f"lines: {length(above)} and {length(below)} of {length(everything)}")
    expect(min(right(above)) > 2 - 2e-3 and max(right(below)) < 2 + 2e-3, "lines beyond their limit")
    for ranks in (3, 8):
        expect(rounded(lines(f"above-{ranks}", ", {threshold: {field: right, above: 2}}", ranks=ranks)) == rounded(above),
               f"lines on {ranks} ranks")
    boxed = lines("box", ", {threshold: {from: [0, 5, 0], to: [-1, 12, -1]}}")
    expect(0 < length(boxed) < length(everything), f"lines of a box: {length(boxed)}")
    expect(rounded(lines("whole", ", {threshold: {field: right, above: 2}}", "true")) == rounded(everything), "whole lines")


def check_vtk(folder):
    """A slice has the area that VTK finds, an isosurface up to the polygons: VTK takes those of a table for a cell,
    karman those of its twelve triangles."""
    try:
        import vtk
    except ImportError:
        print("VTK is not there: areas are not compared")
        return
    path, grid = os.path.join(folder, "one.h5"), os.path.join(folder, "grid.vtm")
    subprocess.run([DATASET, "karman", "--size", "49,25,7", "--steps", "1", "--output", path], check=True,
                   stdout=subprocess.DEVNULL, timeout=60)
    subprocess.run([KARMAN, "convert", path, "--fields", "pressure", "-o", grid], check=True, capture_output=True,
                   timeout=60)
    reader = vtk.vtkXMLMultiBlockDataReader()
    reader.SetFileName(grid)
    reader.Update()
    block = reader.GetOutput().GetBlock(0)
    block.GetPointData().SetActiveScalars("pressure")
    plane = vtk.vtkPlane()
    plane.SetOrigin(2, 0, 0)
    plane.SetNormal(1, 0.2, 0.1)
    cutter, contour = vtk.vtkCutter(), vtk.vtkContourFilter()
    cutter.SetCutFunction(plane)
    contour.SetValue(0, 0.2)
    out = os.path.join(folder, "beside.vtm")
    layers = ("layers=[{contour: {field: pressure, plane: {point: [2, 0, 0], normal: [1, 0.2, 0.1]}}}, "
              "{isosurface: {field: pressure, value: 0.2}}]")
    run(path, "--set", layers, "-o", out)
    for source, file, most in ((cutter, "0_contour.vtp", 1e-3), (contour, "1_isosurface.vtp", 2e-2)):
        source.SetInputData(block)
        source.Update()
        triangles, mass = vtk.vtkTriangleFilter(), vtk.vtkMassProperties()
        triangles.SetInputConnection(source.GetOutputPort())
        mass.SetInputConnection(triangles.GetOutputPort())
        mass.Update()
        mine = area(read(os.path.join(folder, "beside", file)))
        expect(mass.GetSurfaceArea() > 0 and abs(mine / mass.GetSurfaceArea() - 1) < most,
               f"{file}: {mine}, VTK has {mass.GetSurfaceArea()}")
        half, clipped = vtk.vtkPlane(), vtk.vtkClipPolyData()
        half.SetOrigin(2.2, 0.5, 2)
        half.SetNormal(0, 1, 0.5)
        clipped.SetClipFunction(half)
        clipped.SetInputConnection(triangles.GetOutputPort())
        triangles.Update()
        whole = mass.GetSurfaceArea()
        mass.SetInputConnection(clipped.GetOutputPort())
        mass.Update()
        run(path, "--set", layers, "--set", "clip=[{point: [2.2, 0.5, 2], normal: [0, 1, 0.5]}]", "-o", out)
        polydata = vtk.vtkXMLPolyDataReader()
        polydata.SetFileName(os.path.join(folder, "beside", file))
        polydata.Update()
        mine = area(read(os.path.join(folder, "beside", file)))
        expect(polydata.GetOutput().GetNumberOfCells() > 0 and 0 < mass.GetSurfaceArea() < 0.9 * whole and
               abs(mine / mass.GetSurfaceArea() - 1) < most, f"clipped {file}: {mine}, VTK {mass.GetSurfaceArea()}")
        run(path, "--set", layers, "-o", out)


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    for name in ("warped-box", "two-blocks"):
        subprocess.run([DATASET, name, "--output", f"{name}.h5"], check=True, stdout=subprocess.DEVNULL, timeout=60)
        check_planes(name, f"{name}.h5", work)
        check_colors(name, f"{name}.h5", work)
        check_clips(name, f"{name}.h5", work)
        check_thresholds(name, f"{name}.h5", work)
    check_wake(work)
    check_lines_of_thresholds(work)
    check_vtk(work)
for fault in faults[:10]:
    print(f"FAILED: {fault}")
print(f"{len(faults)} faults")
sys.exit(bool(faults))
