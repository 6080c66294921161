#!/usr/bin/env python3
"""`karman info --statistics`: as `karman integrate` finds the same by expressions, on any number of ranks.

usage: info_statistics.py KARMAN KARMAN-DATASET MPIEXEC…
"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile

KARMAN, DATASET, *MPIEXEC = sys.argv[1:]
faults = []


def run(*arguments, ranks=1, fails=False):
    launcher = [*MPIEXEC, "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*launcher, KARMAN, *arguments], capture_output=True, text=True, timeout=120)
    if (done.returncode != 0) != fails:
        raise SystemExit(f"{arguments} on {ranks} ranks: exit {done.returncode}: {done.stderr}")
    return done


def expect(condition, what):
    if not condition:
        faults.append(what)


def means(path, steps, expressions):
    """The means of expressions over volume and steps, by integrals."""
    table = run("integrate", path, "--steps", steps, "--fields", ",".join(expressions)).stdout
    rows = list(csv.DictReader(io.StringIO(table)))
    return [sum(float(row[f"mean({e})"]) for row in rows) / len(rows) for e in expressions]


def check_field(path, field, steps):
    """Means by integrals: of the field, of its square, and of where it is below its percentiles and within bins."""
    found = json.loads(run("info", "--statistics", path, "--steps", steps, "--fields", field, "--json").stdout)
    name = f"{os.path.basename(path)}, {field}"
    expect(len(found) == 1 and found[0]["field"] == field, f"{name}: {found}")
    of = found[0]
    mean, square = means(path, steps, [field, f"({field}) * ({field})"])
    expect(abs(of["mean"] - mean) <= 1e-9 * abs(of["rms"]), f"{name}: mean {of['mean']}, not {mean}")
    expect(abs(of["rms"] ** 2 - square) <= 1e-6 * square, f"{name}: rms {of['rms']}, square {square}")
    percents = list(of["percentiles"].items())
    expect([p for p, _ in percents] == ["1", "5", "25", "50", "75", "95", "99"], f"{name}: {percents}")
    shares = means(path, steps, [f"({field}) {sign} {value!r}" for _, value in percents for sign in ("<=", "<")])
    for (percent, value), upto, below in zip(percents, shares[::2], shares[1::2]):
        expect(below < int(percent) / 100 + 1e-7 and upto > int(percent) / 100 - 1e-7,
               f"{name}: {percent} % at {value}, but {below} lies below and {upto} up to it")
    width = (of["max"] - of["min"]) / 20
    expect(len(of["histogram"]) == 20 and abs(sum(of["histogram"]) - 1) < 1e-9, f"{name}: {of['histogram']}")
    upto = means(path, steps, [f"({field}) < {of['min'] + 7 * width!r}"])[0]
    expect(abs(sum(of["histogram"][:7]) - upto) < 1e-4, f"{name}: {sum(of['histogram'][:7])} in 7 bins, not {upto}")
    return of


def check_ranks(path, *options):
    for more in ([], ["--json"]):
        one = run("info", "--statistics", path, *options, *more).stdout
        for ranks in (3, 8):
            expect(run("info", "--statistics", path, *options, *more, ranks=ranks).stdout == one,
                   f"{path}: {ranks} ranks print something else")


with tempfile.TemporaryDirectory() as top:
    files = {}
    for data, options in (("karman", ["--size", "41,21,7", "--steps", "3"]), ("warped-box", []), ("iblank-sphere", [])):
        files[data] = os.path.join(top, data + ".h5")
        subprocess.run([DATASET, data, *options, "--output", files[data]], check=True, timeout=120, capture_output=True)
    check_field(files["karman"], "velocity_x", "all")
    check_field(files["karman"], "velocity_y", "last")
    check_field(files["iblank-sphere"], "x", "last")  # blanked cells are left out
    in_cells = [f["name"] for f in json.loads(run("info", "--json", files["warped-box"]).stdout)["fields"]
                if f["location"] == "cell"]
    check_field(files["warped-box"], in_cells[0], "last")
    check_ranks(files["karman"], "--steps", "all")
    check_ranks(files["warped-box"])
    same = json.loads(run("info", "--statistics", files["karman"], "--fields", "3 + 0 * x", "--json").stdout)[0]
    expect(set(same["percentiles"].values()) == {3.0} and same["min"] == same["max"] == 3.0 and
           abs(same["mean"] - 3) < 1e-12, f"{same}")
    text = run("info", "--statistics", files["karman"], "--fields", "pressure").stdout
    expect("pressure, step 2\n  min " in text and "percentiles by volume: 1 %: " in text and " %  ####" in text, text)
    text = run("info", files["karman"], "--derive", "twice=2 * pressure", "--fields", "twice").stdout
    expect("twice, step " in text and "percentiles by volume: 1 %: " in text and "format" not in text, text)
    for arguments, message in ((("--statistics", "--fields", "presure"), "did you mean 'pressure'?"),
                               (("--statistics", "--steps", "77"), "--steps 77")):
        for ranks in (1, 3):
            text = run("info", files["karman"], *arguments, ranks=ranks, fails=True).stderr
            expect(message in text and text.count("error:") == 1, f"{arguments}: {text}")
for fault in faults[:20]:
    print(fault)
sys.exit(1 if faults else 0)
