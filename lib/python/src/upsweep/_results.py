"""Results: their layout in C, and what Python gets."""

from __future__ import annotations

import functools
from typing import Any, Iterator, NamedTuple

import numpy as np

from . import _tables


class Located(int):
    """The index of an element, with its value.

    It is an int, as NumPy's argmin() returns one, so it may be used as an index. It also unpacks into value and index.

    Attributes
    ----------
    value : scalar
        Of the array's dtype; the identity if there is no element.
    index : int
        Counted in elements, in C order; -1 if there is no element.
    """

    value: Any

    def __new__(cls, value: Any, index: int) -> Located:
        located = int.__new__(cls, index)
        located.value = value
        return located

    @property
    def index(self) -> int:
        return int(self)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.value, int(self)))

    def __getnewargs__(self) -> tuple[Any, int]:  # type: ignore[override]
        return self.value, int(self)

    def __repr__(self) -> str:
        return f"Located(value={self.value!r}, index={int(self)})"

    def __str__(self) -> str:
        return str(int(self))


class Extremes(NamedTuple):
    """The smallest and the largest element."""

    minimum: Any  #: a scalar of the array's dtype; the identity for an empty array
    maximum: Any  #: likewise


class Describe(NamedTuple):
    """What one pass over an array finds."""

    count: int  # type: ignore[assignment] #: elements described
    mean: float  #: NaN if count is 0
    variance: float  #: of the population (divided by count); NaN if count is 0
    minimum: Any  #: a scalar of the array's dtype; the identity if count is 0
    maximum: Any  #: likewise
    minimum_index: int  #: the lowest one, in C order; -1 if count is 0
    maximum_index: int  #: likewise


class Runs(NamedTuple):
    """What reduce_by_key() finds, for each run of equal keys."""

    unique: Any  #: the keys, an array of their dtype
    results: Any  #: an array, or for minmax and describe a tuple of arrays


_STORED = {  # a bfloat16 is its bits
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64, "u8": np.uint8, "u16": np.uint16,
    "u32": np.uint32, "u64": np.uint64, "f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64,
    "cf32": np.complex64, "cf64": np.complex128, "b8": np.bool_,
}
_C_TYPES = {f"{np.dtype(kind).name}_t": kind for kind in _STORED.values()}
_C_TYPES.update({"float": np.float32, "double": np.float64, "usw_cf32_t": np.complex64, "usw_cf64_t": np.complex128})


def stored_dtype(tag: str) -> np.dtype[Any]:
    """The dtype of the elements of a type."""
    return np.dtype(_STORED[tag])


@functools.lru_cache(maxsize=None)
def layout(kind: str, tag: str) -> np.dtype[Any]:
    """What a function of this kind writes for elements of a type, as C lays it out."""
    _, _, sum_type, real_type = _tables.TYPES[tag]
    stored, index = _STORED[tag], np.int64
    structures = {
        "LOCATED": [("value", stored), ("index", index)],
        "EXTREMES": [("minimum", stored), ("maximum", stored)],
        "DESCRIBE": [("count", np.uint64), ("mean", np.float64), ("variance", np.float64), ("minimum", stored),
                     ("maximum", stored), ("minimum_index", index), ("maximum_index", index)],
    }
    if kind in structures:
        return np.dtype(structures[kind], align=True)
    scalars = {"SUM": _C_TYPES.get(sum_type), "REAL": _C_TYPES.get(real_type), "ELEMENT": stored, "BOOL": np.bool_,
               "COUNT": np.uint64}
    return np.dtype(scalars[kind])


def _element(value: Any, tag: str, dtype: np.dtype[Any] | None) -> Any:
    """An element that a structure or a scalar holds. A bfloat16 is a float32 where nobody defines the dtype."""
    if tag != "bf16":
        return value
    wide = (np.asarray(value, dtype=np.uint32) << np.uint32(16)).view(np.float32)[()]
    return wide.astype(dtype) if dtype is not None else wide


def convert(result: np.ndarray[Any, Any], kind: str, tag: str, dtype: np.dtype[Any] | None) -> Any:
    """The result that Python gets; dtype is that of the array, or None."""
    value = result[()]
    if kind == "ELEMENT":
        return _element(value, tag, dtype)
    if kind in ("BOOL", "COUNT"):
        return value.item()
    if kind == "LOCATED":
        return Located(_element(value["value"], tag, dtype), int(value["index"]))
    if kind == "EXTREMES":
        return Extremes(_element(value["minimum"], tag, dtype), _element(value["maximum"], tag, dtype))
    if kind == "DESCRIBE":
        return Describe(int(value["count"]), float(value["mean"]), float(value["variance"]),
                        _element(value["minimum"], tag, dtype), _element(value["maximum"], tag, dtype),
                        int(value["minimum_index"]), int(value["maximum_index"]))
    return value


def convert_all(results: np.ndarray[Any, Any], kind: str, tag: str, dtype: np.dtype[Any] | None) -> Any:
    """As convert(), of many results: an array, of indices where each is LOCATED, or a tuple of arrays."""
    if results.dtype.names is None:
        if kind == "ELEMENT":
            return np.asarray(_element(results, tag, dtype))
        return results.astype(np.int64) if kind == "COUNT" else results
    members = []
    for name in results.dtype.names:
        member = np.array(results[name])
        member = np.asarray(_element(member, tag, dtype)) if name in ("minimum", "maximum") else member
        members.append(member.astype(np.int64) if name == "count" else member)
    return members[1] if kind == "LOCATED" else {"EXTREMES": Extremes, "DESCRIBE": Describe}[kind](*members)
