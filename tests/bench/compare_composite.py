#!/usr/bin/env python3
"""Compares karman's compositing with IceT's and writes a table in Markdown.

    tests/bench/compare_composite.py --build build/release --ranks 2,4,8,16,32 \\
        --sizes 1024,2048,4096 --out compositing.md

Every candidate runs in a process set of its own, so that none finds what another left in
the heap or in the transport; those of karman and of IceT take turns, in several rounds
and each second one backwards, so that a machine that drifts does so for both. IceT frees
its buffers after every frame: its processes tell glibc to keep the memory, without which
it spends its time on page faults.

With --launcher the processes start by another command, such as a script that puts every
rank behind a link of limited rate; "{n}" stands for the number of ranks.

The measurements are kept beside the table (--results), one line of JSON each: with
--report the table is made from them anew.
"""

import argparse
import itertools
import json
import os
import pathlib
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

ICET_ENVIRONMENT = {
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": "68719476736",
    "MALLOC_TOP_PAD_": "67108864",
}
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}
ONE_NODE_ENVIRONMENT = {"UCX_TLS": "posix,self"}

# How many images' worth of memory a rank takes, its own image included, for dense frames.
MEMORY_PER_RANK = {"karman": 2.5, "icet": 4.7, "icet direct": 1.9, "icet tree": 3.2}
PIXEL_BYTES = 16

FAILED = "a run failed"

# What is the same algorithm in both: karman's name, IceT's strategies.
ALIKE = {
    "radix-k": ("radix-k", "radix-kr"),
    "binary-swap": ("bswap", "bswap-folding"),
    "tree": ("tree",),
    "direct-send": ("direct",),
}
# (what karman does, what IceT does)
CONTESTS = (("floats", "floats"), ("bytes", "floats"), ("pieces", "pieces"))


# ---- Running ------------------------------------------------------------------------


def find_candidates(bench):
    """The lines of --list as {"karman": [name…], "icet": [name…]}."""
    text = subprocess.run([bench, "--list"], check=True, capture_output=True, text=True)
    found = {"karman": [], "icet": []}
    for line in text.stdout.splitlines():
        library, name = line.split()
        found[library].append(name)
    return found


def choose_candidates(options, bench):
    found = find_candidates(bench)
    chosen = {
        "karman": options.algorithm or found["karman"],
        "icet": options.strategy or found["icet"],
    }
    if options.only != "karman" and not found["icet"]:
        sys.exit(f"{bench} is built without IceT: configure with -DKARMAN_ICET=DIRECTORY, "
                 "or measure karman alone with --only karman")
    return {library: names for library, names in chosen.items()
            if options.only in (None, library)}


def process_sets(options, candidates):
    """What one round runs: lists of arguments that name candidates, and whose
    environment they want."""
    def arguments(library, name):
        which = ["--algorithm", name] if library == "karman" else ["--icet", name]
        return library, ["--only", library, *which]

    if options.in_process:
        return [("icet" if "icet" in candidates else "karman",
                 [word for library, names in candidates.items() for name in names
                  for word in arguments(library, name)[1][2:]]
                 + (["--only", options.only] if options.only else []))]
    columns = [[arguments(library, name) for name in names]
               for library, names in candidates.items()]
    rows = itertools.zip_longest(*columns)
    return [one for row in rows for one in row if one]


def environment_for(options, library):
    environment = dict(os.environ, **ENVIRONMENT)
    environment["LD_PRELOAD"] = os.path.abspath(os.path.join(options.build, "libkarman-yield.so"))
    if not options.launcher:
        environment.update(ONE_NODE_ENVIRONMENT)
    if library == "icet":
        environment.update(ICET_ENVIRONMENT)
    else:
        environment.update(assignment.split("=", 1) for assignment in options.setting)
    return environment


def launcher_words(options, ranks):
    if options.launcher:
        return shlex.split(options.launcher.format(n=ranks))
    mpiexec = shutil.which("mpiexec.mpich") or shutil.which("mpiexec")
    if not mpiexec:
        sys.exit("there is no mpiexec: install MPICH, or name another with --launcher")
    return [mpiexec, "-n", str(ranks)]


