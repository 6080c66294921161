#!/usr/bin/env python3
"""The page of karman collectives and karman schedule in a real browser: it agrees with the program.

    collectives_page.py KARMAN WITHOUT_CORE CONFIG DATA FOLDER [SCREENSHOTS]

WITHOUT_CORE is the program built without WebAssembly. CONFIG is a config, DATA the data set that it draws
here. Drives Chromium by chromedriver. Exit code 77 if either is missing. With SCREENSHOTS, a folder,
screenshots of the page are kept there.
"""
import base64
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys

from compare_page import Browser

SEED = 20
failures = 0

OPEN = """const done = arguments[0], wait = () => document.documentElement.dataset.ready ? done() : setTimeout(wait, 10);
wait()"""
GO = """const done = arguments[1];
addEventListener("hashchange", () => requestAnimationFrame(() => requestAnimationFrame(() => done())), {once: true});
if (location.hash === arguments[0]) done(); else location.hash = arguments[0]"""


def expect(good, what):
    global failures
    if not good:
        failures += 1
        print("FAILED: expected that", what, flush=True)
    return good


class Page:
    def __init__(self, browser):
        self.browser = browser

    def open(self, path, fragment=""):
        self.browser.call("POST", "/url", {"url": "about:blank"})
        self.browser.call("POST", "/url", {"url": path.as_uri() + fragment})
        self.wait(OPEN)

    def wait(self, script, *arguments):
        return self.browser.call("POST", "/execute/async", {"script": script, "args": list(arguments)})

    def go(self, **values):
        """Changes the address; returns when the page has drawn."""
        self.wait(GO, "#" + "&".join(f"{key}={value}" for key, value in values.items()))

    def run(self, script, *arguments):
        return self.browser.run(script, *arguments)

    def draw(self):
        """Waits until the page has drawn."""
        self.wait("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def press(self, key):
        self.browser.press(key)
        self.draw()

    def click(self, selector):
        self.run("document.querySelector(arguments[0]).click()", selector)
        self.draw()

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0]).textContent", selector)


def karman(program, *arguments):
    return json.loads(subprocess.run([program, "collectives", *map(str, arguments), "--format", "json"], check=True,
                                     stdout=subprocess.PIPE, timeout=300).stdout)


# ---- The numbers

RUNS = """const [problems, op, name] = arguments;
const algorithm = view.core.algorithms.find(a => a.operation.name === op && a.name === name);
return problems.map(problem => {
  const run = view.core.run(problem, algorithm);
  return {seconds: run.seconds, walk: run.walk, formula: run.formula, begin: run.start,
    totals: run.totals, finish: run.finish, path: run.path, messages: run.messages.map(m => [m.round, m.src, m.dst,
      m.elements, m.combined, m.sent, m.left, m.comes, m.came, m.combines, m.done, +m.critical, +m.isNear])};
})"""


def near(a, b):
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))


def problem_of(source, has_root, has_segments):
    size = source.choice([1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 21])
    problem = {"size": size, "count": source.choice([0, 1, max(0, size - 1), size, 100, 4096]), "root": 0, "segment": 0,
               "alpha": source.choice([1e-6, 3e-5, 1.0]), "beta": source.choice([1e-9, 7e-8, .25]),
               "gamma": source.choice([0, 1e-9, .01]), "ports": source.choice([1, 1, 2, 4]), "late": {}}
    options = ["--ranks", size, "--count", problem["count"], "--alpha", problem["alpha"], "--beta", problem["beta"],
               "--gamma", problem["gamma"], "--ports", problem["ports"]]
    if has_root:
        problem["root"] = source.randrange(size)
        options += ["--root", problem["root"]]
    if has_segments and source.random() < .5:
        problem["segment"] = source.choice([50, 1000])
        options += ["--segment", problem["segment"]]
    if source.random() < .4:
        sizes = [source.randrange(1, 6) for _ in range(size)]
        node = [n for n, ranks in enumerate(sizes) for _ in range(ranks)][:size]
        problem.update(nodeOf=node, nearAlpha=source.choice([0, 1e-6]), nearBeta=source.choice([0, 2e-9]))
        options += ["--nodes", ",".join(str(node.count(n)) for n in range(node[-1] + 1)), "--near-alpha", problem["nearAlpha"],
                    "--near-beta", problem["nearBeta"]]
    if source.random() < .4:
        rank = source.randrange(size)
        problem["late"] = {str(rank): 5e-5}
        options += ["--late", f"{rank}:5e-5"]
    return problem, options


