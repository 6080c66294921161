#!/usr/bin/env python3
"""The page of karman render --html in a real browser: it shows what the timings say.

    frame_page.py KARMAN DATA FOLDER LAUNCHER...

DATA is a karman data set with several steps. LAUNCHER starts MPI programs, up to "-n". Drives Chromium by
chromedriver. Exit code 77 if either is missing.
"""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys

import collectives_page
from collectives_page import Page, check_alone, expect
from compare_page import Browser

CONFIG = """
data: {file: '%s', steps: all}
image: {width: 120, height: 90}
camera: {position: [-1.5, -12.5, 9.5], look_at: [4.6, 0.2, 1.6], up: [0, 0, 1], fov: 30}
layers: [{volume: {field: vorticity_magnitude, range: [0, 3], opacity: [[0, 0], [1, 0.9]]}}]
output: {frames: f_%%d.png, timings: t.json}
"""
# Name, ranks, variables of MPICH, changes of the config. The artificial nodes may not be there with other MPIs.
CASES = (("node", 4, {}, []),
         ("alone", 5, {"MPIR_CVAR_NOLOCAL": "1"}, ["composite={algorithm: radix-k, segment: 1024}", "output.float=f_%d.h5"]),
         ("wrapped", 4, {"MPIR_CVAR_NUM_CLIQUES": "2"}, ["composite={algorithm: binary-swap, by_nodes: true}"]),
         ("screen", 3, {"MPIR_CVAR_NOLOCAL": "1"}, ["partition=screen"]),
         ("one", 1, {}, []))

# Waits until the page has words.
WORDS = """
const done = arguments[arguments.length - 1], look = () => document.getElementById("cost").textContent ? done() : setTimeout(look, 50);
look();
"""

PAGE = """const core = view.core, run = core.run(), sums = {};
for (const m of run.messages) sums[nameOf(m.src) + ">" + nameOf(m.dst)] = (sums[nameOf(m.src) + ">" + nameOf(m.dst)] ?? 0) + m.elements;
return {sums, order: core.frame.order, stages: core.frame.stages, tick: core.frame.tick, origin: core.frame.origin, shift: core.shift,
  finish: run.finish, size: run.size, step: core.frame.step, sides: core.sides, sent: run.sums.sent, read: run.sums.read,
  planned: core.frame.planned?.seconds, words: document.getElementById("cost").textContent,
  first: Object.fromEntries(run.messages.filter(m => m.elements && !m.isNear).map(m => [m.number, [nameOf(m.src), nameOf(m.dst), m.sent - core.shift, m.came - core.shift]]))}"""
WHOLE = """view.replay.seek(view.duration);
return view.replay.wantLo.reduce((sum, lo, at) => sum + (lo ? view.replay.weight(at % view.replay.rows) : 0), 0)"""


def near(a, b, most):
    return abs(a - b) <= most


def messages_of(frame):
    """Bytes that each rank sends to each other one, and the ends of what it sends."""
    sums, times = collections.Counter(), collections.defaultdict(list)
    for rank, events in enumerate(frame["events"]):
        for kind, peer, size, begin in zip(events["kind"], events["peer"], events["bytes"], events["begin"]):
            if kind == "send" and peer != rank:
                sums[f"{rank}>{peer}"] += size
                times[rank, peer].append(begin)
    return sums, times


def check_numbers(shown, timings, frame, name):
    """Messages, stages and times of the page are those of the timings."""
    ranks, tick = frame["ranks"], shown["tick"]
    expect(shown["size"] == timings["ranks"] and sorted(shown["order"]) == list(range(timings["ranks"])), f"{name}: all ranks have a row")
    expect(shown["step"] == frame["step"], f"{name}: the page shows step {frame['step']}, not {shown['step']}")
    for stage, told in shown["stages"].items():
        for key in ("begin", "wall"):
            expect(all(near(value, ranks[key][stage][rank], 1e-9) for value, rank in zip(told[key], shown["order"])),
                   f"{name}: {stage} has the times of the timings")
    sums, times = messages_of(frame)
    got = {key: value for key, value in shown["sums"].items() if value and (sums or timings["nodes"] > 1)}
    near_bytes = frame["bytes_shared"]
    if not near_bytes:
        expect(got == dict(sums), f"{name}: the matrix has {dict(sums)}, not {got}")
    expect(near(shown["sent"], sum(sums.values()), .5), f"{name}: {shown['sent']} bytes are sent, not {sum(sums.values())}")
    events = [e for rank in frame["events"] for e in zip(rank["kind"], rank["peer"], rank["message"], rank["bytes"])]
    read = sum(size for kind, peer, message, size in events if kind == "blend" and peer < 0 and message > 0)
    expect(near(shown["read"], read, 1), f"{name}: {shown['read']} bytes are read in place, not {read}")
    for src, dst, sent, came in shown["first"].values():
        begins = [t - shown["origin"] for t in times[src, dst]]
        expect(any(near(sent, begin, 2 * tick) for begin in begins) and came >= sent, f"{name}: {src} sends to {dst} at {begins}, not {sent}")
    for finish, rank in zip(shown["finish"], shown["order"]):
        events = frame["events"][rank]
        end = max((begin + wall for begin, wall in zip(events["begin"], events["wall"])), default=finish - shown["shift"] + shown["origin"])
        expect(near(finish - shown["shift"], end - shown["origin"], 2 * tick), f"{name}: rank {rank} ends at {end - shown['origin']}, not {finish}")


