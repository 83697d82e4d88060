"""One call of the library."""

from __future__ import annotations

import ctypes
import inspect
from typing import Any, Sequence

import numpy as np

from . import _fast, _library, _tables
from ._along import Along
from ._arrays import Operand, arrays_of, as_one_axis, operand, plan
from ._errors import Status, check, error
from ._parts import elements, structures
from ._results import convert, convert_all, layout

#: A NumPy array or what numpy.asarray() takes (array.array, memoryview, list, number), or an object with
#: `__cuda_array_interface__` (CuPy, PyTorch, Numba) or `__dlpack__` (PyTorch, JAX).
Array = Any

_NOT_COUNTED = (1 << 64) - 1
_ALL_DEVICES, _MOST_DEVICES = (1 << 64) - 1, 64
_NEEDS_ORDER = ("LOCATED", "DESCRIBE")


class Report:
    """What ran: filled by a call that was given one.

    Attributes
    ----------
    place
        "host" or "device"; "" before the first call.
    device
        OpenMP device number, -1 on the host.
    strategy
        As the option of that name.
    teams
        Teams launched; on the host: threads used.
    team_size
        Threads per team.
    bytes
        Bytes of elements read.
    time_ns
        From the call to the value, nanoseconds of wall clock.
    target
        "host", "nvptx", "amdgcn" or "x86_64".
    kept
        Items that count: all, but with ``nan="ignore"`` those without a NaN, of sums, products, dot products,
        norm1 and norm2; None where nobody counts them.
    """

    def __init__(self) -> None:
        self.place, self.strategy, self.target = "", "", ""
        self.device, self.teams, self.team_size, self.bytes, self.time_ns = -1, 0, 0, 0, 0
        self.kept: int | None = 0
        self._struct = _library.ReportStruct(size=ctypes.sizeof(_library.ReportStruct))

    def _fill(self) -> None:
        for name in ("device", "teams", "team_size", "bytes", "time_ns"):
            setattr(self, name, getattr(self._struct, name))
        self.place = _word(_tables.PLACES, self._struct.place)
        self.strategy = _word(_tables.STRATEGIES, self._struct.strategy)
        self.target = (self._struct.target or b"").decode()
        self.kept = None if self._struct.kept == _NOT_COUNTED else self._struct.kept

    def __repr__(self) -> str:
        return (f"Report(place={self.place!r}, device={self.device}, strategy={self.strategy!r}, teams={self.teams}, "
                f"team_size={self.team_size}, bytes={self.bytes}, time_ns={self.time_ns}, target={self.target!r}, "
                f"kept={self.kept})")


def _word(table: dict[str, int], value: int) -> str:
    return next((word for word, code in table.items() if code == value), str(value))


def _code(name: str, table: dict[str, int], word: str | None) -> int:
    """The value of an option's word; None is the default."""
    if word is None:
        return 0
    if word not in table:
        raise ValueError(f"{name}={word!r}: it is one of {', '.join(map(repr, table))}")
    return table[word]


def _mask(devices: str | Sequence[int] | None) -> int:
    """usw_options_t.devices."""
    if devices is None:
        return 0
    if devices == "all":
        return _ALL_DEVICES
    if isinstance(devices, str) or not devices or not all(0 <= number < _MOST_DEVICES for number in devices):
        raise ValueError(f"devices={devices!r}: it is \"all\" or numbers of devices, 0 to {_MOST_DEVICES - 1}")
    mask = 0
    for number in devices:
        mask |= 1 << number
    return mask


