#!/usr/bin/env python3
"""Writes pairs of data sets on one grid, of the same flow with known differences.

    beside_data.py KARMAN_DATASET FOLDER
"""
import os
import shutil
import subprocess
import sys

import h5py

dataset, folder = sys.argv[1:]
os.chdir(folder)


def make(name, sizes):
    subprocess.run([dataset, "karman", "-n", "4", "-s", sizes, "-o", name], check=True,
                   stdout=subprocess.DEVNULL)


make("a.h5", "33,17,9")
make("d.h5", "33,17,8")
shutil.copy("a.h5", "b.h5")
shutil.copy("a.h5", "c.h5")
with h5py.File("b.h5", "r+") as file:
    x = file["grid/cylinder/x"][...]
    for step in file["flow"].values():
        step["cylinder/pressure"][...] -= 0.5 * x
        step["cylinder/velocity_x"][...] *= 1.25
shutil.copy("b.h5", "e.h5")
with h5py.File("c.h5", "r+") as file:
    file["grid/cylinder/y"][3, 4, 5] += 0.01
with h5py.File("e.h5", "r+") as file:
    for name in sorted(file["flow"]):
        del file["flow"][name]["cylinder/velocity_z"]
        file.move(f"flow/{name}", f"flow/{int(name) + 10:04d}")

shutil.copy("e.h5", "f.h5")
with h5py.File("f.h5", "r+") as file:
    for name in sorted(file["flow"])[2:]:
        del file["flow"][name]
    for name in sorted(file["flow"]):
        file["flow"][name].attrs["time"] = 100.0 + int(name)
        file.move(f"flow/{name}", f"flow/{int(name) + 10:04d}")

# Another grid beside it, with a pressure that is 1 higher.
make("g.h5", "25,13,7")
with h5py.File("g.h5", "r+") as file:
    file["grid/cylinder/x"][...] += 3
    for step in file["flow"].values():
        step["cylinder/pressure"][...] += 1
