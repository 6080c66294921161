#!/usr/bin/env python3
"""Writes the same flow in many layouts of HDF5 and netCDF-4, with h5py.

    write_layouts.py FOLDER

own.h5 has karman's own layout; the others hold the same numbers. Exits with 77 without h5py.
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
NI, NJ, NK, STEPS = 25, 15, 11, 3
K, J, I = np.meshgrid(np.arange(NK), np.arange(NJ), np.arange(NI), indexing="ij")
# Coordinates and fields are exact in float32.
CURVED = (I / 8 + J / 64, J / 8 + I / 128, K / 8 + I / 256)
STRAIGHT = (I / 8, J / 8, K / 8)
ZONES = {"1": (0, 9), "2": (8, 18), "10": (17, 25)}


def flow(step):
    """The field at a step: a ball that moves along x."""
    ball = np.exp(-2 * ((I / 8 - 1 - step / 4) ** 2 + (J / 8 - 0.9) ** 2 + (K / 8 - 0.6) ** 2))
    return ball.astype("f4")


def create(name, grid=CURVED, names="xyz"):
    """A file with coordinates; no grid: none."""
    file = h5py.File(FOLDER / name, "w", libver="latest" if name == "virtual.h5" else "earliest")
    for path, values in zip(names, grid or ()):
        file[path] = values.astype("f4")
    return file


def write_own():
    """karman's own layout: all steps, one step a file, and a grid alone."""
    paths = ["grid/b/x", "grid/b/y", "grid/b/z"]
    for name, steps in [("own.h5", range(STEPS)), ("mesh.h5", [])] + [
            (f"flow_{10 * n + 5:05d}.h5", [n]) for n in range(STEPS)]:
        with create(name, CURVED, paths) as file:
            for step in steps:
                file[f"flow/{step}/b/u"] = flow(step)
                file[f"flow/{step}"].attrs["time"] = 0.5 * step


def write_axes():
    """Steps as an axis, components first and last, Fortran's order."""
    with create("axes.h5") as file:
        steps = np.stack([flow(step) for step in range(STEPS)])
        file["xyz"] = np.stack(CURVED).astype("f4")
        file["u"] = steps
        file["time"] = 0.5 * np.arange(STEPS)
        file["few"] = 0.5 * np.arange(STEPS - 1)
        file["first"] = np.stack([steps * 0, steps], axis=1)
        file["last"] = np.stack([steps * 0, steps], axis=-1)
        file["v"] = np.stack([flow(0), flow(1), flow(2)])
    with create("fortran.h5", [values.T for values in CURVED]) as file:
        for step in range(STEPS):
            file[f"t{step}/u"] = flow(step).T


def write_flat():
    """Coordinates of one and two axes, beside the same ones of three."""
    with create("flat.h5", STRAIGHT, ["whole/x", "whole/y", "whole/z"]) as file:
        file["x"], file["y"], file["z"] = np.arange(NI) / 8, np.arange(NJ) / 8, np.arange(NK) / 8
        file["x2"], file["y2"] = STRAIGHT[0][0], STRAIGHT[1][0]
        file["depth"] = -np.arange(NK) / 8
        file["depth"].attrs["positive"] = "down"
        file["u"] = flow(1)
    with create("turned.h5", None) as file:
        file["x"], file["y"], file["z"] = np.arange(NI) / 8, np.arange(NJ) / 8, np.arange(NK) / 8
        file["u"] = flow(1).T


def write_zones():
    """Three zones along i that share planes."""
    with create("zones.h5", None) as file:
        for zone, (low, high) in ZONES.items():
            for name, values in zip("xyz", CURVED):
                file[f"zone{zone}/{name}"] = values[:, :, low:high].astype("f4")
            for step in range(STEPS):
                file[f"zone{zone}/t{step:03d}/u"] = flow(step)[:, :, low:high]
                file[f"out{step:03d}/zone{zone}"] = flow(step)[:, :, low:high]


