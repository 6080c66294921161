#!/usr/bin/env python3
"""Measures how plain the English of a checkout is: its documents, and the comments of each folder.

    prose.py ROOT                   a table of figures, then a line for each finding; fails if any
    prose.py ROOT --worst N         also shows the N worst sentences of each row
    prose.py ROOT --only PREFIX     measures only files whose path starts with PREFIX
    prose.py --self-test            small trees, each with one defect that must be found

Documents are all Markdown files. Comments are those of C, JavaScript, CSS, Fortran, Python (with
docstrings), shell, CMake and YAML; the figures of a top-level folder are of all its files together.
Code, tables, headings, link targets and drawings (lines with runs of blanks) are left out.
Sentences of fewer than four words do not count as short ones.
"""
import argparse
import bisect
import collections
import contextlib
import io
import os
import pathlib
import re
import sys
import tempfile

LONG = 30  # words; a sentence above it counts as long
SKIPPED = {"build", "out", "shared", "__pycache__"}  # and hidden folders other than .ci
Limits = collections.namedtuple("Limits", "long what who late")
# Percent of long sentences; words of WHAT in 1,000 words; percent of sentences that match STARTS;
# percent that match LATE. One of each of the last three is free unless its limit is 0: a single
# word fails no short text.
DOCUMENT, COMMENTS = Limits(10, 2, 0, 2), Limits(5, 4, 2, 2)
WHAT = re.compile(r"\b(?:what|whoever|whatever)\b", re.I)
STARTS = re.compile(r"\W*(?:What|Whatever|Who|Whoever|Whom)\b")
LATE = re.compile(r"\W*(?:Where|Wherever|That)\b(?! is why)")
ITEM = re.compile(r"\s*(?:[*+\-]|\d+[.)])\s+")
END = re.compile(r"(?<=[.!?:;])[\"')]*\s+(?=[\"'(]*[A-Z])")
Sentence = collections.namedtuple("Sentence", "place words text")

STRING = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
IN_C = r"|(?P<text>/\*.*?\*/|//[^\n]*)"
C_LIKE = re.compile(STRING + IN_C, re.S)
JAVASCRIPT = re.compile(STRING + r"|`(?:\\.|[^`\\])*`" + IN_C, re.S)
PYTHON = re.compile(r"^[ \t]*(?P<text>[rR]?\"\"\".*?\"\"\")|\"\"\".*?\"\"\"|'''.*?'''|" + STRING +
                    r"|(?P<hash>#[^\n]*)", re.S | re.M)
HASH = re.compile(r"(?<!\S)(?P<text>#(?:[ \t][^\n]*|$))", re.M)
FORTRAN = re.compile(r"(?<!\S)(?P<text>!(?:[ \t][^\n]*|$))", re.M)
LANGUAGES = {**dict.fromkeys([".c", ".h", ".css"], C_LIKE), ".js": JAVASCRIPT, ".py": PYTHON,
             **dict.fromkeys(["", ".sh", ".cmake", ".txt", ".in", ".yaml"], HASH), ".f90": FORTRAN}


def blanked(match):
    """Nothing but the line ends of a match, so that line numbers stay."""
    return "\n" * match.group().count("\n")


def markdown_lines(text):
    """Lists (line number, prose) of a document; a line without prose is empty."""
    text = re.sub(r"^( *)```.*?^ *```|<!--.*?-->", blanked, text, flags=re.S | re.M)
    text = re.sub(r"`[^`]*`", lambda code: "X" + blanked(code), text)
    text = re.sub(r"(?<=\])\([^)]*\)|(?<=\])\[[^\]]*\]", blanked, text).replace("**", "")
    lines, code = [], False
    for number, line in enumerate(text.split("\n"), 1):
        code = line.startswith("    ") and (code or not lines or not lines[-1][1])
        other = code or re.match(r"\s*(\||#|!\[|<|\[[^\]]*\]:|[=-]+$)", line)
        lines.append((number, "" if other else re.sub(r"^[> ]+", "", line)))
    return lines


def comment_lines(text, language):
    """Lists (line number, prose) of the comments in a source."""
    lines = []
    for match in language.finditer(text):
        comment = match.group("text") or match.groupdict().get("hash")
        if not comment:
            continue  # a string
        start = match.end() - len(comment)
        number = text.count("\n", 0, start) + 1
        one_line = comment[0] in "#!" or comment.startswith("//")
        goes_on = one_line and not text[text.rfind("\n", 0, start) + 1:start].strip()
        if not (goes_on and lines and lines[-1][0] == number - 1):
            lines.append((0, ""))
        comment = re.sub(r'^/\*+|^//+|^#+|^!+|^[rR]?"""|\*+/$|"""$', "", comment)
        for line in comment.split("\n"):
            line = re.sub(r"^[ \t]*\*(?!\w)", "", line).strip()
            lines.append((number, "" if re.search(r"\S {3,}\S", line) else line))
            number += 1
        if not one_line:
            lines.append((0, ""))
    return [(number, re.sub(r"`[^`]*`", "X", line)) for number, line in lines]