def options_struct(place: str | None, device: int | None, strategy: str | None, accuracy: str | None, nan: str | None,
                   teams: int, work_group_load: int, report: Report | None,
                   strides: Sequence[int], fold: int = 0,
                   devices: str | Sequence[int] | None = None) -> _library.OptionsStruct | None:
    """usw_options_t; None where all is as the library does it anyway."""
    given = (place, device, strategy, accuracy, nan, report, devices)
    by_default = not teams and not work_group_load and not fold and all(value is None for value in given)
    if by_default and all(stride == 1 for stride in strides):
        return None
    if device is not None and place not in (None, "device"):
        raise ValueError(f"device={device} goes with place=\"device\", not with place={place!r}")
    if not 0 <= teams < 1 << 32:
        raise ValueError(f"teams={teams}: 0 to 65535 are possible")
    if not 0 <= work_group_load < 1 << 32:
        raise ValueError(f"work_group_load={work_group_load}: 0 to 2^32 - 1 are possible")
    if not 0 <= fold < 1 << 32:
        raise ValueError(f"fold={fold}: 0 to 60 are possible")
    struct = _library.OptionsStruct(size=ctypes.sizeof(_library.OptionsStruct))
    struct.place = _code("place", _tables.PLACES, "device" if device is not None else place)
    if struct.place == _tables.PLACES["device"]:
        struct.device = device if device is not None else _library.first_gpu() or 0
    struct.strategy = _code("strategy", _tables.STRATEGIES, strategy)
    struct.accuracy = _code("accuracy", _tables.ACCURACIES, accuracy)
    struct.nan = _code("nan", _tables.NANS, nan)
    struct.teams = teams
    struct.work_group_load = work_group_load
    struct.fold = fold
    struct.devices = _mask(devices)
    for i, stride in enumerate(strides):
        struct.stride[i] = stride or _library.STRIDE_NONE
    if report is not None:
        if not isinstance(report, Report):
            raise TypeError(f"report is an upsweep.Report, not {type(report).__name__}")
        struct.report = ctypes.addressof(report._struct)
    return struct


def options_of(strides: Sequence[int], place: str | None = None, device: int | None = None, strategy: str | None = None,
               accuracy: str | None = None, nan: str | None = None, teams: int = 0, work_group_load: int = 0,
               report: Report | None = None, fold: int = 0,
               devices: str | Sequence[int] | None = None) -> _library.OptionsStruct | None:
    """As options_struct(), of keywords."""
    return options_struct(place, device, strategy, accuracy, nan, teams, work_group_load, report, strides, fold, devices)


_OPTIONS = frozenset(inspect.signature(options_of).parameters) - {"strides"}


def refuse_unknown(function: str, options: dict[str, Any]) -> None:
    """Refuse keywords that are no options, by the name of the function that was called."""
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}")


def check_type(name: str, tag: str, dtype: Any) -> None:
    """Refuse a type that a function does not have, as the library does."""
    if tag not in _tables.FUNCTIONS[name][3]:
        raise error(Status.ERROR_UNSUPPORTED, f"{name} is not defined for {dtype}")


def check_pair(x: Operand, y: Operand) -> None:
    """Refuse two arrays whose elements do not belong together."""
    if len(x.pieces) != len(y.pieces):
        raise ValueError("x and y must both be arrays, or Parts of as many arrays")
    for pair in zip(x.pieces, y.pieces):
        check_pair(*pair)
    if x.shape != y.shape:
        raise ValueError(f"x has shape {x.shape}, y has {y.shape}")
    if x.tag != y.tag:
        raise ValueError(f"x has dtype {x.dtype or x.tag}, y has {y.dtype or y.tag}: convert one of them")


def needs_order(name: str) -> bool:
    """Whether the result holds indices."""
    return _tables.FUNCTIONS[name][2] in _NEEDS_ORDER


def _short(name: str, operands: list[Operand], accuracy: str | None, nan: str | None, along: Along | None) -> Any:
    """What run() returns without other options; None: not the short way."""
    if accuracy not in (None, "compensated") or nan not in (None, "ignore"):
        return None
    if any(x.on_device or x.tag == "bf16" for x in operands):
        return None
    number = _fast.NUMBERS[name] | (_fast.COMPENSATED if accuracy else 0) | (_fast.IGNORES_NAN if nan else 0)
    owners = [x.owner for x in operands]
    if along is None:
        return _fast.reduce(number, *owners)
    return None if along.segments else _fast.along(number, along.axes(owners[0].ndim), False, None, *owners)


def _function(name: str, operands: list[Operand]) -> Any:
    """The function of the library, or the one for two arrays."""
    return getattr(_library.library, name if len(operands) == 1 else f"{name}_pair")


