#!/usr/bin/env python3
"""y = A x of sparse matrices by rows on a GPU, as a kernel of segments, beside cuSPARSE's algorithms for such matrices.

    perf/segments/spmv.py --library build/gpu/perf/libspmv.so [--json FILE] [--matrix FILE.mtx] [--rounds N]

Matrices: a 27-point stencil, rows whose lengths follow a power law with one of 10^6 elements, and one whose rows are mostly empty; or a Matrix
Market file. All take turns in each round and wait for their results; figures are medians. Results are compared with SciPy's, and each
algorithm's bits of twenty runs with each other.
"""
import argparse
import ctypes
import pathlib
import sys

import cupy
import numpy
import scipy.io
import scipy.sparse
from cupy_backends.cuda.libs import cusparse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from many_results import measure, save  # noqa: E402

CUDA_R_64F, INDEX_32, BASE_ZERO, NO_TRANSPOSE = 1, 2, 0, 0
ALGORITHMS = {"cusparse default": 0, "cusparse alg1": 2, "cusparse alg2": 3}


def stencil(side):
    """27 points on a cube of so many points a side."""
    line = scipy.sparse.diags([1.0, 1.0, 1.0], [-1, 0, 1], shape=(side, side))
    return scipy.sparse.kron(scipy.sparse.kron(line, line), line).tocsr()


def by_lengths(lengths, columns, rng):
    offsets = numpy.concatenate(([0], numpy.cumsum(lengths)))
    values = rng.standard_normal(offsets[-1])
    return scipy.sparse.csr_matrix((values, rng.integers(0, columns, offsets[-1]), offsets), shape=(len(lengths), columns))


def power_law(rows, rng):
    lengths = numpy.minimum(3 * rng.pareto(1.2, rows) + 1, 10**5).astype(numpy.int64)
    lengths[rows // 3] = 10**6
    return by_lengths(lengths, rows, rng)


def mostly_empty(rows, rng):
    return by_lengths(numpy.where(rng.random(rows) < 0.9, 0, rng.integers(1, 60, rows)), rows, rng)


class Upsweep:
    """The kernel's library."""

    def __init__(self, path):
        self.library = ctypes.CDLL(path)
        self.library.spmv_by_offsets.argtypes = [ctypes.c_size_t] * 2 + [ctypes.c_void_p] * 5 + [ctypes.c_int]
        self.library.usw_error_text.restype = ctypes.c_char_p

    def version(self):
        return self.library.usw_version()

    def call(self, matrix, x, y, is_reproducible):
        arguments = [matrix.shape[0], matrix.nnz, matrix.indptr.data.ptr, matrix.data.data.ptr, matrix.indices.data.ptr,
                     x.data.ptr, y.data.ptr, is_reproducible]

        def call():
            if self.library.spmv_by_offsets(*arguments) != 0:
                sys.exit(self.library.usw_error_text().decode())

        return call


def cusparse_call(matrix, x, y, algorithm):
    """One of cuSPARSE's, with its memory."""
    handle, one, zero = cupy.cuda.device.get_cusparse_handle(), numpy.array(1.0), numpy.array(0.0)
    rows, columns = matrix.shape
    a = cusparse.createCsr(rows, columns, matrix.nnz, matrix.indptr.data.ptr, matrix.indices.data.ptr, matrix.data.data.ptr,
                           INDEX_32, INDEX_32, BASE_ZERO, CUDA_R_64F)
    of_x, of_y = cusparse.createDnVec(columns, x.data.ptr, CUDA_R_64F), cusparse.createDnVec(rows, y.data.ptr, CUDA_R_64F)
    arguments = [handle, NO_TRANSPOSE, one.ctypes.data, a, of_x, zero.ctypes.data, of_y, CUDA_R_64F, algorithm]
    memory = cupy.empty(max(1, cusparse.spMV_bufferSize(*arguments)), dtype=cupy.uint8)

    def call():
        cusparse.spMV(*arguments, memory.data.ptr)
        cupy.cuda.get_current_stream().synchronize()

    call.keep = (one, zero, memory)
    return call


def read_call(matrix):
    """A sum of as many bytes as the matrix has."""
    same_bytes = cupy.zeros((matrix.nnz * 12 + matrix.shape[0] * 12) // 8)
    return lambda: (same_bytes.sum(), cupy.cuda.get_current_stream().synchronize())


def run(upsweep, name, matrix, rounds):
    on_gpu = scipy.sparse.csr_matrix(matrix)
    wanted, x = None, cupy.asarray(numpy.random.default_rng(2).standard_normal(matrix.shape[1]))
    wanted = on_gpu @ x.get()
    import cupyx.scipy.sparse

    a, y = cupyx.scipy.sparse.csr_matrix(on_gpu), cupy.empty(matrix.shape[0])
    calls = {"upsweep": upsweep.call(a, x, y, 0), "upsweep reproducible": upsweep.call(a, x, y, 1),
             **{key: cusparse_call(a, x, y, value) for key, value in ALGORITHMS.items()}, "read": read_call(a)}
    scale = abs(on_gpu) @ abs(x.get()) + 1e-300
    right, repeats = True, {}
    for key, call in calls.items():
        if key == "read":
            continue
        results = []
        for _ in range(20):
            call()
            results.append(y.get())
        repeats[key] = all(numpy.array_equal(results[0], result) for result in results)
        right &= bool(numpy.max(abs(results[0] - wanted) / scale) < 1e-12)
    seconds = measure(calls, rounds)
    best = min(value for key, value in seconds.items() if key.startswith("cusparse"))
    print(f"{name:24} {matrix.shape[0]} rows, {matrix.nnz} elements, {'right' if right else 'WRONG'}, of best cuSPARSE "
          f"{best / seconds['upsweep']:.2f}; " + ", ".join(f"{key} {value * 1e6:.1f}" + ("" if repeats.get(key, True) else " (bits differ)")
                                                           for key, value in seconds.items()), flush=True)
    return {"cell": name, "right": right, "repeats": repeats, **{key: value * 1e6 for key, value in seconds.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--json")
    parser.add_argument("--matrix", action="append", default=[])
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    upsweep, rng = Upsweep(arguments.library), numpy.random.default_rng(1)
    matrices = {pathlib.Path(path).name: (lambda path=path: scipy.sparse.csr_matrix(scipy.io.mmread(path))) for path in arguments.matrix}
    if not matrices:
        matrices = {"27-point stencil": lambda: stencil(128), "power law": lambda: power_law(1 << 20, rng),
                    "mostly empty": lambda: mostly_empty(1 << 22, rng)}
    cells = [run(upsweep, name, make(), arguments.rounds) for name, make in matrices.items()]
    if arguments.json:
        save(arguments.json, upsweep, cells, arguments.rounds)
    sys.exit(any(not cell["right"] for cell in cells))


if __name__ == "__main__":
    main()
