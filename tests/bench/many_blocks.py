#!/usr/bin/env python3
"""Measures how long files of many small blocks take to open, for each format.

    apt-get install python3-h5py                      # on Debian
    many_blocks.py --karman build/release/karman [--blocks 25000] [--size 5] [--folder /tmp] [--command info]

Writes one grid of equal blocks, with a field, in each format, and runs `karman info`, or another command, on
each file. Prints processor seconds and wall-clock seconds. With --check it compares what `karman info` finds
with what was written, and ends with 1 if they differ, or 77 without h5py.
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

try:
    import h5py
    import numpy
    from read_formats import put_node
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

SIDE = 32  # blocks along x and along y


def make_blocks(count, size):
    """x, y, z and a field of each block, [k][j][i]."""
    k, j, i = numpy.meshgrid(*[numpy.linspace(0, 1, size, dtype="float32")] * 3, indexing="ij")
    for n in range(count):
        at = (n % SIDE, n // SIDE % SIDE, n // SIDE // SIDE)
        x, y, z = i + at[0], j + at[1], k + at[2]
        yield n, (x, y, z, numpy.sin(0.3 * x + 0.2 * y + 0.1 * z))


def write_own(path, options):
    with h5py.File(path, "w", libver="latest") as file:
        file.attrs["karman_format"] = 1
        for n, arrays in make_blocks(options.blocks, options.size):
            for name, array in zip("xyz", arrays):
                file[f"/grid/b{n:06d}/{name}"] = array
            file[f"/flow/0000/b{n:06d}/density"] = arrays[3]


def write_cgns(path, options):
    cells = options.size - 1
    with h5py.File(path, "w", libver="latest") as file:
        put_node(file, "CGNSLibraryVersion", "CGNSLibraryVersion_t", numpy.float32([4.2]), "R4")
        base = put_node(file, "Base", "CGNSBase_t", numpy.int32([3, 3]), "I4")
        for n, arrays in make_blocks(options.blocks, options.size):
            sizes = numpy.int32([[options.size] * 3, [cells] * 3, [0] * 3])
            zone = put_node(base, f"Zone{n:06d}", "Zone_t", sizes, "I4")
            put_node(zone, "ZoneType", "ZoneType_t", numpy.frombuffer(b"Structured", numpy.int8), "C1")
            grid = put_node(zone, "GridCoordinates", "GridCoordinates_t")
            flow = put_node(zone, "FlowSolution", "FlowSolution_t")
            for name, array in zip("XYZ", arrays):
                put_node(grid, "Coordinate" + name, "DataArray_t", array, "R4")
            put_node(flow, "Density", "DataArray_t", arrays[3], "R4")


def write_plot3d(path, options):
    sizes = numpy.int32([options.blocks] + 3 * options.blocks * [options.size])
    with open(path, "wb") as grid, open(path.with_suffix(".f"), "wb") as flow:
        sizes.tofile(grid)
        numpy.int32([options.blocks] + options.blocks * (3 * [options.size] + [1])).tofile(flow)
        for _, arrays in make_blocks(options.blocks, options.size):
            for array in arrays[:3]:
                array.tofile(grid)
            arrays[3].tofile(flow)


def write_vtm(path, options):
    top = options.size - 1
    extent = f"0 {top} 0 {top} 0 {top}"
    folder = path.with_suffix("")
    folder.mkdir(exist_ok=True)
    with open(path, "w") as file:
        file.write('<VTKFile type="vtkMultiBlockDataSet" version="1.0"><vtkMultiBlockDataSet>\n')
        for n, arrays in make_blocks(options.blocks, options.size):
            file.write(f'<DataSet index="{n}" name="b{n}" file="{path.stem}/b{n}.vts"/>\n')
            points = numpy.stack(arrays[:3], axis=-1)
            head = ('<VTKFile type="StructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt32">'
                    f'<StructuredGrid WholeExtent="{extent}"><Piece Extent="{extent}"><PointData>'
                    '<DataArray type="Float32" Name="density" format="appended" offset="0"/></PointData>'
                    '<Points><DataArray type="Float32" NumberOfComponents="3" format="appended" '
                    f'offset="{arrays[3].nbytes + 4}"/></Points></Piece></StructuredGrid>'
                    '<AppendedData encoding="raw">_')
            data = b"".join(numpy.uint32(a.nbytes).tobytes() + a.tobytes() for a in (arrays[3], points))
            (folder / f"b{n}.vts").write_bytes(head.encode() + data + b"</AppendedData></VTKFile>")
        file.write("</vtkMultiBlockDataSet></VTKFile>\n")


def write_xdmf(path, options, own=None):
    """Values in the HDF5 file of karman's layout, if one is given; else in a binary file."""
    shape = " ".join(3 * [str(options.size)])
    count = options.size ** 3
    with open(path, "w") as file, open(path.with_suffix(".bin"), "wb") as values:
        file.write('<Xdmf Version="3.0"><Domain><Grid GridType="Collection" CollectionType="Spatial">\n')
        for n, arrays in make_blocks(options.blocks, options.size):
            items = []
            for m, array in enumerate(arrays):
                where = f'Format="Binary" Seek="{16 * count * n + 4 * count * m}">{path.stem}.bin'
                if own:
                    name = f"/grid/b{n:06d}/{'xyz'[m]}" if m < 3 else f"/flow/0000/b{n:06d}/density"
                    where = f'Format="HDF">{own.name}:{name}'
                else:
                    array.tofile(values)
                items.append(f'<DataItem Dimensions="{shape}" NumberType="Float" Precision="4" {where}</DataItem>')
            file.write(f'<Grid Name="b{n}"><Topology TopologyType="3DSMesh" Dimensions="{shape}"/>'
                       f'<Geometry GeometryType="X_Y_Z">{"".join(items[:3])}</Geometry>'
                       f'<Attribute Name="density" Center="Node">{items[3]}</Attribute></Grid>\n')
        file.write("</Grid></Domain></Xdmf>\n")


