"""The library by its C interface, as the benchmarks of many results call it from Python: codes, structures, one read, and rounds in which all
competitors take turns."""
import ctypes
import statistics
import sys
import time

# Codes of <upsweep/types.h>, which never change.
OPERATIONS = {"sum": 1, "max": 4, "argmax": 36, "describe": 35}
CODES = {"f64": 12, "f32": 11, "f16": 9, "u8": 5, "i16": 2, "i32": 3, "i64": 4}


class Array(ctypes.Structure):
    """usw_array_t"""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("data", ctypes.c_void_p),
        ("type", ctypes.c_int),
        ("rank", ctypes.c_uint32),
        ("extent", ctypes.c_size_t * 8),
        ("stride", ctypes.c_ssize_t * 8),
    ]


class Segments(ctypes.Structure):
    """usw_segments_t"""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("count", ctypes.c_size_t),
        ("type", ctypes.c_int),
        ("begins", ctypes.c_void_p),
        ("ends", ctypes.c_void_p),
        ("length", ctypes.c_size_t),
    ]


class Library:
    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.usw_reduce.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]
        self.library.usw_reduce_axes.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p]
        self.library.usw_result_bytes.restype = ctypes.c_size_t
        self.library.usw_error_text.restype = ctypes.c_char_p

    def version(self):
        return self.library.usw_version()

    def check(self, status):
        if status != 0:
            sys.exit(self.library.usw_error_text().decode())

    def read_of(self, address, doubles):
        """A sum of so many doubles: one read of them."""
        result = ctypes.c_double()
        operation, code, out = OPERATIONS["sum"], CODES["f64"], ctypes.addressof(result)

        def call():
            self.check(self.library.usw_reduce(operation, code, address, doubles, out, None))

        call.keep = result
        return call

    def axes_of(self, array, axes, operation, out):
        """A reduction of an Array along axes to results at an address."""
        mask = sum(1 << axis for axis in axes)
        operation, address, function = OPERATIONS[operation], ctypes.byref(array), self.library.usw_reduce_axes

        def call():
            self.check(function(operation, address, mask, out, None))

        return call


def array_of(address, type_name, shape, strides):
    """Strides in elements."""
    array = Array(ctypes.sizeof(Array), address, CODES[type_name], len(shape))
    for d, (extent, stride) in enumerate(zip(shape, strides)):
        array.extent[d], array.stride[d] = extent, stride
    return array


TURN_SECONDS = 2e-3  # of a turn, if a call takes less
MOST_CALLS = 2000  # in a turn
# Of a system that packs threads: it moves those that have slept to a processor of their own after some 4 ms.
WAKING_SECONDS = 0.01


def repeat(call, times):
    if hasattr(call, "repeat"):
        call.repeat(times)
        return
    for _ in range(times):
        call()


def time_rounds(calls, rounds, settle=None, clock=time.perf_counter, most_seconds=None):
    """Seconds of each call, a list over the rounds, in which all take turns, from another one on in each. A call with an attribute `repeat` is
    made several times by that function. `settle` is called before a turn; then calls of WAKING_SECONDS, in which threads wake and are moved to
    processors of their own, are not timed. Three rounds, or as many more as take `most_seconds` in all."""
    repeats, of_round, times, names = {}, 0, {name: [] for name in calls}, list(calls)
    for name, call in calls.items():
        call()
        start = clock()
        call()
        taken = max(clock() - start, 1e-7)
        repeats[name] = max(1, min(MOST_CALLS, int(TURN_SECONDS / taken)))
        of_round += repeats[name] * taken
    if most_seconds:
        rounds = min(rounds, max(3, int(most_seconds / of_round)))
    for r in range(rounds):
        for name in names[r % len(names):] + names[:r % len(names)]:
            call = calls[name]
            if settle:
                settle()
                start = clock()
                call()
                while clock() - start < WAKING_SECONDS:
                    call()
            start = clock()
            repeat(call, repeats[name])
            times[name].append((clock() - start) / repeats[name])
    return times


def medians(times):
    return {name: statistics.median(values) for name, values in times.items()}
