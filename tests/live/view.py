#!/usr/bin/env python3
"""karman view as a server: permissions, orders, pictures that are those of karman render.

    view.py KARMAN DATASET FOLDER [LAUNCHER]

DATASET: the program that makes data sets. LAUNCHER: the command that starts MPI programs.
"""
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import zlib

import serving
from link import Proxy, Tunnel
from protocol import raw
from serving import Served, expect, wait_for

JSON = {"Content-Type": "application/json"}
SIZE = {"width": 200, "height": 150}


class View(Served):
    """karman view of a file or a config."""

    def __init__(self, karman, data, *options, ranks=1, launcher=None):
        launch = [*shlex.split(launcher), "-n", str(ranks)] if ranks > 1 else []
        super().__init__(karman, data, *options, command="view", launch=launch)
        self.ranks = ranks

    def send(self, order, **options):
        order = {**order, **({"config": json.dumps(order["config"])} if "config" in order else {})}
        return self.ask("/api/view", "POST", json.dumps(order), JSON, **options)

    def answer(self, **order):
        code, _, body = self.send(order)
        return code, json.loads(body)

    def about(self):
        return self.answer(do="about")[1]

    def draw(self, config, step, **order):
        code, headers, body = self.send({"do": "draw", "client": "test", "config": config, "step": step, **order})
        note = json.loads(headers["Karman-View"]) if headers["Karman-View"] else {}
        return code, note, body


def start(about):
    return {**about["config"], "image": {**about["config"].get("image", {}), **SIZE}}, about["step"]


# ---- Permissions --------------------------------------------------------------------------------


def check_permissions(view):
    body, wrong = json.dumps({"do": "about"}), "0" * 31 + ("1" if view.token[-1] == "0" else "0")
    for token in (None, "", wrong, view.token[:-1], view.token + "0"):
        headers = JSON if token is None else {**JSON, "X-Karman-Token": token}
        code, _, _ = view.ask("/api/view", "POST", body, headers, token=False)
        expect(code == 401, f"an order with the token {token} is refused, not {code}")
    code, headers, _ = view.ask(f"/?token={view.token}", token=False)
    cookie = (headers["Set-Cookie"] or "").split(";")[0]
    expect(code == 200 and cookie, "the address opens the page, with a cookie")
    code, _, _ = view.ask("/api/view", "POST", body, {**JSON, "Cookie": cookie}, token=False)
    expect(code == 401, f"a cookie gives no orders, but {code}")
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", ""):
        code, _, _ = view.ask("/api/view", "POST", body, {**JSON, "Host": host})
        expect(code in (400, 403), f"the host '{host}' is refused, not {code}")
    for origin in ("http://evil.example", "null", f"http://127.0.0.1:{view.port + 1}"):
        code, _, _ = view.ask("/api/view", "POST", body, {**JSON, "Origin": origin})
        expect(code == 403, f"the origin '{origin}' is refused, not {code}")
    code, _, _ = view.ask("/api/view", "POST", body, {**JSON, "Origin": f"http://127.0.0.1:{view.port}"})
    expect(code == 200, f"the page's own origin is not, but {code}")
    expect(view.code("/api/view") == 405, "orders cannot be read")
    expect(view.code("/api/view", method="POST", body=body, headers={"Content-Type": "text/plain"}) == 415,
           "an order is JSON")
    for path in ("/api/state", "/api/orders", "/api/picture?at=0", "/../view.html", "/no/such/thing"):
        expect(view.code(path) == 404, f"a view has no {path}")
    _, headers, _ = view.ask("/")
    expect("default-src 'self'" in headers["Content-Security-Policy"], "the page loads nothing from elsewhere")


