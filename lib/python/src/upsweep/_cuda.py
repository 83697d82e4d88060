"""Waits for CUDA streams through the driver's library."""

from __future__ import annotations

import ctypes
from typing import Any

from ._errors import Status, error

_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9
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


def synchronize(stream: int, address: int) -> None:
    """Wait for a stream of the device that an address belongs to.

    1 and 2 are the legacy and the per-thread default stream of that device, as in `__cuda_array_interface__`.
    """
    ordinal, device, context = ctypes.c_int(), ctypes.c_int(), ctypes.c_void_p()
    _call("cuInit", 0)
    _call("cuPointerGetAttribute", ctypes.byref(ordinal), _POINTER_ATTRIBUTE_DEVICE_ORDINAL, ctypes.c_uint64(address))
    _call("cuDeviceGet", ctypes.byref(device), ordinal)
    _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    try:
        _call("cuCtxPushCurrent_v2", context)
        try:
            _call("cuStreamSynchronize", ctypes.c_void_p(stream))
        finally:
            _call("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))
    finally:
        _call("cuDevicePrimaryCtxRelease_v2", device)
