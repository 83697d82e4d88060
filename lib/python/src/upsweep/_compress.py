"""The elements of an array that a condition selects, one behind the other."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import _tables
from ._along import Axis
from ._arrays import Operand, check_same_memory, converted, operand, plan
from ._call import Array, options_of, refuse_unknown
from ._errors import check
from ._library import library
from ._targets import Target, element_kind, refuse_axis

__all__ = ["compress"]

_BYTES = ("b8", "u8", "i8")  # what is read in place


def _flags(condition: Any, x: Operand) -> Operand:
    """A byte for each element of x; what is not zero selects."""
    found = operand(condition)
    check_same_memory("condition is", found, x)
    if found.shape not in (x.shape, (int(np.prod(x.shape)),)):
        raise ValueError(f"x has shape {x.shape}, condition has {found.shape}")
    if found.tag in _BYTES:
        return found
    if found.on_device:
        raise TypeError(f"condition is device memory of {found.dtype or found.tag}: it is bool, uint8 or int8. Pass "
                        "condition != 0")
    return converted(found, np.bool_)


def compress(condition: Array, x: Array, axis: Axis = None, *, out: Any = None, **options: Any) -> Any:
    """The elements of x that a condition selects, in their order.

    Parameters
    ----------
    condition : array
        One for each element of x, of its shape or of one dimension, in the same memory: what is not zero selects. bool,
        uint8 and int8 are read in place, with any stride; others are converted on the host, refused on a device.
    x : array
        Of any dtype that the library knows, of any shape; elements are visited in C order. Host arrays that no single
        stride visits are copied.
    axis : None
        Elements are selected, not rows. 0 and -1 are allowed for an array of one dimension.
    out : array, optional
        Where the elements go: an array of one dimension and any stride, of the dtype of x, with as many elements as x,
        in the same memory, apart from x and condition.
    **options
        As for sum(): place, device, strategy, teams, work_group_load, report.

    Returns
    -------
    array
        Of one dimension and the dtype of x, made by NumPy, CuPy or PyTorch, in the memory that x is in: the first
        elements of out, or, in device memory, of an array with as many elements as x.

    Raises
    ------
    TypeError
        Not an array, a dtype that the library does not know, out of another dtype, or device memory without out that is
        neither CuPy's nor PyTorch's.
    ValueError
        An axis, a condition of another shape or memory, out of another shape or memory, or device memory that would
        have to be copied.
    Error
        What the library refused, with its status and text.

    Notes
    -----
    numpy.compress() and x[condition]. Bits are copied as they are, those of NaNs and zeros too.

    Examples
    --------
    >>> import numpy, upsweep
    >>> x = numpy.array([3.0, -1.0, 4.0, -2.0])
    >>> print(upsweep.compress(x > 0, x))
    [3. 4.]
    """
    refuse_unknown("compress", options)
    given = operand(x)
    refuse_axis(axis, given, "selections have")
    flags = _flags(condition, given)
    planned, planned_flags = plan([given], True), plan([flags], True)
    n = planned.length
    target = Target(out, x, given, n, element_kind(given))
    target.refuse(planned.addresses[0], "x")
    target.refuse(planned_flags.addresses[0], "condition")
    count = ctypes.c_size_t()
    asked = options_of([planned.strides[0], planned_flags.strides[0], target.stride], **options)
    check(library.usw_select(_tables.TYPES[given.tag][0], planned.addresses[0], planned_flags.addresses[0], n,
                             target.address, ctypes.byref(count), asked))
    if options.get("report") is not None:
        options["report"]._fill()
    return target.first(count.value)
