#!/usr/bin/env python3
"""Reductions along axes on the host, beside NumPy and OpenBLAS.

    perf/axes/host.py --library build/host/libupsweep.so --repeat build/host/perf/librepeat.so [--threads N] [--rounds N] [--cells REGEX]
                      [--json FILE --commit COMMIT --built TEXT]

Every cell is an operation, a type, a shape and the reduced axis. All competitors have N threads (one for each processor where N is not said) and
are called in turns in each round. A cell's figure is the median over the rounds, which are three at least; its spread is the distance of the
quartiles by the median. With one thread time is that of the thread on the processor, which does not count other work on the machine; with several
it is the time that passes. `read` is the time that usw_sum() takes for the same bytes as doubles: one read of the array. `openblas` is a matrix
times ones by the OpenBLAS that comes with NumPy. The library and OpenBLAS are called by a loop in C (repeat.c, `--repeat`), NumPy by Python, as
their users do; NumPy writes into arrays made before. `describe` is beside NumPy's mean and variance, two calls for a part of that. Results are
compared with NumPy's.
"""
import argparse
import ctypes
import json
import math
import os
import pathlib
import re
import statistics
import sys
import time


def arguments_of():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--repeat", required=True, help="repeat.c, built")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--cells", default="")
    parser.add_argument("--json")
    parser.add_argument("--commit", default="")
    parser.add_argument("--built", default="", help="how the library was built, for the JSON file")
    return parser.parse_args()


