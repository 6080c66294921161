#!/usr/bin/env python3
"""What drawing takes on ranks that share cores, without what else the machine does.

    settled.py FOLDER...        folders of `karman compare`

For each case: milliseconds of rendering and compositing of the slowest rank (processor time
without polling), and of all stages; the speedup of both against one rank. For each rank the
fastest fifth of the second half of the frames counts (the 20th percentile), over all runs of
the case: parts have settled by then, and where a core changes its speed from minute to
minute, or other work gets in between, that fifth is alike in all cases.
"""
import collections
import glob
import json
import os
import re
import sys

SHARE = 0.2


def fast(values):
    values = sorted(values)
    return values[int(SHARE * (len(values) - 1))]


def work(frame, stage):
    ranks = frame["ranks"]
    return [max(0.0, cpu - waited) for cpu, waited in
            zip(ranks["cpu"][stage], ranks["waited"][stage])]


def cases(folders):
    """{case: its settled frames, of all runs}"""
    found = collections.defaultdict(list)
    paths = [path for folder in folders
             for path in sorted(glob.glob(os.path.join(folder, "runs", "*.json")))]
    for path in paths:
        match = re.match(r"(.*)-[0-9a-f]+-\d+\.json$", os.path.basename(path))
        if match and not match[1].startswith("projection"):
            with open(path) as file:
                run = json.load(file)
            frames = run.get("timings", run)["frames"]
            found[match[1]] += frames[len(frames) // 2:]
    return found


def measure(frames):
    """(drawing, frame, mean drawing) in seconds, and the number of ranks"""
    stages = list(frames[0]["ranks"]["cpu"])
    drawing = [[sum(of) for of in zip(work(f, "render"), work(f, "composite"))]
               for f in frames]
    whole = [[sum(of) for of in zip(*(work(f, s) for s in stages))] for f in frames]
    ranks = len(drawing[0])
    per_rank = [[fast(frame[r] for frame in part) for r in range(ranks)]
                for part in (drawing, whole)]
    return max(per_rank[0]), max(per_rank[1]), sum(per_rank[0]) / ranks, ranks


def report(name, folders):
    """Says what the comparisons in some folders found, as if they were one."""
    measured = {case: measure(frames) for case, frames in cases(folders).items() if frames}
    one = [m for m in measured.values() if m[3] == 1]
    if not one:
        sys.exit(f"{name}: no run on one rank")
    drawing, frame = min(m[0] for m in one), min(m[1] for m in one)
    for case, (most, whole, mean, ranks) in sorted(measured.items()):
        print(f"{name} {case}: drawing {1e3 * most:.2f} ms, speedup "
              f"{drawing / most:.1f}; frame {1e3 * whole:.2f} ms, {frame / whole:.1f}; "
              f"fullest rank {most / mean:.2f} of the mean, all ranks "
              f"{mean * ranks / drawing:.2f} of one")


def main():
    for folder in sys.argv[1:]:
        report(folder, [folder])


if __name__ == "__main__":
    main()
