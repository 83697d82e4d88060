"""NumPy's functions that pass over NaNs, by the library's option for it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from . import _fast
from ._along import Along, Axis, along
from ._call import Array, refuse_unknown
from ._keywords import accumulate, extreme, locate
from ._segments import Segments
from ._statistics import mean, std, var

__all__ = ["nansum", "nanprod", "nanmin", "nanmax", "nanmean", "nanvar", "nanstd", "nanargmin", "nanargmax"]


def _short(name: str, x: Array, axis: Axis, keepdims: bool, out: Any) -> Any:
    """The short way, or None."""
    number = _fast.NUMBERS[name] | _fast.IGNORES_NAN
    if axis is None and out is None and not keepdims:
        return _fast.reduce(number, x)
    return _fast.along(number, axis, keepdims, out, x)


def _accumulated(name: str, x: Array, axis: Axis, keepdims: bool, segments: Segments, out: Any, where: Any,
                 initial: Any, dtype: Any, options: dict[str, Any]) -> Any:
    """The sum or the product."""
    if segments is None and where is None and initial is None and dtype is None and not options:
        value = _short(name, x, axis, keepdims, out)
        if value is not None:
            return value
    refuse_unknown(f"nan{name}", options)
    given = along(x, axis, keepdims, segments, out, where)
    return accumulate(name, x, given, where, initial, dtype, nan="ignore", **options)


def _any_nan(values: np.ndarray[Any, Any]) -> bool:
    return bool(np.any(values != values))


def _extreme(name: str, x: Array, axis: Axis, keepdims: bool, segments: Segments, out: Any, where: Any, initial: Any,
             options: dict[str, Any]) -> Any:
    """The extreme element; NaN, with a warning in host memory, where all are NaNs."""
    refuse_unknown(f"nan{name}", options)
    value = None
    if segments is None and where is None and initial is None and not options:
        value = _short(name, x, axis, keepdims, out)
    if value is None:
        given = along(x, axis, keepdims, segments, out, where)
        value = extreme(name, x, given, where, initial, nan="ignore", **options)
    has_nan = value != value if isinstance(value, np.generic) else isinstance(value, np.ndarray) and _any_nan(value)
    if initial is None and has_nan:
        warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=3)
    return value


def nansum(x: Array, axis: Axis = None, *, keepdims: bool = False, segments: Segments = None,
           out: Any = None, where: Array | None = None, initial: Any = None, dtype: Any = None, **options: Any) -> Any:
    """The sum of the elements that are not NaN.

    Parameters
    ----------
    x, axis, keepdims, segments, out, where, initial, dtype, **options
        As for sum(), without nan.

    Returns
    -------
    scalar or array
        As sum() returns; 0 of NaNs alone.

    Notes
    -----
    It is sum() with nan="ignore". A complex number is a NaN if one of its parts is. With dtype= of integers or bool, or
    of floating numbers where x is complex, NaNs are left out by a copy, in host memory only.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nansum(numpy.array([2.0, numpy.nan, 4.0])))
    6.0
    """
    return _accumulated("sum", x, axis, keepdims, segments, out, where, initial, dtype, options)


def nanprod(x: Array, axis: Axis = None, *, keepdims: bool = False, segments: Segments = None,
            out: Any = None, where: Array | None = None, initial: Any = None, dtype: Any = None, **options: Any) -> Any:
    """The product of the elements that are not NaN.

    Parameters
    ----------
    x, axis, keepdims, segments, out, where, initial, dtype, **options
        As for prod(), without nan.

    Returns
    -------
    scalar or array
        As prod() returns; 1 of NaNs alone.

    Notes
    -----
    It is prod() with nan="ignore". A complex number is a NaN if one of its parts is.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nanprod(numpy.array([2.0, numpy.nan, 4.0])))
    8.0
    """
    return _accumulated("prod", x, axis, keepdims, segments, out, where, initial, dtype, options)


def nanmin(x: Array, axis: Axis = None, *, keepdims: bool = False, segments: Segments = None,
           out: Any = None, where: Array | None = None, initial: Any = None, **options: Any) -> Any:
    """The smallest element that is not NaN.

    Parameters
    ----------
    x, axis, keepdims, segments, out, where, initial, **options
        As for min(), without nan.

    Returns
    -------
    scalar or array
        Of the array's dtype. NaN, with a RuntimeWarning, of NaNs alone.

    Raises
    ------
    ValueError
        No elements, and no initial.

    Notes
    -----
    It is min() with nan="ignore".

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nanmin(numpy.array([2.0, numpy.nan, 4.0])))
    2.0
    """
    return _extreme("min", x, axis, keepdims, segments, out, where, initial, options)


def nanmax(x: Array, axis: Axis = None, *, keepdims: bool = False, segments: Segments = None,
           out: Any = None, where: Array | None = None, initial: Any = None, **options: Any) -> Any:
    """The largest element that is not NaN.

    Parameters
    ----------
    x, axis, keepdims, segments, out, where, initial, **options
        As for max(), without nan.

    Returns
    -------
    scalar or array
        Of the array's dtype. NaN, with a RuntimeWarning, of NaNs alone.

    Raises
    ------
    ValueError
        No elements, and no initial.

    Notes
    -----
    It is max() with nan="ignore".

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nanmax(numpy.array([2.0, numpy.nan, 4.0])))
    4.0
    """
    return _extreme("max", x, axis, keepdims, segments, out, where, initial, options)


def nanmean(x: Array, axis: Axis = None, *, keepdims: bool = False, segments: Segments = None,
            out: Any = None, where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The mean of the elements that are not NaN.

    Parameters
    ----------
    x, axis, keepdims, segments, out, where, dtype, **options
        As for mean(), without nan.

    Returns
    -------
    scalar or array
        As mean() returns. NaN, with a RuntimeWarning, of NaNs alone.

    Notes
    -----
    It is mean() with nan="ignore". A complex number is a NaN if one of its parts is; such host arrays are copied.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nanmean(numpy.array([2.0, numpy.nan, 4.0])))
    3.0
    """
    return mean(x, axis, keepdims=keepdims, segments=segments, out=out, where=where, dtype=dtype,
                nan="ignore", **options)