ARGUMENTS = arguments_of()
for name in ("USW_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # which libraries read when they are loaded
    os.environ[name] = str(ARGUMENTS.threads)
os.environ["USW_PLACE"] = "host"  # where there are GPUs nobody is asked whose memory it is

import numpy  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from called_library import OPERATIONS, Library, array_of, medians, time_rounds  # noqa: E402

TYPES = {"f64": numpy.float64, "f32": numpy.float32}
SHAPES = [(10, 100), (100, 10), (100, 100), (1000, 100), (1024, 1024), (1 << 13, 1 << 13), (1 << 20, 64), (64, 1 << 20), (1 << 22, 7),
          (256, 512, 512)]
REPEAT = ctypes.CDLL(ARGUMENTS.repeat)
CLOCK = time.thread_time if ARGUMENTS.threads == 1 else time.perf_counter
MOST_SECONDS = 1  # of a cell's rounds
NOT_QUIET_SECONDS = 0.15  # for which OpenBLAS's threads look for work: 2^28 cycles, and some more


def described(element):
    """usw_describe_<tag>_t"""
    return numpy.dtype([("count", numpy.int64), ("mean", numpy.float64), ("variance", numpy.float64), ("minimum", element), ("maximum", element),
                        ("minimum_index", numpy.int64), ("maximum_index", numpy.int64)], align=True)


def results_of(operation, element, count):
    if operation == "argmax":
        return numpy.empty(count, numpy.dtype([("value", element), ("index", numpy.int64)], align=True))
    return numpy.empty(count, described(element) if operation == "describe" else element)


def by_numpy(x, axis, operation):
    shape = x.shape[:axis] + x.shape[axis + 1:]
    out = numpy.empty(shape, numpy.int64 if operation == "argmax" else x.dtype)
    if operation == "describe":
        other = numpy.empty(shape, x.dtype)
        return lambda: (numpy.mean(x, axis, out=out), numpy.var(x, axis, out=other))
    function = {"sum": numpy.sum, "max": numpy.max, "argmax": numpy.argmax}[operation]
    return lambda: function(x, axis, out=out)


class Repeated:
    """A call that a function of repeat.c makes as often as it is told."""

    def __init__(self, name, function, *arguments, check=None, keep=()):
        self.loop, self.function = getattr(REPEAT, name), ctypes.cast(function, ctypes.c_void_p)
        self.arguments, self.check, self.keep = arguments, check, keep

    def repeat(self, times):
        status = self.loop(self.function, ctypes.c_int64(times), *self.arguments)
        if self.check:
            self.check(status)

    def __call__(self):
        self.repeat(1)


def by_library(library, x, type_name, axis, operation, out):
    array = array_of(x.ctypes.data, type_name, x.shape, [stride // x.itemsize for stride in x.strides])
    return Repeated("repeat_axes", library.library.usw_reduce_axes, OPERATIONS[operation], ctypes.byref(array), 1 << axis,
                    ctypes.c_void_p(out.ctypes.data), check=library.check, keep=array)


def read_of(library, x):
    return Repeated("repeat_read", library.library.usw_reduce, ctypes.c_void_p(x.ctypes.data), ctypes.c_size_t(x.nbytes // 8),
                    check=library.check)


def openblas():
    """The OpenBLAS that comes with NumPy."""
    folder = pathlib.Path(numpy.__file__).resolve().parents[1] / "numpy.libs"
    files = list(folder.glob("libscipy_openblas64_*.so"))
    if not files:
        sys.exit(f"no OpenBLAS in {folder}: install NumPy's wheel")
    return ctypes.CDLL(str(files[0]))


def by_openblas(x, axis):
    """A matrix times ones: x as one matrix, or, of a middle axis, as several."""
    letter, ones = "d" if x.dtype == numpy.float64 else "s", numpy.ones(x.shape[axis], x.dtype)
    is_last = axis == x.ndim - 1
    matrices = x.reshape(1, -1, x.shape[-1]) if is_last else x.reshape(1, x.shape[0], -1) if axis == 0 else x
    count, rows, columns = matrices.shape
    out = numpy.empty(count * (rows if is_last else columns), x.dtype)
    return Repeated(f"repeat_{letter}gemv", getattr(openblas(), f"scipy_cblas_{letter}gemv64_"), int(not is_last),
                    *map(ctypes.c_int64, (count, rows, columns)), *(ctypes.c_void_p(a.ctypes.data) for a in (x, ones, out)), keep=(ones, out))


def is_right(found, x, axis, operation):
    most = numpy.max(x, axis).ravel()
    mean = numpy.mean(x, axis, dtype=numpy.float64).ravel()
    if operation == "max":
        return bool(numpy.array_equal(found, most))
    if operation == "argmax":
        return bool(numpy.array_equal(found["value"], most) and numpy.array_equal(found["index"], numpy.argmax(x, axis).ravel()))
    if operation == "sum":
        return bool(numpy.allclose(found, mean * x.shape[axis], rtol=1e-5, atol=1e-6 * x.shape[axis]))
    return bool(numpy.allclose(found["mean"], mean, atol=1e-6) and numpy.array_equal(found["maximum"], most) and
                numpy.allclose(found["variance"], numpy.var(x, axis, dtype=numpy.float64).ravel(), rtol=1e-5, atol=1e-9))


def settle_of(library):
    """Sends the threads of OpenMP's runtime and of OpenBLAS to sleep: on few processors those that look for work disturb the next in turn."""
    if ARGUMENTS.threads == 1:
        return None
    handle, some = library.library, numpy.ones(1 << 20)
    read = library.read_of(some.ctypes.data, some.size)

    def settle():
        before = handle.kmp_get_blocktime()
        handle.kmp_set_blocktime(0)
        read()  # every thread has to come by to learn it
        handle.kmp_set_blocktime(before)
        time.sleep(NOT_QUIET_SECONDS)

    settle.keep = some
    return settle


def spread(values):
    low, _, high = statistics.quantiles(values, n=4) if len(values) > 1 else (values[0],) * 3
    return round((high - low) / statistics.median(values), 3)


def measure(library, settle, x, type_name, axis, operation):
    """A cell: whether the results are right, microseconds, and their spread."""
    found = results_of(operation, x.dtype, math.prod(x.shape) // x.shape[axis])
    ours = by_library(library, x, type_name, axis, operation, found)
    calls = {"upsweep": ours, "read": read_of(library, x), "numpy": by_numpy(x, axis, operation)}
    if operation == "sum":
        calls["openblas"] = by_openblas(x, axis)
    ours()
    right = is_right(found, x, axis, operation)
    times = time_rounds(calls, ARGUMENTS.rounds, settle, CLOCK, MOST_SECONDS)
    microseconds = {name: round(seconds * 1e6, 2) for name, seconds in medians(times).items()}
    return {"right": right, **microseconds, "spread": {name: spread(values) for name, values in times.items()}}


def line(cell):
    best = min(cell[name] for name in ("numpy", "openblas") if name in cell)
    times = "  ".join(f"{name} {cell[name]:.1f}" for name in ("upsweep", "read", "numpy", "openblas") if name in cell)
    return (f"{cell['cell']:36} {'right' if cell['right'] else 'WRONG'} of read {cell['read'] / cell['upsweep']:5.2f} of best peer "
            f"{best / cell['upsweep']:6.2f}  {times}  spread {cell['spread']['upsweep']:.2f}")


def processor():
    names = re.findall(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    return names[0] if names else "unknown"


def save(library, cells):
    blas = numpy.show_config(mode="dicts")["Build Dependencies"]["blas"]
    words = ["perf/axes/host.py", "--library", pathlib.Path(ARGUMENTS.library).name, "--repeat", pathlib.Path(ARGUMENTS.repeat).name,
             "--threads", str(ARGUMENTS.threads), "--rounds", str(ARGUMENTS.rounds),
             *(["--cells", f"'{ARGUMENTS.cells}'"] if ARGUMENTS.cells else []), "--json", pathlib.Path(ARGUMENTS.json).name]
    command = " ".join(words)
    context = {
        "device": processor(),
        "commit": ARGUMENTS.commit,
        "threads": ARGUMENTS.threads,
        "upsweep": library.version(),
        "versions": {"numpy": numpy.__version__, "openblas": blas["version"]},
        "command": f"{command}, built as {ARGUMENTS.built}" if ARGUMENTS.built else command,
        "unit": f"us{' of the thread on the processor' if ARGUMENTS.threads == 1 else ''}, medians of 3 to {ARGUMENTS.rounds} rounds",
    }
    lines = [f" {json.dumps(key)}: {json.dumps(value)}," for key, value in context.items()]
    rows = ",\n".join(f"  {json.dumps(cell)}" for cell in cells)
    pathlib.Path(ARGUMENTS.json).write_text("\n".join(["{", *lines, ' "cells": [', rows, " ]", "}", ""]))


def main():
    library, generator, cells = Library(ARGUMENTS.library), numpy.random.default_rng(7), []
    settle = settle_of(library)
    for shape in SHAPES:
        for type_name, element in TYPES.items():
            x = None
            for axis in range(len(shape)):
                for operation in OPERATIONS:
                    name = f"{operation} {type_name} {'x'.join(map(str, shape))} axes {axis}"
                    if not re.search(ARGUMENTS.cells, name):
                        continue
                    if x is None:
                        x = generator.random(shape, dtype=element) - element(0.25)
                    cells.append({"cell": name, **measure(library, settle, x, type_name, axis, operation)})
                    print(line(cells[-1]), flush=True)
                    if ARGUMENTS.json:
                        save(library, cells)
    sys.exit(any(not cell["right"] for cell in cells))


if __name__ == "__main__":
    main()
