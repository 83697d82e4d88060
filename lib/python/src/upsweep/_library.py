"""Finds and loads libupsweep.so, and declares what the package calls in it."""

from __future__ import annotations

import ctypes
import os
import pathlib

from . import _tables

HEADER_VERSION = ".".join(map(str, _tables.VERSION))
SONAME = "libupsweep.so.{}.{}".format(*_tables.VERSION)

_C_TYPES = {"size_t": ctypes.c_size_t, "ptrdiff_t": ctypes.c_ssize_t, "int": ctypes.c_int, "uint32_t": ctypes.c_uint32,
            "uint64_t": ctypes.c_uint64, "const char *": ctypes.c_char_p}


def _member(name: str, kind: str, count: int) -> tuple[str, type]:
    """A member for ctypes; other pointers are void *, what is left are enums."""
    pointer_or_enum = ctypes.c_void_p if kind.endswith("*") else ctypes.c_int
    c_type = _C_TYPES.get(kind, pointer_or_enum)
    return name, c_type * count if count else c_type


class OptionsStruct(ctypes.Structure):
    """usw_options_t"""

    _fields_ = [_member(*row) for row in _tables.OPTIONS]


class ReportStruct(ctypes.Structure):
    """usw_report_t"""

    _fields_ = [_member(*row) for row in _tables.RECORD]


class ArrayStruct(ctypes.Structure):
    """usw_array_t"""

    _fields_ = [_member(*row) for row in _tables.ARRAY]


class SegmentsStruct(ctypes.Structure):
    """usw_segments_t"""

    _fields_ = [_member(*row) for row in _tables.SEGMENTS]


class PartStruct(ctypes.Structure):
    """usw_part_t"""

    _fields_ = [_member(*row) for row in _tables.PART]


class RequestStruct(ctypes.Structure):
    """usw_request_t"""

    _fields_ = [_member(*row) for row in _tables.REQUEST]


#: A stride of 0, which stands for one of 1.
STRIDE_NONE = -(1 << (8 * ctypes.sizeof(ctypes.c_ssize_t) - 1))
#: The most axes of an array.
MOST_AXES = next(count for name, _, count in _tables.ARRAY if name == "extent")

_ADDRESS, _CODE, _SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t
_OPTIONS, _ARRAY = ctypes.POINTER(OptionsStruct), ctypes.POINTER(ArrayStruct)
_SEGMENTS, _PART = ctypes.POINTER(SegmentsStruct), ctypes.POINTER(PartStruct)
_REQUEST = ctypes.POINTER(RequestStruct)
_SIZE_OUT = ctypes.POINTER(_SIZE)

