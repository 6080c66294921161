#!/usr/bin/env python3
"""The first hour with karman, as the docs say it, from an installation alone.

    first_hour.py BUILD_FOLDER WORK_FOLDER CMAKE

Installs, moves the installation, and works in an empty folder: no KARMAN_* variable, and nothing but
the installation in PATH. The source is there all the same, and programs look into it last: an example
and a colour map that the installation alone has show that they look into that.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys


class Hour:
    """A user with an installation, and what goes wrong."""

    def __init__(self, prefix, home):
        self.prefix, self.home, self.failures = prefix, home, 0
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("KARMAN_")}
        self.environment |= {"PATH": str(prefix / "bin"), "HOME": str(home), "LC_ALL": "C.UTF-8"}

    def fail(self, text):
        """Notes a failure."""
        self.failures += 1
        print(f"FAILED: {text}")

    def run(self, *words, code=0, says=(), path=None):
        """Runs a command in the folder and returns its output; checks code and words of it."""
        environment = self.environment | ({"PATH": path} if path else {})
        done = subprocess.run(words, cwd=self.home, env=environment, text=True, timeout=240,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        if done.returncode != code:
            self.fail(f"{' '.join(words)}: expected exit code {code}, got {done.returncode}: "
                      f"{done.stdout}")
        for word in says:
            if word not in done.stdout:
                self.fail(f"{' '.join(words)} does not say '{word}': {done.stdout}")
        return done.stdout

    def expect_picture(self, name, width, height):
        """A PNG of that size which is not one colour all over: such a one takes few bytes."""
        path = self.home / name
        data = path.read_bytes() if path.is_file() else b""
        size = (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))
        if data[:8] != b"\x89PNG\r\n\x1a\n" or size != (width, height) or len(data) < width * height / 8:
            self.fail(f"{name} is no picture of {width} x {height}: {len(data)} bytes, {size}")


def install(cmake, build, work):
    """Installs into a prefix, and moves it."""
    shutil.rmtree(work, ignore_errors=True)
    (work / "home").mkdir(parents=True)
    subprocess.run([cmake, "--install", build, "--prefix", work / "prefix"], check=True,
                   stdout=subprocess.DEVNULL)
    (work / "prefix").rename(work / "moved")
    share = work / "moved/share/karman"
    shutil.copy(share / "colormaps/viridis.json", share / "colormaps/mine.json")
    shutil.copy(share / "configs/karman.yaml", share / "configs/mine.yaml")
    return Hour(work / "moved", work / "home")


def ask_for_help(hour):
    """The version, help, the man pages, and how command lines are completed."""
    hour.run("karman", "--version", says=["karman ", "commit ", "MPI ", "HDF5 ", "OpenMP ",
                                          "options ", "instructions ", "compiler "])
    commands = re.findall(r"^  ([a-z]+) ", hour.run("karman", "--help"), flags=re.M)
    share = hour.prefix / "share"
    pages = [f"man1/karman-{command}.1" for command in commands]
    pages += ["man1/karman.1", "man1/karman-solver.1", "man1/karman-dataset.1", "man5/karman-config.5"]
    for page in pages:
        if not (share / "man" / page).is_file():
            hour.fail(f"there is no {page}")
    for name in ("bash-completion/completions/karman", "zsh/site-functions/_karman",
                 "fish/vendor_completions.d/karman.fish"):
        script = share / name
        if not script.is_file() or "camera.fov" not in script.read_text():
            hour.fail(f"{name} does not complete the keys of a config")
    if shutil.which("man"):
        shown = hour.run("man", "--warnings", "-M", str(share / "man"), "karman", "render",
                         path=os.environ["PATH"])
        if "--set" not in shown or "warning" in shown:
            hour.fail(f"man shows of karman-render: {shown}")


def read_docs(hour):
    """Each file that the docs link to is there."""
    folder = hour.prefix / "share/doc/karman"
    pages = [folder / "README.md", *sorted((folder / "docs").glob("*.md"))]
    if len(pages) < 10:
        hour.fail(f"the docs are {pages}")
    for page in pages:
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
            if "://" not in link and not (page.parent / link).exists():
                hour.fail(f"{page.name} links to {link}, which is not installed")


def draw_example(hour):
    """An example: its data, what is in it, and a picture."""
    hour.run("karman", "example", says=["karman ", "combustor ", "mine "])
    hour.run("karman", "example", "karman", says=["karman render karman.yaml"])
    hour.run("karman", "info", "karman.h5", says=["velocity_x", "pressure"])
    hour.run("karman", "info", "karman.yaml", says=["velocity_x"])
    # One step of twenty, at the config's own size.
    hour.run("karman", "render", "karman.yaml", "--set", "data.steps=0")
    hour.expect_picture("out/karman_0000.png", 960, 600)
    # A colour map of the installation, wherever that is.
    hour.run("karman", "render", "karman.yaml", "--quiet", "--set", "data.steps=7", "--set",
             "layers.0.volume.colors=mine", "--set", "image={width: 320, height: 200}")
    hour.expect_picture("out/karman_0007.png", 320, 200)


def err(hour):
    """What is mistyped gets a word on what was meant."""
    hour.run("karman", "redner", "karman.yaml", code=2, says=["did you mean 'render'?"])
    hour.run("karman", "karman.yaml", code=2, says=["did you mean 'karman render karman.yaml'?"])
    hour.run("karman", "example", "karmn", code=2, says=["did you mean 'karman'?"])
    hour.run("karman", "example", "karman", says=["kept  karman.yaml", "kept  karman.h5"])


def main():
    """Runs the hour."""
    build, work, cmake = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    hour = install(cmake, build, work)
    for part in (ask_for_help, read_docs, draw_example, err):
        part(hour)
    print(f"{hour.failures} failures")
    return 1 if hour.failures else 0


if __name__ == "__main__":
    sys.exit(main())
