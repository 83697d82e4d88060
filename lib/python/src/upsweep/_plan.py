"""One reduction of the same arrays, again and again."""

from __future__ import annotations

import ctypes
import math
import threading
import weakref
from typing import Any, Sequence

import numpy as np

from . import _library, _tables
from ._arrays import operand, type_tag
from ._call import Array, Report, check_pair, check_type, needs_order, options_struct
from ._errors import check
from ._library import library
from ._parts import Parts, are_copied, elements, structures
from ._results import convert, layout


class Request:
    """A run of a Plan that was started."""

    def __init__(self, plan: Plan, number: int, struct: _library.RequestStruct):
        self._plan, self._number, self._struct = plan, number, struct

    def test(self) -> bool:
        """Whether wait() would return at once."""
        done = ctypes.c_int()
        with self._plan._lock:
            check(library.usw_request_test(ctypes.byref(self._struct), ctypes.byref(done)))
        return bool(done.value)

    def wait(self) -> Any:
        """The result, as Plan.run() returns it. Once: later calls are refused.

        Raises
        ------
        InvalidError
            It has been waited for.
        Error
            What the library refused.
        """
        return self._plan._wait(self._number, self._struct)


class Plan:
    """A reduction that is bound to arrays: the same one again and again, over what they hold by then.

        >>> import numpy, upsweep
        >>> first, second = numpy.array([3.0, 1.0]), numpy.array([0.5])
        >>> plan = upsweep.Plan("sum", upsweep.Parts([first, second]))
        >>> first[0] = 7
        >>> print(plan.run())
        8.5
        >>> request = plan.start()
        >>> print(request.wait())
        8.5

    Arrays are checked, placed and chosen for once. A run launches what was prepared, on GPUs a CUDA graph for each array.

    Parameters
    ----------
    function
        The name of a function of the library: "sum", "argmin", "describe". "dot" and "dotc" read two arrays.
    arrays
        As many as the function reads: arrays or Parts, which each run reads where they are. None that would have to be
        copied.
    strategy, accuracy, nan, teams, work_group_load, report, fold
        As for the functions. Each array runs where it is.
    results
        For each array that x is in, in their order, None or an array of one element where it is: each run writes its
        result there, too, before it returns it. Of the dtype of the result, which is one number.

    Raises
    ------
    ValueError
        No such function or option, shapes or dtypes that do not fit, arrays that would have to be copied, or unfit results.
    TypeError
        Another number of arrays, or a dtype that the library does not know.
    Error
        What the library refused.

    Threads may share an object: its calls wait for each other.
    """

    def __init__(self, function: str, *arrays: Array | Parts, strategy: str | None = None, accuracy: str | None = None,
                 nan: str | None = None, teams: int = 0, work_group_load: int = 0, report: Report | None = None,
                 fold: int = 0, results: Sequence[Array | None] | None = None):
        row = _tables.FUNCTIONS.get(function)
        if row is None:
            raise ValueError(f"Plan({function!r}): it is one of {', '.join(_tables.FUNCTIONS)}")
        operation, streams, self._kind, _, _ = row
        if len(arrays) != streams:
            raise TypeError(f"{function} reads {streams} arrays, not {len(arrays)}")
        parts = [x if isinstance(x, Parts) else Parts([x]) for x in arrays]
        operands = [elements(each) for each in parts]
        if streams == 2:
            check_pair(*operands)
        self._tag, self._dtype = operands[0].tag, operands[0].dtype
        check_type(function, self._tag, self._dtype or self._tag)
        self._arrays = [x for each in parts for x in each.arrays]
        structs, self._planned = structures(operands, needs_order(function))
        if are_copied(self._planned, parts):
            raise ValueError("a plan reads its arrays again: pass NumPy arrays that are not copied")
        self._on_device = [x for each, found in zip(parts, operands) for x, piece in zip(each.arrays, found.pieces)
                           if piece.on_device]
        self._results = self._aim(structs, results or [])
        options = options_struct(None, None, strategy, accuracy, nan, teams, work_group_load, report, (), fold)
        self._report, self._lock = report, threading.Lock()
        self._under_way: dict[int, np.ndarray[Any, Any]] = {}  # where started runs write, by their numbers
        handle = ctypes.c_void_p()
        check(library.usw_plan_create_parts(ctypes.byref(handle), operation, _tables.TYPES[self._tag][0], structs,
                                            len(structs), options))
        self._handle = handle
        weakref.finalize(self, _destroy, handle, self._under_way)

    def _aim(self, structs: Any, results: Sequence[Array | None]) -> list[Any]:
        """Have each run write to results, one for each part; returns what keeps their memory."""
        dtype, kept = layout(self._kind, self._tag), []
        if results and len(results) != len(structs):
            raise ValueError(f"there are {len(results)} results for {len(structs)} arrays")
        for k, (struct, x) in enumerate(zip(structs, results)):
            if x is None:
                continue
            if dtype.names is not None:
                raise ValueError("results are numbers: the function has several at once")
            found = operand(x)
            tag = "bf16" if self._kind == "ELEMENT" and self._tag == "bf16" else type_tag(dtype)
            fits = found.tag == tag or (self._kind == "COUNT" and found.tag == "i64")
            is_copy = not found.on_device and (found.owner is not x or not found.owner.flags.writeable)
            if not fits or math.prod(found.shape) != 1 or is_copy:
                raise ValueError(f"result {k + 1} of {len(results)} is no writable array of one {dtype}")
            struct.result = found.address
            kept.append(x)
        return kept

    def _new_result(self) -> np.ndarray[Any, Any]:
        """Room for a result, once the streams of arrays on devices, which are looked at again, have been waited for."""
        for x in self._on_device:
            operand(x)
        return np.empty((), layout(self._kind, self._tag))

    def _value(self, result: np.ndarray[Any, Any]) -> Any:
        if self._report is not None:
            self._report._fill()
        return convert(result, self._kind, self._tag, self._dtype)

    def run(self) -> Any:
        """Reduce what the arrays hold now.

        Returns
        -------
        As the function; of no elements the identity.

        Raises
        ------
        Error
            What the library refused.
        """
        with self._lock:
            result = self._new_result()
            check(library.usw_plan_run_parts(self._handle, result.ctypes.data))
            return self._value(result)

    def start(self) -> Request:
        """Start a run. Arrays on GPUs are reduced meanwhile; those of the host have been when this returns.

        Returns
        -------
        Request, whose wait() gives the result. Arrays must stay as they are until then.

        Raises
        ------
        Error
            What the library refused.
        """
        struct = _library.RequestStruct()
        with self._lock:
            result = self._new_result()
            check(library.usw_plan_start_parts(self._handle, result.ctypes.data, ctypes.byref(struct)))
            self._under_way[struct.number] = result
            return Request(self, struct.number, struct)

    def _wait(self, number: int, struct: _library.RequestStruct) -> Any:
        with self._lock:
            status = library.usw_request_wait(ctypes.byref(struct))
            result = self._under_way.pop(number, None)
            check(status)
            assert result is not None
            return self._value(result)


def _destroy(handle: ctypes.c_void_p, _results: dict[int, np.ndarray[Any, Any]]) -> None:
    """Runs that nobody has waited for write their results here."""
    library.usw_plan_destroy(handle)
