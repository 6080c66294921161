#!/usr/bin/env python3
"""Draws the pictures of docs/design: SVG files beside this script, for light and dark pages.

    draw.py                    writes them
    draw.py --check            fails if a committed file is not what the script draws
    draw.py --program KARMAN   fails if the drawing of radix-k is not the schedule of the program
"""
import argparse
import json
import pathlib
import subprocess
import sys

sys.dont_write_bytecode = True  # pylint: disable=wrong-import-position
import cell
import frame
import radix_k
import rooms_graph

HERE = pathlib.Path(__file__).resolve().parent
DRAWINGS = {"frame.svg": frame.draw, "cell.svg": cell.draw, "radix-k.svg": radix_k.draw,
            "rooms.svg": rooms_graph.draw}


def check():
    """Names the committed files that differ; returns how many."""
    wrong = 0
    for name, drawn in DRAWINGS.items():
        path = HERE / name
        if not path.exists() or path.read_bytes() != drawn().encode():
            print(f"docs/design/drawings/{name} is not what draw.py draws: run docs/design/drawings/draw.py")
            wrong += 1
    return wrong


def ask(program):
    """The schedule of the program, as JSON."""
    words = ["schedule", "radix-k", "--ranks", "8", "--factors", "4,2", "--pixels", "64", "--format", "json"]
    return json.loads(subprocess.run([program, *words], check=True, stdout=subprocess.PIPE).stdout)


def main():
    """Writes or checks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--program", metavar="KARMAN")
    options = parser.parse_args()
    if options.program:
        difference = radix_k.mismatch(ask(options.program))
        print(difference or "the drawing is the schedule")
        return 1 if difference else 0
    if options.check:
        return 1 if check() else 0
    for name, drawn in DRAWINGS.items():
        (HERE / name).write_bytes(drawn().encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
