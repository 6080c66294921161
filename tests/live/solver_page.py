#!/usr/bin/env python3
"""karman live beside a solver that draws itself: watched, halted, turned and stopped in a browser.

    solver_page.py KARMAN SOLVER FOLDER LAUNCHER [SCREENSHOTS]

Exit code 77 if there is no chromium or no chromedriver.
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time
import urllib.error

import page as pages
import serving
from compare_page import Browser
from serving import Served, expect, wait_for

FLOW = """
grid: {cylinder: {radius: 0.5, far: 10, span: 1, ni: 48, nj: 32, nk: 1, stretching: 1.12}}
flow: {mach: 0.2, reynolds: 150, disturbance: 0.2}
time: {cfl: 0.9, end: 100000}
output: {monitors: monitors.csv, monitor_every: 5}
in_situ: pictures.yaml
"""

PICTURES = """
image: {width: 480, height: 300, background: [0.01, 0.015, 0.03]}
camera: {position: [2, -9, 5], look_at: [1, 0, 0.5], up: [0, 0, 1], fov: 30}
layers:
  - volume:
      field: vorticity_magnitude
      range: [0, 3]
      colors: viridis
      opacity: [[0, 0], [0.1, 0.2], [1, 0.9]]
      unit_length: 0.4
  - object: {k: 0, color: [0.5, 0.5, 0.55], opacity: 0.4}
in_situ:
  run: run
  every: 5
  pictures: [{name: street}, {name: wake, camera: {position: [1, -4, 2], look_at: [1, 0, 0.5]}}]
"""


class Solver:
    """The solver on two ranks, with the interface of a run that the page's tests use."""

    def __init__(self, launcher, solver, folder):
        (folder / "flow.yaml").write_text(FLOW)
        (folder / "pictures.yaml").write_text(PICTURES)
        self.folder = folder / "run"
        self.output = open(folder / "solver.log", "w", encoding="utf-8")
        self.program = subprocess.Popen([launcher, "-n", "2", solver, "flow.yaml"], cwd=folder,
                                        stdout=self.output, stderr=subprocess.STDOUT)
        begun = (self.folder / "frames.jsonl").exists
        wait_for(lambda: begun() or self.program.poll() is not None)
        if not begun():
            self.close()
            sys.exit("the solver draws nothing: " + (folder / "solver.log").read_text()[-2000:])

    def status(self):
        return json.loads((self.folder / "status.json").read_text())

    def frames(self):
        # The last line may be incomplete.
        return [json.loads(line) for line in (self.folder / "frames.jsonl").read_text().split("\n")[:-1]]

    def close(self):
        self.program.terminate()
        self.program.wait(300)
        self.output.close()


def look(page):
    """A digest of all pixels of the picture that is shown."""
    data = page.browser.run("""const image = document.getElementById("picture"), c = document.createElement("canvas");
        if (image.hidden || !image.naturalWidth) return null;
        c.width = image.naturalWidth; c.height = image.naturalHeight;
        c.getContext("2d").drawImage(image, 0, 0); return c.toDataURL()""")
    return data and hashlib.sha256(data.encode()).hexdigest()


def check_watching(page):
    page.open(page.served.address[:-1] + ("0" if page.served.token[-1] != "0" else "1"))
    expect(page.state() is None, "a wrong token is refused")
    page.browser.call("POST", "/se/log", {"type": "browser"})
    page.open()
    expect(wait_for(lambda: page.state() == "running"), f"the page shows the solver: {page.state()}")
    first = wait_for(lambda: look(page))
    cycle = page.shown()
    expect(wait_for(lambda: page.shown() > cycle and look(page) != first), "the picture changes")
    names = page.browser.run("return [...document.querySelectorAll('.chart')].map(c => c.dataset.chart)")
    for name in ("lift", "drag", "stages", "memory"):
        expect(name in names, f"there is a chart of {name}: {names}")


def check_halting(page):
    page.click("#halt")
    expect(wait_for(lambda: page.state() == "halted"), f"halt halts: {page.state()}")
    held = page.run.status()["cycle"]
    time.sleep(1.0)
    expect(page.run.status()["cycle"] == held, "and holds the step count")
    page.click("#step")
    expect(wait_for(lambda: page.run.status()["cycle"] == held + 1), "a step is one step")


def check_turning(page):
    wait_for(lambda: page.shown() == page.run.frames()[-1]["cycle"])
    camera, other = "pictures.street.camera.position", "pictures.wake.camera.position"
    position, before, count = page.value(camera), look(page), len(page.run.frames())
    kept = page.value(other)
    page.drag(90, 30)
    pages.rest(page)
    expect(wait_for(lambda: page.value(camera) != position), "a drag changes the camera")
    expect(page.value(other) == kept, "of the picture that is shown, and not of the other")
    expect(wait_for(lambda: len(page.run.frames()) > count), "and has a frame drawn, while the solver waits")
    expect(wait_for(lambda: look(page) not in (before, None)), "which shows something else")
    page.click("#resume")
    expect(wait_for(lambda: page.state() == "running"), "the solver goes on")


def visible(page, selector):
    return page.browser.run("const e = document.querySelector(arguments[0]); return Boolean(e && e.checkVisibility());",
                            selector)


def press(page, selector):
    """Clicks, also if the page has just made its settings anew."""
    def clicks():
        try:
            page.click(selector)
        except urllib.error.HTTPError:
            return False
        return True
    expect(wait_for(clicks), f"{selector} can be clicked")


def choose(page, selector, value):
    """Chooses an entry of a menu, as the mouse would."""
    page.browser.run("""const menu = document.querySelector(arguments[0]); menu.value = arguments[1];
        menu.dispatchEvent(new Event("change", {bubbles: true}));""", selector, value)


