#!/usr/bin/env python3
"""The page of karman compare in a real browser: it shows the numbers of report.json.

    compare_page.py FOLDER [SCREENSHOTS]

Drives Chromium by chromedriver, over the protocol of W3C WebDriver. Exit code 77 if either is
missing. With SCREENSHOTS, a folder, screenshots of the page are kept there.
"""
import base64
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
failures = 0


def expect(good, what):
    global failures
    if not good:
        failures += 1
        print("FAILED: expected that", what)


class Browser:
    """A session of chromedriver."""

    def __init__(self, browser, driver, profile):
        # Files left by a killed session would stop this one.
        shutil.rmtree(profile, ignore_errors=True)
        self.driver = subprocess.Popen([driver, "--port=0"], stdout=subprocess.PIPE, text=True)
        port = None
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                port = found.group(1)
                break
        self.address = f"http://127.0.0.1:{port}/session"
        # As root, Chromium needs its sandbox off; this is safe here, because only our own page is
        # loaded. The other options keep it from using the network for its own purposes.
        options = {"binary": browser,
                   "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic",
                            "--no-first-run", "--disable-background-networking",
                            "--disable-component-update", "--disable-sync",
                            "--disable-dev-shm-usage", f"--user-data-dir={profile}"]}
        capabilities = {"alwaysMatch": {"browserName": "chrome", "goog:chromeOptions": options,
                                        "goog:loggingPrefs": {"browser": "ALL"}}}
        try:
            session = self.call("POST", "", {"capabilities": capabilities})
        except Exception:
            self.driver.terminate()
            raise
        self.address += "/" + session["sessionId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, method=method,
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)["value"]

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def command(self, name, **parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def size(self, width, height, mobile=False):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=1, mobile=mobile)
        # The page learns of the new size with the next frame, and draws 150 ms later by a timer.
        # That timer comes before ours on any busy machine.
        self.call("POST", "/execute/async", {"args": [], "script": """const done = arguments[0];
            requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 300)))"""})

    def hover(self, selector, x=0, y=0):
        """The tip that the page shows with the pointer x, y pixels off the middle of an element."""
        element = self.call("POST", "/element", {"using": "css selector", "value": selector})
        self.run("arguments[0].scrollIntoView({block: 'center'})", element)
        moves = [{"type": "pointerMove", "duration": 0, "x": x + 1, "y": y, "origin": element},
                 {"type": "pointerMove", "duration": 0, "x": x, "y": y, "origin": element}]
        self.call("POST", "/actions", {"actions": [
            {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"},
             "actions": moves}]})
        return self.run("const t = document.getElementById('tip');"
                        "return t.hidden ? null : t.textContent")

    def press(self, key):
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]}]})

    def screenshot(self, folder, name):
        if folder:
            shot = self.command("Page.captureScreenshot", captureBeyondViewport=True)
            pathlib.Path(folder, name).write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(300)


MARKS = """return [...document.querySelectorAll(`[data-chart="${arguments[0]}"] .mark`)].map(m => ({
    value: +m.dataset.value, tip: m.dataset.tip, y: +m.getAttribute("cy"),
    long: +m.getAttribute("width")}))"""


def close_to(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1e-12)


def check_points(browser, chart, column, rows):
    """A line chart has each value once, at a height that is linear in it."""
    marks = browser.run(MARKS, chart)
    wanted = sorted(r[column] for r in rows if r[column] is not None)
    got = sorted(m["value"] for m in marks)
    expect(len(wanted) == len(got) and all(map(close_to, wanted, got)),
           f"{chart} shows {wanted}, not {got}")
    if len(marks) < 2:
        return
    low, high = min(marks, key=lambda m: m["value"]), max(marks, key=lambda m: m["value"])
    if high["value"] == low["value"]:
        return
    slope = (high["y"] - low["y"]) / (high["value"] - low["value"])
    expect(slope < 0, f"larger values of {chart} are higher up")
    for m in marks:
        height = low["y"] + slope * (m["value"] - low["value"])
        expect(abs(height - m["y"]) < 0.01, f"{m['tip']} is drawn at its height")


