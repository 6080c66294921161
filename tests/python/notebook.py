#!/usr/bin/env python3
"""Runs the code cells of a notebook, in one process, as Jupyter would.

    notebook.py NOTEBOOK WORK_FOLDER DATASET [--write]      with the package in PYTHONPATH

It fails if a cell fails, or shows a picture where the notebook has none, or none where it has one. --write puts what
cells show into the notebook. DATASET is the program karman-dataset, which makes karman.h5.
"""
import ast
import base64
import contextlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys


def run_cell(source, names):
    """Runs a cell; returns what it prints, and the value of its last line if that is an expression."""
    tree, printed, value = ast.parse(source), io.StringIO(), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "<cell>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    return printed.getvalue(), value


def outputs_of(printed, value, count):
    """What a cell shows, as notebooks have it."""
    found = [{"output_type": "stream", "name": "stdout", "text": printed.splitlines(True)}] if printed else []
    png = getattr(value, "_repr_png_", lambda: None)()
    if value is not None:
        shown = f"<picture {value.shape[1]} x {value.shape[0]}>" if png else repr(value)
        data = {"text/plain": shown.splitlines(True)}
        if png:
            data["image/png"] = base64.b64encode(png).decode()
        found.append({"output_type": "execute_result", "execution_count": count, "metadata": {}, "data": data})
    return found


def kinds(outputs):
    return [(one["output_type"], sorted(one.get("data", {}))) for one in outputs]


def main(path, work, dataset, *flags):
    path, notebook = pathlib.Path(path).resolve(), json.loads(pathlib.Path(path).read_text())
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    os.chdir(work)
    subprocess.run([dataset, "karman", "--size", "161,81,21", "--steps", "3", "--output", "karman.h5"], check=True)
    names, count = {"__name__": "__main__"}, 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        outputs = outputs_of(*run_cell("".join(cell["source"]), names), count)
        for output in outputs:
            if "image/png" in output.get("data", {}):
                pathlib.Path(f"cell_{count}.png").write_bytes(base64.b64decode(output["data"]["image/png"]))
        if not flags and kinds(outputs) != kinds(cell["outputs"]):
            sys.exit(f"cell {count} shows {kinds(outputs)}, the notebook has {kinds(cell['outputs'])}")
        cell.update(execution_count=count, outputs=outputs)
    if flags:
        path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    print(f"{count} cells")


if __name__ == "__main__":
    main(*sys.argv[1:])
