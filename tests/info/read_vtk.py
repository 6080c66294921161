#!/usr/bin/env python3
"""Compares files of VTK that karman wrote with the HDF5 file of the same data, bit by bit.

    read_vtk.py FILE.vtm FILE.h5 STEP       exit status 77: there is no VTK or no h5py

VTK's own reader reads FILE.vtm. STEP: the name of the step in the HDF5 file.
"""
import sys

try:
    import h5py
    import numpy
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonDataModel import vtkCompositeDataSet
    from vtkmodules.vtkIOXML import vtkXMLMultiBlockDataReader
except ImportError as error:
    print(f"SKIPPED: {error} (Debian: python3-vtk9, python3-h5py)")
    sys.exit(77)


def same(what, vtk, h5):
    expected = h5.reshape(vtk.shape)
    if vtk.dtype != expected.dtype or vtk.tobytes() != expected.tobytes():
        sys.exit(f"FAILED: {what}: {vtk.dtype} {vtk.ravel()[:4]}, expected "
                 f"{expected.dtype} {expected.ravel()[:4]}")
    return 1


def compare(grid, block, flow):
    compared = 0
    points = vtk_to_numpy(grid.GetPoints().GetData())
    for axis, name in enumerate("xyz"):
        compared += same(name, points[:, axis], block[name][...])
    arrays = [grid.GetPointData(), grid.GetCellData()]
    for name in ("iblank", "vtkGhostType"):
        if name in block:
            compared += same(name, vtk_to_numpy(arrays[0].GetArray(name)), block[name][...])
            if name == "vtkGhostType" and grid.HasAnyBlankPoints() != bool((block[name][...] == 2).any()):
                sys.exit("FAILED: VTK hides other points")
    for name, values in flow.items():
        found = [a.GetArray(name) for a in arrays if a.HasArray(name)]
        if len(found) != 1:
            sys.exit(f"FAILED: VTK finds '{name}' {len(found)} times")
        compared += same(name, vtk_to_numpy(found[0]), values[...])
    return compared


def main():
    reader = vtkXMLMultiBlockDataReader()
    reader.SetFileName(sys.argv[1])
    reader.Update()
    blocks = reader.GetOutput()
    compared = 0
    with h5py.File(sys.argv[2]) as h5:
        if blocks.GetNumberOfBlocks() != len(h5["grid"]):
            sys.exit(f"FAILED: VTK finds {blocks.GetNumberOfBlocks()} blocks")
        for number in range(blocks.GetNumberOfBlocks()):
            name = blocks.GetMetaData(number).Get(vtkCompositeDataSet.NAME())
            compared += compare(blocks.GetBlock(number), h5["grid"][name], h5["flow"][sys.argv[3]][name])
        step_time = h5["flow"][sys.argv[3]].attrs["time"]
    time = blocks.GetBlock(0).GetFieldData().GetArray("TimeValue").GetValue(0)
    if time != step_time:
        sys.exit(f"FAILED: the time is {time}, expected {step_time}")
    print(f"{compared} arrays are the same")


main()
