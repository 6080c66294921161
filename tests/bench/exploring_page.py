#!/usr/bin/env python3
"""The page of karman view in Chromium: pictures a second while the pointer turns, and an engineer's task.

    exploring_page.py KARMAN DATA [--set KEY=VALUE …] [--phone] [--dark] [--shots FOLDER] drag|task

drag: directly, and over 10 Mbit/s with 100 ms there and back. task: open, show the vorticity's magnitude, find its
greatest value, send streamlines through it, take a figure away.
"""
import argparse
import math
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "live"))
from explorer import Browser, Page, saved  # noqa: E402
from link import Tunnel  # noqa: E402
from serving import wait_for  # noqa: E402
from view import View  # noqa: E402

NOTE = """window.got = [];
const picture = document.getElementById("picture");
new MutationObserver(() => window.got.push([performance.now(), picture.dataset.how, +picture.dataset.bytes, picture.naturalWidth]))
  .observe(picture, {attributes: true, attributeFilter: ["data-count"]});"""
FIELD = """const has = s => [...s.options].some(o => o.value === "vorticity_magnitude");
const menu = [...document.querySelectorAll("#settings .control select")].find(has);
menu.value = "vorticity_magnitude";
menu.dispatchEvent(new Event("change"));"""
GREATEST = "[...document.querySelectorAll('.tool button')].find(b => b.textContent === 'pin greatest').click()"


def drag(page):
    """Turns for some seconds; the first third, in which sizes settle, does not count."""
    way = [(round(200 * math.sin(n / 25)), n % 20) for n in range(250)]
    for name, port in (("direct", page.view.port), ("10 Mbit/s, 100 ms", Tunnel(page.view.port, rate=1.25e6, delay=0.1).port)):
        page.open(page.view.address.replace(str(page.view.port), str(port)))
        page.ready()
        page.run(NOTE)
        page.pointer((0, 0), "pointerDown", *way, "pointerUp")
        got = [row for row in page.run("return window.got") if row[1] == "coarse"]
        got = got[len(got) // 3:]
        print(f"{name}: {1000 * (len(got) - 1) / (got[-1][0] - got[0][0]):.1f} pictures a second, "
              f"{statistics.median(r[2] for r in got) / 1000:.0f} kB (most {max(r[2] for r in got) / 1000:.0f}), "
              f"{statistics.median(r[3] for r in got)} pixels wide", flush=True)


def task(page):
    def lap(name, clicks, act):
        begin = time.perf_counter()
        act()
        print(f"{name}: {time.perf_counter() - begin:.1f} s, {clicks} clicks", flush=True)
        page.shot(name)

    def take():
        page.keys("t")
        saved(page, "#take-pdf", page.run("return document.getElementById('title').textContent.replace(/\\.[^.]*$/, '')") + ".pdf")
    lap("open", 0, lambda: (page.open(), page.ready()))
    lap("field", 2, lambda: page.after(lambda: page.run(FIELD)))
    lap("greatest", 1, lambda: (page.run(GREATEST), wait_for(lambda: page.run("return document.querySelector('#pin-rows tr')"))))
    lap("streamlines", 1, lambda: page.after(lambda: page.run("document.querySelector('#pin-rows button').click()")))
    lap("figure", 2, take)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("karman")
    parser.add_argument("data")
    parser.add_argument("what", choices=("drag", "task"))
    parser.add_argument("--set", action="append", default=[], dest="sets")
    parser.add_argument("--phone", action="store_true")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--shots", type=pathlib.Path)
    chosen = parser.parse_args()
    view = View(chosen.karman, chosen.data, *[word for text in chosen.sets for word in ("--set", text)])
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(shutil.which("chromium"), shutil.which("chromedriver"), profile)
        try:
            browser.size(*((400, 800) if chosen.phone else (1400, 900)), mobile=chosen.phone)
            browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if chosen.dark else "light"}])
            {"drag": drag, "task": task}[chosen.what](Page(browser, view, chosen.shots))
        finally:
            browser.call("DELETE", "")
            browser.driver.terminate()
            view.close()


if __name__ == "__main__":
    sys.exit(main())