def agree(shown, told, what):
    """A run of the page and the JSON of the program."""
    same = near(shown["seconds"], told["walk"]["seconds"]) and near(shown["begin"], told["begin"])
    terms = ["alpha", "beta", "gamma"]
    same = same and shown["formula"] == [told["cost"][term] for term in terms]
    same = same and shown["walk"] == [told["walk"][term] for term in terms + ["near_alpha", "near_beta"]]
    totals = {"rounds": "rounds", "messages": "messages", "elements": "elements", "mostSent": "most_sent",
              "mostReceived": "most_received"}
    same = same and all(shown["totals"][a] == told["totals"][b] for a, b in totals.items())
    return expect(same, f"page and program agree on {what}, but {shown} is not {told}")


def agree_on_messages(shown, told, what):
    wanted = [[m["round"], m["src"], m["dst"], m["elements"], m["combined"], *m["sent"], *m["received"], *m["merged"],
               int(m["critical"]), int(m["near"])] for m in told["messages"]]
    same = len(wanted) == len(shown["messages"]) and all(
        all(map(near, a, b)) for a, b in zip(wanted, shown["messages"]))
    expect(same, f"page and program agree on the messages of {what}")
    expect(shown["path"] == told["path"] and all(map(near, shown["finish"], told["finish"])),
           f"page and program agree on the path of {what}")


def check_numbers(page, program):
    """Two seeded cases of each algorithm."""
    source, cases = random.Random(SEED), 0
    algorithms = page.run("return view.core.algorithms.map(a => [a.operation.name, a.name, a.operation.hasRoot, a.hasSegments])")
    expect(len(algorithms) == 37 and len({a[0] for a in algorithms}) == 10, f"the page has 37 algorithms: {algorithms}")
    for name, algorithm, has_root, has_segments in algorithms:
        cases += 2
        problems = [problem_of(source, has_root, has_segments) for _ in range(2)]
        shown = page.run(RUNS, [problem for problem, _ in problems], name, algorithm)
        for run, (_, options) in zip(shown, problems):
            told, what = karman(program, name, algorithm, *options), f"{name} {algorithm} {options}"
            if agree(run, told, what):
                agree_on_messages(run, told, what)
    print(cases, "cases agree")


def check_paper(page):
    """Figure 5 and the costs of the paper: broadcasts on eight ranks."""
    ends = """return view.run.messages.map(m => [m.round, m.src, m.dst, m.elements])"""
    page.go(c="broadcast", m="binomial", p=8, n=8)
    wanted = [[0, 0, 1, 8], [1, 0, 2, 8], [1, 1, 3, 8], [2, 0, 4, 8], [2, 1, 5, 8], [2, 2, 6, 8], [2, 3, 7, 8]]
    expect(page.run(ends) == wanted, f"a binomial broadcast has the messages {wanted}")
    expect("3α + 24β" in page.text("#cost"), "a binomial broadcast costs 3α + 24β")
    rows = page.run("return [...document.querySelectorAll('#steps li')].map(r => r.textContent)")
    expect(len(rows) == 7 and "rank 3 sends [0, 8) to rank 7" in rows[-1], f"the list has all messages: {rows}")
    page.go(c="broadcast", m="scatter-allgather", p=8, n=8)
    shown = page.run(ends)
    scatter = [[0, 0, 4, 4], [1, 0, 2, 2], [1, 4, 6, 2], [2, 0, 1, 1], [2, 2, 3, 1], [2, 4, 5, 1], [2, 6, 7, 1]]
    expect(shown[:7] == scatter, f"it scatters 4, 2 and 1 elements: {shown[:7]}")
    exchanges = [[3 + k, r, r ^ 1 << k, 1 << k] for k in range(3) for r in range(8)]
    expect(sorted(shown[7:]) == sorted(exchanges), f"partners exchange 1, 2 and 4 elements: {shown[7:]}")
    expect("6α + 14β" in page.text("#cost"), "scatter and allgather cost 6α + 14β")
    page.go(c="broadcast", m="binomial", p=8, n=8, a=10, b=3, g=0)
    equal = page.run("return ['binomial', 'scatter-allgather'].map(n => view.core.seconds(view.problem, view.operation.algorithms.find(a => a.name === n)))")
    expect(near(*equal), f"both take the same time where α = 10/3 β: {equal}")


# ---- The animation

SHOWN = "return JSON.stringify([view.time, [...view.replay.lo], [...view.replay.hi], {...scenes(), chart: null}, document.getElementById('now').textContent])"


def check_steps(page):
    """Forward and back again: every step looks as before."""
    for name, algorithm, ranks in (("broadcast", "scatter-allgather", 5), ("reduce", "rabenseifner", 6), ("alltoall", "bruck", 4),
                                   ("scan", "recursive-doubling", 4)):
        page.go(c=name, m=algorithm, p=ranks, n=11, l="2:0.00002")
        seen = [page.run(SHOWN)]
        for _ in range(60):
            page.press("\ue014")
            now = page.run(SHOWN)
            if now == seen[-1]:
                break
            seen.append(now)
        expect(len(seen) > 3, f"{name} {algorithm} has steps: {len(seen)}")
        expect(page.run("return Array.from({length: view.run.size}, (_, r) => view.replay.isDone(r)).every(x => x)"),
               f"each rank of {name} {algorithm} ends with its result")
        for wanted in reversed(seen[:-1]):
            page.press("\ue012")
            expect(page.run(SHOWN) == wanted, f"stepping back in {name} {algorithm} restores the step")


