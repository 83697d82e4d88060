"""Where many results go: the caller's out, or new memory like that of an array. It must not know functions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _cuda
from ._along import axes_of, new_array
from ._arrays import Operand, check_same_memory, operand
from ._results import convert_all, layout, stored_dtype


class Kind(NamedTuple):
    """What the results are."""

    stored: np.dtype[Any]  # what the library writes
    name: str  # of the dtype that out has
    is_widened: bool  # NumPy arrays of bfloat16 become float32 where NumPy lacks the dtype


def element_kind(x: Operand) -> Kind:
    """Results that are elements of x."""
    if x.tag != "bf16":
        stored = stored_dtype(x.tag)
        return Kind(stored, stored.name, False)
    is_widened = x.dtype is None and not x.on_device
    stored = stored_dtype(x.tag) if x.dtype is None else x.dtype
    return Kind(stored, "float32" if is_widened else "bfloat16", is_widened)


def kind_of(kind: str, x: Operand) -> Kind:
    """Results of one number each, of a function of this kind; of booleans sums are int64."""
    if kind == "ELEMENT":
        return element_kind(x)
    stored = np.dtype(np.int64) if kind == "COUNT" or (kind == "SUM" and x.tag == "b8") else layout(kind, x.tag)
    return Kind(stored, stored.name, False)


def refuse_axis(axis: Any, x: Operand, what: str) -> None:
    """The keyword axis of what visits the whole array."""
    if axis is not None and (axes_of(axis, len(x.shape)), len(x.shape)) != ((0,), 1):
        raise ValueError(f"axis={axis} of shape {x.shape}: {what} no axis. They take arrays of one dimension, or "
                         "the whole array in C order (axis=None)")


def _is_read_only(out: Any) -> bool:
    if isinstance(out, np.ndarray):
        return not out.flags.writeable
    return bool(getattr(out, "__cuda_array_interface__", {"data": (0, False)})["data"][1])


def checked_out(out: Any, x: Operand, length: int, dtype: str, *, name: str = "out", unit: bool = False) -> Operand:
    """The caller's array for results of this dtype, which the library writes in place. unit: side by side."""
    if not x.on_device and not isinstance(out, np.ndarray):
        raise TypeError(f"{name} is a NumPy array, not {type(out).__name__}")
    found = operand(out)
    check_same_memory(f"{name} is", found, x)
    own = "bfloat16" if found.tag == "bf16" else str(found.dtype)
    if own != dtype:
        raise TypeError(f"{name} has dtype {own}: the results are {dtype}")
    if found.shape != (length,):
        raise ValueError(f"{name} has shape {found.shape}, the results have {(length,)}")
    if _is_read_only(out):
        raise ValueError(f"{name} is read-only")
    is_copied = isinstance(out, np.ndarray) and found.address != out.ctypes.data
    if is_copied or (length > 1 and (found.strides[0] == 0 or found.strides[0] % found.itemsize)):
        raise ValueError(f"{name} of stride {found.strides[0]} (bytes) is not written in place: it is aligned, in this "
                         "machine's byte order, and its stride is a multiple of its elements")
    if unit and length > 1 and found.strides[0] != found.itemsize:
        raise ValueError(f"{name} has stride {found.strides[0]} (bytes): it is contiguous")
    return found


def new_target(source: Any, x: Operand, length: int, kind: Kind, *, zeros: bool = False) -> Any:
    """Memory like that of x."""
    if not x.on_device:
        return (np.zeros if zeros else np.empty)(length, kind.stored)
    made = new_array(source, (length,), kind.name, zeros)
    if made is None:
        raise TypeError(f"no device memory of {kind.name} is made for {type(source).__name__}: give out=, or pass "
                        "an array of CuPy or PyTorch")
    return made


class Target:
    """Room for as many results as there are elements, which the library writes some of."""

    def __init__(self, out: Any, source: Any, x: Operand, length: int, kind: Kind, *, name: str = "out",
                 unit: bool = False) -> None:
        found = None if out is None else checked_out(out, x, length, kind.name, name=name, unit=unit)
        self._out, self._kind, self._is_own = out, kind, found is None or kind.is_widened
        self._array = new_target(source, x, length, kind) if self._is_own else out
        if found is None or self._is_own:
            found = operand(self._array)
        self.address, self._name, self._length = found.address, name, length
        self.stride = found.strides[0] // found.itemsize if length > 1 else 1  # elements

    def refuse(self, address: int, what: str) -> None:
        """Refuse memory that begins where an input does: no call of the library looks."""
        if self.address == address and self._length > 0:
            raise ValueError(f"{self._name} is apart from {what}")

    def first(self, count: int) -> Any:
        """The results that were written. What is the package's own, on the host, loses the rest."""
        if self._is_own and isinstance(self._array, np.ndarray):
            self._array.resize(count, refcheck=False)
            found: Any = self._array
        else:
            found = self._array[:count]
        if self._kind.is_widened:
            found = convert_all(found, "ELEMENT", "bf16", None)
        if self._out is None or not self._is_own:
            return found
        self._out[:count] = found
        return self._out[:count]


def like_source(source: Any, x: Operand, values: np.ndarray[Any, Any]) -> Any:
    """Results of the host's in the memory that x is in, where its library makes arrays."""
    made = new_array(source, values.shape, values.dtype.name) if x.on_device else None
    if made is None:
        return values
    if values.size:
        _cuda.upload(operand(made).address, np.ascontiguousarray(values))
    return made
