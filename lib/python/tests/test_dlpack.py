"""Arrays that only have DLPack: NumPy's own capsules, and tensors made by hand for what NumPy does not make."""

import ctypes
import sys
import unittest

import numpy as np
import upsweep
from support import COMPLEXES, FLOATS, INTEGERS, bfloat16_bits, fake_gpu, sample
from upsweep import _dlpack
from upsweep._arrays import operand

_new = ctypes.pythonapi.PyCapsule_New
_new.restype, _new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
HAS_DLPACK = hasattr(np.ndarray, "__dlpack__")  # since NumPy 1.22
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class ByNumPy:
    """An array behind NumPy's __dlpack__ alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class ByHand:
    """Host memory as a tensor of any device and type; notes the stream that it is asked for."""

    def __init__(self, array, device=1, **changes):
        self.array, self.device, self.streams = array, device, []
        n = array.ndim
        self.shape = (ctypes.c_int64 * n)(*array.shape)
        self.strides = (ctypes.c_int64 * n)(*(stride // array.itemsize for stride in array.strides))
        members = {"data": array.ctypes.data, "device_type": device, "dimensions": n, "code": CODES[array.dtype.kind],
                   "bits": array.itemsize * 8, "lanes": 1, "shape": self.shape, "strides": self.strides, **changes}
        self.tensor = _dlpack._Tensor(**members)

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return _new(ctypes.addressof(self.tensor), b"dltensor", None)

    def __dlpack_device__(self):
        return self.device, 0


class Host(unittest.TestCase):
    def test_types_and_layouts(self):
        for dtype in INTEGERS + FLOATS + COMPLEXES:
            x = sample(dtype, 60)
            matrix = x.reshape(6, 10)
            for y in (x, x[::-1], x[::7], matrix, matrix.T, matrix[:, 2:7], x[:1].reshape(())):
                for hidden in (by(y) for by in ((ByNumPy, ByHand) if HAS_DLPACK else (ByHand,))):
                    with self.subTest(dtype=dtype, shape=y.shape, strides=y.strides, by=type(hidden).__name__):
                        found = operand(hidden)
                        self.assertEqual((found.address, found.strides), (y.ctypes.data, y.strides))
                        self.assertEqual(upsweep.sum(hidden), upsweep.sum(y))
                        self.assertEqual(upsweep.count(hidden), upsweep.count(y))

    def test_booleans_and_nothing(self):
        x = np.array([True, False, True])
        self.assertEqual((upsweep.sum(ByHand(x)), upsweep.count(ByHand(x)), upsweep.max(ByHand(x))), (2, 2, True))
        self.assertEqual(upsweep.sum(ByHand(np.empty((2, 0)), data=0)), 0)
        self.assertEqual(upsweep.sum(ByHand(np.arange(6.0).reshape(2, 3), strides=None)), 15)
        self.assertEqual(upsweep.sum(ByHand(np.arange(6.0)[:4], byte_offset=16)), 14)

    def test_bfloat16(self):
        x = ByHand(bfloat16_bits([1.5, -2.0, 0.25, 96.0]), code=4)
        self.assertEqual((upsweep.sum(x), upsweep.max(x), upsweep.argmin(x).value), (95.75, 96, -2))
        self.assertEqual((upsweep.mean(x), upsweep.sum(x, dtype="f8")), (23.9375, 95.75))
        self.assertEqual(upsweep.average(x, weights=x), np.float32((1.5**2 + 4 + 0.0625 + 96**2) / 95.75))
        self.assertEqual(upsweep.sum(x, where=[True, False, True, False]), 1.75)
        with self.assertRaises(upsweep.UnsupportedError):
            upsweep.bit_or(x)

    @unittest.skipUnless(HAS_DLPACK, "this NumPy has no DLPack")
    def test_the_owner_is_released(self):
        x = np.arange(10.0)
        before = sys.getrefcount(x)
        for _ in range(10):
            upsweep.sum(ByNumPy(x))
        self.assertEqual(sys.getrefcount(x), before)

    def test_partial(self):
        part = upsweep.Partial("sum", np.float64)
        part.add(ByHand(np.arange(4.0)))
        self.assertEqual(part.result(), 6)

    def test_refused(self):
        x = np.arange(4.0)
        for hidden, text in ((ByHand(x, device=10), "of type 10"), (ByHand(x, lanes=2), "2 lanes"),
                             (ByHand(x, code=3), r"type \?64"), (ByHand(x, bits=4), "4 bits")):
            with self.assertRaisesRegex(TypeError, text):
                upsweep.sum(hidden)


class Device(unittest.TestCase):
    def test_streams(self):
        x = np.arange(12.0, dtype=np.float32)
        with fake_gpu() as streams:
            for device in (2, 13):
                hidden = ByHand(x[::2], device)
                self.assertEqual(upsweep.sum(hidden), 30)
                self.assertEqual(hidden.streams, [1])
            self.assertEqual(upsweep.sum(ByHand(x[:0], 2)), 0)
            self.assertEqual(upsweep.sum(ByHand(x.reshape(3, 4)[:, :2], 2)), 27)
        self.assertEqual(streams, [(1, x.ctypes.data)] * 3)
        pinned = ByHand(x, 3)  # is the host's
        self.assertEqual((upsweep.sum(pinned), pinned.streams), (66, [None]))

    def test_no_gpu(self):
        if upsweep.info().gpu_count:
            self.skipTest("there is a GPU here")
        with self.assertRaisesRegex(upsweep.PlaceError, "device memory"):
            upsweep.sum(ByHand(np.arange(4.0), 2))


if __name__ == "__main__":
    unittest.main()
