#!/usr/bin/env python3
"""Measures the choices of karman tune beside all algorithms and IceT, and writes a table in Markdown.

    tests/bench/choices.py --build build/release --layouts n4,2,4,2x4 --sizes 512,1024 \\
        --launcher "COMMAND {layout}" --results FOLDER --out choices.md

For each layout karman tune searches. Then 'auto' with the file, without it, each algorithm with its usual
parameters and all strategies of IceT run in turns, in one process set. A run that does not count comes before
each, as the first one of a candidate makes its plan, which later frames have. A layout that begins with n is one
node, where the targets are bytes and floats, else pieces and floats. IceT brings no bytes to rank 0, so
its floats stand beside karman's bytes. Cases that miss an aim run again: 'auto' with the file, without it and
the best algorithm in turns, more often. Their first figures stand in the list below the table. FOLDER keeps
what was measured: --report makes the table of it, and --again runs just those cases anew.
"""
import json
import pathlib
import statistics
import subprocess

import tables

# IceT frees its buffers after each frame; without these it waits for page faults.
ICET_ENVIRONMENT = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "68719476736",
                    "MALLOC_TOP_PAD_": "67108864"}


def find_file(options, layout, kind):
    return pathlib.Path(options.results) / f"{kind}-{layout}"


def list_targets(layout):
    return ["floats", "bytes"] if layout.startswith("n") else ["floats", "pieces"]


def list_candidates(options, layout):
    """auto twice, and each algorithm among ranks; among nodes, too, if these have several. The first one
    runs after IceT, with cold caches, so that is none of the two."""
    text = subprocess.run([options.bench, "--list"], check=True, capture_output=True, text=True).stdout
    names = [line.split()[1] for line in text.splitlines() if line.startswith("karman ")]
    names.remove("serial")
    by_nodes = [f"nodes/{name}" for name in names] if "x" in layout else []
    return [names[0], "tuned", names[1], "auto", *names[2:], *by_nodes]


def measure(options, layout):
    rules = find_file(options, layout, "rules").with_suffix(".json")
    frames = find_file(options, layout, "frames").with_suffix(".jsonl")
    rules.unlink(missing_ok=True)
    frames.unlink(missing_ok=True)
    tune = [f"{options.build}/karman", "tune", "--sizes", options.sizes, "--budget", str(options.budget), "--out", str(rules)]
    text = tables.launch(options, layout, tune, **ICET_ENVIRONMENT)
    find_file(options, layout, "tune").with_suffix(".txt").write_text(text)
    candidates = [word for name in list_candidates(options, layout) for word in ("--algorithm", name)]
    for size in options.sizes.split(","):
        compare = [options.bench, "--size", size, "--target", ",".join(list_targets(layout)), *candidates,
                   "--icet", "all", "--tuning", str(rules), "--image", "shared",
                   "--settle", "1", "--repeat", str(options.repeat), "--json", str(frames)]
        tables.launch(options, layout, compare, **ICET_ENVIRONMENT)


def read_frames(options, layout, kind):
    """{(size, case, target): {(library, name): milliseconds of the runs}}"""
    cases = {}
    path = find_file(options, layout, kind).with_suffix(".jsonl")
    for line in path.read_text().splitlines() if path.exists() else []:
        frame = json.loads(line)
        key = (frame["size"], frame["case"], frame["target"])
        cases.setdefault(key, {})[(frame["library"], frame["name"])] = frame["milliseconds"]
    return cases


def read_cases(options, layout):
    cases = read_frames(options, layout, "frames")
    for (size, case, target), runs in cases.items():
        if target == "bytes":
            runs.update({key: value for key, value in cases[(size, case, "floats")].items()
                         if key[0] == "IceT"})
    return cases


def judge(runs):
    """With the file over without it, and over the best algorithm; IceT's best over it; the spread."""
    medians = {key: statistics.median(value) for key, value in runs.items()}
    tuned = medians[("karman", "tuned")]
    best = min((key for key in medians if key[0] == "karman"), key=medians.get)
    icet = min((medians[key] for key in medians if key[0] == "IceT"), default=None)
    return {"auto": tuned / medians[("karman", "auto")], "best": tuned / medians[best],
            "icet": icet and icet / tuned, "ms": tuned, "name": best[1],
            "spread": max(tables.find_spread(runs[("karman", "tuned")]), tables.find_spread(runs[best]))}


