"""Scans: running sums, products and extremes of an array, by the library's functions for them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _library, _tables
from ._along import Axis, axes_of, new_array
from ._arrays import Operand, Plan, as_numbers, as_one_axis, operand, plan
from ._call import Array, Report, check_type, options_struct
from ._errors import check
from ._results import convert_all, layout

__all__ = ["cumsum", "cumprod", "cummax", "cummin", "nancumsum", "nancumprod"]


class _Kind(NamedTuple):
    """What the results are."""

    stored: np.dtype[Any]  # what the library writes
    name: str  # of the dtype that out has
    is_widened: bool  # NumPy arrays of bfloat16 become float32 where NumPy lacks the dtype


def _kind_of(name: str, x: Operand) -> _Kind:
    """What a scan of x gives; of booleans int64 or bool."""
    kind = _tables.FUNCTIONS[name][2]
    if x.tag == "b8":
        stored = np.dtype(np.int64 if kind == "SUM" else np.bool_)
    elif kind == "ELEMENT" and x.tag == "bf16":
        is_widened = x.dtype is None and not x.on_device
        stored = layout(kind, x.tag) if x.dtype is None else x.dtype
        return _Kind(stored, "float32" if is_widened else "bfloat16", is_widened)
    else:
        stored = layout(kind, x.tag)
    return _Kind(stored, stored.name, False)


def _visited(x: Operand, axis: Any) -> Plan:
    """How the library visits x: in C order, by one stride."""
    if axis is not None and (axes_of(axis, len(x.shape)), len(x.shape)) != ((0,), 1):
        raise ValueError(f"axis={axis} of shape {x.shape}: scans have no axis. They take arrays of one dimension, or "
                         "the whole array in C order (axis=None)")
    if len(x.shape) > 1 and as_one_axis([x], True) is None:
        raise ValueError(f"x has shape {x.shape} and strides {x.strides} (bytes): no single stride visits its elements "
                         "in C order. Pass numpy.ravel(x)")
    return plan([x], True)


def _is_read_only(out: Any) -> bool:
    if isinstance(out, np.ndarray):
        return not out.flags.writeable
    return bool(getattr(out, "__cuda_array_interface__", {"data": (0, False)})["data"][1])


def _checked_out(out: Any, x: Operand, length: int, dtype: str) -> Operand:
    """The caller's array for results of this dtype, which the library writes in place."""
    if not x.on_device and not isinstance(out, np.ndarray):
        raise TypeError(f"out is a NumPy array, not {type(out).__name__}")
    found = operand(out)
    if found.on_device != x.on_device:
        raise ValueError("out is in host memory, x in device memory: both must be in the same")
    own = "bfloat16" if found.tag == "bf16" else str(found.dtype)
    if own != dtype:
        raise TypeError(f"out has dtype {own}: the results are {dtype}")
    if found.shape != (length,):
        raise ValueError(f"out has shape {found.shape}, the results have {(length,)}")
    if _is_read_only(out):
        raise ValueError("out is read-only")
    is_copied = isinstance(out, np.ndarray) and found.address != out.ctypes.data
    if is_copied or (length > 1 and (found.strides[0] == 0 or found.strides[0] % found.itemsize)):
        raise ValueError(f"out of stride {found.strides[0]} (bytes) is not written in place: it is aligned, in this "
                         "machine's byte order, and its stride is a multiple of its elements")
    return found


def _new_target(source: Any, x: Operand, length: int, kind: _Kind) -> Any:
    """Memory like that of x."""
    if not x.on_device:
        return np.empty(length, kind.stored)
    made = new_array(source, (length,), kind.name)
    if made is None:
        raise TypeError(f"no device memory of {kind.name} is made for {type(source).__name__}: give out=, or pass "
                        "an array of CuPy or PyTorch")
    return made


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
    value = np.array(initial, np.float32 if is_bits else dtype)
    if value.shape != ():
        raise ValueError(f"initial has shape {value.shape}: it is one number")
    return _bfloat16_bits(value) if is_bits else value


