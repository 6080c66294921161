#!/usr/bin/env python3
"""Writes a grid whose blocks move, change their size, come and go, with h5py, in several formats.

    write_sizes.py FOLDER

at_N.h5 is step N alone, in karman's own layout. flow_N.h5 is the same as a series, and flow_N.cgns; flow.xdmf, flow.pvd, flow.case and
flow.dat hold all steps. Exits with 77 without h5py.
"""
import pathlib
import sys

try:
    import h5py
    import numpy as np
    from write_moving import node, text
except ImportError:
    print("there is no h5py (Debian: python3-h5py)")
    sys.exit(77)

FOLDER = pathlib.Path(sys.argv[1])
TIMES = [0.0, 0.5, 1.25, 2.0]


def block(n, lo, size, angle):
    """A bar of n cells along each axis, that bends and turns about z. float32, so that all formats hold the same."""
    k, j, i = np.meshgrid(*(np.linspace(0, 1, n[axis] + 1) for axis in (2, 1, 0)), indexing="ij")
    x, y, z = (lo[axis] + size[axis] * at for axis, at in enumerate((i, j, k)))
    y = y + angle * i ** 2
    points = [x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle), z + y / 8]
    return [values.astype("f4") for values in points]


def blocks(step):
    """The blocks of a step: Still rests, Bar turns and changes its size, Guest is there at steps 1 and 2."""
    angle = [0.0, 0.3, 0.3, 0.5][step]
    cells = [(22, 13, 8), (22, 13, 8), (30, 9, 12), (18, 13, 8)][step]
    out = {"Bar": block(cells, (0, 0, 0), (2.75, 1.6, 1.0), angle)}
    if step in (1, 2):
        out["Guest"] = block((9, 8, 7), (3.2, -1.2 + 0.2 * step, 0), (1.0, 0.9, 0.8), 0.1)
    out["Still"] = block((17, 12, 6), (0, -2.2, 0), (2.5, 1.4, 0.9), 0)
    return out


def fields(points, step):
    """A ball, and a flow along x."""
    x, y, z = points
    ball = np.exp(-1.5 * ((x - 1.2 - step / 6) ** 2 + (y - 0.1) ** 2 + (z - 0.6) ** 2))
    values = {"density": ball, "velocity_x": 1 + 0 * ball, "velocity_y": 0.2 * y, "velocity_z": 0.1 * ball}
    return {name: value.astype("f4") for name, value in values.items()}


def write_own(name, step):
    """karman's own layout, with the grid of the step."""
    with h5py.File(FOLDER / name, "w") as file:
        for key, points in blocks(step).items():
            for axis, values in zip("xyz", points):
                file[f"grid/{key}/{axis}"] = values
            for field, values in fields(points, step).items():
                file[f"flow/{step}/{key}/{field}"] = values
        file[f"flow/{step}"].attrs["time"] = TIMES[step]


def write_xdmf(name):
    """A spatial collection a step; Still has one geometry, in the file of the first step."""
    out = ['<Xdmf Version="3.0"><Domain><Grid GridType="Collection" CollectionType="Temporal">']
    for step, time in enumerate(TIMES):
        out.append(f'<Grid Name="{step}" GridType="Collection" CollectionType="Spatial"><Time Value="{time}"/>')
        for key, points in blocks(step).items():
            size = " ".join(map(str, points[0].shape))
            item = f'<DataItem Format="HDF" NumberType="Float" Precision="4" Dimensions="{size}">'
            grid = 0 if key == "Still" else step
            out.append(f'<Grid Name="{key}"><Topology TopologyType="3DSMesh" Dimensions="{size}"/><Geometry '
                       'GeometryType="X_Y_Z">')
            out += [f"{item}flow_{grid}.h5:/grid/{key}/{axis}</DataItem>" for axis in "xyz"]
            out.append("</Geometry>")
            out += [f'<Attribute Name="{field}" Center="Node">{item}flow_{step}.h5:/flow/{step}/{key}/{field}'
                    "</DataItem></Attribute>" for field in fields(points, step)]
            out.append("</Grid>")
        out.append("</Grid>")
    out.append("</Grid></Domain></Xdmf>")
    (FOLDER / name).write_text("\n".join(out))


def numbers(values):
    """Text that gives the same float32 again."""
    return " ".join(f"{value:.9g}" for value in np.ravel(values))