def nanvar(x: Array, axis: Axis = None, *, ddof: float = 0, keepdims: bool = False, segments: Segments = None,
           out: Any = None, where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The variance of the elements that are not NaN.

    Parameters
    ----------
    x, axis, ddof, keepdims, segments, out, where, dtype, **options
        As for var(), without nan.

    Returns
    -------
    scalar or array
        As var() returns. NaN, with a RuntimeWarning, of at most ddof elements.

    Notes
    -----
    It is var() with nan="ignore". A complex number is a NaN if one of its parts is; such host arrays are copied.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nanvar(numpy.array([2.0, numpy.nan, 4.0])))
    1.0
    """
    return var(x, axis, ddof=ddof, keepdims=keepdims, segments=segments, out=out, where=where, dtype=dtype,
               nan="ignore", **options)


def nanstd(x: Array, axis: Axis = None, *, ddof: float = 0, keepdims: bool = False, segments: Segments = None,
           out: Any = None, where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The standard deviation of the elements that are not NaN.

    Parameters
    ----------
    x, axis, ddof, keepdims, segments, out, where, dtype, **options
        As for std(), without nan.

    Returns
    -------
    scalar or array
        As std() returns. NaN, with a RuntimeWarning, of at most ddof elements.

    Notes
    -----
    It is std() with nan="ignore". A complex number is a NaN if one of its parts is; such host arrays are copied.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nanstd(numpy.array([2.0, numpy.nan, 4.0])))
    1.0
    """
    return std(x, axis, ddof=ddof, keepdims=keepdims, segments=segments, out=out, where=where, dtype=dtype,
               nan="ignore", **options)


def nanargmin(x: Array, axis: Axis = None, *, keepdims: bool = False, segments: Segments = None,
              out: Any = None, **options: Any) -> Any:
    """The lowest index of the smallest element that is not NaN.

    Parameters
    ----------
    x, axis, keepdims, segments, out, **options
        As for argmin(), without nan.

    Returns
    -------
    Located or array
        As argmin() returns.

    Raises
    ------
    ValueError
        No elements, or NaNs alone.

    Notes
    -----
    It is argmin() with nan="ignore".

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nanargmin(numpy.array([2.0, numpy.nan, 4.0])))
    0
    """
    refuse_unknown("nanargmin", options)
    return locate("argmin", x, along(x, axis, keepdims, segments, out), nan="ignore", **options)


def nanargmax(x: Array, axis: Axis = None, *, keepdims: bool = False, segments: Segments = None,
              out: Any = None, **options: Any) -> Any:
    """The lowest index of the largest element that is not NaN.

    Parameters
    ----------
    x, axis, keepdims, segments, out, **options
        As for argmax(), without nan.

    Returns
    -------
    Located or array
        As argmin() returns.

    Raises
    ------
    ValueError
        No elements, or NaNs alone.

    Notes
    -----
    It is argmax() with nan="ignore".

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nanargmax(numpy.array([2.0, numpy.nan, 4.0])))
    2
    """
    refuse_unknown("nanargmax", options)
    return locate("argmax", x, along(x, axis, keepdims, segments, out), nan="ignore", **options)
