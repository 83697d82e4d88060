"""How arrays of any layout reach the library: without a copy, by a copy, or not at all."""

import array
import unittest
import unittest.mock

import numpy as np
import upsweep
from support import FakeDevice, fake_gpu, sample
from upsweep import _cuda
from upsweep._arrays import operand, plan


def planned(x, in_order=False):
    return plan([operand(x)], in_order)


class Strides(unittest.TestCase):
    def test_one_dimension(self):
        x = sample("float64", 1001)
        for cut, stride in ((slice(None), 1), (slice(None, None, 3), 3), (slice(None, None, -1), -1),
                            (slice(900, 7, -7), -7)):
            y = x[cut]
            with self.subTest(cut=cut):
                found = planned(y)
                self.assertIs(found.owners[0], y)
                self.assertEqual((found.addresses, found.strides, found.length), ([y.ctypes.data], [stride], len(y)))
                self.assertAlmostEqual(upsweep.sum(y), y.sum())
                self.assertEqual(tuple(upsweep.argmin(y)), (y.min(), y.argmin()))
                self.assertAlmostEqual(upsweep.dot(y, y[::-1]), np.dot(y, y[::-1]))

    def test_stride_of_nothing(self):
        x = np.broadcast_to(np.float32(1.5), 1000)
        self.assertEqual((planned(x).strides, planned(x).length), ([0], 1000))
        self.assertEqual(upsweep.sum(x), 1500)
        self.assertEqual(upsweep.argmax(x).index, 0)
        self.assertEqual(upsweep.sum(np.broadcast_to(np.int8(3), (10, 20, 5))), 3000)

    def test_more_dimensions_without_a_copy(self):
        x = sample("int32", 24).reshape(2, 3, 4)
        for y in (x, x.T, x.transpose(1, 0, 2), x[::-1], x[:, ::-1, ::-1].T, x[:, :, 1:2], x[None, :, None],
                  np.asfortranarray(x), x[1:]):
            with self.subTest(shape=y.shape, strides=y.strides):
                self.assertIs(planned(y).owners[0], y)
                self.assertEqual(planned(y).length, y.size)
                self.assertEqual(upsweep.sum(y), y.sum(dtype=np.int64))
                self.assertEqual(upsweep.bit_xor(y), np.bitwise_xor.reduce(y, axis=None))

    def test_indices_count_in_c_order(self):
        x = np.array([[3, 1, 2], [1, 5, 5]])
        for y in (x, x.T, np.asfortranarray(x), x[::-1], x[:, ::-1], np.repeat(x, 2, axis=1)[:, ::2]):
            with self.subTest(strides=y.strides):
                self.assertEqual(upsweep.argmin(y).index, y.argmin())
                self.assertEqual(upsweep.argmax(y).index, y.argmax())
                found = upsweep.describe(y)
                self.assertEqual((found.minimum_index, found.maximum_index), (y.argmin(), y.argmax()))
        self.assertIsNot(planned(np.asfortranarray(x), in_order=True).owners[0], x)

    def test_copies(self):
        x = sample("float32", 60).reshape(6, 10)
        for y in (x[:, 2:7], x[::2, ::3], x.T[1:4, ::2], np.broadcast_to(x[0], (4, 10))):
            with self.subTest(shape=y.shape, strides=y.strides):
                self.assertAlmostEqual(upsweep.sum(y), y.sum(), places=4)
                self.assertEqual(tuple(upsweep.argmax(y)), (y.max(), y.argmax()))

    def test_pairs(self):
        x, y = (sample("int64", 12, seed).reshape(3, 4) for seed in (1, 2))
        layouts = (lambda z: z, np.asfortranarray, lambda z: z[::-1], lambda z: np.repeat(z, 2, axis=1)[:, ::2])
        for first in layouts:
            for second in layouts:
                self.assertEqual(upsweep.dot(first(x), first(y)), (first(x) * first(y)).sum())
                self.assertEqual(upsweep.dot(first(x), second(y)), (first(x) * second(y)).sum())
        both = plan([operand(x.T), operand(y.T)], in_order=False)
        self.assertEqual((both.addresses, both.strides), ([x.ctypes.data, y.ctypes.data], [1, 1]))

    def test_other_byte_order_and_alignment(self):
        x = np.arange(100, dtype=">i4")
        self.assertEqual(upsweep.sum(x), 4950)
        packed = np.zeros(50, dtype=[("flag", "u1"), ("value", "f8")])
        packed["value"] = np.arange(50)
        self.assertEqual(upsweep.sum(packed["value"]), 1225)
        self.assertEqual(tuple(upsweep.argmax(packed["value"])), (49, 49))
        shifted = np.frombuffer(b"-" + np.arange(50.0).tobytes(), dtype="f8", offset=1)
        self.assertEqual(upsweep.sum(shifted), 1225)
        padded = np.zeros(50, dtype=[("value", "c16"), ("rest", "f8")])
        padded["value"] = np.arange(50)
        self.assertEqual(upsweep.sum(padded["value"]), 1225)
        wide = np.zeros(50, dtype=[("value", "f4"), ("rest", "u1", 12)])
        wide["value"] = np.arange(50)
        self.assertEqual(planned(wide["value"]).strides, [4])
        self.assertEqual(upsweep.sum(wide["value"]), 1225)


