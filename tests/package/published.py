#!/usr/bin/env python3
"""Published results that karman simulate reproduces: recomputes docs/messages/published-results.md.

    published.py KARMAN DOCUMENT [--write]

Every row of the table has a command, the published figure, the simulated one, and the range or
order that is accepted. The test fails if a figure is not accepted, or if the document has another
one. With --write the table is written into the document instead.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "bench"))
import predictions  # noqa: E402  pylint: disable=wrong-import-position

# What was measured on one machine: tests/bench/predictions.py --keep.
MEASURED = pathlib.Path(__file__).parent / "measured.json"

BEGIN, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"

# Constants, with the place that they come from. Each stands in the document.
NAS = "alpha=0,beta={:.9g},gamma={:.9g},half_duplex=1,overlap=0,receive_ports=1"
PAPER = "alpha=5us,overhead=0,beta=2.5ns,gamma=50ns,receive_ports=0,overlap=0"
INTREPID = "alpha=5us,overhead=0,rate=375MB,gamma=70ns,ports=2,receive_ports=2,fifo=1"
EUREKA = "alpha=10us,overhead=50us,beta=1.5ns,gamma=8ns,fifo=1,overlap=0"
EDISON = "alpha=0,overhead=20us,beta=0.11625ns,gamma=0.0081ns"
STAMPEDE = "alpha=0,overhead=20us,beta=0.147ns,gamma=1ns"


class Simulator:
    """Runs the program, each command once."""

    def __init__(self, karman):
        self.karman = karman
        self.known = {}

    def run(self, command):
        """The predicted seconds of a command line."""
        if command not in self.known:
            words = [self.karman, *command.split()[1:], "--format", "json"]
            done = subprocess.run(words, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                sys.exit(f"{command}: exit code {done.returncode}: {done.stderr.strip()}")
            self.known[command] = json.loads(done.stdout)["results"][0]["seconds"]
        return self.known[command]

    def run_all(self, commands):
        """The same for many, by as many processes as there are cores."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(self.run, commands))


def command(algorithm, ranks, size, machine, options=""):
    """A command line; size: (width, height)."""
    return (f"karman simulate {algorithm} --ranks {ranks} --width {size[0]} --height {size[1]} "
            f"--machine {machine} --segment none{' ' if options else ''}{options}")


def factors_of(values):
    return "--factors " + ",".join(map(str, values))


def primes(number):
    """Prime factors, ascending."""
    found, factor = [], 2
    while number > 1:
        while number % factor == 0:
            found.append(factor)
            number //= factor
        factor += 1
    return found


def eights(number):
    """Factors as Radix-k chooses them on Blue Gene/P: 8 as long as possible, then one of 4 or 2;
    for other numbers, then prime factors."""
    found = []
    while number % 8 == 0:
        found.append(8)
        number //= 8
    return found + ([number] if number in (2, 4) else primes(number))


# ---- The rows: each yields (source, set-up, command, published, simulated, accepted, is it) ------

def nas_rvs(sim):
    c, r, pixels = 0.1215, 0.4450, 512 * 512
    machine = NAS.format(c / pixels / 16, r / pixels)
    for name, algorithm, gather, published in (
            ("simple", "serial", "none", 8.4975), ("tree", "tree", "none", 2.2660),
            ("binary swap", "binary-swap", "16", 0.7589)):
        line = command(algorithm, 16, (512, 512), machine, f"--gather {gather}")
        seconds = sim.run(line)
        yield ("NaS/RVS, fig. 6.6", f"{name}, p = 16, 512²", line, f"{published:.4f} s",
               f"{seconds:.4f} s", "4 digits", abs(seconds - published) < 0.00006)


def radix_k_formulas(sim):
    alpha, beta, gamma, pixels = 5e-6, 16 * 2.5e-9, 50e-9, 1024 * 1024
    cases = [("binary-swap", 64, "", 6), ("direct-send", 64, "", 1)]
    cases += [("radix-k", 64, factors_of(f), len(f)) for f in ([8, 8], [4, 16], [16, 4], [64], [2, 4, 8])]
    cases += [("radix-k", 4096, factors_of([8, 8, 8, 8]), 4)]
    lines = [command(a, p, (1024, 1024), PAPER, f"{o} --gather none".strip())
             for a, p, o, _ in cases]
    errors = []
    for (_, p, _, rounds), seconds in zip(cases, sim.run_all(lines)):
        formula = rounds * alpha + pixels * (beta + gamma) * (p - 1) / p
        errors.append(abs(seconds / formula - 1))
    yield ("Radix-k, §3.2 and table 1", "r α + n (β + γ) (p − 1)/p: binary swap, direct-send and six "
           "vectors k", lines[2], "the formula", f"largest difference {max(errors):.0e}"
           if max(errors) > 1e-9 else "equal", "equal (10⁻⁹)", max(errors) <= 1e-9)
    line = command("tree", 64, (1024, 1024), PAPER.replace("2.5ns", "0").replace("50ns", "0"),
                   "--gather none")
    seconds = sim.run(line)
    yield ("Radix-k, table 1", "Reduce: latency α log₂ p, p = 64", line, "30 µs",
           f"{1e6 * seconds:.6g} µs", "equal (10⁻⁹)", abs(seconds / (6 * alpha) - 1) <= 1e-9)


