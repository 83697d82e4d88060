#!/usr/bin/env python3
"""Scans on a GPU, beside CUB, where there is nvcc, and a plain copy of as many bytes as a scan reads and writes.

    perf/scans/scans.py --library build/gpu/libupsweep.so [--json FILE] [--cells REGEX] [--quick]

Every cell is an operation, a type and a number of elements; of scans of segments (by offsets of 4 bytes) and by key (of 4 bytes) their mean
length, too, where CUB's is that by key; of selections the share that is kept, in percent. All competitors are called in turns in each round, wait for their results,
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
from many_results import CODES, OPERATIONS, arguments_of, compiled_peer, finish, measure, segments_by_offsets, take  # noqa: E402

TYPES = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "u8": torch.uint8, "i16": torch.int16, "i32": torch.int32, "i64": torch.int64
}
RESULTS = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float32, "u8": torch.int64, "i16": torch.int64, "i32": torch.int64, "i64": torch.int64
}
CELLS = [("sum", ["f64"], range(0, 29, 2)), ("sum", ["f32", "i32", "i64", "u8"], (10, 16, 20, 24, 28)), ("sum", ["f16", "i16"], (16, 28)),
         ("max", ["f32", "f64", "u8", "f16", "i16"], (16, 28))]
QUICK = [("sum", ["f64"], (10, 16, 20, 24))]
SELECTIONS = [(["f64", "f32", "u8"], 27, (1, 50, 99)), (["f32"], 20, (50,)), (["f32"], 14, (50,))]
OF_RUNS = [(["f64", "f32"], 27, (1, 16, 1024, 1000000)), (["f64"], 20, (16,)), (["f64"], 14, (16,))]


class Upsweep(many_results.Upsweep):
    """The library's scans."""

    def __init__(self, path):
        super().__init__(path)
        code, pointer, size = ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t
        self.library.usw_scan_inclusive.argtypes = [code, code, pointer, size, pointer, pointer]
        self.library.usw_scan_by_key.argtypes = [code, code, pointer, code, pointer, size, pointer, pointer]
        self.library.usw_select.argtypes = [code, pointer, pointer, size, pointer, pointer, pointer]
        self.kept = ctypes.c_size_t()
        self.library.usw_scan_segments.argtypes = [code, code, pointer, size, pointer, pointer, pointer]

    def scan(self, x, out, operation, type_name):
        function, n, operation, code = self.library.usw_scan_inclusive, x.numel(), OPERATIONS[operation], CODES[type_name]
        return lambda: self.check(function(operation, code, x.data_ptr(), n, out.data_ptr(), None))

    def by_key(self, x, keys, out, type_name):
        function, codes, n = self.library.usw_scan_by_key, (OPERATIONS["sum"], CODES[type_name]), x.numel()
        return lambda: self.check(function(*codes, x.data_ptr(), CODES["i32"], keys.data_ptr(), n, out.data_ptr(), None))

    def segments(self, x, offsets, out, type_name):
        function, codes, n = self.library.usw_scan_segments, (OPERATIONS["sum"], CODES[type_name]), x.numel()
        segments = segments_by_offsets(offsets)
        return lambda: self.check(function(*codes, x.data_ptr(), n, ctypes.byref(segments), out.data_ptr(), None))

    def select(self, x, flags, out, type_name):
        function, code, n, kept = self.library.usw_select, CODES[type_name], x.numel(), ctypes.byref(self.kept)
        return lambda: self.check(function(code, x.data_ptr(), flags.data_ptr(), n, out.data_ptr(), kept, None))


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
        return {
            "read": self.copy((x, out)),
            "cub": lambda: self.check(self.library.cub_scan(codes, is_max, pointer(memory), size, pointer(x), n, pointer(out))),
        }

    def copy(self, tensors):
        """A copy that moves as many bytes as these have."""
        half = sum(tensor.numel() * tensor.element_size() for tensor in tensors) // 2
        source, target = (torch.empty(half + 16, dtype=torch.uint8, device="cuda") for _ in range(2))
        addresses = ctypes.c_void_p(source.data_ptr()), ctypes.c_void_p(target.data_ptr())
        bytes_copied = ctypes.c_size_t(max(half, 16))

        def call():
            self.check(self.library.plain_copy(*addresses, bytes_copied))

        call.keep = source, target
        return call

    def by_key(self, x, keys, out, type_name):
        """CUB's scan by key, with memory of its own."""
        bytes_needed, n = ctypes.c_size_t(), ctypes.c_size_t(x.numel())
        size, pointer = ctypes.byref(bytes_needed), lambda tensor: ctypes.c_void_p(tensor.data_ptr())
        code = CODES[type_name]
        self.check(self.library.cub_scan_by_key(code, None, size, pointer(x), pointer(keys), n, pointer(out)))
        memory = torch.empty(max(1, bytes_needed.value), dtype=torch.uint8, device="cuda")
        return lambda: self.check(self.library.cub_scan_by_key(code, pointer(memory), size, pointer(x), pointer(keys), n, pointer(out)))


    def select(self, x, flags, out, type_name):
        """CUB's selection, with memory of its own; the number is left on the GPU."""
        bytes_needed, n = ctypes.c_size_t(), ctypes.c_size_t(x.numel())
        size, pointer = ctypes.byref(bytes_needed), lambda tensor: ctypes.c_void_p(tensor.data_ptr())
        code, kept = CODES[type_name], torch.zeros(1, dtype=torch.int64, device="cuda")
        arguments = pointer(x), pointer(flags), n, pointer(out), pointer(kept)
        self.check(self.library.cub_select(code, None, size, *arguments))
        memory = torch.empty(max(1, bytes_needed.value), dtype=torch.uint8, device="cuda")

        def call():
            self.check(self.library.cub_select(code, pointer(memory), size, *arguments))

        call.keep = kept
        return call


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


