"""libkarman by ctypes: its place, its functions, its messages as exceptions and warnings."""

from __future__ import annotations

import atexit
import ctypes
import os
import pathlib
import sys
import threading
import traceback
import warnings
from typing import Any, List, Optional, Sequence

from . import errors

VERSION = "0.1.0"
NAME = "libkarman.so.0" if sys.platform != "darwin" else "libkarman.0.dylib"

FLOAT32, FLOAT64, INT32 = 0, 1, 2
VERTEX, ELEMENT = 0, 1


class Options(ctypes.Structure):
    """karman_options."""

    _fields_ = [("noverrides", ctypes.c_int), ("overrides", ctypes.POINTER(ctypes.c_char_p)),
                ("threads", ctypes.c_int), ("resume", ctypes.c_bool), ("quiet", ctypes.c_bool)]


class Array(ctypes.Structure):
    """karman_array."""

    _fields_ = [("data", ctypes.c_void_p), ("type", ctypes.c_int), ("before", ctypes.c_int * 3),
                ("after", ctypes.c_int * 3), ("stride", ctypes.c_int64 * 3)]


class Block(ctypes.Structure):
    """karman_block."""

    _fields_ = [("name", ctypes.c_char_p), ("size", ctypes.c_int64 * 3), ("first", ctypes.c_int64 * 3),
                ("count", ctypes.c_int64 * 3), ("x", Array), ("y", Array), ("z", Array), ("iblank", Array)]


class PictureOut(ctypes.Structure):
    """karman_picture."""

    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("channels", ctypes.c_int),
                ("channel_bytes", ctypes.c_int), ("pixels", ctypes.c_void_p), ("png", ctypes.c_void_p),
                ("png_size", ctypes.c_size_t), ("config", ctypes.c_char_p), ("step", ctypes.c_int64),
                ("time", ctypes.c_double)]


class Points(ctypes.Structure):
    """karman_points."""

    _fields_ = [("npoints", ctypes.c_int64), ("points", ctypes.c_void_p), ("nfields", ctypes.c_int),
                ("fields", ctypes.POINTER(ctypes.c_char_p)), ("step", ctypes.c_int64)]


TakeWarning = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p)
_int, _long, _text, _at = ctypes.c_int, ctypes.c_int64, ctypes.c_char_p, ctypes.c_void_p
_texts = ctypes.POINTER(ctypes.c_char_p)
_handle = ctypes.c_int  # MPI_Fint

#: Functions, with the types of their arguments; all but those of RESULTS return an int.
FUNCTIONS = {
    "karman_version": [], "karman_message": [], "karman_failure": [],
    "karman_on_warning": [TakeWarning, _at],
    "karman_close": [ctypes.POINTER(_at)],
    "karman_set_block": [_at, _int, ctypes.POINTER(Block)],
    "karman_set_field": [_at, _int, _text, _int, ctypes.POINTER(Array)],
    "karman_draw": [_at, _int, _texts, ctypes.POINTER(PictureOut)],
    "karman_describe": [_at, ctypes.POINTER(_text)],
    "karman_find_bounds": [_at, _long, ctypes.POINTER(ctypes.c_double)],
    "karman_find_range": [_at, _text, _long, ctypes.POINTER(ctypes.c_double)],
    "karman_read": [_at, _text, _int, _long, _int, _at],
    "karman_probe": [_at, ctypes.POINTER(Points), _at, _at],
    "karman_python_start": [ctypes.POINTER(_handle)], "karman_python_stop": [], "karman_python_mpi": [],
    "karman_python_place": [_handle, ctypes.POINTER(_int)],
    "karman_python_refuse": [_at, _text],
    "karman_python_open_data": [_handle, _text, ctypes.POINTER(Options), ctypes.POINTER(_at)],
    "karman_python_render_config": [_handle, _text, ctypes.POINTER(Options)],
}
RESULTS = {"karman_version": _text, "karman_message": _text, "karman_python_mpi": _text,
           "karman_on_warning": None, "karman_python_stop": None, "karman_python_place": None,
           "karman_python_refuse": None}


# ---- The place of the library -----------------------------------------------------------

def candidates() -> List[str]:
    """Files that may be the library: named by KARMAN_LIBRARY, in this package, in a prefix above it, or
    anywhere that the system looks."""
    named = os.environ.get("KARMAN_LIBRARY")
    if named:
        return [named]
    here = pathlib.Path(__file__).resolve().parent
    found = [here / "lib" / NAME]
    for prefix in here.parents:
        found += [prefix / "lib" / NAME, prefix / "lib64" / NAME, *sorted(prefix.glob(f"lib/*-linux-gnu/{NAME}"))]
    return [str(path) for path in found if path.exists()] + [NAME]


