#!/usr/bin/env python3
"""The page of karman view in a real browser.

    view_page.py KARMAN DATASET FOLDER [--phone] [--ranks N --launcher COMMAND] [--shots FOLDER]

Drives Chromium by chromedriver. Exit code 77 if either is missing. With --shots, screenshots of the page
are kept there. docs/user/view.md describes what is checked; README.md lists the checks.
"""
import argparse
import json
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys

import serving
from explorer import Browser, Page, choose, click, drag, layers, saved
from link import Proxy
from serving import expect, wait_for
from view import View, is_alike

SIZES = {"desktop": (1200, 800), "phone": (400, 800)}

# ---- Loading ------------------------------------------------------------------------------------

# The page asks how much is loaded: it hears this until `released` is set.
HOLD = """const real = window.fetch;
window.fetch = (path, options) => !window.released && String(options?.body).includes('"do":"loading"')
  ? Promise.resolve(new Response('{"ready": false, "what": "pressure", "share": 0.4}')) : real(path, options);"""


def check_loading(page):
    """Before the first answer, and while data are loaded."""
    _, _, source = page.view.ask(f"/?token={page.view.token}")
    expect(b"Loading" in source, "the page begins with Loading")
    held = page.browser.command("Page.addScriptToEvaluateOnNewDocument", source=HOLD)["identifier"]
    page.open()
    empty = "return document.getElementById('empty').textContent"
    said = wait_for(lambda: page.run(empty + ".startsWith('Loading pressure')") and page.run(empty))
    expect(said == "Loading pressure: 40 % …" and page.run("return document.getElementById('picture').hidden"),
           f"the page says how much is loaded: {said}")
    page.shot("loading")
    page.run("window.released = true")
    page.browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=held)
    page.ready()
    expect(page.run("return document.getElementById('empty').hidden"), "and shows the picture then")
    page.open("about:blank")


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


def touch(page, *fingers):
    """Moves fingers over the picture: each a list of places."""
    stage = page.element("#stage")
    page.run("window.scrollTo(0, 0)")
    page.browser.call("POST", "/actions", {"actions": [
        {"type": "pointer", "id": f"finger{n}", "parameters": {"pointerType": "touch"},
         "actions": [{"type": "pointerMove", "x": places[0][0], "y": places[0][1], "origin": stage}, {"type": "pointerDown", "button": 0},
                     *[{"type": "pointerMove", "duration": 30, "x": x, "y": y, "origin": stage} for x, y in places[1:]],
                     {"type": "pointerUp", "button": 0}]} for n, places in enumerate(fingers)]})


def check_touch(page):
    def distance(camera):
        return sum((a - b) ** 2 for a, b in zip(camera["position"], camera["look_at"])) ** 0.5
    before = page.camera()
    page.after(lambda: touch(page, [(8 * n, 0) for n in range(8)]))
    turned = page.camera()
    expect(turned["position"] != before["position"] and turned["look_at"] == before["look_at"], f"a finger turns: {before} {turned}")
    page.after(lambda: touch(page, [(-20 - 8 * n, 0) for n in range(8)], [(20 + 8 * n, 0) for n in range(8)]))
    expect(distance(page.camera()) < distance(turned), f"two fingers zoom: {turned} {page.camera()}")
    page.after(lambda: page.keys("r"))


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
    check_ahead(page, last)


def check_ahead(page, last):
    """The next step is drawn ahead, also where it has no small picture."""
    slide = """const s = document.getElementById("slider"); s.value = arguments[0];
        s.dispatchEvent(new Event("input")); s.dispatchEvent(new Event("change"))"""
    page.run("""Object.defineProperty(document.getElementById("stage"), "clientWidth", {configurable: true, get: () => 184});
        window.asked = [];
        const real = window.fetch;
        window.fetch = (path, order) => { window.asked.push(JSON.parse(order?.body || "{}").step); return real(path, order); }""")
    page.after(lambda: page.run(slide, 0))
    expect(wait_for(lambda: 1 in page.run("return window.asked")), "the next step is drawn ahead")
    page.run("delete document.getElementById('stage').clientWidth")
    page.after(lambda: page.run(slide, last))


