"""NumPy's functions that pass over NaNs, by the library's option for it."""

from __future__ import annotations

import warnings
from typing import Any

from . import _fast
from ._arrays import selected
from ._call import Array
from ._keywords import accumulate, extreme_of, locate
from ._results import Located
from ._statistics import mean, std, var

__all__ = ["nansum", "nanprod", "nanmin", "nanmax", "nanmean", "nanvar", "nanstd", "nanargmin", "nanargmax"]


def _at_once(name: str, x: Array, given: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The result the short way; None where keywords or options are given, or that way has none."""
    if options or any(value is not None for value in given):
        return None
    return _fast.reduce(_fast.NUMBERS[name] | _fast.IGNORES_NAN, x)


def _accumulated(name: str, x: Array, where: Any, initial: Any, dtype: Any, options: dict[str, Any]) -> Any:
    """The sum or the product."""
    value = _at_once(name, x, (where, initial, dtype), options)
    return value if value is not None else accumulate(name, x, where, initial, dtype, nan="ignore", **options)


def _extreme(name: str, x: Array, where: Any, initial: Any, options: dict[str, Any]) -> Any:
    """The extreme element; NaN with a warning where all are NaNs."""
    value = _at_once(name, x, (where, initial), options)
    if value is None:
        value = extreme_of(name, selected(x, where), initial, True, nan="ignore", **options)
    if initial is None and value != value:
        warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=3)
    return value


def nansum(x: Array, *, where: Array | None = None, initial: Any = None, dtype: Any = None, **options: Any) -> Any:
    """The sum of the elements that are not NaN.

    Parameters
    ----------
    x, where, initial, dtype, **options
        As for sum(), without nan.

    Returns
    -------
    scalar
        As sum() returns; 0 of NaNs alone.

    Notes
    -----
    It is sum() with nan="ignore". A complex number is a NaN if one of its parts is.

    Examples
    --------
    >>> import numpy, upsweep
    >>> print(upsweep.nansum(numpy.array([2.0, numpy.nan, 4.0])))
    6.0
    """
    return _accumulated("sum", x, where, initial, dtype, options)


def nanprod(x: Array, *, where: Array | None = None, initial: Any = None, dtype: Any = None, **options: Any) -> Any:
    """The product of the elements that are not NaN.

    Parameters
    ----------
    x, where, initial, dtype, **options
        As for prod(), without nan.

    Returns
    -------
    scalar
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
    return _accumulated("prod", x, where, initial, dtype, options)


def nanmin(x: Array, *, where: Array | None = None, initial: Any = None, **options: Any) -> Any:
    """The smallest element that is not NaN.

    Parameters
    ----------
    x, where, initial, **options
        As for min(), without nan.

    Returns
    -------
    scalar
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
    return _extreme("min", x, where, initial, options)


def nanmax(x: Array, *, where: Array | None = None, initial: Any = None, **options: Any) -> Any:
    """The largest element that is not NaN.

    Parameters
    ----------
    x, where, initial, **options
        As for max(), without nan.

    Returns
    -------
    scalar
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
    return _extreme("max", x, where, initial, options)


def nanmean(x: Array, *, where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The mean of the elements that are not NaN.

    Parameters
    ----------
    x, where, dtype, **options
        As for mean(), without nan.

    Returns
    -------
    scalar
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
    return mean(x, where=where, dtype=dtype, nan="ignore", **options)


def nanvar(x: Array, *, ddof: float = 0, where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The variance of the elements that are not NaN.

    Parameters
    ----------
    x, ddof, where, dtype, **options
        As for var(), without nan.

    Returns
    -------
    scalar
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
    return var(x, ddof=ddof, where=where, dtype=dtype, nan="ignore", **options)


def nanstd(x: Array, *, ddof: float = 0, where: Array | None = None, dtype: Any = None, **options: Any) -> Any:
    """The standard deviation of the elements that are not NaN.

    Parameters
    ----------
    x, ddof, where, dtype, **options
        As for std(), without nan.

    Returns
    -------
    scalar
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
    return std(x, ddof=ddof, where=where, dtype=dtype, nan="ignore", **options)


def nanargmin(x: Array, **options: Any) -> Located:
    """The lowest index of the smallest element that is not NaN.

    Parameters
    ----------
    x, **options
        As for argmin(), without nan.

    Returns
    -------
    Located
        The index, an int; its attribute value is the element.

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
    return locate("argmin", x, nan="ignore", **options)


def nanargmax(x: Array, **options: Any) -> Located:
    """The lowest index of the largest element that is not NaN.

    Parameters
    ----------
    x, **options
        As for argmax(), without nan.

    Returns
    -------
    Located
        The index, an int; its attribute value is the element.

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
    return locate("argmax", x, nan="ignore", **options)
