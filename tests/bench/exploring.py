#!/usr/bin/env python3
"""What one waits for in karman view: the times of the table in docs/benchmarks.md.

    exploring.py KARMAN DATA [--set KEY=VALUE …] [--seconds S] [--link] [--out FILE.md]

A client sends the orders of the page, one after the other, and turns the camera. Sizes of coarse
pictures follow from their times, as in the page (run/view/page/pictures.js). Times of pictures are
from the order to the last byte; a browser adds the time in which it decodes and shows them. With --link, all
goes over 10 Mbit/s with 100 ms there and back (tests/live/link.py).
"""
import argparse
import math
import os
import pathlib
import statistics
import sys
import threading
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "live"))
from link import Tunnel  # noqa: E402
from view import View  # noqa: E402

FAST, SLOW, LEAST = 0.028, 0.055, 0.16  # of pictures.js


class Rows:
    """The table."""

    def __init__(self):
        self.rows = []

    def add(self, what, value):
        self.rows.append((what, value))
        print(f"{what}: {value}", flush=True)

    def text(self):
        return "| what | measured |\n|---|---|\n" + "".join(f"| {w} | {v} |\n" for w, v in self.rows)


def turned(config, angle):
    """The config, seen from a camera turned around the z axis."""
    camera = dict(config["camera"])
    off = [a - b for a, b in zip(camera["position"], camera["look_at"])]
    c, s = math.cos(angle), math.sin(angle)
    camera["position"] = [camera["look_at"][0] + c * off[0] - s * off[1], camera["look_at"][1] + s * off[0] + c * off[1],
                          camera["position"][2]]
    return {**config, "camera": camera}


def timed(act):
    begin = time.perf_counter()
    answer = act()
    return time.perf_counter() - begin, answer