def radix_k_gain(sim):
    sizes = ((1024, 1024), (2048, 1024), (2048, 2048), (4096, 2048))
    cases = [(2 ** i, size) for i in range(5, 15) for size in sizes]
    swaps = [command("binary-swap", p, s, INTREPID, "--gather none") for p, s in cases]
    radix = [command("radix-k", p, s, INTREPID, f"{factors_of(eights(p))} --gather none")
             for p, s in cases]
    gains = [a / b for a, b in zip(sim.run_all(swaps), sim.run_all(radix))]
    mean = statistics.mean(gains)
    yield ("Radix-k, fig. 4", "p = 32 … 16,384, 1, 2, 4, 8 Mpixel, 2 ports: binary swap / radix-k",
           radix[13], "least ≥ 1, mean 1.45, most 1.51",
           f"least {min(gains):.2f}, mean {mean:.2f}, most {max(gains):.2f}",
           "least ≥ 1, mean 1.35–1.55", min(gains) >= 1 and 1.35 <= mean <= 1.55)


VECTORS = ([2] * 8, [4] + [2] * 6, [2] * 6 + [4], [8] + [2] * 5, [2] * 5 + [8], [8, 8, 2, 2],
           [2, 8, 8, 2], [2, 2, 8, 8], [8, 2, 2, 8], [8, 8, 4], [8, 4, 8], [4, 8, 8], [16, 4, 4],
           [4, 16, 4], [4, 4, 16], [16, 16], [32, 8], [8, 32], [64, 4], [4, 64], [256])


def radix_k_vectors(sim):
    lines = [command("radix-k", 256, (2048, 1024), INTREPID, f"{factors_of(v)} --gather none")
             for v in VECTORS]
    times = list(zip(sim.run_all(lines), VECTORS))
    large = [t for t, v in times if v[0] in (8, 16, 32)]
    twos = [t for t, v in times if v[0] == 2]
    last = max(times)[1]
    yield ("Radix-k, fig. 6", "p = 256, 2 Mpixel, 21 vectors", lines[15],
           "with radix 8, 16, 32 first; [2,2,…] last",
           f"radix 8, 16, 32 in round 0: {1e3 * min(large):.0f}–{1e3 * max(large):.0f} ms; radix 2: "
           f"{1e3 * min(twos):.0f}–{1e3 * max(twos):.0f} ms; last [{','.join(map(str, last))}]",
           "order", max(large) < min(twos) and last == [2] * 8)


def radix_k_counts(sim):
    counts = range(32, 1025, 32)
    lines = [command("radix-k", p, (2048, 1024), INTREPID, f"{factors_of(eights(p))} --gather none")
             for p in counts]
    times = dict(zip(counts, sim.run_all(lines)))
    powers = [t for p, t in times.items() if p & (p - 1) == 0]
    others = [t for p, t in times.items() if p & (p - 1) != 0]
    ratio = max(others) / min(powers)
    yield ("Radix-k, fig. 5", "p = 32 … 1,024 step 32, 2 Mpixel: slowest p / fastest power of two",
           lines[2], "no factor 2 off powers of two", f"{ratio:.2f}", "≤ 1.3", ratio <= 1.3)


def radix_k_cluster(sim):
    counts = range(4, 97)
    lines = [command("radix-k", p, (2048, 1024), EUREKA, f"{factors_of(primes(p))} --gather none")
             for p in counts]
    groups = {"4": [], "3": [], "5": [], "prime": []}
    for p, seconds in zip(counts, sim.run_all(lines)):
        name = next((str(k) for k in (4, 3, 5) if p % k == 0), "prime" if len(primes(p)) == 1 else "")
        if name:
            groups[name].append(1e3 * seconds)
    medians = [statistics.median(group) for group in groups.values()]
    yield ("Radix-k, fig. 7", "one port, p = 4 … 96, ascending prime factors, 2 Mpixel: medians of "
           "multiples of 4, of 3, of 5, primes", lines[8], "in this order",
           ", ".join(f"{m:.1f}" for m in medians) + " ms", "order", medians == sorted(medians))


def tod_command(ranks, side, group, fan_in, machine):
    return command("tod-tree", ranks, (side, side), machine,
                   f"--group {group} --fan-in {fan_in} --gather 12")


