#!/usr/bin/env python3
"""Compares a converted grid that moves with a file for each step, in karman's own layout, value by value.

    read_converted.py OUT.pvd|OUT.h5|OUT.xdmf FOLDER [loose]

FOLDER has at_N.h5 for step N, whose block, fields and values OUT has as well. VTK's own reader reads OUT.pvd; h5py reads OUT.h5, and the
arrays that OUT.xdmf names. loose: types may differ. Exit status 77: there is no VTK or no h5py.
"""
import pathlib
import sys
import xml.etree.ElementTree

try:
    import h5py
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonDataModel import vtkCompositeDataSet
    from vtkmodules.vtkIOXML import vtkXMLMultiBlockDataReader
except ImportError as error:
    print(f"SKIPPED: {error} (Debian: python3-vtk9, python3-h5py)")
    sys.exit(77)

LOOSE = sys.argv[3:] == ["loose"]


def vtk_steps(path):
    """Steps as VTK reads them: time, and the arrays of each block by name."""
    for data in xml.etree.ElementTree.parse(path).iter("DataSet"):
        reader = vtkXMLMultiBlockDataReader()
        reader.SetFileName(str(path.parent / data.get("file")))
        reader.Update()
        blocks, found = reader.GetOutput(), {}
        for number in range(blocks.GetNumberOfBlocks()):
            grid = blocks.GetBlock(number)
            points = vtk_to_numpy(grid.GetPoints().GetData())
            arrays = {name: points[:, axis] for axis, name in enumerate("xyz")}
            for at in (grid.GetPointData(), grid.GetCellData()):
                arrays |= {at.GetArrayName(n): vtk_to_numpy(at.GetArray(n)) for n in range(at.GetNumberOfArrays())}
            found[blocks.GetMetaData(number).Get(vtkCompositeDataSet.NAME())] = arrays
        yield float(data.get("timestep")), found


def own_steps(path):
    """Steps of karman's own layout: coordinates are those of the last step that has some."""
    with h5py.File(path) as file:
        latest = dict(file["grid"])
        for step in sorted(file["flow"]):
            latest |= dict(file["grids"].get(step, {}))
            found = {name: {**{key: values[...] for key, values in latest[name].items()},
                            **{key: values[...] for key, values in group.items()}}
                     for name, group in file["flow"][step].items()}
            yield file["flow"][step].attrs["time"], found


def item(path, element):
    """The values that a DataItem names."""
    name, place = element.text.strip().split(":")
    with h5py.File(path.parent / name) as file:
        return file[place][...]


def xdmf_steps(path):
    """Steps of XDMF, by the arrays that it names."""
    for step in xml.etree.ElementTree.parse(path).findall("Domain/Grid/Grid"):
        found = {}
        for grid in step.findall("Grid"):
            arrays = dict(zip("xyz", (item(path, one) for one in grid.find("Geometry"))))
            arrays |= {one.get("Name"): item(path, one.find("DataItem")) for one in grid.findall("Attribute")}
            found[grid.get("Name")] = arrays
        yield float(step.find("Time").get("Value")), found


def same(what, values, expected):
    values = values.ravel()
    values = values.astype(expected.dtype) if LOOSE else values
    if values.dtype != expected.dtype or values.tobytes() != expected.tobytes():
        sys.exit(f"FAILED: {what}: {values.dtype} {values[:4]}, expected {expected.dtype} {expected.ravel()[:4]}")
    return 1


def main():
    path, folder, compared, count = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), 0, 0
    steps = {".pvd": vtk_steps, ".h5": own_steps, ".xdmf": xdmf_steps}[path.suffix](path)
    for number, (time, found) in enumerate(steps):
        count += 1
        with h5py.File(folder / f"at_{number}.h5") as file:
            flow = file["flow"][str(number)]
            if sorted(found) != sorted(file["grid"]) or (time != flow.attrs["time"] and not LOOSE):
                sys.exit(f"FAILED: step {number} has blocks {sorted(found)} and the time {time}")
            for name, arrays in found.items():
                expected = {**file["grid"][name], **flow[name]}
                if sorted(arrays) != sorted(expected):
                    sys.exit(f"FAILED: {name} of step {number} has {sorted(arrays)}, expected {sorted(expected)}")
                compared += sum(same(f"{key} of {name} at step {number}", values, expected[key][...])
                                for key, values in arrays.items())
    if count != len(list(folder.glob("at_*.h5"))):
        sys.exit(f"FAILED: {count} steps")
    print(f"{path.name}: {compared} arrays are the same")


main()
