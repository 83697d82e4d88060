#!/usr/bin/env python3
"""Doubles that are spread over the GPUs of a node, reduced in one call, beside the textbook: CUB on each GPU, NCCL's all-reduce, a copy.

    perf/parts/parts.py --library build/gpu/libupsweep.so [--json FILE] [--cells REGEX] [--rounds N] [--quick] [--no-peers]

Every number of GPUs from 2 up has its cells. All that a cell names is called in turns in each round and waits for its result; figures are
medians over the rounds, in microseconds. Results are compared with PyTorch's.

`sum f64 N x G`: N elements on each of G GPUs. `one` is a call over the first GPU's part, `upsweep` one over the parts of all GPUs, `plan_one` and
`plan` runs of plans that are bound to the first part and to those of all GPUs, `textbook` the peers. `further` is what each further GPU adds to
`one`, `further_plan` to `plan_one`. `with_host`, a call over these parts and one of N / 256 elements of the host's, has rounds of its own:
OpenMP's threads on all cores look for work for 200 ms after it.

`span f64 N x G`: N sums, each of one element from every GPU, which all GPUs have in their memory afterwards, and the host. `one` is a call over
the first GPU's part, `upsweep` one over all parts, `nccl` an all-reduce of such spans, without the host; `further` is what all further GPUs add
to `one`. `there` is a call over all parts whose variable is in the first GPU's memory, so that nothing is on the host, as with `nccl`.

`staged f64 N x G` and `staged pageable f64 N x G`: one array of N elements in host memory, pinned or not. `one` is a call that names one GPU,
`upsweep` one that names G GPUs; `copy_one` and `copy` are copies of the array to one GPU, and of G pieces to as many (pinned memory only).
"""
import ctypes
import pathlib
import re
import shutil
import sys
import time

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import many_results  # noqa: E402
from many_results import CODES, OPERATIONS, arguments_of, compiled_peer, finish, measure  # noqa: E402

SIZES, QUICK = (1, 1 << 16, 1 << 20, 1 << 28), (1, 1 << 16)
SPANS, QUICK_SPANS = (1 << 10, 1 << 13, 1 << 16, 1 << 20), (1 << 13,)
STAGED, QUICK_STAGED = 1 << 30, 1 << 20
WARM_CALLS = 50
HOST_SHARE = 256  # of a GPU's elements: as its memory is faster than the host's
OPENMP_WAITS_S = 0.5  # and longer than threads look for work
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
        self.kernels = ctypes.CDLL(str(pathlib.Path(path).resolve().parent / "perf/libparts.so"))
        self.kernels.fold_of_parts.argtypes = [size, pointer, size, size, pointer, pointer]
        self.kernels.sum_of_staged.argtypes = [pointer, size, ctypes.c_uint64, pointer]

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

    def fold(self, tensors, out, copies):
        """Each element's sum over the tensors, to the host and to a copy on each GPU."""
        x, results = ((ctypes.c_void_p * len(tensors))(*(t.data_ptr() for t in all_)) for all_ in (tensors, copies))
        n, count, address = tensors[0].numel(), len(tensors), out.data_ptr()

        def call():
            self.check(self.kernels.fold_of_parts(count, ctypes.addressof(x), n, n, address, ctypes.addressof(results)))

        return call

    def staged(self, x, devices):
        result = ctypes.c_double()
        address, n, out = x.data_ptr(), x.numel(), ctypes.addressof(result)

        def call():
            self.check(self.kernels.sum_of_staged(address, n, devices, out))
            return result.value

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


def on_each(gpus, n):
    tensors = [torch.rand(n, dtype=torch.float64, device=f"cuda:{g}") for g in range(gpus)]
    synchronize(gpus)
    return tensors


def synchronize(gpus):
    for g in range(gpus):
        torch.cuda.synchronize(g)


def in_microseconds(calls, rounds):
    return {name: seconds * 1e6 for name, seconds in measure(calls, rounds).items()}