def sentences(path, lines):
    """The sentences of a file; a paragraph ends at an empty line and before a list item."""
    found, paragraph = [], []
    for number, line in [*lines, (0, "")]:
        item = ITEM.match(line)
        if (item or not line.strip()) and paragraph:
            offsets, flat = [], ""
            for _, part in paragraph:
                offsets.append(len(flat))
                flat += part + " "
            begin = 0
            for end in [*(match.end() for match in END.finditer(flat)), len(flat)]:
                words = flat[begin:end].split()
                at = paragraph[bisect.bisect(offsets, begin) - 1][0]
                found.append(Sentence(f"{path}:{at}", len(words), " ".join(words)))
                begin = end
            paragraph = []
        if line.strip():
            paragraph.append((number, " ".join(line[item.end() if item else 0:].split())))
    return found


def measure(root, only):
    """Maps each document and each folder's comments to (limits, sentences)."""
    rows = {}
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in SKIPPED
                            and (name[0] != "." or name == ".ci"))
        for name in sorted(names):
            path = pathlib.Path(folder, name)
            short = path.relative_to(root).as_posix()
            if name[0] == "." or not short.startswith(only):
                continue
            language = LANGUAGES.get(path.suffix)
            text = path.read_text(errors="replace") if language or path.suffix == ".md" else ""
            if language:
                row = (short.split("/")[0] if "/" in short else ".") + "/ (comments)"
                found = sentences(short, comment_lines(text, language))
                rows.setdefault(row, (COMMENTS, []))[1].extend(found)
            elif path.suffix == ".md":
                rows[short] = (DOCUMENT, sentences(short, markdown_lines(text)))
    return dict(sorted(rows.items(), key=lambda row: (row[1][0] == COMMENTS, row[0])))


def figures(name, limits, found):
    """A row's line in the table; (kind, message, sentences) of each finding; all bad sentences."""
    counted = [sentence for sentence in found if sentence.words >= 4]
    words, number = sum(sentence.words for sentence in found), max(1, len(counted))
    long = sorted((s for s in counted if s.words > LONG), key=lambda s: -s.words)
    what = sorted((s for s in found if WHAT.search(s.text)), key=lambda s: -len(WHAT.findall(s.text)))
    whats = sum(len(WHAT.findall(s.text)) for s in what)
    who = [s for s in found if STARTS.match(s.text)]
    late = [s for s in found if LATE.match(s.text)]
    percent = [100 * len(which) / number for which in (long, who, late)]
    line = (f"{name:46} {len(counted):5} sentences {percent[0]:5.1f} % long "
            f"{1000 * whats / max(1, words):5.1f} what/1000 {percent[1]:4.1f} % What/Who "
            f"{percent[2]:4.1f} % Where/That")
    faults = []
    if percent[0] > limits.long:
        faults.append(("long", f"{percent[0]:.1f} % of the sentences have more than {LONG} words, the "
                       f"limit is {limits.long} %: split them", long))
    if whats > max(1, limits.what * words / 1000):
        faults.append(("what", f"{whats} what/whoever/whatever in {words} words, the limit is "
                       f"{limits.what} in 1000: name the thing or the actor", what))
    for kind, which, share, words in (("who", who, limits.who, "What or Who: start with an actor"),
                                      ("late", late, limits.late, "Where or That: start with If")):
        if len(which) > (max(1, share * number / 100) if share else 0):
            faults.append((kind, f"{len(which)} of {number} sentences start with {words} "
                           f"(limit {share} %)", which))
    return line, faults, list(dict.fromkeys([*long, *what, *who, *late]))


def check(root, only="", worst=0):
    """Prints the table and the findings; returns the findings as (row, kind, places)."""
    findings, shown = [], []
    for name, (limits, found) in measure(root, only).items():
        line, faults, bad = figures(name, limits, found)
        details = [f"    {s.place}: {s.words} words: {s.text}" for s in bad[:worst]]
        print("\n".join([line, *details]))
        for kind, message, which in faults:
            findings.append((name, kind, [sentence.place for sentence in which]))
            shown.append(f"{name}: {message}")
            shown += [f"    {sentence.place}: {sentence.text[:200]}" for sentence in which[:3]]
    print("\n".join([*shown, f"{len(findings)} findings"]))
    return findings


# ---- The test of this test -----------------------------------------------------------------------