def write_tecplot(path, options):
    n = options.size
    with open(path, "w") as file:
        file.write('VARIABLES = "X" "Y" "Z" "density"\n')
        for block, arrays in make_blocks(options.blocks, n):
            file.write(f'ZONE T="b{block}", I={n}, J={n}, K={n}, F=BLOCK\n')
            for array in arrays:
                array.tofile(file, " ", "%.5g")
                file.write("\n")


def write_plt(path, options):
    def text(letters):
        return numpy.array([ord(c) for c in letters] + [0], dtype="<i4").tobytes()

    def whole(*numbers):
        return numpy.array(numbers, dtype="<i4").tobytes()

    names, size = ["X", "Y", "Z", "density"], options.size
    zone = numpy.float32(299).tobytes()
    with open(path, "wb") as file:
        file.write(b"#!TDV112" + whole(1, 0) + text("") + whole(len(names)) + b"".join(map(text, names)))
        for n in range(options.blocks):
            file.write(zone + text(f"b{n}") + whole(-1, -1) + numpy.float64(0).tobytes())
            file.write(whole(-1, 0, 0, 0, 0, size, size, size, 0))
        file.write(numpy.float32(357).tobytes())
        for _, arrays in make_blocks(options.blocks, size):
            file.write(zone + whole(*[1] * len(names), 0, 0, -1))
            for array in arrays:
                numpy.array([array.min(), array.max()], dtype="<f8").tofile(file)
            for array in arrays:
                array.tofile(file)