RESULT = """let most = 0;
for (const [size, count] of [[1, 3], [6, 4], [13, 100], [64, 640]]) {
  Object.assign(view.state, {op: arguments[0], alg: arguments[1], size, count, root: size > 2 ? 2 : 0, changes: [], late: {}, race: []});
  compute();
  view.replay.seek(view.duration);
  for (let rank = 0; rank < size; rank++) if (!view.replay.isDone(rank)) return `${arguments[0]} ${arguments[1]}: rank ${rank} of ${size}`;
  for (const part of size === 64 ? [.3, .6] : []) {
    view.time = part * view.duration;
    drawAll();
    most = Math.max(most, Object.values(scenes()).reduce((sum, scene) => sum + scene.items.length, 0));
  }
}
return most"""


def check_results(page):
    """The page's replay of all algorithms ends with what MPI promises, and draws few shapes."""
    names = page.run("return view.core.algorithms.map(a => [a.operation.name, a.name])")
    found = [page.run(RESULT, *name) for name in names]
    expect(all(isinstance(f, int) for f in found), f"all ranks have their results: {[f for f in found if isinstance(f, str)]}")
    most = max(f for f in found if isinstance(f, int))
    expect(isinstance(most, int) and most < 32000, f"the page draws at most 32000 shapes, not {most}")
    print("at most", most, "shapes")


def check_keys(page):
    page.go(c="broadcast", m="binomial", p=8, n=8)
    page.run("document.activeElement.blur()")
    page.press("a")
    expect(page.run("return view.state.alg") == "scatter-allgather", "a chooses the next algorithm")
    page.press("A")
    page.press("]")
    expect(page.run("return [view.state.alg, view.state.size]") == ["binomial", 9], "] adds a rank")
    page.press("[")
    page.press("c")
    expect(page.run("return view.state.op") == "scatter", "c chooses the next collective")
    page.press("\ue010")
    expect(page.run("return view.time === view.duration"), "End goes to the end")
    page.press(" ")
    expect(page.run("return view.playing"), "space plays")
    page.press(" ")
    expect(not page.run("return view.playing"), "space pauses")
    page.press("\ue011")
    expect(page.run("return view.time") == 0, "Home goes to the beginning")
    page.press("r")
    expect(page.text("#program-rank") == "1", "r shows the program of the next rank")


def check_address(page):
    """The address holds the whole state."""
    page.go(c="reduce", m="binomial", p=11, n=40, r=3, a=2e-5, b=1e-8, g=2e-9, o=2, k=4, l="5:0.0001", v="chain,binomial", x="d2", t=0.00005)
    before = page.run(SHOWN)
    address = page.run("return addressOf({...view.state, time: view.time})")
    page.go(c="barrier")
    page.wait(GO, address)
    expect(page.run(SHOWN) == before, f"{address} shows the same again")


def check_nodes(page, program, folder):
    """Nodes of unequal size: they share a port, and what stays within them takes none."""
    page.go(c="broadcast", m="binomial", p=11, n=100, h="4,4,3", j=1e-6, z=1e-9)
    told = karman(program, "broadcast", "binomial", "--nodes", "4,4,3", "--count", 100)
    expect(near(page.run("return view.run.seconds"), told["walk"]["seconds"]), "page and program agree on three nodes")
    expect("7α + 700β" in page.text("#cost"), f"seven messages leave their nodes, one after another: {page.text('#cost')}")
    names = page.run("return scenes().memory.items.filter(i => i.kind === 'text' && i.text.startsWith('node')).map(i => i.text)")
    expect(names == ["node 0", "node 1", "node 2"], f"the memories show the nodes: {names}")
    expect(page.run("return !byId('nearAlpha').hidden && byId('nodes').value") == "4,4,3", "the controls have the nodes")
    alone = page.run("return scenes().diagram.items.filter(i => i.kind === 'line').length")
    page.run("byId('nodes').value = ''; byId('nodes').dispatchEvent(new Event('change'))")
    page.draw()
    expect(page.run("return byId('nearAlpha').hidden && view.nodeOf === null"), "without nodes each rank has its own")
    expect(page.run("return scenes().diagram.items.filter(i => i.kind === 'line').length") < alone, "the diagram showed borders")
    path = folder / "nodes.html"
    subprocess.run([program, "collectives", "alltoall", "pairwise", "--nodes", "2x3", "--alpha", "1e-6", "--html", path], check=True, timeout=300)
    page.open(path)
    expect(page.run("return view.state.nodes + view.state.size") == "3,36", "a page begins with the nodes of the command line")
    page.run("[...document.querySelectorAll('#presets button')][0].click()")
    address = page.run("return addressOf(view.state)")
    page.open(path, address)
    expect(near(page.run("return view.state.alpha"), 3e-5), f"the address has values that differ from those of the command line: {address}")


