"""Scans: running sums, products and extremes of an array, by the library's functions for them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _fast, _library, _tables
from ._along import Axis
from ._arrays import Operand, Plan, as_numbers, as_one_axis, operand, plan
from ._call import Array, check_type, options_of, refuse_unknown
from ._errors import check
from ._keys import keys_of
from ._keywords import one_number
from ._results import convert_all
from ._segments import Bounds, Segments, bounds
from ._targets import checked_out, kind_of, new_target, refuse_axis

__all__ = ["cumsum", "cumprod", "cummax", "cummin", "nancumsum", "nancumprod"]


class _Pieces(NamedTuple):
    """What begins anew: segments, runs of equal keys, or neither."""

    bounds: Bounds | None = None  # keeps the memory of the offsets
    segments: _library.SegmentsStruct | None = None
    keys: Operand | None = None
    visited: Plan | None = None  # of the keys


def _visited(x: Operand, name: str = "x") -> Plan:
    """How the library visits x, or its keys: in C order, by one stride."""
    if len(x.shape) > 1 and as_one_axis([x], True) is None:
        raise ValueError(f"{name} has shape {x.shape} and strides {x.strides} (bytes): no single stride visits its "
                         f"elements in C order. Pass numpy.ravel({name})")
    return plan([x], True)


def _pieces(x: Operand, segments: Segments, keys: Any, reverse: bool) -> _Pieces:
    """What the keywords segments and keys ask for."""
    if segments is not None and keys is not None:
        raise ValueError("segments= and keys= do not go together")
    if keys is not None:
        found = as_numbers(keys_of(keys, x))
        return _Pieces(keys=found, visited=_visited(found, "keys"))
    if segments is None:
        return _Pieces()
    asked = bounds(segments)
    if asked.ends is not None:
        raise ValueError("segments= of a scan is offsets or one length: pairs of begins and ends may overlap")
    asked.count(x)
    asked = asked.from_end(x) if reverse else asked
    return _Pieces(asked, asked.structure(x))


def _bfloat16_bits(value: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The nearest bfloat16 of a float32, the even one of two."""
    bits = int(value.view(np.uint32))
    rounded = bits | 0x400000 if np.isnan(value) else bits + 0x7FFF + (bits >> 16 & 1)
    return np.array(rounded >> 16, np.uint16)


def _initial_value(name: str, x: Operand, initial: Any, dtype: np.dtype[Any]) -> np.ndarray[Any, Any] | None:
    """What comes before the first element, in the type of the results; None: the identity."""
    if initial is None:
        if x.tag != "b8" or name != "min":
            return None
        initial = True  # the identity of bytes is no boolean
    is_bits = x.tag == "bf16" and dtype == np.uint16
    value = one_number(initial, np.float32 if is_bits else dtype)
    return _bfloat16_bits(value) if is_bits else value


