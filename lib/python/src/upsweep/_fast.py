"""The short way of a call: NumPy arrays of one stride without options, by the extension _short where it was built."""

from __future__ import annotations

import ctypes
from typing import Any, Callable

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


def _member(kind: str, dtype: np.dtype[Any], offset: int, becomes: Any = None) -> tuple[str, Any, int, int, int]:
    """A member of a result as learn() takes it."""
    cell = np.empty((), becomes or dtype) if kind == "a" else None
    return kind, cell, 0 if cell is None else cell.ctypes.data, offset, dtype.itemsize


def _members(name: str, kind: str, tag: str, becomes: Any) -> tuple[tuple[str, Any, int, int, int], ...]:
    """The members of a result; what booleans become, or None."""
    result = layout(kind, tag)
    if result.names is None:
        return (_member({"BOOL": "?", "COUNT": "i"}.get(kind, "a"), result, 0, becomes),)
    fields = [(member, *result.fields[member]) for member in result.names]  # type: ignore[index]
    return tuple(_member(_NUMBERS.get(member, "a"), dtype, offset, becomes if member == "value" else None)
                 for member, dtype, offset in fields)


def _learn(number: int, name: str, tag: str, stored: np.dtype[Any], becomes: Any = None) -> None:
    operation, inputs, kind, _, _ = _tables.FUNCTIONS[name]
    _short.learn(number, stored.kind, stored.itemsize, operation, _tables.TYPES[tag][0], inputs, kind in _IN_ORDER,
                 _members(name, kind, tag, becomes), _MADE_BY.get(kind))


def _setup() -> None:
    one, two = (ctypes.cast(function, ctypes.c_void_p).value or 0
                for function in (_library.library.usw_reduce, _library.library.usw_reduce_pair))
    _short.setup(np.ndarray, one, two)
    for name, row in _tables.FUNCTIONS.items():
        number = NUMBERS[name]
        for tag in row[3]:
            if tag != "bf16":  # NumPy's dtypes of it are not its own
                _learn(number, name, tag, stored_dtype(tag))
        if name in _OF_BOOL:
            _learn(number, name, "u8", np.dtype(np.bool_), _OF_BOOL[name])


#: What reduce() calls a function: its place in _tables.FUNCTIONS, with IGNORES_NAN for nan="ignore".
NUMBERS = {name: number for number, name in enumerate(_tables.FUNCTIONS)}
IGNORES_NAN = 0x100



def _nothing(function: int, *arrays: Any) -> Any:
    return None


is_built = _short is not None
if is_built:
    _setup()
    #: The result of the function of this number, or None: the usual way has to do it.
    reduce = _short.reduce
else:
    reduce = _nothing