def check_bars(browser, chart, values):
    """A bar chart has each value once, with a length that is linear in it."""
    marks = browser.run(MARKS, chart)
    got = sorted(m["value"] for m in marks)
    expect(len(got) == len(values) and all(map(close_to, sorted(values), got)),
           f"{chart} shows {sorted(values)}, not {got}")
    longest = max(marks, key=lambda m: m["value"])
    for m in marks:
        wanted = longest["long"] * m["value"] / longest["value"] if longest["value"] else 0
        expect(abs(m["long"] - wanted) < 0.6, f"{m['tip']} is as long as it should be")


def chosen(browser, name):
    return browser.run("return document.getElementById(arguments[0]).value", name)


def choose(browser, name, value):
    browser.run("const s = document.getElementById(arguments[0]); s.value = arguments[1];"
                "s.dispatchEvent(new Event('change'))", name, value)


def projects(report):
    return [p["name"] for p in report["projections"]] != ["as-is"]


def rows_of(browser, report, projection):
    """The cases that charts of a projection show."""
    algorithm = chosen(browser, "algorithm")
    screens = {p["name"] for p in report["partitions"] if p["screen"]}
    return [c for c in report["cases"]
            if c["available"] and c["projection"] == projection
            and (c["ranks"] == 1 or c["partition"] in screens or c["algorithm"] == algorithm)]


SCALE = """return [...document.querySelectorAll(`[data-chart^="${arguments[0]}"]`)].map(c =>
    [...c.querySelectorAll("svg text[text-anchor=end]")].map(t => t.textContent).join(" "))"""


def check_multiples(browser, report, columns):
    """A chart for each projection, all to one scale."""
    for column in columns:
        for projection in (p["name"] for p in report["projections"]):
            chart = column + ("_" + projection if projects(report) else "")
            check_points(browser, chart, column, rows_of(browser, report, projection))
        scales = browser.run(SCALE, column)
        expect(len(scales) == len(report["projections"]) and len(set(scales)) == 1,
               f"the charts of {column} have one scale, not {scales}")


def check_charts(browser, report):
    check_multiples(browser, report, ("model_speedup", "wall_speedup", "model_efficiency",
                                      "wall_efficiency", "render_imbalance", "render_range"))
    rows = rows_of(browser, report, chosen(browser, "projection"))
    check_points(browser, "memory", "memory", rows)
    stages = ("load", "render", "composite", "finish", "write")
    check_bars(browser, "stages", [r["work_" + s] for r in rows for s in stages])
    check_bars(browser, "bytes", [r[b] for r in rows for b in ("bytes_sent", "bytes_shared")])
    for kind in ("model", "wall"):
        check_bars(browser, kind + "_first",
                   [r[f"{kind}_{which}"] for r in rows for which in ("first", "later")])
    case = report["cases"][report["advice"]["best"]]
    frame = case["timeline"][0]
    marks = browser.run(MARKS, "timeline")
    events = [wall for rank in frame["events"]
              for kind, wall in zip(rank["kind"], rank["wall"]) if kind in ("wait", "send", "blend")]
    expect(case["ranks"] == 1 or events, "ranks did something together")
    check_timeline(marks, [v for s in stages for v in frame["wall"][s]] + events)
    choose(browser, "timeline-range", "composite")
    check_timeline(browser.run(MARKS, "timeline"), frame["wall"]["composite"] + events)
    choose(browser, "timeline-range", "frame")


def check_timeline(marks, seconds):
    expect(len(marks) == len(seconds), f"the timeline has {len(marks)} bars, not {len(seconds)}")
    expect(all(map(close_to, sorted(m["value"] for m in marks), sorted(seconds))),
           "the timeline shows the frame's seconds")


# ---- The map ----

def rect_of(tiles, rank):
    return [tiles[name][rank] for name in ("x0", "y0", "x1", "y1")]


def pixels_of(report, tiles, column, row):
    size = tiles["size"]
    return (min(size, report["width"] - column * size) * min(size, report["height"] - row * size))


def tile_cost(tiles, rank, column, row):
    x0, y0, x1, y1 = rect_of(tiles, rank)
    inside = x0 <= column < x1 and y0 <= row < y1
    return tiles["cost"][rank][(row - y0) * (x1 - x0) + column - x0] if inside else 0


def map_values(report, tiles, ranks):
    """Nanoseconds a pixel of every tile."""
    return [[sum(tile_cost(tiles, r, column, row) for r in ranks)
             / pixels_of(report, tiles, column, row) for column in range(tiles["columns"])]
            for row in range(tiles["rows"])]