def check_seeds(page):
    """A layer of particles is added from the menu of kinds; its seeds are set and cleared."""
    street = "pictures.street.layers."
    form = '#settings fieldset[data-picture="street"] '
    expect(wait_for(lambda: not visible(page, f'[data-layer="{street}2"]')), "no settings of a layer that is gone")
    kinds = page.browser.run("""return [...document.querySelectorAll(arguments[0])].map(o => o.value);""",
                             form + ".adder option")
    expect(set(kinds) == {"volume", "object", "contour", "isosurface", "particles", "grid", "outline", "threshold", "axes_box"},
           f"a menu of the kinds of layers: {kinds}")
    choose(page, form + ".adder select", "particles")
    press(page, form + "summary")
    press(page, form + ".adder button")
    seeds = street + "2.particles.seeds"
    expect(wait_for(lambda: "line" in str(page.value(seeds))), "particles with the seeds of the sample")
    wanted = "[{points: [[2, 0.3, 0.5], [2, -0.3, 0.5]]}]"
    expect(wait_for(lambda: visible(page, f'[data-name="{seeds}"] textarea')), "and a field for them")
    page.type(f'[data-name="{seeds}"] textarea', wanted)
    press(page, f'[data-name="{seeds}"] button')
    expect(wait_for(lambda: "points" in str(page.value(seeds))), "seeds are moved")
    page.type(f'[data-name="{seeds}"] textarea', "[]")
    press(page, f'[data-name="{seeds}"] button')
    expect(wait_for(lambda: str(page.value(seeds)) == "[]"), "and cleared")
    for _ in range(2):
        press(page, f'[data-layer="{street}2"] button')
    expect(wait_for(lambda: page.value(seeds) is None), "the particles are taken out")


def check_tools(page):
    """Layers are hidden, added and removed; menus name what there is; changes are drawn although no frame is due."""
    street, wake = "pictures.street.layers.", "pictures.wake.layers."
    expect(visible(page, f'[data-name="{street}0.volume.range"]') and
           not visible(page, f'[data-name="{wake}0.volume.range"]'), "only settings of the shown picture")
    options = page.browser.run("""return [...document.querySelectorAll(arguments[0])].map(o => o.value);""",
                               f'[data-name="{street}0.volume.field"] option')
    expect("pressure" in options and "vorticity_magnitude" in options, f"a menu of fields: {options}")
    options = page.browser.run("""return [...document.querySelectorAll(arguments[0])].map(o => o.value);""",
                               f'[data-name="{street}0.volume.colors"] option')
    expect("viridis" in options, f"a menu of colour maps: {options}")
    before = look(page)
    press(page, f'[data-layer="{street}0"] input')
    expect(wait_for(lambda: page.value(street + "0.shown") is False), "a mark hides a layer")
    expect(wait_for(lambda: look(page) not in (before, None)), "and a picture without it comes")
    press(page, f'[data-layer="{street}0"] input')
    expect(wait_for(lambda: page.value(street + "0.shown") is True), "the mark shows it again")
    press(page, f'#settings fieldset[data-picture="street"] summary')
    page.type('#settings fieldset[data-picture="street"] .adder textarea', "{outline: {line_width: 3}}")
    press(page, '#settings fieldset[data-picture="street"] .adder button')
    expect(wait_for(lambda: page.value(street + "2.outline.line_width") == 3), "a layer is added")
    expect(wait_for(lambda: visible(page, f'[data-layer="{street}2"]')), "and has its settings")
    for _ in range(2):
        press(page, f'[data-layer="{street}2"] button')
    expect(wait_for(lambda: page.value(street + "2.outline.line_width") is None), "a layer is removed")
    check_seeds(page)
    press(page, "#halt")
    expect(wait_for(lambda: page.state() == "halted"), "it halts")
    expect(wait_for(lambda: not visible(page, "#pending")), "all changes are drawn while it waits")
    press(page, "#resume")
    expect(wait_for(lambda: page.state() == "running"), "it goes on")


def check_ending(page):
    page.type('[data-name="solver.cfl"] input[type=number]', "0.5")
    expect(wait_for(lambda: page.value("solver.cfl") == 0.5), "the solver takes a number of its own")
    expect(pages.stop(page), f"stop ends it: {page.state()}")
    code = page.run.program.wait(300)
    expect(code == 0, f"the solver ends well: {code}")
    logs = page.browser.call("POST", "/se/log", {"type": "browser"})
    logs = [log for log in logs if "favicon.ico" not in log["message"]]  # of pages that were refused
    expect(not logs, f"the console stays empty: {logs}")


def main():
    karman, solver, launcher = sys.argv[1], sys.argv[2], sys.argv[4]
    folder = pathlib.Path(sys.argv[3]).resolve()
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not browser or not driver:
        print("SKIPPED: there is no chromium or no chromedriver")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run = Solver(launcher, solver, folder)
    page = pages.Page(Browser(browser, driver, folder / "profile"), Served(karman, run.folder), run)
    try:
        page.browser.size(1400, 900)
        check_watching(page)
        check_halting(page)
        check_turning(page)
        check_tools(page)
        shots = sys.argv[5] if len(sys.argv) > 5 else None
        page.browser.screenshot(shots, "live-solver.png")
        page.browser.size(390, 844)
        page.browser.screenshot(shots, "live-solver-phone.png")
        page.browser.size(1400, 900)
        check_ending(page)
    finally:
        page.browser.close()
        page.run.close()
        page.served.close()
        shutil.rmtree(folder / "profile", ignore_errors=True)
    print(serving.failures, "failures")
    return serving.failures > 0


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    sys.exit(main())
