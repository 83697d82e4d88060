"""Statuses of the library as exceptions."""

from __future__ import annotations

from ._library import library
from ._tables import Status as Status


class Error(Exception):
    """A call that the library refused.

    Attributes
    ----------
    status
        A Status.
    text
        What exactly was wrong.
    """

    def __init__(self, status: int, text: str):
        super().__init__(status, text)
        self.status = Status(status)
        self.text = text

    def __str__(self) -> str:
        return f"{self.text} (USW_{self.status.name})"


class InvalidError(Error, ValueError):
    """An argument or an option is out of range, or data is misaligned."""


class UnsupportedError(Error, NotImplementedError):
    """The type does not have the operation, the place does not have the strategy, or the two not the accuracy."""


class DeviceError(Error, RuntimeError):
    """There is no such device, no image for it, or no driver."""


class OutOfMemoryError(Error, MemoryError):
    """The host or the device has no memory left."""


class PlaceError(Error, ValueError):
    """The place cannot read the data."""


class VersionError(Error, RuntimeError):
    """The library was built with other structures than this package."""


class StateError(Error, RuntimeError):
    """The library was used in a forked child, or after it was finalized."""


_CLASSES = {
    Status.ERROR_INVALID: InvalidError, Status.ERROR_UNSUPPORTED: UnsupportedError, Status.ERROR_DEVICE: DeviceError,
    Status.ERROR_MEMORY: OutOfMemoryError, Status.ERROR_PLACE: PlaceError, Status.ERROR_VERSION: VersionError,
    Status.ERROR_STATE: StateError,
}


def error(status: int, text: str) -> Error:
    """The exception of a status."""
    return _CLASSES.get(Status(status), Error)(status, text)


def check(status: int) -> None:
    """Raise what a status says. The text is the calling thread's own."""
    if status != Status.OK:
        text = library.usw_error_text() or library.usw_status_text(status)
        raise error(status, text.decode(errors="replace"))