# ---- Layers -------------------------------------------------------------------------------------


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
    x, y = page.hit()
    page.pointer((x - 1, y), (x, y))
    tip = page.is_phone or wait_for(lambda: page.run("const t = document.getElementById('hover'); return t.hidden ? '' : t.textContent"))
    expect(page.is_phone or "x = " in tip and " = " in tip.split("\n")[-1], f"the pointer shows values: {tip}")
    page.shot("probe")
    click(page, x, y)
    expect(wait_for(lambda: page.run("return document.querySelectorAll('#pin-rows tr').length")) == 1, "a click pins them")
    before = page.camera()
    page.after(lambda: page.run("""const s = document.getElementById("stage"), b = s.getBoundingClientRect();
        s.dispatchEvent(new MouseEvent("dblclick", {clientX: b.x + b.width / 2 + arguments[0], clientY: b.y + b.height / 2 + arguments[1]}))""", x, y))
    expect(page.camera()["look_at"] != before["look_at"], "a double click sets the centre")


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
    ours, others, label = page.run("""return ["picture", "other", "other-label"].map(i => {
        const b = document.getElementById(i).getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; })""")
    side = 1 if page.is_phone else 0  # a phone shows one above the other
    expect(ours[side + 2] <= others[side] + 1, f"they stand beside each other: {ours} {others}")
    expect(label[side] >= others[side], f"and the label on its picture: {label} {others}")
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
    click(page, *page.hit())
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
    expect(particles(page)[-1][-1].get("count") == [3, 3, 3], f"streamlines go through it and around it: {particles(page)} {before}")


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


def render(page, folder, name, ranks):
    """The picture that karman render draws of a config that was taken away."""
    launch = [*shlex.split(page.launcher), "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launch, page.karman, "render", "-q", name, "--output", "taken.png"], cwd=folder, capture_output=True)
    expect(done.returncode == 0, f"karman render draws {name} on {ranks} ranks: {done.stderr}")
    return (folder / "taken.png").read_bytes()


def check_taking(page, folder):
    page.keys("t")
    expect(wait_for(lambda: page.run("return document.getElementById('taking').open")), "a dialog opens")
    page.shot("take")
    page.run("""document.getElementById("take-width").value = 320; document.getElementById("take-height").value = 200""")
    picture = saved(page, "#take-png", "wake.png")
    (folder / "wake.yaml").write_bytes(saved(page, "#take-yaml", "wake.yaml"))
    for ranks in (1, 4) if page.launcher else (1,):
        drawn = render(page, folder, "wake.yaml", ranks)
        expect(picture == drawn if ranks == page.view.ranks else is_alike(picture, drawn),
               f"karman render on {ranks} ranks draws the picture that was taken away from {page.view.ranks}")
    expect(saved(page, "#take-pdf", "wake.pdf")[:5] == b"%PDF-", "a figure is a PDF")
    expect(json.loads(saved(page, "#take-json", "wake.json"))["image"]["width"] == 320, "the config is JSON, too")
    page.click("#taking form button")


def check_film(page, folder):
    """Marked views become the config of a film."""
    page.after(lambda: page.keys("r"))
    page.keys("m")
    page.after(lambda: page.keys("x"))
    page.keys("m")
    page.keys("t")
    page.run("document.getElementById('film-count').value = 3; document.getElementById('take-width').value = 160; document.getElementById('take-height').value = 100")
    (folder / "film.yaml").write_bytes(saved(page, "#take-marks", "wake_film.yaml"))
    done = subprocess.run([page.karman, "render", "-q", "film.yaml"], cwd=folder, capture_output=True)
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
    for name, (width, height) in SIZES.items():
        page.browser.size(width, height, mobile=name == "phone")
        page.ready()
        wide = page.run("return document.documentElement.scrollWidth")
        expect(wide <= width, f"the page fits a {name}: {wide}")
        for scheme in ("dark", "light"):
            page.browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            page.shot(f"{name}-{scheme}")
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


def check(page, folder):
    check_loading(page)
    check_opening(page)
    check_turning(page)
    check_touch(page)
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
    check_taking(page, folder)
    check_film(page, folder)
    check_names(page)
    check_sizes(page)
    check_watching(page)
    check_prefix(page)
    log = [entry["message"] for entry in page.browser.call("POST", "/se/log", {"type": "browser"})]
    expect(not [m for m in log if "422" not in m and "409" not in m], f"the browser's console has no errors: {log}")
    check_end(page)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("karman")
    parser.add_argument("dataset")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--phone", action="store_true")
    parser.add_argument("--ranks", type=int, default=1)
    parser.add_argument("--launcher")
    parser.add_argument("--shots", type=pathlib.Path)
    chosen = parser.parse_args()
    browser, driver, folder = shutil.which("chromium"), shutil.which("chromedriver"), chosen.folder.resolve()
    if not browser or not driver:
        print("there is no Chromium with chromedriver")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    subprocess.run([chosen.dataset, "karman", "--size=25,33,9", "--steps=3", "--output", folder / "wake.h5"], check=True)
    view = View(chosen.karman, folder / "wake.h5", ranks=chosen.ranks, launcher=chosen.launcher)
    window = Browser(browser, driver, folder / "profile")
    try:
        window.size(*SIZES["phone" if chosen.phone else "desktop"], mobile=chosen.phone)
        page = Page(window, view, chosen.shots)
        page.karman, page.launcher, page.is_phone = chosen.karman, chosen.launcher, chosen.phone
        check(page, folder)
    finally:
        window.call("DELETE", "")
        window.driver.terminate()
        view.program.kill()
    print(serving.failures, "failures")
    return serving.failures > 0


if __name__ == "__main__":
    sys.exit(main())
