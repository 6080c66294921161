#!/usr/bin/env python3
"""Measures all algorithms on links, predicts them by karman simulate, and writes a table in Markdown.

    tests/bench/predictions.py --build build/release --layouts 2,4,8,2x4,4x2 --results FOLDER \\
        --launcher "COMMAND {layout}" --out predictions.md

A layout is a number of ranks, each on a node of its own, or nodes x ranks a node. COMMAND starts them.
For each layout karman simulate --measure, bench_composite with each algorithm among ranks and its usual
parameters, and karman simulate --measure again run one after the other. Each algorithm runs in several
processes: the median of their medians counts. A prediction is the mean of those by both machine files. FOLDER keeps what was measured: --report predicts it anew. --keep FILE writes that as one file, of
which tests/package/published.py makes its row.
"""
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

import tables

GATHER = {"floats": "16", "pieces": "none"}


def find_algorithms(bench):
    text = subprocess.run([bench, "--list"], check=True, capture_output=True, text=True).stdout
    names = [line.split()[1] for line in text.splitlines() if line.startswith("karman ")]
    return [name for name in names if name != "serial"]


def find_frames(options, layout):
    return pathlib.Path(options.results) / f"frames-{layout}.jsonl"


def find_machines(options, layout):
    """The machine files from before and after the frames."""
    return [pathlib.Path(options.results) / f"machine-{layout}{when}.json" for when in ("", "-after")]


# ---- Measuring ------------------------------------------------------------------------------------


def measure(options, layout):
    frames = find_frames(options, layout)
    bench = f"{options.build}/tests/bench/bench_composite"
    frames.unlink(missing_ok=True)
    # TCP begins anew on a connection that was idle for 0.2 s. So algorithms do not run in turns, and some frames of
    # each come before those that count.
    commands = [[bench, "--size", options.sizes, "--target", options.targets, "--only", "karman", "--image", "shared",
                 "--warm-up", str(options.warm), "--repeat", str(options.repeat), "--json", str(frames),
                 "--algorithm", name] for name in options.algorithms]
    before, after = ([f"{options.build}/karman", "simulate", "--measure", str(machine)]
                     for machine in find_machines(options, layout))
    for step in (before, *(options.rounds * commands), after):
        tables.launch(options, layout, step)


# ---- Keeping what was measured ---------------------------------------------------------------------


def read_cases(options, layout):
    """Cases of a layout: by algorithm the medians of its runs, in milliseconds."""
    cases = {}
    for line in find_frames(options, layout).read_text().splitlines():
        frame = json.loads(line)
        key = {name: frame[name] for name in ("size", "case", "target", "root")}
        runs = cases.setdefault(str(key), {**key, "ms": {}})["ms"].setdefault(frame["name"], [])
        runs.append(round(statistics.median(frame["milliseconds"]), 3))
    return list(cases.values())


def read_machine(path):
    machine = json.loads(path.read_text())
    machine.pop("measured", None)
    return machine


def collect(options):
    """{layout: its machines before and after, and its cases}"""
    return {layout: {"machines": [read_machine(path) for path in find_machines(options, layout)],
                     "cases": read_cases(options, layout)} for layout in options.layouts}


# ---- Predicting -----------------------------------------------------------------------------------


def name_command(layout, case, machine):
    """The arguments of karman that predict all algorithms for a case."""
    ranks = ["--nodes", layout, "--flat"] if "x" in layout else ["--ranks", layout]
    return ["simulate", "all", *ranks, "--width", str(case["size"]), "--height", str(case["size"]), "--machine",
            str(machine), "--activity", "dense" if case["case"] == "dense" else "kd",
            "--gather", GATHER[case["target"]], "--root", str(case["root"])]