def check_break(page):
    page.go(c="broadcast", m="binomial", p=8, n=8)
    expect(page.text("#verdict").startswith("Proved"), "the schedule is proved")
    page.run("document.getElementById('broken').value = 2")
    page.click('[data-break="d"]')
    words = page.text("#verdict")
    expect("rank" in words and "round" in words and page.run("return document.getElementById('verdict').className") == "wrong",
           f"a missing message is found: {words}")
    expect("wrong" in page.run("view.time = view.duration; return Now.text(view)"), "the end of the animation says so")
    page.click("#mend")
    expect(page.text("#verdict").startswith("Proved"), "the mended schedule is proved")
    for change in ("e", "l", "o", "s"):
        page.run("document.getElementById('broken').value = 3; document.getElementById('other').value = 5")
        page.click(f'[data-break="{change}"]')
        expect(page.text("#verdict"), f"change {change} has a verdict")
        expect(page.run("return document.getElementById('problem').hidden"), f"change {change} can be shown")
        page.click("#mend")
    page.go(c="reduce", m="chain", p=4, n=4, x="s0-1")
    expect(page.run("return document.getElementById('verdict').className") == "wrong", "swapped messages are found")


def check_loops(page):
    """The program with loops: formulas of peers and counts, and the line that is at work."""
    lines = "return [...document.querySelectorAll('#loops li')].map(row => row.textContent.replace(/: .*# k = .*/, ':'))"
    for values, wanted in (({"c": "allgather", "m": "bruck"}, ["for k = 0 to 2:", "send 8 · 2^k elements to r − 2^k mod p", "receive 8 · 2^k elements from r + 2^k"]),
                           ({"c": "reduce-scatter", "m": "ring"}, ["for k = 0 to 6:", "send 8 elements to r + 1", "receive 8 elements from r − 1, combine"]),
                           ({"c": "alltoall", "m": "pairwise"}, ["for k = 0 to 6:", "send 8 elements to r xor (k + 1)", "receive 8 elements from r xor (k + 1)"])):
        page.go(p=8, n=64, k=3, **values)
        page.draw()
        expect(page.run(lines) == wanted, f"{values} has the program {wanted}, not {page.run(lines)}")
    page.go(c="allreduce", m="ring", p=8, n=64, k=3)
    page.run("view.time = .7 * view.duration; refresh()")
    page.draw()
    marked = page.run("return [...document.querySelectorAll('#loops .is')].map(row => row.textContent)")
    expect(len(marked) >= 2 and re.search(r"# k = [1-4]$", marked[0]), f"the loop at work is marked, with its k: {marked}")
    page.go(c="broadcast", m="sequential", p=8, n=8, k=5)
    page.draw()
    expect(page.run(lines) == [], "a program of one line has no loops")


SEEN = """return arguments[0].every(id => { const box = byId(id).getBoundingClientRect(), at = document.elementFromPoint(
    (box.left + box.right) / 2, (box.top + box.bottom) / 2); return box.width && box.top >= 0 && box.bottom <= innerHeight + 1 && byId(id).contains(at); })"""


def check_window(page, shots):
    """The controls stand in small windows; large type for talks; another algorithm beside the first."""
    controls, words = ["play", "scrub", "clock", "speed"], {"c": "broadcast", "m": "binomial", "p": 8, "n": 8}
    for width, height in (1280, 720), (390, 844), (1024, 600):
        page.browser.size(width, height, width < 500)
        page.go(**words)
        page.draw()
        expect(page.run(SEEN, controls), f"the controls can be seen in {width} by {height} pixels")
    page.browser.size(1280, 720)
    page.press("b")
    second = page.run("return [view.other.algorithm.name, view.other.run.seconds, view.duration, byId('beside-side').hidden]")
    expect(second[2] >= second[1] and not second[3] and f"beside={second[0]}" in page.run("return addressOf(view.state)"),
           f"b shows another algorithm on the same clock, and the address says so: {second}")
    page.go(**words, beside="scatter-allgather", t=1)  # the end of both
    page.draw()
    expect(page.run("return [view, view.other].every(one => { one.replay.seek(one.run.seconds); "
                    "return [...Array(8).keys()].every(rank => one.replay.isDone(rank)) })"), "both end with the result")
    texts = page.text("#memory-title"), page.text("#beside-title")
    expect("done" in texts[0] and "scatter-allgather" in texts[1], f"the two are named, with their times: {texts}")
    told = page.run("const own = view.core.run(view.problem, view.other.algorithm); return [own.seconds, view.other.run.seconds]")
    expect(near(*told), f"the second has its own time: {told}")
    before = page.run("return parseFloat(getComputedStyle(document.querySelector('.sentence')).fontSize) + byId('memory').clientHeight")
    page.press("t")
    page.browser.screenshot(shots, "talk.png")
    expect(page.run(SEEN, [*controls, "cost", "memory", "beside"]), "t shows the animation, its controls and its cost in one window")
    after = page.run("return parseFloat(getComputedStyle(document.querySelector('.sentence')).fontSize)")
    expect(page.run("return view.state.present === 1 && theme.zoom > 1.3") and before and after > 24, f"letters are large then: {after}")
    found = page.run("""const box = document.querySelector("#memory canvas").getBoundingClientRect(), l = view.memoryLayout;
        return Memory.find(view, ...placeOf({ currentTarget: document.querySelector("#memory canvas"),
          clientX: box.left + theme.zoom * l.x(3), clientY: box.top + theme.zoom * (l.top + 5) })).rank""")
    expect(found == 3, f"columns are found where they are drawn: {found}")
    page.press("t")
    expect(page.run("return theme.zoom === 1 && !document.documentElement.style.fontSize"), "t ends it")
    page.browser.size(1440, 900)


