#!/usr/bin/env python3
"""Checks the rooms of a checkout: the includes between them, and the sizes of things.

    rooms.py ROOT                   a line for each finding; fails if there is one
    rooms.py ROOT --dot [FILE]      also writes the graph of rooms for Graphviz
    rooms.py --self-test            small trees, each with one defect that must be found

A room is a folder whose CMakeLists.txt has karman_room(HEADERS ...). Those headers are public, all
others private; folders below without such a line belong to the room. GUESTS are rooms, too. These are
findings:

  * A circle of includes among files or among rooms. A header and its source count as one file.
  * An include that STOREYS does not allow.
  * A private header that another room includes.
  * An include with "..", or of a file that does not exist.
  * A source that the README of its folder, or of a folder above, does not name; a file in the table
    of such a README that does not exist.
  * More files at one level, lines in a file, fields of a struct or parameters of a function than
    CONTRIBUTING.md allows.
"""
import argparse
import collections
import fnmatch
import pathlib
import re
import sys
import tempfile

# From the ground up: each place, and the places that it may include. A place also stands for the
# rooms below it, except those with a place of their own. Rooms of one place may include each other.
STOREYS = {
    "base": [],
    "base/parallel": ["base"],
    "grid": ["base"],
    "render": ["base", "grid"],
    "composite": ["base"],
    "composite/run": ["base", "base/parallel", "composite"],
    "trace": ["base", "base/parallel", "grid"],
    "io/config": ["base", "grid"],
    "io": ["base", "base/parallel", "grid", "io/config"],
    "frame": ["base", "base/parallel", "grid", "render", "composite", "composite/run", "trace", "io/config", "io"],
    "run/steer": ["base", "base/parallel"],
    "run/settings": ["base", "grid", "io/config", "run/steer"],
    "run/case": ["base", "base/parallel", "io/config", "io", "frame"],
    "run": ["base", "base/parallel", "io/config", "io", "frame", "run/steer", "run/settings"],
    "library": ["base", "base/parallel", "grid", "io/config", "io", "frame", "run/case", "run/steer", "run/settings"],
    "messages/model": ["base", "composite"],
    "messages/search": ["base", "composite", "messages/model"],
    "messages/collective": ["base", "composite", "messages/model"],
    "messages/page": ["base", "composite", "messages/collective", "io"],
    "messages/schedule": ["base", "composite", "messages/model", "messages/collective", "messages/page"],
    "messages/collective/describe": ["base", "composite", "io", "messages/model", "messages/collective",
                                     "messages/page", "messages/schedule"],
    "messages": ["base", "base/parallel", "grid", "render", "composite", "composite/run", "io/config", "io", "frame",
                 "messages/model", "messages/search", "messages/collective", "messages/page", "messages/schedule",
                 "messages/collective/describe"],
    "datasets": ["base", "base/parallel", "grid", "io"],
    "app": ["base", "base/parallel", "grid", "render", "composite", "io/config", "io", "frame", "run/case", "run/steer", "run/settings",
            "run", "library", "messages/collective", "messages/collective/describe", "messages/schedule", "messages"],
}
# Folders that are projects of their own, each one room, in which folders below see each other. They use
# karman as anybody does: the header API, as <karman.h>, and no other file.
GUESTS = ["examples/solver"]
MOST_FILES, MOST_LINES, MOST_FIELDS, MOST_PARAMETERS = 25, 600, 25, 6
CONFIG = "io/config/"  # its structs have a field for each key
API = "library/karman.h"  # other programs call its functions: their parameters stay
CALLBACKS = {"live_exchange_handle",  # libmicrohttpd calls it
             "refuse_nameless"}  # HDF5 does


def blank(text):
    """Blanks comments, strings and preprocessor lines, and keeps line ends."""
    def keep(match):
        return "\n" * match.group().count("\n")
    text = re.sub(r"/\*.*?\*/|//[^\n]*", keep, text, flags=re.S)
    text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', text)
    text = re.sub(r"'(?:\\.|[^'\\\n])'", "' '", text)
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", keep, text, flags=re.M)
    return re.sub(r'\bextern\s*""\s*\{', "", text)


