"""What the scripts share that measure tables: their arguments, and where a table goes."""
import argparse
import math
import os
import pathlib
import shlex
import statistics
import subprocess
import sys


def read_options(doc, **defaults):
    """Arguments of a script with this description; DEFAULTS of those that it has beside the common ones."""
    parser = argparse.ArgumentParser(description=doc.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--launcher", default="mpiexec -n {layout}")
    for name, default in defaults.items():
        kind = {"action": "store_true"} if default is False else {"type": type(default), "default": default}
        parser.add_argument(f"--{name}", **kind)
    parser.add_argument("--report", action="store_true", help="measure nothing")
    parser.add_argument("--out", help="the table; standard output without it")
    options = parser.parse_args()
    options.layouts = options.layouts.split(",")
    pathlib.Path(options.results).mkdir(parents=True, exist_ok=True)
    return options


def launch(options, layout, command, **variables):
    """Runs a command on the ranks of a layout, with these environment variables. Returns what it printed."""
    words = shlex.split(options.launcher.format(layout=layout)) + command
    environment = dict(os.environ, OMP_NUM_THREADS="1", OMP_WAIT_POLICY="passive", **variables)
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{shlex.join(words)}: exit code {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def count_repeats(least, seconds):
    """Runs of a frame of so many seconds: more of brief ones, which scatter most and cost least."""
    return least * min(4, max(1, math.ceil(7e-3 / seconds)))


def find_spread(runs):
    """Half of the distance of the quartiles, over the median."""
    quarter, _, last = statistics.quantiles(runs, n=4)
    return (last - quarter) / (2 * statistics.median(runs))


def write_lines(options, lines):
    text = "\n".join([*lines, ""])
    if options.out:
        pathlib.Path(options.out).write_text(text)
    else:
        print(text, end="")
