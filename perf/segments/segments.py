#!/usr/bin/env python3
"""Reductions of segments on a GPU, beside CUB, where there is nvcc, and PyTorch.

    perf/segments/segments.py --library build/gpu/libupsweep.so [--json FILE] [--cells REGEX] [--quick]

Every cell is an operation, a type, a number of items and a family of lengths. All competitors are called in turns in each round, wait for
their results, and leave them on the GPU; a cell's figure is the median over the rounds. `read` is the time that usw_sum() takes for as many
bytes as items, offsets and results have, in the same rounds. Lengths by chance are the same for all operations and types, and in every run.
Results are compared with differences of running sums, or with CUB's.
"""
import ctypes
import pathlib
import re
import shutil
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import many_results  # noqa: E402
from many_results import CODES, OPERATIONS, TYPES, arguments_of, compiled_peer, elements, finish, measure, segments_by_offsets, take  # noqa: E402

FAMILIES = ["equal 1", "equal 4", "equal 16", "equal 64", "equal 1024", "equal 1000000", "one", "power 16", "holes 16"]
CELLS = [(1 << 27, ["f64", "f32"], FAMILIES), (1 << 28, ["f16", "u8"], FAMILIES), (100000, ["f64"], ["equal 100"]),
         (1000, ["f64"], ["equal 1", "equal 10"]), (1 << 20, ["f64", "f32"], ["equal 1", "equal 16", "equal 1024", "power 16"])]
SEED = 7  # of lengths
QUICK = [(1 << 24, ["f64"], FAMILIES), (100000, ["f64"], ["equal 100"])]


class Upsweep(many_results.Upsweep):
    """The library's reductions of segments."""

    def __init__(self, path):
        super().__init__(path)
        self.library.usw_reduce_segments.argtypes = [
            ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]

    def segments(self, x, offsets, operation, type_name):
        """A call, and the tensor of bytes that it fills."""
        code, operation, count = CODES[type_name], OPERATIONS[operation], offsets.numel() - 1
        segments = segments_by_offsets(offsets)
        out = self.results(count, operation, code, x.device)
        address, function, n = ctypes.byref(segments), self.library.usw_reduce_segments, x.numel()

        def call():
            self.check(function(operation, code, x.data_ptr(), n, address, out.data_ptr(), None))

        call.keep = segments
        return call, out


class Cub:
    """CUB's, compiled here."""

    def __init__(self):
        self.library = compiled_peer(pathlib.Path(__file__).resolve().parent / "cub_segments.cu")

    def calls(self, x, offsets, operation, type_name):
        """A call with memory of its own, by its name; none where CUB is not asked."""
        if operation not in ("sum", "max") or type_name == "f16":
            return {}
        count, pointer = offsets.numel() - 1, lambda tensor: ctypes.c_void_p(tensor.data_ptr())
        out, bytes_needed = torch.empty(count + 1, dtype=torch.int64, device="cuda"), ctypes.c_size_t()
        size = ctypes.byref(bytes_needed)
        codes, arguments = (CODES[type_name], int(operation == "max")), (pointer(x), pointer(offsets), count, pointer(out))

        def run(memory):
            if self.library.cub_segments(*codes, memory, size, *arguments) != 0:
                sys.exit("CUB fails")

        run(None)
        memory = torch.empty(max(1, bytes_needed.value), dtype=torch.uint8, device="cuda")

        def call():
            run(pointer(memory))

        call.keep = out
        return {"cub": call}


def lengths(family, n):
    """Lengths of segments of n items."""
    kind, _, mean = family.partition(" ")
    if kind == "one":
        return torch.tensor([n], device="cuda")
    mean = int(mean)
    if kind == "equal":
        return torch.tensor([mean] * (n // mean) + [n % mean] * (n % mean > 0), device="cuda") if n // mean < 1000 else torch.full(
            (n // mean,), mean, device="cuda")
    u = torch.rand(n // mean, device="cuda", dtype=torch.float64).clamp_(min=1e-12)
    if kind == "power":  # Pareto, alpha 1.2
        of_all = torch.floor(u.pow(-1 / 1.2) * mean / 6)
    else:  # half of them empty
        of_all = torch.where(u < 0.5, torch.zeros_like(u), torch.floor(2 * mean * u * 4 / 3))
    return of_all.to(torch.int64).clamp_(max=n)


def offsets_of(family, n):
    torch.manual_seed(SEED)
    ends = torch.cumsum(lengths(family, n), 0).clamp_(max=n)
    offsets = torch.zeros(ends.numel() + 1, dtype=torch.int32, device="cuda")
    offsets[1:] = ends
    offsets[-1] = n
    return offsets


def is_right(out, x, offsets, operation, type_name):
    """Our sums against differences of running sums of numbers that are exact."""
    if operation != "sum":
        return True
    running = torch.zeros(x.numel() + 1, dtype=torch.float64, device="cuda")
    torch.cumsum(x.to(torch.float64), 0, out=running[1:])
    ends = running[offsets.to(torch.int64)]
    wanted = ends[1:] - ends[:-1]
    found = out.view({"u8": torch.int64, "f64": torch.float64}.get(type_name, torch.float32)).to(torch.float64)
    return bool(torch.allclose(found, wanted, rtol=1e-5, atol=1e-4))


def torch_call(x, offsets, operation):
    if operation not in ("sum", "max") or not x.dtype.is_floating_point:
        return {}
    of_64 = offsets.to(torch.int64)
    return {"torch": lambda: (torch.segment_reduce(x, operation, offsets=of_64), torch.cuda.synchronize())}


def main():
    arguments = arguments_of(__doc__)
    upsweep = Upsweep(arguments.library)
    cub = Cub() if shutil.which("nvcc") and not arguments.no_peers else None
    cells = []
    for n, type_names, families in QUICK if arguments.quick else CELLS:
        for type_name in type_names:
            x = None
            for family in families:
                for operation in OPERATIONS:
                    name = f"{operation} {type_name} {n} {family}"
                    if not re.search(arguments.cells, name):
                        continue
                    x = torch.floor(elements((n,), "f32") * 64).abs().to(TYPES[type_name]) if x is None else x
                    offsets = offsets_of(family, n)
                    call, out = upsweep.segments(x, offsets, operation, type_name)
                    of_all = x.numel() * x.element_size() + offsets.numel() * 4 + out.numel()
                    same_bytes = torch.zeros(of_all // 8, dtype=torch.float64, device="cuda")
                    torch.cuda.synchronize()
                    calls = {"upsweep": call, "read": upsweep.read(same_bytes)}
                    if not arguments.no_peers:
                        calls.update(cub.calls(x, offsets, operation, type_name) if cub else {})
                        if n <= 1 << 20:
                            calls.update(torch_call(x, offsets, operation))
                    seconds = measure(calls, arguments.rounds)
                    take(cells, name, is_right(out, x, offsets, operation, type_name), seconds)
                    del same_bytes, out
    finish(arguments, upsweep, cells)


if __name__ == "__main__":
    main()