def end_group(process):
    """Asks a process and its children to end, so that a launcher can take down what it
    set up; then makes them. Returns what they said."""
    os.killpg(process.pid, signal.SIGTERM)
    try:
        return process.communicate(timeout=10)[0]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return process.communicate()[0]


def run_bounded(command, environment, seconds):
    """Exit code, None where it took too long, and what the command said."""
    process = subprocess.Popen(command, env=environment, text=True, start_new_session=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        text, _ = process.communicate(timeout=seconds)
        return process.returncode, text
    except subprocess.TimeoutExpired:
        return None, end_group(process)
    except KeyboardInterrupt:
        end_group(process)
        raise


def measure(options, bench, case, process_set, round_number):
    """The lines that one process set writes, or None where it failed."""
    ranks, size, density = case
    library, which = process_set
    with tempfile.TemporaryDirectory() as folder:
        lines = pathlib.Path(folder, "lines")
        targets = [t for t in options.targets.split(",")
                   if t != "bytes" or "--algorithm" in which]
        if not targets:
            return []
        command = [*launcher_words(options, ranks), bench, "--size", str(size),
                   "--case", density, "--target", ",".join(targets),
                   "--image", options.image, "--threads", str(options.threads),
                   "--warm-up", str(options.warm_up), "--repeat", str(options.repeat),
                   "--json", str(lines), *which]
        code, text = run_bounded(command, environment_for(options, library),
                                 options.timeout)
        if code != 0:
            what = f"exit code {code}" if code is not None else "took too long"
            print(f"FAILED ({what}): {shlex.join(command)}\n{text[-2000:]}",
                  file=sys.stderr, flush=True)
            return None
        found = [json.loads(line) for line in lines.read_text().splitlines()]
    return [dict(line, round=round_number) for line in found]


def available_memory():
    for line in pathlib.Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return 1024 * int(line.split()[1])
    return None


def lacks_memory(case, process_set):
    """Whether a process set will not fit: sparse ones always do."""
    ranks, size, density = case
    library, which = process_set
    images = MEMORY_PER_RANK.get(f"{library} {which[-1]}", MEMORY_PER_RANK[library])
    have = available_memory()
    return (density == "dense" and have is not None
            and ranks * size * size * PIXEL_BYTES * images > 0.95 * have)


def run_case(options, bench, candidates, case, results):
    """Appends the measurements of a case to the results; returns what was not measured
    as {name: reason}."""
    missing = {}
    for number in range(options.rounds):
        sets = process_sets(options, candidates)
        for one in sets if number % 2 == 0 else reversed(sets):
            name = " ".join(one[1])
            if name in missing:
                continue
            if lacks_memory(case, one):
                missing[name] = "not enough memory"
                continue
            lines = measure(options, bench, case, one, number)
            if lines is None:
                missing[name] = FAILED
                continue
            with results.open("a") as out:
                out.writelines(json.dumps(line) + "\n" for line in lines)
    return missing


# ---- Summing up ---------------------------------------------------------------------


def read_results(path):
    return [json.loads(text) for text in path.read_text().splitlines()]


def case_of(line):
    return line["size"], line["case"], line["ranks"]


def medians_of(lines):
    """{case: {(library, target, name): median of all its runs}}."""
    runs = {}
    for line in lines:
        key = (line["library"], line["target"], line["name"])
        runs.setdefault(case_of(line), {}).setdefault(key, []).extend(line["milliseconds"])
    return {case: {key: statistics.median(values) for key, values in keys.items()}
            for case, keys in sorted(runs.items())}


def pace(lines):
    """A sentence on what the machine gave during the measurements."""
    def spread(key):
        values = sorted(line[key] for line in lines)
        return (f"{statistics.median(values):.2g} (tenths: {values[len(values) // 10]:.2g} "
                f"to {values[9 * len(values) // 10]:.2g})")
    return (f"Meanwhile memcpy of one core moved {spread('copy')} GB/s, and a message of 64 "
            f"bytes took {spread('latency')} µs.") if lines else ""


def best(medians, library, target, is_wanted=lambda name: True):
    """(milliseconds, name) of the fastest, or None."""
    found = [(value, name) for (lib, tgt, name), value in medians.items()
             if lib == library and tgt == target and is_wanted(name)]
    return min(found, default=None)


def milliseconds(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def describe(one):
    return f"{milliseconds(one[0])} ({one[1]})" if one else "–"


def ratio_of(ours, theirs):
    return theirs[0] / ours[0] if ours and theirs else None


def describe_ratio(ratio):
    return f"**{ratio:.2f}**" if ratio is not None else "–"


def table(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def case_cells(case, covered):
    size, density, ranks = case
    return [f"{size}²", f"{density}, {100 * covered[case]:.0f} %", str(ranks)]


def best_table(medians, covered):
    """The table of each side's best; and {contest: [ratio…]}."""
    rows, ratios = [], {contest: [] for contest in CONTESTS}
    for case, keys in medians.items():
        cells = case_cells(case, covered)
        for target in ("floats", "bytes", "pieces"):
            cells.append(describe(best(keys, "karman", target)))
        for target in ("floats", "pieces"):
            cells.append(describe(best(keys, "IceT", target)))
        for ours, theirs in CONTESTS:
            ratio = ratio_of(best(keys, "karman", ours), best(keys, "IceT", theirs))
            if ratio is not None:
                ratios[ours, theirs].append(ratio)
            cells.append(describe_ratio(ratio))
        rows.append(cells)
    heading = ["picture", "case, active", "ranks", "karman: floats", "bytes", "pieces",
               "IceT: collected", "not collected", "floats ÷", "bytes ÷", "pieces ÷"]
    return table(heading, rows), ratios


def alike_table(medians, covered, target):
    """Like against like, for one target; and {algorithm: [ratio…]}. Strategy direct
    leaves no pieces."""
    alike = {name: strategies for name, strategies in ALIKE.items()
             if target != "pieces" or "direct" not in strategies}
    rows, ratios = [], {name: [] for name in alike}
    for case, keys in medians.items():
        cells = case_cells(case, covered)
        for name, strategies in alike.items():
            ours = best(keys, "karman", target, lambda n: n.split(":")[0] == name)
            theirs = best(keys, "IceT", target, lambda n: n in strategies)
            ratio = ratio_of(ours, theirs)
            if ratio is None:
                cells.append("–")
                continue
            ratios[name].append(ratio)
            cells.append(f"{milliseconds(ours[0])} / {milliseconds(theirs[0])} "
                         f"= {describe_ratio(ratio)}")
        rows.append(cells)
    return table(["picture", "case, active", "ranks", *alike], rows), ratios


def ratio_lines(ratios):
    rows = [[str(name), str(len(values)), f"{statistics.median(values):.2f}",
             f"{min(values):.2f}"] for name, values in ratios.items() if values]
    return table(["IceT ÷ karman", "cases", "median", "worst"], rows)


def machine():
    """One line on processors, as far as the system tells."""
    model = "unknown processor"
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{os.cpu_count()} cores of {model}"


def preamble(options, lines):
    runs = f"over {options.rounds} rounds of {options.repeat} runs"
    ours = [line for line in lines if line["library"] == "karman"]
    kinds = sorted({f"{line['image']} images, {line['threads']} "
                    + ("thread" if line["threads"] == 1 else "threads") for line in ours})
    sentences = [
        f"{machine()}.", options.title, pace(lines),
        f"Karman: {' and '.join(kinds)} a rank." if kinds else "",
        f"Medians in milliseconds of the slowest rank, {runs}; in brackets the algorithm "
        "that was fastest. Ratios are IceT's time by karman's: above 1, karman is faster.",
        "Images are float RGBA, blended in order; *active* is the share of the picture "
        "that some image covers. IceT's strategy `direct` has the picture at rank 0 "
        "whether it is collected or not."]
    return " ".join(filter(None, sentences))


def best_section(medians, covered):
    names = {("floats", "floats"): "floats at rank 0, IceT collected",
             ("bytes", "floats"): "bytes at rank 0, IceT collected (floats)",
             ("pieces", "pieces"): "pieces, IceT not collected"}
    rows, ratios = best_table(medians, covered)
    return ["## Each at its best", "", *rows, "",
            *ratio_lines({names[key]: values for key, values in ratios.items()})]


def alike_section(medians, covered, target, theirs):
    rows, ratios = alike_table(medians, covered, target)
    return [f"## Like against like: {target}, IceT {theirs}", "",
            "karman / IceT = ratio, where IceT's `radix-kr` counts as radix-k and "
            "`bswap-folding` as binary swap: the faster of the two.", "", *rows, "",
            *ratio_lines(ratios)]


def write_report(options, results, missing):
    lines = read_results(results)
    medians = medians_of(lines)
    covered = {case_of(line): line["covered"] for line in lines}
    text = ["# Compositing: karman and IceT", "", preamble(options, lines), "",
            *best_section(medians, covered), "",
            *alike_section(medians, covered, "floats", "collected"), "",
            *alike_section(medians, covered, "pieces", "not collected")]
    if missing:
        text += ["", "## Not measured", "",
                 *(f"* {name}: `{which}`: {reason}" for name, which, reason in missing)]
    options.out.write_text("\n".join(text) + "\n")


# ---- The command line ---------------------------------------------------------------


def numbers(text):
    return [int(word) for word in text.split(",")]


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--build", type=pathlib.Path, default=pathlib.Path("build/release"))
    add("--ranks", type=numbers, default=[2, 4, 8, 16, 32], metavar="N,N…")
    add("--sizes", type=numbers, default=[1024, 2048, 4096], metavar="N,N…")
    add("--setting", action="append", default=[], metavar="NAME=VALUE",
        help="of the environment of karman's processes, may be repeated")
    add("--cases", default="dense,sparse", metavar="NAME,…")
    add("--targets", default="pieces,floats,bytes", metavar="NAME,…")
    add("--algorithm", action="append", metavar="NAME[:N,N…]",
        help="an algorithm of karman, may be repeated (all)")
    add("--strategy", action="append", metavar="NAME",
        help="a strategy of IceT, may be repeated (all)")
    add("--only", choices=("karman", "icet"))
    add("--in-process", action="store_true",
        help="all candidates take turns in one process set, rather than a set for each")
    add("--image", choices=("shared", "private"),
        help="karman's images (shared, with --launcher private)")
    add("--threads", type=int, default=1)
    add("--warm-up", type=int, default=2)
    add("--repeat", type=int, default=10)
    add("--rounds", type=int, default=3)
    add("--timeout", type=float, default=300.0, help="seconds for a process set")
    add("--launcher", metavar="COMMAND", help='such as "mpiexec -n {n}"')
    add("--title", default="", help="a sentence for the head of the table")
    add("--out", type=pathlib.Path, default=pathlib.Path("compositing.md"))
    add("--results", type=pathlib.Path, help="(OUT with the ending .jsonl)")
    add("--report", action="store_true", help="measure nothing: only write the table")
    options = parser.parse_args()
    options.image = options.image or ("private" if options.launcher else "shared")
    options.results = options.results or options.out.with_suffix(".jsonl")
    return options


def main():
    options = parse_options()
    if options.report:
        write_report(options, options.results, [])
        return 0
    bench = str((options.build / "tests/bench/bench_composite").resolve())
    candidates = choose_candidates(options, bench)
    options.results.write_text("")
    missing = []
    for case in itertools.product(options.ranks, options.sizes, options.cases.split(",")):
        name = f"{case[1]}² {case[2]} on {case[0]} ranks"
        print(name, flush=True)
        gaps = run_case(options, bench, candidates, case, options.results)
        missing += [(name, which, reason) for which, reason in gaps.items()]
        write_report(options, options.results, missing)
    return 1 if any(reason == FAILED for _, _, reason in missing) else 0


if __name__ == "__main__":
    sys.exit(main())
