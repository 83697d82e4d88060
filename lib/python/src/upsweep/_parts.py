"""Arrays that lie in several places, as one argument of functions. It must not know functions."""

from __future__ import annotations

import ctypes
from typing import Any, Iterable, Sequence

import numpy as np

from . import _library
from ._arrays import Operand, Plan, joined, operand, plan


class Parts:
    """Arrays whose elements are reduced as if they were one array, each where it is: on GPUs, and on the host.

    Every function that gives one result takes it in place of an array:

        >>> import numpy, upsweep
        >>> first, second = numpy.array([3.0, 1.0]), numpy.array([0.5])
        >>> print(upsweep.sum(upsweep.Parts([first, second])), upsweep.argmin(upsweep.Parts([first, second])))
        4.5 2

    Parts on GPUs run at the same time, and the calling thread's team reduces those of the host meanwhile. Indices count
    on over the parts. dot() and dotc() take Parts for x and y, whose arrays belong together one by one.

    Parameters
    ----------
    arrays
        At least one, in the order in which their elements count, of one dtype: anything that the functions take, of any
        shape and strides, also without elements. Functions look at them when they are called.

    Attributes
    ----------
    arrays
        A tuple of them.

    Raises
    ------
    ValueError
        No array, which would have no dtype.

    accuracy="reproducible" and accuracy="exact" give the bits of one array with all elements. Functions refuse place,
    device, axis, keepdims, segments, out and where beside Parts.
    """

    def __init__(self, arrays: Iterable[Any]) -> None:
        self.arrays = tuple(arrays)
        if not self.arrays:
            raise ValueError("Parts of no arrays have no dtype")

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("Parts are for functions that give one result, and no array")

    def __repr__(self) -> str:
        return f"Parts({list(self.arrays)!r})"


def elements(x: Any) -> Operand:
    """Look at an array, or at Parts."""
    if not isinstance(x, Parts):
        return operand(x)
    pieces = [operand(array) for array in x.arrays]
    for k, piece in enumerate(pieces):
        if piece.tag != pieces[0].tag:
            raise ValueError(f"part {k + 1} of {len(pieces)} has dtype {piece.dtype or piece.tag}, the first has "
                             f"{pieces[0].dtype or pieces[0].tag}: convert one of them")
    return joined(pieces, x)


def refuse(x: Any, **keywords: Any) -> None:
    """Refuse keywords that were given beside Parts."""
    for name, value in keywords.items():
        if isinstance(x, Parts) and value is not None and value is not (name == "where"):
            raise ValueError(f"Parts and {name}= do not go together")


def structures(operands: list[Operand], in_order: bool) -> tuple[Any, list[Plan]]:
    """An array of usw_part_t, of one operand or two that are in parts, and what keeps their memory."""
    plans = [plan(list(pieces), in_order) for pieces in zip(*(x.pieces for x in operands))]
    structs = (_library.PartStruct * len(plans))()
    for struct, planned in zip(structs, plans):
        struct.size, struct.n = ctypes.sizeof(struct), planned.length
        for i, (address, stride) in enumerate(zip(planned.addresses, planned.strides)):
            struct.x[i], struct.stride[i] = address or None, stride or _library.STRIDE_NONE
    return structs, plans


def are_copied(plans: list[Plan], inputs: Sequence[Any]) -> bool:
    """Whether plans of arrays, or of Parts, read copies of NumPy arrays."""
    arrays = [x for pair in zip(*(x.arrays if isinstance(x, Parts) else (x,) for x in inputs)) for x in pair]
    kept = [owner for planned in plans for owner in planned.owners]
    return any(isinstance(owner, np.ndarray) and owner.size and not np.shares_memory(owner, x)
               for owner, x in zip(kept, arrays))
