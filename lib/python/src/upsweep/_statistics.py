"""Means, variances and what else NumPy has of one array, from the library's descriptions, sums and dot products."""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import numpy as np

from . import _fast
from ._arrays import Operand, as_numbers, converted, operand, parts, selected
from ._call import Array, run
from ._keywords import has_elements

__all__ = ["mean", "var", "std", "ptp", "average"]


_IGNORE = {"nan": "ignore"}
_DESCRIBE, _DOUBLE = _fast.NUMBERS["describe"], np.dtype(np.float64)


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
    elements = selected(x, where)
    dtype = _mean_dtype(elements)
    if dtype.kind == "c" and options.get("nan") == "ignore":  # a number with one NaN part is left out as a whole
        if elements.on_device:
            raise TypeError("complex numbers on a device have no mean or variance with nan=\"ignore\"")
        elements = selected(elements.owner, ~np.isnan(elements.owner))
    found = [run("describe", [part], **options, any_order=True) for part in parts(as_numbers(elements))]
    mean_of = found[0].mean if len(found) == 1 else complex(found[0].mean, found[1].mean)
    return Moments(found[0].count, mean_of, math.fsum(part.variance for part in found), dtype)


def _scalar(value: Any, dtype: Any) -> Any:
    if dtype is _DOUBLE:
        return np.float64(value)
    if dtype == np.float32 and abs(value) < 1e38:  # the usual cases without errstate, which takes longer than they do
        return np.float32(value)
    with np.errstate(all="ignore"):
        return np.asarray(value).astype(dtype)[()]


def _warn(text: str) -> None:
    warnings.warn(text, RuntimeWarning, stacklevel=4)


def _mean(x: Array, where: Any, dtype: Any, options: dict[str, Any]) -> Any:
    found = moments(x, where, options)
    if found.count == 0:
        _warn("Mean of empty slice")
    return _scalar(found.mean, found.dtype if dtype is None else dtype)


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


def mean(x: Array, *, where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The arithmetic mean.

    Parameters
    ----------
    x : array
        Integers, floating or complex numbers, or booleans.
    where : array of bool, optional
        Which elements count; as for sum().
    dtype : dtype, optional
        Of the result.
    **options
        place, device, strategy, accuracy, nan, teams, work_group_load, report, fold; as for sum().

    Returns
    -------
    scalar
        float64 for integers and booleans, else of the array's dtype; bfloat16 gives float32. NaN, with a
        RuntimeWarning, of no elements.

    Notes
    -----
    The mean is that of describe(), in double precision, rounded to the dtype. It does not overflow. complex numbers
    take two descriptions.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.mean(numpy.array([1, 2, 4, 5])))
    3.0
    """
    return _mean(x, where, dtype, options)


def var(x: Array, *, ddof: float = 0, where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The variance.

    Parameters
    ----------
    x : array
        Integers, floating or complex numbers, or booleans.
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
    scalar
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
    value, result = _variance(x, where, dtype, ddof, options)
    return _scalar(value, result)


def std(x: Array, *, ddof: float = 0, where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The standard deviation: the square root of the variance.

    Parameters
    ----------
    x, ddof, where, dtype, **options
        As for var().

    Returns
    -------
    scalar
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
    value, result = _variance(x, where, dtype, ddof, options)
    return _scalar(math.sqrt(value), result)


def ptp(x: Array, **options: Any) -> Any:
    """The largest element less the smallest one.

    Parameters
    ----------
    x : array
        Integers or floating numbers.
    **options
        As for mean().

    Returns
    -------
    scalar
        Of the array's dtype, in which integers wrap, as NumPy's.

    Raises
    ------
    ValueError
        No elements.

    Notes
    -----
    One pass finds both.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.ptp(numpy.array([3, 9, 4])))
    6
    """
    found = None if options else _fast.reduce(_fast.NUMBERS["minmax"], x)
    if found is None:
        elements = operand(x)
        if not has_elements(elements):
            raise ValueError("ptp of no elements has no value")
        found = run("minmax", [elements], **options)
    least, most = found
    with np.errstate(all="ignore"):
        return most - least


def average(x: Array, weights: Array | None = None, **options: Any) -> Any:
    """The mean, of weighted elements if there are weights.

    Parameters
    ----------
    x : array
        As for mean().
    weights : array, optional
        Of the shape of x. In device memory it has the dtype of x, too; integers wrap there as in dot().
    **options
        As for mean().

    Returns
    -------
    scalar
        Of the dtype that NumPy's has: that of x and the weights together, float64 where x is an integer.

    Raises
    ------
    TypeError
        Weights of another shape.
    ZeroDivisionError
        Weights whose sum is 0.

    Notes
    -----
    It is dot(x, weights) divided by sum(weights). Host arrays of another dtype than the result's are copied.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.average(numpy.array([1.0, 4.0]), numpy.array([2.0, 1.0])))
    2.0
    """
    return _mean(x, None, None, options) if weights is None else _weighted(operand(x), operand(weights), options)


def _weighted(values: Operand, by: Operand, options: dict[str, Any]) -> Any:
    if values.shape != by.shape:
        raise TypeError(f"x has shape {values.shape}, weights have {by.shape}")
    result = np.result_type(*(np.float32 if each.tag == "bf16" else each.dtype for each in (values, by)),
                            *([np.float64] if values.tag[0] in "iu" or values.tag == "b8" else []))
    values, by = as_numbers(values), as_numbers(by)
    if values.tag != by.tag or (values.dtype != result and not values.on_device):
        values, by = (each if each.dtype == result else converted(each, result) for each in (values, by))
    total = run("sum", [by], **options)
    if total == 0:
        raise ZeroDivisionError("the weights sum to 0")
    return _scalar(run("dot", [values, by], **options) / total, result)
