#!/usr/bin/env python3
"""Means over time: known answers, the same bytes on all ranks, and work that goes on after a failure.

usage: mean.py KARMAN KARMAN-DATASET MPIEXEC…
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
    done = subprocess.run([*launcher, KARMAN, *arguments], capture_output=True, text=True, timeout=240, check=False)
    if (done.returncode != 0) != fails:
        raise SystemExit(f"{arguments} on {ranks} ranks: exit {done.returncode}: {done.stderr}")
    return done


def expect(condition, what):
    if not condition:
        faults.append(what)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def make(folder, data, *options):
    path = os.path.join(folder, data + ".h5")
    subprocess.run([DATASET, data, *options, "--output", path], check=True, timeout=120, capture_output=True)
    return path


def check_answers(wake, folder):
    """Fields that vary with time alone have the same statistics everywhere."""
    times = [step["time"] for step in json.loads(run("info", "--json", wake).stdout)["steps"]]
    mean = sum(times) / len(times)
    variance = sum((time - mean) ** 2 for time in times) / len(times)
    out = os.path.join(folder, "sub", "mean.h5")
    options = ["mean", wake, "--fields", "pressure,t", "--reynolds-stresses", "--derive", "t=time+0*pressure",
               "--derive", "velocity_x=time+0*pressure", "--derive", "velocity_y=1-2*time+0*pressure",
               "--derive", "velocity_z=3+0*pressure"]
    run(*options, "-o", out)
    wanted = {"t": mean, "rms_t": variance ** 0.5, "min_t": min(times), "max_t": max(times), "velocity_x": mean,
              "rms_velocity_y": 2 * variance ** 0.5, "reynolds_stress_xx": variance, "reynolds_stress_yy": 4 * variance,
              "reynolds_stress_xy": -2 * variance, "reynolds_stress_xz": 0, "reynolds_stress_zz": 0}
    probe = run("probe", out, "--at", "1,0,1", "--at", "3,2,1", "--fields", ",".join(wanted)).stdout
    for row in csv.DictReader(io.StringIO(probe)):
        for name, value in wanted.items():
            expect(abs(float(row[name]) - value) < 1e-5 * (abs(value) + 1), f"{name}: {row[name]}, not {value}")
    series = run("probe", wake, "--at", "3,2,1", "--steps", "all", "--fields", "pressure").stdout
    values = [float(row["pressure"]) for row in csv.DictReader(io.StringIO(series))]
    row = next(csv.DictReader(io.StringIO(run("probe", out, "--at", "3,2,1", "--fields", "pressure").stdout)))
    expect(abs(float(row["pressure"]) - sum(values) / len(values)) < 1e-6, f"the mean of {values} is {row}")
    for ranks in (2, 3, 8):
        other = os.path.join(folder, f"mean{ranks}.h5")
        run(*options, "-o", other, ranks=ranks)
        expect(read(other) == read(out), f"{ranks} ranks write another file")
    pictures = [os.path.join(folder, name) for name in ("mean.png", "twice.png", "named.png")]
    small = ["--set", "image.width=160", "--set", "image.height=120", "--slice", "z=2", "--field"]
    run("render", out, "-o", pictures[0], *small, "t2", "--derive", "t2=2*rms_pressure")
    run("render", out, "-o", pictures[1], *small, "t2", "--set", "derive.t2=2*rms_pressure")
    run("render", out, "-o", pictures[2], *small, "rms_pressure")
    one, two, other = (read(path) for path in pictures)
    expect(one == two != other and len(one) > 1000, "pictures of the means")
    text = run("render", out, "-o", pictures[0], "--derive", "speed", fails=True).stderr
    expect("--derive speed: give speed=mag(velocity)" in text, text)
    return out


def check_return(folder):
    """A run whose last step fails, the name of the XDMF file, leaves its work; the next one goes on there."""
    blocks, whole = make(folder, "two-blocks"), os.path.join(folder, "whole.h5")
    run("mean", blocks, "-o", whole)
    long, out = os.path.join(folder, "m" * 243 + ".h5"), os.path.join(folder, "again.h5")
    text = run("mean", blocks, "-o", long, fails=True, ranks=2).stderr
    expect(text.count("error:") == 1 and not os.path.exists(long), text)
    part, journal = read(long + ".part"), read(long + ".part.log").decode().splitlines()
    expect(len(journal) == 3, f"the journal of two blocks: {journal}")

    def go_on(lines, spoil):
        """The file of a run that finds this journal, and a part of which some bytes are lost."""
        with open(out + ".part", "wb") as file:
            file.write(part[:-spoil] + bytes(spoil))
        with open(out + ".part.log", "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        run("mean", blocks, "-o", out, "--force", ranks=3)
        expect(not os.path.exists(out + ".part") and not os.path.exists(out + ".part.log"), "the journal stays")
        return read(out) == read(whole)
    last = 4 * 19 * 15 * 13  # bytes of the last array, of block 1
    expect(go_on(journal[:2], last), "block 1 is not done, and was not written")
    expect(not go_on(journal, last), "block 1 is done, and was written again")
    expect(go_on(["0123456789abcdef"] + journal[1:], last), "another run's journal counts")
    os.remove(long + ".part")
    os.remove(long + ".part.log")


def check_faults(wake, out):
    for arguments, message in (
            ((wake,), "mean needs the name of a new file"),
            ((wake, "-o", out), "exists: --force replaces it"),
            ((wake, "-o", wake), "holds the data"),
            ((wake, "-o", out + "2", "--fields", "vorticity_x"), "has derivatives"),
            ((wake, "-o", out + "2", "--fields", "presure"), "did you mean 'pressure'?")):
        for ranks in (1, 3):
            text = run("mean", *arguments, ranks=ranks, fails=True).stderr
            expect(message in text and text.count("error:") == 1, f"{arguments}: {text}")
    expect(not os.path.exists(out + "2.part"), "a mistake leaves a file")


with tempfile.TemporaryDirectory() as top:
    flow = make(top, "karman", "--size", "61,31,7", "--steps", "5")
    check_faults(flow, check_answers(flow, top))
    check_return(top)
for fault in faults[:20]:
    print(fault)
sys.exit(1 if faults else 0)