def check_sums(report):
    """The costs of a rank's tiles, and the costs outside of tiles, add up to its time for rendering."""
    for case in report["cases"]:
        for drawn in case.get("drawn", []):
            tiles = drawn.get("tiles")
            for rank in range(case["ranks"] if tiles else 0):
                name = f"{case['partition']}, rank {rank} of {case['ranks']}, step {drawn['step']}"
                x0, y0, x1, y1 = rect_of(tiles, rank)
                cost, work = tiles["cost"][rank], 1e9 * drawn["render_work"][rank]
                expect(len(cost) == (x1 - x0) * (y1 - y0) and x1 <= tiles["columns"]
                       and y1 <= tiles["rows"], f"the tiles of {name} fill their rectangle")
                expect(min(cost, default=0) >= 0, f"no tile of {name} costs less than nothing")
                # Timings are whole microseconds.
                expect(abs(sum(cost) + tiles["beside"][rank] - work) <= 1500 + len(cost),
                       f"{sum(cost)} and {tiles['beside'][rank]} ns of {name} are {work} ns")
                expect((sum(cost) > 0) >= (drawn["active_pixels"][rank] > 0),
                       f"{name} drew, and its tiles cost something")


HEAT = [(27, 12, 65), (74, 12, 107), (120, 28, 109), (165, 44, 96), (207, 68, 70), (237, 105, 37),
        (251, 155, 6), (247, 209, 61), (252, 255, 164)]


def color_of(value, top):
    if value <= 0:
        return (0, 0, 0, 0)
    at = min(1, value / top) * (len(HEAT) - 1)
    n = min(int(at), len(HEAT) - 2)
    return tuple(a + (at - n) * (b - a) for a, b in zip(HEAT[n], HEAT[n + 1])) + (255,)


PIXELS = """const done = arguments[1], image = new Image();
image.onload = () => {
  const canvas = document.createElement("canvas");
  canvas.width = image.width; canvas.height = image.height;
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  done({width: image.width, height: image.height,
        data: [...context.getImageData(0, 0, image.width, image.height).data]});
};
image.src = document.querySelector(`[data-chart="${arguments[0]}"] .heat`).getAttribute("href");"""


def check_colors(browser, chart, values, top):
    """Every tile has the colour of its cost."""
    image = browser.call("POST", "/execute/async", {"script": PIXELS, "args": [chart]})
    expect((image["width"], image["height"]) == (len(values[0]), len(values)),
           f"{chart} has a pixel for each tile")
    for n, value in enumerate(v for row in values for v in row):
        got, wanted = image["data"][4 * n:4 * n + 4], color_of(value, top)
        expect(all(abs(g - w) <= 1.01 for g, w in zip(got, wanted)),
               f"tile {n} of {chart}, {value:.5g} ns a pixel, is {wanted}, not {got}")


def map_cases(browser, report):
    """The cases that the map shows, in the order of partitions."""
    projection, ranks = chosen(browser, "map-projection"), int(chosen(browser, "map-ranks"))
    rows = [c for c in rows_of(browser, report, projection) if c["ranks"] == ranks]
    return [c for p in report["partitions"] for c in rows if c["partition"] == p["name"]]


def shown_frame(browser, case):
    return case["drawn"][-1 if chosen(browser, "map-frame") == "last" else 0]


CHARTS = """return [...document.querySelectorAll('[data-chart^="map_"]')].map(c => ({
    name: c.dataset.chart, kind: c.querySelector(".kind").textContent,
    picture: (c.querySelector("svg image") || c.querySelector("img")).getAttribute(
        c.querySelector("svg") ? "href" : "src"),
    outlines: c.querySelectorAll(".outline").length, covers: c.querySelectorAll(".cover").length,
    rows: [...c.querySelectorAll("tbody tr")].map(r => [...r.children].map(d => d.textContent))}))"""