def sum_cell(upsweep, peers, count, n, rounds):
    gpus, host = on_each(count, n), torch.rand(max(1, n // HOST_SHARE), dtype=torch.float64)
    calls = {
        "one": upsweep.one(gpus[0]), "upsweep": upsweep.parts(gpus), "plan_one": upsweep.plan(gpus[:1]), "plan": upsweep.plan(gpus)
    }
    if peers:
        calls["textbook"] = peers.call(gpus)
    right = all(is_right(call(), gpus[:1] if "one" in name else gpus) for name, call in calls.items())
    for call in [*calls.values()] * WARM_CALLS:
        call()
    times = in_microseconds(calls, rounds)
    with_host = upsweep.parts([*gpus, host])
    right = right and is_right(with_host(), [*gpus, host])
    times |= in_microseconds({"with_host": with_host}, rounds)
    time.sleep(OPENMP_WAITS_S)
    calls["plan_one"].end()
    calls["plan"].end()
    further = {"further": (times["upsweep"] - times["one"]) / (count - 1), "further_plan": (times["plan"] - times["plan_one"]) / (count - 1)}
    return {"right": right, **times, **further}


def span_cell(upsweep, peers, count, n, rounds):
    gpus, copies, out = on_each(count, n), on_each(count, n), torch.zeros(n, dtype=torch.float64)
    there, others = torch.zeros(n, dtype=torch.float64, device="cuda:0"), on_each(count, n)
    synchronize(count)
    calls = {"one": upsweep.fold(gpus[:1], out, copies[:1]), "upsweep": upsweep.fold(gpus, out, copies), "there": upsweep.fold(gpus, there, others)}
    calls["upsweep"]()
    calls["there"]()
    expected = sum(x.cpu() for x in gpus)
    right = all(torch.allclose(got.cpu(), expected, rtol=1e-14, atol=0) for got in [out, there, *copies, *others])
    if peers:
        reduced = [x.clone() for x in gpus]

        def all_reduce():
            torch.cuda.nccl.all_reduce(gpus, reduced)
            synchronize(count)

        calls["nccl"] = all_reduce
    times = in_microseconds(calls, rounds)
    return {"right": right, **times, "further": times["upsweep"] - times["one"]}


def staged_cell(upsweep, host, count, rounds):
    expected = host.sum().item()
    calls = {"one": upsweep.staged(host, 0), "upsweep": upsweep.staged(host, (1 << count) - 1)}
    right = all(abs(call() - expected) <= 1e-12 * expected for call in calls.values())
    if host.is_pinned():
        there = [[x.to(f"cuda:{g}") for g, x in enumerate(host.chunk(pieces))] for pieces in (1, count)]

        def copy_to(tensors):
            for to, x in zip(tensors, host.chunk(len(tensors))):
                to.copy_(x, non_blocking=True)
            synchronize(len(tensors))

        calls |= {"copy_one": lambda: copy_to(there[0]), "copy": lambda: copy_to(there[1])}
    return {"right": right, **in_microseconds(calls, rounds)}


def cells_of(arguments, upsweep, peers):
    """Names, and what measures them."""
    rounds, staged = arguments.rounds, QUICK_STAGED if arguments.quick else STAGED
    counts = range(2, torch.cuda.device_count() + 1)
    for count in counts:
        for n in QUICK if arguments.quick else SIZES:
            yield f"sum f64 {n} x {count}", lambda count=count, n=n: sum_cell(upsweep, peers, count, n, rounds)
        for n in QUICK_SPANS if arguments.quick else SPANS:
            yield f"span f64 {n} x {count}", lambda count=count, n=n: span_cell(upsweep, peers, count, n, rounds)
    pageable = torch.ones(staged, dtype=torch.float64) / 3
    for name, host in (("staged pageable", pageable), ("staged", pageable.pin_memory())):
        for count in counts:
            yield f"{name} f64 {staged} x {count}", lambda count=count, host=host: staged_cell(upsweep, host, count, min(rounds, 3))


def main():
    arguments = arguments_of(__doc__)
    upsweep = Upsweep(arguments.library)
    peers = None if arguments.no_peers or not shutil.which("nvcc") else Textbook()
    cells = []
    for name, measured in cells_of(arguments, upsweep, peers):
        if not re.search(arguments.cells, name):
            continue
        cells.append({"cell": name, **measured()})
        print("  ".join(f"{key} {value:.2f}" if isinstance(value, float) else str(value) for key, value in cells[-1].items()), flush=True)
    finish(arguments, upsweep, cells)


main()
