"""Arrays of NumPy as blocks of libkarman, without copies."""

from __future__ import annotations

import ctypes
import dataclasses
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from . import _library
from ._library import Array, Block
from .errors import UsageError

TYPES = {np.dtype(np.float32): _library.FLOAT32, np.dtype(np.float64): _library.FLOAT64,
         np.dtype(np.int32): _library.INT32}


@dataclasses.dataclass
class Part:
    """A part of a block that lies on several ranks, or a block with a name.

    - arrays: x, y, z and fields, as for :func:`karman.render`.
    - name: of the block, the same on all ranks.
    - first: the index (k, j, i) of the part's first vertex in the block.
    - shape: vertices (nk, nj, ni) of the whole block; None: those of the part.

    Neighbouring parts share the plane of vertices between them.
    """

    arrays: Mapping[str, Any]
    name: str = "grid"
    first: Tuple[int, int, int] = (0, 0, 0)
    shape: Optional[Tuple[int, int, int]] = None


def parts_of(source: Any) -> List[Part]:
    """The parts of a dict of arrays, a dict or a list of such, a Part, or a Dataset of xarray."""
    if isinstance(source, Part):
        return [source]
    if hasattr(source, "data_vars"):
        return [Part(_arrays_of_dataset(source))]
    if isinstance(source, Mapping):
        if "x" in source:
            return [Part(source)]
        return [dataclasses.replace(part, name=str(name)) for name, below in source.items() for part in parts_of(below)]
    if isinstance(source, Sequence) and not isinstance(source, (str, bytes)):
        found = [parts_of(below) for below in source]
        return [part if isinstance(source[n], Part) else dataclasses.replace(part, name=f"block{n}")
                for n, parts in enumerate(found) for part in parts]
    raise UsageError(f"a {type(source).__name__} holds no data: give a path, a dict of arrays with x, y and z, a list "
                     "or dict of such, or a Dataset of xarray")


# ---- xarray -----------------------------------------------------------------------------

def _find_axis(dataset: Any, axis: str) -> Any:
    """The coordinate of an axis: by its name, or its attribute `axis` (CF conventions)."""
    if axis in dataset.variables:
        return dataset[axis]
    for name in dataset.variables:
        if str(dataset[name].attrs.get("axis", "")).lower() == axis:
            return dataset[name]
    return None


def _arrays_of_dataset(dataset: Any) -> Dict[str, Any]:
    """Views of a Dataset's variables, all with the same axes."""
    axes = {axis: _find_axis(dataset, axis) for axis in "xyz"}
    dims: Tuple[str, ...] = ()
    for variable in [*dataset.data_vars.values(), *(one for one in axes.values() if one is not None)]:
        dims = variable.dims if len(variable.dims) > len(dims) else dims
    dims = tuple(dim for dim in dims if dim not in ("time", "t") or dataset.sizes[dim] > 1)
    if len(dims) > 3:
        raise UsageError(f"the Dataset has the dimensions {', '.join(map(str, dims))}: choose one of them, as with "
                         "dataset.isel(time=0)")

    def spread(variable: Any) -> np.ndarray:
        values = variable.squeeze([dim for dim in variable.dims if dim not in dims]).transpose(
            *[dim for dim in dims if dim in variable.dims]).data
        return np.asarray(values)[tuple(slice(None) if dim in variable.dims else None for dim in dims)]
    found: Dict[str, Any] = {}
    shape = tuple(dataset.sizes[dim] for dim in dims)
    for axis, variable in axes.items():
        if variable is not None:
            found[axis] = np.broadcast_to(spread(variable), shape)
    used = {str(variable.name) for variable in axes.values() if variable is not None}
    for name, variable in dataset.data_vars.items():
        if str(name) not in used and set(dims) <= set(variable.dims):
            found[str(name)] = spread(variable)
    return found


# ---- Shapes -----------------------------------------------------------------------------

def _numbers(name: str, value: Any) -> np.ndarray:
    """The values as an array that libkarman reads: a copy only where it must be one."""
    values = value.filled(np.nan) if isinstance(value, np.ma.MaskedArray) else np.asarray(value)
    wanted = np.dtype(np.int32) if name == "iblank" else None
    if values.dtype.kind not in "biuf":
        raise UsageError(f"'{name}' is an array of {values.dtype}: give real numbers")
    if wanted is not None or values.dtype not in TYPES or values.dtype.kind != "f":
        values = values.astype(wanted or np.float64, copy=False)
    return values


