"""Reductions of data that comes in pieces."""

from __future__ import annotations

import ctypes
import struct
import threading
import weakref
from typing import Any

import numpy as np

from . import _tables
from ._arrays import operand, plan, type_tag
from ._call import Array, check_type, needs_order, options_struct
from ._errors import check
from ._library import library
from ._results import convert, layout, stored_dtype

_CODES = struct.Struct("<16xII")  # where a block has its operation and its type


class Partial:
    """The reduction of the elements seen so far.

        >>> import numpy, upsweep
        >>> total = upsweep.Partial("sum", numpy.float32)
        >>> for first in (0, 100, 200):
        ...     total.add(numpy.arange(first, first + 100, dtype=numpy.float32))
        >>> print(total.result())
        44850.0

    What one process has seen can go to another, by pickle or as bytes, and be merged there:

        >>> part = upsweep.Partial("sum", numpy.float32)
        >>> part.add(numpy.ones(150, numpy.float32))
        >>> total.merge(upsweep.Partial.from_bytes(part.export()))
        >>> print(total.result())
        45000.0

    Parameters
    ----------
    function
        The name of a function that reads one array: "sum", "argmin", "describe".
    dtype
        Of the elements: anything that numpy.dtype() takes, or "bfloat16".
    place, device, strategy, accuracy, nan, teams, work_group_load
        As for the functions.

    Raises
    ------
    ValueError
        No such function or option.
    TypeError
        A dtype that the library does not know.
    Error
        What the library refused.

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
        self._options: dict[str, Any] = dict(place=place, device=device, strategy=strategy, teams=teams,
                                             work_group_load=work_group_load)
        options = options_struct(place, device, strategy, accuracy, nan, teams, work_group_load, None, [])
        self._handle = ctypes.c_void_p()
        check(library.usw_partial_create(ctypes.byref(self._handle), row[0], _tables.TYPES[self._tag][0], options))
        self._own()

    def _own(self) -> None:
        self._lock = threading.Lock()
        weakref.finalize(self, library.usw_partial_destroy, self._handle)

    @classmethod
    def from_bytes(cls, block: bytes, *, place: str | None = None, device: int | None = None,
                   strategy: str | None = None, teams: int = 0, work_group_load: int = 0) -> Partial:
        """An object from what export() returned, here or on another machine.

        Parameters
        ----------
        block
            Bytes, or anything that bytes() takes.
        place, device, strategy, teams, work_group_load
            For add(). Function, dtype, accuracy and nan come from the
            block.

        Raises
        ------
        InvalidError
            No block, or a damaged one.
        VersionError
            A block of another version of the library.
        """
        part = cls.__new__(cls)
        part._options = dict(place=place, device=device, strategy=strategy, teams=teams,
                             work_group_load=work_group_load)
        options = options_struct(place, device, strategy, None, None, teams, work_group_load, None, [])
        block = bytes(block)
        part._handle = ctypes.c_void_p()
        check(library.usw_partial_import(ctypes.byref(part._handle), block, len(block), options))
        part._own()
        operation, code = _CODES.unpack_from(block)
        part._function, part._kind = next((name, row[2]) for name, row in _tables.FUNCTIONS.items()
                                          if row[:2] == (operation, 1))
        part._tag = next(tag for tag, row in _tables.TYPES.items() if row[0] == code)
        part._dtype = None if part._tag == "bf16" else stored_dtype(part._tag)
        return part

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickle, (self.export(), self._options, self._dtype)

    def begin_at(self, first_index: int) -> None:
        """Say which index the first element has; objects that were told so may be merged in any order.

        Parameters
        ----------
        first_index
            From 0 to 2**63 - 1. Before the first add().

        Raises
        ------
        InvalidError
            There are elements already.
        """
        if not 0 <= first_index < 1 << 63:
            raise ValueError(f"first_index={first_index}: 0 to 2**63 - 1 are possible")
        with self._lock:
            check(library.usw_partial_begin_at(self._handle, first_index))

    def merge(self, other: Partial) -> None:
        """Take in what another object has seen, which stays as it is. Its elements follow: indices count on, unless it was
        told where it begins.

        Parameters
        ----------
        other
            Of the same function, dtype, accuracy and nan.

        Raises
        ------
        InvalidError
            Another reduction, or the object itself.
        """
        if not isinstance(other, Partial):
            raise TypeError(f"merge() takes a Partial, not {type(other).__name__}")
        if other is self:
            check(library.usw_partial_merge(self._handle, self._handle))
        first, second = sorted((self, other), key=id)  # two threads that merge both ways do not wait for ever
        with first._lock, second._lock:
            check(library.usw_partial_merge(self._handle, other._handle))

    def export(self) -> bytes:
        """What the object has seen as bytes, for from_bytes() here or on any other machine."""
        size = ctypes.c_size_t()
        with self._lock:
            check(library.usw_partial_export(self._handle, None, 0, ctypes.byref(size)))
            block = ctypes.create_string_buffer(size.value)
            check(library.usw_partial_export(self._handle, block, size.value, None))
        return block.raw

    def add(self, x: Array) -> None:
        """Reduce more elements; indices go on counting, in C order of each piece.

        Parameters
        ----------
        x
            Array of the object's dtype. Host memory that is not contiguous is copied.

        Raises
        ------
        ValueError
            Another dtype, or device memory that is not contiguous.
        Error
            What the library refused; the object is as it was.
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


def _unpickle(block: bytes, options: dict[str, Any], dtype: np.dtype[Any] | None) -> Partial:
    part = Partial.from_bytes(block, **options)
    part._dtype = dtype
    return part
