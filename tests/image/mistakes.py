#!/usr/bin/env python3
"""Mistakes of users: each gives one sentence that helps.

    mistakes.py KARMAN KARMAN_DATASET MAKE_BROKEN TABLE FOLDER

The table has a mistake on each line; its first lines say how.
"""
import os
import shutil
import subprocess
import sys

karman, dataset, make_broken, table, folder = map(os.path.abspath, sys.argv[1:])


def prepare():
    """Makes the files that the commands name."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "empty"))
    os.makedirs(os.path.join(folder, "folder"))
    os.chdir(folder)
    quiet = {"stdout": subprocess.DEVNULL, "check": True}
    subprocess.run([dataset, "karman", "--size", "31,17,5", "--steps", "2", "--output", "wake.h5"], **quiet)
    subprocess.run([dataset, "karman", "--size", "31,17,2", "--steps", "1", "--output", "sheet.h5"], **quiet)
    subprocess.run([dataset, "two-blocks", "--size", "9,5,4", "--steps", "1", "--output", "still.h5"], **quiet)
    subprocess.run([make_broken, "no-field", "grid.h5"], **quiet)
    with open("picture.png", "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(600))
    with open("words.txt", "w", encoding="utf-8") as file:
        file.write("to be or not to be\n")


def words_of(command):
    """The words of a command; writes the config in it."""
    head, mark, rest = command.partition(".yaml:")
    if not mark:
        return command.split()
    text, behind = rest, []
    if " --" in rest and head.startswith("check"):
        text, _, options = rest.partition(" --")
        behind = ("--" + options).split()
    path = head.split()[-1] + ".yaml"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace("\\n", "\n").replace("\\t", "\t") + "\n")
    return head.split()[:-1] + [path] + behind


def faults_of(code, words, fragments):
    """What is wrong with the answer to a mistake."""
    done = subprocess.run([karman] + words, capture_output=True, text=True, timeout=120, check=False)
    lines = [line for line in done.stderr.splitlines() if not line.startswith("karman: warning:")]
    faults = []
    if done.returncode != code:
        faults.append(f"exit code {done.returncode} instead of {code}")
    if len(lines) != 1 or not lines[0].startswith("karman: error: "):
        faults.append(f"{len(lines)} lines instead of one")
    if "internal" in done.stderr or "the command line" in done.stderr:
        faults.append("names what no user knows")
    faults += [f"lacks '{f}'" for f in fragments if f not in done.stderr]
    if any(name.endswith((".jpg", ".pdf", ".svg")) or name == "a.png" for name in os.listdir(".")):
        faults.append("leaves a picture")
    return [f"{fault}: {' '.join(words)}\n    {done.stderr.strip()}" for fault in faults]


def main():
    with open(table, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split(" | ", 2) for line in file if line[0] not in "#\n"]
    prepare()
    faults = []
    for code, command, expected in rows:
        faults += faults_of(int(code), words_of(command), [f.strip() for f in expected.split(";;")])
    for fault in faults:
        print("FAILED:", fault)
    print(f"{len(rows)} mistakes, {len(faults)} faults")
    return 1 if faults or len(rows) < 60 else 0


sys.exit(main())
