"""Reductions of data that comes in pieces."""

from __future__ import annotations

import ctypes
import threading
import weakref
from typing import Any

import numpy as np

from . import _tables
from ._arrays import operand, plan, type_tag
from ._call import Array, check_type, needs_order, options_struct
from ._errors import check
from ._library import library
from ._results import convert, layout


class Partial:
    """The reduction of the elements seen so far.

        >>> import numpy, upsweep
        >>> total = upsweep.Partial("sum", numpy.float32)
        >>> for first in (0, 100, 200):
        ...     total.add(numpy.arange(first, first + 100, dtype=numpy.float32))
        >>> print(total.result())
        44850.0

    Args:
        function: the name of a function that reads one array: "sum", "argmin", "describe".
        dtype: of the elements: anything that numpy.dtype() takes, or "bfloat16".
        place, device, strategy, accuracy, nan, teams, work_group_load: as for the functions.

    Raises:
        ValueError: no such function or option.
        TypeError: a dtype that the library does not know.
        Error: what the library refused.

    Threads may share an object: its calls wait for each other.
    """

    def __init__(self, function: str, dtype: Any, *, place: str | None = None, device: int | None = None,
                 strategy: str | None = None, accuracy: str | None = None, nan: str | None = None, teams: int = 0,
                 work_group_load: int = 0):
        row = _tables.FUNCTIONS.get(function)
        if row is None or row[1] != 1:
            names = ", ".join(name for name, other in _tables.FUNCTIONS.items() if other[1] == 1)
            raise ValueError(f"Partial({function!r}): it is one of {names}")
        self._function, self._kind = function, row[2]
        self._dtype = None if isinstance(dtype, str) and dtype == "bfloat16" else np.dtype(dtype)
        self._tag = "bf16" if self._dtype is None else type_tag(self._dtype)
        if not self._tag:
            raise TypeError(f"upsweep does not know dtype {self._dtype}")
        check_type(function, self._tag, dtype)
        options = options_struct(place, device, strategy, accuracy, nan, teams, work_group_load, None, [])
        self._handle = ctypes.c_void_p()
        self._lock = threading.Lock()
        check(library.usw_partial_create(ctypes.byref(self._handle), row[0], _tables.TYPES[self._tag][0], options))
        weakref.finalize(self, library.usw_partial_destroy, self._handle)

    def add(self, x: Array) -> None:
        """Reduce more elements; indices go on counting, in C order of each piece.

        Args:
            x: array of the object's dtype. Host memory that is not contiguous is copied.

        Raises:
            ValueError: another dtype, or device memory that is not contiguous.
            Error: what the library refused; the object is as it was.
        """
        piece = operand(x)
        if piece.tag != self._tag:
            raise ValueError(f"this Partial reduces {self._dtype or 'bfloat16'}, not {piece.dtype or piece.tag}")
        if self._dtype is None:
            self._dtype = piece.dtype
        planned = plan([piece], needs_order(self._function), unit=True)
        with self._lock:
            check(library.usw_partial_add(self._handle, planned.addresses[0], planned.length))

    def result(self) -> Any:
        """What the function returns for all elements so far. The object stays usable."""
        result = np.empty((), layout(self._kind, self._tag))
        with self._lock:
            check(library.usw_partial_result(self._handle, result.ctypes.data))
        return convert(result, self._kind, self._tag, self._dtype)
