"""Several reductions in one launch."""

from __future__ import annotations

import ctypes
import threading
import weakref
from typing import Any, NamedTuple

import numpy as np

from . import _tables
from ._arrays import Operand, operand, plan
from ._call import Array, Report, check_type, options_struct
from ._errors import check
from ._library import STRIDE_NONE, library
from ._results import convert, layout

_MOST_OPERATOR = 9  # codes of the operators; other reductions come behind
_INITIALIZE_TO_IDENTITY = 1
_KEYS = ("u32", "i32", "u64", "i64")


class _Reducer(NamedTuple):
    owners: list[Any]  # keep the memory alive
    result: np.ndarray[Any, Any]
    is_given: bool  # the caller's own
    kind: str
    tag: str
    dtype: Any


def _key_operand(keys: Array) -> Operand:
    """Keys as the library takes them: contiguous integers of 32 or 64 bits; others on the host are converted."""
    found = operand(keys)
    if found.on_device or found.tag in _KEYS:
        if found.tag not in _KEYS:
            raise ValueError(f"keys have dtype {found.dtype}: on a device they are of 32 or 64 bits")
        return found
    if found.tag[0] not in "iu":
        raise ValueError(f"keys have dtype {found.dtype}: they are integers")
    return operand(found.owner.astype(np.int64))


class Set:
    """Reductions that run together, each over an array of its own; all arrays have the same number of elements.

        >>> import numpy, upsweep
        >>> x = numpy.arange(6, dtype=numpy.float32)
        >>> together = upsweep.Set()
        >>> together.add("sum", x), together.add("max", x), together.add("sum", x, keys=[0, 1, 0, 1, 0, 1], extent=2)
        (0, 1, 2)
        >>> total, largest, by_key = together.run()
        >>> print(total, largest, by_key)
        15.0 5.0 [6. 9.]

    Raises
    ------
    Error
        What the library refused.

    Threads may share an object: its calls wait for each other.
    """

    def __init__(self) -> None:
        self._reducers: list[_Reducer] = []
        self._length: int | None = None
        self._lock = threading.Lock()
        self._handle = ctypes.c_void_p()
        check(library.usw_set_create(ctypes.byref(self._handle)))
        weakref.finalize(self, library.usw_set_destroy, self._handle)

    def add(self, function: str, x: Array, *, keys: Array | None = None, extent: int | None = None,
            out: np.ndarray[Any, Any] | None = None) -> int:
        """Add a reduction, read by each run().

        Parameters
        ----------
        function
            "sum", "prod", "min", "max", "bit_and", "bit_or", "bit_xor", "all" or "any".
        x
            Array that one stride describes; other host memory is copied now.
        keys
            Integers as many as x has elements, where x is: element i is combined into the element of the result
            that keys[i] names. Integers of other than 32 or 64 bits, and what is not contiguous, are copied now.
        extent
            Elements of the result; needed with keys, unless out has them.
        out
            Contiguous NumPy array of the result's dtype: with keys one axis, else one element. What it holds is
            part of the result, which each run leaves there. Without it each run starts anew.

        Returns
        -------
        The number of the reduction: where its result is in what run() returns.

        Raises
        ------
        ValueError
            No such function, lengths that differ, keys without extent, an unfit out.
        TypeError
            A dtype that the library does not know.
        Error
            What the library refused; the object is as it was.
        """
        row = _tables.FUNCTIONS.get(function)
        if row is None or row[0] > _MOST_OPERATOR:
            names = ", ".join(name for name, other in _tables.FUNCTIONS.items() if other[0] <= _MOST_OPERATOR)
            raise ValueError(f"Set.add({function!r}): it is one of {names}")
        values = operand(x)
        check_type(function, values.tag, values.dtype or values.tag)
        by_key = None if keys is None else _key_operand(keys)
        if by_key is not None and by_key.on_device != values.on_device:
            raise ValueError("x and keys are not on the same place")
        planned = plan([values], in_order=by_key is not None)
        planned_keys = None if by_key is None else plan([by_key], in_order=True, unit=True)
        if planned_keys is not None and planned_keys.length != planned.length:
            raise ValueError(f"x has {planned.length} elements, keys have {planned_keys.length}")
        result = self._result(layout(row[2], values.tag), keys is not None, extent, out)
        flags = 0 if out is not None else _INITIALIZE_TO_IDENTITY
        stride = planned.strides[0] or STRIDE_NONE
        with self._lock:
            if self._length not in (None, planned.length):
                raise ValueError(f"x has {planned.length} elements, those of other reductions have {self._length}")
            element = (row[0], _tables.TYPES[values.tag][0], planned.addresses[0], stride)
            if by_key is None or planned_keys is None:
                check(library.usw_set_add(self._handle, *element, result.ctypes.data, flags))
            else:
                check(library.usw_set_add_span(self._handle, *element, _tables.TYPES[by_key.tag][0],
                                               planned_keys.addresses[0], result.ctypes.data, result.size, flags))
            owners = planned.owners + (planned_keys.owners if planned_keys else [])
            self._length = planned.length
            self._reducers.append(_Reducer(owners, result, out is not None, row[2], values.tag, values.dtype))
            return len(self._reducers) - 1

    @staticmethod
    def _result(dtype: np.dtype[Any], is_span: bool, extent: int | None,
                out: np.ndarray[Any, Any] | None) -> np.ndarray[Any, Any]:
        """Where the library writes."""
        if extent is not None and not is_span:
            raise ValueError("extent goes with keys")
        if out is None:
            if is_span and extent is None:
                raise ValueError("keys need an extent or out")
            if extent is not None and not 0 < extent < 1 << 31:
                raise ValueError(f"extent={extent}: 1 to 2**31 - 2 are possible")
            return np.zeros((extent,) if is_span and extent is not None else (), dtype)
        if not isinstance(out, np.ndarray) or out.dtype != dtype or not out.flags.carray:
            raise ValueError(f"out is no contiguous, writable array of {dtype}")
        if (is_span and (out.ndim != 1 or extent not in (None, out.size))) or (not is_span and out.size != 1):
            raise ValueError(f"out has shape {out.shape}")
        return out

    def run(self, *, place: str | None = None, device: int | None = None, strategy: str | None = None,
            accuracy: str | None = None, nan: str | None = None, teams: int = 0, work_group_load: int = 0,
            report: Report | None = None) -> list[Any]:
        """Run all reductions in one launch.

        Parameters
        ----------
        place, device, strategy, accuracy, nan, teams, work_group_load, report
            As for the functions.

        Returns
        -------
        The results in the order of add(): a scalar, an array of `extent` elements, or the out that was given.

        Raises
        ------
        Error
            What the library refused; nothing was written.
        """
        options = options_struct(place, device, strategy, accuracy, nan, teams, work_group_load, report, [])
        with self._lock:
            check(library.usw_set_run(self._handle, self._length or 0, options))
            if report is not None:
                report._fill()
            return [_value(reducer) for reducer in self._reducers]


def _value(reducer: _Reducer) -> Any:
    """What run() returns for a reducer: nothing that the next run changes, unless the caller gave it."""
    if reducer.is_given:
        return reducer.result
    if reducer.result.ndim == 0:
        return convert(reducer.result, reducer.kind, reducer.tag, reducer.dtype)
    if reducer.tag == "bf16" and reducer.kind == "ELEMENT":
        wide = (reducer.result.astype(np.uint32) << np.uint32(16)).view(np.float32)
        return wide if reducer.dtype is None else wide.astype(reducer.dtype)
    return reducer.result.copy()
