#!/usr/bin/env python3
"""Runs the commands of docs/tutorial.md in an empty folder, with an installation alone.

    tutorial.py PAGE BUILD_FOLDER WORK_FOLDER CMAKE MPIEXEC

The page is read from its beginning:

    ```yaml or ```bash, `# NAME` among the first two lines   saved as NAME; scripts must parse
    ```sh                                                    run; the exit code must be 0
    `NAME.png` (W × H pixels)                                the picture must be there, in that size

Comments `<!-- test: … -->` stand before the block that they are about, or alone:

    not run: REASON            the block is reported, and not run
    needs PROGRAM              likewise, unless the program is there
    background until FILE      the block goes on in a shell of its own once FILE is there
    interrupt after TEXT       the block is interrupted (SIGINT) when it has printed TEXT
    wait                       blocks in the background must end by themselves, with exit code 0
    file NAME...               the files must be there
    same picture A B           pictures that differ by one count of 255 at most
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import zlib

import first_hour

LIMIT = 240  # seconds for a command, also on a busy machine
# The reader's data set is smaller, so that pictures take half the time.
SIZE, SMALLER = "--size 121,61,21", "--size 61,31,11"
TOKEN = re.compile(r"<!-- test: (?P<note>.*?) -->"
                   r"|^```(?P<language>\w+)\n(?P<text>.*?)^```$"
                   r"|`(?P<picture>[\w/]+\.png)`\s+\((?P<width>\d+) × (?P<height>\d+) pixels\)",
                   re.M | re.S)


def pixels(data):
    """The rows of an 8-bit RGB picture, unfiltered (PNG specification, filters 0 to 4)."""
    width, place, packed = int.from_bytes(data[16:20], "big"), 8, b""
    while place < len(data):
        size = int.from_bytes(data[place:place + 4], "big")
        packed += data[place + 8:place + 8 + size] if data[place + 4:place + 8] == b"IDAT" else b""
        place += size + 12
    raw, stride = zlib.decompress(packed), 3 * width
    above, rows = bytes(stride), []
    for start in range(0, len(raw), stride + 1):
        row = unfilter(raw[start], bytearray(raw[start + 1:start + 1 + stride]), above)
        rows.append(row)
        above = row
    return rows


def unfilter(kind, row, above):
    """One row of three bytes a pixel, from its filter's differences."""
    for i in range(len(row)) if kind else ():
        left, up = row[i - 3] if i >= 3 else 0, above[i]
        if kind == 4:
            corner = above[i - 3] if i >= 3 else 0
            guess = left + up - corner
            predicted = min((left, up, corner), key=lambda value: abs(guess - value))
        else:
            predicted = (0, left, up, (left + up) // 2)[kind]
        row[i] = (row[i] + predicted) & 255
    return row


class Reader(first_hour.Hour):
    """A reader of the page, who does as it says."""

    def __init__(self, prefix, home, shims):
        super().__init__(prefix, home)
        self.environment["PATH"] = f"{prefix / 'bin'}:{shims}:/usr/local/bin:/usr/bin:/bin"
        self.background, self.ran, self.left_out, self.pictures = [], 0, [], 0

    def shell(self, text):
        """A block in a shell that stops at the first command that fails."""
        return subprocess.Popen(["bash", "-eu", "-c", text], cwd=self.home, env=self.environment,
                                text=True, start_new_session=True, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def finish(self, process, text, code=0):
        """Waits for the end of a block, and checks its exit code."""
        try:
            said = process.communicate(timeout=LIMIT)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said = process.communicate()[0] + f"\n(killed after {LIMIT} s)"
        if process.returncode != code:
            self.fail(f"{text}expected exit code {code}, got {process.returncode}: {said}")

    def run_block(self, text):
        """Runs a block to its end."""
        self.finish(self.shell(text), text)

    def begin(self, text, name):
        """Starts a block that goes on, and waits for a file of it."""
        process = self.shell(text)
        self.background.append((process, text))
        end = time.monotonic() + LIMIT
        while not (self.home / name).exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        self.expect_file(name)

    def interrupt(self, text, expected):
        """Starts a block, and interrupts it once it has printed a text."""
        process = self.shell("exec " + text)
        guard = threading.Timer(LIMIT, process.kill)
        guard.start()
        said = ""
        while expected not in said and (line := process.stdout.readline()):
            said += line
        if expected not in said:
            self.fail(f"{text}does not print '{expected}': {said}")
        process.send_signal(signal.SIGINT)
        self.finish(process, text)
        guard.cancel()

    def end_background(self):
        """Waits for all blocks in the background."""
        for process, text in self.background:
            self.finish(process, text)
        self.background = []

    def expect_file(self, name):
        """A file that the page promises."""
        path = self.home / name
        if not path.is_file() or path.stat().st_size == 0:
            self.fail(f"there is no {name}")

    def expect_same(self, one, other):
        """Two pictures that agree within one count."""
        first, second = (pixels((self.home / name).read_bytes()) for name in (one, other))
        most = max(abs(a - b) for rows in zip(first, second) for a, b in zip(*rows))
        if len(first) != len(second) or most > 1:
            self.fail(f"{one} and {other} differ by {most} of 255")

    def save(self, text):
        """A config or a script that the page says to save."""
        name = re.search(r"^# ([\w-]+\.(?:yaml|sh))$", "\n".join(text.split("\n")[:2]), re.M)
        if not name:
            self.fail(f"no name to save this as: {text}")
            return
        (self.home / name[1]).write_text(text)
        if name[1].endswith(".sh"):
            self.run_block(f"bash -n {name[1]}\n")

    def do(self, note, text):
        """A block, as the comment before it says."""
        kind, _, rest = note.partition(" ")
        missing = kind == "needs" and not shutil.which(rest, path=self.environment["PATH"])
        if note.startswith("not run: ") or missing:
            self.left_out.append(f"{text.strip()} ({note})")
            return
        self.ran += 1
        print(text.strip(), flush=True)
        if note.startswith("background until "):
            self.begin(text, note.split()[-1])
        elif note.startswith("interrupt after "):
            self.interrupt(text, note.split()[-1])
        elif note in ("", f"needs {rest}"):
            self.run_block(text)
        else:
            self.fail(f"unknown comment: {note}")

    def check(self, note):
        """A comment that stands alone; whether it is one."""
        words = note.split()
        if note == "wait":
            self.end_background()
        elif words[0] == "file":
            for name in words[1:]:
                self.expect_file(name)
        elif words[:2] == ["same", "picture"]:
            self.expect_same(*words[2:])
        else:
            return False
        return True

    def read(self, page):
        """Does all that a page says, in its order."""
        note = ""
        for token in TOKEN.finditer(page):
            if token["picture"]:
                self.pictures += 1
                # The first steps of a flow leave most of a picture dark.
                self.expect_picture(token["picture"], int(token["width"]), int(token["height"]), 64)
            elif token["note"]:
                note = "" if self.check(token["note"]) else token["note"]
            elif token["language"] == "sh":
                self.do(note, token["text"])
                note = ""
            else:
                self.save(token["text"])
        self.end_background()


def main():
    """Installs, and reads the page."""
    page, build, work, cmake, mpiexec = (pathlib.Path(word) for word in sys.argv[1:])
    prefix = first_hour.install(cmake, build, work).prefix
    shims = work / "bin"
    shims.mkdir()
    (shims / "mpiexec").write_text(f'#!/bin/sh\nexec "{mpiexec}" "$@"\n')
    (shims / "mpiexec").chmod(0o755)
    reader = Reader(prefix, work / "home", shims)
    try:
        text = page.read_text()
        if SIZE not in text:
            reader.fail(f"'{SIZE}' is not in {page}")
        reader.read(text.replace(SIZE, SMALLER))
    finally:
        for process, _ in reader.background:
            os.killpg(process.pid, signal.SIGKILL)
    for text in reader.left_out:
        print(f"not run: {text}")
    print(f"{reader.ran} blocks run, {len(reader.left_out)} not run, {reader.pictures} pictures, "
          f"{reader.failures} failures")
    return 1 if reader.failures or reader.ran < 10 or reader.pictures < 8 else 0


if __name__ == "__main__":
    sys.exit(main())