def blocks(text):
    """Yields (head, line, body) of each block in braces at file level."""
    depth, start, last, head = 0, 0, 0, ""
    for match in re.finditer(r"[{};]", text):
        at = match.start()
        if match.group() == "{":
            if depth == 0:
                head, start = text[last:at], at
            depth += 1
        elif match.group() == "}" and depth > 0:
            depth -= 1
            if depth == 0:
                yield " ".join(head.split()), text.count("\n", 0, start) + 1, text[start + 1:at]
                last = at + 1
        elif depth == 0:
            last = at + 1


def split_function(head):
    """Name and parameters of a function, or None if the head belongs to something else."""
    if "=" in head or not head.endswith(")"):
        return None
    depth = 0
    for at in range(len(head) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(head[at], 0)
        if depth == 0:
            name = re.search(r"(\w+)\s*$", head[:at])
            return (name.group(1), head[at + 1:-1].strip()) if name else None
    return None


def strip_nested(text, opening, closing):
    """The text without brackets and their contents."""
    pattern = f"{re.escape(opening)}[^{re.escape(opening + closing)}]*{re.escape(closing)}"
    while re.search(pattern, text):
        text = re.sub(pattern, "", text)
    return text


def count_parameters(parameters):
    """The number of parameters."""
    if parameters in ("", "void"):
        return 0
    return 1 + strip_nested(parameters, "(", ")").count(",")


def count_fields(body):
    """Declarations in the body of a struct; "double x, y, z;" is one, and so is a struct within."""
    return strip_nested(body, "{", "}").count(";")


def circles(arrows):
    """The sets of more than one node that reach each other (S. R. Kosaraju's algorithm)."""
    order, seen = [], set()

    def walk(start, graph, visit):
        stack = [(start, iter(sorted(graph.get(start, ()))))]
        seen.add(start)
        while stack:
            node, rest = stack[-1]
            for other in rest:
                if other not in seen:
                    seen.add(other)
                    stack.append((other, iter(sorted(graph.get(other, ())))))
                    break
            else:
                stack.pop()
                visit(node)

    for node in sorted(arrows):
        if node not in seen:
            walk(node, arrows, order.append)
    back = collections.defaultdict(set)
    for node, others in arrows.items():
        for other in others:
            back[other].add(node)
    seen.clear()
    found = []
    for node in reversed(order):
        if node not in seen:
            group = []
            walk(node, back, group.append)
            if len(group) > 1:
                found.append(sorted(group))
    return found


class House:
    """Rooms, files, and their includes."""

    def __init__(self, root):
        self.root = root
        self.findings = []
        self.public = {}
        for lists in sorted(root.rglob("CMakeLists.txt")):
            call = re.search(r"^karman_room\(([^)]*)\)", lists.read_text(), flags=re.M)
            if call and "build" not in lists.relative_to(root).parts:
                room = lists.parent.relative_to(root).as_posix()
                self.public[room] = self.headers(call.group(1).split())
        self.public.update({guest: set() for guest in GUESTS if (root / guest).is_dir()})
        self.files = [path.relative_to(root).as_posix()
                      for top in sorted({room.split("/")[0] for room in self.public})
                      for path in sorted((root / top).rglob("*.[ch]"))]
        if not self.files:
            sys.exit(f"rooms.py: there are no rooms below {root}: name the root of a checkout")
        self.includes = {name: self.included(name) for name in self.files}

    @staticmethod
    def headers(words):
        """The words after HEADERS."""
        if "HEADERS" not in words:
            return set()
        rest = words[words.index("HEADERS") + 1:]
        ends = [rest.index(word) for word in ("SOURCES", "NEEDS", "USES") if word in rest]
        return set(rest[:min(ends, default=len(rest))])

    def included(self, name):
        """The files of the checkout that a file includes: beside it, or by their path."""
        text = re.sub(r"/\*.*?\*/", "", (self.root / name).read_text(), flags=re.S)
        found = []
        for target in re.findall(r"^\s*#\s*include\s*<([^>]+)>", text, flags=re.M):
            if (self.root / target).is_file():
                self.findings.append(f'{name} includes <{target}>: write "{target}"')
        for target in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, flags=re.M):
            near = (pathlib.Path(name).parent / target).as_posix()
            guest = [room for room in GUESTS if name.startswith(room + "/")]
            far = f"{guest[0]}/{target}" if guest else target
            there = [path for path in (near, far) if (self.root / path).is_file()]
            if ".." in target.split("/") or not there:
                self.findings.append(f'{name} includes "{target}": give the name of a file beside '
                                     "it, or the path of a public header")
            else:
                found.append(there[0])
        return found

    def room(self, name):
        """The room of a file: the nearest folder above that is one."""
        folder = pathlib.Path(name).parent
        while folder.as_posix() not in self.public and folder.name:
            folder = folder.parent
        return folder.as_posix()

    @staticmethod
    def place(room):
        """The place of a room in STOREYS, or None."""
        return max((place for place in STOREYS if (room + "/").startswith(place + "/")),
                   key=len, default=None)

    def check_storeys(self):
        """Every room has a place, every place a room, and no place knows one above it."""
        for room in self.public.keys() - set(GUESTS):
            if self.place(room) is None:
                self.findings.append(f"{room}/ has no place in STOREYS of rooms.py: add it")
        below = set()
        for place, others in STOREYS.items():
            if place not in map(self.place, self.public):
                self.findings.append(f"STOREYS of rooms.py has {place}, which is no room: take it out")
            self.findings += [f"STOREYS of rooms.py lets {place} include {other}, which stands above it"
                              for other in others if other not in below]
            below.add(place)

    def check_include(self, name, target):
        """One include of a file of another room."""
        here, there = self.room(name), self.room(target)
        if target[len(there) + 1:] not in self.public[there]:
            self.findings.append(f"{name} includes {target}, which is private to {there}/")
        mine, its = self.place(here), self.place(there)
        if mine and its and mine != its and its not in STOREYS[mine]:
            self.findings.append(f"{name} includes {target}: {here}/ may not include {there}/")

    def check_includes(self):
        """All includes; returns the arrows between rooms."""
        units, rooms = collections.defaultdict(set), collections.defaultdict(set)
        for name, targets in self.includes.items():
            for target in targets:
                unit, other = name.rsplit(".", 1)[0], target.rsplit(".", 1)[0]
                units[unit].add(other)
                if self.room(name) != self.room(target):
                    rooms[self.room(name)].add(self.room(target))
                    self.check_include(name, target)
        for what, graph in (("files", units), ("rooms", rooms)):
            for group in circles(graph):
                self.findings.append(f"a circle of {what}: {' '.join(group)}")
        return rooms

    def readme(self, name):
        """The README about a file: the nearest one above, or None."""
        for folder in pathlib.Path(name).parents:
            if folder.name and (self.root / folder / "README.md").is_file():
                return folder / "README.md"
        return None

    def check_readmes(self):
        """Each unit, a header with its source, stands in a README; no table names what is not there."""
        tables = {}
        for name in self.files:
            readme = self.readme(name)
            if readme and readme not in tables:
                tables[readme] = self.named(readme)
            unit = name.rsplit(".", 1)[0]
            if readme and not any(fnmatch.fnmatch(unit, f"{readme.parent.as_posix()}/{word}") or
                                  fnmatch.fnmatch(unit.split("/")[-1], word)
                                  for word in tables[readme]):
                self.findings.append(f"{readme} does not name {name}")

    def named(self, readme):
        """The words of a README that may be units: without ".c" and ".h"; folders as "folder/*"."""
        words = set()
        for line in (self.root / readme).read_text().splitlines():
            for word in (word.strip(",.") for code in re.findall(r"`([^`]+)`", line)
                         for word in code.split()):
                unit = re.sub(r"\.[ch]$", "", word)
                words |= {unit, unit.rstrip("/") + "/*"}
                below = (self.root / readme.parent).rglob(pathlib.Path(word).name + "*")
                if (line.startswith("|") and unit != word and not set("*N") & set(word)
                        and not (self.root / word).is_file() and not any(below)):
                    self.findings.append(f"{readme} names {word}, which does not exist")
        return words

    def given_names(self):
        """Functions whose parameters are fixed by others."""
        api = self.root / API
        declared = re.findall(r"\b(\w+)\s*\(", blank(api.read_text())) if api.is_file() else []
        return CALLBACKS.union(declared)

    def check_file(self, name, given):
        """Sizes in one file."""
        text = (self.root / name).read_text()
        lines = text.count("\n")
        if lines > MOST_LINES:
            self.findings.append(f"{name} has {lines} lines, more than {MOST_LINES}")
        for head, line, body in blocks(blank(text)):
            function = split_function(head)
            if re.search(r"\b(struct|union)\b[^()=]*$", head) and not name.startswith(CONFIG):
                fields = count_fields(body)
                if fields > MOST_FIELDS:
                    self.findings.append(f"{name}:{line}: a struct has {fields} fields, "
                                         f"more than {MOST_FIELDS}")
            elif function and function[0] not in given:
                count = count_parameters(function[1])
                if count > MOST_PARAMETERS:
                    self.findings.append(f"{name}:{line}: {function[0]} has {count} parameters, "
                                         f"more than {MOST_PARAMETERS}")

    def check_sizes(self):
        """Sizes of files, and files at each level."""
        given = self.given_names()
        for name in self.files:
            self.check_file(name, given)
        for folder, count in sorted(collections.Counter(
                pathlib.Path(name).parent.as_posix() for name in self.files).items()):
            if count > MOST_FILES:
                self.findings.append(f"{folder}/ has {count} files, more than {MOST_FILES}")

    def dot(self, rooms):
        """The graph of the rooms, for Graphviz."""
        arrows = [f'  "{room}" -> "{other}";' for room in sorted(rooms)
                  for other in sorted(rooms[room])]
        return "\n".join(["digraph rooms {", "  node [shape = box];", *arrows, "}", ""])


