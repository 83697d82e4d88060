#!/usr/bin/env python3
"""Spans on a GPU, histograms and sums by keys in any order, beside PyTorch, whose sums are by atomics.

    perf/spans/spans.py --library build/gpu/libupsweep.so [--json FILE] [--cells REGEX] [--rounds N] [--quick] [--no-peers]

`counts 2^N into 2^E`: how often each of 2^E keys comes among 2^N of 32 bits, as integers of 64 bits; torch.bincount. `sums` and `fast sums`: of
doubles by such keys, with the same bits on every run, and at USW_FAST; index_add_, and, where keys are uniform, `torch deterministic`, which has
to give the same bits, too. `largest`: of floats; scatter_reduce_. Keys are uniform; `equal`: all are one; `half`: half of them are; `two`: they
alternate between two.

Every result ends in pinned host memory; `there`: it stays in that of the GPU. In each round all take turns; figures are medians over the rounds,
in microseconds. `read` is a sum of as many bytes. Results are compared with PyTorch's."""
import ctypes
import itertools
import pathlib
import re
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import many_results  # noqa: E402
from many_results import arguments_of, finish, measure, take  # noqa: E402

ITEMS, EXTENTS = (20, 24, 28), (8, 13, 16, 20, 23)
QUICK_ITEMS, QUICK_EXTENTS = (16,), (8, 13)
SKEWED = (16, 20)  # extents with keys of every pattern
PATTERNS = "", " equal", " half", " two"
THERE = " there"
REPEATABLE, FAST = 0, 1


class Upsweep(many_results.Upsweep):
    def __init__(self, path):
        super().__init__(path)
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        self.kernels = ctypes.CDLL(str(pathlib.Path(path).resolve().parent / "perf/libspans.so"))
        self.kernels.span_of_counts.argtypes = [pointer, size, pointer, size]
        self.kernels.span_of_sums.argtypes = [pointer, pointer, size, pointer, size, ctypes.c_int]
        self.kernels.span_of_largest.argtypes = [pointer, pointer, size, pointer, size]

    def counts(self, key, out):
        words = key.data_ptr(), key.numel(), out.data_ptr(), out.numel()
        return lambda: self.check(self.kernels.span_of_counts(*words))

    def sums(self, x, key, out, accuracy):
        words = x.data_ptr(), key.data_ptr(), key.numel(), out.data_ptr(), out.numel(), accuracy
        return lambda: self.check(self.kernels.span_of_sums(*words))

    def largest(self, x, key, out):
        words = x.data_ptr(), key.data_ptr(), key.numel(), out.data_ptr(), out.numel()
        return lambda: self.check(self.kernels.span_of_largest(*words))


def keys(count, extent, pattern):
    if pattern == " two":
        return torch.arange(count, device="cuda") % 2
    uniform = torch.randint(0, extent, (count,), device="cuda")
    if pattern == " half":
        uniform[torch.rand(count, device="cuda") < 0.5] = 3
    elif pattern == " equal":
        uniform.fill_(3)
    return uniform


class Cell:
    """A call of the library's, the same of PyTorch's, and the elements that both read."""

    def __init__(self, upsweep, kind, key, wide_key, extent, is_uniform, is_there):
        self.kind, self.key, self.wide_key, self.extent, self.is_uniform = kind, key, wide_key, extent, is_uniform
        kind = kind.removeprefix("fast ")
        self.type = {"counts": torch.int64, "sums": torch.float64, "largest": torch.float32}[kind]
        self.x = None if kind == "counts" else torch.rand(key.numel(), dtype=self.type, device="cuda")
        self.is_there = is_there
        self.out, self.expected = (self.zeros() for _ in range(2))
        torch.cuda.synchronize()
        if kind == "counts":
            self.call = upsweep.counts(key, self.out)
        elif kind == "sums":
            self.call = upsweep.sums(self.x, key, self.out, FAST if self.kind.startswith("fast") else REPEATABLE)
        else:
            self.call = upsweep.largest(self.x, key, self.out)

    def zeros(self):
        return torch.zeros(self.extent, dtype=self.type, device="cuda") if self.is_there else torch.zeros(self.extent, dtype=self.type).pin_memory()

    def torch(self):
        if self.kind == "counts":
            result = torch.bincount(self.wide_key, minlength=self.extent)
        elif self.kind == "largest":
            fresh = torch.full((self.extent,), -torch.inf, dtype=self.type, device="cuda")
            result = fresh.scatter_reduce_(0, self.wide_key, self.x, "amax")
        else:
            result = torch.zeros(self.extent, dtype=self.type, device="cuda").index_add_(0, self.key, self.x)
        if self.is_there:
            self.expected = result
        else:
            self.expected.copy_(result, non_blocking=True)
        torch.cuda.synchronize()

    def torch_deterministic(self):
        torch.use_deterministic_algorithms(True)
        self.torch()
        torch.use_deterministic_algorithms(False)

    def peers(self):
        both = {"torch": self.torch, "torch deterministic": self.torch_deterministic}
        return both if self.kind == "sums" and self.is_uniform else {"torch": self.torch}  # which would take seconds for others

    def is_right(self):
        self.call()
        self.torch()
        if self.kind.endswith("sums"):
            return torch.allclose(self.out, self.expected, rtol=1e-9, atol=0)
        return torch.equal(self.out, self.expected)

    def read(self, upsweep):
        """One read of what the kernel reads."""
        bytes_of_x = 0 if self.x is None else self.x.element_size()
        words = torch.zeros(self.key.numel() * (4 + bytes_of_x) // 8, dtype=torch.float64, device="cuda")
        torch.cuda.synchronize()
        return upsweep.read(words)


def main():
    arguments = arguments_of(__doc__)
    upsweep, cells = Upsweep(arguments.library), []
    for items in QUICK_ITEMS if arguments.quick else ITEMS:
        for extent in QUICK_EXTENTS if arguments.quick else EXTENTS:
            for pattern in PATTERNS if extent in SKEWED else ("",):
                wide_key = keys(1 << items, 1 << extent, pattern)
                key = wide_key.to(torch.int32)
                for kind, there in itertools.product(("counts", "sums", "fast sums", "largest"), ("",) if pattern else ("", THERE)):
                    name = f"{kind} 2^{items} into 2^{extent}{pattern}{there}"
                    if not re.search(arguments.cells, name):
                        continue
                    cell = Cell(upsweep, kind, key, wide_key, 1 << extent, not pattern, bool(there))
                    calls = {"upsweep": cell.call, "read": cell.read(upsweep)}
                    if not arguments.no_peers:
                        calls |= cell.peers()
                    take(cells, name, cell.is_right(), measure(calls, arguments.rounds))
    finish(arguments, upsweep, cells)


main()
