#!/usr/bin/env python3
"""Reductions along axes on a GPU, beside PyTorch, CuPy and JAX where they are installed.

    perf/axes/axes.py --library build/gpu/libupsweep.so [--json FILE] [--cells REGEX] [--quick]

Every cell is a shape, a type, the reduced axes and an operation. All competitors are called in turns in each round, wait for their results,
and leave them on the GPU; a cell's figure is the median over the rounds. `read` is the time that usw_sum() takes for the same bytes as doubles,
in the same rounds: one read of the array. Results are compared with PyTorch's.
"""
import math
import os
import pathlib
import re
import sys

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
os.environ.setdefault("CUPY_ACCELERATORS", "cub")
import torch  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import many_results  # noqa: E402
from called_library import array_of  # noqa: E402
from many_results import CODES, OPERATIONS, TYPES, arguments_of, elements, finish, measure, take  # noqa: E402

SHAPES = [
    ((1 << 14, 1 << 14), [(0,), (1,)]),
    ((1 << 8, 1 << 20), [(0,), (1,)]),
    ((1 << 20, 1 << 8), [(0,), (1,)]),
    ((1 << 22, 7), [(0,), (1,)]),
    ((3, 1 << 26), [(0,), (1,)]),
    ((256, 1024, 1024), [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]),
    ((1000, 100), [(0,), (1,)]),
]
QUICK = [((1 << 12, 1 << 12), [(0,), (1,)]), ((1 << 20, 16), [(0,), (1,)]), ((1000, 100), [(0,), (1,)])]


class Axes(many_results.Upsweep):
    """The library's reductions along axes."""

    def axes(self, x, axes, operation, type_name):
        """A call, and the tensor of bytes that it fills."""
        results = math.prod(x.shape[d] for d in range(x.dim()) if d not in axes)
        out = self.results(results, OPERATIONS[operation], CODES[type_name], x.device)
        return self.axes_of(array_of(x.data_ptr(), type_name, x.shape, x.stride()), axes, operation, out.data_ptr()), out


def torch_call(x, axes, operation):
    if operation == "sum":
        return lambda: torch.sum(x, axes)
    if operation == "max":
        return lambda: torch.amax(x, axes)
    if operation == "argmax":
        return (lambda: torch.argmax(x, axes[0])) if len(axes) == 1 else None
    return (lambda: torch.var_mean(x, axes)) if x.dtype.is_floating_point else None


def cupy_call(x, axes, operation):
    import cupy

    y, stream = cupy.from_dlpack(x), cupy.cuda.get_current_stream()
    function = {"sum": cupy.sum, "max": cupy.amax, "argmax": cupy.argmax}.get(operation)
    axis = axes[0] if operation == "argmax" else axes
    return (lambda: (function(y, axis=axis), stream.synchronize())) if function else None


def jax_call(x, axes, operation):
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    y = jax.dlpack.from_dlpack(x)
    function = {"sum": jnp.sum, "max": jnp.max, "argmax": jnp.argmax}.get(operation)
    axis = axes[0] if operation == "argmax" else axes
    compiled = jax.jit(lambda a: function(a, axis=axis))
    return (lambda: compiled(y).block_until_ready()) if function else None


def peers(x, axes, operation):
    """Calls by name, each of which waits for its result."""
    calls = {}
    of_torch = torch_call(x, axes, operation)
    if of_torch:
        calls["torch"] = lambda: (of_torch(), torch.cuda.synchronize())
    if operation == "argmax" and len(axes) > 1:
        return calls
    for name, make in (("cupy", cupy_call), ("jax", jax_call)):
        try:
            call = make(x, axes, operation)
        except ImportError:
            continue
        if call:
            calls[name] = call
    return calls


def is_right(out, x, axes, operation, type_name):
    """Our results against PyTorch's."""
    if operation == "sum":
        exact = x.to(torch.int64) if type_name == "u8" else x.to(torch.float64)
        wanted = torch.sum(exact, axes).flatten()
        found = out.view({"u8": torch.int64, "f64": torch.float64}.get(type_name, torch.float32)).to(wanted.dtype)
        return bool(torch.allclose(found, wanted, rtol=1e-5, atol=1e-6 * x.numel() / max(1, wanted.numel())))
    if operation == "max":
        return bool(torch.equal(out.view(TYPES[type_name]), torch.amax(x, axes).flatten()))
    if operation == "argmax" and len(axes) == 1:
        index = out.view(torch.int64).view(-1, 2)[:, 1]
        at = torch.gather(x, axes[0], index.view(torch.amax(x, axes, keepdim=True).shape))
        return bool(torch.equal(at.flatten(), torch.amax(x, axes).flatten()))
    return True


def main():
    arguments = arguments_of(__doc__)
    upsweep = Axes(arguments.library)
    cells = []
    for shape, all_axes in QUICK if arguments.quick else SHAPES:
        for type_name in TYPES:
            x = None
            for axes in all_axes:
                for operation in OPERATIONS:
                    name = f"{operation} {type_name} {'x'.join(map(str, shape))} axes {','.join(map(str, axes))}"
                    if not re.search(arguments.cells, name):
                        continue
                    x = elements(shape, type_name) if x is None else x
                    call, out = upsweep.axes(x, axes, operation, type_name)
                    torch.cuda.synchronize()
                    calls = {"upsweep": call, "read": upsweep.read(x), **({} if arguments.no_peers else peers(x, axes, operation))}
                    seconds = measure(calls, arguments.rounds)
                    take(cells, name, is_right(out, x, axes, operation, type_name), seconds)
    finish(arguments, upsweep, cells)


if __name__ == "__main__":
    main()
