#!/usr/bin/env python3
"""Sums of doubles that are spread over the GPUs of a node, in one call, beside the textbook: CUB on each GPU, NCCL's all-reduce, a copy.

    perf/parts/parts.py --library build/gpu/libupsweep.so [--json FILE] [--cells REGEX] [--rounds N] [--quick] [--no-peers]

Every cell is a number of elements per part. `one` is a call over the first GPU's part, `upsweep` one over the parts of all GPUs, `with_host`
one over these and a part of the host's, `plan_one` and `plan` runs of plans that are bound to the first part and to those of all GPUs,
`textbook` the peers. All are called in turns in each round and wait for their result; a cell's figure is the median over
the rounds, in microseconds. `further` is what each further GPU adds to `one`, `further_plan` to `plan_one`. Results are compared with PyTorch's.
"""
import ctypes
import pathlib
import re
import shutil
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import many_results  # noqa: E402
from many_results import CODES, OPERATIONS, arguments_of, compiled_peer, finish, measure  # noqa: E402

SIZES, QUICK = (1, 1 << 16, 1 << 20, 1 << 28), (1, 1 << 16)
SUM = (OPERATIONS["sum"], CODES["f64"])


class Part(ctypes.Structure):
    """usw_part_t"""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("place", ctypes.c_int),
        ("device", ctypes.c_int),
        ("n", ctypes.c_size_t),
        ("x", ctypes.c_void_p * 2),
        ("stride", ctypes.c_ssize_t * 2),
        ("result", ctypes.c_void_p),
    ]


class Upsweep(many_results.Upsweep):
    """The library's calls, each with the place of its result."""

    def __init__(self, path):
        super().__init__(path)
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        self.library.usw_reduce_parts.argtypes = [ctypes.c_int, ctypes.c_int, pointer, size, pointer, pointer]
        self.library.usw_plan_create_parts.argtypes = [pointer, ctypes.c_int, ctypes.c_int, pointer, size, pointer]
        self.library.usw_plan_run_parts.argtypes = [pointer, pointer]
        self.library.usw_plan_destroy.argtypes = [pointer]

    @staticmethod
    def described(tensors):
        array = (Part * len(tensors))()
        for part, x in zip(array, tensors):
            part.size, part.n, part.x[0] = ctypes.sizeof(Part), x.numel(), x.data_ptr()
        return array

    def parts(self, tensors):
        result, array = ctypes.c_double(), self.described(tensors)
        first, count, out = ctypes.addressof(array), len(tensors), ctypes.addressof(result)

        def call():
            self.check(self.library.usw_reduce_parts(*SUM, first, count, out, None))
            return result.value

        call.keep = array
        return call

    def plan(self, tensors):
        """Runs of a plan, which call.end() destroys."""
        result, array, handle = ctypes.c_double(), self.described(tensors), ctypes.c_void_p()
        self.check(self.library.usw_plan_create_parts(ctypes.byref(handle), *SUM, ctypes.addressof(array), len(tensors), None))
        plan, out = handle.value, ctypes.addressof(result)

        def call():
            self.check(self.library.usw_plan_run_parts(plan, out))
            return result.value

        call.end = lambda: self.library.usw_plan_destroy(plan)
        return call

    def one(self, x):
        result = ctypes.c_double()
        address, n, out = x.data_ptr(), x.numel(), ctypes.addressof(result)

        def call():
            self.check(self.library.usw_reduce(*SUM, address, n, out, None))
            return result.value

        return call


class Textbook:
    """CUB on each GPU, NCCL between them, a copy of the scalar."""

    def __init__(self):
        self.library = compiled_peer(pathlib.Path(__file__).resolve().parent / "cub_parts.cu")
        pointer = ctypes.c_void_p
        self.library.cub_sum.argtypes = [ctypes.c_int, pointer, pointer, pointer, ctypes.c_size_t, pointer]

    def sum(self, device, memory, size, x, out):
        address = memory.data_ptr() if memory is not None else None
        error = self.library.cub_sum(device, address, ctypes.addressof(size), x.data_ptr(), x.numel(), out.data_ptr())
        if error != 0:
            sys.exit(f"CUDA error {error}")

    def call(self, tensors):
        work = []
        for device, x in enumerate(tensors):
            size, out = ctypes.c_size_t(), torch.zeros(1, dtype=torch.float64, device=x.device)
            self.sum(device, None, size, x, out)
            work.append((device, torch.empty(max(1, size.value), dtype=torch.uint8, device=x.device), size, x, out))
        sums = [entry[-1] for entry in work]

        def call():
            for entry in work:
                self.sum(*entry)
            torch.cuda.nccl.all_reduce(sums)
            return sums[0].item()

        return call


def is_right(got, tensors):
    """Within what the order of additions may do to numbers between 0 and 1."""
    expected = sum(x.sum().item() for x in tensors)
    return abs(got - expected) <= 1e-12 * max(1.0, expected)


def cell(upsweep, peers, n, rounds):
    gpus = [torch.rand(n, dtype=torch.float64, device=f"cuda:{g}") for g in range(torch.cuda.device_count())]
    host = torch.rand(n, dtype=torch.float64)
    for g in range(len(gpus)):
        torch.cuda.synchronize(g)
    calls = {
        "one": upsweep.one(gpus[0]), "upsweep": upsweep.parts(gpus), "with_host": upsweep.parts([*gpus, host]),
        "plan_one": upsweep.plan(gpus[:1]), "plan": upsweep.plan(gpus)
    }
    of = {"one": gpus[:1], "plan_one": gpus[:1], "with_host": [*gpus, host]}
    if peers:
        calls["textbook"] = peers.call(gpus)
    right = all(is_right(call(), of.get(name, gpus)) for name, call in calls.items())
    times = {name: seconds * 1e6 for name, seconds in measure(calls, rounds).items()}
    calls["plan_one"].end()
    calls["plan"].end()
    others = max(1, len(gpus) - 1)
    further = {"further": (times["upsweep"] - times["one"]) / others, "further_plan": (times["plan"] - times["plan_one"]) / others}
    return {"cell": f"sum f64 {n} x {len(gpus)}", "right": right, **times, **further}


def main():
    arguments = arguments_of(__doc__)
    upsweep = Upsweep(arguments.library)
    peers = None if arguments.no_peers or not shutil.which("nvcc") else Textbook()
    cells = []
    for n in QUICK if arguments.quick else SIZES:
        if not re.search(arguments.cells, str(n)):
            continue
        cells.append(cell(upsweep, peers, n, arguments.rounds))
        print("  ".join(f"{key} {value:.2f}" if isinstance(value, float) else str(value) for key, value in cells[-1].items()), flush=True)
    finish(arguments, upsweep, cells)


main()