def check_map(browser, report):
    """The maps on the page."""
    list_of = map_cases(browser, report)
    charts = browser.run(CHARTS)
    expect([c["name"] for c in charts] == ["map_" + c["partition"] for c in list_of] + ["map_picture"],
           f"there is a map of each partition and the picture: {[c['name'] for c in charts]}")
    source = browser.run("return document.querySelector(`[data-reference=${arguments[0]}]`).src",
                         chosen(browser, "map-projection"))
    expect(all(c["picture"] == source for c in charts), "maps show the picture of their projection")
    drawn = [shown_frame(browser, c) for c in list_of]
    every = sorted(v for d in drawn if "tiles" in d for row in
                   map_values(report, d["tiles"], range(len(d["tiles"]["cost"]))) for v in row if v > 0)
    alone = int(chosen(browser, "map-rank"))
    top = float(browser.run("return document.querySelector('.scale').dataset.top"))
    if every:
        wanted = every[math.ceil(0.995 * len(every)) - 1]
        expect(close_to(top, wanted), f"the scale ends at {wanted}, not {top}")
    for case, d, chart in zip(list_of, drawn, charts):
        ranks = [alone] if alone >= 0 else range(case["ranks"])
        expect(chart["outlines"] == sum(d["active_pixels"][r] > 0 for r in ranks),
               f"{chart['name']} has a rectangle of every rank that drew anything")
        numbers = [[r[5], r[6]] for r in chart["rows"][:-1]]
        expect(numbers == [[str(a), str(b)] for a, b in zip(d["active_pixels"], d["crossings"])],
               f"the table of {chart['name']} has the ranks' counts: {numbers}")
        expect(("not recorded" in chart["kind"]) == ("tiles" not in d) == (chart["covers"] == 0),
               f"{chart['name']} says how it came about: {chart['kind']}")
        if "tiles" in d:
            expect(chart["kind"].startswith("measured: by the clock, tile by tile"),
                   f"{chart['name']} was measured: {chart['kind']}")
            check_colors(browser, chart["name"], map_values(report, d["tiles"], ranks), top)


def check_pointer(browser, report):
    """The most expensive tile of the last map: its tip shows the cost of each rank."""
    case = map_cases(browser, report)[-1]
    tiles = shown_frame(browser, case).get("tiles")
    if not tiles:
        return
    values = map_values(report, tiles, range(case["ranks"]))
    value, row, column = max((v, y, x) for y, r in enumerate(values) for x, v in enumerate(r))
    size, scale = tiles["size"], browser.run("return +document.querySelector('.cover').dataset.scale")
    middle = [(min((at + 1) * size, most) + at * size - most) / 2 * scale
              for at, most in ((column, report["width"]), (row, report["height"]))]
    cover = f'[data-chart="map_{case["partition"]}"] .cover'
    tip = browser.hover(cover, *map(round, middle))
    expect(tip and tip.startswith(f"tile {column}, {row}: columns {column * size}…"),
           f"pointing at tile {column}, {row} shows it: {tip}")
    state = "const d = document.querySelector(arguments[0]).dataset; return [+d.value, +d.column, +d.row]"
    got = browser.run(state, cover)
    expect(close_to(got[0], value), f"the tile costs {value} ns a pixel, not {got}")
    shown = re.findall(r"rank (\d+): ([\d\u202f.]+) ns a pixel", tip or "")
    wanted = {r: tile_cost(tiles, r, column, row) / pixels_of(report, tiles, column, row)
              for r in range(case["ranks"])}
    expect({int(r) for r, _ in shown} == {r for r, v in wanted.items() if v > 0},
           f"the tip names the ranks that drew there, {wanted}: {tip}")
    for r, text in shown:
        number = float(text.replace("\u202f", ""))
        expect(abs(number - wanted[int(r)]) <= 0.0051 * wanted[int(r)],
               f"rank {r} took {wanted[int(r)]} ns a pixel there, not {number}")
    browser.run("document.querySelector(arguments[0]).focus()", cover)
    browser.press("\ue012" if column else "\ue014")
    expect(browser.run(state, cover)[1:] == [column - 1 if column else 1, row],
           "the arrow keys walk from tile to tile")


def check_maps(browser, report):
    """For all ranks, projections and frames; then each rank by itself."""
    before = {name: chosen(browser, name) for name in ("map-ranks", "map-projection", "map-frame")}
    frames = browser.run("return [...document.getElementById('map-frame').options].map(o => o.value)")
    expect(frames == (["first", "last"] if report["frames"] > 1 else ["first"]),
           f"there is the first and the last frame: {frames}")
    for projection in (p["name"] for p in report["projections"]):
        choose(browser, "map-projection", projection)
        for ranks in report["ranks"]:
            choose(browser, "map-ranks", ranks)
            for which in frames:
                choose(browser, "map-frame", which)
                check_map(browser, report)
                check_pointer(browser, report)
    for rank in range(report["ranks"][-1]):
        choose(browser, "map-rank", rank)
        check_map(browser, report)
    choose(browser, "map-rank", -1)
    for name, value in before.items():
        choose(browser, name, value)


