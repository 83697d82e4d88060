"""The keywords axis, keepdims, segments and out: what is reduced, and where results go. It must not know functions."""

from __future__ import annotations

import operator
import sys
from typing import Any, NamedTuple, Tuple, Union

import numpy as np

from . import _cuda
from ._arrays import Operand, operand, plan
from ._parts import refuse
from ._segments import Bounds, Segments, bounds

#: What axis= takes: a number, several of them, or None for all axes.
Axis = Union[int, Tuple[int, ...], None]
AxisError: Any = getattr(np, "exceptions", np).AxisError  # NumPy 1.25 moved it


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that NumPy's keyword names, upwards."""
    if axis is None:
        return tuple(range(ndim))
    if ndim == 0 and not isinstance(axis, tuple) and axis in (0, -1):  # as NumPy's
        return ()
    found = []
    for each in map(operator.index, axis if isinstance(axis, tuple) else (axis,)):
        if not -ndim <= each < ndim:
            raise AxisError(each, ndim)
        found.append(each % ndim)
    if len(set(found)) < len(found):
        raise ValueError("duplicate value in 'axis'")
    return tuple(sorted(found))


def new_array(like: Any, shape: tuple[int, ...], dtype: str, zeros: bool = False) -> Any:
    """Device memory of the library that an array is from, ready; None where that is neither CuPy nor PyTorch."""
    name = type(like).__module__.partition(".")[0]
    library: Any = sys.modules.get(name)
    make = "zeros" if zeros else "empty"
    if name == "cupy":
        with like.device:
            made = getattr(library, make)(shape, dtype)
            if zeros:
                library.cuda.get_current_stream().synchronize()
            return made
    if name == "torch" and hasattr(library, dtype):
        made = getattr(library, make)(shape, dtype=getattr(library, dtype), device=like.device)
        library.cuda.current_stream(like.device).synchronize()  # what the memory held before may still be in use there
        return made
    return None


class Along(NamedTuple):
    """What a call was given."""

    axis: Any
    keepdims: bool
    out: Any
    source: Any  # the array: results are made by its library
    segments: Bounds | None  # instead of axes

    def axes(self, ndim: int) -> tuple[int, ...]:
        """The axes that are reduced, upwards."""
        return axes_of(self.axis, ndim) if self.segments is None else (0,)

    def kept(self, x: Operand) -> tuple[int, ...]:
        """The extents of the axes that stay, or the number of segments."""
        if self.segments is not None:
            return (self.segments.count(x),)
        axes = self.axes(len(x.shape))
        return tuple([length for axis, length in enumerate(x.shape) if axis not in axes])

    def reduced(self, x: Operand) -> tuple[int, ...]:
        """The extents of the axes that are reduced."""
        return tuple(x.shape[axis] for axis in self.axes(len(x.shape)))

    def shape(self, x: Operand) -> tuple[int, ...]:
        """Of the results."""
        if not self.keepdims:
            return self.kept(x)
        axes = self.axes(len(x.shape))
        return tuple(1 if axis in axes else length for axis, length in enumerate(x.shape))

    def target(self, x: Operand, dtype: str) -> Any:
        """The caller's out, or new device memory for an array on a device; None: results are a new NumPy array."""
        if self.out is None:
            return new_array(self.source, self.shape(x), dtype) if x.on_device else None
        if isinstance(self.out, np.ndarray):
            found: Any = self.out
        elif x.on_device:
            found = operand(self.out)
            own = "bfloat16" if found.tag == "bf16" else str(found.dtype)
            if own != dtype:
                raise TypeError(f"out has dtype {own}: in device memory it is {dtype}")
            if not found.on_device or plan([found], True).strides != [1]:
                raise ValueError("out is a NumPy array or contiguous device memory")
        else:
            raise TypeError(f"out is a NumPy array, not {type(self.out).__name__}")
        if found.shape != self.shape(x):
            raise ValueError(f"out has shape {found.shape}, the results have {self.shape(x)}")
        return self.out

    def finish(self, value: Any, x: Operand) -> Any:
        """What the caller gets for results of the axes that stay, or of the segments."""
        if isinstance(value, tuple):
            return type(value)(*(self.finish(each, x) for each in value))
        if not isinstance(value, (np.ndarray, np.generic)):
            return value  # the library wrote into device memory
        if self.keepdims:
            value = value.reshape(self.shape(x))
        target = None if self.out is None and not x.on_device else self.target(x, value.dtype.name)
        if target is None:
            return value[()]
        if isinstance(target, np.ndarray):
            np.copyto(target, value, casting="same_kind")
        elif value.size:
            _cuda.upload(operand(target).address, np.ascontiguousarray(value))
        return target


def along(x: Any, axis: Any, keepdims: bool, segments: Segments = None, out: Any = None,
          where: Any = None) -> Along | None:
    """What the keywords ask for; None: one result, a scalar. where is only refused beside segments."""
    refuse(x, axis=axis, keepdims=keepdims, segments=segments, out=out, where=where)
    if segments is None:
        return None if axis is None and out is None and not keepdims else Along(axis, keepdims, out, x, None)
    for name, value, default in (("axis", axis, None), ("keepdims", keepdims, False), ("where", where, True)):
        if value is not None and value is not default:
            raise ValueError(f"segments= and {name}= do not go together")
    return Along(None, False, out, x, bounds(segments))
