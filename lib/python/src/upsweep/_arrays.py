"""What arrays look like to the library: an address, a length and one stride; or extents and strides of axes."""

from __future__ import annotations

import ctypes
import functools
import itertools
import math
from typing import Any, Callable, Iterable, NamedTuple, Sequence, Tuple

import numpy as np

from . import _cuda, _dlpack, _library, _tables
from ._errors import Status, error
from ._results import stored_dtype

Axis = Tuple[int, Tuple[int, ...]]  # length, strides of every operand in bytes

_LETTERS = {"i": "i", "u": "u", "f": "f", "c": "cf", "b": "b"}


class Operand(NamedTuple):
    """An array: where it is and how it is laid out."""

    owner: Any  # keeps the memory alive
    address: int
    tag: str  # of the type: "f32"
    dtype: Any  # NumPy's, None for a bfloat16 without one
    itemsize: int  # bytes
    shape: tuple[int, ...]
    strides: tuple[int, ...]  # bytes
    on_device: bool  # or in parts: nothing that NumPy reads
    pieces: tuple[Any, ...] = ()  # of parts: an Operand of each, where the elements are


class Plan(NamedTuple):
    """What the library gets."""

    owners: list[Any]  # keep the memory alive
    addresses: list[int]
    strides: list[int]  # elements
    length: int


@functools.lru_cache(maxsize=None)
def type_tag(dtype: Any) -> str:
    """The library's name of a dtype: "f32"; "" if the library does not know it."""
    if dtype.name == "bfloat16":
        return "bf16"
    tag = f"{_LETTERS.get(dtype.kind, '?')}{dtype.itemsize * (4 if dtype.kind == 'c' else 8)}"
    return tag if tag in _tables.TYPES else ""


def _host_operand(x: Any) -> Operand:
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError("upsweep does not know masks: pass x.compressed() or x.data")
    array = np.asarray(x)
    tag = type_tag(array.dtype)
    if not tag:
        raise TypeError(f"upsweep does not know dtype {array.dtype}")
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if not array.flags.aligned:
        array = array.copy()
    return Operand(array, array.ctypes.data, tag, array.dtype, array.itemsize, array.shape, array.strides, False)


def _contiguous_strides(shape: Sequence[int], itemsize: int) -> tuple[int, ...]:
    strides, step = [], itemsize
    for length in reversed(shape):
        strides.append(step)
        step *= length
    return tuple(reversed(strides))


def _device_type(x: Any, typestr: str) -> tuple[str, Any, int]:
    """Tag, dtype and bytes of device elements. The interface cannot name bfloat16: the array's own dtype does."""
    own = getattr(x, "dtype", None)
    if str(own).endswith("bfloat16"):
        return "bf16", own if isinstance(own, np.dtype) else None, 2
    dtype = np.dtype(typestr)
    tag = type_tag(dtype)
    if not tag:
        raise TypeError(f"upsweep does not know dtype {dtype}")
    if not dtype.isnative:
        raise TypeError(f"device memory of the other byte order ({typestr}) cannot be reduced")
    return tag, dtype, dtype.itemsize


def _device_operand(x: Any, interface: dict[str, Any]) -> Operand:
    if interface.get("version", 0) < 2:
        raise TypeError(f"__cuda_array_interface__ of version {interface.get('version')}: 2 or 3 is needed")
    if interface.get("mask") is not None:
        raise TypeError("upsweep does not know masks: __cuda_array_interface__ has one")
    tag, dtype, itemsize = _device_type(x, interface["typestr"])
    shape = tuple(map(int, interface["shape"]))
    strides = interface.get("strides") or _contiguous_strides(shape, itemsize)
    address = int(interface["data"][0] or 0)
    if 0 not in shape:
        _wait(interface.get("stream"), address)
    return Operand(x, address, tag, dtype, itemsize, shape, tuple(map(int, strides)), True)


def _wait(stream: int | None, address: int) -> None:
    """Wait for the stream that an array on a device names, where a GPU can read the array at all."""
    if _library.gpu_count() == 0:
        raise error(Status.ERROR_PLACE, f"the array at {address:#x} is device memory, and {_library.library_place} "
                    "can run on no GPU here")
    if stream is not None:
        _cuda.synchronize(int(stream), address)


class _View:
    """Host memory for numpy.asarray(), which keeps it."""

    def __init__(self, owner: Any, address: int, dtype: Any, shape: Sequence[int], strides: Sequence[int] | None):
        self.owner = owner
        self.__array_interface__ = {"data": (address, True), "typestr": dtype.str, "shape": tuple(shape),
                                    "strides": strides, "version": 3}


