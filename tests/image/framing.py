#!/usr/bin/env python3
"""The camera fits what options add, and bars stand beside it; at three sizes.

    framing.py KARMAN KARMAN_DATASET FOLDER
"""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "package"))
from tutorial import pixels  # noqa: E402

karman, dataset, folder = map(os.path.abspath, sys.argv[1:])
SIZES = (480, 300), (960, 600), (300, 400)
CASES = (["--slice", "x=2", "--view", "iso"], ["--slice", "x=2"], ["--slice", "z=1", "--view", "top"],
         ["--slice", "x=2", "--azimuth", "40", "--elevation", "-20"], ["--iso", "1"], ["--walls", "pressure"],
         ["--streamlines"], ["--slice", "y=0", "--iso", "pressure=-0.2", "--walls", "pressure", "--view", "back"])
failures = 0


def expect(good, what):
    global failures
    failures += not good
    if not good:
        print("FAILED: expected that", what)


def options_of(size):
    return ["--set", f"image.width={size[0]}", "--set", f"image.height={size[1]}", "--set", "image.samples=1"]


def draw(file, *options):
    """The rows of a picture, and its background."""
    subprocess.run([karman, "render", file, "-o", "x.png", "--quiet", *options], check=True, timeout=120)
    rows = pixels(pathlib.Path("x.png").read_bytes())
    return rows, bytes(rows[0][:3])


def printed(*options, file="wake.h5"):
    return subprocess.run([karman, "render", file, *options, "--print-config"], check=True, capture_output=True,
                          text=True).stdout


def check(size, case):
    what = f"{size} with {' '.join(case)}"
    rows, ground = draw("wake.h5", *case, *options_of(size))
    edges = [rows[0], rows[-1]] + [row[:3] + row[-3:] for row in rows]
    cut = sum(bytes(edge) != ground * (len(edge) // 3) for edge in edges)
    expect(cut == 0, f"nothing reaches the edges of {what}: {cut} lines do")
    pathlib.Path("same.yaml").write_text(printed(*case, *options_of(size)))
    bare, _ = draw("same.yaml", "--set", "annotations.scalar_bar=false", "--set", "annotations.scalar_bars=null")
    bars = [n for n in range(size[0]) if any(a[3 * n:3 * n + 3] != b[3 * n:3 * n + 3] for a, b in zip(rows, bare))]
    covered = [n for n in bars if any(bytes(row[3 * n:3 * n + 3]) != ground for row in bare)]
    expect(bool(bars) == (case[0] != "--iso"), f"a bar stands where colours are in {what}: columns {bars[:1]}")
    expect(not covered, f"the bar stands beside the scene in {what}, not over columns {covered}")
    filled = [n for n in range(size[0]) if any(bytes(row[3 * n:3 * n + 3]) != ground for row in bare)]
    lines = [n for n in range(size[1]) if bytes(bare[n]) != ground * size[0]]
    large = max((filled[-1] - filled[0]) / size[0], (lines[-1] - lines[0]) / size[1])
    expect(large > 0.6, f"the scene fills {what}: it takes {large:.2f} of its larger side")
    grey = [bytes(row[3 * n:3 * n + 3]) for row in bare for n in range(size[0])]
    if case == ["--iso", "1"]:
        orange = sum(pixel[0] > pixel[2] + 40 for pixel in grey)
        expect(orange > 0.03 * len(grey), f"the surface fills {what}: {orange} of {len(grey)} pixels")


def main():
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    subprocess.run([dataset, "karman", "--size", "61,31,9", "--steps", "1", "--output", "wake.h5"], check=True,
                   stdout=subprocess.DEVNULL)
    for size in SIZES:
        for case in CASES:
            check(size, case)
    config = printed("--slice", "x=2", "--iso", "pressure=-0.2", "--walls", "pressure")
    expect("field: velocity_magnitude" in config, f"a slice shows the speed: {config}")
    expect("scalar_bars:" in config, f"two fields have two bars: {config}")
    expect("velocity" not in printed("--slice", "x=2", "--field", "pressure"), "--field names the field of a slice")
    subprocess.run([dataset, "vanes", "--size", "33,17,9", "--steps", "1", "--output", "vanes.h5"], check=True,
                   stdout=subprocess.DEVNULL)
    walls = printed("--walls", "pressure", file="vanes.h5")
    expect(walls.count("object:") > 1 and walls.count("color_by: pressure") == walls.count("object:"),
           f"each wall that is found is a layer: {walls}")
    print(failures, "failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