# ---- The test of this test -----------------------------------------------------------------------

# A tree without a finding.
SOUND = {
    "base/CMakeLists.txt": "karman_room(HEADERS status.h vec.h\n  SOURCES status.c)\n",
    "base/status.h": "typedef int status;\n",
    "base/vec.h": "typedef struct vec {\n    double v[3];\n} vec;\n",
    "base/inner.h": "enum { INNER };\n",
    "base/status.c": '#include "status.h"\n#include "inner.h"\n#include <stdio.h>\n',
    "base/lanes/four.h": '#include "base/status.h"\n',
    "grid/CMakeLists.txt": "karman_room(HEADERS grid.h\n  SOURCES grid.c\n  NEEDS base)\n",
    "grid/grid.h": '#include "base/status.h"\nvoid grid_cut(int parts);\n',
    "grid/grid.c": '#include "grid.h"\n\nvoid grid_cut(int parts)\n{\n    (void)parts;\n}\n',
    "render/CMakeLists.txt": "karman_room(SOURCES ray.c\n  USES grid)\n",
    "render/ray.c": '#include "grid/grid.h"\n',
    "composite/CMakeLists.txt": "karman_room(HEADERS plan.h\n  NEEDS base)\n",
    "composite/plan.h": '#include "base/status.h"\n',
    "io/config/CMakeLists.txt": "karman_room(HEADERS config.h)\n",
    "io/config/config.h": "struct config {\n" + "    int key;\n" * (MOST_FIELDS + 1) + "};\n",
    "library/CMakeLists.txt": "karman_room(HEADERS karman.h)\n",
    "library/karman.h": "int karman_set(int a, int b, int c, int d, int e, int f, int g);\n",
    "library/karman.c": '#include "karman.h"\n'
                           "int karman_set(int a, int b, int c, int d, int e, int f, int g)\n{\n}\n",
}
SEVEN = ", ".join(f"int {name}" for name in "abcdefg")
# One defect each: the files that have it, and all findings that it must cause.
DEFECTS = [
    ({}, []),
    ({"base/vec.h": '#include "status.h"\n'}, []),
    ({"base/vec.h": '#include "status.h"\n', "base/status.c": '#include "vec.h"\n'},
     ["a circle of files: base/status base/vec"]),
    ({"base/vec.h": '#include "inner.h"\n', "base/inner.c": '#include "vec.h"\n'},
     ["a circle of files: base/inner base/vec"]),
    ({"grid/in.h": '#include "grid.h"\n', "grid/grid.c": '#include "in.h"\n'},
     ["a circle of files: grid/grid grid/in"]),
    ({"base/vec.h": '#include "grid/grid.h"\n'},
     ["base/vec.h includes grid/grid.h: base/ may not include grid/", "a circle of rooms: base grid"]),
    ({"render/ray.c": '#include "composite/plan.h"\n'},
     ["render/ray.c includes composite/plan.h: render/ may not include composite/"]),
    ({"grid/grid.c": '#include "base/inner.h"\n'},
     ["grid/grid.c includes base/inner.h, which is private to base/"]),
    ({"grid/grid.c": '/*\n#include "base/inner.h"\n*/\n'}, []),
    ({"grid/grid.c": '#include "base/lanes/four.h"\n'},
     ["grid/grid.c includes base/lanes/four.h, which is private to base/"]),
    ({"grid/grid.c": '#include "../base/status.h"\n'},
     ['grid/grid.c includes "../base/status.h": give the name of a file beside it, or the path of a '
      "public header"]),
    ({"grid/grid.c": '#include "none.h"\n'},
     ['grid/grid.c includes "none.h": give the name of a file beside it, or the path of a public '
      "header"]),
    ({"cellar/CMakeLists.txt": "karman_room(SOURCES a.c)\n"},
     ["cellar/ has no place in STOREYS of rooms.py: add it"]),
    ({f"base/f{n}.c": "" for n in range(MOST_FILES - 3)},
     [f"base/ has {MOST_FILES + 1} files, more than {MOST_FILES}"]),
    ({"grid/grid.c": "\n" * (MOST_LINES + 1)},
     [f"grid/grid.c has {MOST_LINES + 1} lines, more than {MOST_LINES}"]),
    ({"grid/grid.c": f"static inline int cut({SEVEN}) {{ }}\n"},
     ["grid/grid.c:1: cut has 7 parameters, more than 6"]),
    ({"grid/grid.c": "void cut(int (*of)(int, int), int b, int c, int d, int e, int f) { }\n"}, []),
    ({"grid/grid.c": "struct cut {\n" + "    int a[2], b;\n" * (MOST_FIELDS + 1) + "};\n"},
     ["grid/grid.c:1: a struct has 26 fields, more than 25"]),
    ({"base/README.md": "| `status`, `vec.h`, `lanes/` |\n"}, ["base/README.md does not name base/inner.h"]),
    ({"grid/README.md": "| `grid.h`, `gird.h` |\n"}, ["grid/README.md names gird.h, which does not exist"]),
    ({"grid/README.md": "`grid`, but never `gird.c`\n"}, []),
    ({"examples/solver/main.c": '#include "flow/flow.h"\n#include <karman.h>\n#include <mpi.h>\n',
      "examples/solver/flow/flow.h": '#include "grid/face.h"\n',
      "examples/solver/grid/face.h": "enum { FACE };\n"}, []),
    ({"examples/solver/main.c": '#include "base/status.h"\n'},
     ['examples/solver/main.c includes "base/status.h": give the name of a file beside it, or the path of a '
      "public header"]),
    ({"examples/solver/main.c": "#include <base/status.h>\n"},
     ['examples/solver/main.c includes <base/status.h>: write "base/status.h"']),
    ({"examples/solver/a.h": '#include "flow/b.h"\n', "examples/solver/flow/b.h": '#include "a.h"\n'},
     ["a circle of files: examples/solver/a examples/solver/flow/b"]),
    ({"grid/grid.c": "struct cut {\n    struct { int a; " + "int b; " * 30 + "} c;\n};\n"}, []),
]