SHORT = "The rank sends its pixels. "
FULL = ("The rank" + " again and" * 14 + " again. ")  # 31 words
WHATS = "It has what it needs. "
# A defect each: the files, and all that must be found.
DEFECTS = [
    ({"README.md": SHORT}, []),
    ({"README.md": f"# T\n\n{SHORT}\n\n{FULL}\n"}, [("README.md", "long", ["README.md:5"])]),
    ({"docs/a/b.md": SHORT * 9 + "\n" + FULL}, []),
    ({"docs/a/b.md": SHORT * 8 + "\n" + FULL}, [("docs/a/b.md", "long", ["docs/a/b.md:2"])]),
    ({"a.md": f"```\n{FULL}\n```\n| {FULL}|\n\n    {FULL}\n## {FULL}\n![{FULL}](b)\n{SHORT}\n"}, []),
    ({"a.md": "* The rank" + " and\n* the other" * 31}, []),
    ({"a.md": "The rank" + " `of it`" * 28 + "."}, []),
    ({"a.md": SHORT + WHATS}, []),
    ({"a.md": SHORT + WHATS + "\n" + WHATS}, [("a.md", "what", ["a.md:1", "a.md:2"])]),
    ({"a.md": SHORT * 200 + WHATS * 2}, []),
    ({"a.md": SHORT * 200 + WHATS * 3}, [("a.md", "what", ["a.md:1"] * 3)]),
    ({"a.md": SHORT + "`what` it says, what [what](what.md) it is."}, [("a.md", "what", ["a.md:1"])]),
    ({"a.md": SHORT + "\n**Who holds it.**"}, [("a.md", "who", ["a.md:2"])]),
    ({"a.md": SHORT + "Where it is, it stays. That is why."}, []),
    ({"a.md": SHORT * 98 + "Where it is, it stays.\nThat it is, is known."}, []),
    ({"a.md": SHORT * 9 + "Where it is, it stays.\nThat it is, is known."},
     [("a.md", "late", ["a.md:1", "a.md:2"])]),
    ({"build/a.md": FULL, "out/a.c": f"/* {FULL}*/", ".git/a.md": FULL}, []),
    ({"a/a.c": f'char *a = "/* {FULL}*/";\n/* {SHORT * 19}\n * {FULL} */\n'}, []),
    ({"a/a.c": f"/* {SHORT * 18}\n *\n * {FULL}*/\n"}, [("a/ (comments)", "long", ["a/a.c:3"])]),
    ({"a/b/a.js": f"let a = `\n// {FULL}`; // {FULL}\n"}, [("a/ (comments)", "long", ["a/b/a.js:2"])]),
    ({"a/a.py": f'"""{SHORT}"""\nA = "# {FULL}"\nB = """{FULL}"""\n'}, []),
    ({"a/a.py": f'def a():\n    """{FULL}"""\n'}, [("a/ (comments)", "long", ["a/a.py:2"])]),
    ({"a/a.py": f"A = 1  # {FULL[:80]}\n# {FULL[80:]}"}, [("a/ (comments)", "long", ["a/a.py:1"])]),
    ({"a.sh": f"#!/bin/sh\necho $# {SHORT}\n# {FULL}\n"}, [("./ (comments)", "long", ["a.sh:3"])]),
    ({".ci/run": f"#!/bin/sh\n# {FULL}"}, [(".ci/ (comments)", "long", [".ci/run:2"])]),
    ({"a.sh": f"# {FULL[:80]}\n#\n# {FULL[80:]}\n"}, []),
    ({"a/CMakeLists.txt": f"add(a) # {FULL}\n"}, [("a/ (comments)", "long", ["a/CMakeLists.txt:1"])]),
    ({"a/a.h": f"/* {WHATS * 2}*/", "b/a.h": f"/* {WHATS}*/"},
     [("a/ (comments)", "what", ["a/a.h:1"] * 2)]),
    ({"a/a.h": f"/* What is it? {SHORT * 80}*/\n", "a/b.h": "// Who is it?\n"},
     [("a/ (comments)", "who", ["a/a.h:1", "a/b.h:1"])]),
]


def self_test():
    """Builds the small trees and compares their findings; returns how many were wrong."""
    wrong = 0
    for files, expected in DEFECTS:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            for name, text in files.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = check(pathlib.Path(folder))
        if found != expected:
            wrong += 1
            print(f"with {files} expected {expected}, found {found}")
    print(f"{len(DEFECTS)} trees, {wrong} with wrong findings")
    return wrong


def main():
    """Reads the arguments."""
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", type=pathlib.Path, nargs="?")
    parser.add_argument("--worst", type=int, default=0, metavar="N")
    parser.add_argument("--only", default="", metavar="PREFIX")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return 1 if self_test() else 0
    if not arguments.root:
        parser.error("name the root of a checkout, or --self-test")
    return 1 if check(arguments.root, arguments.only, arguments.worst) else 0


if __name__ == "__main__":
    sys.exit(main())