def check_watching(view, about):
    """A guest sees the last picture that is watched, and gives no orders."""
    config, step = start(about)
    code, _, body = view.ask("/api/guest")
    guest = json.loads(body)["token"]
    token = {"X-Karman-Token": guest}
    expect(code == 200 and guest != view.token, "guests have a token of their own")
    expect(view.ask("/api/guest", headers=token, token=False)[0] == 401, "which they cannot ask for")
    expect(view.ask("/api/view", "POST", json.dumps({"do": "about"}), {**JSON, **token}, token=False)[0] == 401, "guests give no orders")
    expect(view.ask(f"/watch.html?token={guest}", token=False)[0] == 200, "guests have a page")
    _, _, picture = view.draw(config, step, watched=True)
    code, headers, body = view.ask("/api/watch?after=0", headers=token, token=False)
    number = json.loads(headers["Karman-View"])["number"]
    expect(code == 200 and body == picture and number >= 1, f"they see what is drawn: {code} {number}")
    view.draw(config, step)
    later = threading.Thread(target=lambda: view.draw(config, step, form="jpeg", scale=0.5, watched=True))
    later.start()
    code, headers, body = view.ask(f"/api/watch?after={number}", headers=token, token=False)
    later.join()
    expect(code == 200 and json.loads(headers["Karman-View"])["number"] == number + 1 and body != picture, f"and the next one: {code}")
    for wrong in ("", "?after=", "?after=-1", "?after=x"):
        expect(view.ask("/api/watch" + wrong, headers=token, token=False)[0] == 400, f"{wrong} is no number")
    expect(view.ask("/api/watch?after=0", token=False)[0] == 401, "nobody watches without a token")


def check_bodies(view):
    for body in ("", "{", "[]", "7", '{"do": 3}', '{"do": "nothing"}', '{"do": "draw"}', '{"do": "change", "config": 3}',
                 '{"do": "draw", "config": "layers: ["}', '{"do": "probe", "at": [7, -1]}', '{"do": "histogram"}',
                 '{"do": "draw", "config": "{}", "scale": 1e9}', '{"do":"draw","config":"image: {width: 100000}"}'):
        code, _, answer = view.ask("/api/view", "POST", body, JSON)
        expect(code in (400, 422) and json.loads(answer)["error"], f"{body[:40]} is refused by a sentence: {code}")
    head = f"POST /api/view HTTP/1.1\r\nHost: 127.0.0.1:{view.port}\r\nX-Karman-Token: {view.token}\r\n"
    reply = raw(view, f"{head}Content-Type: application/json\r\nContent-Length: {5 << 20}\r\n\r\n".encode())
    expect(b" 413 " in reply[:20], f"a body has 4 MiB at most: {reply[:40]}")
    reply = raw(view, f"{head}Host: 127.0.0.1:{view.port}\r\n\r\n".encode())
    expect(b" 400 " in reply[:20], f"a header that occurs twice is refused: {reply[:40]}")


# ---- Pictures -----------------------------------------------------------------------------------