def take_runs(arguments, upsweep, peers, cells, type_name, logarithm, mean):
    """Scans by key, and of the segments that the runs are."""
    n, name = 1 << logarithm, f"sum {type_name} 2^{logarithm} {{}} of {mean}"
    if not any(re.search(arguments.cells, name.format(kind)) for kind in ("segments", "runs")):
        return
    x, keys = torch.randint(0, 2, (n,), device="cuda").to(TYPES[type_name]), torch.cumsum(torch.rand(n, device="cuda") < 1 / mean, 0).to(torch.int32)
    counts = torch.unique_consecutive(keys, return_counts=True)[1]
    offsets = torch.zeros(counts.numel() + 1, dtype=torch.int32, device="cuda")
    offsets[1:] = torch.cumsum(counts, 0)
    out, theirs = (torch.zeros(n, dtype=TYPES[type_name], device="cuda") for _ in range(2))
    cub = peers.by_key(x, keys, theirs, type_name)
    torch.cuda.synchronize()
    for kind, call, memory in (
        ("runs", upsweep.by_key(x, keys, out, type_name), (x, keys, out)),
        ("segments", upsweep.segments(x, offsets, out, type_name), (x, offsets, out)),
    ):
        if re.search(arguments.cells, name.format(kind)):
            out.zero_()
            torch.cuda.synchronize()
            seconds = measure({"upsweep": call, "read": peers.copy(memory), "cub by key": cub}, arguments.rounds)
            take(cells, name.format(kind), bool(torch.equal(out, theirs)), seconds)


def take_selection(arguments, upsweep, peers, cells, type_name, logarithm, share):
    """The elements that flags choose."""
    n, name = 1 << logarithm, f"select {type_name} 2^{logarithm} {share} %"
    if not re.search(arguments.cells, name):
        return
    x, flags = elements(n, type_name), (torch.rand(n, device="cuda") < share / 100).to(torch.uint8)
    out, theirs = torch.zeros_like(x), torch.zeros_like(x)
    torch.cuda.synchronize()
    moved = x, flags, x[: int(flags.sum())]
    calls = {"upsweep": upsweep.select(x, flags, out, type_name), "read": peers.copy(moved), "cub": peers.select(x, flags, theirs, type_name)}
    seconds = measure(calls, arguments.rounds)
    take(cells, name, upsweep.kept.value == moved[2].numel() and bool(torch.equal(out, theirs)), seconds)


def main():
    arguments = arguments_of(__doc__)
    if not shutil.which("nvcc"):
        sys.exit("there is no nvcc: the copy and CUB are compiled by it")
    upsweep, peers, cells = Upsweep(arguments.library), Peers(), []
    for type_names, logarithm, shares in [] if arguments.quick else SELECTIONS:
        for type_name in type_names:
            for share in shares:
                take_selection(arguments, upsweep, peers, cells, type_name, logarithm, share)
    for type_names, logarithm, means in [] if arguments.quick else OF_RUNS:
        for type_name in type_names:
            for mean in means:
                take_runs(arguments, upsweep, peers, cells, type_name, logarithm, mean)
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
