"""What NumPy's keywords where, initial and dtype do, and what booleans and arrays without elements give."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _tables
from ._along import Along
from ._arrays import Operand, as_numbers, converted, selected, type_tag, without_nans
from ._call import run
from ._parts import elements as elements_of
from ._results import Located, layout

_COMBINE = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}
_COMBINE_NUMBERS = {**_COMBINE, "min": np.fmin, "max": np.fmax}  # NaNs are passed over


def lacks_elements(x: Operand, along: Along | None, where: Any = None) -> bool:
    """Whether there is a result of no elements. Those of segments have a value that says so."""
    if along is None:
        return 0 in x.shape
    if along.segments is not None:
        return False
    if where is None or where is True:
        return 0 in along.reduced(x)
    return not np.broadcast_to(where, x.shape).any(axis=along.axes(len(x.shape))).all()


def _filled_by(along: Along | None, fill: Callable[[Any], Any]) -> Callable[[Any], Any] | None:
    """What selected() gets: elements that do not count stay where the axes do."""
    return None if along is None else fill


def _loses(name: str, dtype: Any, ignores_nan: bool) -> Any:
    """An element that is no extreme beside another one."""
    if dtype.kind == "b":
        return name == "min"
    if dtype.kind in "iu":
        return getattr(np.iinfo(dtype), "max" if name == "min" else "min")
    return np.nan if ignores_nan else np.inf if name == "min" else -np.inf


def _sum_dtype(name: str, x: Operand) -> Any:
    """The dtype of the sum of these elements, before a conversion."""
    if x.tag == "b8":
        return np.dtype(np.int64)
    return layout(_tables.FUNCTIONS[name][2], x.tag)


def _out_dtype(name: str, x: Operand, along: Along | None) -> Any:
    """The dtype of out where it decides, as in NumPy: another integer dtype, a wider floating or complex one."""
    out = None if along is None else along.out
    if not isinstance(out, np.ndarray) or not type_tag(out.dtype):
        return None
    natural, asked = _sum_dtype(name, x), out.dtype.newbyteorder("=")
    if natural.kind in "iu":
        return asked if asked.kind in "iu" and asked != natural else None
    return asked if asked != natural and np.can_cast(natural, asked) and not x.on_device else None


def _loses_nan(x: Operand, result: np.dtype[Any]) -> bool:
    """Whether a NaN is none after a conversion: of an integer, of a boolean, of the real part of a complex number."""
    return result.kind in "iub" or (result.kind == "f" and x.tag[0] == "c")


def _prepared(name: str, x: Operand, result: np.dtype[Any]) -> Operand:
    """The elements that are summed, when a dtype is asked for: converted, unless their sum may be."""
    if not type_tag(result):
        raise TypeError(f"{name} cannot have dtype {result}")
    natural = _sum_dtype(name, x)
    narrows = natural.kind == result.kind and natural.itemsize >= result.itemsize
    if narrows or (natural.kind in "iu" and result.kind in "iu"):
        return x
    return converted(x, np.float32 if result == np.float16 else result)


def accumulate(name: str, x: Any, along: Along | None, where: Any, initial: Any, dtype: Any, *options: Any,
               **more: Any) -> Any:
    """sum and prod with NumPy's keywords."""
    fill = _filled_by(along, lambda dtype: int(name == "prod"))
    elements = selected(elements_of(x), where, fill)
    result = _out_dtype(name, elements, along) if dtype is None else np.dtype(dtype)
    ignores_nan = "ignore" in (more.get("nan"), *options)
    if result is not None and ignores_nan and _loses_nan(elements, result):
        elements = without_nans(elements, fill)
    if result == np.bool_:
        value = run("any" if name == "sum" else "all", [elements], *options, **more, along=along)
        value = np.bool_(value) if along is None else value
    elif result is not None or elements.tag == "b8":
        prepared = elements if result is None else _prepared(name, elements, result)
        value = _cast(run(name, [as_numbers(prepared)], *options, **more, along=along), result or np.dtype(np.int64))
    else:
        value = run(name, [elements], *options, **more, along=along, is_final=initial is None)
    value = value if initial is None else _with_initial(_COMBINE[name], value, initial)
    return value if along is None else along.finish(value, elements)


def _cast(value: Any, dtype: np.dtype[Any]) -> Any:
    with np.errstate(all="ignore"):
        return value.astype(dtype)


def one_number(initial: Any, dtype: Any) -> np.ndarray[Any, Any]:
    """The keyword initial in the type of the results."""
    value = np.array(initial, dtype)
    if value.shape != ():
        raise ValueError(f"initial has shape {value.shape}: it is one number")
    return value


def _with_initial(combine: Any, value: Any, initial: Any) -> Any:
    with np.errstate(all="ignore"):
        return combine(value, one_number(initial, value.dtype)[()], dtype=value.dtype)


def extreme(name: str, x: Any, along: Along | None, where: Any, initial: Any, *options: Any, **more: Any) -> Any:
    """min and max with NumPy's keywords."""
    ignores_nan = "ignore" in (more.get("nan"), *options)
    elements = selected(elements_of(x), where, _filled_by(along, lambda dtype: _loses(name, dtype, ignores_nan)))
    if initial is None and lacks_elements(elements, along, where):
        raise ValueError(f"{name} of no elements has no value: give initial=")
    is_final = initial is None and elements.tag != "b8"
    value = run(name, [as_numbers(elements)], *options, **more, along=along, is_final=is_final)
    if elements.tag == "b8":
        value = value.astype(np.bool_)  # the identities of bytes are those of booleans
    if initial is not None:
        has_number = ignores_nan and not lacks_elements(elements, along)  # else initial is the result, also a NaN
        value = _with_initial((_COMBINE_NUMBERS if has_number else _COMBINE)[name], value, initial)
    return value if along is None else along.finish(value, elements)


def logical(name: str, x: Any, along: Along | None, where: Any, *options: Any) -> Any:
    """all and any with NumPy's keywords."""
    elements = selected(elements_of(x), where, _filled_by(along, lambda dtype: int(name == "all")))
    value = run(name, [elements], *options, along=along, is_final=True)
    return value if along is None else along.finish(value, elements)


def locate(name: str, x: Any, along: Along | None, *options: Any, **more: Any) -> Any:
    """argmin and argmax: there is an index, or ValueError says that there is none; of segments it is -1."""
    elements = elements_of(x)
    if lacks_elements(elements, along):
        raise ValueError(f"{name} of no elements has no index")
    found = run(name, [as_numbers(elements)], *options, **more, along=along)
    if (along is None or along.segments is None) and (found.index if along is None else found.min(initial=0)) < 0:
        raise ValueError(f"{name}: every element is a NaN")
    if along is not None:
        return along.finish(found, elements)
    return Located(np.bool_(found.value), found.index) if elements.tag == "b8" else found
