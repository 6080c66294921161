#!/usr/bin/env python3
"""Traces of `karman compare`: the events of ranks during compositing.

    trace.py REPORT [least number of arrows of traces on several ranks that composite]

Checks the traces of every case of REPORT/report.json. Slices lie within the stage `composite` of
their rank. Arrows lead forward in time, from one rank to another one, and both ends lie in slices
of their threads.
"""
import collections
import json
import pathlib
import sys

SLACK = 2.5  # microseconds: those of stages are whole ones


def expect(good, what):
    if not good:
        sys.exit(f"trace.py: {what}")


def lies_in(ts, slices):
    return any(s["ts"] - SLACK <= ts <= s["ts"] + s["dur"] + SLACK for s in slices)


def check_slices(name, events):
    stages = collections.defaultdict(list)
    for e in events:
        if e["ph"] == "X" and e["cat"] == "frame" and e["name"] == "composite":
            stages[e["pid"]].append(e)
    inner = [e for e in events if e["ph"] == "X" and e["cat"] == "picture"]
    expect(all(e["name"] in ("wait", "send", "blend") for e in inner), f"{name}: other slices")
    expect(all(lies_in(e["ts"], stages[e["pid"]]) and lies_in(e["ts"] + e["dur"], stages[e["pid"]])
               for e in inner), f"{name}: a slice is outside of compositing")
    return inner, stages


def check_arrows(name, events, slices):
    ends = collections.defaultdict(dict)
    for e in events:
        if e["ph"] in "sf":
            expect(e["ph"] not in ends[e["id"]], f"{name}: two arrows of one number")
            ends[e["id"]][e["ph"]] = e
    for arrow in ends.values():
        expect(set(arrow) == {"s", "f"}, f"{name}: an arrow without an end")
        s, f = arrow["s"], arrow["f"]
        expect(s["pid"] != f["pid"], f"{name}: an arrow from a rank to itself")
        expect(s["ts"] <= f["ts"] + SLACK, f"{name}: an arrow back in time")
        expect(s["name"] == f["name"] and lies_in(s["ts"], slices[s["pid"]]) and
               lies_in(f["ts"], slices[f["pid"]]), f"{name}: an arrow that ends nowhere")
    return len(ends)


def main():
    report, least = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    for case in json.loads((report / "report.json").read_text())["cases"]:
        name = f"{case['partition']}-{case['algorithm']}-{case['ranks']}"
        for path in report.glob(f"traces/{name}[.-]*json"):
            events = json.loads(path.read_text())["traceEvents"]
            inner, stages = check_slices(path.name, events)
            arrows = check_arrows(path.name, events, stages)
            composites = case["ranks"] > 1 and not case["partition"].startswith("screen")
            if composites:
                expect({e["name"] for e in inner} >= {"wait", "blend"} and arrows >= least,
                       f"{path.name}: {arrows} arrows, {len(inner)} slices")
            print(f"{path.name}: {len(inner)} slices, {arrows} arrows")


if __name__ == "__main__":
    main()
