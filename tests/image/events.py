#!/usr/bin/env python3
"""The events of ranks during compositing, in a timings file.

    events.py KARMAN DATA FOLDER RANKS NODES LAUNCHER...

Renders DATA, a karman data set with several steps, by both partitions, as bytes and as floats. The
first two frames have events, the others none. Events with a duration lie between the begin of
the stage `composite` and that of `finish`. Each message that a rank has sent has arrived. Skipped (77) if ranks do not see NODES
nodes: not every MPI lets a test choose them.
"""
import collections
import json
import os
import subprocess
import sys

CONFIG = """
data: {file: '%s', steps: all}
image: {width: 80, height: 60}
camera: {position: [-1.5, -12.5, 9.5], look_at: [4.6, 0.2, 1.6], up: [0, 0, 1], fov: 30}
layers: [{volume: {field: vorticity_magnitude, range: [0, 3], opacity: [[0, 0], [1, 0.9]]}}]
output: {frames: f_%%d.png, timings: t.json}
"""
SLACK = 2.5e-6  # seconds: stages have whole microseconds


def expect(good, what):
    if not good:
        sys.exit(f"events.py: {what}")


def check_rank(name, frame, rank):
    events = frame["events"][rank]
    begin = frame["ranks"]["begin"]["composite"][rank]
    end = frame["ranks"]["begin"]["finish"][rank]
    columns = [events[key] for key in ("kind", "begin", "wall", "peer", "thread", "bytes")]
    expect(len(set(map(len, columns))) == 1, f"{name}: columns of other lengths")
    for kind, at, wall, peer, thread, size in zip(*columns):
        expect(kind in ("wait", "send", "blend", "receive", "share", "read"), f"{name}: {kind}")
        expect(begin - SLACK <= at and at + wall <= end + SLACK and wall >= 0,
               f"{name}: {kind} of rank {rank} is outside of compositing")
        expect(-1 <= peer < len(frame["events"]) and thread >= 0 and size >= 0,
               f"{name}: {kind} of rank {rank} has a wrong number")


def check_frame(name, frame, ranks):
    expect(len(frame["events"]) == ranks, f"{name}: events of all ranks")
    messages = collections.Counter()
    for rank, events in enumerate(frame["events"]):
        check_rank(name, frame, rank)
        for kind, peer in zip(events["kind"], events["peer"]):
            messages[rank, peer] += kind == "send"
            messages[peer, rank] -= kind == "receive"
    expect(not any(messages.values()), f"{name}: messages that did not arrive: {messages}")
    return sum(events["kind"].count("send") for events in frame["events"])


def main():
    karman, data, folder = sys.argv[1:4]
    ranks, nodes, launcher = int(sys.argv[4]), int(sys.argv[5]), sys.argv[6:]
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)
    with open("case.yaml", "w") as file:
        file.write(CONFIG % data)
    for partition in "object", "screen":
        for floats in False, True:
            name = f"{partition}, {'floats' if floats else 'bytes'}"
            sets = [f"partition={partition}"] + ["output.float=f_%d.h5"] * floats
            subprocess.run([*launcher, karman, "render", "--quiet", "--threads", "2", "case.yaml"] +
                           [word for s in sets for word in ("--set", s)], check=True, timeout=300)
            with open("t.json") as file:
                timings = json.load(file)
            if timings["nodes"] != nodes:
                print(f"events.py: skipped: there are {timings['nodes']} nodes")
                sys.exit(77)
            frames = timings["frames"]
            expect([("events" in frame) for frame in frames] == [n < 2 for n in range(len(frames))],
                   f"{name}: events of the first two frames")
            sent = [check_frame(name, frame, ranks) for frame in frames[:2]]
            expect(partition == "object" or not floats or sent == [2 * (ranks - 1)] * 2,
                   f"{name}: {sent} messages, not colours and depths of each other rank")
            expect(nodes == 1 or min(sent) > 0, f"{name}: no messages between {nodes} nodes")
    print(f"events of {ranks} ranks on {nodes} nodes: all is well")


if __name__ == "__main__":
    main()
