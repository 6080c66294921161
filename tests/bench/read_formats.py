#!/usr/bin/env python3
"""Measures how long files of each format take to read, relative to karman's own layout.

    apt-get install python3-h5py                      # on Debian
    read_formats.py --build build/release [--ranks 4] [--rounds 7] [--size 161] [--folder /tmp]

Makes one flow in each format: about four million cells, three coordinates and five fields. Then
`karman info --ranges=all`, which reads all of that, runs on each file in turn. The first round fills
the file cache, and does not count. Prints medians of processor seconds and of wall-clock seconds,
less those of a file of eight cells, and their ratios to karman's own layout of the same precision.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import time

import h5py
import numpy

START = "start of the program"
FIELDS = ["density", "momentum_x", "momentum_y", "momentum_z", "energy"]
SIDS = ["Density", "MomentumX", "MomentumY", "MomentumZ", "EnergyStagnationDensity"]


def make_arrays(size, kind):
    """Coordinates and fields of a bent box, [k][j][i]."""
    k, j, i = numpy.meshgrid(*[numpy.linspace(0, 1, size)] * 3, indexing="ij", sparse=True)
    bend = 0.2 * numpy.sin(3 * i)
    points = [i + 0 * j + 0 * k, j + bend + 0 * k, k + 0.1 * j * i]
    fields = [1 + 0.1 * numpy.sin(9 * i + 7 * j + n * k) for n in range(5)]
    return [numpy.ascontiguousarray(a + numpy.zeros((size,) * 3), dtype=kind) for a in points + fields]


def write_own(path, arrays, **layout):
    with h5py.File(path, "w") as file:
        file.attrs["karman_format"] = 1
        for name, array in zip("xyz", arrays):
            file.create_dataset(f"/grid/block/{name}", data=array, **layout)
        for name, array in zip(FIELDS, arrays[3:]):
            file.create_dataset(f"/flow/0000/block/{name}", data=array, **layout)


def put_node(parent, name, label, data=None, kind="MT"):
    group = parent.create_group(name)
    for key, text, size in (("name", name, 33), ("label", label, 33), ("type", kind, 3)):
        group.attrs.create(key, text.encode(), dtype=f"S{size}")
    if data is not None:
        group.create_dataset(" data", data=data)
    return group


def write_cgns(path, arrays):
    size = arrays[0].shape[0]
    kind = "R8" if arrays[0].dtype == numpy.float64 else "R4"
    with h5py.File(path, "w") as file:
        put_node(file, "CGNSLibraryVersion", "CGNSLibraryVersion_t", numpy.float32([4.2]), "R4")
        base = put_node(file, "Base", "CGNSBase_t", numpy.int32([3, 3]), "I4")
        zone = put_node(base, "Zone", "Zone_t", numpy.int32([[size] * 3, [size - 1] * 3, [0] * 3]), "I4")
        put_node(zone, "ZoneType", "ZoneType_t", numpy.frombuffer(b"Structured", numpy.int8), "C1")
        grid = put_node(zone, "GridCoordinates", "GridCoordinates_t")
        flow = put_node(zone, "FlowSolution", "FlowSolution_t")
        for name, array in zip("XYZ", arrays):
            put_node(grid, "Coordinate" + name, "DataArray_t", array, kind)
        for name, array in zip(SIDS, arrays[3:]):
            put_node(flow, name, "DataArray_t", array, kind)


def write_plot3d(path, arrays, order, mark):
    """Grid and q file; with Fortran's records if `mark` is set."""
    size, real = arrays[0].shape[0], arrays[0].dtype.newbyteorder(order)
    header = numpy.array([size] * 3, dtype=order + "i4")
    reference = numpy.zeros(4, dtype=real)
    for name, records in ((path, [[header], arrays[:3]]),
                          (path.with_suffix(".q"), [[header], [reference], arrays[3:]])):
        with open(name, "wb") as file:
            for record in records:
                length = numpy.array([sum(a.nbytes for a in record)], dtype=order + "i4").tobytes()
                file.write(length if mark else b"")
                for array in record:
                    array.astype(array.dtype.newbyteorder(order)).tofile(file)
                file.write(length if mark else b"")


