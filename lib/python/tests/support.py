"""What the tests share: dtypes, samples, and host memory that claims to be a GPU's."""

import contextlib
import unittest.mock

import numpy as np

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEXES = ["complex64", "complex128"]
ORDERED = INTEGERS + FLOATS
EVERY = ORDERED + COMPLEXES + ["bool"]
LENGTHS = [1, 2, 3, 7, 64, 1000, 4099]


def sample(dtype, n, seed=1):
    """n elements; integers of the whole range, floats of both signs around 1 with a few zeros."""
    random = np.random.default_rng([seed, n])
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, n, dtype=dtype, endpoint=True)
    if dtype.kind == "b":
        return random.integers(0, 2, n).astype(bool)
    x = random.normal(size=n) + (1j * random.normal(size=n) if dtype.kind == "c" else 0)
    x[random.integers(0, n, n // 8)] = 0
    return x.astype(dtype)


def wide(dtype):
    """What sums of a dtype are."""
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        return np.dtype(f"{dtype.kind}8")
    return np.dtype(np.float32) if dtype == np.float16 else dtype


def real(dtype):
    """What norms of a dtype are."""
    return np.dtype(np.float64 if np.dtype(dtype) in (np.float64, np.complex128) else np.float32)


def bfloat16_bits(values):
    """The upper halves of floats that are bfloat16 numbers already."""
    bits = np.asarray(values, dtype=np.float32).view(np.uint32)
    assert not np.any(bits & 0xFFFF)
    return (bits >> 16).astype(np.uint16)


class FakeDevice:
    """Host memory behind `__cuda_array_interface__`. Use it under fake_gpu()."""

    def __init__(self, array, dtype=None, **changes):
        self.array = array
        if dtype is not None:
            self.dtype = dtype
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, False), "version": 3,
            "strides": None if array.flags.c_contiguous else array.strides, **changes}

    def __getitem__(self, item):
        return type(self)(self.array[item], getattr(self, "dtype", None))


@contextlib.contextmanager
def fake_gpu():
    """The library claims a GPU; gives the list of streams that were waited for."""
    streams = []

    def synchronize(stream, address):
        streams.append((stream, address))

    with unittest.mock.patch("upsweep._library.gpu_count", lambda: 1), \
            unittest.mock.patch("upsweep._cuda.synchronize", synchronize):
        yield streams
