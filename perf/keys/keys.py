#!/usr/bin/env python3
"""Reductions by key on a GPU, beside CUB, where there is nvcc.

    perf/keys/keys.py --library build/gpu/libupsweep.so [--json FILE] [--cells REGEX] [--quick]

Every cell is an operation, a type, the type of the keys, a number of elements and a mean length of runs. All competitors are called in turns
in each round, wait for their results, and leave them on the GPU; ours returns the number of runs, CUB's leaves it there. A cell's figure is the
median over the rounds. `read` is the time that usw_sum() takes for as many bytes as keys, elements and results have, in the same rounds.
Results are compared with PyTorch's.
"""
import ctypes
import pathlib
import re
import shutil
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import many_results  # noqa: E402
from many_results import CODES, OPERATIONS, TYPES, arguments_of, compiled_peer, finish, measure, take  # noqa: E402

KEYS = {"i32": torch.int32, "i64": torch.int64}
CELLS = [(1 << 27, [("f64", "i64"), ("f32", "i32")], (1, 4, 16, 64, 1024, 1000000)), (1 << 20, [("f64", "i64")], (1, 16, 1024)),
         (1 << 14, [("f64", "i64")], (16,))]
QUICK = [(1 << 24, [("f64", "i64")], (1, 16, 1024))]


class Upsweep(many_results.Upsweep):
    """The library's reductions by key."""

    def __init__(self, path):
        super().__init__(path)
        self.runs = ctypes.c_size_t()
        pointer = ctypes.c_void_p
        self.library.usw_reduce_by_key.argtypes = [ctypes.c_int, ctypes.c_int, pointer, ctypes.c_int, pointer, ctypes.c_size_t, pointer, pointer,
                                                   pointer, pointer]

    def by_key(self, x, keys, unique, out, operation, type_name, key_name):
        function, codes, n = self.library.usw_reduce_by_key, (OPERATIONS[operation], CODES[type_name]), x.numel()
        runs = ctypes.addressof(self.runs)
        return lambda: self.check(function(*codes, x.data_ptr(), CODES[key_name], keys.data_ptr(), n, unique.data_ptr(), out.data_ptr(), runs, None))


class Cub:
    """CUB's, compiled here."""

    def __init__(self):
        self.library = compiled_peer(pathlib.Path(__file__).resolve().parent / "cub_keys.cu")

    def call(self, x, keys, unique, out, operation, type_name):
        """A call with memory of its own."""
        bytes_needed, pointer = ctypes.c_size_t(), lambda tensor: ctypes.c_void_p(tensor.data_ptr())
        runs, size = torch.zeros(1, dtype=torch.int64, device="cuda"), ctypes.byref(bytes_needed)
        codes = (CODES[type_name], keys.element_size(), int(operation == "max"))
        arguments = (pointer(x), pointer(keys), ctypes.c_size_t(x.numel()), pointer(unique), pointer(out), pointer(runs))

        def run(memory):
            if self.library.cub_by_key(*codes, memory, size, *arguments) != 0:
                sys.exit("CUB fails")

        run(None)
        memory = torch.empty(max(1, bytes_needed.value), dtype=torch.uint8, device="cuda")
        return lambda: run(ctypes.c_void_p(memory.data_ptr()))


def main():
    arguments = arguments_of(__doc__)
    upsweep, cells = Upsweep(arguments.library), []
    cub = Cub() if shutil.which("nvcc") and not arguments.no_peers else None
    for n, type_names, means in QUICK if arguments.quick else CELLS:
        for type_name, key_name in type_names:
            for mean in means:
                for operation in ("sum", "max"):
                    name = f"{operation} {type_name} by {key_name} {n} runs of {mean}"
                    if not re.search(arguments.cells, name):
                        continue
                    keys = torch.cumsum(torch.rand(n, device="cuda") < 1 / mean, 0).to(KEYS[key_name])
                    x = torch.randint(0, 64, (n,), device="cuda").to(TYPES[type_name])
                    unique, theirs = torch.zeros_like(keys), torch.zeros_like(keys)
                    out, of_cub = torch.zeros_like(x), torch.zeros_like(x)
                    call = upsweep.by_key(x, keys, unique, out, operation, type_name, key_name)
                    torch.cuda.synchronize()
                    call()
                    runs = upsweep.runs.value
                    wanted = torch.unique_consecutive(keys)
                    right = runs == wanted.numel() and bool(torch.equal(unique[:runs], wanted))
                    if operation == "sum" and right:
                        of_runs = torch.zeros(int(keys[-1]) + 1, dtype=torch.float64, device="cuda").index_add_(0, keys.to(torch.int64), x.to(torch.float64))
                        rounding = 1e-6 if type_name == "f32" else 0
                        right = bool(torch.allclose(of_runs[wanted.to(torch.int64)], out[:runs].to(torch.float64), rtol=rounding, atol=0))
                    moved = n * (x.element_size() + keys.element_size()) + runs * (x.element_size() + keys.element_size())
                    same_bytes = torch.zeros(max(1, moved // 8), dtype=torch.float64, device="cuda")
                    torch.cuda.synchronize()
                    calls = {"upsweep": call, "read": upsweep.read(same_bytes)}
                    if cub:
                        calls["cub"] = cub.call(x, keys, theirs, of_cub, operation, type_name)
                    take(cells, name, right, measure(calls, arguments.rounds))
                    del x, keys, unique, theirs, out, of_cub, same_bytes, calls, call
    finish(arguments, upsweep, cells)


if __name__ == "__main__":
    main()
