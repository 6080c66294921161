#!/usr/bin/env python3
"""karman collectives: the formula of each algorithm gives the numbers that stand beside it.

    collectives_formulas.py KARMAN
"""
import json
import math
import re
import subprocess
import sys

RANKS = [1, 2, 3, 5, 8, 14, 15, 16, 22, 33, 46, 64]
# Formulas for powers of two. Other numbers of ranks take more messages or elements.
POWERS = {"scatter-allgather", "rabenseifner", "recursive-halving", "recursive-doubling", ("alltoall", "bruck")}
SERIES = "p − 1 + ⌊(p − 3)/2⌋ + …"


def sum_series(p):
    """p − 1 + ⌊(p − 3)/2⌋ + ⌊(p − 7)/4⌋ + … while the terms are above 0."""
    terms = [(p - 2 ** (i + 1) + 1) // 2**i for i in range(7)]
    return sum(term for term in terms if term > 0)


def evaluate(formula, values):
    """Its α, β and γ; a number before a letter or a parenthesis is a factor."""
    text = formula.replace(SERIES, "series").replace("⌈lg p⌉", " lg ").replace("−", "-")
    tokens = re.findall(r"\d+|series|lg|[a-zα-γ]|[-+/^()]", text)
    product = ""
    for before, token in zip([""] + tokens, tokens):
        is_factor = re.match(r"[\w)]", before) and re.match(r"[\w(]", token)
        product += ("*" if is_factor else "") + ("**" if token == "^" else token)
    units = ({"α": 1, "β": 0, "γ": 0}, {"α": 0, "β": 1, "γ": 0}, {"α": 0, "β": 0, "γ": 1})
    return [eval(product, {}, {**values, **unit}) for unit in units]


def check(karman, p, segment):
    """Compares all algorithms for p ranks and vectors of 3 p elements."""
    n = 3 * p
    options = ["--ranks", str(p), "--count", str(n), "--format", "json"]
    options += ["--segment", str(segment)] if segment else []
    algorithms = json.loads(subprocess.run([karman, "collectives", *options], check=True, capture_output=True).stdout)
    algorithms = algorithms["algorithms"]
    s = segment if 0 < segment < n else n
    rounds = next(a["cost"]["alpha"] for a in algorithms if (a["collective"], a["algorithm"]) == ("scatter", "binary"))
    values = {"p": p, "n": n, "b": 3, "s": s, "k": -(-n // s), "r": rounds, "lg": math.ceil(math.log2(p)),
              "series": sum_series(p)}
    wrong = []
    for a in algorithms:
        expected = [a["cost"][unit] for unit in ("alpha", "beta", "gamma")]
        found = evaluate(a["formula"], values)
        is_exact = p & (p - 1) == 0 or not POWERS & {a["algorithm"], (a["collective"], a["algorithm"])}
        if is_exact and found != expected:
            wrong.append(f"{a['collective']} {a['algorithm']}, p = {p}, n = {n}, s = {s}: {a['formula']} is {found}, "
                         f"but the numbers are {expected}")
    return len(algorithms), wrong


def main():
    results = [check(sys.argv[1], p, segment) for p in RANKS for segment in (0, 4)[: 1 + (p in (5, 16))]]
    wrong = [line for _, lines in results for line in lines]
    print("\n".join(wrong) or f"{sum(count for count, _ in results)} formulas give their numbers")
    sys.exit(bool(wrong))


main()