def _run(name: str, x: Operand, visited: Plan, results: Operand, pieces: _Pieces, exclusive: bool,
         before: np.ndarray[Any, Any] | None, reverse: bool, **options: Any) -> None:
    """Call the library. From the end it gets the addresses of the last elements."""
    n = visited.length
    arrays = [(visited.addresses[0], visited.strides[0], x.itemsize),
              (results.address, results.strides[0] // results.itemsize if n > 1 else 1, results.itemsize)]
    if pieces.keys is not None and pieces.visited is not None:
        arrays.append((pieces.visited.addresses[0], pieces.visited.strides[0], pieces.keys.itemsize))
    if reverse and n > 1:
        arrays = [(address + (n - 1) * stride * itemsize, -stride, itemsize) for address, stride, itemsize in arrays]
    items: list[Any] = [_tables.FUNCTIONS[name][0], _tables.TYPES[x.tag][0], arrays[0][0]]
    if pieces.keys is not None:
        word = "by_key"
        items += [_tables.TYPES[pieces.keys.tag][0], arrays[2][0], n]
    elif pieces.segments is not None:
        word = "segments"
        items += [n, pieces.segments]
    else:
        word = "" if exclusive else "inclusive"
        items.append(n)
    items.append(arrays[1][0])
    if exclusive:
        word = f"{word}_exclusive".lstrip("_")
        items.append(None if before is None else before.ctypes.data)
    asked = options_of([stride for _, stride, _ in arrays], **options)
    check(getattr(_library.library, f"usw_scan_{word}")(*items, asked))
    if options.get("report") is not None:
        options["report"]._fill()


def _short(name: str, x: Any, axis: Any, nan: str | None = None, **options: Any) -> Any:
    """What _scan() returns without keywords but these; None: not the short way."""
    is_whole = axis is None or (type(axis) is int and axis in (0, -1) and np.ndim(x) == 1)
    if options or nan not in (None, "ignore") or not is_whole:
        return None
    return _fast.scan(_fast.NUMBERS[name] | (_fast.IGNORES_NAN if nan else 0), x)


def _scan(name: str, x: Any, axis: Any, out: Any, exclusive: bool, initial: Any, reverse: bool, segments: Segments,
          keys: Any, **options: Any) -> Any:
    """The running results of the reduction of this name."""
    if out is initial is segments is keys is None and not (exclusive or reverse):
        found = _short(name, x, axis, **options)
        if found is not None:
            return found
    refuse_unknown(f"cum{name}", options)
    if initial is not None and not exclusive:
        raise ValueError("initial= goes with exclusive=True only")
    given = operand(x)
    elements = as_numbers(given)
    check_type(name, elements.tag, given.dtype or given.tag)
    refuse_axis(axis, given, "scans have")
    kind, visited = kind_of(_tables.FUNCTIONS[name][2], given), _visited(elements)
    pieces = _pieces(given, segments, keys, reverse)
    before = _initial_value(name, given, initial, kind.stored)
    results = None if out is None else checked_out(out, given, visited.length, kind.name)
    if results is None or kind.is_widened:
        target = new_target(x, given, visited.length, kind, zeros=segments is not None)
        results = operand(target)
    else:
        target = out
    _run(name, elements, visited, results, pieces, exclusive, before, reverse, **options)
    if not kind.is_widened:
        return target
    wide = convert_all(target, "ELEMENT", given.tag, None)
    if out is None:
        return wide
    within = slice(None) if pieces.bounds is None else pieces.bounds.within(visited.length, reverse)
    out[within] = wide[within]
    return out


def cumsum(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
           reverse: bool = False, segments: Segments = None, keys: Array | None = None, **options: Any) -> Any:
    """The running sums: for each element the sum of the elements up to it.

    Parameters
    ----------
    x : array
        Of integers, floats, complex numbers or bool; of one dimension, with any stride. Of several dimensions: the
        elements in C order, which one stride must visit. Of a number: one element.
    axis : None
        There are no scans along axes. 0 and -1 are allowed for an array of one dimension.
    out : array, optional
        Where the results go: an array of one dimension and any stride, of their dtype, in the same memory as x. It may
        be x itself where x has that dtype; else it is apart from x. It is apart from the keys.
    exclusive : bool, optional
        For each element the sum of the elements before it.
    initial : scalar, optional
        Combined before all elements, or those of each segment or run; with exclusive=True only. None: 0.
    reverse : bool, optional
        From the last element to the first one.
    segments : array of int or int, optional
        Each segment of x, which has one dimension then, is scanned by itself. Offsets, one more than segments: segment
        k is x[offsets[k]:offsets[k + 1]]. A number: each segment has so many elements. Results of elements that are in
        no segment are 0; in out they stay what they were. Offsets are in the same memory as x; with reverse=True in
        host memory only.
    keys : array, optional
        Each run of equal keys is scanned by itself: as many integers or booleans as x has elements, of its shape, with
        any stride, in the same memory; instead of segments.
    **options
        As for sum(): place, device, strategy, accuracy, nan, teams, work_group_load, report, fold.

    Returns
    -------
    array
        Of one dimension, in the memory that x is in, made by NumPy, CuPy or PyTorch; or out. Integers widen to 64 bits
        of the same signedness and wrap, halves widen to float32, booleans count as int64; other types keep theirs.

    Raises
    ------
    TypeError
        Not an array, a dtype that the library does not know, offsets or keys that are no integers, out of another
        dtype, or device memory without out that is neither CuPy's nor PyTorch's.
    ValueError
        An axis, elements that no single stride visits, initial without exclusive, offsets that fall or leave x, keys of
        another shape or memory, or out of another shape or memory.
    Error
        What the library refused, with its status and text.

    Notes
    -----
    The same bits on every run, for any number of threads. Running sums of floats are added up by a tree, so they may
    fall by a last bit where a positive element is added. accuracy="reproducible" and "exact" are refused for floats.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.cumsum(numpy.array([1, 2, 4])))
    [1 3 7]
    >>> print(upsweep.cumsum(numpy.array([1, 2, 4]), exclusive=True, initial=10))
    [10 11 13]
    >>> print(upsweep.cumsum(numpy.array([1, 2, 4]), reverse=True))
    [7 6 4]
    >>> print(upsweep.cumsum(numpy.array([1, 2, 4, 8]), segments=[0, 1, 4]))
    [ 1  2  6 14]
    >>> print(upsweep.cumsum(numpy.array([1, 2, 4, 8]), keys=[5, 5, 5, 6], exclusive=True))
    [0 1 3 0]
    """
    return _scan("sum", x, axis, out, exclusive, initial, reverse, segments, keys, **options)


def cumprod(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
            reverse: bool = False, segments: Segments = None, keys: Array | None = None, **options: Any) -> Any:
    """The running products: for each element the product of the elements up to it.

    Parameters
    ----------
    x, axis, out, exclusive, initial, reverse, segments, keys, **options
        As for cumsum(). Without initial an exclusive scan begins with 1.

    Returns
    -------
    array
        As cumsum() returns.

    Notes
    -----
    The same bits on every run. Products of floats have no accuracy above "repeatable".

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.cumprod(numpy.array([1.5, 2.0, 4.0])))
    [ 1.5  3.  12. ]
    """
    return _scan("prod", x, axis, out, exclusive, initial, reverse, segments, keys, **options)


def cummax(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
           reverse: bool = False, segments: Segments = None, keys: Array | None = None, **options: Any) -> Any:
    """The running maxima: for each element the largest of the elements up to it.

    Parameters
    ----------
    x, axis, out, exclusive, initial, reverse, segments, keys, **options
        As for cumsum(), of integers, floats or bool. Without initial an exclusive scan begins with the identity: -inf,
        the lowest integer or False.

    Returns
    -------
    array
        Of the dtype of x, else as cumsum() returns.

    Notes
    -----
    -0 is below +0; a NaN gives NaN from there on unless nan="ignore". NumPy has it as maximum.accumulate().

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.cummax(numpy.array([3, 1, 4, 2])))
    [3 3 4 4]
    """
    return _scan("max", x, axis, out, exclusive, initial, reverse, segments, keys, **options)


def cummin(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
           reverse: bool = False, segments: Segments = None, keys: Array | None = None, **options: Any) -> Any:
    """The running minima: for each element the smallest of the elements up to it.

    Parameters
    ----------
    x, axis, out, exclusive, initial, reverse, segments, keys, **options
        As for cumsum(), of integers, floats or bool. Without initial an exclusive scan begins with the identity: inf,
        the highest integer or True.

    Returns
    -------
    array
        Of the dtype of x, else as cumsum() returns.

    Notes
    -----
    -0 is below +0; a NaN gives NaN from there on unless nan="ignore". NumPy has it as minimum.accumulate().

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.cummin(numpy.array([3, 1, 4, 2])))
    [3 1 1 1]
    """
    return _scan("min", x, axis, out, exclusive, initial, reverse, segments, keys, **options)


def nancumsum(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
              reverse: bool = False, segments: Segments = None, keys: Array | None = None, **options: Any) -> Any:
    """The running sums of the elements that are not NaN.

    Parameters
    ----------
    x, axis, out, exclusive, initial, reverse, segments, keys, **options
        As for cumsum(), without nan.

    Returns
    -------
    array
        As cumsum() returns; a NaN counts as 0.

    Notes
    -----
    It is cumsum() with nan="ignore". A complex number is a NaN if one of its parts is.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nancumsum(numpy.array([2.0, numpy.nan, 4.0])))
    [2. 2. 6.]
    """
    return _scan("sum", x, axis, out, exclusive, initial, reverse, segments, keys, nan="ignore", **options)


def nancumprod(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
               reverse: bool = False, segments: Segments = None, keys: Array | None = None, **options: Any) -> Any:
    """The running products of the elements that are not NaN.

    Parameters
    ----------
    x, axis, out, exclusive, initial, reverse, segments, keys, **options
        As for cumprod(), without nan.

    Returns
    -------
    array
        As cumprod() returns; a NaN counts as 1.

    Notes
    -----
    It is cumprod() with nan="ignore". A complex number is a NaN if one of its parts is.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nancumprod(numpy.array([2.0, numpy.nan, 4.0])))
    [2. 2. 8.]
    """
    return _scan("prod", x, axis, out, exclusive, initial, reverse, segments, keys, nan="ignore", **options)