def write_vts(name, points, values):
    """A structured grid in text."""
    extent = " ".join(f"0 {n - 1}" for n in reversed(points[0].shape))
    array = '<DataArray type="Float32" Name="{}" NumberOfComponents="{}" format="ascii">{}</DataArray>'
    out = [f'<VTKFile type="StructuredGrid" version="0.1"><StructuredGrid WholeExtent="{extent}"><Piece '
           f'Extent="{extent}"><Points>', array.format("Points", 3, numbers(np.stack(points, -1))),
           "</Points><PointData>"]
    out += [array.format(field, 1, numbers(its)) for field, its in values.items()]
    out.append("</PointData></Piece></StructuredGrid></VTKFile>")
    (FOLDER / name).write_text("\n".join(out))


def write_pvd(name):
    """A .vtm of .vts files for each step."""
    out = ['<VTKFile type="Collection" version="0.1"><Collection>']
    for step, time in enumerate(TIMES):
        parts = ['<VTKFile type="vtkMultiBlockDataSet" version="1.0"><vtkMultiBlockDataSet>']
        for number, (key, points) in enumerate(blocks(step).items()):
            write_vts(f"{key}_{step}.vts", points, fields(points, step))
            parts.append(f'<DataSet index="{number}" name="{key}" file="{key}_{step}.vts"/>')
        parts.append("</vtkMultiBlockDataSet></VTKFile>")
        (FOLDER / f"step_{step}.vtm").write_text("\n".join(parts))
        out.append(f'<DataSet timestep="{time}" file="step_{step}.vtm"/>')
    out.append("</Collection></VTKFile>")
    (FOLDER / name).write_text("\n".join(out))


def write_ensight(name):
    """A geometry a step, in C binary. A part keeps its number."""
    def line_of(words):
        return words.encode().ljust(80)

    ids = {"Bar": 1, "Guest": 2, "Still": 3}
    names = list(fields(blocks(0)["Bar"], 0))
    for step in range(len(TIMES)):
        geometry = line_of("C Binary") + line_of("a") + line_of("b") + line_of("node id off") + line_of("element id off")
        variables = {field: line_of(field) for field in names}
        for key, points in blocks(step).items():
            head = line_of("part") + np.array([ids[key]], "i4").tobytes()
            geometry += head + line_of(key) + line_of("block") + np.array(points[0].shape[::-1], "i4").tobytes()
            geometry += b"".join(values.tobytes() for values in points)
            for field, values in fields(points, step).items():
                variables[field] += head + line_of("block") + values.tobytes()
        (FOLDER / f"geo.{step}").write_bytes(geometry)
        for field, data in variables.items():
            (FOLDER / f"{field}.{step}").write_bytes(data)
    lines = ["FORMAT", "type: ensight gold", "GEOMETRY", "model: 1 geo.*", "VARIABLE"]
    lines += [f"scalar per node: 1 {field} {field}.*" for field in names]
    lines += ["TIME", "time set: 1", f"number of steps: {len(TIMES)}", "filename start number: 0",
              "filename increment: 1", "time values: " + " ".join(map(str, TIMES))]
    (FOLDER / name).write_text("\n".join(lines) + "\n")


