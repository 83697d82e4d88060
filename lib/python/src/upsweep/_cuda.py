"""Waits for CUDA streams, and copies to their devices, through the driver's library."""

from __future__ import annotations

import contextlib
import ctypes
from typing import Any, Iterator

from ._errors import Status, error

_POINTER_ATTRIBUTE_DEVICE_ORDINAL, _LEGACY_STREAM = 9, 1
_driver: Any = None


def _library() -> Any:
    global _driver
    if _driver is None:
        try:
            _driver = ctypes.CDLL("libcuda.so.1")
        except OSError as problem:
            raise error(Status.ERROR_DEVICE, f"an array names a CUDA stream, without a driver: {problem}") from None
    return _driver


def _call(name: str, *arguments: Any) -> None:
    status = getattr(_library(), name)(*arguments)
    if status != 0:
        raise error(Status.ERROR_DEVICE, f"waiting for an array's CUDA stream: {name} returned {status}")


@contextlib.contextmanager
def _context_of(address: int) -> Iterator[None]:
    """The primary context of the device that an address belongs to is current."""
    ordinal, device, context = ctypes.c_int(), ctypes.c_int(), ctypes.c_void_p()
    _call("cuInit", 0)
    _call("cuPointerGetAttribute", ctypes.byref(ordinal), _POINTER_ATTRIBUTE_DEVICE_ORDINAL, ctypes.c_uint64(address))
    _call("cuDeviceGet", ctypes.byref(device), ordinal)
    _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    try:
        _call("cuCtxPushCurrent_v2", context)
        try:
            yield
        finally:
            _call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
    finally:
        _call("cuDevicePrimaryCtxRelease_v2", device)


def synchronize(stream: int, address: int) -> None:
    """Wait for a stream of the device that an address belongs to.

    1 and 2 are the legacy and the per-thread default stream of that device, as in `__cuda_array_interface__`.
    """
    with _context_of(address):
        _call("cuStreamSynchronize", ctypes.c_void_p(stream))


def upload(address: int, array: Any) -> None:
    """Copy a contiguous NumPy array to an address of a device."""
    with _context_of(address):
        _call("cuMemcpyHtoD_v2", ctypes.c_uint64(address), ctypes.c_void_p(array.ctypes.data),
              ctypes.c_size_t(array.nbytes))
        _call("cuStreamSynchronize", ctypes.c_void_p(_LEGACY_STREAM))  # where the copy may still be under way