def check_ports(page):
    """The cost beside the time has the waits at ports: both are the same time."""
    cases = page.run("""return view.core.operations.flatMap(o => o.algorithms.map(a => [o.name, a.name])).map(([op, alg]) => {
      Object.assign(view.state, { op, alg, size: 5, count: 21, ports: 1, nodes: "", late: {}, changes: [] });
      changed();
      drawTexts();
      const { run, problem } = view, waits = run.seconds - run.start - Cost.seconds(run.walk, problem);
      return [alg, waits > 1e-9 * run.seconds, document.querySelector("#cost .main b").textContent];
    })""")
    expect(any(waits for _, waits, _ in cases), "some wait at ports")
    wrong = [case for case in cases if case[1] != ("at ports" in case[2])]
    expect(not wrong, f"the cost beside the time names its waits: {wrong}")


def check_touch(page):
    """With a finger: a tap chooses a column, then it can be drawn down."""
    page.browser.size(390, 844, True)
    page.go(c="broadcast", m="binomial", p=4, n=8, k=0)
    page.run("document.getElementById('memory').scrollIntoView({block: 'center'})")
    x, y = page.run("const box = document.querySelector('#memory canvas').getBoundingClientRect(), l = view.memoryLayout; return [box.left + l.x(2), box.top + l.top + 8]")
    for n in range(2):
        page.browser.command("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for step in range(1, 5):
            page.browser.command("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y + 6 * step}])
        page.browser.command("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        page.draw()
        if n == 0:
            late = page.run("return [view.state.rank, view.state.late[2] ?? 0]")
            page.run("document.getElementById('memory').scrollIntoView({block: 'center'})")
            y = page.run("return document.querySelector('#memory canvas').getBoundingClientRect().top + view.memoryLayout.top + 8")
            expect(late == [2, 0], f"a finger chooses a rank first: {late}")
    expect(page.run("return view.state.late[2] > 0"), "then it makes the rank late")
    page.browser.size(1440, 900)


def check_late(page):
    """Dragging a column down makes its rank late."""
    page.go(c="broadcast", m="binomial", p=8, n=8)
    x, y = page.run("""const box = document.querySelector("#memory canvas").getBoundingClientRect(), l = view.memoryLayout;
        return [box.left + l.x(1), box.top + l.top + 60].map(Math.round)""")
    before = page.run("return view.run.seconds")
    page.browser.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
        {"type": "pointerMove", "duration": 0, "x": x, "y": y}, {"type": "pointerDown", "button": 0},
        {"type": "pointerMove", "duration": 20, "x": x, "y": y + 20}, {"type": "pointerUp", "button": 0}]}]})
    page.draw()
    late, after = page.run("return [view.state.late[1], view.run.seconds]")
    expect(late and after > before and near(after, late + 2 * before / 3), f"rank 1 is late by {late}, so it ends at {after}, not {before}")


def check_predict(page):
    page.go(c="broadcast", m="binomial", p=4, n=8)
    page.run("scrollTo(0, document.body.scrollHeight)")
    page.click("#ask-next")
    top, bottom, window = page.run("const box = byId('question').getBoundingClientRect(); return [box.top, box.bottom, innerHeight]")
    expect(top >= 0 and bottom <= window, f"the question can be seen: {top}, {bottom}")
    expect("sends" not in page.text("#now"), "the answer is not on the page")
    expect(page.run("return view.masked") and "Rank 0 sends next" in page.text("#question"), "the page asks")
    hidden = page.run("return scenes().diagram.items.length")
    page.run("[...document.querySelectorAll('#question button')].find(b => b.textContent === '1').click()")
    page.draw()
    expect(page.text("#score") == "1 of 1 right", f"the right answer counts: {page.text('#score')}")
    expect(page.run("return scenes().diagram.items.length") > hidden, "the future is hidden until then")
    page.run("view.state.late = {1: 1e-3}; changed()")
    page.draw()
    expect("Late ranks cost" in page.text("#cost"), f"the cost names that of late ranks: {page.text('#cost')}")
    page.run("view.state.late = {}; changed(); view.time = view.duration; byId('play-race').click()")
    page.draw()
    expect(page.run("return view.playing && view.time < view.duration"), "the race plays from the start")
    page.run("pause()")
    page.click("#ask-faster")
    page.run("document.querySelector('#question button').click(); pause()")
    page.draw()
    expect(page.text("#score").endswith("of 2 right"), "the second question counts")
    expect(page.run("return view.racers.length") == 2, "the two race")