def write_tecplot(name):
    """A strand for each block."""
    strands = {"Bar": 1, "Guest": 2, "Still": 3}
    names = ["X", "Y", "Z"] + list(fields(blocks(0)["Bar"], 0))
    out = ["VARIABLES = " + " ".join(f'"{field}"' for field in names)]
    for step, time in enumerate(TIMES):
        for key, points in blocks(step).items():
            nk, nj, ni = points[0].shape
            out.append(f'ZONE T="{key}", I={ni}, J={nj}, K={nk}, DATAPACKING=BLOCK, STRANDID={strands[key]}, '
                       f"SOLUTIONTIME={time}")
            for values in points + list(fields(points, step).values()):
                out += [numbers(part) for part in np.array_split(np.ravel(values), values.size // 8 + 1)]
    (FOLDER / name).write_text("\n".join(out) + "\n")


def write_cgns(name, step):
    """A zone for each block."""
    with h5py.File(FOLDER / name, "w") as file:
        node(file, "CGNSLibraryVersion", "CGNSLibraryVersion_t", np.array([4.0]))
        base = node(file, "Base", "CGNSBase_t", np.array([3, 3], "i4"))
        for key, points in blocks(step).items():
            n = np.array(points[0].shape[::-1])
            zone = node(base, key, "Zone_t", np.array([n, n - 1, 0 * n], "i4"))
            node(zone, "ZoneType", "ZoneType_t", text(["Structured"]))
            coordinates = node(zone, "GridCoordinates", "GridCoordinates_t")
            for axis, values in zip("XYZ", points):
                node(coordinates, "Coordinate" + axis, "DataArray_t", values.astype("f8"))
            solution = node(zone, "Solution", "FlowSolution_t")
            for field, values in fields(points, step).items():
                node(solution, field, "DataArray_t", values.astype("f8"))


ZONES = [["Bar_a", "Still"], ["Bar_a", "Guest", "Still"], ["Bar_b", "Guest", "Still"], ["Bar_c", "Still"]]


def write_zones(name, width):
    """Zones that ZonePointers name for each step: another one for each size of the bar, which turns by its grids. Guest has a wall of a family.
    zones/at_N.h5 is step N alone."""
    (FOLDER / "zones").mkdir(exist_ok=True)
    seen = {}
    for step, names in enumerate(ZONES):
        own = blocks(step)
        with h5py.File(FOLDER / f"zones/at_{step}.h5", "w") as file:
            for key in names:
                points = own[key.split("_")[0]]
                seen.setdefault(key, {})[step] = points
                for axis, values in zip("xyz", points):
                    file[f"grid/{key}/{axis}"] = values.astype("f8")
                if key == "Guest":
                    iblank = np.ones(points[0].shape, "i4")
                    iblank[0] = 2
                    file[f"grid/{key}/iblank"], file[f"grid/{key}/vtkGhostType"] = iblank, np.zeros(iblank.shape, "u1")
                for field, values in fields(points, step).items():
                    file[f"flow/{step}/{key}/{field}"] = values.astype("f8")
            file[f"flow/{step}"].attrs["time"] = TIMES[step]
    with h5py.File(FOLDER / name, "w") as file:
        node(file, "CGNSLibraryVersion", "CGNSLibraryVersion_t", np.array([4.0]))
        base = node(file, "Base", "CGNSBase_t", np.array([3, 3], "i4"))
        node(node(base, "Blade", "Family_t"), "FamBC", "FamilyBC_t", np.frombuffer(b"BCWall", "i1"))
        data = node(base, "Steps", "BaseIterativeData_t", np.array([len(TIMES)], "i4"))
        node(data, "TimeValues", "DataArray_t", np.array(TIMES))
        node(data, "IterationValues", "DataArray_t", np.arange(len(TIMES), dtype="i4"))
        node(data, "NumberOfZones", "DataArray_t", np.array([len(names) for names in ZONES], "i4"))
        padded = [names + ["Null"] * (3 - len(names)) for names in ZONES]
        words = "".join(word.ljust(width) for names in padded for word in names)
        node(data, "ZonePointers", "DataArray_t", np.frombuffer(words.encode(), "i1").reshape(len(ZONES), 3, width))
        for key, steps in seen.items():
            n = np.array(next(iter(steps.values()))[0].shape[::-1])
            zone = node(base, key, "Zone_t", np.array([n, n - 1, 0 * n], "i4"))
            node(zone, "ZoneType", "ZoneType_t", text(["Structured"]))
            pointers = node(zone, "Pointers", "ZoneIterativeData_t")
            grids = ["Null"] * len(TIMES)
            for step, points in steps.items():
                grids[step] = "Rest" if key == "Still" else f"Grid{step}"
                if grids[step] not in zone:
                    coordinates = node(zone, grids[step], "GridCoordinates_t")
                    for axis, values in zip("XYZ", points):
                        node(coordinates, "Coordinate" + axis, "DataArray_t", values.astype("f8"))
                solution = node(zone, f"Solution{step}", "FlowSolution_t")
                for field, values in fields(points, step).items():
                    node(solution, field, "DataArray_t", values.astype("f8"))
            if key != "Bar_c":
                node(pointers, "GridCoordinatesPointers", "DataArray_t", text(grids))
            node(pointers, "FlowSolutionPointers", "DataArray_t",
                 text([f"Solution{step}" if step in steps else "Null" for step in range(len(TIMES))]))
            if key == "Guest":
                bc = node(node(zone, "ZoneBC", "ZoneBC_t"), "side", "BC_t", np.frombuffer(b"FamilySpecified", "i1"))
                node(bc, "PointRange", "IndexRange_t", np.array([[1, 1, 1], [n[0], n[1], 1]], "i4"))
                node(bc, "FamilyName", "FamilyName_t", np.frombuffer(b"Blade", "i1"))


if __name__ == "__main__":
    write_zones("zones/zones.cgns", 65)
    write_zones("zones/narrow.cgns", 32)
    for number in range(len(TIMES)):
        write_cgns(f"flow_{number}.cgns", number)
        write_own(f"at_{number}.h5", number)
        write_own(f"flow_{number}.h5", number)
    write_xdmf("flow.xdmf")
    write_pvd("flow.pvd")
    write_ensight("flow.case")
    write_tecplot("flow.dat")
