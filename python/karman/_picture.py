"""Pictures."""

from __future__ import annotations

import os
import pathlib
import struct
import zlib
from typing import Any, Dict, Optional, Union

import numpy as np

from .errors import OutputError, UsageError


def _encode(pixels: np.ndarray) -> bytes:
    """A PNG file of pixels [height, width, 3 or 4], of 8 or 16 bits."""
    deep = pixels.dtype.itemsize == 2
    height, width, channels = pixels.shape
    rows = np.ascontiguousarray(pixels, ">u2" if deep else "u1").reshape(height, -1).view("u1")
    data = np.zeros((height, rows.shape[1] + 1), "u1")  # each row begins with its filter: none
    data[:, 1:] = rows

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    head = struct.pack(">IIBBBBB", width, height, 16 if deep else 8, 6 if channels == 4 else 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(data.tobytes()))
            + chunk(b"IEND", b""))


class Picture(np.ndarray):
    """A picture: an array [height, width, 4] of red, green, blue and opacity, uint8 or uint16, as displayed.

    Jupyter shows it. It is read-only; ``picture.copy()`` may be changed. Parts and copies of it are
    pictures, too.

    config: the config that drew it, with all found values; ``karman.render(picture.config)`` draws it again
    if the data are a file. step, time: those of the data. All three are None for parts and copies.
    """

    config: Optional[Dict[str, Any]]
    step: Optional[int]
    time: Optional[float]
    _png: Optional[bytes]

    def __array_finalize__(self, other: Any) -> None:
        self.config = self.step = self.time = self._png = None

    def _is_picture(self) -> bool:
        return self.ndim == 3 and self.shape[2] in (3, 4) and self.size > 0 and \
            self.dtype.kind == "u" and self.dtype.itemsize <= 2

    @property
    def array(self) -> np.ndarray:
        """The same pixels as a plain array."""
        return self.view(np.ndarray)

    @property
    def png(self) -> bytes:
        """The bytes of a PNG file: those that ``karman render`` writes, with the config in them."""
        if self._png is None and not self._is_picture():
            raise UsageError(f"an array of {self.dtype} with the shape {self.shape} is no picture")
        return self._png if self._png is not None else _encode(self.array)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a PNG file."""
        if not os.fspath(path).lower().endswith(".png"):
            raise UsageError(f"{os.fspath(path)}: a picture is saved as .png; karman.run() writes figures (.pdf, "
                             ".svg), as output.figure of a config")
        try:
            pathlib.Path(path).write_bytes(self.png)
        except OSError as error:
            raise OutputError(f"{os.fspath(path)} cannot be written: {error.strerror}") from None

    def _repr_png_(self) -> Optional[bytes]:
        return self.png if self._is_picture() else None


def picture_of(pixels: np.ndarray, png: bytes, **about: Any) -> Picture:
    """A picture of pixels [height, width, 3 or 4]."""
    height, width, channels = pixels.shape
    whole = np.empty((height, width, 4), pixels.dtype.newbyteorder("="))
    whole[..., 3] = np.iinfo(whole.dtype).max
    whole[..., :channels] = pixels
    picture = whole.view(Picture)
    picture._png = png
    for name, value in about.items():
        setattr(picture, name, value)
    picture.flags.writeable = False
    return picture