def _load() -> ctypes.CDLL:
    # Another MPI may be loaded, with the same names: libkarman then keeps to its own.
    mode = ctypes.DEFAULT_MODE | (getattr(os, "RTLD_DEEPBIND", 0) if "mpi4py.MPI" in sys.modules else 0)
    path = candidates()[0]
    try:
        library = ctypes.CDLL(path, mode=mode)
        for name, arguments in FUNCTIONS.items():
            function = getattr(library, name)
            function.argtypes, function.restype = arguments, RESULTS.get(name, ctypes.c_int)
    except (OSError, AttributeError) as error:
        raise ImportError(f"the library of karman cannot be loaded: {error}; install karman, or set "
                          f"KARMAN_LIBRARY to its {NAME}") from None
    version = library.karman_version().decode()
    if version != VERSION:
        raise ImportError(f"{path} is version {version} of karman, this package is {VERSION}: install both from "
                          "the same source")
    return library


class Library:
    """libkarman, loaded when it is first needed. One call at a time."""

    def __init__(self) -> None:
        self._functions: Optional[ctypes.CDLL] = None
        self._lock = threading.RLock()
        self._warnings: List[str] = []
        self._take = TakeWarning(lambda _, text: self._warnings.append(text.decode("utf-8", "replace")))
        self._world: Optional[int] = None

    @property
    def functions(self) -> ctypes.CDLL:
        """The functions of karman.h."""
        with self._lock:
            if self._functions is None:
                self._functions = _load()
            return self._functions

    def call(self, name: str, *arguments: Any, warns: bool = True) -> None:
        """Calls a function that returns one of karman.h's codes; raises its failure."""
        with self._lock:
            self._warnings.clear()
            self.functions.karman_on_warning(self._take, None)
            code = getattr(self.functions, name)(*arguments)
            told = list(dict.fromkeys(self._warnings)) if warns else []
            message = self.functions.karman_message().decode("utf-8", "replace")
            kind = self.functions.karman_failure()
        for text in told:
            warnings.warn(text, errors.Warning, stacklevel=2 + _depth())
        if code != 0:
            raise errors.BY_KIND.get(kind, errors.Error)(message or f"{name} failed")

    # ---- MPI --------------------------------------------------------------------------------

    def communicator(self, comm: Any) -> int:
        """The number that Fortran has for a communicator of mpi4py; None: all ranks."""
        self._check_mpi4py(comm)
        if comm is not None:
            return int(comm.py2f())
        if self._world is None:
            world = _handle()
            if self.functions.karman_python_start(ctypes.byref(world)):
                atexit.register(self.functions.karman_python_stop)
                self._end_together(world.value)
            self._world = world.value
        return self._world

    def place(self, comm: int) -> Sequence[int]:
        """Rank and size of a communicator."""
        place = (ctypes.c_int * 2)()
        self.functions.karman_python_place(comm, place)
        return list(place)

    def _check_mpi4py(self, comm: Any) -> None:
        module = sys.modules.get("mpi4py.MPI")
        if comm is None or module is None:
            return
        theirs, ours = module.Get_library_version(), self.functions.karman_python_mpi().decode()
        if theirs.split()[:3] != ours.split()[:3]:
            raise errors.UsageError(
                f"mpi4py uses {' '.join(theirs.split()[:3])}, karman {' '.join(ours.split()[:3])}: install an mpi4py "
                "for the same MPI, or leave out mpi4py and 'comm': mpiexec -n 4 python3 script.py")

    def _end_together(self, world: int) -> None:
        """Lets a rank with an error of its own end the job: others may wait for it."""
        before = sys.excepthook
        if self.place(world)[1] < 2:
            return

        def end(kind: Any, value: Any, trace: Any) -> None:
            if before is sys.__excepthook__:
                traceback.print_exception(kind, value, trace)
            else:
                before(kind, value, trace)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(1)
        sys.excepthook = end


def _depth() -> int:
    """Frames of this package above the caller's."""
    here, depth, frame = os.path.dirname(__file__), 0, sys._getframe(1)
    while frame is not None and os.path.dirname(frame.f_code.co_filename) == here:
        depth, frame = depth + 1, frame.f_back
    return depth - 1


def texts(values: Sequence[str]) -> Any:
    """An array of C strings."""
    return (ctypes.c_char_p * max(len(values), 1))(*[value.encode() for value in values])


def options(overrides: Sequence[str], threads: int, resume: bool = False) -> Options:
    """karman_options; progress is never printed."""
    found = ctypes.cast(texts(overrides), ctypes.POINTER(ctypes.c_char_p))
    return Options(len(overrides), found, threads, resume, True)


library = Library()
