"""Means, variances and what else NumPy has of one array, from the library's descriptions, sums and dot products."""

from __future__ import annotations

import cmath
import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from . import _fast
from ._along import Along, Axis, along
from ._arrays import Operand, as_numbers, components, converted, operand, selected, without_nans
from ._call import Array, refuse_unknown, run
from ._keywords import lacks_elements
from ._parts import elements as elements_of
from ._segments import Segments

__all__ = ["mean", "var", "std", "ptp", "average"]


_IGNORE = {"nan": "ignore"}
_DESCRIBE, _SUM, _DOUBLE = _fast.NUMBERS["describe"], _fast.NUMBERS["sum"], np.dtype(np.float64)


class Moments(NamedTuple):
    """Of the elements of an array."""

    count: int  # type: ignore[assignment]
    mean: Any  # float or complex
    variance: float  # of the population
    dtype: np.dtype[Any]  # of their mean, as NumPy has it


def _mean_dtype(x: Operand) -> np.dtype[Any]:
    if x.tag == "bf16":
        return np.dtype(np.float32)
    return _DOUBLE if x.dtype.kind in "iub" else x.dtype


def moments(x: Array, where: Any, options: dict[str, Any]) -> Moments:
    """Of the elements that a mask selects."""
    if type(x) is np.ndarray and where is None and x.dtype.kind in "iuf" and (not options or options == _IGNORE):
        short = _fast.reduce(_DESCRIBE | _fast.IGNORES_NAN if options else _DESCRIBE, x)
        if short is not None:
            return Moments(short.count, short.mean, short.variance, x.dtype if x.dtype.kind == "f" else _DOUBLE)
    elements = selected(elements_of(x), where)
    dtype = _mean_dtype(elements)
    if dtype.kind == "c" and options.get("nan") == "ignore":  # a number with one NaN part is left out as a whole
        elements = without_nans(elements)
    found = [run("describe", [part], **options, any_order=True) for part in components(as_numbers(elements))]
    mean_of = found[0].mean if len(found) == 1 else complex(found[0].mean, found[1].mean)
    return Moments(found[0].count, mean_of, math.fsum(part.variance for part in found), dtype)


def _moments_along(elements: Operand, where: Any, along: Along, options: dict[str, Any]) -> Moments:
    """Of each result. Elements that do not count are NaNs, which are ignored: others are looked for, if they count."""
    dtype, ignores_nan = _mean_dtype(elements), options.get("nan") == "ignore"
    mask = None if where is None or where is True else np.asarray(where)
    is_complex = dtype.kind == "c" and ignores_nan
    if elements.on_device and (is_complex or mask is not None):
        raise TypeError("device memory has no variance with where=, or of complex numbers with nan=\"ignore\"")
    if is_complex:
        mask = ~np.isnan(elements.owner) & (True if mask is None else mask)
    found = []
    for part in components(as_numbers(elements)):
        if mask is None:
            found.append(run("describe", [part], **options, any_order=True, along=along))
            continue
        floating = part if part.tag[0] == "f" else converted(part, np.float64)
        filled = selected(floating.owner, mask, lambda dtype: np.nan)
        found.append(run("describe", [filled], **{**options, **_IGNORE}, any_order=True, along=along))
        if not ignores_nan:
            axes = along.axes(len(part.shape))
            spoilt = np.any(np.isnan(floating.owner), axis=axes, where=mask)
            for member in (found[-1].mean, found[-1].variance):
                member[spoilt] = np.nan
            found[-1] = found[-1]._replace(count=np.sum(np.broadcast_to(mask, part.shape), axis=axes))
    mean_of = found[0].mean
    if len(found) == 2:
        mean_of = mean_of.astype(np.complex128)
        mean_of.imag = found[1].mean
    return Moments(found[0].count, mean_of, sum(part.variance for part in found), dtype)


def _scalar(value: Any, dtype: Any) -> Any:
    if dtype is _DOUBLE:
        return np.float64(value)
    if dtype == np.float32 and abs(value) < 1e38:  # the usual cases without errstate, which takes longer than they do
        return np.float32(value)
    with np.errstate(all="ignore"):
        return np.asarray(value).astype(dtype)[()]


def _warn(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=4)


