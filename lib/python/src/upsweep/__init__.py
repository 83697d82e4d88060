"""Reductions over NumPy, CuPy and other arrays, by the Upsweep C library.

    >>> import numpy, upsweep
    >>> print(upsweep.sum(numpy.arange(5)))
    10

Every function runs where its array is: NumPy arrays on the host's threads, arrays with `__cuda_array_interface__`
or `__dlpack__` on their GPU. Functions may be called from any number of threads at once; the interpreter's lock is free
meanwhile.
"""

from __future__ import annotations

from . import _by_key, _compress, _functions, _nan, _scans, _statistics
from ._by_key import *  # noqa: F401,F403
from ._call import Report
from ._compress import *  # noqa: F401,F403
from ._errors import (DeviceError, Error, InvalidError, OutOfMemoryError, PlaceError, StateError, Status,
                      UnsupportedError, VersionError)
from ._functions import *  # noqa: F401,F403
from ._info import Info, info
from ._library import HEADER_VERSION, library_version
from ._nan import *  # noqa: F401,F403
from ._partial import Partial
from ._parts import Parts
from ._plan import Plan, Request
from ._results import Describe, Extremes, Located, Runs
from ._scans import *  # noqa: F401,F403
from ._set import Set
from ._statistics import *  # noqa: F401,F403

__version__ = HEADER_VERSION

__all__ = [*_functions.__all__, *_nan.__all__, *_scans.__all__, *_statistics.__all__, *_by_key.__all__,
           *_compress.__all__, "Describe", "DeviceError", "Error", "Extremes", "Info", "InvalidError", "Located",
           "OutOfMemoryError", "Partial", "Parts", "PlaceError", "Plan", "Report", "Request", "Runs", "Set", "StateError",
           "Status", "UnsupportedError", "VersionError", "info", "library_version"]
