"""Exact pictures of curvilinear CFD grids.

    import karman
    wake = karman.open("wake.cgns")
    picture = karman.render(wake, field="mach")     # a NumPy array that Jupyter shows
    picture.save("wake.png")

    karman.render({"x": x, "y": y, "z": z, "p": p})  # arrays [k, j, i], no copies

Configs are dicts, or keywords, with the keys of karman's configs (docs/user/config.md). Failures are
exceptions. Under MPI all calls are collective: ``mpiexec -n 4 python3 script.py``, with mpi4py or without.
"""

from __future__ import annotations

import os
from typing import Any, Mapping, Optional, Union

from . import _config, _library
from ._arrays import Part
from ._data import Block, Data, Field, Step
from ._picture import Picture
from .errors import DefectError, Error, InputError, NoMemoryError, OutputError, UsageError, Warning

__version__ = _library.VERSION
__all__ = ["Block", "Data", "DefectError", "Error", "Field", "InputError", "NoMemoryError", "OutputError", "Part",
           "Picture", "Step", "UsageError", "Warning", "open", "render", "run"]


def open(source: Any, *, comm: Any = None, threads: int = 0, **config: Any) -> Data:  # noqa: A001
    """Opens data, and reads metadata alone.

    source: one of these:

    - the path of a data file, of a folder of files with a step each, or of a config;
    - a dict of arrays with axes k, j, i: ``{"x": x, "y": y, "z": z, "p": p}``;
    - a list of such dicts, or a dict of them by the names of blocks;
    - a :class:`Part`, or a Dataset of xarray.

    Arrays are not copied: float32 and float64 in any memory order. Fields at vertices have the shape of x.
    Fields in cells have one less along each axis. Vectors have a last axis of 3. x, y and z may also be lists
    along the axes. A plane [j, i] may lack z.

    comm: a communicator of mpi4py; None: all ranks. Collective.
    threads: of each rank; 0: as ``karman render``.
    config: keys for all pictures and values, such as ``data={"gamma": 1.3}`` or
    ``derive={"speed": "mag(velocity)"}``.

    Errors: :class:`InputError`, :class:`UsageError`.
    """
    return Data(source, comm, threads, **config)


def _is_config(source: Any) -> bool:
    return isinstance(source, Mapping) and isinstance(source.get("data"), Mapping) and "file" in source["data"]


def render(source: Any, config: Optional[Mapping[str, Any]] = None, *, comm: Any = None, threads: int = 0,
           **options: Any) -> Optional[Picture]:
    """Draws a picture: that of ``karman render`` with the same config, byte by byte.

    source: data of :func:`open`, or what it takes; or a whole config as a dict, with data.file.
    config: keys of a config; options: more of them, which go over those, and:

    field: the field to draw, such as "mach".
    slice: a plane, "x=2" or {"x": 2}; iso: a value, or {"mach": 1}; walls: a field on walls;
    streamlines: True. Lists add several.
    view: "top", "bottom", "front", "back", "left", "right" or "iso"; azimuth, elevation: degrees; zoom.
    look: "paper", "screen" or "dark". derive: {"speed": "mag(velocity)"}.
    size: (width, height) in pixels. step: the number of a step; -1 is the last one.

    All that is left open is chosen from the data. Returns None on ranks other than 0. Collective.
    """
    if isinstance(source, Data):
        if comm is not None or threads:
            raise UsageError("comm and threads belong to karman.open(), which has opened these data")
        return source.render(config, **options)
    if _is_config(source):
        config = {**source, **(config or {})}
        config["data"] = {key: value for key, value in config["data"].items() if key != "file"}
        source = source["data"]["file"]
    with Data(source, comm, threads) as data:
        return data.render(config, **options)


def run(path: Union[str, "os.PathLike[str]"], *, comm: Any = None, threads: int = 0, resume: bool = False,
        **config: Any) -> None:
    """Writes all files that a config names, as ``karman render CONFIG`` does.

    path: of the config. config: keys that go over it, such as ``output={"figure": "wake.pdf"}``.
    resume: keep complete pictures of the same config. Collective.
    """
    library = _library.library
    handle = library.communicator(comm)
    library.call("karman_python_render_config", handle, os.fspath(path).encode(), _library.options(
        _config.overrides(config), threads, resume), warns=library.place(handle)[0] == 0)
