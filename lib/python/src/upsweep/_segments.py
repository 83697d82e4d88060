"""The keyword segments=: which segments of a one-dimensional array are reduced. It must not know functions."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Tuple, Union

import numpy as np

from . import _library, _tables
from ._arrays import Operand, check_same_memory, operand

#: What segments= takes: offsets, a pair (begins, ends), the length of every segment, or None.
Segments = Union[Any, Tuple[Any, Any], int, None]

_IN_PLACE = ("i32", "u32", "i64", "u64")  # what the library reads


class Bounds(NamedTuple):
    """Where segments begin and end."""

    begins: Operand | None  # None: every segment has that length
    ends: Operand | None  # None: begins are offsets, one more than segments
    length: int

    def count(self, x: Operand) -> int:
        """How many segments x has; checks that it has them."""
        if len(x.shape) != 1:
            raise ValueError(f"x has shape {x.shape}: segments= takes an array of one dimension")
        if self.begins is None:
            if x.shape[0] % self.length:
                raise ValueError(f"x has {x.shape[0]} elements: segments of {self.length} do not divide them")
            return x.shape[0] // self.length
        check_same_memory("segments is", self.begins, x)
        return self.begins.shape[0] - (self.ends is None)

    def from_end(self, x: Operand) -> Bounds:
        """Offsets of the same segments, where x is visited from its last element to its first one."""
        if self.begins is None:
            return self
        if self.begins.on_device:
            raise ValueError("segments= in device memory and reverse=True do not go together: pass keys=, or scan "
                             "x[::-1] by offsets of its own")
        offsets = self.begins.owner
        if np.any(offsets[1:] < offsets[:-1]) or offsets[0] < 0 or offsets[-1] > x.shape[0]:
            return self  # the library refuses them, by the numbers that the caller gave
        return self._replace(begins=_copied(operand(x.shape[0] - offsets[::-1].astype(np.int64)), np.int64))

    def within(self, length: int, reverse: bool) -> slice:
        """The elements that segments on the host have, of offsets that are right; reverse: these came from_end()."""
        if self.begins is None:
            return slice(None)
        first, last = int(self.begins.owner[0]), int(self.begins.owner[-1])
        return slice(length - last, length - first) if reverse else slice(first, last)

    def structure(self, x: Operand) -> _library.SegmentsStruct:
        """usw_segments_t; this object keeps the memory of the offsets."""
        struct = _library.SegmentsStruct(size=ctypes.sizeof(_library.SegmentsStruct), count=self.count(x))
        if self.begins is None:
            struct.length = self.length
        elif not x.on_device or x.shape[0] > 0:  # the host, which reduces no elements, may not read a device's offsets
            begins, ends = self.begins, self.ends
            struct.type, struct.begins = _tables.TYPES[begins.tag][0], begins.address
            struct.ends = begins.address + begins.itemsize if ends is None else ends.address
        return struct


def _copied(x: Operand, dtype: Any) -> Operand:
    return operand(np.ascontiguousarray(x.owner, dtype))


def _offsets(name: str, given: Any) -> Operand:
    """Offsets as the library reads them; in host memory a copy, where it does not read these."""
    found = operand(given)
    if len(found.shape) != 1:
        raise ValueError(f"{name} has shape {found.shape}: it is an array of one dimension")
    is_nothing = isinstance(given, (list, tuple)) and not given  # NumPy's floating numbers
    if found.tag[0] not in "iu" and not is_nothing:
        raise TypeError(f"{name} has dtype {found.dtype or found.tag}: it is an array of integers")
    is_read = found.tag in _IN_PLACE
    if is_read and (found.shape[0] < 2 or found.strides[0] == found.itemsize):
        return found
    if found.on_device:
        raise TypeError(f"{name} is device memory of {found.dtype}, strides {found.strides} (bytes): it is contiguous "
                        "int32, uint32, int64 or uint64")
    return _copied(found, found.dtype if is_read else np.int64)


def bounds(segments: Segments) -> Bounds:
    """What the keyword asks for."""
    if isinstance(segments, (int, np.integer)) and not isinstance(segments, bool):
        if segments < 1:
            raise ValueError(f"segments={segments}: a length is at least 1")
        return Bounds(None, None, int(segments))
    if not isinstance(segments, tuple):
        offsets = _offsets("segments", segments)
        if offsets.shape[0] == 0:
            raise ValueError("segments has no offset: there is one more than segments")
        return Bounds(offsets, None, 0)
    if len(segments) != 2:
        raise TypeError(f"segments is a tuple of {len(segments)}: it is a pair (begins, ends), or an array of offsets")
    begins, ends = _offsets("segments[0]", segments[0]), _offsets("segments[1]", segments[1])
    if begins.shape != ends.shape:
        raise ValueError(f"segments[0] has shape {begins.shape}, segments[1] has {ends.shape}")
    if begins.on_device != ends.on_device:
        raise ValueError("segments[0] and segments[1] must be in the same memory")
    if begins.tag != ends.tag:
        if begins.on_device:
            raise TypeError(f"segments[0] has dtype {begins.dtype}, segments[1] has {ends.dtype}: convert one of them")
        begins, ends = _copied(begins, np.int64), _copied(ends, np.int64)
    return Bounds(begins, ends, 0)