def _dlpack_operand(x: Any) -> Operand:
    found = _dlpack.look_at(x)
    if found.tag not in _tables.TYPES:
        raise TypeError(f"upsweep does not know DLPack's type {found.tag}")
    dtype = None if found.tag == "bf16" else stored_dtype(found.tag)
    strides = found.strides or _contiguous_strides(found.shape, found.itemsize)
    if not found.on_device:
        if 0 in found.shape:
            return _host_operand(np.empty(found.shape, dtype or np.uint16))._replace(tag=found.tag, dtype=dtype)
        view = _View(found.capsule, found.address, dtype or stored_dtype(found.tag), found.shape, strides)
        return _host_operand(np.asarray(view))._replace(tag=found.tag, dtype=dtype)
    if 0 not in found.shape:
        _wait(_dlpack.LEGACY_STREAM, found.address)
    return Operand(found.capsule, found.address, found.tag, dtype, found.itemsize, found.shape, strides, True)


def operand(x: Any) -> Operand:
    """Look at anything that is an array: by NumPy, by `__cuda_array_interface__`, by DLPack, in this order.

    Waits for the stream that a device array names.
    """
    if not isinstance(x, np.ndarray):
        interface = getattr(x, "__cuda_array_interface__", None)
        if interface is not None:
            return _device_operand(x, interface)
        if hasattr(x, "__dlpack__") and hasattr(x, "__dlpack_device__"):
            return _dlpack_operand(x)
    return _host_operand(x)


def check_same_memory(what: str, found: Operand, x: Operand) -> None:
    """Refuse what belongs to the elements of x and is not where they are. what: "keys are", for example."""
    if found.on_device != x.on_device:
        places = ("host", "device") if x.on_device else ("device", "host")
        raise ValueError("{} in {} memory, x in {} memory: both must be in the same".format(what, *places))


def joined(pieces: Sequence[Operand], owner: Any) -> Operand:
    """Arrays of one dtype as parts of one array, whose dimension is all of their elements."""
    first = pieces[0]
    length = sum(math.prod(piece.shape) for piece in pieces)
    return first._replace(owner=owner, address=0, shape=(length,), strides=(first.itemsize,), on_device=True,
                          pieces=tuple(pieces))


def as_numbers(x: Operand) -> Operand:
    """The array with its booleans as the integers 0 and 1, which is what its bytes are."""
    if x.tag != "b8":
        return x
    if x.pieces:
        return joined([as_numbers(piece) for piece in x.pieces], x.owner)
    owner = x.owner if x.on_device else x.owner.view(np.uint8)
    return x._replace(owner=owner, tag="u8", dtype=np.dtype(np.uint8))


def components(x: Operand) -> list[Operand]:
    """The real and the imaginary components of an array; of a real one itself."""
    if x.tag not in ("cf32", "cf64"):
        return [x]
    if x.pieces:
        return [joined(each, x.owner) for each in zip(*map(components, x.pieces))]
    if not x.on_device:
        return [_host_operand(x.owner.real), _host_operand(x.owner.imag)]
    half = x.itemsize // 2
    real = x._replace(tag=x.tag[1:], dtype=np.dtype(f"f{half}"), itemsize=half)
    return [real, real._replace(address=x.address + half)]


def _replaced(x: Operand, array: Any) -> Operand:
    """Other host memory with elements of the same type."""
    return x._replace(owner=array, address=array.ctypes.data, shape=array.shape, strides=array.strides)


def selected(x: Any, where: Any, fill: Callable[[Any], Any] | None = None) -> Operand:
    """The elements of an array, or an Operand, that a mask selects: a copy of them, in host memory; None or True: all.

    fill: the others stay, too, with the value that it has for their dtype.
    """
    found = x if isinstance(x, Operand) else operand(x)
    if where is None or where is True:
        return found
    if found.on_device:
        raise TypeError("where= selects in host memory only: pass x[where] for an array on a device")
    mask = np.asarray(where)
    if mask.dtype != np.bool_:
        raise TypeError(f"where has dtype {mask.dtype}: it is bool")
    mask = np.broadcast_to(mask, found.shape)
    if fill is None:
        return _replaced(found, found.owner[mask])
    if found.dtype is None:  # the bits of a bfloat16
        found = converted(found, np.float32)
    array = np.array(found.owner)
    array[~mask] = fill(array.dtype)
    return _replaced(found, array)


def without_nans(x: Operand, fill: Callable[[Any], Any] | None = None) -> Operand:
    """The elements that are no NaN: a copy of them, in host memory; with fill as selected(), also of Parts."""
    if x.tag[0] not in "fc" and x.tag != "bf16":
        return x
    if x.pieces:
        return joined([without_nans(piece, fill) for piece in x.pieces], x.owner)
    if x.on_device:
        raise TypeError(f"NaNs are left out in host memory only, not in device memory of {x.dtype or x.tag}")
    found = converted(x, np.float32) if x.tag == "bf16" else x
    return selected(found, ~np.isnan(found.owner), fill)