def check_switches(browser, report):
    """Only the work of drawing; each projection, if there is a choice."""
    choose(browser, "work", "draw")
    check_multiples(browser, report, ("model_draw_speedup", "model_draw_efficiency"))
    choose(browser, "work", "all")
    hidden = browser.run("return document.getElementById('projection-choice').hidden")
    expect(hidden == (len(report["projections"]) < 2), "projections can be chosen where there are")
    first = chosen(browser, "projection")
    for projection in (p["name"] for p in report["projections"]):
        choose(browser, "projection", projection)
        check_charts(browser, report)
    choose(browser, "projection", first)


def check_texts(browser, report):
    text = browser.run("return document.body.innerText")
    advice = report["advice"]
    for part in (advice["sentence"], advice["command"], advice["reason"], *advice["yaml"].splitlines(),
                 *advice["warnings"], report["host"]):
        expect(part in text, f"the page says '{part}'")
    if report["modelled"]:
        expect("computed, not measured" in text, "the page says what modelled means")
        kinds = browser.run("return [...document.querySelectorAll('.chart:not([data-chart=map_picture])"
                            " .kind')].map(k => k.innerText)")
        expect(kinds and all(re.match("modelled|measured|not recorded", k) for k in kinds),
               "every chart says how its numbers came about")
        expect(all(("drawn twice" in k) == report["warm_caches"] for k in kinds if k.startswith("modelled")),
               f"modelled figures say how caches were: {kinds}")
    for p in report["projections"]:
        if projects(report):
            covered = f"{p['name']} covers {100 * p['coverage']:.0f} % of the picture"
            expect(covered in text, f"the page says '{covered}'")
    expect(("were bound to core" in text) == bool(report["bound_cores"]),
           "the page says what runs were bound to")
    expect(("the second time counts" in text) == report["warm_caches"],
           "the page says how caches were")
    for p in report["partitions"]:
        expect(p["words"] in text, f"the page calls it {p['words']}")
        expect(p["available"] or p["reason"] in text, f"the page says why not {p['name']}")


def check_alone(browser):
    """The page loads nothing from elsewhere, and reports nothing to the console."""
    names = browser.run("return performance.getEntriesByType('resource').map(r => r.name)")
    expect(all(n.startswith("data:") for n in names), f"nothing else is loaded: {names}")
    logs = browser.call("POST", "/se/log", {"type": "browser"})
    expect(not logs, f"the console stays empty: {logs}")
    sizes = browser.run("return [...document.images].map(i => i.naturalWidth)")
    expect(sizes and all(sizes), "all pictures can be decoded")


def check_behaviour(browser, report):
    tip = browser.hover('[data-chart^="model_speedup"] circle')
    expect(tip and re.search(r"^sort-(last|first) \((object|screen)( by \w+)?\), 1 rank: 1$", tip), f"hovering shows the value: {tip}")
    other = [a for a in report["algorithms"] if a != chosen(browser, "algorithm")]
    if other:
        choose(browser, "algorithm", other[0])
        check_charts(browser, report)
    check_switches(browser, report)


BEYOND = """return [...document.querySelectorAll('.chart svg text')].filter(t => {
    const box = t.getBoundingClientRect(), chart = t.closest('.chart').getBoundingClientRect();
    return box.left < chart.left - 1 || box.right > chart.right + 1;
  }).map(t => t.textContent)"""


def check_looks(browser, shots):
    beyond = browser.run(BEYOND)
    expect(not beyond, f"the text of charts stays within them: {beyond}")
    light = browser.run("return getComputedStyle(document.body).backgroundColor")
    browser.screenshot(shots, "light.png")
    browser.command("Emulation.setEmulatedMedia",
                    features=[{"name": "prefers-color-scheme", "value": "dark"}])
    dark = browser.run("return getComputedStyle(document.body).backgroundColor")
    expect(light != dark, "the page is dark where that is preferred")
    browser.screenshot(shots, "dark.png")
    browser.command("Emulation.setEmulatedMedia", features=[])
    browser.size(390, 844, True)
    wide = browser.run("return document.documentElement.scrollWidth")
    expect(wide <= 390, f"the page fits a window of 390 pixels, but is {wide} wide")
    small = browser.run("return Math.min(...[...document.querySelectorAll('.chart svg')].map("
                        "s => s.getBoundingClientRect().width / s.viewBox.baseVal.width))")
    expect(small > 0.95, f"the text in charts keeps its size, but shrinks to {small}")
    beyond = browser.run(BEYOND)
    expect(not beyond, f"the text of charts stays within them on a phone: {beyond}")
    browser.screenshot(shots, "phone.png")
    browser.size(1100, 900)