def check_plan(program, shown, name):
    """The planned time is that of karman simulate."""
    told = json.loads(subprocess.run([program, "simulate", "--compare", "t.json", "--format", "json"], check=True, stdout=subprocess.PIPE,
                                     timeout=300).stdout)["frames"][-1]["composite"]["predicted"]
    # Begins of stages have whole microseconds there.
    expect(near(shown["planned"], told, 2e-5 + .02 * told), f"{name}: {told} s are planned, not {shown['planned']}")


def check_page(page, path, program, name):
    timings = json.loads(pathlib.Path("t.json").read_text())
    frame = timings["frames"][-1]
    page.open(path)
    page.wait(WORDS)
    shown = page.run(PAGE)
    blended = "composite" in timings
    expect(shown["sides"] == ["measured", "planned"][:1 + blended], f"{name}: the page has both sides: {shown['sides']}")
    check_numbers(shown, timings, frame, name)
    if blended:
        expect(page.run(WHOLE) == 120 * 90, f"{name}: each pixel ends at one rank, with all images")
        if "float" not in pathlib.Path("arguments").read_text():
            check_plan(program, shown, name)
    expect(timings["nodes"] == 1 or "Clocks of nodes" in shown["words"], f"{name}: it says how exact clocks are: {shown['words']}")
    expect(page.run("return Object.values(scenes()).reduce((sum, scene) => sum + scene.items.length, 0)") < 4000, f"{name}: few shapes are drawn")
    before = page.run("view.replay.seek(view.time); return JSON.stringify([[...view.replay.lo], [...view.replay.hi], view.time])")
    for _ in range(3):
        page.press("\ue014")
    moved = page.run("return view.time > 0")
    for key in ("d", "d", *"ww", *["w"] * ("all" in page.text("#frame-tools") and not page.run("return byId('show-together').hidden")), "\ue011"):
        page.press(key)
    expect(moved, f"{name}: it plays")
    page.run("view.replay.seek(view.time)")
    expect(page.run("return JSON.stringify([[...view.replay.lo], [...view.replay.hi], view.time])") == before, f"{name}: back at the begin all is as before")
    for width in (1440, 390):
        page.browser.size(width, 900, width < 500)
        expect(page.run("return document.documentElement.scrollWidth") <= width, f"{name}: the page fits {width} pixels")
    page.browser.size(1440, 900)
    check_alone(page, path)


def draw(program, launcher, case):
    name, ranks, variables, sets = case
    words = [*launcher, "-n", str(ranks)] if ranks > 1 else []
    words += [program, "render", "--quiet", "--threads", "1", "case.yaml", "--html", f"{name}.html"]
    words += [word for s in sets for word in ("--set", s)]
    pathlib.Path("arguments").write_text(" ".join(words))
    subprocess.run(words, check=True, timeout=300, env={**os.environ, **variables})


def reject(program, fragment, *arguments):
    done = subprocess.run([program, "render", "case.yaml", *arguments], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, timeout=300)
    expect(done.returncode and done.stderr.count("karman: error: ") == 1 and fragment in done.stderr, f"{arguments} fail with '{fragment}': {done.stderr}")


def main():
    program, data = sys.argv[1:3]
    folder, launcher = pathlib.Path(sys.argv[3]).resolve(), sys.argv[4:]
    browser, driver = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
    if not browser or not driver:
        print("SKIPPED: there is no chromium or no chromedriver")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.chdir(folder)
    pathlib.Path("case.yaml").write_text(CONFIG % data)
    reject(program, "is a folder", "--html", ".")
    reject(program, "cannot be combined", "--html", "a.html", "--print-config")
    expect(not list(folder.glob("f_*")), "nothing was drawn")
    page = Page(Browser(browser, driver, folder / "profile"))
    try:
        page.browser.size(1440, 900)
        for case in CASES:
            draw(program, launcher, case)
            check_page(page, folder / f"{case[0]}.html", program, case[0])
    finally:
        page.browser.close()
        shutil.rmtree(folder / "profile", ignore_errors=True)
    print(collectives_page.failures, "failures")
    return collectives_page.failures > 0


if __name__ == "__main__":
    sys.exit(main())