def find(root):
    """All findings except those about places of STOREYS that a small tree lacks, and the arrows of
    rooms.
    """
    house = House(root)
    house.check_storeys()
    rooms = house.check_includes()
    house.check_sizes()
    house.check_readmes()
    return house, rooms


def self_test():
    """Builds the small trees and compares their findings; returns the number of wrong ones."""
    wrong = 0
    for files, expected in DEFECTS:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**SOUND, **files}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = [finding for finding in find(pathlib.Path(folder))[0].findings
                     if not finding.endswith("which is no room: take it out")]
        if sorted(found) != sorted(expected):
            wrong += 1
            print(f"with {sorted(files)} expected {expected}, found {found}")
    print(f"{len(DEFECTS)} trees, {wrong} with wrong findings")
    return wrong


def main():
    """Prints the findings."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path, nargs="?")
    parser.add_argument("--dot", nargs="?", const="-", metavar="FILE")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 1 if self_test() else 0
    if not arguments.root:
        parser.error("name the root of a checkout, or --self-test")
    house, rooms = find(arguments.root)
    if arguments.dot == "-":
        print(house.dot(rooms), end="")
        return 0
    if arguments.dot:
        pathlib.Path(arguments.dot).write_text(house.dot(rooms))
    for finding in house.findings:
        print(finding)
    print(f"{len(house.files)} files in {len(house.public)} rooms, {len(house.findings)} findings")
    return 1 if house.findings else 0


if __name__ == "__main__":
    sys.exit(main())