def misses(one):
    return one["auto"] > 1.05 or one["best"] > 1.1


def measure_again(options, layout):
    again = find_file(options, layout, "again").with_suffix(".jsonl")
    rules = find_file(options, layout, "rules").with_suffix(".json")
    again.unlink(missing_ok=True)
    for (size, case, target), runs in read_cases(options, layout).items():
        one = judge(runs)
        if misses(one):
            names = dict.fromkeys(["tuned", "auto", one["name"]])
            candidates = [word for name in names for word in ("--algorithm", name)]
            tables.launch(options, layout, [
                options.bench, "--size", str(size), "--case", case, "--target", target, *candidates,
                "--tuning", str(rules), "--image", "shared", "--only", "karman", "--settle", "1", "--json", str(again),
                "--repeat", str(tables.count_repeats(3 * options.repeat, one["ms"] / 1e3))])


def judge_layout(options, layout):
    """The cases by their last runs; those that ran again have the figures before as well. IceT ran before."""
    again = read_frames(options, layout, "again")
    for key, runs in read_cases(options, layout).items():
        one = judge(runs)
        if key in again:
            last = judge(again[key])
            one = {**last, "icet": one["icet"], "before": one}
        yield (layout, *key), one


def write_tables(options, judged):
    sizes = options.sizes.split(",")
    heads = [f"{case}, {size}²" for size in sizes for case in ("dense", "sparse")]
    yield "| ranks | target | " + " | ".join(heads) + " |"
    yield "|---" * (len(heads) + 2) + "|"
    for layout in options.layouts:
        for target in list_targets(layout):
            cells = []
            for size in sizes:
                for case in ("dense", "sparse"):
                    one = judged[(layout, int(size), case, target)]
                    icet = f", {one['icet']:.2f}" if one["icet"] else ""
                    cells.append(f"{one['auto']:.2f}, {one['best']:.2f}{icet}")
            yield f"| {layout} | {target} | " + " | ".join(cells) + " |"
    yield ""


def write_summary(judged):
    ones = list(judged.values())
    autos = [one["auto"] for one in ones]
    icets = [one["icet"] for one in ones if one["icet"]]
    yield (f"* {len(ones)} cases; with the file over without: mean {statistics.mean(autos):.2f}, "
           f"{min(autos):.2f} to {max(autos):.2f}; {sum(ratio > 1.05 for ratio in autos)} above 1.05, "
           f"{sum(one['auto'] > 1 + max(0.05, one['spread']) for one in ones)} beyond the spread")
    yield (f"* within 10 % of the best: {sum(one['best'] <= 1.1 for one in ones)}, within 10 % or the "
           f"spread: {sum(one['best'] <= 1 + max(0.1, one['spread']) for one in ones)}")
    if icets:
        yield (f"* IceT's best in {len(icets)}: {min(icets):.2f} to {max(icets):.2f}, median "
               f"{statistics.median(icets):.2f}; ahead in {sum(ratio < 1 for ratio in icets)}")
    for (layout, size, case, target), one in judged.items():
        before = one.get("before")
        if before or (one["icet"] or 2) < 1:
            yield (f"* {layout}, {case}, {target}, {size}²: {one['ms']:.3g} ms; {one['auto']:.2f} of auto, "
                   f"{one['best']:.2f} of {one['name']}, IceT {one['icet'] or 0:.2f}, "
                   f"spread {100 * one['spread']:.0f} %"
                   + (f"; before {before['auto']:.2f}, {before['best']:.2f} of {before['name']}, "
                      f"spread {100 * before['spread']:.0f} %" if before else ""))


def main():
    options = tables.read_options(__doc__, layouts="n4,n8,2,4,8,16,2x4,4x2", sizes="512,1024", budget=70.0, repeat=7,
                                    results="choices", again=False)
    options.bench = f"{options.build}/tests/bench/bench_composite"
    for layout in options.layouts if not options.report else []:
        if not options.again:
            measure(options, layout)
        measure_again(options, layout)
    judged = dict(pair for layout in options.layouts for pair in judge_layout(options, layout))
    tables.write_lines(options, [*write_tables(options, judged), *write_summary(judged)])


if __name__ == "__main__":
    main()
