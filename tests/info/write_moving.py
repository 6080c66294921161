#!/usr/bin/env python3
"""Writes a grid that moves, with h5py: as CGNS, as a file a step, and each step alone.

    write_moving.py FOLDER

moving.cgns holds all steps, at_N.cgns step N as a file whose grid is at rest. flow_N.h5 and at_N.h5 are the same in
karman's own layout. paths_rest_N.h5 and paths_move_N.h5 have one flow. Exits with 77 without h5py.
"""
import pathlib
import sys

try:
    import h5py
    import numpy as np
except ImportError:
    print("there is no h5py (Debian: python3-h5py)")
    sys.exit(77)

FOLDER = pathlib.Path(sys.argv[1])
NI, NJ, NK, STEPS = 23, 14, 9, 4
K, J, I = np.meshgrid(np.arange(NK), np.arange(NJ), np.arange(NI), indexing="ij")


def grid(step):
    """A bar that bends and turns about z. The last step has the grid of the one before."""
    angle = 0.3 * min(step, STEPS - 2)
    x, y, z = I / 8 + 40, J / 8 - 1 + angle * (I / 20) ** 2, K / 8 + J / 64
    return [x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle), z]


def fields(step):
    """A ball in the bar, and a flow along it."""
    ball = np.exp(-2 * ((I / 8 - 1 - step / 8) ** 2 + (J / 8 - 0.9) ** 2 + (K / 8 - 0.6) ** 2))
    return {"Density": ball, "VelocityX": 1 + 0 * ball, "VelocityY": 0.2 * J / 8, "VelocityZ": 0.1 * ball}


def node(parent, name, label, values=None):
    """A node of CGNS: a group with its label, and its values as ' data'."""
    group = parent.create_group(name)
    kind = "MT" if values is None else {"f8": "R8", "i4": "I4", "i1": "C1"}[values.dtype.str[1:]]
    for key, text, size in (("name", name, 33), ("label", label, 33), ("type", kind, 3)):
        group.attrs.create(key, np.bytes_(text), dtype=f"S{size}")
    if values is not None:
        group[" data"] = values
    return group


def text(words):
    """Names of 32 characters each."""
    return np.frombuffer("".join(word.ljust(32) for word in words).encode(), "i1")


def write_cgns(name, steps):
    """All these steps; a grid for each that differs, named out of order."""
    with h5py.File(FOLDER / name, "w") as file:
        node(file, "CGNSLibraryVersion", "CGNSLibraryVersion_t", np.array([4.0]))
        base = node(file, "Base", "CGNSBase_t", np.array([3, 3], "i4"))
        data = node(base, "Steps", "BaseIterativeData_t", np.array([len(steps)], "i4"))
        node(data, "TimeValues", "DataArray_t", 0.5 * np.array(steps))
        node(data, "IterationValues", "DataArray_t", np.array(steps, "i4"))
        sizes = np.array([[NI, NJ, NK], [NI - 1, NJ - 1, NK - 1], [0, 0, 0]], "i4")
        zone = node(base, "Bar", "Zone_t", sizes)
        node(zone, "ZoneType", "ZoneType_t", text(["Structured"]))
        grids = {step: "GridCoordinates" if step == steps[0] else f"Coordinates{9 - min(step, STEPS - 2)}"
                 for step in steps}
        for step, its in {its: (step, its) for step, its in grids.items()}.values():
            coordinates = node(zone, its, "GridCoordinates_t")
            for axis, values in zip("XYZ", grid(step)):
                node(coordinates, "Coordinate" + axis, "DataArray_t", values)
        for step in steps:
            solution = node(zone, f"Solution{step}", "FlowSolution_t")
            for field, values in fields(step).items():
                node(solution, field, "DataArray_t", values)
        pointers = node(zone, "Pointers", "ZoneIterativeData_t")
        node(pointers, "FlowSolutionPointers", "DataArray_t", text([f"Solution{step}" for step in steps]))
        node(pointers, "GridCoordinatesPointers", "DataArray_t", text([grids[step] for step in steps]))


def write_own(name, step):
    """karman's own layout, with the grid of the step."""
    with h5py.File(FOLDER / name, "w") as file:
        for axis, values in zip("xyz", grid(step)):
            file[f"grid/Bar/{axis}"] = values
        for field, values in fields(step).items():
            file[f"flow/{step}/Bar/{field.lower().replace('velocity', 'velocity_')}"] = values
        file[f"flow/{step}"].attrs["time"] = 0.5 * step


def write_path(name, step, moves):
    """A flow that is uniform in space and linear in time, in a bar that rests, or bends and turns around it."""
    time = [0.0, 0.5, 1.0, 1.25, 2.0][step]
    k, j, i = (values / values.max() for values in (K, J, I))
    angle = 0.15 * time * moves
    x, y, z = 6 * i - 1, 3 * j - 1, 2 * k - 1
    points = [x * np.cos(angle) - y * np.sin(angle) + angle * j ** 2, x * np.sin(angle) + y * np.cos(angle),
              z + angle * np.sin(3 * i)]
    with h5py.File(FOLDER / name, "w") as file:
        for axis, values, speed in zip("xyz", points, (1 + time, 0.3 * time - 0.1, 0.05)):
            file[f"grid/Bar/{axis}"] = values
            file[f"flow/{step}/Bar/velocity_{axis}"] = speed + 0 * x
        file[f"flow/{step}"].attrs["time"] = time


if __name__ == "__main__":
    for number in range(5):
        write_path(f"paths_rest_{number}.h5", number, False)
        write_path(f"paths_move_{number}.h5", number, True)
    write_cgns("moving.cgns", range(STEPS))
    with h5py.File(FOLDER / "moving.cgns", "r") as whole, h5py.File(FOLDER / "lost.cgns", "w") as lost:
        for key in whole:
            whole.copy(key, lost)
        del lost["Base/Bar/Coordinates8"]
    for number in range(STEPS):
        write_cgns(f"at_{number}.cgns", [number])
        write_own(f"at_{number}.h5", number)
        write_own(f"flow_{number}.h5", number)
