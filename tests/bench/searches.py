#!/usr/bin/env python3
"""Compares the search of karman tune with its --exhaustive one, and writes a table in Markdown.

    tests/bench/searches.py --build build/release --layouts 4,8,2x4 --sizes 256,512 \\
        --launcher "COMMAND {layout}" --results FOLDER --out searches.md

For each layout both search, and then their choices run in turns. COMMAND starts the ranks of a layout.
FOLDER keeps what was measured: --report makes the table of it.
"""
import json
import pathlib
import re
import statistics

import tables

POINT = re.compile(r"(\d+) runs in ([\d.]+) s")


def find_files(options, layout):
    folder = pathlib.Path(options.results)
    return {kind: folder / f"{kind}-{layout}" for kind in ("search", "all", "frames")}


def search(options, layout):
    """Both searches, each with a fresh file, whose output is kept beside it."""
    for kind, flags in (("all", ["--exhaustive"]), ("search", [])):
        path = find_files(options, layout)[kind].with_suffix(".json")
        path.unlink(missing_ok=True)
        tune = [f"{options.build}/karman", "tune", "--sizes", options.sizes, "--budget", str(options.budget),
                "--out", str(path), *flags]
        text = tables.launch(options, layout, tune)
        path.with_suffix(".txt").write_text(text)


def read_rules(path):
    machines = json.loads(path.with_suffix(".json").read_text())["machines"]
    return [rule for machine in machines for rule in machine["rules"]]


def name_choice(rule):
    """A rule as bench_composite names it."""
    numbers = [n for n in (*rule["factors"], rule["group"], rule["fan_in"]) if n]
    return ("nodes/" if rule["by_nodes"] else "") + rule["algorithm"] + \
        (":" + ",".join(map(str, numbers)) if numbers else "") + \
        (f"@{rule['segment']}" if rule["segment"] else "") + ("+raw" if rule.get("encoding") == "raw" else "")


def read_points(options, layout):
    """(side, case, target, choice of the search, choice of all, seconds) of each point."""
    files = find_files(options, layout)
    return [(round(one["pixels"] ** 0.5), "dense" if one["activity"] == 1 else "sparse", one["target"],
             name_choice(one), name_choice(every), one["auto_seconds"])
            for one, every in zip(read_rules(files["search"]), read_rules(files["all"]), strict=True)]


def run_choices(options, layout):
    frames = find_files(options, layout)["frames"].with_suffix(".jsonl")
    frames.unlink(missing_ok=True)
    for side, case, target, one, every, seconds in read_points(options, layout):
        if one != every:
            both = [f"{options.build}/tests/bench/bench_composite", "--size", str(side), "--case", case,
                    "--target", target, "--algorithm", one, "--algorithm", every, "--only", "karman",
                    "--image", "shared", "--repeat", str(tables.count_repeats(options.repeat, seconds)),
                    "--json", str(frames)]
            tables.launch(options, layout, both)


def compare_choices(options, layout):
    """A line, and whether the search is close, for each point."""
    frames = find_files(options, layout)["frames"].with_suffix(".jsonl")
    lines = [json.loads(line) for line in frames.read_text().splitlines()] if frames.exists() else []
    for side, case, target, one, every, _ in read_points(options, layout):
        runs = {line["name"]: line["milliseconds"] for line in lines
                if (line["size"], line["case"], line["target"]) == (side, case, target)}
        if one == every:
            yield f"{layout}, {side}², {case}, {target}: both take {one}", True
            continue
        ratio = statistics.median(runs[one]) / statistics.median(runs[every])
        spread = max(tables.find_spread(runs[one]), tables.find_spread(runs[every]))
        yield (f"{layout}, {side}², {case}, {target}: {one} {statistics.median(runs[one]):.3g} ms, "
               f"{every} {statistics.median(runs[every]):.3g} ms: {ratio:.2f}, spread {100 * spread:.0f} %",
               ratio <= 1 + max(0.05, spread))


def write_row(options, layout):
    files = find_files(options, layout)
    found = {kind: POINT.findall(files[kind].with_suffix(".txt").read_text()) for kind in ("search", "all")}
    runs = {kind: sum(int(count) for count, _ in points) for kind, points in found.items()}
    seconds = {kind: sum(float(s) for _, s in points) for kind, points in found.items()}
    close = [is_close for _, is_close in compare_choices(options, layout)]
    sides = ", ".join(side + "²" for side in options.sizes.split(","))
    return (f"| {layout} | {sides} | {seconds['search']:.3g}, {seconds['all']:.3g} | "
            f"**{seconds['all'] / max(seconds['search'], 1e-3):.1f}** | {runs['search']}, {runs['all']} | "
            f"{sum(close)} of {len(close)} |")


def main():
    options = tables.read_options(__doc__, layouts="4,8", sizes="256,512", budget=850.0, repeat=11, results="searches")
    for layout in options.layouts if not options.report else []:
        search(options, layout)
        run_choices(options, layout)
    lines = ["| ranks | pictures | seconds: search, all | ratio | runs: search, all | close |",
             "|---|---|--:|--:|--:|--:|", *(write_row(options, layout) for layout in options.layouts), ""]
    for layout in options.layouts:
        lines += [f"* {text}" + ("" if is_close else " (not close)")
                  for text, is_close in compare_choices(options, layout)]
    tables.write_lines(options, lines)


if __name__ == "__main__":
    main()
