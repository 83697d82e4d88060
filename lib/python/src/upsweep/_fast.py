"""The short way of a call: NumPy arrays of one stride, along axes, or scanned, without options, by the extension _short where it was built."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Tuple

import numpy as np

from . import _library, _tables
from ._results import Describe, Extremes, Located, layout, stored_dtype

try:
    from . import _short
except ImportError:  # there was no C compiler, or no header of Python's
    _short = None  # type: ignore[assignment]

_IN_ORDER: dict[str, Callable[..., Any]] = {"LOCATED": Located, "DESCRIBE": Describe}  # results that hold indices
_MADE_BY: dict[str, Callable[..., Any]] = {**_IN_ORDER, "EXTREMES": Extremes}
_NUMBERS = {"count": "i", "index": "i", "minimum_index": "i", "maximum_index": "i", "mean": "d", "variance": "d"}
_OF_BOOL = {"sum": np.int64, "prod": np.int64, "min": np.bool_, "max": np.bool_, "argmin": np.bool_, "argmax": np.bool_}


Member = Tuple[str, Any, int, int, int, Any]


def _member(kind: str, dtype: np.dtype[Any], offset: int, becomes: Any = None, is_of_many: bool = True) -> Member:
    """A member of a result as learn() takes it."""
    cell = np.empty((), becomes or dtype) if kind == "a" else None
    of_many = np.dtype(np.int64 if kind == "i" else becomes or dtype) if is_of_many else None
    return kind, cell, 0 if cell is None else cell.ctypes.data, offset, dtype.itemsize, of_many


def _members(kind: str, result: np.dtype[Any], becomes: Any) -> tuple[Member, ...]:
    """The members of a result; what booleans become, or None. Of many results indices come without their values."""
    if result.names is None:
        return (_member({"BOOL": "?", "COUNT": "i"}.get(kind, "a"), result, 0, becomes),)
    fields = [(member, *result.fields[member]) for member in result.names]  # type: ignore[index]
    return tuple(_member(_NUMBERS.get(member, "a"), dtype, offset, becomes if member == "value" else None, member != "value")
                 for member, dtype, offset in fields)


def _learn(number: int, name: str, tag: str, stored: np.dtype[Any], becomes: Any = None) -> None:
    operation, inputs, kind, _, _ = _tables.FUNCTIONS[name]
    result = layout(kind, tag)
    _short.learn(number, stored.kind, stored.itemsize, operation, _tables.TYPES[tag][0], inputs, kind in _IN_ORDER,
                 _members(kind, result, becomes), _MADE_BY.get(kind), result.itemsize)


def _setup() -> None:
    names = "usw_reduce", "usw_reduce_pair", "usw_reduce_axes", "usw_reduce_axes_pair", "usw_scan_inclusive"
    addresses = (ctypes.cast(getattr(_library.library, name), ctypes.c_void_p).value or 0 for name in names)
    _short.setup(np.ndarray, np.empty, *addresses)
    for name, row in _tables.FUNCTIONS.items():
        number = NUMBERS[name]
        for tag in row[3]:
            if tag != "bf16":  # NumPy's dtypes of it are not its own
                _learn(number, name, tag, stored_dtype(tag))
        if name in _OF_BOOL:
            _learn(number, name, "u8", np.dtype(np.bool_), _OF_BOOL[name])


#: What reduce() calls a function: its place in _tables.FUNCTIONS, with IGNORES_NAN for nan="ignore", and COMPENSATED for that accuracy.
NUMBERS = {name: number for number, name in enumerate(_tables.FUNCTIONS)}
IGNORES_NAN = 0x100
COMPENSATED = 0x200
_SUMS = NUMBERS["sum"], NUMBERS["prod"]
_DTYPE_OF_SUMS = {stored_dtype(tag): layout("SUM", tag) for tag in _tables.FUNCTIONS["sum"][3] if tag != "bf16"}
_DTYPE_OF_SUMS[np.dtype(np.bool_)] = np.dtype(np.int64)


def _nothing(function: int, *arguments: Any) -> Any:
    return None


is_built = _short is not None
if is_built:
    _setup()
    #: The result of the function of this number, or None: the usual way has to do it.
    reduce = _short.reduce
    _reduce_axes = _short.reduce_axes
    #: The running results of the function of this number, or None.
    scan = _short.scan
else:
    reduce = _reduce_axes = scan = _nothing  # type: ignore[assignment]


def put(values: Any, out: Any) -> Any:
    """Values, in out where that is a NumPy array of their shape; None: the usual way says why they do not go there."""
    if out is None:
        return values
    if type(out) is not np.ndarray or out.shape != values.shape:
        return None
    np.copyto(out, values, casting="same_kind")
    return out


def _is_of_sums(out: Any, x: Any) -> bool:
    """Whether an array has the dtype of the sums of another one."""
    return type(out) is type(x) is np.ndarray and out.dtype == _DTYPE_OF_SUMS.get(x.dtype)


def along(function: int, axis: Any, keepdims: bool, out: Any, *arrays: Any) -> Any:
    """As reduce(), along some axes: an array, or a tuple of them, by put()."""
    if out is not None and function & 0xFF in _SUMS and not _is_of_sums(out, arrays[0]):
        return None  # out may decide what is summed
    found = _reduce_axes(function, axis, keepdims, *arrays)
    return None if found is None else put(found, out)
