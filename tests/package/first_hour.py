#!/usr/bin/env python3
"""The first hour with karman, as the docs describe it, from an installation alone.

    first_hour.py BUILD_FOLDER WORK_FOLDER CMAKE

Installs, moves the installation, and works in an empty folder: no KARMAN_* variable is set, and
PATH has nothing but the installation. The source tree still exists, and programs search it last. An
example and a colour map that only the installation has show that they search the installation.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys


class Hour:
    """A user with an installation; notes failures."""

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
        """Runs a command in the folder, checks its exit code and words, and returns its output."""
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

    def expect_picture(self, name, width, height, pixels_a_byte=8):
        """Checks a PNG of that size. A picture of one colour takes few bytes, and is a failure."""
        path = self.home / name
        data = path.read_bytes() if path.is_file() else b""
        size = (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))
        if data[:8] != b"\x89PNG\r\n\x1a\n" or size != (width, height) or len(data) * pixels_a_byte < width * height:
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
    """The version, help, the man pages, and completion of command lines."""
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
        if not script.is_file() or "--complete" not in script.read_text():
            hour.fail(f"{name} does not ask karman for the words that may follow")
    hour.run("karman", "--complete", "render", "wake.h5", "--set", "camera.f", says=["camera.fov="])
    if shutil.which("man"):
        shown = hour.run("man", "--warnings", "-M", str(share / "man"), "karman", "render",
                         path=os.environ["PATH"])
        if "--set" not in shown or "warning" in shown:
            hour.fail(f"man shows of karman-render: {shown}")


def read_docs(hour):
    """Each file that the docs link to is there."""
    folder = hour.prefix / "share/doc/karman"
    pages = [folder / "README.md", *sorted((folder / "docs").rglob("*.md"))]
    if len(pages) < 10:
        hour.fail(f"the docs are {pages}")
    for page in pages:
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
            if "://" not in link and not (page.parent / link).exists():
                hour.fail(f"{page.name} links to {link}, which is not installed")


def draw_example(hour):
    """An example: its data, its list of fields, and a picture."""
    hour.run("karman", "example", says=["karman ", "combustor ", "mine "])
    hour.run("karman", "example", "karman", says=["karman render karman.yaml"])
    hour.run("karman", "info", "karman.h5", says=["velocity_x", "pressure"])
    hour.run("karman", "info", "karman.yaml", says=["velocity_x"])
    # One step of twenty, at the config's own size.
    hour.run("karman", "render", "karman.yaml", "--set", "data.steps=0")
    hour.expect_picture("out/karman_0000.png", 960, 600)
    # A colour map of the installation, in any directory.
    hour.run("karman", "render", "karman.yaml", "--quiet", "--set", "data.steps=7", "--set",
             "layers.0.volume.colors=mine", "--set", "image={width: 320, height: 200}")
    hour.expect_picture("out/karman_0007.png", 320, 200)


# A picture that is quick to draw.
TINY = "image={width: 320, height: 200}"


def draw_a_file(hour):
    """A picture from a data file alone; a config for that file, and a picture from the config."""
    hour.run("karman-dataset", "karman", "--steps", "3", "--size", "61,31,8", "--output", "wake.h5")
    shown = hour.run("karman", "render", "wake.h5", "--set", TINY, says=[
        "field: vorticity_magnitude", "scalar_bar: true", "block: cylinder", "wake.png"])
    if "auto" in shown:
        hour.fail(f"something is open in {shown}")
    hour.expect_picture("wake.png", 320, 200)
    hour.run("karman", "render", "wake.h5", "--quiet", "--field", "pressure", "-o", "p.png",
             "--set", TINY)
    hour.expect_picture("p.png", 320, 200)
    text = hour.run("karman", "init", "wake.h5", says=[
        "file: wake.h5 ", "# a data file of any format", "range: [", "frames: wake_%04d.png"])
    (hour.home / "case.yaml").write_text(text)
    hour.run("karman", "render", "case.yaml", "--set", TINY, "--set", "data.steps=last")
    hour.expect_picture("wake_0002.png", 320, 200)


def change_a_key(hour):
    """On the command line, and in the file, where a value may be set to auto again."""
    case, same = hour.home / "case.yaml", ("--quiet", "--set", TINY, "--set", "data.steps=last")
    hour.run("karman", "render", "case.yaml", *same)
    before = (hour.home / "wake_0002.png").read_bytes()
    hour.run("karman", "render", "case.yaml", *same, "--set", "camera.fov=60", "-o", "set.png")
    hour.expect_picture("set.png", 320, 200)
    text, count = re.subn(r"(?m)^  position: .*$", "  position: auto\n  fov: 60", case.read_text())
    text, more = re.subn(r"colors: viridis", "colors: plasma", text)
    if count != 1 or more != 1:
        hour.fail(f"init prints {count} positions and {more} maps: {text}")
    case.write_text(text)
    hour.run("karman", "render", "case.yaml", *same)
    hour.expect_picture("wake_0002.png", 320, 200)
    if (hour.home / "wake_0002.png").read_bytes() == before:
        hour.fail("another colour map changes nothing")


def err_in_a_config(hour):
    """Error messages name the place of a mistake and suggest the right word."""
    good = (hour.home / "case.yaml").read_text()
    for right, wrong, says in (
            ("range:", "rnage:", "in layers.0.volume: did you mean 'range'?"),
            ("width: 1280", "width: wide", "image.width: expected a whole number, found 'wide'"),
            ("field: vorticity_magnitude", "field: vorticity_mag",
             "layers.0.volume.field: there is no field 'vorticity_mag' (did you mean "
             "'vorticity_magnitude'?)"),
            ("file: wake.h5", "file: wak.h5", "data.file: file 'wak.h5' cannot be opened"),
            ("colors: plasma", "colors: plasmo", "did you mean 'plasma'?")):
        bad = good.replace(right, wrong, 1)
        lines = [n for n, line in enumerate(bad.split("\n"), 1) if wrong in line]
        if not lines:
            hour.fail(f"init does not print '{right}'")
            continue
        (hour.home / "bad.yaml").write_text(bad)
        code = 1 if "there is no field" in says or "opened" in says else 2
        hour.run("karman", "render", "bad.yaml", code=code, says=[f"bad.yaml:{lines[0]}: ", says])


def make_an_animation(hour):
    """All steps, then only those that are missing."""
    config = "data: {file: wake.h5}\noutput: {frames: film/f_%03d.png}\n"
    (hour.home / "film.yaml").write_text(config + "image: {width: 320, height: 200}\n")
    hour.run("karman", "render", "film.yaml", says=["3 frames to film/f_%03d.png", "frame 3/3"])
    names = [f"f_{step:03d}.png" for step in range(3)]
    if sorted(path.name for path in (hour.home / "film").iterdir()) != names:
        hour.fail(f"the film is {sorted((hour.home / 'film').iterdir())}")
    for name in names:
        hour.expect_picture(f"film/{name}", 320, 200)
    (hour.home / "film/f_001.png").unlink()
    hour.run("karman", "render", "film.yaml", "--resume", says=["2 were complete"])
    hour.expect_picture("film/f_001.png", 320, 200)


def compare_partitions(hour):
    """A recommendation for an open config on up to two ranks, with the line to paste."""
    launcher = pathlib.Path(shutil.which("mpiexec.mpich") or shutil.which("mpiexec") or "")
    hour.run("karman", "compare", "film.yaml", "--ranks", "1,2", "--repeat", "1", "--projections",
             "as-is", "--algorithms", "tree", "--set", "data.steps=last", "--out", "compared",
             says=["rank"], path=f"{hour.prefix / 'bin'}:{launcher.parent}")
    report = hour.home / "compared/report.csv"
    if not report.is_file() or len(report.read_text().splitlines()) < 4:
        hour.fail(f"the comparison is {report.read_text() if report.is_file() else None}")


def err(hour):
    """A mistyped command or name gets a suggestion."""
    hour.run("karman", "redner", "karman.yaml", code=2, says=["did you mean 'render'?"])
    hour.run("karman", "karman.yaml", code=2, says=["did you mean 'karman render karman.yaml'?"])
    hour.run("karman", "example", "karmn", code=2, says=["did you mean 'karman'?"])
    hour.run("karman", "example", "karman", says=["kept  karman.yaml", "kept  karman.h5"])


def main():
    """Runs the first hour."""
    build, work, cmake = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    hour = install(cmake, build, work)
    for part in (ask_for_help, read_docs, draw_example, draw_a_file, change_a_key, err_in_a_config,
                 make_an_animation, compare_partitions, err):
        part(hour)
    print(f"{hour.failures} failures")
    return 1 if hour.failures else 0


if __name__ == "__main__":
    sys.exit(main())
