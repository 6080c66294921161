#!/usr/bin/env python3
"""The page of karman view in a real browser.

    view_page.py KARMAN DATASET FOLDER [SCREENSHOTS]

Drives Chromium by chromedriver. Exit code 77 if either is missing. With SCREENSHOTS, a folder,
screenshots of the page are kept there.
"""
import base64
import json
import pathlib
import shutil
import signal
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "image"))
import serving  # noqa: E402
from compare_page import ELEMENT, Browser  # noqa: E402
from link import Proxy  # noqa: E402
from serving import expect, wait_for  # noqa: E402
from view import View  # noqa: E402

# Files that the page gives to save, by name, instead of saving them.
CATCH = """if (!window.saved) {
  const make = URL.createObjectURL.bind(URL);
  const blobs = new Map();
  URL.createObjectURL = blob => { const address = make(blob); blobs.set(address, blob); return address; };
  HTMLAnchorElement.prototype.click = function () {
    const file = new FileReader();
    file.onload = () => { window.saved[this.download] = file.result.split(",")[1]; };
    file.readAsDataURL(blobs.get(this.href));
  };
}
window.saved = {};"""


class Page:
    """The page, as a user sees it."""

    def __init__(self, browser, view, shots):
        self.browser, self.view, self.shots = browser, view, shots

    def run(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def open(self, address=None):
        self.browser.call("POST", "/url", {"url": address or self.view.address})

    def element(self, selector):
        return self.browser.call("POST", "/element", {"using": "css selector", "value": selector})

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
        self.browser.call("POST", f"/element/{self.element(selector)[ELEMENT]}/click", {})

    def type(self, selector, text):
        field, control, end, enter = self.element(selector)[ELEMENT], "\ue009", "\ue000", "\ue007"
        self.browser.call("POST", f"/element/{field}/value", {"text": control + "a" + end + text + enter})

    def send(self, selector, text):
        self.browser.call("POST", f"/element/{self.element(selector)[ELEMENT]}/value", {"text": text})

    def keys(self, text):
        self.send("#stage", text)

    def pointer(self, *actions):
        self.run("window.scrollTo(0, 0)")
        stage = self.element("#stage")
        steps = [{"type": "pointerMove", "duration": 20, "x": a[0], "y": a[1], "origin": stage} if isinstance(a, tuple)
                 else {"type": a, "button": 0} for a in actions]
        self.browser.call("POST", "/actions", {"actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}]})

    def data(self, name):
        return self.run("return document.getElementById('picture').dataset[arguments[0]]", name)

    def count(self):
        return int(self.data("count") or 0)

    def wait(self, good):
        """Waits until a condition of the session `s` and the pictures `p` of the page is so; returns the last value."""
        return wait_for(lambda: self.browser.call("POST", "/execute/async", {"args": [], "script": """
            const done = arguments[0], drawn = p => p.drawn === p.session.state && !p.busy && !p.wanted;
            Promise.all([import("./explore.js"), import("./session.js")]).then(async ([e, of]) => {
              const s = e.session, p = e.pictures;
              return %s;
            }).then(done, () => done(false))""" % good}))

    def ready(self):
        """Waits for the whole picture of the state, which is one for good."""
        good = self.wait("""s.isSettled && drawn(p) && p.last === "whole" &&
            document.getElementById("badge").textContent === "ready" && document.getElementById("pending").hidden""")
        return expect(good, "the page shows a whole picture: " + str(good or self.wait("""[s.isSettled, s.waiting,
            drawn(p), p.busy, p.wanted, p.last, document.getElementById("badge").textContent]""")))

    def after(self, act):
        """Does something, and waits for the whole picture that follows."""
        expect(self.wait("s.isSettled && drawn(p) && Boolean(window.before = p.number)"), "nothing is under way")
        act()
        expect(self.wait("p.number !== window.before"), "a picture follows")
        self.ready()

    def state(self):
        """What the address bar holds, when it holds the state."""
        return self.wait("""s.isSettled && await of.fromAddress().then(a => JSON.stringify(a) === JSON.stringify(s.state) && a)""")

    def camera(self):
        return self.state()["config"]["camera"]

    def shot(self, name):
        if self.shots:
            self.shots.mkdir(parents=True, exist_ok=True)
            (self.shots / (name + ".png")).write_bytes(base64.b64decode(self.browser.call("GET", "/screenshot")))


# ---- Camera -------------------------------------------------------------------------------------


def check_opening(page):
    page.open()
    page.ready()
    address = page.run("return location.href")
    expect(page.view.token not in address, f"the token leaves the address: {address}")
    expect(page.data("how") == "whole", "the first picture is there")
    page.shot("first")


def check_turning(page):
    count = page.count()
    page.after(lambda: page.pointer((0, 0), "pointerDown", *[(6 * n, 2 * n) for n in range(1, 12)], "pointerUp"))
    expect(page.count() > count + 1, "coarse pictures come while the pointer drags")
    first = page.camera()
    page.after(lambda: page.keys("x"))
    camera = page.camera()
    off = [a - b for a, b in zip(camera["position"], camera["look_at"])]
    expect(off[0] > 0 and abs(off[1]) < 1e-3 * off[0], f"x looks from that side: {camera}")
    shown = page.run("return [...document.querySelectorAll(`[data-name='camera.position'] input`)].map(i => +i.value)")
    expect(shown == camera["position"], f"the controls of the camera show it: {shown}")
    page.after(lambda: page.keys("p"))
    expect(page.camera()["projection"] == "orthographic", "p changes the projection")
    page.after(lambda: page.keys("+"))
    page.after(lambda: page.click("#undo"))
    page.after(lambda: page.click("#undo"))
    page.after(lambda: page.click("#undo"))
    expect(page.camera() == first, f"undo leads back: {page.camera()} {first}")
    page.after(lambda: page.click("#redo"))
    expect(page.camera()["position"] != first["position"], "redo leads forth")
    check_hurry(page)
    page.after(lambda: page.keys("r"))
    page.after(lambda: page.keys("0"))
    page.shot("fit")


HURRY = """const press = (key, ctrlKey) => document.getElementById("stage").dispatchEvent(
    new KeyboardEvent("keydown", {key, ctrlKey: Boolean(ctrlKey), bubbles: true}));
  const mark = document.querySelector("[data-layer='layers.0'] input");"""


def check_hurry(page):
    """Undo takes back one change, however soon it follows, and changes under way keep what moves meanwhile."""
    def seen():
        state = page.state()["config"]
        return state["camera"], state["layers"][0].get("shown", True)
    begin = seen()
    page.after(lambda: page.run(HURRY + "press('+'); press('z', true)"))
    expect(seen() == begin, f"undo takes back a key that has not settled, alone: {begin} {seen()}")
    page.after(lambda: page.click("#redo"))
    nearer = seen()
    expect(nearer != begin, "and redo makes it again")
    page.after(lambda: page.run(HURRY + "press('-'); press('y')"))
    page.after(lambda: page.click("#undo"))
    page.after(lambda: page.click("#undo"))
    expect(seen() == nearer, f"a key that has not settled is a change of its own: {nearer} {seen()}")
    page.after(lambda: page.run(HURRY + "mark.click(); press('y')"))
    expect(seen()[0] != nearer[0] and not seen()[1], f"a change keeps the view that comes before its answer: {seen()}")
    page.after(lambda: page.click("#undo"))
    page.after(lambda: page.click("#undo"))
    expect(seen() == nearer, f"undo leads back through both: {nearer} {seen()}")
    page.after(lambda: page.run(HURRY + "mark.click(); press('z', true)"))
    expect(seen() == nearer, f"undo waits for the change before it: {seen()}")


def check_link(page):
    state, link = page.state(), page.run("return location.href")
    page.open("about:blank")
    page.open(link)
    page.ready()
    expect(page.state()["config"]["camera"] == state["config"]["camera"], "the address brings the view back")


# ---- Time ---------------------------------------------------------------------------------------


def check_time(page):
    page.after(lambda: page.keys(","))
    before = int(page.data("step"))
    page.after(lambda: page.keys("."))
    expect(int(page.data("step")) == before + 1, "keys lead from step to step")
    page.after(lambda: page.run("""const s = document.getElementById("slider"); s.value = 0;
        s.dispatchEvent(new Event("input")); s.dispatchEvent(new Event("change"))"""))
    expect(int(page.data("step")) == 0, "so does the slider")
    last = page.run("return +document.getElementById('slider').max")
    page.click("#play")
    expect(wait_for(lambda: int(page.data("step")) == last), "it plays to the end")
    page.ready()
    page.run("document.getElementById('speed').value = 10; document.getElementById('loop').checked = true")
    page.click("#play")
    expect(wait_for(lambda: int(page.data("step")) < last), "it plays round")
    page.click("#play")
    page.ready()
    page.run("document.getElementById('loop').checked = false")
    small = wait_for(lambda: page.run("""const i = document.querySelectorAll("#thumbs img");
        return i.length === document.querySelectorAll("#thumbs button").length && i.length"""))
    expect(small == last + 1, f"steps have small pictures: {small}")
    page.shot("time")
    if int(page.data("step")) == 1:
        page.after(lambda: page.keys("."))
    page.after(lambda: page.click("#thumbs button:nth-child(2)"))
    expect(int(page.data("step")) == 1, "which lead there")
    page.after(lambda: page.click("#thumbs button:last-child"))


# ---- Layers -------------------------------------------------------------------------------------


def layers(page):
    return [next(k for k in layer if k != "shown") for layer in page.state()["config"]["layers"]]


def check_layers(page):
    begin = layers(page)
    page.run("""document.querySelector(".adder").open = true; const s = document.querySelector(".adder select");
        s.value = "isosurface"; s.dispatchEvent(new Event("change"))""")
    page.after(lambda: page.click(".adder button"))
    expect(layers(page) == begin + ["isosurface"], f"a layer is added: {layers(page)}")
    last = len(begin)
    found = wait_for(lambda: page.run("return !!document.querySelector(`[data-name^='layers.${arguments[0]}.isosurface.val'] canvas`)", last))
    expect(found, "its value has a histogram")
    page.shot("isosurface")
    page.after(lambda: page.click(f"[data-layer='layers.{last}'] .order button"))
    expect(layers(page)[last - 1] == "isosurface", f"it moves up: {layers(page)}")
    page.after(lambda: page.click(f"[data-layer='layers.{last - 1}'] input"))
    expect(page.state()["config"]["layers"][last - 1]["shown"] is False, "it is hidden")
    page.after(lambda: page.run("const b = document.querySelector(arguments[0]); b.click(); b.click()", f"[data-layer='layers.{last - 1}'] > button"))
    expect(layers(page) == begin, f"it is removed: {layers(page)}")
    name = "layers.0.volume.range"
    page.type(f"[data-name='{name}'] input", "9999")
    wrong = wait_for(lambda: page.run("return document.querySelector(`[data-name='${arguments[0]}'] .wrong:not([hidden])`)?.textContent", name))
    expect(wrong and "ascend" in wrong, f"a refusal stands beside its control: {wrong}")
    page.after(lambda: page.type(f"[data-name='{name}'] input", "0.1"))
    expect(page.state()["config"]["layers"][0]["volume"]["range"][0] == 0.1, "a range is set")


def drag(page, selector, x, y):
    """Drags an element by some pixels."""
    page.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", selector)
    element, held = page.element(selector), {"pointerType": "mouse"}
    moves = [{"type": "pointerMove", "duration": 20, "x": x * n // 4, "y": y * n // 4, "origin": element} for n in range(5)]
    steps = [moves[0], {"type": "pointerDown", "button": 0}, *moves[1:], {"type": "pointerUp", "button": 0}]
    page.browser.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": held, "actions": steps}]})


def check_transfer(page):
    """Opacity and colours by points, over the histogram."""
    def volume():
        return page.state()["config"]["layers"][0]["volume"]
    box = "[data-name='layers.0.volume.opacity'] "
    expect(wait_for(lambda: page.run("return !!document.querySelector(arguments[0])?.getAttribute('d')", box + ".bars")),
           "opacity stands over a histogram")
    first = volume()["opacity"]
    last = len(first) - 1
    page.after(lambda: drag(page, f"{box}[data-point='{last}']", -20, 10))
    moved = volume()["opacity"]
    expect(moved[last][0] < first[last][0] and moved[:last] == first[:last], f"a point is dragged: {first} {moved}")
    page.after(lambda: page.send(f"{box}[data-point='{last}']", "\ue017"))
    expect(len(volume()["opacity"]) == last, f"a key removes it: {volume()['opacity']}")
    page.after(lambda: page.run("""const b = document.querySelector(arguments[0]), r = b.getBoundingClientRect();
        b.dispatchEvent(new MouseEvent("dblclick", {clientX: r.x + 0.9 * r.width, clientY: r.y + 0.4 * r.height}))""", box + ".points"))
    expect(len(volume()["opacity"]) == last + 1, "a double click adds one")
    for preset in ("bands", "peaks", "free stream clear"):
        before = volume()["opacity"]
        page.after(lambda: page.run("""const m = document.querySelector(arguments[0]); m.value = arguments[1];
            m.dispatchEvent(new Event("change"))""", box + ".tool select", preset))
        expect(volume()["opacity"] != before, f"{preset} is a preset")
    colors = "[data-name='layers.0.volume.colors'] "
    page.after(lambda: page.click(colors + ".tool button"))
    expect(len(volume()["colors"]) == 5, f"colours are by point: {volume()['colors']}")
    wait_for(lambda: page.run("return !!document.querySelector(arguments[0])", f"{colors}[data-point='2']"))
    page.after(lambda: drag(page, f"{colors}[data-point='2']", 30, 0))
    expect(volume()["colors"][2][0] > 0.55, f"which are dragged: {volume()['colors']}")
    page.shot("transfer")
    page.after(lambda: page.click(colors + ".tool button"))
    expect(isinstance(volume()["colors"], str), "and by map again")


# ---- Probe, empty pictures ----------------------------------------------------------------------


def check_probe(page):
    page.after(lambda: page.keys("r"))
    page.pointer((5, 5), (6, 5))
    tip = wait_for(lambda: page.run("const t = document.getElementById('hover'); return t.hidden ? '' : t.textContent"))
    expect(tip and "x = " in tip and " = " in tip.split("\n")[-1], f"the pointer shows values: {tip}")
    page.shot("probe")
    page.pointer((6, 5), "pointerDown", "pointerUp")
    expect(wait_for(lambda: page.run("return document.querySelectorAll('#pin-rows tr').length")) == 1, "a click pins them")
    before = page.camera()
    page.after(lambda: page.run("""const s = document.getElementById("stage"), b = s.getBoundingClientRect();
        s.dispatchEvent(new MouseEvent("dblclick", {clientX: b.x + b.width / 2 + 6, clientY: b.y + b.height / 2 + 5}))"""))
    expect(page.camera()["look_at"] != before["look_at"], "a double click sets the centre")


def choose(page, selector, value):
    page.run("""const m = document.querySelector(arguments[0]); m.value = arguments[1];
        m.dispatchEvent(new Event("change"))""", selector, value)


def check_compare(page):
    """A second picture, of another step or field."""
    page.after(lambda: page.keys("r"))
    shown, other = int(page.data("step")), "const o = document.getElementById('other'); return o.hidden ? null : "
    step = 0 if shown else 1
    choose(page, "#compare-way", "beside")
    choose(page, "#compare-step", step)
    expect(wait_for(lambda: page.run(other + "o.dataset.step") == str(step)),
           "another step stands beside the picture")
    choose(page, "#compare-field", "velocity_x")
    named = wait_for(lambda: "velocity_x" in page.run("return document.getElementById('other-label').textContent"))
    expect(named, "another field stands beside it")
    boxes = page.run("return ['picture', 'other'].map(i => { const b = document.getElementById(i).getBoundingClientRect(); return [b.left, b.width]; })")
    expect(boxes[0][0] + boxes[0][1] <= boxes[1][0] + 1, f"they stand side by side: {boxes}")
    page.run("window.scrollTo(0, 0)")
    page.shot("beside")
    choose(page, "#compare-way", "slider")
    page.run("const d = document.getElementById('divider'); d.value = 40; d.dispatchEvent(new Event('input'))")
    expect("40%" in page.run(other + "o.style.clipPath"), "a slider divides two pictures")
    page.ready()
    page.shot("slider")
    choose(page, "#compare-way", "off")
    expect(page.run("return document.getElementById('other').hidden"), "one picture again")


# ---- Tools of the picture -----------------------------------------------------------------------


def click(page, x, y):
    page.pointer((x, y), "pointerDown", "pointerUp")


def check_lines(page):
    """A line with curves along it, a distance, curves over time at pinned points."""
    page.after(lambda: page.keys("r"))
    page.keys("l")
    click(page, -120, 20)
    expect(wait_for(lambda: page.run("return document.querySelectorAll('#overlay .mark').length")), "a click begins a line")
    click(page, 60, -10)
    expect(wait_for(lambda: page.run("return document.querySelectorAll('#lines .curve').length")), "another one draws curves along it")
    file = saved(page, "#lines button", "line1.csv").decode().splitlines()
    expect(file[0].startswith("step,time,distance,x,y,z,block,i,j,k,") and len(file) == 201, f"they are saved as CSV: {file[:2]}")
    page.keys("d")
    click(page, -60, 10)
    click(page, 30, 10)
    expect(wait_for(lambda: page.run("return document.querySelectorAll('#overlay .distance').length")) == 1, "a distance is measured")
    text = page.run("return document.querySelector('#overlay .distance text').textContent")
    expect(float(text) > 0, f"and shown: {text}")
    page.keys("v")
    click(page, 5, 5)
    expect(wait_for(lambda: page.run("return document.querySelectorAll('#pin-rows tr').length === 2")), "another point is pinned")
    page.click("#curves")
    steps = page.run("return +document.getElementById('slider').max + 1")
    drawn = wait_for(lambda: page.run("return document.querySelector('#curve-list .curve')?.getAttribute('d')"))
    expect(drawn and drawn.count("L") == steps - 1, f"curves over time have each step: {drawn}")
    page.run("document.getElementById('pins').scrollIntoView()")
    page.shot("lines")


def particles(page):
    return [layer["particles"]["seeds"] for layer in page.state()["config"]["layers"] if "particles" in layer]


def check_seeds(page):
    page.keys("s")
    page.after(lambda: click(page, -100, 10))
    page.after(lambda: click(page, -90, 30))
    expect(len(particles(page)[-1][0]["points"]) == 2, f"clicks set seeds: {particles(page)}")
    page.keys("k")
    page.after(lambda: page.pointer((-130, -60), "pointerDown", (-130, 0), (-130, 60), "pointerUp"))
    expect(particles(page)[-1][1]["count"] == 20, f"a drag draws a rake: {particles(page)}")
    page.run("window.scrollTo(0, 0)")
    page.shot("seeds")
    page.keys("v")


def check_extreme(page):
    """The place of the greatest value, and streamlines through it."""
    pins = page.run("return document.querySelectorAll('#pin-rows tr').length")
    page.run("[...document.querySelectorAll('.tool button')].find(b => b.textContent === 'pin greatest').click()")
    expect(wait_for(lambda: page.run("return document.querySelectorAll('#pin-rows tr').length") == pins + 1), "the greatest value is pinned")
    before = particles(page)
    page.after(lambda: page.click("#pin-rows tr:last-child button"))
    expect(particles(page) != before, "streamlines go through it")


def handle(page, label):
    page.run("""for (const h of document.querySelectorAll(".handle")) h.id = "";
        [...document.querySelectorAll(".handle")].find(h => h.getAttribute("aria-label").includes(arguments[0])).id = "held" """, label)
    return "#held"


def check_handles(page):
    page.run("document.querySelector('.cutter').open = true")
    page.after(lambda: page.run("document.querySelector('.cutter button').click()"))
    first = page.state()["config"]["clip"][0]["point"]
    page.after(lambda: drag(page, handle(page, "Clip 0"), 30, 8))
    moved = page.state()["config"]["clip"][0]["point"]
    expect(moved[0] != first[0] and moved[1:] == first[1:], f"a clip is dragged along its normal: {first} {moved}")
    page.after(lambda: page.send("#held", "\ue014"))
    expect(page.state()["config"]["clip"][0]["point"] != moved, "and moved by keys")
    page.run("window.scrollTo(0, 0)")
    page.shot("handles")
    page.after(lambda: page.run("document.querySelector('.cutter [aria-label^=Remove]').click()"))
    expect("clip" not in page.state()["config"], "a clip is removed")
    count = len(layers(page))
    page.run("""document.querySelector(".adder").open = true; const s = document.querySelector(".adder select");
        s.value = "contour"; s.dispatchEvent(new Event("change"))""")
    page.after(lambda: page.click(".adder button"))
    label = f"Slice of layer {count}"
    wait_for(lambda: page.run("return [...document.querySelectorAll('.handle')].some(h => h.getAttribute('aria-label').startsWith(arguments[0]))", label))
    before = page.state()["config"]["layers"][count]
    page.after(lambda: drag(page, handle(page, label), 0, -60))
    expect(page.state()["config"]["layers"][count] != before, f"a slice is dragged: {before}")
    page.after(lambda: page.click(f"[data-layer='layers.{count}'] input"))


def check_empty(page):
    page.run("""document.querySelectorAll("#settings .folded legend").forEach(l => l.click())""")
    page.after(lambda: page.type("[data-name='camera.look_at'] input", "1e5"))
    shown = wait_for(lambda: page.run("return !document.getElementById('nothing-shown').hidden"))
    expect(shown, "an empty picture explains itself")
    page.shot("empty")
    page.after(lambda: page.click("#mend-fit"))
    expect(page.run("return document.getElementById('nothing-shown').hidden"), "and a button mends it")


# ---- Taking away --------------------------------------------------------------------------------


def saved(page, button, name):
    page.run(CATCH)
    page.click(button)
    text = wait_for(lambda: page.run("return window.saved[arguments[0]]", name))
    return base64.b64decode(text or "")


def check_taking(page, karman, folder):
    page.keys("t")
    expect(wait_for(lambda: page.run("return document.getElementById('taking').open")), "a dialog opens")
    page.shot("take")
    page.run("""document.getElementById("take-width").value = 320; document.getElementById("take-height").value = 200""")
    picture = saved(page, "#take-png", "wake.png")
    (folder / "wake.yaml").write_bytes(saved(page, "#take-yaml", "wake.yaml"))
    done = subprocess.run([karman, "render", "-q", "wake.yaml", "--output", "taken.png"], cwd=folder, capture_output=True)
    expect(done.returncode == 0 and picture == (folder / "taken.png").read_bytes(),
           f"karman render draws the picture that was taken away: {done.stderr}")
    expect(saved(page, "#take-pdf", "wake.pdf")[:5] == b"%PDF-", "a figure is a PDF")
    expect(json.loads(saved(page, "#take-json", "wake.json"))["image"]["width"] == 320, "the config is JSON, too")
    page.click("#taking form button")


def check_film(page, karman, folder):
    """Marked views become the config of a film."""
    page.after(lambda: page.keys("r"))
    page.keys("m")
    page.after(lambda: page.keys("x"))
    page.keys("m")
    page.keys("t")
    page.run("document.getElementById('film-count').value = 3; document.getElementById('take-width').value = 160; document.getElementById('take-height').value = 100")
    (folder / "film.yaml").write_bytes(saved(page, "#take-marks", "wake_film.yaml"))
    done = subprocess.run([karman, "render", "-q", "film.yaml"], cwd=folder, capture_output=True)
    pictures = sorted(folder.glob("wake_00*.png"))
    expect(done.returncode == 0 and len(pictures) == 4, f"karman render draws the film: {done.stderr} {pictures}")
    expect(len({p.read_bytes() for p in pictures}) == 4, "whose pictures differ")
    page.shot("film")
    page.click("#taking form button")


# ---- The page as such ---------------------------------------------------------------------------


def check_names(page):
    bare = page.run("""return [...document.querySelectorAll("button, input, select, textarea")].filter(e =>
        e.getAttribute("aria-hidden") !== "true" && !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length))
        .map(e => e.outerHTML.slice(0, 80))""")
    expect(not bare, f"each control has a name: {bare}")


def check_sizes(page):
    for name, width, height in (("desktop", 1400, 900), ("phone", 400, 800)):
        page.browser.size(width, height, mobile=name == "phone")
        page.ready()
        wide = page.run("return document.documentElement.scrollWidth")
        expect(wide <= width, f"the page fits a {name}: {wide}")
        page.shot(name)
    total = sum(len(page.view.ask(path)[2]) for path in page.run(
        "return ['/', ...performance.getEntriesByType('resource').map(r => new URL(r.name).pathname)]")
        if path == "/" or path.endswith((".js", ".css")))
    expect(0 < total <= 400000, f"the page has 400 kB at most: {total}")


def check_watching(page):
    """A guest's page follows, and goes back to ours."""
    page.keys("t")
    link = wait_for(lambda: page.run("return document.getElementById('watch-link').textContent"))
    page.click("#taking form button")
    ours = page.run("return location.href")
    page.open(link)
    seen = wait_for(lambda: page.run("const i = document.getElementById('picture'); return !i.hidden && i.naturalWidth"))
    expect(seen and page.run("return location.search") == "", f"a guest sees the picture: {seen}")
    page.shot("watch")
    page.open("about:blank")
    page.open(page.view.address + "#" + ours.split("#")[-1])
    page.ready()


def check_prefix(page):
    """The page below a path of a proxy: pictures, orders, the address bar, the link for guests."""
    proxy, ours = Proxy(page.view.port, prefix="/user/me/proxy/1"), page.run("return location.href")
    below = f"http://127.0.0.1:{proxy.port}/user/me/proxy/1/"
    page.open(f"{below}?token={page.view.token}")
    page.ready()
    page.after(lambda: page.keys("y"))
    page.state()
    expect(page.run("return location.href").startswith(below + "#"), "the address stays below the path")
    page.keys("t")
    link = wait_for(lambda: page.run("return document.getElementById('watch-link').textContent"))
    expect(link.startswith(below + "watch.html?"), f"and so does that for guests: {link}")
    page.open("about:blank")
    proxy.close()
    page.open(page.view.address + "#" + ours.split("#")[-1])
    page.ready()


def check_end(page):
    code, _, err = page.view.close(signal.SIGTERM)
    expect(code == 0, f"the view ends: {err}")
    page.keys("x")
    told = wait_for(lambda: page.run("const n = document.getElementById('notice'); return n.hidden ? '' : n.textContent"))
    expect(told and ("ended" in told), f"the page says so: {told}")


def check(page, karman, folder):
    check_opening(page)
    check_turning(page)
    check_link(page)
    check_time(page)
    check_layers(page)
    check_transfer(page)
    check_probe(page)
    check_lines(page)
    check_seeds(page)
    check_extreme(page)
    check_handles(page)
    check_compare(page)
    check_empty(page)
    check_taking(page, karman, folder)
    check_film(page, karman, folder)
    check_names(page)
    check_sizes(page)
    check_watching(page)
    check_prefix(page)
    log = [entry["message"] for entry in page.browser.call("POST", "/se/log", {"type": "browser"})]
    expect(not [m for m in log if "422" not in m and "409" not in m], f"the browser's console has no errors: {log}")
    check_end(page)


def main():
    karman, dataset, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    browser, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not browser or not driver:
        print("there is no Chromium with chromedriver")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run([dataset, "karman", "--size=25,33,9", "--steps=3", "--output", folder / "wake.h5"], check=True)
    view = View(karman, folder / "wake.h5")
    window = Browser(browser, driver, folder / "profile")
    try:
        window.size(1200, 800)
        check(Page(window, view, pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None), karman, folder)
    finally:
        window.call("DELETE", "")
        window.driver.terminate()
        view.program.kill()
    print(serving.failures, "failures")
    return serving.failures > 0


if __name__ == "__main__":
    sys.exit(main())
