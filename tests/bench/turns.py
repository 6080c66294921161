#!/usr/bin/env python3
"""How much faster ranks draw than one, where a core changes its speed all the time.

    turns.py KARMAN CONFIG RANKS FOLDER TIMES [option of `karman compare`]...

Runs two comparisons, one on one rank and one on RANKS, on the same core, that take turns:
one is stopped while the other runs, half a second each. So both meet the core at all of its
speeds, alike, as long as both run: TIMES says how often one rank draws the series, a multiple
of `--repeat`, where it is done with it sooner. Then says what settled.py says. FOLDER must
not exist yet.
"""
import os
import signal
import subprocess
import sys
import time

import settled

TURN = 0.5  # seconds


def descendants(root):
    """Numbers of all processes below a process, itself left out."""
    children = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    parent = int(file.read().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
            children.setdefault(parent, []).append(int(name))
    found, new = [], [root]
    while new:
        new = [child for parent in new for child in children.get(parent, [])]
        found += new
    return found


def tell(process, number):
    """Sends a signal to all that a comparison has started."""
    for pid in descendants(process.pid):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass


def take_turns(processes):
    turn = 0
    while all(process.poll() is None for process in processes):
        tell(processes[1 - turn], signal.SIGSTOP)
        tell(processes[turn], signal.SIGCONT)
        time.sleep(TURN)
        turn = 1 - turn
    for process in processes:
        tell(process, signal.SIGCONT)


def start(karman, config, ranks, folder, options):
    command = [karman, "compare", config, "--ranks", ranks, "--cores", "0",
               "--out", os.path.join(folder, ranks), *options]
    with open(os.path.join(folder, ranks + ".log"), "w") as log:
        return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)


def main():
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    karman, config, ranks, folder, times, *options = sys.argv[1:]
    os.makedirs(folder)
    processes = [start(karman, config, "1", folder, [*options, "--repeat", times]),
                 start(karman, config, ranks, folder, options)]
    try:
        take_turns(processes)
        failed = any([process.wait() for process in processes])
    except BaseException:
        for process in processes:
            tell(process, signal.SIGCONT)
            process.terminate()
        raise
    if failed:
        sys.exit(f"turns.py: a comparison failed: see the logs in {folder}")
    settled.report(folder, [os.path.join(folder, n) for n in ("1", ranks)])


if __name__ == "__main__":
    main()
