#!/usr/bin/env python3
"""output.tile_costs, output.warm_caches: the costs of tiles add up to the ranks' times of
rendering, for all layers, and pictures that are drawn twice are the same.

    tile_costs.py KARMAN DATA FOLDER LAUNCHER…

DATA: a karman data set with six steps; LAUNCHER: the command that starts the ranks.
"""
import json
import pathlib
import subprocess
import sys

karman, data, folder, launcher = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4:]
failures = 0

STEPS = 4
HEAD = f"""data: {{file: '{data}', steps: [0, {STEPS - 1}]}}
image: {{width: 150, height: 110, samples: SAMPLES}}
camera: {{position: [-1.5, -12.5, 9.5], look_at: [4.6, 0.2, 1.6], up: [0, 0, 1], fov: 30}}
output: {{frames: 'f_%d.png', timings: t.json}}
layers:
"""
VOLUME = "  - volume: {field: pressure, range: [-1, 1], colors: viridis, opacity: [[0, 0.2], [1, 0.5]]}\n"
CONTOUR = "  - contour: {field: pressure, plane: {point: [3, 0, 1.5], normal: [0, 0, 1]}, levels: 9}\n"
ISOSURFACE = "  - isosurface: {field: pressure, values: [-0.1]}\n"


def expect(good, what):
    global failures
    if not good:
        failures += 1
        print("FAILED: expected that", what)


def render(*settings):
    """Timings of a run, and its pictures."""
    for picture in folder.glob("f_*.png"):
        picture.unlink()
    command = [*launcher, karman, "render", "case.yaml", "--quiet",
               *(f"--set={setting}" for setting in settings)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    expect(done.returncode == 0, f"{command} ends well: {done.stderr}")
    return (json.loads((folder / "t.json").read_text())["frames"],
            [p.read_bytes() for p in sorted(folder.glob("f_*.png"))])


def check_rank(name, frame, rank, layers):
    tiles = frame["tiles"]
    x0, y0, x1, y1 = (tiles[n][rank] for n in ("x0", "y0", "x1", "y1"))
    cost, shared, beside = (tiles[n][rank] for n in ("cost", "shared", "beside"))
    work = 1e9 * (frame["ranks"]["cpu"]["render"][rank] - frame["ranks"]["waited"]["render"][rank])
    name = f"{name}, step {frame['step']}, rank {rank}"
    expect(0 <= x0 <= x1 <= tiles["columns"] and 0 <= y0 <= y1 <= tiles["rows"] and
           len(cost) == (x1 - x0) * (y1 - y0), f"{name}: the tiles fill a part of the picture")
    # Timings are whole microseconds, tiles whole nanoseconds.
    expect(abs(sum(cost) + beside - work) <= 1500 + len(cost),
           f"{name}: {sum(cost)} ns in tiles and {beside} beside are {work} ns")
    # The clocks of threads cannot have run for longer than that of their process.
    expect(beside >= -1e5 - 0.01 * work, f"{name}: {beside} ns are beside {work} ns")
    # On a busy machine the processor clock may stand still for as long as so small a picture takes.
    drew = frame["ranks"]["active_pixels"][rank] > 0 and work > 0
    expect(not drew or sum(cost) > 0, f"{name}: tiles cost something")
    expect(layers != VOLUME or shared == 0, f"{name}: {shared} ns are shared out without layers")
    # Boxes by measured times may leave the contour to other ranks.
    expect(not drew or CONTOUR not in layers or "balance: cost" in name or shared > 0,
           f"{name}: what the contour takes is shared out")
    marches = layers != CONTOUR
    expect(not drew or (shared < sum(cost) - len(cost)) == marches,
           f"{name}: rays are clocked, and nothing else: {shared} of {sum(cost)} ns are shared out")


def check(name, layers, partition):
    # All layers have smooth edges; one sample a pixel takes a tenth of the time.
    samples = "adaptive" if VOLUME in layers and CONTOUR in layers else "1"
    (folder / "case.yaml").write_text(HEAD.replace("SAMPLES", samples) + layers)
    frames, pictures = render(f"partition={partition}", "output.tile_costs=true")
    plain, same = render(f"partition={partition}")
    expect(pictures == same and len(same) == STEPS, f"{name}: the pictures are the same")
    expect(not any("tiles" in f for f in plain), f"{name}: nothing is measured unasked")
    expect(["tiles" in f for f in frames] == [True] + (STEPS - 2) * [False] + [True],
           f"{name}: the first frame and the last are measured")
    warm, twice = render(f"partition={partition}", "output.tile_costs=true", "output.warm_caches=true")
    expect(pictures == twice, f"{name}: the pictures are the same when they are drawn twice")
    if "balance" not in partition:  # otherwise parts depend on measured times
        # Later pictures of a view may skip work of the first one.
        expect(all(0.8 * p["crossings"] <= w["crossings"] <= p["crossings"]
                   for p, w in zip(plain, warm)),
               f"{name}: what is drawn for nothing is not counted")
    for frame in frames[:1] + frames[-1:] + warm[:1] + warm[-1:]:
        tiles = frame["tiles"]
        expect((tiles["size"], tiles["columns"], tiles["rows"]) == (16, 10, 7),
               f"{name}: tiles of 16 pixels cover the picture")
        for rank in range(len(tiles["cost"])):
            check_rank(name, frame, rank, layers)


def main():
    folder.mkdir(parents=True, exist_ok=True)
    kinds = {"a volume": VOLUME, "a contour": CONTOUR, "an isosurface": ISOSURFACE,
             "layers": CONTOUR + ISOSURFACE, "all": CONTOUR + ISOSURFACE + VOLUME,
             "nothing": "  - isosurface: {field: pressure, values: [1e6]}\n"}
    for name, layers in kinds.items():
        if not launcher and name not in ("a volume", "all", "nothing"):
            continue  # one rank clocks the same code; partitions do not differ
        balances = ["{kind: object, balance: cost}", "{kind: screen, balance: area}"]
        # The others in turns: how the picture is shared out says nothing of the clocks.
        plain = ["object", "screen"]
        if launcher and name != "all":
            plain = [plain[list(kinds).index(name) % 2]]
        for partition in plain + (balances if name == "all" else []):
            check(f"{name}, {partition}", layers, partition)
    print(failures, "failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