_FUNCTIONS = {  # name: (result, arguments)
    "usw_reduce": (_CODE, [_CODE, _CODE, _ADDRESS, _SIZE, _ADDRESS, _OPTIONS]),
    "usw_reduce_pair": (_CODE, [_CODE, _CODE, _ADDRESS, _ADDRESS, _SIZE, _ADDRESS, _OPTIONS]),
    "usw_reduce_axes": (_CODE, [_CODE, _ARRAY, ctypes.c_uint32, _ADDRESS, _OPTIONS]),
    "usw_reduce_axes_pair": (_CODE, [_CODE, _ARRAY, _ARRAY, ctypes.c_uint32, _ADDRESS, _OPTIONS]),
    "usw_reduce_segments": (_CODE, [_CODE, _CODE, _ADDRESS, _SIZE, _SEGMENTS, _ADDRESS, _OPTIONS]),
    "usw_reduce_segments_pair": (_CODE, [_CODE, _CODE, _ADDRESS, _ADDRESS, _SIZE, _SEGMENTS, _ADDRESS, _OPTIONS]),
    "usw_reduce_parts": (_CODE, [_CODE, _CODE, _PART, _SIZE, _ADDRESS, _OPTIONS]),
    "usw_plan_create_parts": (_CODE, [ctypes.POINTER(_ADDRESS), _CODE, _CODE, _PART, _SIZE, _OPTIONS]),
    "usw_plan_run_parts": (_CODE, [_ADDRESS, _ADDRESS]),
    "usw_plan_start_parts": (_CODE, [_ADDRESS, _ADDRESS, _REQUEST]),
    "usw_request_test": (_CODE, [_REQUEST, ctypes.POINTER(_CODE)]),
    "usw_request_wait": (_CODE, [_REQUEST]),
    "usw_plan_destroy": (None, [_ADDRESS]),
    "usw_scan_inclusive": (_CODE, [_CODE, _CODE, _ADDRESS, _SIZE, _ADDRESS, _OPTIONS]),
    "usw_scan_exclusive": (_CODE, [_CODE, _CODE, _ADDRESS, _SIZE, _ADDRESS, _ADDRESS, _OPTIONS]),
    "usw_scan_segments": (_CODE, [_CODE, _CODE, _ADDRESS, _SIZE, _SEGMENTS, _ADDRESS, _OPTIONS]),
    "usw_scan_segments_exclusive": (_CODE, [_CODE, _CODE, _ADDRESS, _SIZE, _SEGMENTS, _ADDRESS, _ADDRESS, _OPTIONS]),
    "usw_scan_by_key": (_CODE, [_CODE, _CODE, _ADDRESS, _CODE, _ADDRESS, _SIZE, _ADDRESS, _OPTIONS]),
    "usw_scan_by_key_exclusive": (_CODE, [_CODE, _CODE, _ADDRESS, _CODE, _ADDRESS, _SIZE, _ADDRESS, _ADDRESS,
                                          _OPTIONS]),
    "usw_reduce_by_key": (_CODE, [_CODE, _CODE, _ADDRESS, _CODE, _ADDRESS, _SIZE, _ADDRESS, _ADDRESS, _SIZE_OUT,
                                  _OPTIONS]),
    "usw_select": (_CODE, [_CODE, _ADDRESS, _ADDRESS, _SIZE, _ADDRESS, _SIZE_OUT, _OPTIONS]),
    "usw_partial_create": (_CODE, [ctypes.POINTER(_ADDRESS), _CODE, _CODE, _OPTIONS]),
    "usw_partial_add": (_CODE, [_ADDRESS, _ADDRESS, _SIZE]),
    "usw_partial_result": (_CODE, [_ADDRESS, _ADDRESS]),
    "usw_partial_begin_at": (_CODE, [_ADDRESS, ctypes.c_uint64]),
    "usw_partial_merge": (_CODE, [_ADDRESS, _ADDRESS]),
    "usw_partial_export": (_CODE, [_ADDRESS, _ADDRESS, _SIZE, _SIZE_OUT]),
    "usw_partial_import": (_CODE, [ctypes.POINTER(_ADDRESS), _ADDRESS, _SIZE, _OPTIONS]),
    "usw_partial_destroy": (None, [_ADDRESS]),
    "usw_set_create": (_CODE, [ctypes.POINTER(_ADDRESS)]),
    "usw_set_add": (_CODE, [_ADDRESS, _CODE, _CODE, _ADDRESS, ctypes.c_ssize_t, _ADDRESS, ctypes.c_uint32]),
    "usw_set_add_span": (_CODE, [_ADDRESS, _CODE, _CODE, _ADDRESS, ctypes.c_ssize_t, _CODE, _ADDRESS, _ADDRESS, _SIZE,
                                 ctypes.c_uint32]),
    "usw_set_run": (_CODE, [_ADDRESS, _SIZE, _OPTIONS]),
    "usw_set_destroy": (None, [_ADDRESS]),
    "usw_result_bytes": (_SIZE, [_CODE, _CODE]),
    "usw_version": (ctypes.c_int, []),
    "usw_gpu_count": (ctypes.c_int, [ctypes.POINTER(ctypes.c_int)]),
    "usw_device_target": (ctypes.c_char_p, [ctypes.c_int]),
    "usw_environment_help": (_SIZE, [ctypes.c_char_p, _SIZE]),
    "usw_error_text": (ctypes.c_char_p, []),
    "usw_status_text": (ctypes.c_char_p, [_CODE]),
}


def _places() -> list[str]:
    """Where the library may be, in order."""
    named = os.environ.get("UPSWEEP_LIBRARY")
    if named:
        return [named]
    bundled = pathlib.Path(__file__).with_name("libupsweep.so")
    return [str(bundled), SONAME]


def _load() -> tuple[ctypes.CDLL, str]:
    """The library and where it was found."""
    failures = []
    for place in _places():
        try:
            return ctypes.CDLL(place), place
        except OSError as error:
            failures.append(f"\n  {place}: {error}")
    raise ImportError(
        "upsweep: no libupsweep.so could be loaded. Set UPSWEEP_LIBRARY to its path, or put its folder on the "
        f"loader's path (LD_LIBRARY_PATH, ldconfig). Tried:{''.join(failures)}")


def _declare(library: ctypes.CDLL, place: str) -> None:
    """Prototypes, and the same version as the headers that this package was made from."""
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name, None)
        if function is None:
            raise ImportError(f"upsweep: {place} has no {name}: it is not the library of version {HEADER_VERSION}")
        function.restype, function.argtypes = result, arguments
    if library.usw_version() // 100 != _tables.VERSION[0] * 100 + _tables.VERSION[1]:
        raise ImportError(f"upsweep: {place} is version {_version(library)}, this package needs {HEADER_VERSION}")


def _version(library: ctypes.CDLL) -> str:
    number = library.usw_version()
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


library, library_place = _load()
_declare(library, library_place)


def library_version() -> str:
    """The version of the library that was loaded: "0.1.0"."""
    return _version(library)


def gpu_count() -> int:
    """How many GPUs the library can run on."""
    return library.usw_gpu_count(None)


def first_gpu() -> int | None:
    """The OpenMP device number of the first GPU; None without one."""
    device = ctypes.c_int()
    return device.value if library.usw_gpu_count(ctypes.byref(device)) else None