class Others(unittest.TestCase):
    def test_buffers(self):
        self.assertEqual(upsweep.sum(array.array("f", [1, 2, 3.5])), np.float32(6.5))
        self.assertEqual(upsweep.max(memoryview(b"upsweep")), ord("w"))
        self.assertEqual(upsweep.max(bytearray(b"abc")), ord("c"))
        self.assertEqual(upsweep.sum([1, 2, 3]), 6)
        self.assertEqual(upsweep.count(memoryview(array.array("d", [0, 1, 2]))[::2]), 1)

    def test_read_only(self):
        x = np.arange(10)
        x.flags.writeable = False
        self.assertEqual(upsweep.sum(x), 45)

    def test_refused(self):
        for x in (np.array(["a"]), np.array([object()]), np.array(["2026-01-01"], "M8[D]"), np.longdouble([1]),
                  np.zeros(2, [("x", "f8")]), np.ma.masked_array([1, 2], [0, 1]), None, "text"):
            with self.subTest(x=x), self.assertRaises(TypeError):
                upsweep.sum(x)


class FakeDriver:
    """Notes the names of calls; one of them may fail."""

    def __init__(self):
        self.calls, self.fails = [], None

    def __getattr__(self, name):
        def call(*arguments):
            self.calls.append(name)
            return 700 if name == self.fails else 0

        return call


class DeviceInterface(unittest.TestCase):
    def setUp(self):
        self.x = sample("float32", 30)

    def test_layouts(self):
        block = self.x.reshape(5, 6)
        with fake_gpu() as streams:
            for y in (self.x, self.x[::3], self.x[::-2], block.T, block[::-1]):
                self.assertAlmostEqual(upsweep.sum(FakeDevice(y)), y.sum(), places=4)
            for y in (self.x, self.x[::-2], block):
                self.assertEqual(tuple(upsweep.argmin(FakeDevice(y))), (y.min(), y.argmin()))
            self.assertAlmostEqual(upsweep.dot(FakeDevice(self.x), FakeDevice(self.x)), self.x.dot(self.x), places=4)
        self.assertEqual(streams, [])

    def test_never_copied(self):
        block = self.x.reshape(5, 6)
        with fake_gpu():
            for function, y in ((upsweep.sum, block[:, 1:4]), (upsweep.argmin, block.T)):
                self.assertAlmostEqual(function(FakeDevice(y)), function(y))
                for options in ({"accuracy": "exact"}, {"strategy": "tree"}, {"fold": 4}):
                    with self.assertRaisesRegex(ValueError, "make it contiguous"):
                        function(FakeDevice(y), **options)
            z = block.T.copy().T
            self.assertAlmostEqual(upsweep.dot(FakeDevice(block), FakeDevice(z)), upsweep.dot(block, z))
            with self.assertRaisesRegex(ValueError, "make it contiguous"):
                upsweep.Partial("sum", np.float32).add(FakeDevice(self.x[::2]))

    def test_streams(self):
        address = self.x.ctypes.data
        with fake_gpu() as streams:
            for stream in (1, 2, 0x7000, None):
                upsweep.sum(FakeDevice(self.x, stream=stream))
            upsweep.sum(FakeDevice(self.x[:0], stream=1))
        self.assertEqual(streams, [(1, address), (2, address), (0x7000, address)])

    def test_streams_are_waited_for_by_the_driver(self):
        driver = FakeDriver()
        with unittest.mock.patch("upsweep._cuda._driver", driver):
            _cuda.synchronize(2, 0x1000)
            calls, driver.calls = driver.calls, []
            self.assertEqual(calls[-5:], ["cuDevicePrimaryCtxRetain", "cuCtxPushCurrent_v2", "cuStreamSynchronize",
                                          "cuCtxPopCurrent_v2", "cuDevicePrimaryCtxRelease_v2"])
            driver.fails = "cuStreamSynchronize"
            with self.assertRaisesRegex(upsweep.DeviceError, "cuStreamSynchronize returned 700"):
                _cuda.synchronize(2, 0x1000)
            self.assertEqual(driver.calls, calls)

    def test_versions_and_masks(self):
        with fake_gpu():
            self.assertAlmostEqual(upsweep.sum(FakeDevice(self.x, version=2)), self.x.sum(), places=4)
            for changes in ({"version": 1}, {"mask": FakeDevice(self.x)}, {"typestr": ">f4"}, {"typestr": "|V8"}):
                with self.subTest(changes=changes), self.assertRaises(TypeError):
                    upsweep.sum(FakeDevice(self.x, **changes))

    def test_empty(self):
        empty = FakeDevice(np.empty((2, 0)), data=(0, False))
        self.assertEqual(upsweep.sum(empty), 0)
        with self.assertRaisesRegex(ValueError, "argmin of no elements"):
            upsweep.argmin(empty)

    def test_no_gpu(self):
        if upsweep.info().gpu_count:
            self.skipTest("there is a GPU here")
        with self.assertRaisesRegex(upsweep.PlaceError, "device memory"):
            upsweep.sum(FakeDevice(self.x))
        with self.assertRaises(upsweep.PlaceError):
            upsweep.sum(FakeDevice(self.x), place="host")


if __name__ == "__main__":
    unittest.main()
