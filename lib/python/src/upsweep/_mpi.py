"""Finds and loads libupsweep_mpi for the MPI library of mpi4py, and declares what mpi.py calls in it."""

from __future__ import annotations

import ctypes
import functools
import os
import pathlib
from typing import Any, NamedTuple

from . import _library

_VERSION_BYTES = 8192  # MPI_MAX_LIBRARY_VERSION_STRING of the libraries there are, and more
_SONAME = _library.SONAME.replace("libupsweep", "libupsweep_mpi")


class Mpi(NamedTuple):
    """What a call needs."""

    mpi: Any  # mpi4py.MPI
    library: ctypes.CDLL
    handle: Any  # the C type of a communicator


def _places() -> list[str]:
    named = os.environ.get("UPSWEEP_MPI_LIBRARY")
    if named:
        return [named]
    beside = pathlib.Path(_library.library_place)
    return [str(beside.with_name(_SONAME)), _SONAME] if beside.is_absolute() else [_SONAME]


def _load(MPI: Any) -> ctypes.CDLL:
    failures = []
    for place in _places():
        try:
            library = ctypes.CDLL(place)
        except OSError as failure:
            failures.append(f"\n  {place}: {failure}")
            continue
        _check_mpi(library, place, MPI)
        return library
    raise ImportError(f"upsweep.mpi: no libupsweep_mpi.so could be loaded. Build it for the MPI library of mpi4py ({_first_line(MPI)}), and "
                      f"set UPSWEEP_MPI_LIBRARY to its path, or put its folder on the loader's path. Tried:{''.join(failures)}")


def _first_line(MPI: Any) -> str:
    return str(MPI.Get_library_version()).strip("\0 \n").split("\n")[0].split(",")[0]


def _check_mpi(library: ctypes.CDLL, place: str, MPI: Any) -> None:
    """Refuse a library that was built for another MPI library than mpi4py, whose handles it would not understand."""
    text, length = ctypes.create_string_buffer(_VERSION_BYTES), ctypes.c_int()
    library.MPI_Get_library_version(text, ctypes.byref(length))
    found = text.value.decode(errors="replace").strip()
    if found != str(MPI.Get_library_version()).strip("\0 \n"):
        first = found.split("\n")[0].split(",")[0]
        raise ImportError(f"upsweep.mpi: {place} was built for {first}, mpi4py for {_first_line(MPI)}: both must be for the same MPI library. "
                          "Set UPSWEEP_MPI_LIBRARY to the one for mpi4py's")


@functools.lru_cache(maxsize=None)
def loaded() -> Mpi:
    """Load mpi4py, which initializes MPI, and the library, whose functions get their types."""
    try:
        from mpi4py import MPI
    except ImportError as failure:
        raise ImportError(f"upsweep.mpi needs mpi4py: {failure}") from failure
    library = _load(MPI)
    handle = ctypes.c_void_p if MPI._sizeof(MPI.Comm) == ctypes.sizeof(ctypes.c_void_p) else ctypes.c_int
    code, address, size, options = ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(_library.OptionsStruct)
    request, number = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_int)
    one = [code, code, address, size, address]
    two = [code, code, address, address, size, address]
    parts = [code, code, ctypes.POINTER(_library.PartStruct), size, address]
    for name, arguments in {
        "allreduce": [*one, handle, options], "allreduce_pair": [*two, handle, options],
        "allreduce_parts": [*parts, handle, options], "reduce_parts": [*parts, code, handle, options],
        "scan_parts": [*parts, handle, options], "exscan_parts": [*parts, handle, options],
        "iallreduce_parts": [*parts, handle, options, request], "allreduce_parts_init": [*parts, handle, options, request],
        "reduce": [*one, code, handle, options], "scan": [*one, handle, options], "exscan": [*one, handle, options],
        "iallreduce": [*one, handle, options, request], "iallreduce_pair": [*two, handle, options, request],
        "allreduce_init": [*one, handle, options, request], "allreduce_pair_init": [*two, handle, options, request],
        "start": [request], "test": [request, number], "wait": [request], "request_free": [request], "device": [handle, number],
        "locate": [size, ctypes.c_int64, number, ctypes.POINTER(ctypes.c_int64), handle],
    }.items():
        function = getattr(library, f"usw_mpi_{name}")
        function.argtypes, function.restype = arguments, None if name == "request_free" else code
    return Mpi(MPI, library, handle)


def handle_of(mpi: Mpi, comm: Any) -> Any:
    return mpi.handle(mpi.mpi._handleof(mpi.mpi.COMM_WORLD if comm is None else comm))
