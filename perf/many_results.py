"""What the benchmarks of many results share: the library by its C interface, rounds in which all competitors take turns, and what is
recorded."""
import argparse
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from called_library import CODES, Library, Segments, medians, time_rounds  # noqa: E402
from called_library import OPERATIONS  # noqa: E402, F401 (for those who import this)

TYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "u8": torch.uint8}


class Upsweep(Library):
    """The library over tensors."""

    def results(self, count, operation, code, device):
        """A tensor of bytes for so many results."""
        return torch.zeros(count * self.library.usw_result_bytes(operation, code), dtype=torch.uint8, device=device)

    def read(self, x):
        """A sum of a tensor's bytes as doubles: one read of them."""
        return self.read_of(x.data_ptr(), x.numel() * x.element_size() // 8)


def segments_by_offsets(offsets):
    """Segments by a tensor of i32."""
    return Segments(ctypes.sizeof(Segments), offsets.numel() - 1, CODES["i32"], offsets.data_ptr(), offsets.data_ptr() + 4, 0)


def compiled_peer(source):
    """A shared library of a file in CUDA, compiled here."""
    library = os.path.join(tempfile.mkdtemp(), f"lib{source.stem}.so")
    command = ["nvcc", "-O3", "-std=c++17", "-arch=native", "-shared", "-Xcompiler", "-fPIC"]
    subprocess.run([*command, str(source), "-o", library], check=True)
    return ctypes.CDLL(library)


def measure(calls, rounds):
    """Seconds of each call: medians over rounds, in which all take turns."""
    return medians(time_rounds(calls, rounds))


def elements(shape, type_name):
    if type_name == "u8":
        return torch.randint(0, 256, shape, dtype=torch.uint8, device="cuda")
    return (torch.rand(shape, dtype=torch.float32, device="cuda") - 0.25).to(TYPES[type_name])


def arguments_of(description):
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--json")
    parser.add_argument("--cells", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--no-peers", action="store_true")
    return parser.parse_args()


def take(cells, name, right, seconds):
    """Print a cell, and keep it."""
    cells.append({"cell": name, "right": right, **{key: value * 1e6 for key, value in seconds.items()}})
    print(line(name, right, seconds), flush=True)


def finish(arguments, upsweep, cells):
    """Save the cells where that is asked for; exits with 1 where one is wrong."""
    if arguments.json:
        save(arguments.json, upsweep, cells, arguments.rounds)
    sys.exit(any(not cell["right"] for cell in cells))


def line(name, right, seconds):
    """A cell as a line of text."""
    best = min((value for key, value in seconds.items() if key not in ("upsweep", "read")), default=None)
    return (
        f"{name:48} {'right' if right else 'WRONG'} of read {seconds['read'] / seconds['upsweep']:5.2f}"
        + (f" of best peer {best / seconds['upsweep']:6.2f}" if best else "")
        + "".join(f"  {key} {value * 1e6:.1f}" for key, value in seconds.items())
    )


def save(path, upsweep, cells, rounds):
    """The cells with what they were measured by."""
    driver = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader", "--id=0"]
    context = {
        "device": torch.cuda.get_device_name(),
        "driver": subprocess.run(driver, capture_output=True, text=True).stdout.strip(),
        "upsweep": upsweep.version(),
        "versions": {name: sys.modules[name].__version__ for name in ("torch", "cupy", "jax") if name in sys.modules},
        "command": " ".join(sys.argv),
        "unit": "us, medians of %d rounds" % rounds,
        "cells": cells,
    }
    with open(path, "w") as file:
        json.dump(context, file, indent=1)