def predict(karman, layout, case, machines):
    """Predicted seconds by algorithm: means of those on the machine that was measured twice."""
    both = []
    for machine in machines:
        command = [karman, *name_command(layout, case, machine), "--format", "json"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        both.append({one["algorithm"]: one["seconds"] for one in json.loads(text)["results"]})
    return {name: statistics.mean(one[name] for one in both) for name in both[0]}


def compare(karman, measured):
    """(layout, size, case, target, {algorithm: (predicted ms, measured ms, its runs)}) of all cases."""
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        work = []
        for layout, one in measured.items():
            paths = [pathlib.Path(folder) / f"{layout}-{n}.json" for n in range(len(one["machines"]))]
            for path, machine in zip(paths, one["machines"]):
                path.write_text(json.dumps(machine))
            work += [(layout, case, paths) for case in one["cases"]]
        predicted = pool.map(lambda item: predict(karman, *item), work)
        return [(layout, case["size"], case["case"], case["target"],
                 {name: (1e3 * seconds[name], statistics.median(runs), runs) for name, runs in case["ms"].items()})
                for (layout, case, _), seconds in zip(work, predicted)]


# ---- The table ------------------------------------------------------------------------------------


def write_tables(options, compared):
    names = options.algorithms
    for size, target in sorted({(one[1], one[3]) for one in compared}):
        yield f"| {target}, {size}² | " + " | ".join(names) + " |"
        yield "|---" * (len(names) + 1) + "|"
        for layout, its_size, case, its_target, times in compared:
            if (its_size, its_target) == (size, target):
                cells = [" / ".join(f"{ms:.3g}" for ms in times[name][:2]) for name in names]
                yield f"| {case}, {layout} | " + " | ".join(cells) + " |"
        yield ""


def find_loss(times):
    """Measured time of the predicted winner over the least one. Algorithms with the same messages, such as
    direct-send and radix-k in one round, win together: the faster one counts."""
    least = min(predicted for predicted, _, _ in times.values())
    winners = [ms for predicted, ms, _ in times.values() if predicted <= (1 + 1e-6) * least]
    return min(winners) / min(ms for _, ms, _ in times.values())


def is_close(predicted, measured):
    return 1 / 1.15 <= predicted / measured <= 1.15


def summarize(label, compared):
    rows = [row for one in compared for row in one[4].values()]
    ratios = [p / m for p, m, _ in rows]
    close = sum(is_close(p, m) for p, m, _ in rows)
    near = sum(is_close(p, m) or min(runs) <= p <= max(runs) for p, m, runs in rows)
    losses = [find_loss(one[4]) for one in compared]
    return (f"{label}: {close} of {len(ratios)} within 15 %, {near} or among the runs, median {statistics.median(ratios):.2f}, "
            f"{min(ratios):.2f} to {max(ratios):.2f}; the predicted winner takes at most "
            f"{max(losses):.2f} times the least, {sum(loss <= 1.1 for loss in losses)} of {len(losses)} "
            "within 10 %")


def write_machines(measured):
    """The links of each layout, before and after its frames: they should be the same."""
    for layout, both in measured.items():
        yield f"* {layout}, links before and after: " + "; ".join(
            f"{one['points'][-1][0] / one['points'][-1][1] * 1e-6:.1f} MB/s, latency {one['alpha'] * 1e6:.0f} µs, "
            f"duplex {one['duplex']:.2f}, burst {one['burst'] * 1e3:.2f} ms, agree {one['agree'] * 1e6:.0f} µs"
            for one in both["machines"])


def write_summary(compared):
    yield "* " + summarize("all", compared)
    for column in (0, 1, 2, 3):
        for value in sorted({str(one[column]) for one in compared}):
            yield "* " + summarize(value, [one for one in compared if str(one[column]) == value])
    for layout, size, case, target, times in compared:
        for name, (p, m, runs) in times.items():
            if not is_close(p, m):
                yield (f"* {layout}, {case}, {target}, {size}²: {name} {p:.3g} / {m:.3g} = {p / m:.2f}; runs "
                       + ", ".join(f"{ms:.3g}" for ms in runs))


def main():
    options = tables.read_options(__doc__, layouts="2,4,8,2x4,4x2", sizes="512,1024", targets="pieces,floats", repeat=7,
                                  warm=6, rounds=3, keep="", results="predictions")
    options.algorithms = find_algorithms(f"{options.build}/tests/bench/bench_composite")
    for layout in options.layouts if not options.report else []:
        measure(options, layout)
    measured = collect(options)
    if options.keep:
        lines = [f'"{layout}": {json.dumps(one)}' for layout, one in measured.items()]
        pathlib.Path(options.keep).write_text("{\n" + ",\n".join(lines) + "\n}\n")
    compared = compare(f"{options.build}/karman", measured)
    tables.write_lines(options, [*write_tables(options, compared), *write_machines(measured), *write_summary(compared)])


if __name__ == "__main__":
    main()
