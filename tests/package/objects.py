#!/usr/bin/env python3
"""Checks the objects of a build for circles that headers hide: a function declared in a header below
may be defined above.

    objects.py ROOT BUILD           a line for each circle, with its symbols; fails if there is one
    objects.py --self-test CC       two small programs, compiled by CC: one has circles

An arrow leads from the source that uses a symbol to the one that defines it. Sources are those of rooms and guests
(rooms.py), as compile_commands.json of the build lists them; objects of earlier builds do not count.
Findings are circles among files, and among rooms. Kernels and optional parts that are not built have no
objects, and so no arrows.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import rooms

# Circles that stay, each a set of files or rooms, with the reason.
EXCEPTIONS = {}


def objects(root, build):
    """The objects of rooms in a build, each with its source, relative to the root."""
    commands = json.loads((build / "compile_commands.json").read_text())
    found = {}
    for command in commands:
        output = re.search(r" -o (\S+)", command["command"]).group(1)
        source, place = pathlib.Path(command["file"]), pathlib.Path(command["directory"], output)
        top = build if source.is_relative_to(build) else root  # some sources are made by the build
        name = source.relative_to(top).as_posix()
        is_guest = any(name.startswith(guest + "/") for guest in rooms.GUESTS)
        if ("/room." in output or is_guest) and place.is_file():
            found[place] = name
    return found


def symbols(nm, found):
    """The source that defines each symbol, and the symbols that each source uses but does not define."""
    defined, used = {}, collections.defaultdict(set)
    listing = subprocess.run([nm, "-A", "-P", *map(str, found)], stdout=subprocess.PIPE, text=True, check=True)
    for line in listing.stdout.splitlines():
        name, symbol, kind = re.match(r"(.*): (\S+) (\S)", line).groups()
        source = found[pathlib.Path(name)]
        if kind in "TDBRCVW":
            defined.setdefault(symbol, source)
        elif kind == "U":
            used[source].add(symbol)
    return defined, used


def arrows(root, nm, found):
    """The arrows between files, and between rooms, each with its symbols."""
    house = rooms.House(root)
    defined, used = symbols(nm, found)
    files, between = collections.defaultdict(set), collections.defaultdict(set)
    for source, names in used.items():
        for name in names:
            target = defined.get(name)
            if target and target != source:
                files[source, target].add(name)
                if house.room(source) != house.room(target):
                    between[house.room(source), house.room(target)].add(name)
    return files, between


def describe(what, group, all_arrows):
    """A circle, and the arrows in it with some of their symbols."""
    lines = [f"a circle of {what}: {' '.join(group)}"]
    for (source, target), names in sorted(all_arrows.items()):
        if source in group and target in group:
            few = ", ".join(sorted(names)[:3]) + (", ..." if len(names) > 3 else "")
            lines.append(f"  {source} uses {few} of {target}")
    return "\n".join(lines)


def find(root, nm, found):
    """All circles, as texts."""
    findings = []
    for what, all_arrows in zip(("files", "rooms"), arrows(root, nm, found)):
        graph = collections.defaultdict(set)
        for source, target in all_arrows:
            graph[source].add(target)
        findings += [describe(what, group, all_arrows) for group in rooms.circles(graph)
                     if frozenset(group) not in EXCEPTIONS]
    return findings


# ---- The test of this test -----------------------------------------------------------------------

# Headers without a circle: table.h declares what table.c and below.c define.
PROGRAM = {
    "low/CMakeLists.txt": "karman_room(HEADERS table.h SOURCES member.c below.c)\n",
    "low/table.h": "int table(int n);\nint member(void);\nint below(void);\n",
    "low/member.c": '#include "table.h"\nint member(void)\n{\n    return below();\n}\n',
    "low/below.c": '#include "table.h"\nint below(void)\n{\n    return 1;\n}\n',
    "high/CMakeLists.txt": "karman_room(SOURCES table.c)\n",
    "high/table.c": '#include "low/table.h"\nint table(int n)\n{\n    return n + member();\n}\n',
}
CIRCLES = {"low/below.c": '#include "table.h"\nint below(void)\n{\n    return table(1);\n}\n'}
EXPECTED = ["a circle of files: high/table.c low/below.c low/member.c", "a circle of rooms: high low"]


def compile_program(compiler, root, files):
    """Compiles a program, and writes its compile_commands.json, with an object that is not built."""
    commands, build = [], root / "build"
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if path.suffix == ".c":
            output = build / f"CMakeFiles/room.{path.parent.name}.dir/{path.name}.o"
            output.parent.mkdir(parents=True, exist_ok=True)
            command = f"{compiler} -I{root} -o {output.relative_to(build)} -c {path}"
            subprocess.run(command.split(), cwd=build, check=True)
            commands.append({"directory": str(build), "command": command, "file": str(path)})
    commands.append({"directory": str(build), "command": f"cc -o CMakeFiles/room.low.dir/gone.c.o -c {root}/low/gone.c",
                     "file": f"{root}/low/gone.c"})
    (build / "compile_commands.json").write_text(json.dumps(commands))


def self_test(compiler, nm):
    """Returns the number of programs with wrong findings."""
    wrong = 0
    for files, expected in ((PROGRAM, []), ({**PROGRAM, **CIRCLES}, EXPECTED)):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            compile_program(compiler, root, files)
            found = [text.splitlines()[0] for text in find(root, nm, objects(root, root / "build"))]
        if found != expected:
            wrong += 1
            print(f"expected {expected}, found {found}")
    print(f"2 programs, {wrong} with wrong findings")
    return wrong


def main():
    """Prints the findings."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path, nargs="?")
    parser.add_argument("build", type=pathlib.Path, nargs="?")
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--self-test", metavar="CC")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 1 if self_test(arguments.self_test, arguments.nm) else 0
    if not arguments.build:
        parser.error("name the root of a checkout and a build, or --self-test")
    root, build = arguments.root.resolve(), arguments.build.resolve()
    found = objects(root, build)
    findings = find(root, arguments.nm, found)
    for finding in findings:
        print(finding)
    print(f"{len(found)} objects, {len(findings)} findings")
    return 1 if findings or not found else 0


if __name__ == "__main__":
    sys.exit(main())
