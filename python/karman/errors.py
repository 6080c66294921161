"""Exceptions and warnings. Their texts are the sentences of ``karman render``.

Under MPI all ranks raise the same exception.
"""

from __future__ import annotations


class Error(Exception):
    """Something that karman cannot do."""


class UsageError(Error, ValueError):
    """A config, an option or an array asks for something impossible."""


class InputError(Error, OSError):
    """Data are missing or broken, or lack a field."""


class OutputError(Error, OSError):
    """A file cannot be written."""


class NoMemoryError(Error, MemoryError):
    """Memory ran out."""


class DefectError(Error, RuntimeError):
    """A defect of karman itself."""


class Warning(UserWarning):  # noqa: A001 - karman.Warning reads well
    """Something that a user should know of a picture or of data."""


#: By the numbers of ``karman_failure`` in karman.h.
BY_KIND = {1: UsageError, 2: InputError, 3: OutputError, 4: NoMemoryError, 5: DefectError}
