#!/usr/bin/env python3
"""The page of karman live in a real browser, beside a run without a solver.

    page.py KARMAN FOLDER [SCREENSHOTS]

Drives Chromium by chromedriver. Exit code 77 if either is missing. With SCREENSHOTS, a folder,
screenshots of the page are kept there.
"""
import json
import math
import os
import pathlib
import shutil
import signal
import sys
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "image"))
import serving  # noqa: E402
from compare_page import ELEMENT, Browser  # noqa: E402
from fake_run import color_of  # noqa: E402
from serving import Run, Served, expect, wait_for  # noqa: E402

SAMPLES = 100000

# The colour in a corner of the picture, as shown.
COLOR = """const image = document.getElementById("picture"), c = document.createElement("canvas");
if (image.hidden || !image.complete || !image.naturalWidth) return null;
c.width = image.naturalWidth; c.height = image.naturalHeight;
c.getContext("2d").drawImage(image, 0, 0);
return [...c.getContext("2d").getImageData(3, 3, 1, 1).data].slice(0, 3)"""


class Page:
    """The page, as a user sees it."""

    def __init__(self, browser, served, run):
        self.browser, self.served, self.run = browser, served, run

    def open(self, address=None):
        self.browser.call("POST", "/url", {"url": address or self.served.address})

    def text(self, name):
        return self.browser.run("return document.getElementById(arguments[0]).textContent", name)

    def state(self):
        return self.browser.run("return document.getElementById('badge')?.dataset.state")

    def cycle(self):
        text = self.text("cycle")
        return int(text) if text.isdigit() else -1

    def shown(self):
        """The cycle of the picture that is shown."""
        return int(self.browser.run("return document.getElementById('picture').dataset.cycle") or -1)

    def color(self):
        return self.browser.run(COLOR)

    def element(self, selector):
        return self.browser.call("POST", "/element", {"using": "css selector", "value": selector})

    def click(self, selector):
        self.browser.call("POST", f"/element/{self.element(selector)[ELEMENT]}/click", {})

    def type(self, selector, text):
        """Replaces the contents of a field by text, and presses Enter."""
        field, control, end, enter = self.element(selector)[ELEMENT], "\ue009", "\ue000", "\ue007"
        self.browser.call("POST", f"/element/{field}/value", {"text": control + "a" + end + text + enter})

    def actions(self, *devices):
        self.browser.call("POST", "/actions", {"actions": list(devices)})
        self.browser.call("DELETE", "/actions")

    def drag(self, x, y, key=None, cancel=False):
        """Drags from the middle of the picture, in a few steps."""
        stage = self.element("#stage")
        move = [{"type": "pointerMove", "duration": 60, "x": x * n // 4, "y": y * n // 4, "origin": stage}
                for n in range(1, 5)]
        pointer = [{"type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": stage},
                   {"type": "pointerDown", "button": 0}, *move,
                   {"type": "pause", "duration": 200}, {"type": "pause", "duration": 1},
                   {"type": "pointerUp", "button": 0}]
        keys = [{"type": "pause", "duration": 0}] * len(pointer)
        if key:
            keys[0], keys[-1] = {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}
        if cancel:
            keys[-3], keys[-2] = {"type": "keyDown", "value": "\ue00c"}, {"type": "keyUp", "value": "\ue00c"}
        self.actions({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": pointer},
                     {"type": "key", "id": "keys", "actions": keys})

    def value(self, name):
        """The value of a parameter in the run."""
        document = json.loads((self.run.folder / "parameters.json").read_text())
        return next((p["value"] for p in document["parameters"] if p["name"] == name), None)

    def toasts(self, bad=False):
        selector = ".toast.bad" if bad else ".toast"
        return self.browser.run("return [...document.querySelectorAll(arguments[0])].map(t => t.textContent)", selector)

    def clear_toasts(self):
        self.browser.run("document.getElementById('toasts').replaceChildren()")


# ---- Watching ---------------------------------------------------------------------------------------


def check_opening(page):
    page.open(page.served.address[:-1] + ("0" if page.served.token[-1] != "0" else "1"))
    expect(page.state() is None, "a wrong token opens no page")
    page.browser.call("POST", "/se/log", {"type": "browser"})
    page.open()
    expect(wait_for(lambda: page.state() == "running"), f"the page shows a run that goes on, not {page.state()}")
    address = page.browser.run("return location.href")
    expect(page.served.token not in address, f"the token leaves the address: {address}")
    page.browser.call("POST", "/refresh", {})
    expect(wait_for(lambda: page.state() == "running"), "the page can be loaded anew")
    expect(page.served.token not in page.browser.run("return document.cookie"), "no script sees a cookie")


def check_pictures(page):
    first = wait_for(page.color)
    expect(first == list(color_of(page.value("camera.position"))), f"the picture is that of the run: {first}")
    cycle = page.shown()
    expect(wait_for(lambda: page.shown() > cycle + 2), "newer pictures take its place")
    cycle = page.run.status()["cycle"]
    expect(wait_for(lambda: page.shown() >= cycle), "the newest one, in the end")


def check_time_line(page):
    newest = page.shown()
    page.browser.run("const s = document.getElementById('slider'); s.value = 0; s.dispatchEvent(new Event('input'))")
    oldest = json.loads((page.run.folder / "frames.jsonl").read_text().splitlines()[0])["cycle"]
    expect(wait_for(lambda: page.shown() == oldest), f"the time line goes back to {oldest}, not {page.shown()}")
    later = page.cycle() + 5
    expect(wait_for(lambda: page.cycle() > later) and page.shown() == oldest, "and stays there while newer ones come")
    page.click("#play")
    expect(wait_for(lambda: page.shown() > oldest), "it plays on from there")
    page.click("#newest")
    expect(wait_for(lambda: page.shown() > newest), "and goes back to the newest")


def check_charts(page):
    _, _, source = page.served.ask("/?token=" + page.served.token)
    expect(b"Loading" in source and b"no picture" not in source, "the page begins with Loading")
    names = page.browser.run("return [...document.querySelectorAll('.chart')].map(c => c.dataset.chart)")
    for name in ("residual", "lift", "drag", "stages", "memory", "bytes"):
        expect(name in names, f"there is a chart of {name}: {names}")
    expect(names[:4] == ["residual", "lift", "drag", "particles"], f"monitors of the program come before particles: {names}")
    canvas = page.element('[data-chart="drag"] canvas')
    page.browser.run("arguments[0].scrollIntoView({block: 'center'})", canvas)
    page.actions({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
        {"type": "pointerMove", "duration": 0, "x": n, "y": 0, "origin": canvas} for n in (30, 20)]})
    value, _, cycle = wait_for(lambda: read_hover(page)) or ("", "", "nan")
    expect(SAMPLES / 4 < float(cycle) < SAMPLES, f"hovering shows a cycle in the middle: {cycle}")
    lines = (page.run.folder / "monitors.jsonl").read_text().splitlines()
    near = [json.loads(line)["values"]["drag"] for line in lines[int(float(cycle)) - 2:int(float(cycle)) + 1]]
    expect(any(abs(float(value) - v) < 1e-4 for v in near), f"and the drag there: {value}, not {near}")
    ink = page.browser.run("""const c = arguments[0], d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
        let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n / (d.length / 4)""", canvas)
    expect(ink > 0.05, f"the curve is drawn: {ink}")
    check_zoom(page, canvas)
    page.browser.run("window.scrollTo(0, 0)")


def check_zoom(page, canvas):
    """A drag shows a part of the cycles in all charts, a double click all; a finger does as a mouse."""
    labels = "return [...document.querySelectorAll('.chart canvas')].map(c => c.dataset.cycles)"
    for kind in ("mouse", "touch"):
        page.actions({"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": [
            {"type": "pointerMove", "duration": 0, "x": -20, "y": 0, "origin": canvas}, {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "duration": 50, "x": 0, "y": 0, "origin": canvas},
            {"type": "pointerMove", "duration": 50, "x": 40, "y": 0, "origin": canvas}, {"type": "pointerUp", "button": 0}]})
        # Charts of samples and of pictures have other cycles until all show the same part.
        parts = wait_for(lambda: len(set(filter(None, now := page.browser.run(labels)))) == 1 and now) or page.browser.run(labels)
        ranges = [list(map(float, text.split())) for text in parts or [] if text]
        expect(ranges and len(set(map(tuple, ranges))) == 1, f"a drag by {kind} zooms all charts alike: {parts}")
        expect(ranges and 0 < ranges[0][0] < ranges[0][1] < SAMPLES, f"to what was drawn: {ranges[:1]}")
        page.browser.run("arguments[0].dispatchEvent(new MouseEvent('dblclick'))", canvas)
        expect(wait_for(lambda: float(page.browser.run(labels)[0].split()[0]) < 2), "a double click shows all again")


# Adds samples to a curve, at times going back to an earlier cycle; returns the wrong statements of
# its blocks. The samples come from a linear congruential generator, some of them not a number.
CURVE = """const done = arguments[0];
import("/charts.js").then(({Curve}) => {
  const curve = new Curve("test"), x = [], y = [], wrong = [];
  let seed = 1;
  const next = n => (seed = 16807 * seed % 2147483647) % n;
  for (let n = 0; n < 5000; n++) {
    const end = x.at(-1) ?? 0, from = next(100) ? end + 1 : Math.max(0, end - next(150));
    while (x.length && x.at(-1) >= from) { x.pop(); y.pop(); }
    x.push(from);
    y.push(next(50) ? next(1000) - 500 : NaN);
    curve.add(x.at(-1), y.at(-1));
  }
  if (curve.count !== x.length) wrong.push("count");
  for (let n = 0; n < x.length; n++) {
    if (curve.x[n] !== x[n] || !Object.is(curve.y[n], y[n])) wrong.push("sample " + n);
    const block = curve.whole(n), part = y.slice(n, n + 64).filter(isFinite);
    if (block && (block.least !== Math.min(...part) || block.most !== Math.max(...part) ||
                  block.above !== Math.min(...part.filter(v => v > 0)))) wrong.push("block " + n);
  }
  done([x.length, wrong.slice(0, 5)]);
})"""


def check_curves(page):
    count, wrong = page.browser.call("POST", "/execute/async", {"script": CURVE, "args": []})
    expect(count > 200 and not wrong, f"a curve of {count} samples knows its blocks: {wrong}")


def read_hover(page):
    text = page.browser.run("return document.querySelector('[data-chart=\"drag\"] .value').textContent")
    return text.partition(" at cycle ") if " at cycle " in text else None


# ---- Steering ---------------------------------------------------------------------------------------


def check_halt(page):
    page.click("#halt")
    expect(wait_for(lambda: page.state() == "halted"), "halt halts")
    held = page.run.status()["cycle"]
    time.sleep(1.0)
    expect(page.run.status()["cycle"] == held and page.cycle() == held, "and holds the step count")
    expect(wait_for(lambda: page.shown() == held), "with the last picture")
    page.click("#step")
    expect(wait_for(lambda: page.shown() == held + 1), "a step is one step, with its picture")
    page.browser.run("document.getElementById('steps').value = 3")
    page.click("#step")
    expect(wait_for(lambda: page.cycle() == held + 4), "three steps are three")
    time.sleep(0.4)
    expect(page.run.status()["cycle"] == held + 4, "and no more")


def distance(page):
    return math.dist(page.value("camera.position"), page.value("camera.look_at"))


def check_drag(page):
    """While the run is halted, the camera changes, and the next picture with it."""
    before, far = page.value("camera.position"), distance(page)
    page.drag(120, 0)
    expect(wait_for(lambda: page.value("camera.position") != before), "a drag changes the camera")
    rest(page)
    after = page.value("camera.position")
    expect(abs(distance(page) - far) < 1e-4 * far and abs(after[2] - before[2]) < 1e-4 * far,
           f"it turns around what it looks at: {before} to {after}")
    angle = math.atan2(after[1], after[0]) - math.atan2(before[1], before[0])
    high = page.browser.run("return document.getElementById('stage').clientHeight")
    expect(abs(angle + math.pi * 120 / high) < 1e-4, f"by as much as the pointer has moved: {angle}")
    expect(wait_for(lambda: page.color() == list(color_of(after))), "the next picture is that of the new camera")
    page.drag(0, 150)
    rest(page)
    expect(page.value("camera.position")[2] > after[2], "a drag downwards lifts the camera")
    page.drag(50, 30, key="\ue008")
    rest(page)
    expect(math.dist(page.value("camera.look_at"), [0, 0, 0]) > 0.01, "with Shift it moves")
    expect(abs(distance(page) - far) < 1e-4 * far, "and keeps its distance")
    check_escape(page)
    check_wheel(page, far)


def rest(page):
    """Waits until the page sends nothing any more and shows the state of the run."""
    wait_for(lambda: page.browser.run("return !document.querySelector('#stage.turned, #stage.dragging')"), 100)


def check_escape(page):
    before = page.value("camera.position")
    page.drag(-100, 20, cancel=True)
    rest(page)
    after = page.value("camera.position")
    expect(math.dist(before, after) < 1e-4, f"Escape takes a drag back: {before}, {after}")


def check_wheel(page, far):
    stage = page.element("#stage")
    page.actions({"type": "wheel", "id": "wheel", "actions": [
        {"type": "scroll", "duration": 0, "x": 0, "y": 0, "deltaX": 0, "deltaY": 400, "origin": stage}]})
    expect(wait_for(lambda: distance(page) > 1.2 * far), f"the wheel takes it farther: {distance(page)}")
    rest(page)
    page.browser.run("document.getElementById('stage').focus()")
    here = page.value("camera.position")
    page.actions({"type": "key", "id": "keys", "actions": [
        {"type": kind, "value": "\ue012"} for kind in ("keyDown", "keyUp")]})
    expect(wait_for(lambda: page.value("camera.position") != here), "arrow keys turn it")
    rest(page)
    check_touch(page)


def fingers(page, *paths):
    """Fingers on the picture move at the same time, each along its own path from the middle."""
    stage = page.element("#stage")
    page.actions(*({"type": "pointer", "id": f"finger {n}", "parameters": {"pointerType": "touch"}, "actions": [
        {"type": "pointerMove", "duration": 0, "x": path[0][0], "y": path[0][1], "origin": stage},
        {"type": "pointerDown", "button": 0},
        *({"type": "pointerMove", "duration": 60, "x": x, "y": y, "origin": stage} for x, y in path[1:]),
        {"type": "pause", "duration": 200},
        {"type": "pointerUp", "button": 0}]} for n, path in enumerate(paths)))
    rest(page)


def check_touch(page):
    before, far = page.value("camera.position"), distance(page)
    fingers(page, [(0, 0), (30, 0), (60, 0)])
    # Drags before may have taken the camera nearly above the point that it looks at: then it moves little.
    expect(math.dist(page.value("camera.position"), before) > 1e-3 * far, "a finger turns the camera")
    expect(abs(distance(page) - far) < 1e-4 * far, f"and keeps its distance: {distance(page)} and {far}")
    fingers(page, [(-20, 0), (-40, 0), (-60, 0)], [(20, 0), (40, 0), (60, 0)])
    expect(abs(distance(page) - far / 3) < 0.01 * far, f"two fingers take it nearer: {distance(page)} of {far}")
    fingers(page, [(-60, 0), (-40, 0), (-20, 0)], [(60, 0), (40, 0), (20, 0)])
    expect(abs(distance(page) - far) < 0.02 * far, f"and back: {distance(page)} and {far}")


def check_resume(page):
    cycle = page.cycle()
    page.click("#resume")
    expect(wait_for(lambda: page.state() == "running" and page.cycle() > cycle + 2), "resume goes on")


def check_settings(page):
    box = '[data-name="{}"] '.format
    page.type(box("solver.cfl") + "input[type=number]", "0.75")
    expect(wait_for(lambda: page.value("solver.cfl") == 0.75), "a number takes effect")
    page.type(box("layers.0.volume.range") + "input:last-of-type", "3.5")
    expect(wait_for(lambda: page.value("layers.0.volume.range") == [0, 3.5]), "and the end of a range")
    page.browser.run("""const s = document.querySelector(arguments[0]); s.value = "inferno";
                     s.dispatchEvent(new Event("change"))""", box("layers.0.volume.colors") + "select")
    expect(wait_for(lambda: page.value("layers.0.volume.colors") == "inferno"), "and a choice")
    page.click(box("layers.1.outline.visible") + "input")
    expect(wait_for(lambda: page.value("layers.1.outline.visible") is False), "and a check mark")
    page.type(box("layers.0.volume.opacity") + "textarea", "[[0, 0], [1, 1]]")
    page.click(box("layers.0.volume.opacity") + "button")
    expect(wait_for(lambda: page.value("layers.0.volume.opacity").strip() == "[[0, 0], [1, 1]]"), "and a text")
    page.clear_toasts()
    page.type(box("solver.cfl") + "input[type=number]", "7")
    hidden = "return document.querySelector(arguments[0]).hidden"
    expect(not page.browser.run(hidden, box("solver.cfl") + ".wrong") and page.value("solver.cfl") == 0.75,
           "a number beyond the limits is not sent")
    expect(wait_for(lambda: refused(page, box("solver.stages") + "input[type=number]", "4")),
           f"what the run refuses is said: {page.toasts()}")
    number = "return +document.querySelector(arguments[0]).value"
    expect(wait_for(lambda: page.browser.run(number, box("solver.stages") + "input[type=number]") == 3),
           "and goes back")
    expect(wait_for(lambda: "refused" in page.text("log")), "and stands among the orders")


def refused(page, field, text):
    """Whether the page tells of a refusal. If the answer takes 3 seconds, the page only says that
    it has sent the order.
    """
    page.clear_toasts()
    page.type(field, text)
    told = wait_for(page.toasts)
    return any("does not like" in t for t in told)


# ---- The end ----------------------------------------------------------------------------------------


def stop(page):
    """Presses Stop until the run stops: the page forgets the first press if the second comes late."""
    def press():
        page.click("#stop")
        return page.state() == "finished"
    return wait_for(press, pause=0.5)


# Records the posts of the page from now on.
KEEP_POSTS = """const ask = window.fetch; window.posts = [];
window.fetch = (path, options) => {
  if (options?.method === "POST") window.posts.push(options.body);
  return ask(path, options);
}"""
# Records the words on the button Stop: the question is gone after some seconds, perhaps before the
# test has looked.
KEEP_WORDS = """const stop = document.getElementById("stop"); window.words = [];
new MutationObserver(() => window.words.push(stop.textContent)).observe(stop, {childList: true})"""
FIELDS = "#settings :is(input, select, textarea, button)"


def usable(page):
    """The number of fields of the settings that can be used."""
    return page.browser.run("return document.querySelectorAll(arguments[0]).length", FIELDS + ":enabled")


def check_stop(page):
    expect(usable(page) > 0, "settings can be changed")
    page.browser.run(KEEP_POSTS)
    page.browser.run(KEEP_WORDS)
    page.click("#stop")
    words = wait_for(lambda: page.browser.run("return window.words"))
    expect(words and words[0] != "Stop", f"stop asks once more: {words}")
    page.browser.run("for (let n = 0; n < 6; n++) document.getElementById('stop').click()")
    expect(wait_for(lambda: page.state() == "finished"), f"then it stops: {page.state()}")
    page.drag(60, 0)
    posts = page.browser.run("return window.posts")
    expect(posts == ['{"orders":[["stop"]]}'], f"one order to stop is sent, and none after the end: {posts}")
    expect(usable(page) == 0, "no setting can be changed")
    expect("is over" in page.text("notice"), "and the page says so")
    disabled = page.browser.run("return ['halt', 'resume', 'step', 'stop'].every(b => document.getElementById(b).disabled)")
    expect(disabled, "nothing can be ordered any more")


def check_next_run(page):
    """Another run in the same directory: the page shows it instead of the old one."""
    shutil.rmtree(page.run.folder)
    page.run.folder.mkdir()
    page.run = Run(page.run.folder, "--period", "0.1", "--seconds", "3000")
    expect(wait_for(lambda: page.state() == "running" and 0 < page.shown() < SAMPLES), "a new run is shown")
    expect(wait_for(lambda: usable(page)), "its settings can be changed")
    expect(page.browser.run("return !document.getElementById('stop').disabled"), "and it can be stopped")
    page.run.program.send_signal(signal.SIGKILL)
    page.run.program.wait()
    expect(wait_for(lambda: page.state() == "died"), f"a run that was killed is gone: {page.state()}")


def check_silent(page):
    """A program that lives, but has written nothing for a while."""
    page.run = Run(page.run.folder, "--seconds", "3000")
    page.run.program.send_signal(signal.SIGSTOP)
    hanging = {"state": "running", "cycle": 5, "time": 1, "frames": 1, "message": "",
               "updated": time.time() - 90, "sequence": 1}
    page.run.write_status(hanging)
    page.browser.call("POST", "/refresh", {})
    expect(wait_for(lambda: page.state() == "silent"), f"a run that hangs is noticed: {page.state()}")
    expect("No news" in page.text("notice"), "and the page says so")
    page.run.program.send_signal(signal.SIGCONT)
    expect(wait_for(lambda: page.state() == "running"), f"it may go on: {page.state()}")


def check_lost(page):
    code, _, _ = page.served.close()
    expect(code == 0, "the server ends beside an open page")
    expect(wait_for(lambda: "does not answer" in page.text("notice")), "the page says that the server has gone")


# ---- Beyond all reason ---------------------------------------------------------------------


def absurd_parameters():
    real = {"type": "real", "count": 1, "value": 1}
    deep = [[]]
    for _ in range(900):
        deep = [deep]
    return [{**real, "name": "a.huge", "count": 99999999, "value": [1, 2, 3]},
            *({**real, "name": f"a.count_{n}", "count": count}
              for n, count in enumerate((1e300, -1, 0, 2.5, "7", [], True))),
            {**real, "name": "a.limits", "min": "low", "max": {}, "value": {"a": deep}, "unit": deep, "help": deep},
            {"name": "a.choice", "type": "choice", "choices": [f"c{n}" for n in range(50000)], "value": "c1"},
            {"name": "a.none", "type": "choice", "choices": 7}, {"name": "a.deep", "type": "text", "value": deep},
            {**real, "name": "n" * 100000, "help": "h" * 100000}, {"name": 7}, None, [], "text", {**real, "type": "x"},
            {**real, "name": "camera.position", "value": "here"}, {**real, "name": "a.good"},
            *({**real, "name": f"b.many_{n}"} for n in range(20000))]


def absurd_lines(folder):
    def append(name, *rows):
        with open(folder / name, "a", encoding="utf-8") as file:
            file.write("".join(json.dumps(row) + "\n" for row in rows))
    many = {f"m{n}": n for n in range(20000)}
    odd = [None, 7, "text", [], {}, {"cycle": "x", "values": many}, {"cycle": 1e308, "values": "text"},
           {"cycle": 1e308, "values": {"residual": 1e308, "lift": -1e308, "drag": "x"}},
           {"cycle": -1e308, "values": {"residual": 5e-324, "lift": [], "drag": None}}]
    append("monitors.jsonl", *odd, {"cycle": 5, "values": many})
    append("timings.jsonl", *odd, {"cycle": 5, "values": many})
    append("log.jsonl", *odd, {"order": {"order": "set", "name": {}, "value": "v" * 100000}, "message": "m" * 100000})
    append("frames.jsonl", *odd, *({"name": f"p{n}", "file": "frames/none.png", "cycle": 5} for n in range(2000)))
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (40000).to_bytes(4, "big") * 2
    (folder / "frames" / "bomb.png").write_bytes(header + b"\x08\x02\0\0\0")
    append("frames.jsonl", {"name": "front", "file": "frames/bomb.png", "cycle": 9})


def check_absurd(page, karman, folder):
    """Documents with absurd numbers and texts: the page draws a part of them, and goes on."""
    run = Run(folder / "absurd", "--seconds", "3000")
    page = Page(page.browser, Served(karman, run.folder), run)
    wait_for(lambda: (run.folder / "status.json").exists())
    run.program.send_signal(signal.SIGSTOP)
    (run.folder / "parameters.json").write_text(json.dumps({"parameters": absurd_parameters()}))
    absurd_lines(run.folder)
    status = {"state": "s" * 1000, "cycle": "1e5", "time": "2", "frames": {}, "message": ["m" * 20000],
              "updated": "never", "sequence": {}}
    run.write_status(status)
    page.open()
    expect(wait_for(lambda: page.state() == "s" * 40 + "…"), f"a state of many letters is cut: {page.state()}")
    text = "return document.querySelector(arguments[0])?.textContent ?? ''"
    count = "return document.querySelectorAll(arguments[0]).length"
    huge = '[data-name="a.huge"]'
    expect(wait_for(lambda: "… and 99,999,983 more" in page.browser.run(text, huge)),
           f"of a hundred million numbers the page draws some: {page.browser.run(text, huge)}")
    for what, most in ((huge + " input", 16), (".control", 4096), ('[data-name="a.choice"] option', 1001),
                       (".chart", 120), ("#name option", 101)):
        number = wait_for(lambda w=what: page.browser.run(count, w))
        expect(0 < number <= most, f"there are some {what}, and {most} at most: {number}")
    for what in ('[data-name="a.choice"]', "#hidden-settings", "#monitor-left", "#timing-left", "#hidden-names"):
        expect(wait_for(lambda w=what: "more" in page.browser.run(text, w)), f"{what} says how much is left out")
    expect(wait_for(lambda: "too many for this page" in page.text("which")),
           f"a picture of 40000 times 40000 pixels is not opened: {page.text('which')}")
    expect(page.browser.run("return document.body.textContent.length") < 2000000, "no text is without end")
    run.write_status({**status, "state": "halted", "cycle": 7, "sequence": 2})
    expect(wait_for(lambda: page.state() == "halted" and page.cycle() == 7), f"the page goes on: {page.state()}")
    expect("does not answer" not in page.text("notice"), f"and finds nothing wrong: {page.text('notice')}")
    run.program.send_signal(signal.SIGKILL)
    run.program.wait()
    page.served.close()


# ---- Looks ------------------------------------------------------------------------------------------


def check_alone(page):
    """The page loads nothing from elsewhere, and reports nothing to the console."""
    names = page.browser.run("return performance.getEntriesByType('resource').map(r => r.name)")
    own = (f"http://127.0.0.1:{page.served.port}/", f"blob:http://127.0.0.1:{page.served.port}/", "data:")
    expect(names and all(n.startswith(own) for n in names), f"nothing else is loaded: {names[:5]}")
    logs = page.browser.call("POST", "/se/log", {"type": "browser"})
    logs = [log for log in logs if "favicon.ico" not in log["message"]]  # of pages that were refused
    expect(not logs, f"the console stays empty: {logs}")


def check_looks(page, shots):
    browser = page.browser
    light = browser.run("return getComputedStyle(document.body).backgroundColor")
    browser.screenshot(shots, "live-light.png")
    browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    dark = browser.run("return getComputedStyle(document.body).backgroundColor")
    expect(light != dark, "the page is dark where that is preferred")
    browser.size(1400, 900)
    browser.screenshot(shots, "live-dark.png")
    browser.command("Emulation.setEmulatedMedia", features=[])
    browser.size(390, 844, True)
    wide = browser.run("return document.documentElement.scrollWidth")
    expect(wide <= 390, f"the page fits a window of 390 pixels, but is {wide} wide")
    browser.screenshot(shots, "live-phone.png")
    browser.size(1400, 900)


def run_checks(page, shots, karman):
    page.browser.size(1400, 900)
    check_opening(page)
    check_pictures(page)
    check_time_line(page)
    check_charts(page)
    check_curves(page)
    check_halt(page)
    check_drag(page)
    check_resume(page)
    check_settings(page)
    check_looks(page, shots)
    check_alone(page)
    check_stop(page)
    check_next_run(page)
    check_silent(page)
    check_lost(page)
    check_absurd(page, karman, page.run.folder.parent)


def main():
    karman, folder = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    shots = sys.argv[3] if len(sys.argv) > 3 else None
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not browser or not driver:
        print("SKIPPED: there is no chromium or no chromedriver")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    run = Run(folder / "run", "--samples", str(SAMPLES), "--seconds", "3000")
    page = Page(Browser(browser, driver, folder / "profile"), Served(karman, run.folder), run)
    try:
        run_checks(page, shots, karman)
    finally:
        page.browser.close()
        page.run.close()
        page.served.program.kill()
        shutil.rmtree(folder / "profile", ignore_errors=True)
    print(serving.failures, "failures")
    return serving.failures > 0


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    sys.exit(main())
