#!/usr/bin/env python3
"""Makes comb.h5, which combustor.yaml draws, of the combustor's PLOT3D files.

    combustor.py combxyz.bin combq.bin comb.h5

PLOT3D's binary files of one block: three counts, in the file of the flow four more numbers, then one
array after another, i fastest; all in big-endian words of 4 bytes. Needs h5py (Debian: python3-h5py).
"""
import sys

import h5py
import numpy


def read_arrays(path, skipped, count):
    """The arrays of a file, [count][nk][nj][ni], behind as many numbers to skip."""
    words = numpy.fromfile(path, ">f4")
    ni, nj, nk = (int(n) for n in words[:3].view(">i4"))
    if words.size != 3 + skipped + count * ni * nj * nk:
        sys.exit(f"{path} is no PLOT3D file of one block with {count} arrays in big-endian float32")
    return words[3 + skipped:].reshape(count, nk, nj, ni).astype("f4")


def main():
    """Reads two files and writes the third."""
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    grid = read_arrays(sys.argv[1], 0, 3)
    flow = read_arrays(sys.argv[2], 4, 5)
    density, momentum = flow[0], flow[1:4]
    speed = numpy.sqrt(numpy.sum(momentum.astype("f8") ** 2, axis=0)) / density
    with h5py.File(sys.argv[3], "w") as out:
        for name, values in zip(("x", "y", "z"), grid):
            out[f"grid/{name}"] = values
            out[f"flow/momentum_{name}"] = momentum["xyz".index(name)]
        out["flow/density"] = density
        out["flow/velocity_magnitude"] = speed.astype("f4")


if __name__ == "__main__":
    main()