def write_series():
    """A file a step, without and with the grid; one of another shape; virtual data sets."""
    (FOLDER / "whole").mkdir(exist_ok=True)
    (FOLDER / "mixed").mkdir(exist_ok=True)
    for step in range(STEPS):
        with create(f"values_{step:03d}.h5", None) as file:
            file["u"], file["time"] = flow(step), 0.5 * step
        with create(f"whole/w{step}.h5") as file:
            file["u"], file.attrs["time"] = flow(step), 0.5 * step
        with create(f"bad_{step}.h5", [values[step // 2:] for values in CURVED]) as file:
            file["u"] = flow(step)[step // 2:]
    (FOLDER / "whole/notes.txt").write_text("These are notes.\n", encoding="ascii")
    for name in "ab":
        create(f"mixed/{name}1.h5").close()
    for name, source in (("virtual", "values"), ("gone", "gone")):
        layout = h5py.VirtualLayout(shape=(STEPS, NK, NJ, NI), dtype="f4")
        for step in range(STEPS):
            layout[step] = h5py.VirtualSource(f"{source}_{step:03d}.h5", "u", shape=(NK, NJ, NI))
        with create(f"{name}.h5") as file:
            file.create_virtual_dataset("u", layout, fillvalue=-1)


def attach(file, name, dimensions):
    """Names the dimensions of a variable as the library of netCDF does."""
    for axis, dimension in enumerate(dimensions):
        file[name].dims[axis].attach_scale(file[dimension])


def write_ocean(name, is_plane):
    """netCDF-4 with CF attributes: packed values, land, and depths; is_plane: 2-D lon and lat."""
    sizes = {"time": STEPS, "depth": NK, "lat": NJ, "lon": NI}
    plane = ("j", "i") if is_plane else ("lat", "lon")
    with create(name, None) as file:
        file.attrs["_NCProperties"] = np.bytes_("version=2,netcdf=4.9.0,hdf5=1.10.8")
        file.attrs["Conventions"] = np.bytes_("CF-1.8")
        file["time"] = 10957.5 + np.arange(STEPS)
        file["depth"] = 125.0 * np.arange(NK)
        file["lat"], file["lon"] = (50 + STRAIGHT[1][0], 10 + STRAIGHT[0][0]) if is_plane else (
            50 + np.arange(NJ) / 8, 10 + np.arange(NI) / 8)
        if is_plane:
            file["j"], file["i"] = np.zeros(NJ, ">f4"), np.zeros(NI, ">f4")
        for number, scale in enumerate(["time", "depth", *plane]):
            file[scale].make_scale(scale if scale in sizes else
                                   "This is a netCDF dimension but not a netCDF variable.")
            file[scale].attrs["_Netcdf4Dimid"] = np.int32(number)
        for path, attributes in {
                "time": {"units": "days since 1990-01-01", "standard_name": "time"},
                "depth": {"units": "m", "standard_name": "depth", "positive": "down"},
                "lat": {"units": "degrees_north", "standard_name": "latitude"},
                "lon": {"units": "degrees_east", "standard_name": "longitude"}}.items():
            for key, value in attributes.items():
                file[path].attrs[key] = np.bytes_(value)
        if is_plane:
            attach(file, "lat", plane)
            attach(file, "lon", plane)
        values = np.stack([flow(step) for step in range(STEPS)])
        packed = np.round(values * 4096).astype("i2")
        packed[:, :, (STRAIGHT[0][0] > 2.5) & (STRAIGHT[1][0] > 1.2)] = -32767
        file.create_dataset("thetao", data=packed, chunks=(1, NK, NJ, NI), compression="gzip")
        file["thetao"].attrs["_FillValue"] = np.array([-32767], "i2")
        file["thetao"].attrs["scale_factor"] = 1 / 4096
        attach(file, "thetao", ("time", "depth", *plane))
        file["zos"] = values[:, 0]
        attach(file, "zos", ("time", *plane))


if __name__ == "__main__":
    write_own()
    write_axes()
    write_flat()
    write_zones()
    write_series()
    write_ocean("lists.nc", False)
    write_ocean("planes.nc", True)
