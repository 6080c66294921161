"""Data: a file, or arrays, of which pictures are drawn and values are read."""

from __future__ import annotations

import ctypes
import json
import os
import pathlib
import shutil
import subprocess
import weakref
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrays, _config, _library, errors
from ._library import library
from ._picture import Picture, picture_of

Names = Union[None, str, Sequence[str]]


class Block(NamedTuple):
    """A block: its name, and its vertices along k, j, i."""

    name: str
    shape: Tuple[int, int, int]


class Field(NamedTuple):
    """A stored field. at: "vertices" or "cells"."""

    name: str
    alias: str
    at: str
    dtype: np.dtype


class Step(NamedTuple):
    """A step: its number in the data, and the time of the solution."""

    number: int
    time: float


def _close(session: ctypes.c_void_p) -> None:
    if session:
        library.call("karman_close", ctypes.byref(session), warns=False)


class Data:
    """Data that pictures are drawn of; :func:`karman.open` makes it.

    Nothing but metadata is read before it is needed. Under MPI all methods are collective; all ranks get
    the same, but pictures, which rank 0 gets alone.

    blocks, fields, derived, steps: what the data hold: blocks, names of stored fields, names of fields that
    can be derived, and steps.
    """

    blocks: List[Block]
    fields: List[str]
    derived: List[str]
    steps: List[Step]

    def __init__(self, source: Any, comm: Any = None, threads: int = 0, **config: Any) -> None:
        self._session = ctypes.c_void_p()
        self._keep: List[np.ndarray] = []
        is_path = isinstance(source, (str, os.PathLike))
        self.path: Optional[str] = os.fspath(source) if is_path else None
        self._overrides = _config.overrides(config)
        self._comm = library.communicator(comm)
        rank, size = library.place(self._comm)
        self._is_first = rank == 0
        self._call("karman_python_open_data", self._comm, self.path.encode() if self.path is not None else None,
                   ctypes.byref(_library.options(self._overrides, threads)), ctypes.byref(self._session))
        if size == 1:  # several ranks would close at times of their own
            weakref.finalize(self, _close, self._session)
        try:
            if not is_path:
                self._describe_arrays(source)
            self._list()
        except BaseException:
            self.close()
            raise

    def _call(self, name: str, *arguments: Any) -> None:
        library.call(name, *arguments, warns=self._is_first)

    def _describe_arrays(self, source: Any) -> None:
        """A wrong array on any rank fails on all of them, with the next collective call."""
        try:
            _arrays.describe(self._session, _arrays.parts_of(source), self._keep)
        except errors.Error as error:
            library.functions.karman_python_refuse(self._session, str(error).encode())

    def _list(self) -> None:
        text = ctypes.c_char_p()
        self._call("karman_describe", self._session, ctypes.byref(text))
        found = json.loads(text.value or b"{}")
        self.blocks = [Block(block["name"], tuple(reversed(block["n"]))) for block in found["blocks"]]
        self._fields = [Field(one["name"], one["alias"], one["at"],
                              np.dtype(np.float32 if one["single"] else np.float64)) for one in found["fields"]]
        self.fields = [field.name for field in self._fields]
        self.derived = list(found["derived"])
        self.steps = [Step(number, time) for number, time in found["steps"]]

    # ---- The end ------------------------------------------------------------------------

    def close(self) -> None:
        """Frees the memory and closes the files. Collective. On one rank, the last reference does so, too."""
        _close(self._session)
        self._keep.clear()

    def __enter__(self) -> "Data":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        lines = [f"karman.Data of {self.path or 'arrays'}"]
        lines += [f"  block {block.name}: {' x '.join(map(str, reversed(block.shape)))} vertices"
                  for block in self.blocks[:8]]
        lines += [f"  and {len(self.blocks) - 8} more blocks"] if len(self.blocks) > 8 else []
        lines += [f"  fields: {', '.join(self.fields) or 'none'}"]
        lines += [f"  derived: {', '.join(self.derived)}"] if self.derived else []
        lines += [f"  steps: {len(self.steps)}, {self.steps[0].number} to {self.steps[-1].number}"]
        return "\n".join(lines)

    # ---- Steps, fields, blocks ----------------------------------------------------------

    def _step(self, step: int) -> int:
        """The number of a step; negative ones count from the end."""
        if step < 0 and -step > len(self.steps):
            raise errors.UsageError(f"step={step}: there are {len(self.steps)} steps")
        return self.steps[step].number if step < 0 else int(step)

    def field(self, name: str) -> Field:
        """A stored field, by its name or alias."""
        for field in self._fields:
            if name in (field.name, field.alias):
                return field
        raise errors.InputError(f"no field is called '{name}'; there are {', '.join(self.fields)}")

    def _block(self, block: Union[int, str]) -> int:
        names = [one.name for one in self.blocks]
        if isinstance(block, str) and block not in names:
            raise errors.UsageError(f"no block is called '{block}'; there are {', '.join(names[:20])}")
        number = names.index(block) if isinstance(block, str) else int(block)
        if not -len(names) <= number < len(names):
            raise errors.UsageError(f"there is no block {number}: there are {len(names)}")
        return number % len(names)

    # ---- Values -------------------------------------------------------------------------

    @property
    def bounds(self) -> Tuple[float, ...]:
        """Least and greatest x, y and z of the grid at the last step: (x0, x1, y0, y1, z0, z1)."""
        found = (ctypes.c_double * 6)()
        self._call("karman_find_bounds", self._session, -1, found)
        return tuple(found)

    def range(self, field: str, step: int = -1) -> Tuple[float, float]:
        """The least and the greatest value of a field, stored or derived, at a step.

        step: the number of a step; -1 is the last one, -2 the one before.
        """
        found = (ctypes.c_double * 2)()
        self._call("karman_find_range", self._session, field.encode(), self._step(step), found)
        return found[0], found[1]

    def read(self, name: str, block: Union[int, str] = 0, step: int = -1) -> np.ndarray:
        """An array of a block [k, j, i] at a step: "x", "y", "z", "iblank", or a stored field.

        Coordinates are float64, iblank is int32, fields have the type that they are stored in.
        """
        number = self._block(block)
        shape = self.blocks[number].shape
        kind = np.dtype(np.int32 if name == "iblank" else np.float64)
        if name in self.fields or name not in ("x", "y", "z", "iblank"):
            field = self.field(name)
            kind = field.dtype
            shape = tuple(max(n - 1, 1) for n in shape) if field.at == "cells" else shape
        values = np.empty(shape, kind)
        self._call("karman_read", self._session, name.encode(), number, self._step(step), _arrays.TYPES[kind],
                   values.ctypes.data)
        return values

    def _names(self, fields: Names) -> List[str]:
        return self.fields if fields is None else [fields] if isinstance(fields, str) else list(fields)

    def probe(self, points: Any, fields: Names = None, step: int = -1) -> Any:
        """Values of fields, stored or derived, at points [n, 3].

        Returns an array [n] for the name of a field, else a dict of arrays: those of `fields`, or of all
        stored ones, and "block", the number of the block that has the point, or -1. Values are trilinear
        between vertices, or those of cells; NaN outside of the grid.
        """
        places = np.ascontiguousarray(points, np.float64)
        if places.ndim == 1:
            places = places[None]
        if places.ndim != 2 or places.shape[1] != 3:
            raise errors.UsageError(f"points have the shape {places.shape}: give [n, 3], x, y and z of each")
        names = self._names(fields)
        values = np.empty((len(names), len(places)))
        blocks = np.empty(len(places), np.int32)
        wish = _library.Points(len(places), places.ctypes.data, len(names),
                               ctypes.cast(_library.texts(names), ctypes.POINTER(ctypes.c_char_p)), self._step(step))
        self._call("karman_probe", self._session, ctypes.byref(wish), blocks.ctypes.data, values.ctypes.data)
        return values[0] if isinstance(fields, str) else {**dict(zip(names, values)), "block": blocks}

    def line(self, start: Sequence[float], end: Sequence[float], count: int = 200, fields: Names = None,
             step: int = -1) -> Dict[str, np.ndarray]:
        """Values of fields along a line: a dict of arrays [count], with "distance", "x", "y" and "z"."""
        points = np.linspace(np.asarray(start, float), np.asarray(end, float), count)
        found = self.probe(points, self._names(fields), step)
        distance = np.linalg.norm(points - points[0], axis=1)
        return {"distance": distance, "x": points[:, 0], "y": points[:, 1], "z": points[:, 2], **found}

    def integrate(self, step: int = -1, **options: Any) -> Dict[str, np.ndarray]:
        """Integrals of a file: a dict of arrays, a value for each place, as ``karman integrate`` prints them.

        options: those of the command with underscores for dashes, such as ``plane="x=2"``, ``wall="wing"``,
        ``fields="p"`` or ``mass_flow=True``. A list gives an option several times. Rank 0 runs the command;
        other ranks get an empty dict.
        """
        if self.path is None:
            raise errors.UsageError("integrate() reads files: write the arrays into one")
        if not self._is_first:
            return {}
        words = [program(), "integrate", self.path, "--json", "--steps", str(self._step(step))]
        words += [word for text in self._overrides for word in ("--set", text)]
        for name, value in options.items():
            flag = "--" + name.replace("_", "-")
            for one in value if isinstance(value, (list, tuple)) else [value]:
                words += [] if one is False else [flag] if one is True else [flag, str(one)]
        alone = {name: value for name, value in os.environ.items()
                 if not name.startswith(("PMI", "OMPI", "HYD", "MPI"))}  # a job of one rank, not a rank of this one
        done = subprocess.run(words, env=alone, capture_output=True, text=True)
        if done.returncode != 0:
            message = done.stderr.strip().splitlines()[-1:] or ["karman integrate failed"]
            kind = errors.UsageError if done.returncode == 2 else errors.InputError
            raise kind(message[0].replace("karman: error: ", "", 1))
        rows = json.loads(done.stdout)
        return {name: np.array([np.nan if row.get(name) is None else row[name] for row in rows])
                for name in (rows[0] if rows else {})}

    # ---- Pictures -----------------------------------------------------------------------

    def render(self, config: Optional[Mapping[str, Any]] = None, *, step: Optional[int] = None,
               **options: Any) -> Optional[Picture]:
        """Draws a picture; :func:`karman.render` has the arguments. Rank 0 gets it, other ranks None."""
        given = {**(config or {}), **options}
        texts = _config.options(given)
        if step is not None and self.path is not None:
            texts.append(f"set=data.steps={self._step(step)}")
        elif step not in (None, -1):
            raise errors.UsageError(f"step={step}: arrays are one step")
        out = _library.PictureOut()
        self._call("karman_draw", self._session, len(texts), _library.texts(texts), ctypes.byref(out))
        if not self._is_first:
            return None
        kind = np.dtype(np.uint8 if out.channel_bytes == 1 else ">u2")
        shape = (out.height, out.width, out.channels)
        bytes_ = ctypes.string_at(out.pixels, int(np.prod(shape)) * kind.itemsize)
        return picture_of(np.frombuffer(bytes_, kind).reshape(shape), ctypes.string_at(out.png, out.png_size),
                          config=json.loads(out.config or b"{}"), step=int(out.step), time=float(out.time))


def program() -> str:
    """The path of the program `karman`: named by KARMAN_PROGRAM, beside the library, or in PATH."""
    named = os.environ.get("KARMAN_PROGRAM")
    if named:
        return named
    place = pathlib.Path(_library.candidates()[0]).resolve()
    for folder in (place.parent, *(above / "bin" for above in list(place.parents)[1:3])):
        if os.access(folder / "karman", os.X_OK) and (folder / "karman").is_file():
            return str(folder / "karman")
    found = shutil.which("karman")
    if found is None:
        raise errors.InputError("the program karman is not found: install it, or set KARMAN_PROGRAM to its path")
    return found