def write_ensight(path, arrays, order):
    """A case of EnSight Gold in C binary, always float32."""
    def line(text):
        return text.encode().ljust(80)

    size, names = arrays[0].shape[0], ["geo"] + FIELDS
    lines = ("C Binary", "", "", "node id off", "element id off", "part")
    heads = [[line(text) for text in lines], *[[line(""), line("part")]] * 5]
    part = numpy.array([1], dtype=order + "i4").tobytes()
    sizes = numpy.array([size] * 3, dtype=order + "i4").tobytes()
    for name, head, values in zip(names, heads, [arrays[:3]] + [[a] for a in arrays[3:]]):
        with open(path.with_suffix("." + name), "wb") as file:
            file.write(b"".join(head) + part)
            file.write(line("box") + line("block") + sizes if name == "geo" else line("block"))
            for array in values:
                array.astype(order + "f4").tofile(file)
    stem = path.stem
    path.write_text(f"FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: {stem}.geo\nVARIABLE\n" + "".join(
        f"scalar per node: {name} {stem}.{name}\n" for name in FIELDS))


def write_plt(path, arrays):
    """A binary file of Tecplot, version 112."""
    def text(letters):
        return numpy.array([ord(c) for c in letters] + [0], dtype="<i4").tobytes()

    def whole(*numbers):
        return numpy.array(numbers, dtype="<i4").tobytes()

    names, size = ["X", "Y", "Z"] + FIELDS, arrays[0].shape[0]
    zone = numpy.float32(299).tobytes()
    with open(path, "wb") as file:
        file.write(b"#!TDV112" + whole(1, 0) + text("") + whole(len(names)) + b"".join(map(text, names)))
        file.write(zone + text("box") + whole(-1, -1) + numpy.float64(0).tobytes())
        file.write(whole(-1, 0, 0, 0, 0, size, size, size, 0) + numpy.float32(357).tobytes())
        file.write(zone + whole(*[1 if arrays[0].dtype == numpy.float32 else 2] * len(names), 0, 0, -1))
        for array in arrays:
            numpy.array([array.min(), array.max()], dtype="<f8").tofile(file)
        for array in arrays:
            array.tofile(file)


def write_vtk(path, arrays):
    """XML with raw bytes behind it; points have their three coordinates together."""
    kind = "Float32" if arrays[0].dtype == numpy.float32 else "Float64"
    top = arrays[0].shape[0] - 1
    extent = f"0 {top} 0 {top} 0 {top}"
    parts = arrays[3:] + [numpy.stack(arrays[:3], axis=-1)]
    offsets = numpy.cumsum([0] + [a.nbytes + 8 for a in parts])
    fields = "".join(f'<DataArray type="{kind}" Name="{name}" format="appended" offset="{offset}"/>'
                     for name, offset in zip(FIELDS, offsets))
    with open(path, "wb") as file:
        file.write(('<VTKFile type="StructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">'
                    f'<StructuredGrid WholeExtent="{extent}"><Piece Extent="{extent}"><PointData>{fields}</PointData>'
                    f'<Points><DataArray type="{kind}" NumberOfComponents="3" format="appended" '
                    f'offset="{offsets[5]}"/></Points></Piece></StructuredGrid><AppendedData encoding="raw">_').encode())
        for array in parts:
            file.write(numpy.uint64(array.nbytes).tobytes())
            array.tofile(file)
        file.write(b"</AppendedData></VTKFile>")


def write_legacy(path, arrays):
    """VTK's older files: big-endian."""
    size, kind = arrays[0].shape[0], "float" if arrays[0].dtype == numpy.float32 else "double"
    with open(path, "wb") as file:
        file.write(f"# vtk DataFile Version 3.0\na flow\nBINARY\nDATASET STRUCTURED_GRID\nDIMENSIONS {size} {size} "
                   f"{size}\nPOINTS {size ** 3} {kind}\n".encode())
        numpy.stack(arrays[:3], axis=-1).astype(arrays[0].dtype.newbyteorder(">")).tofile(file)
        file.write(f"\nPOINT_DATA {size ** 3}\n".encode())
        for name, array in zip(FIELDS, arrays[3:]):
            file.write(f"SCALARS {name} {kind}\nLOOKUP_TABLE default\n".encode())
            array.astype(array.dtype.newbyteorder(">")).tofile(file)
            file.write(b"\n")