def _run(name: str, x: Operand, visited: Plan, results: Operand, exclusive: bool, before: np.ndarray[Any, Any] | None,
         reverse: bool, place: str | None = None, device: int | None = None, strategy: str | None = None,
         accuracy: str | None = None, nan: str | None = None, teams: int = 0, work_group_load: int = 0,
         report: Report | None = None, fold: int = 0) -> None:
    """Call the library. From the end it gets the addresses of the last elements."""
    n = visited.length
    addresses = [visited.addresses[0], results.address]
    strides = [visited.strides[0], results.strides[0] // results.itemsize if n > 1 else 1]
    if reverse and n > 1:
        addresses = [address + (n - 1) * stride * itemsize
                     for address, stride, itemsize in zip(addresses, strides, (x.itemsize, results.itemsize))]
        strides = [-stride for stride in strides]
    options = options_struct(place, device, strategy, accuracy, nan, teams, work_group_load, report, strides, fold)
    items = [_tables.FUNCTIONS[name][0], _tables.TYPES[x.tag][0], addresses[0], n, addresses[1]]
    if exclusive:
        first = None if before is None else before.ctypes.data
        check(_library.library.usw_scan_exclusive(*items, first, options))
    else:
        check(_library.library.usw_scan_inclusive(*items, options))
    if report is not None:
        report._fill()


def _scan(name: str, x: Any, axis: Any, out: Any, exclusive: bool, initial: Any, reverse: bool, **options: Any) -> Any:
    """The running results of the reduction of this name."""
    if initial is not None and not exclusive:
        raise ValueError("initial= goes with exclusive=True only")
    given = operand(x)
    elements = as_numbers(given)
    check_type(name, elements.tag, given.dtype or given.tag)
    kind, visited = _kind_of(name, given), _visited(elements, axis)
    before = _initial_value(name, given, initial, kind.stored)
    results = None if out is None else _checked_out(out, given, visited.length, kind.name)
    if results is None or kind.is_widened:
        target = _new_target(x, given, visited.length, kind)
        results = operand(target)
    else:
        target = out
    _run(name, elements, visited, results, exclusive, before, reverse, **options)
    if not kind.is_widened:
        return target
    wide = convert_all(target, "ELEMENT", given.tag, None)
    if out is None:
        return wide
    out[...] = wide
    return out


def cumsum(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
           reverse: bool = False, **options: Any) -> Any:
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
        be x itself where x has that dtype; else it is apart from x.
    exclusive : bool, optional
        For each element the sum of the elements before it.
    initial : scalar, optional
        Combined before all elements; with exclusive=True only. None: 0.
    reverse : bool, optional
        From the last element to the first one.
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
        Not an array, a dtype that the library does not know, out of another dtype, or device memory without out that is
        neither CuPy's nor PyTorch's.
    ValueError
        An axis, elements that no single stride visits, initial without exclusive, or out of another shape or memory.
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
    """
    return _scan("sum", x, axis, out, exclusive, initial, reverse, **options)


def cumprod(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
            reverse: bool = False, **options: Any) -> Any:
    """The running products: for each element the product of the elements up to it.

    Parameters
    ----------
    x, axis, out, exclusive, initial, reverse, **options
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
    return _scan("prod", x, axis, out, exclusive, initial, reverse, **options)


def cummax(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
           reverse: bool = False, **options: Any) -> Any:
    """The running maxima: for each element the largest of the elements up to it.

    Parameters
    ----------
    x, axis, out, exclusive, initial, reverse, **options
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
    return _scan("max", x, axis, out, exclusive, initial, reverse, **options)


def cummin(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
           reverse: bool = False, **options: Any) -> Any:
    """The running minima: for each element the smallest of the elements up to it.

    Parameters
    ----------
    x, axis, out, exclusive, initial, reverse, **options
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
    return _scan("min", x, axis, out, exclusive, initial, reverse, **options)


def nancumsum(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
              reverse: bool = False, **options: Any) -> Any:
    """The running sums of the elements that are not NaN.

    Parameters
    ----------
    x, axis, out, exclusive, initial, reverse, **options
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
    return _scan("sum", x, axis, out, exclusive, initial, reverse, nan="ignore", **options)


def nancumprod(x: Array, axis: Axis = None, *, out: Any = None, exclusive: bool = False, initial: Any = None,
               reverse: bool = False, **options: Any) -> Any:
    """The running products of the elements that are not NaN.

    Parameters
    ----------
    x, axis, out, exclusive, initial, reverse, **options
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
    return _scan("prod", x, axis, out, exclusive, initial, reverse, nan="ignore", **options)