def run(name: str, operands: list[Operand], place: str | None = None, device: int | None = None,
        strategy: str | None = None, accuracy: str | None = None, nan: str | None = None, teams: int = 0,
        work_group_load: int = 0, report: Report | None = None, fold: int = 0,
        devices: str | Sequence[int] | None = None, *, any_order: bool = False,
        along: Along | None = None, is_final: bool = False) -> Any:
    """Call the function of this name and convert its result; of no elements it is the identity.

    any_order: indices in the result are not used, so elements may be visited in the order of memory.
    along: results are arrays of the axes that stay, or of segments; an array of indices for argmin and argmax.
    is_final: results of these may go where along.finish() would put them; where they did, that is returned.
    """
    if place is device is strategy is report is devices is None and not (teams or work_group_load or fold):
        found = _short(name, operands, accuracy, nan, along)
        if found is not None:
            return found
    operation, _, kind, _, _ = _tables.FUNCTIONS[name]
    tag, dtype, ndim = operands[0].tag, operands[0].dtype, len(operands[0].shape)
    if len(operands) == 2:
        check_pair(*operands)
    check_type(name, tag, dtype or tag)
    given = (place, device, strategy, accuracy, nan, teams, work_group_load, report)
    if operands[0].pieces:
        return _run_parts(name, operands, needs_order(name) and not any_order, report,
                          options_struct(*given, (), fold, devices))
    axes = tuple(range(ndim)) if along is None else along.axes(ndim)
    segments, planned = None if along is None else along.segments, None
    is_one = segments is None and len(axes) == ndim
    lacks_axes = accuracy == "exact" or fold or strategy is not None or devices is not None
    target = None if along is None or not is_final else _device_target(along, operands[0], kind)
    if is_one and (lacks_axes or 0 in operands[0].shape):
        target = None  # usw_reduce() writes to the host's memory
    result = np.empty(() if along is None else along.kept(operands[0]), layout(kind, tag))
    address = result.ctypes.data if target is None else operand(target).address
    if segments is not None:
        planned = plan(operands, True)
    elif is_one and target is None:
        in_order = needs_order(name) and not any_order
        planned = plan(operands, in_order) if lacks_axes else as_one_axis(operands, in_order)
    if planned is not None:
        items: list[Any] = [*planned.addresses, planned.length]
        if segments is not None:
            items.append(segments.structure(operands[0]))
        call = _function("usw_reduce" if segments is None else "usw_reduce_segments", operands)
        options = options_struct(*given, planned.strides, fold, devices)
        check(call(operation, _tables.TYPES[tag][0], *items, address, options))
    else:
        operands, arrays, mask = arrays_of(operands, axes)
        call = _function("usw_reduce_axes", operands)
        check(call(operation, *arrays, mask, address, options_struct(*given, (), fold, devices)))
    if report is not None:
        report._fill()
    if target is not None:
        return target
    return convert(result, kind, tag, dtype) if along is None else convert_all(result, kind, tag, dtype)


def _run_parts(name: str, operands: list[Operand], in_order: bool, report: Report | None,
               options: _library.OptionsStruct | None) -> Any:
    """As run(), of what is in parts."""
    operation, _, kind, _, _ = _tables.FUNCTIONS[name]
    tag, dtype = operands[0].tag, operands[0].dtype
    result = np.empty((), layout(kind, tag))
    structs, _plans = structures(operands, in_order)
    check(_library.library.usw_reduce_parts(operation, _tables.TYPES[tag][0], structs, len(structs), result.ctypes.data,
                                            options))
    if report is not None:
        report._fill()
    return convert(result, kind, tag, dtype)


def _device_target(along: Along, x: Operand, kind: str) -> Any:
    """Where results of one number each may be written on a device; None: not there."""
    results = layout(kind, x.tag)
    if not x.on_device or results.names is not None:
        return None
    if along.segments is not None and 0 in (along.segments.count(x), *x.shape):
        return None  # the host has nothing to read
    dtype = {"COUNT": "int64"}.get(kind, "bfloat16" if kind == "ELEMENT" and x.tag == "bf16" else results.name)
    target = along.target(x, dtype)
    return None if isinstance(target, np.ndarray) else target


def reduce(name: str, inputs: tuple[Any, ...], along: Along | None = None, *options: Any) -> Any:
    """As run(), of arrays."""
    operands = [elements(x) for x in inputs]
    if along is None:
        return run(name, operands, *options)
    return along.finish(run(name, operands, *options, along=along, is_final=True), operands[0])