def processor(view):
    """Seconds of processor of the program so far: on a busy machine they say more than times."""
    fields = pathlib.Path(f"/proc/{view.program.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def check(answer):
    if answer[0] != 200:
        raise SystemExit(f"refused: {answer}")
    return answer


def start(karman, data, options, size, link, rows):
    begin = time.perf_counter()
    view = View(karman, data, *options)
    view.port = Tunnel(view.port, rate=1.25e6, delay=0.1).port if link else view.port
    about = view.about()
    config = {**about["config"], "image": {**about["config"].get("image", {}), "width": size[0], "height": size[1]}}
    check(view.draw(config, about["step"], form="jpeg", scale=0.5))
    rows.add("command to the first coarse picture", f"{time.perf_counter() - begin:.2f} s")
    check(view.draw(config, about["step"]))
    rows.add("command to the first whole picture", f"{time.perf_counter() - begin:.2f} s, of {about['data']['cells']:,} cells")
    return view, about, config


def drag(view, config, step, seconds, rows):
    """Turns for some seconds; the size of pictures adapts."""
    scale, times, scales, sizes, begin, n, trip = 0.5, [], [], [], time.perf_counter(), 0, math.inf
    while time.perf_counter() - begin < seconds:
        n += 1
        took, (_, note, picture) = timed(lambda: check(view.draw(turned(config, 0.02 * n), step, form="jpeg", quality=75, scale=scale)))
        times.append(took)
        scales.append(scale)
        sizes.append(len(picture))
        trip = min(1.02 * trip, max(0.0, took - note["seconds"]))  # the way there and back, as in pictures.js
        cost = took - trip
        scale = max(LEAST, scale * math.sqrt(0.8 * SLOW / cost)) if cost > SLOW else min(0.99, scale * 1.15) if cost < FAST else scale
    half = len(times) // 2  # the second half: the size has settled
    rows.add("while dragging", f"{half / sum(times[-half:]):.0f} pictures a second at {statistics.median(scales[-half:]):.2f} of the size, "
             f"{1000 * statistics.median(times[-half:]):.0f} ms each, {statistics.median(sizes[-half:]) / 1000:.0f} kB")
    for scale in (0.5, 0.25):
        used = processor(view)
        fixed = [timed(lambda: check(view.draw(turned(config, 0.02 * m), step, form="jpeg", quality=75, scale=scale)))[0] for m in range(40)]
        rows.add(f"at {scale} of the size", f"{1 / statistics.median(fixed):.0f} pictures a second, "
                 f"{1000 * (processor(view) - used) / len(fixed):.1f} ms of processor each")


def rest(view, config, step, rows):
    """A whole picture, and how soon a movement ends it."""
    whole = [timed(lambda: check(view.draw(turned(config, 0.1 * n), step)))[0] for n in range(1, 4)]
    rows.add("a whole picture", f"{statistics.median(whole):.2f} s")
    waits = []
    for n in range(8):
        thread = threading.Thread(target=lambda: view.draw(turned(config, 1 + 0.1 * n), step))
        thread.start()
        time.sleep(statistics.median(whole) * (n + 0.5) / 8)
        ended = {}
        mover = threading.Thread(target=lambda: ended.update(code=view.draw(config, step, form="jpeg", scale=0.2)[0]))
        moved = time.perf_counter()
        mover.start()
        thread.join()
        waits.append(time.perf_counter() - moved)
        mover.join()
    rows.add("a movement ends it within", f"{1000 * statistics.median(waits):.0f} ms, at most {1000 * max(waits):.0f} ms")


def changes(view, config, about, rows):
    step = about["step"]
    check(view.draw(config, step))
    took = []
    layer = next(n for n, entry in enumerate(config["layers"]) if any(isinstance(v, dict) and "range" in v for v in entry.values()))
    kind = next(k for k, v in config["layers"][layer].items() if isinstance(v, dict))
    for colors in ("plasma", "magma", "viridis"):
        change = f"layers.{layer}.{kind}.colors={colors}"
        took.append(timed(lambda: view.draw(view.answer(do="change", config=config, step=step, changes=[change])[1]["config"], step,
                                            form="jpeg", scale=0.5))[0])
    rows.add("a change of colours, coarse", f"{1000 * statistics.median(took):.0f} ms")
    check(view.draw(config, step))
    took = [timed(lambda: view.answer(do="probe", at=[0.3 + 0.05 * n, 0.5]))[0] for n in range(8)]
    rows.add("a probe", f"{1000 * statistics.median(took):.0f} ms, at most {1000 * max(took):.0f} ms")


def steps(view, config, about, rows):
    numbers = [s[0] for s in about["data"]["steps"]]
    if len(numbers) < 2:
        return
    took = [timed(lambda: check(view.draw(config, n, form="jpeg", scale=0.5)))[0] for n in numbers * 2]
    rows.add("a step of time, coarse", f"{1000 * statistics.median(took):.0f} ms, {1 / statistics.median(took):.1f} a second")


def memory(view):
    status = pathlib.Path(f"/proc/{view.program.pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) / 1000


def stay(view, config, step, count, rows):
    before = memory(view)
    for n in range(count):
        check(view.draw(turned(config, 0.01 * n), step, form="jpeg", scale=0.2))
    rows.add(f"memory before and after {count} pictures", f"{before:.0f} and {memory(view):.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("karman")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--set", action="append", default=[], dest="sets")
    parser.add_argument("--size", default="960x600")
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--pictures", type=int, default=200)
    parser.add_argument("--link", action="store_true")
    parser.add_argument("--out", type=pathlib.Path)
    chosen = parser.parse_args()
    rows = Rows()
    options = [word for text in chosen.sets for word in ("--set", text)]
    view, about, config = start(chosen.karman, chosen.data, options, tuple(map(int, chosen.size.split("x"))), chosen.link, rows)
    try:
        drag(view, config, about["step"], chosen.seconds, rows)
        rest(view, config, about["step"], rows)
        changes(view, config, about, rows)
        steps(view, config, about, rows)
        stay(view, config, about["step"], chosen.pictures, rows)
    finally:
        view.close()
    if chosen.out:
        chosen.out.write_text(rows.text())


if __name__ == "__main__":
    sys.exit(main())