def tod_tree_formula(sim):
    line = tod_command(64, 2048, 16, 8, EDISON)
    ms = 1e3 * sim.run(line)
    yield ("TOD-tree, §3.2", "Edison, p = 64, 2048², r = 16, k = 8", line,
           "12 ms measured, 15 by formula", f"{ms:.1f} ms", "11–17 ms", 11 <= ms <= 17)


GROUPS = {128: 32, 256: 32, 512: 64, 1024: 64, 2048: 128, 4096: 128}


def tod_tree_scaling(sim):
    for source, name, machine, most in (("TOD-tree, fig. 5", "Stampede", STAMPEDE, 1024),
                                        ("TOD-tree, fig. 8", "Edison", EDISON, 4096)):
        for side in (2048, 8192):
            counts = [p for p in GROUPS if p <= most and (side == 8192 or p >= 256)]
            trees = [tod_command(p, side, GROUPS[p], p // GROUPS[p], machine) for p in counts]
            radix = [command("radix-k", p, (side, side), machine, "--gather 12") for p in counts]
            ratios = [a / b for a, b in zip(sim.run_all(radix), sim.run_all(trees))]
            small = side == 2048
            yield (source, f"{name}, {side}², {counts[0]} … {counts[-1]} nodes, one round: radix-k / "
                   "TOD-tree", trees[0], "> 1" if small else "about 1",
                   ", ".join(f"{r:.2f}" for r in ratios), "> 1" if small else "0.8–1.25",
                   min(ratios) > 1 if small else 0.8 <= min(ratios) and max(ratios) <= 1.25)


def tod_tree_rounds(sim):
    one = sim.run(tod_command(256, 4096, 32, 8, STAMPEDE))
    line = tod_command(256, 4096, 32, 2, STAMPEDE)
    more = sim.run(line)
    yield ("TOD-tree, fig. 7", "Stampede, 256 nodes, 4096²: one round less several", line,
           "18 ms", f"{1e3 * (one - more):.0f} ms", "> 0", more < one)


def this_machine(sim):
    measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    compared = predictions.compare(sim.karman, measured)
    rows = [row for one in compared for row in one[4].values()]
    close = sum(predictions.is_close(predicted, ms) for predicted, ms, _ in rows)
    losses = [predictions.find_loss(one[4]) for one in compared]
    won = sum(loss <= 1.1 for loss in losses)
    # FILE: a machine of MEASURED.
    layout, case = list(measured.items())[-1][0], list(measured.values())[-1]["cases"][0]
    yield ("this machine", f"links of 1 Gbit/s, p = {', '.join(measured).replace('x', ' x ')}; 512² and 1024², dense and "
           "sparse, pieces and floats: all algorithms", " ".join(["karman", *predictions.name_command(layout, case, "FILE")]),
           "measured in the same run", f"{close} of {len(rows)} within 15 %; in {won} of {len(losses)} cases the winner "
           "within 10 %", "15 % in 95 % of them, winner within 10 % in 85 %",
           close >= 0.95 * len(rows) and won >= 0.85 * len(losses))


ROWS = (nas_rvs, radix_k_formulas, radix_k_gain, radix_k_vectors, radix_k_counts, radix_k_cluster,
        tod_tree_formula, tod_tree_scaling, tod_tree_rounds, this_machine)


# ---- The table -----------------------------------------------------------------------------------

def make_table(rows):
    lines = ["| | source | set-up | published | simulated | accepted |", "|---|---|---|---|---|---|"]
    for number, (source, setup, _, published, simulated, accepted, _) in enumerate(rows, 1):
        lines.append(f"| {number} | {source} | {setup} | {published} | {simulated} | {accepted} |")
    lines += ["", "One command of each row; the others differ in ranks, size and factors "
              "(`tests/package/published.py`):", "", "```"]
    lines += [f"{number:2} {row[2]}" for number, row in enumerate(rows, 1)]
    return "\n".join([*lines, "```", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("karman")
    parser.add_argument("document", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    sim = Simulator(options.karman)
    rows = [row for make in ROWS for row in make(sim)]
    failures = [f"row {number}, {row[0]}: simulated {row[4]}, accepted {row[5]}"
                for number, row in enumerate(rows, 1) if not row[6]]
    text = options.document.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    table, after = rest.split(END)
    if options.write:
        options.document.write_text(before + BEGIN + make_table(rows) + END + after, encoding="utf-8")
    elif table != make_table(rows):
        failures.append(f"{options.document} has another table: run published.py with --write, "
                        f"and look at the difference. It is now:\n{make_table(rows)}")
    print("\n".join(failures) or f"{len(rows)} rows are as published and as committed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