def write_xdmf(path, arrays, heavy):
    """Values in the HDF5 file of karman's layout, or in the PLOT3D files without marks."""
    size, bytes_each = arrays[0].shape[0], arrays[0].dtype.itemsize
    names = [f"/grid/block/{name}" for name in "xyz"] + [f"/flow/0000/block/{name}" for name in FIELDS]
    items = []
    for n, name in enumerate(names):
        begin = 12 + n * arrays[0].nbytes if n < 3 else 12 + 4 * bytes_each + (n - 3) * arrays[0].nbytes
        where = (f'Format="HDF">{heavy}:{name}' if heavy.endswith(".h5") else
                 f'Format="Binary" Seek="{begin}">{heavy + (".xyz" if n < 3 else ".q")}')
        items.append(f'<DataItem Dimensions="{size} {size} {size}" NumberType="Float" Precision="{bytes_each}" '
                     f"{where}</DataItem>")
    fields = "".join(f'<Attribute Name="{name}" Center="Node">{item}</Attribute>'
                     for name, item in zip(FIELDS, items[3:]))
    path.write_text('<Xdmf Version="3.0"><Domain><Grid Name="block"><Topology TopologyType="3DSMesh" '
                    f'Dimensions="{size} {size} {size}"/><Geometry GeometryType="X_Y_Z">{"".join(items[:3])}'
                    f"</Geometry>{fields}</Grid></Domain></Xdmf>")


def write_classic(path, arrays):
    """Classic netCDF with 64-bit data (CDF-5), of the same contents as write_netcdf."""
    def number(value):
        return numpy.array([value], dtype=">i8").tobytes()

    def text(letters):
        return number(len(letters)) + letters.encode() + bytes(-len(letters) % 4)

    size, kind = arrays[0].shape[0], arrays[0].dtype.newbyteorder(">")
    tag = b"\0\0\0" + (b"\5" if kind.itemsize == 4 else b"\6")
    lines = numpy.linspace(0, 1, size)
    variables = [("lon", [1, 2], lines + numpy.zeros((size, 1)), "degrees_east"),
                 ("lat", [1, 2], lines[:, None] + 0.1 * lines, "degrees_north"), ("depth", [0], lines, "m")]
    variables += [(name, [0, 1, 2], array, "1") for name, array in
                  zip(FIELDS + ["salt", "oxygen", "nitrate"], arrays[3:] + arrays[:3])]

    def head(begins):
        out = b"CDF\5" + number(0) + b"\0\0\0\x0a" + number(3)
        out += b"".join(text(name) + number(size) for name in ("depth", "j", "i")) + bytes(4) + number(0)
        out += b"\0\0\0\x0b" + number(len(variables))
        for (name, axes, values, unit), begin in zip(variables, begins):
            out += text(name) + number(len(axes)) + b"".join(map(number, axes))
            out += b"\0\0\0\x0c" + number(1) + text("units") + b"\0\0\0\2" + text(unit)
            out += tag + number(values.size * kind.itemsize) + number(begin)
        return out

    sizes = [values.size * kind.itemsize for _, _, values, _ in variables]
    start = len(head([0] * len(variables)))
    with open(path, "wb") as file:
        file.write(head(start + numpy.cumsum([0] + sizes[:-1])))
        for _, _, values, _ in variables:
            values.astype(kind).tofile(file)


def write_other(path, arrays):
    """HDF5 in no known layout."""
    with h5py.File(path, "w") as file:
        for name, array in zip("xyz", arrays):
            file["/mesh/coordinates/" + name] = array
        for name, array in zip(FIELDS, arrays[3:]):
            file["/solution/" + name] = array


def write_netcdf(path, arrays):
    """Longitude and latitude as planes, depth as a list; eight fields, so as many bytes."""
    size = arrays[0].shape[0]
    lines = numpy.linspace(0, 1, size)
    coordinates = {"lon": (lines + numpy.zeros((size, 1)), "degrees_east"),
                   "lat": (lines[:, None] + 0.1 * lines, "degrees_north"), "depth": (lines, "m")}
    with h5py.File(path, "w") as file:
        file.attrs["_NCProperties"] = "version=2"
        for name, (values, unit) in coordinates.items():
            file[name] = values.astype(arrays[0].dtype)
            file[name].attrs["units"] = unit
        for name, array in zip(FIELDS + ["salt", "oxygen", "nitrate"], arrays[3:] + arrays[:3]):
            file[name] = array