def _rounded(values: Any, dtype: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.asarray(values).astype(dtype)


def _means(x: Array, elements: Operand, where: Any, along: Along, options: dict[str, Any]) -> tuple[Any, Any]:
    """How many elements each result has, and the means: quotients of sums, where these neither wrap nor overflow."""
    if along.segments is not None:
        found = _moments_along(elements, where, along, options)
        return found.count, found.mean
    ignores_nan = options.get("nan") == "ignore" and elements.tag[0] not in "iu" and elements.tag != "b8"
    if elements.tag not in ("i64", "u64") and not (ignores_nan and (elements.on_device or elements.tag == "bf16")):
        summed = selected(x, where, lambda dtype: 0)
        accurate = {"accuracy": "compensated"} if elements.tag[0] in "fc" or elements.tag == "bf16" else {}
        total = run("sum", [as_numbers(summed)], **{**accurate, **options}, along=along)
        count = np.asarray(math.prod(along.reduced(elements)))
        if ignores_nan or not (where is None or where is True):
            mask = np.broadcast_to(True if where is None else where, elements.shape)
            mask = mask & ~np.isnan(elements.owner) if ignores_nan else mask
            count = run("count", [operand(mask)], along=along)
        with np.errstate(all="ignore"):
            value = total.astype(np.result_type(total.dtype, np.float64)) / count
        if np.isfinite(value).all():
            return count, value
    found = _moments_along(elements, where, along, options)
    return found.count, found.mean


def _is_short(axis: Any, segments: Any, where: Any, dtype: Any, options: dict[str, Any]) -> bool:
    return axis is not None and segments is where is dtype is None and not options


def _put(values: Any, dtype: Any, out: Any) -> Any:
    """Values as of a dtype, by put()."""
    return _fast.put(values if dtype is _DOUBLE else _rounded(values, dtype), out)


def _are_finite(values: Any) -> bool:
    """By their sum, as mostly: a sum that is none may be of finite numbers, too, so that these are asked."""
    total = _fast.reduce(_SUM, values)
    return total is not None and cmath.isfinite(total) or bool(np.isfinite(values).all())


def _short_mean(x: Array, axis: Any, keepdims: bool, out: Any) -> Any:
    """As _mean() along some axes of a NumPy array, without other keywords; None: not the short way."""
    if type(x) is not np.ndarray or x.dtype.kind not in "fciub" or (x.dtype.kind in "iu" and x.itemsize == 8):
        return None
    total = _fast.along(_SUM | _fast.COMPENSATED if x.dtype.kind in "fc" else _SUM, axis, keepdims, None, x)
    if total is None:
        return None
    if total.dtype.char not in "dD":
        total = total.astype(np.float64 if total.dtype.kind != "c" else np.complex128)
    if not _are_finite(total):  # before a division: that of a complex infinity warns
        return None
    return _put(total / (x.size // total.size), x.dtype if x.dtype.kind in "fc" else _DOUBLE, out)


def _short_variance(x: Array, axis: Any, keepdims: bool, out: Any, ddof: float, root: bool) -> Any:
    """As _variances() of a NumPy array, without other keywords; None: not the short way."""
    if type(x) is not np.ndarray or x.dtype.kind not in "fiu":
        return None
    found = _fast.along(_DESCRIBE, axis, keepdims, None, x)
    if found is None or x.size // found.count.size <= ddof:
        return None
    values = found.variance * found.count / (found.count - ddof) if ddof else found.variance
    return _put(np.sqrt(values) if root else values, x.dtype if x.dtype.kind == "f" else _DOUBLE, out)


def _mean(x: Array, along: Along | None, where: Any, dtype: Any, options: dict[str, Any]) -> Any:
    if along is not None:
        elements = operand(x)
        count, value = _means(x, elements, where, along, options)
        if np.any(count == 0):
            _warn("Mean of empty slice")
        return along.finish(_rounded(value, _mean_dtype(elements) if dtype is None else dtype), elements)
    found = moments(x, where, options)
    if found.count == 0:
        _warn("Mean of empty slice")
    return _scalar(found.mean, found.dtype if dtype is None else dtype)


def _variances(x: Array, along: Along, where: Any, dtype: Any, ddof: float, root: bool, options: dict[str, Any]) -> Any:
    """Variances, or their roots, along axes."""
    elements = operand(x)
    found = _moments_along(elements, where, along, options)
    degrees = np.asarray(found.count - ddof)
    if np.any(degrees <= 0):
        _warn("Degrees of freedom <= 0 for slice")
    none = np.nan if options.get("nan") == "ignore" else 0  # as in _variance()
    with np.errstate(all="ignore"):
        values = found.variance * found.count / np.where(degrees > 0, degrees, none) if ddof else found.variance
        values = np.sqrt(values) if root else values
    return along.finish(_rounded(values, np.empty(0, found.dtype).real.dtype if dtype is None else dtype), elements)


def _variance(x: Array, where: Any, dtype: Any, ddof: float, options: dict[str, Any]) -> tuple[float, Any]:
    """The variance, and the dtype that the result has."""
    found = moments(x, where, options)
    if dtype is None:
        dtype = np.empty(0, found.dtype).real.dtype
    degrees = found.count - ddof
    if degrees > 0:
        return found.variance * (found.count / degrees) if ddof else found.variance, dtype
    _warn("Degrees of freedom <= 0 for slice")
    is_infinite = found.variance > 0 and options.get("nan") != "ignore"  # NumPy divides by 0, and nanvar gives NaN
    return math.inf if is_infinite else math.nan, dtype


def mean(x: Array, axis: Axis = None, *, keepdims: bool = False, segments: Segments = None, out: Any = None,
         where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The arithmetic mean.

    Parameters
    ----------
    x : array or Parts
        Integers, floating or complex numbers, or booleans.
    axis, keepdims, segments, out
        As for sum().
    where : array of bool, optional
        Which elements count; as for sum().
    dtype : dtype, optional
        Of the result.
    **options
        place, device, strategy, accuracy, nan, teams, work_group_load, report, fold; as for sum().

    Returns
    -------
    scalar or array
        float64 for integers and booleans, else of the array's dtype; bfloat16 gives float32. NaN, with a
        RuntimeWarning, of no elements.

    Notes
    -----
    The mean is that of describe(), in double precision, rounded to the dtype. It does not overflow. complex numbers
    take two descriptions. Along axes it is the quotient of sum(), with accuracy="compensated", and the number of
    elements, and that of describe() where a sum is not finite, of 64-bit integers, and of device memory with
    nan="ignore".

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.mean(numpy.array([1, 2, 4, 5])))
    3.0
    """
    if _is_short(axis, segments, where, dtype, options):
        value = _short_mean(x, axis, keepdims, out)
        if value is not None:
            return value
    refuse_unknown("mean", options)
    return _mean(x, along(x, axis, keepdims, segments, out, where), where, dtype, options)


def var(x: Array, axis: Axis = None, *, ddof: float = 0, keepdims: bool = False, segments: Segments = None,
        out: Any = None, where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The variance.

    Parameters
    ----------
    x : array or Parts
        Integers, floating or complex numbers, or booleans.
    axis, keepdims, segments, out
        As for sum().
    ddof : float, optional
        The sum of the squared differences is divided by the number of elements less ddof.
    where : array of bool, optional
        Which elements count; as for sum().
    dtype : dtype, optional
        Of the result.
    **options
        As for mean().

    Returns
    -------
    scalar or array
        float64 for integers and booleans, else the real dtype of the array's; bfloat16 gives float32. NaN or infinity,
        with a RuntimeWarning, where ddof is not below the number of elements.

    Notes
    -----
    The variance is that of describe(), in double precision: it stays right where the mean is large beside it.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.var(numpy.array([1e9, 1e9 + 2])), upsweep.var(numpy.array([1e9, 1e9 + 2]), ddof=1))
    1.0 2.0
    """
    if _is_short(axis, segments, where, dtype, options):
        values = _short_variance(x, axis, keepdims, out, ddof, False)
        if values is not None:
            return values
    refuse_unknown("var", options)
    given = along(x, axis, keepdims, segments, out, where)
    if given is not None:
        return _variances(x, given, where, dtype, ddof, False, options)
    value, result = _variance(x, where, dtype, ddof, options)
    return _scalar(value, result)


def std(x: Array, axis: Axis = None, *, ddof: float = 0, keepdims: bool = False, segments: Segments = None,
        out: Any = None, where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The standard deviation: the square root of the variance.

    Parameters
    ----------
    x, axis, ddof, keepdims, segments, out, where, dtype, **options
        As for var().

    Returns
    -------
    scalar or array
        Of the dtype that var() has.

    Notes
    -----
    The root is taken in double precision.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.std(numpy.array([1.0, 5.0])))
    2.0
    """
    if _is_short(axis, segments, where, dtype, options):
        values = _short_variance(x, axis, keepdims, out, ddof, True)
        if values is not None:
            return values
    refuse_unknown("std", options)
    given = along(x, axis, keepdims, segments, out, where)
    if given is not None:
        return _variances(x, given, where, dtype, ddof, True, options)
    value, result = _variance(x, where, dtype, ddof, options)
    return _scalar(math.sqrt(value), result)


def ptp(x: Array, axis: Axis = None, *, keepdims: bool = False, segments: Segments = None, out: Any = None,
        **options: Any) -> Any:
    """The largest element less the smallest one.

    Parameters
    ----------
    x : array or Parts
        Integers or floating numbers.
    axis, keepdims, segments, out
        As for sum().
    **options
        As for mean().

    Returns
    -------
    scalar or array
        Of the array's dtype, in which integers wrap, as NumPy's.

    Raises
    ------
    ValueError
        No elements, also of one segment.

    Notes
    -----
    One pass finds both.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.ptp(numpy.array([3, 9, 4])))
    6
    """
    refuse_unknown("ptp", options)
    given = along(x, axis, keepdims, segments, out)
    found = None if options or given is not None else _fast.reduce(_fast.NUMBERS["minmax"], x)
    if found is None:
        elements = elements_of(x)
        if lacks_elements(elements, given):
            raise ValueError("ptp of no elements has no value")
        found = run("minmax", [elements], **options, along=given)
    least, most = found
    if segments is not None and np.any(least > most):  # the identities
        raise ValueError("ptp of a segment of no elements has no value")
    with np.errstate(all="ignore"):
        value = most - least
    return value if given is None else given.finish(value, elements)


def average(x: Array, axis: Axis = None, weights: Array | None = None, *, keepdims: bool = False,
            segments: Segments = None, **options: Any) -> Any:
    """The mean, of weighted elements if there are weights.

    Parameters
    ----------
    x : array or Parts
        As for mean().
    axis, keepdims, segments
        As for sum().
    weights : array or Parts, optional
        Of the shape of x, or, with one axis, of its length; of Parts one for each. In device memory it has the dtype of
        x, too; integers wrap there and in Parts as in dot().
    **options
        As for mean().

    Returns
    -------
    scalar or array
        Of the dtype that NumPy's has: that of x and the weights together, float64 where x is an integer.

    Raises
    ------
    TypeError
        Weights of another shape.
    ZeroDivisionError
        Weights whose sum is 0, as that of no weights, also of one segment.

    Notes
    -----
    It is dot(x, weights) divided by sum(weights). Host arrays of another dtype than the result's are copied.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.average(numpy.array([1.0, 4.0]), weights=numpy.array([2.0, 1.0])))
    2.0
    """
    refuse_unknown("average", options)
    given = along(x, axis, keepdims, segments)
    if weights is None:
        return _mean(x, given, None, None, options)
    return _weighted(elements_of(x), elements_of(weights), given, options)


def _spread(by: Operand, values: Operand, along: Along | None) -> Operand:
    """Weights of one axis as those of the whole array: the same ones again along the others."""
    axes = () if along is None else along.axes(len(values.shape))
    if values.shape == by.shape:
        return by
    if along is None or along.axis is None or len(by.shape) != 1 or len(axes) != 1:
        raise TypeError(f"x has shape {values.shape}, weights have {by.shape}")
    if by.shape[0] != values.shape[axes[0]]:
        raise ValueError(f"axis {axes[0]} has extent {values.shape[axes[0]]}, weights have shape {by.shape}")
    behind = (1,) * (len(values.shape) - 1 - axes[0])
    owner = by.owner if by.on_device else np.broadcast_to(by.owner.reshape(-1, *behind), values.shape)
    strides = tuple(by.strides[0] if axis == axes[0] else 0 for axis in range(len(values.shape)))
    return by._replace(owner=owner, shape=values.shape, strides=strides)


def _weighted(values: Operand, by: Operand, along: Along | None, options: dict[str, Any]) -> Any:
    by = _spread(by, values, along)
    result = np.result_type(*(np.float32 if each.tag == "bf16" else each.dtype for each in (values, by)),
                            *([np.float64] if values.tag[0] in "iu" or values.tag == "b8" else []))
    values, by = as_numbers(values), as_numbers(by)
    if values.tag != by.tag or (values.dtype != result and not values.on_device):
        values, by = (each if each.dtype == result else converted(each, result) for each in (values, by))
    total = run("sum", [by], **options, along=along)
    if np.any(total == 0):
        raise ZeroDivisionError("the weights sum to 0")
    with np.errstate(all="ignore"):
        value = run("dot", [values, by], **options, along=along) / total
    return _scalar(value, result) if along is None else along.finish(_rounded(value, result), values)
