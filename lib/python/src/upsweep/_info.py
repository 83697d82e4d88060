"""What the library is and sees."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

from . import _fast
from ._library import first_gpu, gpu_count, library, library_place, library_version

_MOST_DEVICES = 64


class Info(NamedTuple):
    """The library that was loaded."""

    version: str  #: "0.1.0"
    library: str  #: its path, or the name that the loader found it by
    gpu_count: int  #: GPUs that it can run on
    first_gpu: int | None  #: OpenMP device number of the first one
    devices: dict[int, str]  #: OpenMP device number: "nvptx", "amdgcn" or "x86_64", for those it has an image for
    environment: str  #: the environment variables that it reads, their values now, and what they mean
    extension: bool  #: whether short calls go through the package's extension, and not through ctypes


def info() -> Info:
    """What was loaded, and the devices that it can run on. The first call asks the driver."""
    devices = {}
    for number in range(_MOST_DEVICES):
        target = library.usw_device_target(number)
        if target is not None:
            devices[number] = target.decode()
    text = ctypes.create_string_buffer(library.usw_environment_help(None, 0))
    library.usw_environment_help(text, len(text))
    return Info(library_version(), library_place, gpu_count(), first_gpu(), devices, text.value.decode(),
                _fast.is_built)
