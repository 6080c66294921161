#!/usr/bin/env python3
"""Public files of many formats: what karman says of them, and its pictures.

    public.py KARMAN DATA TABLE FOLDER [--write]

TABLE has for each file of DATA what `karman info` says, or the sentence that refuses it.
Where VTK reads the file, its blocks, bounds and ranges are compared, too. --write writes
TABLE, to be looked at.
"""
import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

karman, data, table, folder = sys.argv[1:5]
# A sheet, which VTK 9.1 takes for a block of 99 planes without coordinates.
MISREAD = ("walls.cgns",)
SMALL = ["--set", "image.width=240", "--set", "image.height=150"]


def run(*arguments):
    done = subprocess.run([karman, *arguments], capture_output=True, text=True, timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


def sentence(path, text):
    """The last message, without the path of the file and what stands before it."""
    last = text.strip().splitlines()[-1] if text.strip() else ""
    return last.replace("karman: error: ", "").replace(path, "FILE").replace(data, "DATA").split("; 'karman info")[0]


def shorten(value):
    """Numbers with six digits."""
    if isinstance(value, dict):
        return {key: shorten(one) for key, one in value.items()}
    if isinstance(value, list):
        return [shorten(one) for one in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value


def alike(a, b):
    """Whether both are the same, up to the last digit of a number."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= 1e-5 * max(abs(a), abs(b))
    return a == b


def describe(text):
    """The part of `karman info --json` that the table has."""
    said = json.loads(text)
    if "contents" in said:
        said = said["contents"]
    if "blocks" not in said:
        return None
    fields = {f["name"]: [f["location"], *(f["range"] or [])] for f in said["fields"]}
    return shorten({
        "blocks": [b["vertices"] for b in said["blocks"]],
        "bounds": said["bounds"],
        "steps": [[s["number"], s["time"]] for s in said["steps"]],
        "fields": fields,
        "conditions": len(said["boundary_conditions"]),
        "cells": [said["cells"][n] for n in ("all", "blanked", "inverted", "zero_volume")],
    })


def near(a, b, size):
    return abs(a - b) <= 6e-6 * size + 1e-30


def out(name, ending):
    return os.path.join(folder, name.replace("/", "_") + ending)


def refused(name, faults):
    """The sentence, which all commands say."""
    path = os.path.join(data, name)
    picture, converted = out(name, ".png"), out(name, ".h5")
    said = {}
    for command, options in (("init", []), ("check", []), ("convert", [converted]),
                             ("render", ["--quiet", "--output", picture])):
        status, _, text = run(command, path, *options)
        said[command] = sentence(path, text)
        if status == 0:
            faults.append(f"{name}: karman {command} succeeds")
    _, listing, text = run("info", path)
    first = said["init"]
    if first.split("'FILE': ")[-1] not in sentence(path, text) + listing:
        faults.append(f"{name}: info does not say '{first}'")
    for command, words in said.items():
        if words != first:
            faults.append(f"{name}: {command} says '{words}', init '{first}'")
    return {"refused": first}


def opened(name, known, faults):
    """A file that is read: it is drawn and converted, and check refuses it."""
    path = os.path.join(data, name)
    picture, converted = out(name, ".png"), out(name, ".h5")
    status, _, text = run("render", path, "--quiet", "--output", picture, *SMALL)
    if status != 0 or not os.path.exists(picture):
        faults.append(f"{name}: no picture: {text}")
    if "hardly more than one colour" in text:
        faults.append(f"{name}: its picture shows hardly more than one colour")
    status, _, text = run("check", path)
    if status != 2 or "is a data file, and check takes the config" not in text:
        faults.append(f"{name}: check says '{text}'")
    status, _, text = run("init", path)
    if status != 0:
        faults.append(f"{name}: init says '{text}'")
    status, _, text = run("convert", path, converted)
    _, again, _ = run("info", converted, "--json")
    again = describe(again) if status == 0 else {}
    if again.get("cells") != known["cells"]:
        faults.append(f"{name}: cells of its conversion: {again.get('cells')} {text}")
    size = max(known["bounds"][1][a] - known["bounds"][0][a] for a in range(3))
    for side in range(2 if again else 0):
        if not all(near(again["bounds"][side][a], known["bounds"][side][a], size) for a in range(3)):
            faults.append(f"{name}: bounds of its conversion: {again['bounds']}")
    if sorted(again.get("blocks", [])) != sorted(known["blocks"]):
        faults.append(f"{name}: blocks of its conversion: {again.get('blocks')} {text}")
    return known


def look_at(name):
    faults = []
    _, text, _ = run("info", os.path.join(data, name), "--json")
    known = describe(text) if text.startswith("{") else None
    return name, opened(name, known, faults) if known else refused(name, faults), faults


# ---- VTK ------------------------------------------------------------------------------

def vtk_reader(path):
    """The reader of VTK for a file; None: it has none, or it does not read this one."""
    from vtkmodules.vtkIOCGNSReader import vtkCGNSReader
    from vtkmodules.vtkIOEnSight import vtkGenericEnSightReader
    from vtkmodules.vtkIOLegacy import vtkStructuredGridReader
    from vtkmodules.vtkIOParallel import vtkMultiBlockPLOT3DReader
    from vtkmodules.vtkIOXML import vtkXMLStructuredGridReader
    if os.path.basename(path) in MISREAD:
        return None
    if path.endswith(".cgns"):
        reader = vtkCGNSReader()
        reader.SetFileName(path)
        reader.UpdateInformation()
        reader.EnableAllBases()
        reader.EnableAllPointArrays()
        reader.EnableAllCellArrays()
    elif path.endswith(".case"):
        reader = vtkGenericEnSightReader()
        reader.SetCaseFileName(path)
        reader.ReadAllVariablesOn()
    elif path.endswith((".vtk", ".vts")):
        reader = vtkStructuredGridReader() if path.endswith(".vtk") else vtkXMLStructuredGridReader()
        if path.endswith(".vtk"):
            reader.ReadAllScalarsOn()
            reader.ReadAllVectorsOn()
        reader.SetFileName(path)
    elif "/plot3d/" in path:
        reader = vtkMultiBlockPLOT3DReader()
        with open(path, "rb") as stream:
            is_text = min(stream.read(64)) >= 9
        if is_text:  # VTK detects binary forms alone
            reader.AutoDetectFormatOff()
            reader.BinaryFileOff()
            reader.MultiGridOn()
            reader.SetTwoDimensionalGeometry(path.endswith(".p2dfmt"))
        else:
            reader.AutoDetectFormatOn()
        reader.SetXYZFileName(path)
        for grid, solution in (("xyz", "q"), ("plot3dg", "plot3dq")):
            beside = path.replace(grid, solution)
            if beside != path and os.path.exists(beside):
                reader.SetQFileName(beside)
    else:
        return None
    return reader


def leaves(found):
    if found is None:
        return
    if found.IsA("vtkCompositeDataSet"):
        iterator = found.NewIterator()
        while not iterator.IsDoneWithTraversal():
            yield iterator.GetCurrentDataObject()
            iterator.GoToNextItem()
    elif found.IsA("vtkDataSet"):
        yield found


def vtk_describe(path):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    reader = vtk_reader(path)
    if not reader:
        return None
    reader.Update()
    blocks, low, high, ranges = [], [1e300] * 3, [-1e300] * 3, {}
    for grid in leaves(reader.GetOutputDataObject(0)):
        if not grid.IsA("vtkStructuredGrid") and not grid.IsA("vtkImageData") and not grid.IsA("vtkRectilinearGrid"):
            continue
        extent = grid.GetExtent()
        blocks.append([extent[2 * a + 1] - extent[2 * a] + 1 for a in range(3)])
        bounds = grid.GetBounds()
        low = [min(low[a], bounds[2 * a]) for a in range(3)]
        high = [max(high[a], bounds[2 * a + 1]) for a in range(3)]
        for location, arrays in (("vertex", grid.GetPointData()), ("cell", grid.GetCellData())):
            for n in range(arrays.GetNumberOfArrays()):
                values = vtk_to_numpy(arrays.GetArray(n)) if arrays.GetArray(n) else None
                if values is None or values.size == 0:
                    continue
                values = values.reshape(len(values), -1)
                for c in range(values.shape[1]):
                    key = location, arrays.GetArrayName(n), c
                    old = ranges.get(key, (1e300, -1e300))
                    ranges[key] = (min(old[0], float(values[:, c].min())), max(old[1], float(values[:, c].max())))
    return {"blocks": blocks, "bounds": [low, high], "ranges": ranges} if blocks else None


def compare(name, known, vtk, faults):
    """A flat block has a second plane, a thousandth of the grid's diagonal beside the first."""
    sizes = [vtk["bounds"][1][a] - vtk["bounds"][0][a] for a in range(3)]
    diagonal = sum(s * s for s in sizes) ** 0.5
    flat = any(1 in block for block in vtk["blocks"])
    blocks = sorted([max(n, 2) for n in block] for block in vtk["blocks"])
    if blocks != sorted(known["blocks"]):
        faults.append(f"{name}: VTK has the blocks {blocks}")
    for side in range(2):
        for axis in range(3):
            off = abs(known["bounds"][side][axis] - vtk["bounds"][side][axis])
            if off > (1.01e-3 if flat else 6e-6) * diagonal:
                faults.append(f"{name}: VTK has the bounds {vtk['bounds']}")
    for field, (location, *ends) in known["fields"].items():
        same = [key for key, (lo, hi) in vtk["ranges"].items() if key[0] == location and ends and
                near(lo, ends[0], max(abs(lo), abs(hi))) and near(hi, ends[1], max(abs(lo), abs(hi)))]
        if ends and not same:
            faults.append(f"{name}: VTK has no array with the range {ends} of '{field}'")


def compare_all(found, faults):
    try:
        import vtkmodules.vtkIOCGNSReader  # noqa: F401
        from vtkmodules.vtkCommonCore import vtkObject
    except ImportError as error:
        print(f"not compared with VTK: {error} (Debian: python3-vtk9)")
        return
    vtkObject.GlobalWarningDisplayOff()
    compared = []
    for name, known in found.items():
        vtk = vtk_describe(os.path.join(data, name)) if "blocks" in known else None
        if vtk:
            compare(name, known, vtk, faults)
            compared.append(name)
    print(f"{len(compared)} files are as VTK reads them: {' '.join(compared)}")


def main():
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    names = sorted(os.path.relpath(os.path.join(place, name), data)
                   for place, _, files in os.walk(data) for name in files)
    with ThreadPoolExecutor(2) as pool:
        looked_at = list(pool.map(look_at, names))
    found = {name: known for name, known, _ in looked_at}
    faults = [fault for *_, some in looked_at for fault in some]
    compare_all(found, faults)
    if "--write" in sys.argv:
        with open(table, "w", encoding="ascii") as stream:
            lines = (f"{json.dumps(name)}: {json.dumps(known)}" for name, known in found.items())
            stream.write("{\n" + ",\n".join(lines) + "\n}\n")
    with open(table, encoding="ascii") as stream:
        expected = json.load(stream)
    for name, known in found.items():
        if not alike(expected.get(name), known):
            faults.append(f"{name}: {known}, expected {expected.get(name)}")
    faults += [f"{name} is not there" for name in expected if name not in found]
    for fault in faults:
        print("FAILED:", fault)
    read = sum("blocks" in known for known in found.values())
    print(f"{read} files are read, {len(found) - read} refused")
    sys.exit(1 if faults else 0)


main()
