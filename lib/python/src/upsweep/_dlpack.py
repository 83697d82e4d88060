"""Looks at arrays by DLPack: the tensor in the capsule that __dlpack__() returns. _arrays.py uses it."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

_CPU, _CUDA, _CUDA_HOST, _CUDA_MANAGED = 1, 2, 3, 13  # DLDeviceType
_HOST = (_CPU, _CUDA_HOST)
_KINDS = {0: "i", 1: "u", 2: "f", 4: "bf", 5: "cf", 6: "b"}  # DLDataTypeCode: letters of the library's types
LEGACY_STREAM = 1  # CUDA's default stream: work that it waits for is complete once it is


class _Tensor(ctypes.Structure):
    """DLTensor"""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("dimensions", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Found(NamedTuple):
    """What a capsule holds. The capsule owns the memory: it stays unconsumed, and its own destructor frees it."""

    capsule: Any
    address: int
    tag: str  # "f32"; may be a type that the library does not have
    itemsize: int  # bytes
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None  # bytes; None: contiguous in C order
    on_device: bool


_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]


def look_at(x: Any) -> Found:
    """What an object with __dlpack__() holds. Work on a device's array is complete once the legacy stream is."""
    device = int(x.__dlpack_device__()[0])
    if device not in (*_HOST, _CUDA, _CUDA_MANAGED):
        raise TypeError(f"__dlpack_device__() is of type {device}: host memory (1, 3) and CUDA's (2, 13) are known")
    on_device = device not in _HOST
    capsule = x.__dlpack__(stream=LEGACY_STREAM) if on_device else x.__dlpack__()
    tensor = ctypes.cast(_pointer_of(capsule, b"dltensor"), ctypes.POINTER(_Tensor)).contents
    if tensor.lanes != 1 or tensor.bits % 8:
        raise TypeError(f"upsweep does not know DLPack elements of {tensor.lanes} lanes of {tensor.bits} bits")
    parts = 2 if _KINDS.get(tensor.code) == "cf" else 1
    itemsize = tensor.bits // 8
    strides = tuple(tensor.strides[i] * itemsize for i in range(tensor.dimensions)) if tensor.strides else None
    tag = f"{_KINDS.get(tensor.code, '?')}{tensor.bits // parts}"
    return Found(capsule, (tensor.data or 0) + tensor.byte_offset, tag, itemsize,
                 tuple(tensor.shape[:tensor.dimensions]), strides, on_device)
