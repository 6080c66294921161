"""Configs and options of ``karman render`` from Python's values."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Iterator, List, Mapping, Tuple

from .errors import UsageError

#: Options of ``karman render`` with one value each.
SINGLE = ("field", "look", "view", "azimuth", "elevation", "zoom", "walls")

#: Those with texts A=B, or several values.
PAIRS = ("slice", "iso", "derive")


def _plain(value: Any) -> Any:
    """A value of NumPy, or a path, as JSON can have it."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise UsageError(f"{value!r} cannot stand in a config: give numbers, texts, lists and dicts")


def text_of(value: Any) -> str:
    """A value as it stands in a config."""
    return json.dumps(value, default=_plain)


def overrides(config: Mapping[str, Any]) -> List[str]:
    """The keys of a config as KEY=VALUE. A dict goes over that of the config key by key."""
    found = []
    for key, value in config.items():
        if isinstance(value, Mapping) and value:
            found += [f"{key}.{name}={text_of(below)}" for name, below in value.items()]
        else:
            found.append(f"{key}={text_of(value)}")
    return found


def _list(value: Any) -> Iterable[Any]:
    return value if isinstance(value, (list, tuple)) else [value]


def _pairs(name: str, value: Any) -> Iterator[str]:
    """Texts A=B of a dict, a text, a number, or a list of them."""
    for one in _list(value):
        if isinstance(one, Mapping):
            yield from (f"{name}={a}={b}" for a, b in one.items())
        else:
            yield f"{name}={one}"


def size_of(size: Any) -> Tuple[int, int]:
    """Width and height."""
    try:
        width, height = size
        return int(width), int(height)
    except (TypeError, ValueError):
        raise UsageError(f"size={size!r}: give width and height in pixels, such as (960, 600)") from None


def _option(name: str, value: Any) -> Iterable[str]:
    """The options of one argument of render()."""
    if name in SINGLE:
        return [f"{name}={value}"]
    if name in PAIRS:
        return _pairs(name, value)
    if name == "streamlines":
        return ["streamlines"] if value else []
    if name == "size":
        return ["set=image.{}={}".format(*pair) for pair in zip(("width", "height"), size_of(value))]
    if name == "output":
        raise UsageError("output: render() draws into memory: save() writes the picture, and karman.run() writes all "
                         "that the output of a config names")
    return [f"set={text}" for text in overrides({name: value})]


def options(given: Mapping[str, Any]) -> List[str]:
    """The arguments of render() as options of ``karman render``, without dashes and in the same order."""
    return [text for name, value in given.items() if value is not None for text in _option(name, value)]