# ---- The looks

def check_alone(page, path):
    expect(path.stat().st_size <= 500000, f"the page has at most 500 kB, not {path.stat().st_size}")
    names = page.run("return performance.getEntriesByType('resource').map(r => r.name)")
    expect(all(n.startswith("data:") for n in names), f"nothing is loaded: {names}")
    logs = page.browser.call("POST", "/se/log", {"type": "browser"})
    expect(not logs, f"the console stays empty: {logs}")


def check_looks(page, shots):
    good = page.run("""return Object.entries(scenes()).filter(([name, scene]) => new DOMParser()
      .parseFromString(svgOf(scene, name), "image/svg+xml").querySelector("parsererror")).map(([name]) => name)""")
    expect(good == [], f"the views are valid SVG, too: {good}")
    unnamed = page.run("""return [...document.querySelectorAll("input, select, button, canvas")].filter(e => !e.hidden &&
      !(e.labels?.length || e.getAttribute("aria-label") || e.textContent.trim() || e.title)).map(e => e.outerHTML)""")
    expect(unnamed == [], f"all controls have names: {unnamed}")
    for name, width, height, dark in (("desktop", 1440, 900, False), ("dark", 1440, 900, True), ("projector", 1920, 1080, False),
                                      ("phone", 390, 844, False), ("phone-dark", 360, 640, True)):
        page.browser.command("Emulation.setEmulatedMedia",
                             features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        page.browser.size(width, height, width < 500)
        page.go(c="allgather", m="recursive-doubling", p=16, n=64, t=0.00005, k=name.count("p"))
        wide = page.run("return document.documentElement.scrollWidth")
        expect(wide <= width, f"the page fits a window of {width} pixels, but is {wide} wide")
        small = page.run("return [...document.querySelectorAll('.view canvas')].filter(c => c.offsetParent && c.clientWidth < 200).length")
        expect(small == 0, f"all views have room at {width} pixels")
        page.browser.screenshot(shots, name + ".png")
    colours = page.run("return [getComputedStyle(document.body).backgroundColor, theme.card]")
    expect(colours[0] != "rgb(246, 246, 243)" and colours[1] != "#ffffff", f"the page is dark where that is preferred: {colours}")
    page.browser.command("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    expect(page.run("return calm.matches"), "reduced motion is seen")
    page.browser.command("Emulation.setEmulatedMedia", features=[])
    page.browser.size(1440, 900)


def check_without_core(page, program, folder):
    """A page that cannot compute shows its one schedule."""
    path = folder / "one.html"
    arguments = ["reduce", "rabenseifner", "--ranks", "6", "--count", "24", "--root", "2"]
    subprocess.run([program, "collectives", *arguments, "--html", path], check=True, timeout=300)
    page.open(path)
    told = karman(program, *arguments)
    expect(near(page.run("return view.run.seconds"), told["walk"]["seconds"]), "it has the time of the program")
    expect(page.run("return view.run.messages.length") == len(told["messages"]), "it has all messages")
    expect(page.run("view.replay.seek(view.duration); return view.replay.isDone(2)"), "the root has the result")
    expect(page.run("return document.getElementById('size').disabled && !document.getElementById('fixed').hidden"),
           "it says that the problem is fixed")
    page.press("\ue014")
    expect(page.run("return view.time > 0"), "it plays")
    check_alone(page, path)


def simulated(program, algorithm, ranks, options, gather="none"):
    """Seconds and messages of a schedule by karman simulate, on the machine of the page."""
    machine = "alpha=0,overhead=30us,rate=117MB,fifo=1,near_alpha=0"
    words = [program, "simulate", algorithm, *(["--ranks", ranks] if ranks else []), "--width", 320, "--height", 180, "--machine", machine,
             "--segment", "none", "--gather", gather, "--format", "json", *options]
    told = json.loads(subprocess.run(list(map(str, words)), check=True, stdout=subprocess.PIPE, timeout=300).stdout)
    return told["results"][0]


def check_schedules(page, program, folder):
    """Pages of karman schedule: each algorithm of compositing, with the times of karman simulate."""
    source, path = random.Random(SEED), folder / "schedule.html"
    for algorithm, factors in (("radix-k", ["--factors", "4,3"]), ("direct-send", []), ("2-3-swap", []), ("tree", []), ("tod-tree", []),
                               ("chain", []), ("serial", []), ("binary-swap", [])):
        ranks = 12 if factors else 16 if algorithm == "binary-swap" else source.randrange(2, 20)
        words = [program, "schedule", algorithm, "--ranks", ranks, "--width", 320, "--height", 180, *factors, "--html", path]
        subprocess.run(list(map(str, words)), check=True, timeout=300)
        page.open(path)
        told, what = simulated(program, algorithm, ranks, factors), f"{algorithm} on {ranks} ranks"
        shown = page.run("return {seconds: view.run.seconds, messages: view.run.messages.length}")
        same = float(f"{shown['seconds']:.9g}") == told["seconds"]  # it prints nine digits
        expect(same and shown["messages"] == told["messages"],
               f"page and simulator agree on {what}: {shown}, {told['seconds']}, {told['messages']}")
        expect(not page.run("return view.run.sentence"), f"{what} is proved")
        expect(page.run("view.replay.seek(view.duration); return view.replay.wantLo.reduce((sum, lo, at) => sum + (lo ? view.replay.weight(at % view.replay.rows) : 0), 0)")
               == 320 * 180, f"each pixel of {what} ends at one rank, with all images")
    page.press("\ue014")
    expect(page.run("return view.time > 0"), "it plays")
    check_free_schedules(page, program)
    check_alone(page, path)


SECONDS = "return [view.run.seconds, view.run.messages.reduce((sum, m) => sum + (m.round === view.run.last ? 0 : m.elements), 0), byId('problem').hidden]"


def check_free_schedules(page, program):
    """The page computes schedules itself: with nodes, gathering and parameters; it breaks them, and races."""
    names = page.run("return view.core.algorithms.map(a => a.name)")
    expect(len(names) >= 8 and "radix-k" in names, f"the page has all algorithms: {names}")
    for values, algorithm, ranks, options, gather in (
            ({"m": "radix-k", "p": 12, "f": "3,4"}, "radix-k", 12, ["--factors", "3,4"], "none"),
            ({"m": "direct-send", "p": 12, "h": 4}, "direct-send", None, ["--nodes", "3x4"], "none"),
            ({"m": "direct-send", "p": 11, "h": "4,4,3"}, "direct-send", None, ["--nodes", "4,4,3"], "none"),
            ({"m": "radix-k", "p": 9, "h": "2,1,3", "y": 1}, "radix-k", None, ["--nodes", "2,1,3,3", "--flat"], "none"),
            ({"m": "radix-k", "p": 12, "h": 4, "y": 1, "f": "4,3"}, "radix-k", None, ["--nodes", "3x4", "--flat", "--factors", "4,3"], "none"),
            ({"m": "tree", "p": 10, "i": 3, "r": 2}, "tree", 10, ["--fan-in", 3, "--root", 2], "none"),
            ({"m": "direct-send", "p": 12, "h": 4, "q": 3}, "direct-send", None, ["--nodes", "3x4"], "3"),
            ({"m": "2-3-swap", "p": 7, "q": 3}, "2-3-swap", 7, [], "3")):
        page.go(c="compositing", n=320 * 180, **values)
        told, shown = simulated(program, algorithm, ranks, options, gather), page.run(SECONDS)
        expect(float(f"{shown[0]:.9g}") == told["seconds"] and shown[2], f"page and simulator agree on {values}: {shown}, {told['seconds']}")
        finite = page.run("return view.run.messages.every(m => Number.isFinite(m.done) && m.sent <= m.came && m.came <= m.done) && view.run.path.length > 0")
        expect(finite, f"all messages of {values} have times, and there is a critical path")
    page.go(c="compositing", m="radix-k", p=6, n=1000, f="5")
    expect("radix-k" in page.text("#problem"), f"the program says what is impossible: {page.text('#problem')}")
    page.go(c="compositing", m="radix-k", p=8, n=1000, f="4,2", v="radix-k,tree,binary-swap")
    expect(page.run("return view.racers.map(r => r.algorithm.name).sort().join()") == "binary-swap,radix-k,tree", "three algorithms race")
    expect(page.text("#verdict").startswith("Proved"), f"the schedule is proved: {page.text('#verdict')}")
    page.run("byId('broken').value = 3")
    for change in ("d", "l"):
        page.click(f'[data-break="{change}"]')
        words = page.text("#verdict")
        expect(page.run("return byId('verdict').className") == "wrong" and "osition" in words, f"the proof finds change {change}: {words}")
        page.click("#mend")
    page.run("view.chart.done || 0")


def check_large(page, program, folder):
    """Above 64 ranks a page has the diagram and the matrix, and few shapes."""
    for name, options in (("radix-k", ["--ranks", "300"]), ("direct-send", ["--nodes", "40x8"]), ("radix-k", ["--ranks", "3000"])):
        path = folder / "large.html"
        subprocess.run([program, "schedule", name, *options, "--width", "320", "--height", "180", "--html", path], check=True, timeout=300)
        page.open(path)
        told, what = simulated(program, name, None, options, "3" if "--nodes" in options else "none"), f"{name} {options}"
        shown = page.run("return {seconds: view.run.seconds, sent: view.run.sums.messages + view.run.sums.reads, shapes: Object.values(scenes()).reduce((sum, scene) => sum + scene.items.length, 0), hidden: byId('memory').hidden, drawn: Object.keys(scenes())}")
        expect(near(shown["seconds"], told["seconds"]) or float(f"{shown['seconds']:.9g}") == told["seconds"], f"{what}: {shown['seconds']} s, not {told['seconds']}")
        expect(shown["sent"] == told["messages"], f"{what}: {shown['sent']} messages, not {told['messages']}")
        expect(shown["hidden"] and shown["shapes"] < 25000, f"{what} is drawn with few shapes: {shown}")
        check_alone(page, path)


def write_config(config, data, folder):
    """The config with another data set."""
    text = re.sub(r"(?m)^  file: .*$", f"  file: {data}", pathlib.Path(config).read_text())
    path = folder / "config.yaml"
    path.write_text(text)
    return path


# The greatest and the mean difference of the blend of all images from a picture, in 1/255.
DIFFERENCE = """const [source, done] = arguments, image = new Image();
image.onload = () => {
  const {width, height, background} = view.picture, all = view.run.size;
  const bytes = draw => {
    const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
    Object.assign(canvas, {width, height});
    context.fillStyle = background;
    context.fillRect(0, 0, width, height);
    draw(context);
    return context.getImageData(0, 0, width, height).data;
  };
  const a = bytes(c => c.drawImage(image, 0, 0)), b = bytes(c => c.drawImage(view.picture.blend(2 ** all - 1, 0), 0, 0));
  let most = 0, sum = 0;
  a.forEach((value, i) => { most = Math.max(most, Math.abs(value - b[i])); sum += Math.abs(value - b[i]); });
  done([image.width === width && image.height === height, most, sum / a.length, new Set(a).size]);
};
image.src = source"""


def check_picture(page, program, config, folder, shots):
    """The images of ranks, blended by the page, are the picture that karman render draws."""
    path = folder / "picture.html"
    subprocess.run([program, "schedule", "radix-k", "--ranks", "6", "--factors", "3,2", "--html", path, "--picture", config], check=True, timeout=300)
    page.open(path)
    width, height = page.run("return [view.picture.width, view.picture.height]")
    subprocess.run([program, "render", config, "--quiet", "--set", "data.steps=last", "--set", f"image.width={width}", "--set", f"image.height={height}", "--set", "image.samples=1",
                    "--set", "output={}", "--set", f"output.frames={folder}/frame_%d.png"], check=True, timeout=300)
    frame = next(folder.glob("frame_*.png"))
    fits, most, mean, values = page.wait(DIFFERENCE, "data:image/png;base64," + base64.b64encode(frame.read_bytes()).decode())
    expect(fits and values > 50 and most <= 8 and mean < .5, f"the page's blend is the picture: it differs by {most}, on average {mean}")
    page.press("\ue010")
    expect(page.run("return scenes().pieces.items.filter(i => i.kind === 'image').length") > 6, "the finished pieces are shown")
    page.browser.screenshot(shots, "picture.png")
    check_alone(page, path)


def main():
    program, without, config, data = sys.argv[1:5]
    folder, shots = pathlib.Path(sys.argv[5]).resolve(), sys.argv[6] if len(sys.argv) > 6 else None
    browser, driver = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
    if not browser or not driver:
        print("SKIPPED: there is no chromium or no chromedriver")
        return 77
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    path = folder / "collectives.html"
    subprocess.run([program, "collectives", "--html", path], check=True, timeout=300)
    page = Page(Browser(browser, driver, folder / "profile"))
    try:
        page.browser.size(1440, 900)
        page.open(path)
        if page.run("return view.core.isFree"):
            check_numbers(page, program)
            check_paper(page)
            check_steps(page)
            check_keys(page)
            check_address(page)
            check_nodes(page, program, folder)
            page.open(path)
            check_break(page)
            check_late(page)
            check_loops(page)
            check_window(page, shots)
            check_ports(page)
            check_touch(page)
            check_predict(page)
            check_looks(page, shots)
            check_results(page)
            check_alone(page, path)
            check_schedules(page, program, folder)
            check_large(page, program, folder)
            check_picture(page, program, write_config(config, data, folder), folder, shots)
        check_without_core(page, without, folder)
    finally:
        page.browser.close()
        shutil.rmtree(folder / "profile", ignore_errors=True)
    print(failures, "failures")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