def converted(x: Operand, dtype: Any) -> Operand:
    """The array in another dtype: a copy, in host memory."""
    if x.pieces:
        return joined([converted(piece, dtype) for piece in x.pieces], x.owner)
    if x.on_device:
        raise TypeError(f"device memory of {x.dtype or x.tag} is not converted to {dtype}: pass x.astype(...)")
    array = x.owner
    if x.tag == "bf16" and array.dtype == np.uint16:
        array = (array.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return _host_operand(array.astype(dtype))


def _merge(axes: Iterable[Axis]) -> list[Axis]:
    """As few axes as possible that visit the same elements in the same order."""
    merged: list[Axis] = []
    for length, strides in axes:
        if merged and all(outer == inner * length for outer, inner in zip(merged[-1][1], strides)):
            length *= merged.pop()[0]
        merged.append((length, strides))
    return merged


def _memory_order(axes: list[Axis], addresses: list[int]) -> tuple[list[Axis], list[int]]:
    """The axes as the first array has them in memory: upwards, the longest steps first."""
    upwards = []
    for length, strides in axes:
        if strides[0] < 0:
            addresses = [address + (length - 1) * stride for address, stride in zip(addresses, strides)]
            strides = tuple(-stride for stride in strides)
        upwards.append((length, strides))
    return sorted(upwards, key=lambda axis: axis[1], reverse=True), addresses


def _copied(x: Operand) -> Operand:
    return _replaced(x, np.ascontiguousarray(x.owner).reshape(x.shape))


def _axes_of(operands: list[Operand]) -> list[Axis]:
    return list(zip(operands[0].shape, zip(*(x.strides for x in operands))))


def as_one_axis(operands: list[Operand], in_order: bool, unit: bool = False) -> Plan | None:
    """As plan(), without a copy; None: there is no such way."""
    owners, addresses = [x.owner for x in operands], [x.address for x in operands]
    axes = [axis for axis in _axes_of(operands) if axis[0] != 1]
    if any(length == 0 for length, _ in axes):
        return Plan(owners, addresses, [1] * len(operands), 0)
    if not axes:
        return Plan(owners, addresses, [1] * len(operands), 1)
    candidates = [(axes, addresses)] if in_order else [(axes, addresses), _memory_order(axes, addresses)]
    for candidate, starts in candidates:
        merged = _merge(candidate)
        length, steps = merged[0]
        if len(merged) > 1 or any(stride % x.itemsize for stride, x in zip(steps, operands)):
            continue
        strides = [stride // x.itemsize for stride, x in zip(steps, operands)]
        if not unit or strides == [1] * len(operands):
            return Plan(owners, starts, strides, length)
    return None


def plan(operands: list[Operand], in_order: bool, unit: bool = False) -> Plan:
    """How the library visits arrays of one shape together.

    Args:
        operands: one or two.
        in_order: element i must be the i-th in C order; otherwise any order will do.
        unit: elements must lie side by side.

    Host arrays that no single stride describes are copied. Device arrays never are: ValueError.
    """
    found = as_one_axis(operands, in_order, unit)
    if found is not None:
        return found
    copied = as_one_axis(_all_copied(operands, "no single stride visits"), in_order, unit)
    assert copied is not None
    return copied


def _all_copied(operands: list[Operand], reason: str) -> list[Operand]:
    if any(x.on_device for x in operands):
        raise ValueError(f"{reason} device memory of shape {operands[0].shape} and strides "
                         f"{[x.strides for x in operands]} (bytes): make it contiguous first")
    return [_copied(x) for x in operands]


def _groups(operands: list[Operand], reduced: Sequence[int]) -> list[tuple[bool, Axis]]:
    """The axes, as few as possible, with whether they are reduced."""
    axes = [(number in reduced, axis) for number, axis in enumerate(_axes_of(operands)) if axis[0] != 1]
    return [(is_reduced, axis) for is_reduced, group in itertools.groupby(axes, key=lambda each: each[0])
            for axis in _merge(axis for _, axis in group)]


def arrays_of(operands: list[Operand],
              reduced: Sequence[int]) -> tuple[list[Operand], list[_library.ArrayStruct], int]:
    """Arrays of one shape as usw_array_t, what keeps their memory, and the set of the axes that are reduced.

    Host arrays are copied where strides are no multiples of elements, or too many axes are left. Device arrays never
    are: ValueError.
    """
    groups, most = _groups(operands, reduced), _library.MOST_AXES
    if len(groups) > most:
        operands = _all_copied(operands, f"more than {most} axes are left of")
        groups = _groups(operands, reduced)
    elif any(step % x.itemsize for _, (_, steps) in groups for step, x in zip(steps, operands)):
        operands = _all_copied(operands, "strides are no multiples of the elements of")
        groups = _groups(operands, reduced)
    if len(groups) > most:
        raise ValueError(f"{len(groups)} axes are left where neighbours that are both reduced, or both stay, are one: "
                         f"at most {most} are possible")
    structs = []
    for i, x in enumerate(operands):
        struct = _library.ArrayStruct(size=ctypes.sizeof(_library.ArrayStruct), data=x.address or None,
                                      type=_tables.TYPES[x.tag][0], rank=len(groups))
        for axis, (_, (length, steps)) in enumerate(groups):
            struct.extent[axis], struct.stride[axis] = length, steps[i] // x.itemsize
        structs.append(struct)
    return operands, structs, sum(1 << axis for axis, (is_reduced, _) in enumerate(groups) if is_reduced)