def check_print(browser, shots):
    pdf = base64.b64decode(browser.call("POST", "/print", {"background": True}))
    expect(pdf[:5] == b"%PDF-" and len(pdf) > 10000, "the page prints")
    closed = browser.run("return [...document.querySelectorAll('details:not(#messages)')].filter(d => !d.open).length")
    expect(closed == 0, "the numbers under the charts are printed, too")
    if shots:
        pathlib.Path(shots, "print.pdf").write_bytes(pdf)


MESSAGES = """const [number, frame, done] = arguments, box = document.getElementById("messages"), page = box.querySelector("iframe");
const before = page.srcdoc;
page.contentWindow.isOld = true;
for (const [id, value] of [["timeline-case", number], ["timeline-frame", frame]]) {
  const select = document.getElementById(id);
  select.value = value;
  select.dispatchEvent(new Event("change"));
}
box.open = true;
const wait = until => {
  const isNew = page.srcdoc === before || !page.contentWindow?.isOld;
  const ready = isNew && page.contentDocument?.documentElement?.dataset.ready && page.contentDocument.getElementById("problem").hidden;
  if (box.hidden || performance.now() > until) done(false);
  else if (!ready) setTimeout(wait, 20, until);
  else done(true);
};
setTimeout(wait, 50, performance.now() + 25000)"""


FRAME = "return {ranks: view.core.frame.size, sent: view.run.sums.sent, step: view.core.frame.step, sides: view.core.sides}"


def shown_messages(browser, number, which):
    """What the page of a frame shows of a case; None if there is nothing."""
    if not browser.call("POST", "/execute/async", {"script": MESSAGES, "args": [number, which]}):
        return None
    element = browser.call("POST", "/element", {"using": "css selector", "value": "#messages iframe"})
    browser.call("POST", "/frame", {"id": element})
    shown = browser.run(FRAME)
    browser.call("POST", "/frame", {"id": None})
    return shown


def check_messages(browser, report):
    """The page of a frame within the page has the messages of the chosen case."""
    screens = {p["name"] for p in report["partitions"] if p["screen"]}
    cases = [c for c in report["cases"] if c["available"]]
    before = {name: chosen(browser, name) for name in ("timeline-case", "timeline-frame")}
    for number, case in enumerate(cases):
        for which, frame in enumerate(case["timeline"][:2]):
            shown = shown_messages(browser, number, which)
            sent = sum(size for events in frame.get("events", []) for kind, size in zip(events["kind"], events["bytes"]) if kind == "send")
            if case["ranks"] == 1 or "events" not in frame:
                expect(shown is None, f"there are no messages to show of case {number}: {shown}")
                continue
            expect(shown and shown["ranks"] == case["ranks"] and shown["sent"] == sent and shown["step"] == frame["step"],
                   f"the page of case {number} has {sent} bytes on {case['ranks']} ranks: {shown}")
            expect(shown and len(shown["sides"]) == 1 + (case["partition"] not in screens), f"case {number} has planned messages: {shown}")
    browser.run("document.getElementById('messages').open = false")
    for name, value in before.items():
        choose(browser, name, value)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    shots = sys.argv[2] if len(sys.argv) > 2 else None
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if not browser or not driver:
        print("SKIPPED: there is no chromium or no chromedriver")
        return 77
    report = json.loads((folder / "report.json").read_text())
    check_sums(report)
    profile = folder / "profile"
    page = Browser(browser, driver, profile)
    try:
        page.size(1100, 900)
        page.call("POST", "/url", {"url": (folder / "report.html").as_uri()})
        page.size(1100, 900)
        check_texts(page, report)
        check_alone(page)
        check_charts(page, report)
        check_maps(page, report)
        check_messages(page, report)
        check_alone(page)
        check_behaviour(page, report)
        check_looks(page, shots)
        check_print(page, shots)
    finally:
        page.close()
        shutil.rmtree(profile, ignore_errors=True)
    print(failures, "failures")
    return failures > 0


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    sys.exit(main())
