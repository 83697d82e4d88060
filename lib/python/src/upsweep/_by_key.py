"""Reductions of runs of equal keys."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import _tables
from ._arrays import Operand, as_numbers, operand, plan
from ._call import Array, check_type, options_of, refuse_unknown
from ._errors import check
from ._keys import keys_of
from ._library import library
from ._results import Runs, convert_all, layout
from ._targets import Target, element_kind, kind_of, like_source

__all__ = ["reduce_by_key"]

_OF_BOOLEANS = ("sum", "prod", "min", "max", "argmin", "argmax")  # as of the integers 0 and 1


def _function(name: str) -> tuple[int, str]:
    """Its code, and the kind of its results."""
    row = _tables.FUNCTIONS.get(name)
    if row is None or row[1] != 1:
        names = ", ".join(each for each, other in _tables.FUNCTIONS.items() if other[1] == 1)
        raise ValueError(f"function={name!r}: it is one of {names}")
    return row[0], row[2]


def _pair(out: Any) -> tuple[Any, Any]:
    if out is None:
        return None, None
    if not isinstance(out, tuple) or len(out) != 2:
        raise TypeError("out is a pair: for the keys and for the results; None where new memory is taken")
    return out


class _Structures:
    """Results that have members, each written to the host: arrays are made of these."""

    def __init__(self, source: Any, x: Operand, length: int, kind: str) -> None:
        self.source, self.x, self.kind = source, x, kind
        self.array = np.empty(length, layout(kind, x.tag))
        self.address = self.array.ctypes.data

    def first(self, count: int) -> Any:
        found = convert_all(self.array[:count], self.kind, self.x.tag, self.x.dtype)
        if isinstance(found, tuple):
            return type(found)(*(like_source(self.source, self.x, each) for each in found))
        return like_source(self.source, self.x, found)


def reduce_by_key(x: Array, keys: Array, function: str = "sum", *, out: Any = None, **options: Any) -> Runs:
    """Reduce each run of equal keys: elements that follow each other and have the same key.

    Parameters
    ----------
    x : array
        Of the dtypes that the function has, of any shape; elements are visited in C order. Host arrays that no single
        stride visits are copied.
    keys : array
        As many as x has elements, of its shape, in the same memory: integers or bool, with any stride. Sorted keys have
        one run for each; keys that come again later have several.
    function : str, optional
        The name of any function of one array: "sum", "max", "count", "argmin", "describe" and so on.
    out : tuple, optional
        (unique, results): where they go, contiguous arrays of their dtypes with as many elements as x, in the same
        memory as x, apart from it. None in place of one of them: new memory. Results of argmin, argmax, minmax and
        describe take none.
    **options
        As for sum(): place, device, strategy, accuracy, nan, teams, work_group_load, report, fold.

    Returns
    -------
    Runs
        (unique, results): the key of each run, and the function's result, as with segments=. Arrays of NumPy, CuPy or
        PyTorch, in the memory that x is in; the first elements of out, or, in device memory, of an array with as many
        elements as x.

    Raises
    ------
    TypeError
        Not an array, keys that are no integers, a dtype that the library does not know, out of another dtype, or device
        memory without out that is neither CuPy's nor PyTorch's.
    ValueError
        No such function, keys of another shape or memory, out of another shape or memory, or device memory that would
        have to be copied.
    Error
        What the library refused, with its status and text.

    Notes
    -----
    The same bits on every run, for any number of threads. accuracy="exact" is refused. As of pandas'
    Series.groupby(keys), but that groups keys wherever they are: sort by key before, or use Set with keys=.

    Examples
    --------
    >>> import numpy, upsweep
    >>> unique, sums = upsweep.reduce_by_key(numpy.array([1.0, 2.0, 4.0, 8.0]), numpy.array([7, 7, 3, 7]))
    >>> print(unique, sums)
    [7 3 7] [3. 4. 8.]
    >>> print(upsweep.reduce_by_key([1, 5, 2], [0, 0, 1], "max").results)
    [5 2]
    """
    refuse_unknown("reduce_by_key", options)
    operation, kind = _function(function)
    given = operand(x)
    elements = as_numbers(given) if function in _OF_BOOLEANS else given
    check_type(function, elements.tag, given.dtype or given.tag)
    found_keys = keys_of(keys, given)
    integers = as_numbers(found_keys)
    planned, planned_keys = plan([elements], True), plan([integers], True)
    for_unique, for_results = _pair(out)
    n = planned.length
    unique = Target(for_unique, x, found_keys, n, element_kind(found_keys), name="out[0]", unit=True)
    unique.refuse(planned_keys.addresses[0], "the keys")
    if layout(kind, given.tag).names is None:
        results: Any = Target(for_results, x, given, n, kind_of(kind, given), name="out[1]", unit=True)
        results.refuse(planned.addresses[0], "x")
    elif for_results is None:
        results = _Structures(x, given, n, kind)
    else:
        raise TypeError(f"results of {function} go to new memory only: out=(unique, None)")
    count = ctypes.c_size_t()
    asked = options_of([planned.strides[0], planned_keys.strides[0]], **options)
    check(library.usw_reduce_by_key(operation, _tables.TYPES[elements.tag][0], planned.addresses[0],
                                    _tables.TYPES[integers.tag][0], planned_keys.addresses[0], n, unique.address,
                                    results.address, ctypes.byref(count), asked))
    if options.get("report") is not None:
        options["report"]._fill()
    return Runs(unique.first(count.value), results.first(count.value))