def _coordinates(arrays: Mapping[str, Any]) -> Dict[str, np.ndarray]:
    """x, y and z with the same three axes. Lists along the axes are spread; a plane may lack z."""
    if "x" not in arrays or "y" not in arrays:
        raise UsageError("a block needs its coordinates x, y and z: arrays with axes k, j, i")
    found = {axis: _numbers(axis, arrays[axis]) for axis in "xyz" if axis in arrays}
    if all(one.ndim == 1 for one in found.values()):
        shape = tuple(found[axis].size if axis in found else 1 for axis in "zyx")
        places = {"x": (None, None, slice(None)), "y": (None, slice(None), None), "z": (slice(None), None, None)}
        found = {axis: np.broadcast_to(one[places[axis]], shape) for axis, one in found.items()}
    found = {axis: one[None] if one.ndim == 2 else one for axis, one in found.items()}
    shape = found["x"].shape
    if "z" not in found and shape[0] == 1:
        found["z"] = np.zeros(shape, found["x"].dtype)
    if "z" not in found:
        raise UsageError("a block with three axes needs z beside x and y")
    for axis, one in found.items():
        if one.ndim != 3 or one.shape != shape:
            raise UsageError(f"'{axis}' has the shape {one.shape}, and x {shape}: give coordinates with the same axes "
                             "k, j, i")
    return found


def _fields(arrays: Mapping[str, Any], shape: Tuple[int, ...]) -> Iterator[Tuple[str, int, np.ndarray]]:
    """Name, association and values of each field."""
    cells = tuple(max(n - 1, 1) for n in shape)
    flat = shape[0] == 1
    for name, value in arrays.items():
        if name in ("x", "y", "z"):
            continue
        values = _numbers(name, value)
        lead = values.shape[:2 if flat and values.ndim in (2, 3) and values.shape[0] != 1 else 3]
        is_vector = values.ndim == len(lead) + 1 and values.shape[-1] == 3
        lead3 = (1, *lead) if flat and len(lead) == 2 else lead
        if lead3 not in (shape, cells) or not (is_vector or values.ndim == len(lead)):
            raise UsageError(f"'{name}' has the shape {values.shape}: fields have {shape} at vertices or {cells} in "
                             "cells, vectors a last axis of 3 more")
        values = values.reshape(lead3 + values.shape[len(lead):]) if len(lead) == 2 else values
        association = _library.VERTEX if lead3 == shape else _library.ELEMENT
        for c in range(3 if is_vector else 1):
            yield (f"{name}_{'xyz'[c]}", association, values[..., c]) if is_vector else (name, association, values)


def _array(values: np.ndarray, keep: List[np.ndarray], behind: Sequence[int] = (0, 0, 0)) -> Array:
    """karman_array of three axes; `keep` holds what it points to. behind: ghosts along k, j, i."""
    size = values.itemsize
    if any(stride % size for stride in values.strides) or (values.size > 1 and not any(values.strides)) or \
            not values.dtype.isnative:
        values = np.ascontiguousarray(values, values.dtype.newbyteorder("="))
    keep.append(values)
    stride = [step // size for step in reversed(values.strides)]
    return Array(values.ctypes.data, TYPES[values.dtype], after=(ctypes.c_int * 3)(*reversed(behind)),
                 stride=(ctypes.c_int64 * 3)(*stride))


def describe(session: Any, parts: Sequence[Part], keep: List[np.ndarray]) -> None:
    """Describes this rank's parts to a session."""
    call = _library.library.call
    for number, part in enumerate(parts):
        xyz = _coordinates(part.arrays)
        shape = xyz["x"].shape
        three = ctypes.c_int64 * 3
        block = Block(part.name.encode(), three(*reversed(part.shape or shape)), three(*reversed(part.first)),
                      three(*reversed(shape)), *(_array(xyz[axis], keep) for axis in "xyz"))
        fields = list(_fields(part.arrays, shape))
        for name, association, values in fields:
            if name == "iblank":
                block.iblank = _array(values, keep)
        call("karman_set_block", session, number, ctypes.byref(block))
        for name, association, values in fields:
            behind = [association == _library.ELEMENT and n == 1 for n in shape]  # of a plane: its layer of cells
            if name != "iblank":
                call("karman_set_field", session, number, name.encode(), association,
                     ctypes.byref(_array(values, keep, behind)))
