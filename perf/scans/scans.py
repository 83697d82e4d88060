#!/usr/bin/env python3
"""Scans on a GPU, beside CUB, where there is nvcc, and a plain copy of as many bytes as a scan reads and writes.

    perf/scans/scans.py --library build/gpu/libupsweep.so [--json FILE] [--cells REGEX] [--quick]

Every cell is an operation, a type and a number of elements. All competitors are called in turns in each round, wait for their results,
and leave them on the GPU; a cell's figure is the median over the rounds. `read` is the copy. Results are compared with PyTorch's.
"""
import ctypes
import pathlib
import re
import shutil
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import many_results  # noqa: E402
from many_results import CODES, OPERATIONS, arguments_of, compiled_peer, finish, measure, take  # noqa: E402

TYPES = {"f64": torch.float64, "f32": torch.float32, "u8": torch.uint8, "i32": torch.int32, "i64": torch.int64}
RESULTS = {"f64": torch.float64, "f32": torch.float32, "u8": torch.int64, "i32": torch.int64, "i64": torch.int64}
CELLS = [("sum", ["f64"], range(0, 29, 2)), ("sum", ["f32", "i32", "i64", "u8"], (10, 16, 20, 24, 28)), ("max", ["f32", "f64", "u8"], (16, 28))]
QUICK = [("sum", ["f64"], (10, 16, 20, 24))]


class Upsweep(many_results.Upsweep):
    """The library's scans."""

    def __init__(self, path):
        super().__init__(path)
        self.library.usw_scan_inclusive.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]

    def scan(self, x, out, operation, type_name):
        function, n, operation, code = self.library.usw_scan_inclusive, x.numel(), OPERATIONS[operation], CODES[type_name]
        return lambda: self.check(function(operation, code, x.data_ptr(), n, out.data_ptr(), None))


class Peers:
    """CUB's and the copy, compiled here."""

    def __init__(self):
        self.library = compiled_peer(pathlib.Path(__file__).resolve().parent / "cub_scans.cu")

    @staticmethod
    def check(error):
        if error != 0:
            sys.exit(f"CUDA error {error}")

    def calls(self, x, out, operation, type_name):
        """The copy, and CUB's scan with memory of its own."""
        bytes_needed, n = ctypes.c_size_t(), ctypes.c_size_t(x.numel())
        size, pointer = ctypes.byref(bytes_needed), lambda tensor: ctypes.c_void_p(tensor.data_ptr())
        codes, is_max = CODES[type_name], int(operation == "max")
        self.check(self.library.cub_scan(codes, is_max, None, size, pointer(x), n, pointer(out)))
        memory = torch.empty(max(1, bytes_needed.value), dtype=torch.uint8, device="cuda")
        half = (x.numel() * x.element_size() + out.numel() * out.element_size()) // 2
        source, target = (torch.empty(half + 16, dtype=torch.uint8, device="cuda") for _ in range(2))
        bytes_copied = ctypes.c_size_t(max(half, 16))
        return {
            "read": lambda: self.check(self.library.plain_copy(pointer(source), pointer(target), bytes_copied)),
            "cub": lambda: self.check(self.library.cub_scan(codes, is_max, pointer(memory), size, pointer(x), n, pointer(out))),
        }


def elements(n, type_name):
    if type_name.startswith("f"):
        return (torch.rand(n, device="cuda") - 0.25).to(TYPES[type_name])
    return torch.randint(0, 100, (n,), dtype=TYPES[type_name], device="cuda")


def is_right(out, x, operation):
    wanted = torch.cumsum(x, 0, dtype=out.dtype) if operation == "sum" else torch.cummax(x, 0).values
    if operation == "max" or not out.dtype.is_floating_point:
        return bool(torch.equal(out, wanted))
    scale = torch.cumsum(x.abs().to(torch.float64), 0)
    return bool(((out.to(torch.float64) - torch.cumsum(x.to(torch.float64), 0)).abs() <= 1e-5 * scale).all())


def main():
    arguments = arguments_of(__doc__)
    if not shutil.which("nvcc"):
        sys.exit("there is no nvcc: the copy and CUB are compiled by it")
    upsweep, peers, cells = Upsweep(arguments.library), Peers(), []
    for operation, type_names, logarithms in QUICK if arguments.quick else CELLS:
        for type_name in type_names:
            for logarithm in logarithms:
                name = f"{operation} {type_name} 2^{logarithm}"
                if not re.search(arguments.cells, name):
                    continue
                x = elements(1 << logarithm, type_name)
                dtype = RESULTS[type_name] if operation == "sum" else TYPES[type_name]
                out, theirs = (torch.zeros(x.numel(), dtype=dtype, device="cuda") for _ in range(2))
                torch.cuda.synchronize()
                calls = {"upsweep": upsweep.scan(x, out, operation, type_name), **peers.calls(x, theirs, operation, type_name)}
                seconds = measure(calls, arguments.rounds)
                take(cells, name, is_right(out, x, operation), seconds)
                del x, out, theirs, calls
    finish(arguments, upsweep, cells)


if __name__ == "__main__":
    main()
