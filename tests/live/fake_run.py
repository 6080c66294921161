#!/usr/bin/env python3
"""A run directory that changes as that of a running solver does, for the tests of karman live.

    fake_run.py FOLDER [--seconds N] [--period S] [--samples N]

Writes the files that run/steer/run.h describes: a step each `period` seconds with a picture,
monitors and timings. Takes orders and answers them. The picture depends on the cycle and on the
camera, so that a test can tell pictures apart: its colour follows the camera, and a white bar moves
with the cycle. `samples` lines of monitors are there from the start. Ends by itself after
`seconds`, on "stop", by SIGTERM, or with the test that started it.
"""
import argparse
import json
import math
import os
import pathlib
import signal
import socket
import struct
import sys
import time
import zlib

WIDTH, HEIGHT = 320, 200


def png(rows):
    """A PNG of rows of RGB bytes."""
    def chunk(kind, data):
        return (struct.pack(">I", len(data)) + kind + data
                + struct.pack(">I", zlib.crc32(kind + data)))
    head = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + row for row in rows), 1)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def color_of(position):
    return bytes(int(127.5 + 127.5 * math.tanh(v / 10)) for v in position)


def draw(cycle, position):
    """Lines of a globe as the camera sees it, on the camera's colour; a bar that moves with the
    cycle.
    """
    back = [v / math.dist(position, [0, 0, 0]) for v in position]
    right = [-back[1], back[0], 0.0]
    length = math.hypot(*right) or 1.0
    right = [v / length for v in right]
    up = [back[1] * right[2] - back[2] * right[1], back[2] * right[0] - back[0] * right[2],
          back[0] * right[1] - back[1] * right[0]]
    paint = color_of(position)
    rows = [bytearray(paint * WIDTH) for _ in range(HEIGHT)]
    for n in range(12):
        for t in range(360):
            a, b = math.pi * n / 12, math.radians(t)
            point = (math.cos(a) * math.cos(b), math.sin(a) * math.cos(b), math.sin(b))
            if sum(p * q for p, q in zip(point, back)) < 0:
                continue
            x = int(WIDTH / 2 + 80 * sum(p * q for p, q in zip(point, right)))
            y = int(HEIGHT / 2 - 80 * sum(p * q for p, q in zip(point, up)))
            rows[y][3 * x:3 * x + 3] = b"\xe0\xe0\xe0"
    bar = 3 * (4 * cycle % WIDTH)
    for row in rows[-8:]:
        row[bar:bar + 12] = b"\xff" * len(row[bar:bar + 12])
    return png([bytes(r) for r in rows])