def pixels(png):
    """The bytes of a picture of three bytes a pixel, row after row, without its filters."""
    parts, at, stride = b"", 8, 0
    while at < len(png):
        size, kind = int.from_bytes(png[at:at + 4], "big"), png[at + 4:at + 8]
        stride = 3 * int.from_bytes(png[at + 8:at + 12], "big") if kind == b"IHDR" else stride
        parts += png[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    rows, above, out = zlib.decompress(parts), bytes(stride), b""
    for begin in range(0, len(rows), stride + 1):
        row, kind = bytearray(rows[begin + 1:begin + 1 + stride]), rows[begin]
        for n in range(stride):
            left, up, corner = (row[n - 3], above[n], above[n - 3]) if n > 2 else (0, above[n], 0)
            guess = left + up - corner
            near = min((left, up, corner), key=lambda v: abs(guess - v))
            row[n] = row[n] + (0, left, up, (left + up) // 2, near)[kind] & 255
        above = bytes(row)
        out += above
    return out


def is_alike(one, other):
    """Pictures of the same ranks have the same bytes; of others, the same pixels within 1 count."""
    return one == other or max(abs(a - b) for a, b in zip(pixels(one), pixels(other), strict=True)) <= 1


def render(karman, folder, config, step):
    """The picture that karman render draws of a config that was taken away."""
    (folder / "taken.yaml").write_bytes(config)
    before = set(folder.glob("*.png"))
    done = subprocess.run([karman, "render", "-q", "taken.yaml", "--output", "taken.png"], cwd=folder,
                          capture_output=True, text=True)
    expect(done.returncode == 0, f"the config that was taken away is drawn: {done.stderr}")
    new = set(folder.glob("*.png")) - before | {folder / "taken.png"}
    return (folder / "taken.png").read_bytes() if new else b""


def check_taken(view, karman, folder, config, step, what):
    ranks = view.ranks
    code, note, picture = view.draw(config, step)
    expect(code == 200, f"{what} is drawn: {code} {picture[:200]}")
    code, _, taken = view.send({"do": "take", "config": config, "step": step})
    drawn = render(karman, folder, taken, step)
    same = picture == drawn if ranks == 1 else is_alike(picture, drawn)
    expect(same, f"{what}: the picture of {ranks} ranks is that of karman render")
    return picture


def check_changes(view, karman, folder, about):
    """Only what changed is done again, and the result is that of a new job."""
    config, step = start(about)
    check_taken(view, karman, folder, config, step, "the first picture")
    turned = json.loads(json.dumps(config))
    turned["camera"]["position"][0] += 3.0
    code, note, coarse = view.draw(turned, step, form="jpeg", scale=0.5)
    expect(code == 200 and note["width"] == SIZE["width"] // 2, f"a coarse picture has half the size: {note}")
    expect(not about["jpeg"] or coarse[:2] == b"\xff\xd8", "and is a JPEG")
    check_taken(view, karman, folder, turned, step, "another view")
    field = about["data"]["fields"][0]
    for change in ("layers.+={contour: {field: %s, k: 1}}" % field, "layers.+={outline: {}}",
                   "layers.+={isosurface: {field: %s, value: 0.5}}" % field, "layers.0.volume.opacity=[[0, 0], [1, 0.5]]",
                   "layers.+={threshold: {field: %s, above: 0.1}}" % field,
                   "layers.%d.threshold.above=0.3" % (len(config["layers"]) + 3),
                   "clip: [{point: [2, 0, 0], normal: [1, 0, 0]}]", "image.background=[1, 1, 1]",
                   "layers.0.volume.field=%s" % field, "layers.1=null", "lights: [{direction: [1, 1, -1]}]"):
        code, answer = view.answer(do="change", config=turned, step=step, changes=[change])
        if expect(code == 200, f"{change} is a change: {answer.get('error')}"):
            turned = answer["config"]
            check_taken(view, karman, folder, turned, step, change)
    for other in about["data"]["steps"][:2]:
        check_taken(view, karman, folder, turned, other[0], f"step {other[0]}")
    check_taken(view, karman, folder, config, step, "the first picture, again")


def check_refusals(view, about):
    config, step = start(about)
    for change, part in (("layers.0.volume.range=[3, 1]", "ascend"), ("camera.fov=700", "fov"),
                         ("layers.+={contour: {field: nonsense, k: 0}}", "no field"), ("data.file=/etc/passwd", "cannot"),
                         ("camera.fvo=1", "fov")):
        code, answer = view.answer(do="change", config=config, step=step, changes=[change])
        expect(code == 422 and part in answer["error"] and not answer["error"].startswith("--set"),
               f"{change} is refused by a sentence about {part}: {code} {answer}")
    code, _, _ = view.draw({**config, "data": {"file": "/etc/passwd"}, "output": {"frames": "/x/x.png"}}, step)
    expect(code == 200, f"the data of an order do not count: {code}")
    code, _, answer = view.draw(config, 987654)
    expect(code == 422, f"there is no such step: {code}")
    code, note, _ = view.draw({**config, "camera": {**config["camera"], "look_at": [1e4, 1e4, 0], "position": [1e4, 1e4 - 9, 0]}},
                              step, scale=0.99)
    expect(code == 200 and note["blank"], f"a picture that shows nothing says so: {code} {note}")


def check_probe(view, about):
    config, step = start(about)
    view.draw(config, step)
    found = [view.answer(do="probe", at=[x / 10, 0.5])[1] for x in range(1, 10)]
    hits = [f for f in found if f["x"]]
    expect(hits and all(f["values"] for f in hits), f"points under the pointer have values: {found}")
    for hit in hits[:2]:
        code, again = view.answer(do="probe", x=hit["x"])
        expect(again["values"] == hit["values"], f"the values are those at the place: {again} {hit}")
    field = about["data"]["fields"][0]
    code, answer = view.answer(do="histogram", field=field)
    expect(code == 200 and sum(answer["bins"]) > 0 and answer["range"][0] <= answer["middle"][0], f"a histogram: {answer}")


def check_histograms(view, about):
    config, step = start(about)
    view.draw(config, step)
    field = about["data"]["fields"][0]
    _, all_values = view.answer(do="histogram", field=field)
    low, high = all_values["range"]
    _, within = view.answer(do="histogram", field=field, within=[low, high])
    expect(within["bins"] == all_values["bins"], "a histogram within the whole range is that of all values")
    for scale in ("symlog", "log"):
        code, other = view.answer(do="histogram", field=field, within=[max(low, 1e-9) if scale == "log" else low, high], scale=scale)
        expect(code == 200 and 0 < sum(other["bins"]) <= sum(within["bins"]), f"{scale}: {other}")
    shown = next(iter(view.answer(do="probe", x=[3, 0, 2])[1]["values"]))
    low, high = view.answer(do="histogram", field=shown)[1]["range"]
    for least, value in ((True, low), (False, high)):
        code, answer = view.answer(do="extreme", field=shown, least=least)
        expect(code == 200 and abs(answer["values"][shown] - value) <= 1e-5 * max(abs(low), abs(high)), f"an extreme has its place: {answer} {value}")
    code, _ = view.answer(do="histogram", field=field, within=[-1, 1], scale="log")
    expect(code == 422, f"a logarithmic scale begins above 0: {code}")
    code, answer = view.answer(do="colors", config=config, layer=0)
    expect(code == 200 and len(answer["colors"][0]) == 4, f"a layer has colours: {answer}")
    code, _ = view.answer(do="colors", config=config, layer=64)
    expect(code == 422, f"there is no such layer: {code}")


def check_samples(view, karman, folder, about):
    """Values along a line are those of karman line, at all steps."""
    config, step = start(about)
    view.draw(config, step)
    ends, steps = [[-1.5, -1, 1], [6, 1, 3]], [s[0] for s in about["data"]["steps"]]
    code, answer = view.answer(do="sample", line=ends, count=20, steps=steps)
    name = next(iter(answer["values"]))
    options = ["--from=" + ",".join(map(str, ends[0])), "--to=" + ",".join(map(str, ends[1])), "--count=20", "--steps=all"]
    done = subprocess.run([karman, "line", "wake.h5", "--fields", name, *options], cwd=folder, capture_output=True, text=True)
    rows = [row.split(",") for row in done.stdout.splitlines()[1:]]
    expect(len(rows) == 20 * len(steps), f"karman line writes them: {done.stderr}")
    ours = [v for row in answer["values"][name] for v in row]
    theirs = [float(row[-1]) if row[-1] else None for row in rows]
    expect(all(a == b or (a is not None and b is not None and abs(a - b) <= 1e-8 * max(1, abs(a)))
               for a, b in zip(ours, theirs, strict=True)) and any(ours), f"values along a line: {ours} {theirs}")
    code, answer = view.answer(do="sample", vertices=[[0, 3, 4, 5], [0, 4, 4, 5]])
    expect(code == 200 and all(p["inside"] for p in answer["points"]), f"vertices have places: {answer}")
    for wrong in ({}, {"points": [[1, 2]]}, {"line": ends, "count": 1}, {"points": [[0, 0, 0]], "steps": [987]}, {"vertices": [[0, 0, 0, 999]]},
                  {"points": [[0, 0, 0]] * 5000}):
        code, answer = view.answer(do="sample", **wrong)
        expect(code == 422 and answer["error"], f"{str(wrong)[:50]} is refused: {code}")


def check_stop(view, about):
    """A newer order ends a drawing, whose remains appear in no later picture."""
    config, step = start(about)
    large = {**config, "image": {"width": 1600, "height": 1200}}
    code, _, whole = view.draw(config, step)
    codes = []
    for n in range(6):
        thread = threading.Thread(target=lambda: codes.append(view.draw(large, step)[0]))
        thread.start()
        time.sleep(0.01 * n)
        code, _, picture = view.draw(config, step)
        expect(picture == whole or code == 409, "the picture after a stop is whole")
        thread.join()
    expect(set(codes) <= {200, 409}, f"a drawing is whole, or gives way to a newer one: {codes}")
    expect(view.draw(large, step)[0] == 200, "the large picture can be drawn still")
    huge = {**config, "image": {"width": 4000, "height": 3000, "samples": 64}}
    thread = threading.Thread(target=lambda: codes.append(view.draw(huge, step)[0]))
    thread.start()
    time.sleep(0.3)
    code, _ = view.answer(do="change", client="test", config=config, step=step, changes=["camera.fov=25"], ends=True)
    thread.join()
    expect((code, codes[-1]) == (200, 409), f"a change does not wait for the drawing that it outdates: {code} {codes[-1]}")


# ---- Proxies ------------------------------------------------------------------------------------


def check_proxy(karman, data):
    """Behind a proxy with its own name, a path before ours, and https."""
    view = View(karman, data, "--host", "hub.example")
    proxy = Proxy(view.port, prefix="/user/me/proxy/1")
    body = json.dumps({"do": "about"}), {**JSON, "X-Karman-Token": view.token}
    for path, headers, code in (
            ("/user/me/proxy/1/?token=" + view.token, {"Host": "hub.example"}, 200),
            ("/user/me/proxy/1/explore.js", {"Host": "hub.example"}, 403),
            ("/user/me/proxy/1/?token=" + view.token, {"Host": "hub.example.evil"}, 403),
            ("/user/me/proxy/1/?token=" + view.token, {"Host": "evil.example"}, 403)):
        got = proxy.ask(path, headers=headers)[0]
        expect(got == code or (code == 403 and 400 <= got < 404), f"{path} of {headers}: {got}")
    for origin, code in (("https://hub.example", 200), ("http://hub.example", 200), ("https://evil.example", 403), ("null", 403)):
        got = proxy.ask("/user/me/proxy/1/api/view", "POST", body[0], {**body[1], "Host": "hub.example", "Origin": origin})[0]
        expect(got == code, f"an order of {origin}: {got}")
    proxy.close()
    view.close()


def check_connecting(karman, data):
    """Ten of ten views answer through a forwarded port, at the first attempt."""
    for n in range(10):
        view = View(karman, data)
        tunnel = Tunnel(view.port)
        code, _, body = tunnel.ask(f"/?token={view.token}")
        expect(code == 200 and b"explore.js" in body, f"the page of view {n} comes through a tunnel: {code}")
        code, _, _ = tunnel.ask("/api/view", "POST", json.dumps({"do": "about"}), {**JSON, "X-Karman-Token": view.token})
        expect(code == 200, f"and its order: {code}")
        tunnel.close()
        view.close()


# ---- Loading, ends -----------------------------------------------------------------------------


def check_loading(karman, data):
    """The terminal says that data are loaded before the address is there; the page may ask at any time."""
    view = View(karman, data)
    view.about()
    code, answer = view.answer(do="loading")
    expect((code, answer) == (200, {"ready": True, "what": "", "share": 1.0}), f"all is loaded: {code} {answer}")
    _, _, err = view.close()
    expect(f"karman: loading {data.name}" in err or f"karman: loading {data}" in err, f"the terminal says that data are loaded: {err}")


def check_idle(karman, data):
    view = View(karman, data, "--idle", "1s")
    view.about()
    expect(view.program.wait(120) == 0, "an idle view ends well")
    expect("idle" in view.program.stderr.read(), "and says why")


def check_usage(karman, folder):
    for arguments, part in ((["nothing.h5"], "nothing.h5"), (["wake.h5", "--set", "camera.fvo=3"], "fvo"), (["wake.h5", "--field", "nonsense"], "nonsense"),
                            (["wake.h5", "--set", "layers.0.volume.range=[3, 1]"], "ascend"), ([], "needs"), (["a", "b", "c"], "one config"),
                            (["wake.h5", "nothing.h5"], "nothing.h5"), (["wake.h5", "taken.yaml"], "holds no data"),
                            (["a", "--idle", "soon"], "30min"), (["a", "--port", "99999"], "port")):
        done = subprocess.run([karman, "view", *arguments], cwd=folder, capture_output=True, text=True, timeout=300)
        expect(done.returncode in (1, 2) and part in done.stderr and done.stdout == "",
               f"view {' '.join(arguments)}: {done.returncode} {done.stderr}")


def check_beside(karman, dataset, data, folder, ranks, launcher):
    """Other data with the config of the first ones: each picture is that of karman render."""
    other = folder / "coarse.h5"
    subprocess.run([dataset, "karman", "--size=17,25,7", "--steps=2", "--output", other], check=True)
    view = View(karman, data, str(other), ranks=ranks, launcher=launcher)
    about, its = view.about(), view.answer(do="about", other=True)[1]
    expect(about["other"] and not its["data"]["file"].endswith(data.name), f"there are other data: {its['data']['file']}")
    expect((len(about["data"]["steps"]), len(its["data"]["steps"])) == (3, 2), "each has steps of its own")
    config, step = start(about)
    first = check_taken(view, karman, folder, config, step, "the first data")
    config = {**config, "layers": [layer for layer in config["layers"] if "object" not in layer]}
    code, note, picture = view.draw(config, its["step"], other=True)
    expect(code == 200, f"other data are drawn: {code} {picture[:200]}")
    taken = view.send({"do": "take", "config": config, "step": its["step"], "other": True})[2]
    expect(b"coarse.h5" in taken, f"their config names them: {taken}")
    expect(is_alike(picture, render(karman, folder, taken, step)), "they are those of karman render")
    expect(not is_alike(picture, first) and view.draw(start(about)[0], step)[2] == first, "the first data stay")
    view.close()


def check_vanished(karman, data):
    view = View(karman, data)
    about = view.about()
    config, step = start(about)
    hidden = data.with_suffix(".hidden")
    data.rename(hidden)
    expect(view.answer(do="news")[1] == {"there": False, "changed": False}, "news: the file has vanished")
    config["camera"]["fov"] = 20
    code, _, _ = view.draw(config, step)
    expect(code == 200, f"what is loaded is drawn without its file: {code}")
    other = about["data"]["steps"][0][0]
    code, _, answer = view.draw(config, other)
    expect(code in (200, 422, 500), f"another step is drawn, or refused: {code} {answer[:200]}")
    hidden.rename(data)
    code, _, answer = view.draw(config, other)
    expect(code == 200, f"the file is there again: {code} {answer[:200]}")
    view.close()


def check_growing(karman, dataset, data):
    """A file that grows is noticed; it is opened anew when the page wishes."""
    view = View(karman, data, "--idle", "20s")
    config, step = start(view.about())
    first = view.draw(config, step)[2]
    expect(view.answer(do="news")[1] == {"there": True, "changed": False}, "nothing has changed")
    longer = data.with_suffix(".longer")
    subprocess.run([dataset, "karman", "--size=25,33,9", "--steps=5", "--output", longer], check=True)
    longer.replace(data)
    expect(view.answer(do="news")[1] == {"there": True, "changed": True}, "the file has changed")
    code, about = view.answer(do="reopen", config=config, step=step)
    expect(code == 200 and len(about["data"]["steps"]) == 5, f"it has more steps: {code} {str(about)[:200]}")
    expect(view.answer(do="news")[1]["changed"] is False, "which is no news any more")
    code, _, last = view.draw(config, about["data"]["steps"][-1][0])
    expect(code == 200 and last != first, f"a new step is drawn: {code}")
    while view.program.poll() is None:
        try:
            view.send({"do": "news"})
        except OSError:
            pass
        time.sleep(0.5)
    expect(view.program.wait(120) == 0, "who asks for news alone does not use the view")


def check_view(karman, data, folder, ranks, launcher):
    view = View(karman, data, ranks=ranks, launcher=launcher)
    try:
        about = view.about()
        expect(about["ranks"] == ranks and about["data"]["cells"] > 0, f"a view of {ranks} ranks: {about['ranks']}")
        check_changes(view, karman, folder, about)
        check_stop(view, about)
        check_probe(view, about)
        check_histograms(view, about)
        check_samples(view, karman, folder, about)
        if ranks == 1:
            check_permissions(view)
            check_bodies(view)
            check_watching(view, about)
            check_refusals(view, about)
    finally:
        code, out, err = view.close(signal.SIGINT)
    expect(code == 0 and "ended" in err, f"{ranks} ranks end by SIGINT: {code} {err}")


def main():
    karman, dataset, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
    launcher = sys.argv[4] if len(sys.argv) > 4 else None
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    data = folder / "wake.h5"
    subprocess.run([dataset, "karman", "--size=25,33,9", "--steps=3", "--output", data], check=True)
    for ranks in (1, 4) if launcher else (1,):
        check_view(karman, data, folder, ranks, launcher)
        check_beside(karman, dataset, data, folder, ranks, launcher)
    check_usage(karman, folder)
    check_proxy(karman, data)
    check_connecting(karman, data)
    check_vanished(karman, data)
    check_growing(karman, dataset, data)
    check_loading(karman, data)
    check_idle(karman, data)
    print(serving.failures, "failures")
    return serving.failures > 0


if __name__ == "__main__":
    sys.exit(main())