def make_files(folder, size):
    """Paths by name, and the name of the file that each is compared with."""
    files = {START: (folder / "start.h5", START)}
    write_own(files[START][0], make_arrays(3, "float32"))
    for bits in (32, 64):
        arrays = make_arrays(size, f"float{bits}")
        own = f"own layout, float{bits}"
        files[own] = (folder / f"own{bits}.h5", own)
        write_own(files[own][0], arrays)
        files[f"own layout in chunks of 32³, float{bits}"] = (folder / f"chunks{bits}.h5", own)
        write_own(folder / f"chunks{bits}.h5", arrays, chunks=(32, 32, 32))
        files[f"CGNS, float{bits}"] = (folder / f"wing{bits}.cgns", own)
        write_cgns(folder / f"wing{bits}.cgns", arrays)
        files[f"HDF5 of another layout, float{bits}"] = (folder / f"other{bits}.h5", own)
        write_other(folder / f"other{bits}.h5", arrays)
        files[f"netCDF-4, float{bits}"] = (folder / f"ocean{bits}.nc", own)
        write_netcdf(folder / f"ocean{bits}.nc", arrays)
        files[f"PLOT3D, float{bits}"] = (folder / f"plain{bits}.xyz", own)
        write_plot3d(folder / f"plain{bits}.xyz", arrays, "<", False)
        files[f"PLOT3D, float{bits}, big-endian, Fortran"] = (folder / f"fortran{bits}.xyz", own)
        write_plot3d(folder / f"fortran{bits}.xyz", arrays, ">", True)
        files[f"netCDF, classic, float{bits}"] = (folder / f"classic{bits}.nc", own)
        write_classic(folder / f"classic{bits}.nc", arrays)
        files[f"VTK, XML, raw, float{bits}"] = (folder / f"box{bits}.vts", own)
        write_vtk(folder / f"box{bits}.vts", arrays)
        files[f"VTK, legacy, float{bits}"] = (folder / f"box{bits}.vtk", own)
        write_legacy(folder / f"box{bits}.vtk", arrays)
        files[f"XDMF, values in HDF5, float{bits}"] = (folder / f"heavy{bits}.xdmf", own)
        write_xdmf(folder / f"heavy{bits}.xdmf", arrays, f"own{bits}.h5")
        files[f"XDMF, values in binary, float{bits}"] = (folder / f"binary{bits}.xdmf", own)
        write_xdmf(folder / f"binary{bits}.xdmf", arrays, f"plain{bits}")
        files[f"Tecplot, float{bits}"] = (folder / f"box{bits}.plt", own)
        write_plt(folder / f"box{bits}.plt", arrays)
        if bits == 32:
            for order in "<>":
                name = "big" if order == ">" else "little"
                files[f"EnSight, C binary, {name}-endian"] = (folder / f"{name}.case", own)
                write_ensight(folder / f"{name}.case", arrays, order)
    return files


def measure(karman, ranks, path):
    """Processor seconds of all ranks, and wall-clock seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    subprocess.run(["mpiexec.mpich", "-n", str(ranks), karman, "info", "--ranges=all", str(path)], check=True,
                   stdout=subprocess.DEVNULL)
    wall = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--size", type=int, default=161, help="vertices along each axis")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp"))
    options = parser.parse_args()
    os.environ.update(OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive", UCX_TLS="posix,self",
                      LD_PRELOAD=str(options.build.resolve() / "libkarman-yield.so"))
    folder = options.folder / "read_formats"
    folder.mkdir(exist_ok=True)
    files = make_files(folder, options.size)
    seconds = {name: [] for name in files}
    for number in range(options.rounds + 1):
        for name, (path, _) in files.items():
            both = measure(options.build / "karman", options.ranks, path)
            seconds[name] += [both] if number > 0 else []
    median = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in seconds.items()}
    start = median.pop(START)
    median = {name: [value - first for value, first in zip(both, start)] for name, both in median.items()}
    print(f"start: {start[0]:.2f} processor s, {start[1]:.2f} wall s\n")
    print("| file | processor s | wall s | ratio |\n|---|---|---|---|")
    for name in median:
        own = files[name][1]
        cpu, wall = median[name]
        print(f"| {name} | {cpu:.2f} | {wall:.2f} | {cpu / median[own][0]:.2f}, {wall / median[own][1]:.2f} |")


if __name__ == "__main__":
    main()