def write_ensight(path, options):
    def line(text):
        return text.encode().ljust(80)

    sizes = numpy.int32(3 * [options.size]).tobytes()
    with open(path.with_suffix(".geo"), "wb") as grid, open(path.with_suffix(".density"), "wb") as flow:
        grid.write(b"".join(map(line, ("C Binary", "", "", "node id off", "element id off"))))
        flow.write(line(""))
        for n, arrays in make_blocks(options.blocks, options.size):
            part = line("part") + numpy.int32([n + 1]).tobytes()
            grid.write(part + line(f"b{n}") + line("block") + sizes)
            flow.write(part + line("block"))
            for array in arrays[:3]:
                array.tofile(grid)
            arrays[3].tofile(flow)
    path.write_text(f"FORMAT\ntype: ensight gold\nGEOMETRY\nmodel: {path.stem}.geo\nVARIABLE\n"
                    f"scalar per node: density {path.stem}.density\n")


def make_files(folder, options):
    """Paths by names of formats."""
    own = folder / "own.h5"
    files = {"karman's layout": (own, write_own), "CGNS": (folder / "blocks.cgns", write_cgns),
             "PLOT3D": (folder / "blocks.xyz", write_plot3d), "VTK, a file each": (folder / "blocks.vtm", write_vtm),
             "XDMF, values in HDF5": (folder / "heavy.xdmf", lambda path, options: write_xdmf(path, options, own)),
             "XDMF, values in binary": (folder / "binary.xdmf", write_xdmf),
             "Tecplot, text": (folder / "blocks.tec", write_tecplot), "Tecplot, binary": (folder / "blocks.plt", write_plt),
             "EnSight": (folder / "blocks.case", write_ensight)}
    for path, write in files.values():
        if not path.exists():
            write(path, options)
    return {name: path for name, (path, _) in files.items()}


def measure(command, ranks, seconds):
    """Processor seconds of all ranks, and wall-clock seconds; None: it failed, or took too long."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.monotonic()
    try:
        subprocess.run(["mpiexec.mpich", "-n", str(ranks)] + command, check=True, timeout=seconds,
                       stdout=subprocess.DEVNULL)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        print(error)
        return None
    wall = time.monotonic() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def check(options, folder):
    """How many files are read as something else."""
    values = numpy.concatenate([numpy.reshape(arrays, (4, -1)) for _, arrays in
                                make_blocks(options.blocks, options.size)], axis=1)
    low, high = values.min(axis=1), values.max(axis=1)
    failures = 0
    for name, path in make_files(folder, options).items():
        said = subprocess.run([str(options.karman), "info", "--json", str(path)], check=False, stdout=subprocess.PIPE)
        found = json.loads(said.stdout or "{}")
        good = (len({block["name"] for block in found.get("blocks", [])}) == options.blocks
                and all(block["vertices"] == 3 * [options.size] for block in found["blocks"])
                and numpy.allclose(found["bounds"], [low[:3], high[:3]], atol=1e-5)
                and numpy.allclose(found["fields"][0]["range"], [low[3], high[3]], atol=1e-4))
        if not good:
            print(f"FAILED: {name} is read as {found.get('bounds')}, {found.get('fields')}")
        failures += not good
    return min(failures, 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--karman", type=pathlib.Path, required=True)
    parser.add_argument("--blocks", type=int, default=25000)
    parser.add_argument("--size", type=int, default=5, help="vertices along each axis")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("/tmp"))
    parser.add_argument("--command", default="info", help="and options, before the file")
    parser.add_argument("--only", default="", help="formats whose names have this word")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each file")
    parser.add_argument("--check", action="store_true", help="compare with what was written")
    options = parser.parse_args()
    os.environ.update(OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive", UCX_TLS="posix,self",
                      LD_PRELOAD=str(options.karman.resolve().parent / "libkarman-yield.so"))
    folder = options.folder / f"many_blocks_{options.blocks}_{options.size}"
    folder.mkdir(exist_ok=True)
    if options.check:
        sys.exit(check(options, folder))
    print("| file | processor s | wall s |\n|---|---|---|")
    for name, path in make_files(folder, options).items():
        if options.only in name:
            command = [str(options.karman)] + options.command.split() + [str(path)]
            both = measure(command, options.ranks, options.limit)
            print(f"| {name} | {both[0]:.2f} | {both[1]:.2f} |" if both else f"| {name} | – | – |", flush=True)


if __name__ == "__main__":
    main()
