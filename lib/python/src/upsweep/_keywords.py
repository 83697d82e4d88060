"""What NumPy's keywords where, initial and dtype do, and what booleans and arrays without elements give."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _tables
from ._arrays import Operand, as_numbers, converted, selected, type_tag
from ._call import run
from ._results import Located, layout

_COMBINE = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}
_COMBINE_NUMBERS = {**_COMBINE, "min": np.fmin, "max": np.fmax}  # NaNs are passed over


def has_elements(x: Operand) -> bool:
    """Whether an array has elements."""
    return 0 not in x.shape


def _sum_dtype(name: str, x: Operand) -> Any:
    """The dtype of the sum of these elements, before a conversion."""
    if x.tag == "b8":
        return np.dtype(np.int64)
    return layout(_tables.FUNCTIONS[name][2], x.tag)


def _prepared(name: str, x: Operand, result: np.dtype[Any]) -> Operand:
    """The elements that are summed, when a dtype is asked for: converted, unless their sum may be."""
    if not type_tag(result):
        raise TypeError(f"{name} cannot have dtype {result}")
    natural = _sum_dtype(name, x)
    narrows = natural.kind == result.kind and natural.itemsize >= result.itemsize
    if narrows or (natural.kind in "iu" and result.kind in "iu"):
        return x
    return converted(x, np.float32 if result == np.float16 else result)


def accumulate(name: str, x: Any, where: Any, initial: Any, dtype: Any, *options: Any, **more: Any) -> Any:
    """sum and prod with NumPy's keywords."""
    elements = selected(x, where)
    result = None if dtype is None else np.dtype(dtype)
    if result == np.bool_:
        value = np.bool_(run("any" if name == "sum" else "all", [elements], *options, **more))
    elif result is not None or elements.tag == "b8":
        prepared = elements if result is None else _prepared(name, elements, result)
        value = _cast(run(name, [as_numbers(prepared)], *options, **more), result or np.dtype(np.int64))
    else:
        value = run(name, [elements], *options, **more)
    return value if initial is None else _with_initial(_COMBINE[name], value, initial)


def _cast(value: Any, dtype: np.dtype[Any]) -> Any:
    with np.errstate(all="ignore"):
        return value.astype(dtype)


def _with_initial(combine: Any, value: Any, initial: Any) -> Any:
    with np.errstate(all="ignore"):
        return combine(value, np.array(initial, value.dtype)[()], dtype=value.dtype)


def extreme(name: str, x: Any, where: Any, initial: Any, *options: Any, **more: Any) -> Any:
    """min and max with NumPy's keywords."""
    elements = selected(x, where)
    return extreme_of(name, elements, initial, "ignore" in (more.get("nan"), *options), *options, **more)


def extreme_of(name: str, elements: Operand, initial: Any, ignores_nan: bool, *options: Any, **more: Any) -> Any:
    """min and max of elements that are selected."""
    if initial is None and not has_elements(elements):
        raise ValueError(f"{name} of no elements has no value: give initial=")
    value = run(name, [as_numbers(elements)], *options, **more)
    if elements.tag == "b8":
        value = np.bool_(value) if has_elements(elements) else np.bool_(name == "min")
    if initial is None:
        return value
    return _with_initial((_COMBINE_NUMBERS if ignores_nan else _COMBINE)[name], value, initial)


def locate(name: str, x: Any, *options: Any, **more: Any) -> Located:
    """argmin and argmax: there is an index, or ValueError says that there is none."""
    elements = selected(x, None)
    if not has_elements(elements):
        raise ValueError(f"{name} of no elements has no index")
    found = run(name, [as_numbers(elements)], *options, **more)
    if found.index < 0:
        raise ValueError(f"{name}: every element is a NaN")
    return Located(np.bool_(found.value), found.index) if elements.tag == "b8" else found