def process_start(pid):
    try:
        return int(pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except OSError:
        return 0


PARAMETERS = [
    {"name": "camera.position", "type": "real", "count": 3, "value": [3.0, -8.0, 4.0],
     "help": "where the camera is"},
    {"name": "camera.look_at", "type": "real", "count": 3, "value": [0.0, 0.0, 0.0],
     "help": "what it looks at"},
    {"name": "camera.up", "type": "real", "count": 3, "value": [0.0, 0.0, 1.0], "help": "what is up"},
    {"name": "camera.fov", "type": "real", "count": 1, "min": 1.0, "max": 120.0, "value": 30.0,
     "unit": "degrees", "help": "full vertical angle"},
    {"name": "layers.0.volume.range", "type": "real", "count": 2, "value": [0.0, 2.0],
     "help": "values of the first and the last colour"},
    {"name": "layers.0.volume.colors", "type": "choice", "count": 1,
     "choices": ["viridis", "inferno", "cool-warm"], "value": "viridis", "help": "the colour map"},
    {"name": "layers.0.volume.opacity", "type": "text", "count": 1,
     "value": "[[0, 0], [0.3, 0.1], [1, 0.8]]", "help": "control points: position, alpha"},
    {"name": "layers.1.outline.visible", "type": "bool", "count": 1, "value": True,
     "help": "whether it is drawn"},
    {"name": "solver.cfl", "type": "real", "count": 1, "min": 0.05, "max": 0.9, "value": 0.5,
     "help": "Courant number"},
    {"name": "solver.stages", "type": "int", "count": 1, "min": 1, "max": 5, "value": 3,
     "help": "stages of a step"},
]


class Run:
    def __init__(self, folder):
        self.folder = folder
        self.state, self.cycle, self.frames, self.sequence, self.steps = "running", 0, 0, 0, 0
        self.parameters = {p["name"]: p for p in json.loads(json.dumps(PARAMETERS))}
        for name in ("frames", "orders", "answers"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self.write("run.json", {"program": "fake-run", "version": "1", "host": socket.gethostname(),
                                "pid": os.getpid(), "process_start": process_start(os.getpid()),
                                "ranks": 1, "start": time.time()})
        self.write_parameters()

    def write(self, name, document):
        hidden = self.folder / (name + ".part")
        hidden.write_text(json.dumps(document))
        hidden.rename(self.folder / name)

    def append(self, name, *documents):
        with open(self.folder / name, "a", encoding="utf-8") as file:
            file.write("".join(json.dumps(d) + "\n" for d in documents))

    def write_parameters(self):
        self.write("parameters.json", {"parameters": list(self.parameters.values())})

    def write_status(self, message=""):
        self.sequence += 1
        self.write("status.json", {
            "state": self.state, "cycle": self.cycle, "time": 0.01 * self.cycle, "frames": self.frames,
            "message": message, "updated": time.time(), "sequence": self.sequence})

    def monitors(self, cycle):
        return {"cycle": cycle, "time": 0.01 * cycle, "values": {
            "particles": cycle,
            "residual": 10 ** (-1 - 4 * (1 - math.exp(-cycle / 400))) * (1 + 0.3 * math.sin(cycle / 3)),
            "lift": 0.3 * math.sin(cycle / 12) * (1 - math.exp(-cycle / 60)),
            "drag": 1.33 + 0.02 * math.sin(cycle / 6)}}

    def draw(self):
        position = self.parameters["camera.position"]["value"]
        file = f"frames/front_{self.frames:06d}.png"
        begin = time.time()
        hidden = self.folder / "frames" / ".part"
        hidden.write_bytes(draw(self.cycle, position))
        hidden.rename(self.folder / file)
        self.frames += 1
        self.append("frames.jsonl", {"name": "front", "file": file, "cycle": self.cycle,
                                     "time": 0.01 * self.cycle, "seconds": time.time() - begin})

    def step(self):
        self.cycle += 1
        self.append("monitors.jsonl", self.monitors(self.cycle))
        wave = 0.004 * math.sin(self.cycle / 9)
        self.append("timings.jsonl", {"cycle": self.cycle, "time": 0.01 * self.cycle, "values": {
            "step": 0.08 + wave, "load": 0.004, "render": 0.05 - wave, "composite": 0.008,
            "write": 0.006, "memory": 3e8 + 1e5 * self.cycle, "bytes": 5e6}})
        self.draw()

    # ---- Orders ----

    def apply(self, order):
        """Carries out an order: returns whether it is accepted, and a sentence."""
        verb = order.get("order")
        if verb == "set":
            p = self.parameters[order["name"]]
            if p["name"] == "solver.stages" and order["value"] == 4:
                return False, "solver.stages: the fake run does not like 4"
            p["value"] = order["value"]
            self.write_parameters()
            self.redraw = True
            return True, f"{p['name']} is {order['value']}"
        if verb == "step":
            self.steps += order.get("count", 1)
        elif verb == "redraw":
            self.redraw = True
        else:
            self.state = {"halt": "halted", "resume": "running", "stop": "stopped"}[verb]
        return True, f"{verb} at cycle {self.cycle}"

    def poll(self):
        self.redraw = False
        for path in sorted((self.folder / "orders").glob("*.json")):
            order = json.loads(path.read_text())
            path.unlink()
            accepted, message = self.apply(order)
            answer = {"accepted": accepted, "cycle": self.cycle, "message": message}
            self.append("log.jsonl", {"event": "order", **answer, "time": 0.01 * self.cycle,
                                      "file": path.name, "order": order})
            self.write("answers/" + path.name, answer)
        if self.redraw and self.state == "halted":
            self.draw()

    def go_on(self, seconds, period):
        end = time.time() + seconds
        due = 0.0
        beat = 0.0
        parent = os.getppid()
        while time.time() < end and self.state != "stopped" and os.getppid() == parent:
            self.poll()
            now = time.time()
            if (self.state == "running" and now >= due) or (self.state == "halted" and self.steps):
                self.steps = max(0, self.steps - 1)
                self.step()
                due = now + period
            if now - beat > 0.2:
                self.write_status()
                beat = now
            time.sleep(0.01)
        self.state = "finished"
        self.write_status("the fake run is over")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--period", type=float, default=0.15)
    parser.add_argument("--samples", type=int, default=0)
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    run = Run(arguments.folder)
    run.append("monitors.jsonl", *(run.monitors(n) for n in range(1, arguments.samples + 1)))
    run.cycle = arguments.samples
    run.go_on(arguments.seconds, arguments.period)


if __name__ == "__main__":
    main()
