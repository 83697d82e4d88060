"""Device memory of a real GPU: by the CUDA driver alone, by CuPy, and by PyTorch."""

import ctypes
import unittest
import warnings

import numpy as np
import upsweep
from support import ORDERED, sample
from test_dlpack import ByHand, ByNumPy


class Driver:
    """The few calls of libcuda that the tests need, in the primary context of the first GPU."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self("cuInit", 0)
        self("cuDeviceGet", ctypes.byref(device), 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self("cuCtxPushCurrent_v2", context)

    def __call__(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise RuntimeError(f"{name} returned {status}")

    def array(self, x, **changes):
        """A copy of a NumPy array in device memory, as an object that only has the interface."""
        address = ctypes.c_uint64()
        self("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(x.nbytes, 1)))
        self("cuMemcpyHtoD_v2", address, ctypes.c_void_p(x.ctypes.data), ctypes.c_size_t(x.nbytes))
        interface = {"shape": x.shape, "typestr": x.dtype.str, "data": (address.value, False), "version": 3,
                     "strides": x.strides, **changes}
        return self.object(interface)

    def object(self, interface):
        """What has the interface, and slices of its first elements."""
        def first(_, piece):
            return self.object({**interface, "shape": (piece.stop,)})
        return type("DeviceArray", (), {"__cuda_array_interface__": interface, "__getitem__": first})()

    def copy(self, x, like):
        """What an object of array() holds, as a NumPy array like another one."""
        copied = np.empty_like(like)
        address = ctypes.c_uint64(x.__cuda_array_interface__["data"][0])
        self("cuMemcpyDtoH_v2", ctypes.c_void_p(copied.ctypes.data), address, ctypes.c_size_t(copied.nbytes))
        return copied


@unittest.skipUnless(upsweep.info().gpu_count, "the library can run on no GPU here")
class Gpu(unittest.TestCase):
    def test_runs_where_the_data_is(self):
        driver, report = Driver(), upsweep.Report()
        for dtype in ORDERED:
            x = sample(dtype, 100000)
            on_device = driver.array(x)
            with self.subTest(dtype=dtype):
                self.assertEqual(upsweep.minmax(on_device, report=report), upsweep.minmax(x))
                self.assertEqual(report.place, "device")
                self.assertEqual(tuple(upsweep.argmax(on_device)), tuple(upsweep.argmax(x)))
                with self.assertRaises(upsweep.PlaceError):
                    upsweep.sum(on_device, place="host")
                if x.dtype.kind in "iu":
                    self.assertEqual(upsweep.sum(on_device), upsweep.sum(x))

    def test_dlpack(self):
        driver, x = Driver(), sample("float32", 1000)
        address = driver.array(x).__cuda_array_interface__["data"][0]
        self.assertEqual(upsweep.minmax(ByHand(x, 2, data=address)), upsweep.minmax(x))
        report = upsweep.Report()
        self.assertEqual(upsweep.argmax(ByHand(x[::-3], 2, data=address + x[::-3].ctypes.data - x.ctypes.data),
                                        report=report), upsweep.argmax(x[::-3]))
        self.assertEqual(report.place, "device")

    def test_parts(self):
        driver, report = Driver(), upsweep.Report()
        for dtype in ORDERED:
            x = sample(dtype, 100000)
            parts = upsweep.Parts([driver.array(x[:60000]), x[60000:70000], driver.array(x[70000:])])
            with self.subTest(dtype=dtype):
                self.assertEqual(upsweep.minmax(parts, report=report), upsweep.minmax(x))
                self.assertEqual(report.bytes, x.nbytes)
                self.assertEqual(tuple(upsweep.argmax(parts)), tuple(upsweep.argmax(x)))
                self.assertEqual(upsweep.sum(parts, accuracy="reproducible"), upsweep.sum(x, accuracy="reproducible"))
                with self.assertRaises(ValueError):
                    upsweep.sum(parts, place="device")

    def test_statistics(self):
        driver = Driver()
        for dtype in ("float32", "int16", "complex64", "bool"):
            x = sample(dtype, 10000)
            on_device = driver.array(x)
            with self.subTest(dtype=dtype):
                np.testing.assert_allclose(upsweep.mean(on_device), upsweep.mean(x), rtol=1e-6)
                np.testing.assert_allclose(upsweep.std(on_device, ddof=1), upsweep.std(x, ddof=1), rtol=1e-6)
                self.assertEqual(upsweep.sum(on_device).dtype, upsweep.sum(x).dtype)
                with self.assertRaisesRegex(TypeError, "where= selects"):
                    upsweep.sum(on_device, where=x == 0)

    def test_axes(self):
        driver = Driver()
        for dtype in ("float32", "float64", "int16"):
            x = sample(dtype, 6000).reshape(20, 30, 10)
            on_device = driver.array(x)
            for function in (upsweep.sum, upsweep.max, upsweep.argmin, upsweep.mean, upsweep.var, upsweep.count):
                for axis in (0, 1, 2, (0, 2), None):
                    with self.subTest(dtype=dtype, function=function.__name__, axis=axis):
                        want = np.asarray(function(x, axis, keepdims=True))
                        np.testing.assert_allclose(function(on_device, axis, keepdims=True), want, 1e-5, 1e-4)
                        out = driver.array(np.zeros_like(want))
                        self.assertIs(function(on_device, axis, keepdims=True, out=out), out)
                        np.testing.assert_allclose(driver.copy(out, want), want, 1e-5, 1e-4)

    def test_segments(self):
        driver, offsets = Driver(), np.sort(np.random.default_rng(1).integers(0, 6001, 500))
        for dtype, of_offsets in (("float32", "int32"), ("float64", "int64"), ("int16", "uint32")):
            x, offsets = sample(dtype, 6000), offsets.astype(of_offsets)
            on_device, begins, ends = map(driver.array, (x, offsets[:-1], offsets[1:]))
            for function in (upsweep.sum, upsweep.max, upsweep.argmin, upsweep.var, upsweep.count):
                for of_host, of_device in ((offsets, driver.array(offsets)), (60, 60),
                                           ((offsets[:-1], offsets[1:]), (begins, ends))):
                    with self.subTest(dtype=dtype, function=function.__name__), np.errstate(all="ignore"):
                        with warnings.catch_warnings():
                            warnings.simplefilter("ignore")  # empty ones have no variance
                            want = function(x, segments=of_host)
                            found = function(on_device, segments=of_device)
                        np.testing.assert_allclose(found, want, 1e-5, 1e-4)
            out = driver.array(np.zeros(100, x.dtype))
            self.assertIs(upsweep.min(on_device, segments=60, out=out), out)
            np.testing.assert_array_equal(driver.copy(out, x[:100]), x.reshape(100, 60).min(1))
            with self.assertRaisesRegex(upsweep.InvalidError, "segment 0 begins"):
                upsweep.sum(on_device, segments=driver.array(np.array([9, 7, 8], of_offsets)))

    def test_scans(self):
        driver = Driver()
        for dtype in ("float32", "float64", "int16"):
            x = sample(dtype, 100000)
            for y in (x, x[:4097], x[:1]):
                for keywords in ({}, {"reverse": True}, {"exclusive": True, "initial": 2}):
                    for function in (upsweep.cumsum, upsweep.cummax):
                        with self.subTest(dtype=dtype, function=function.__name__, n=y.size, keywords=keywords):
                            want, report = function(y, **keywords), upsweep.Report()
                            out = driver.array(np.zeros_like(want))
                            self.assertIs(function(driver.array(y), out=out, report=report, **keywords), out)
                            self.assertEqual(report.place, "device")
                            np.testing.assert_allclose(driver.copy(out, want), want, 1e-4, 1e-2)

    def test_pieces(self):
        """Scans of segments and by key, reductions by key, selections."""
        driver, random = Driver(), np.random.default_rng(1)
        for dtype, of_keys in (("float32", "int32"), ("float64", "uint8"), ("int16", "int64")):
            x, keys = sample(dtype, 50000), np.repeat(random.integers(0, 3, 2000), 25).astype(of_keys)
            offsets, of_device = np.append(0, np.sort(random.integers(0, 50001, 500))), driver.array(x)
            for name, of_host in (("keys", keys), ("segments", offsets), ("segments", 250)):
                given = of_host if isinstance(of_host, int) else driver.array(of_host)
                with self.subTest(dtype=dtype, name=name):
                    want = upsweep.cumsum(x, **{name: of_host})
                    out = driver.array(np.zeros_like(want))
                    self.assertIs(upsweep.cumsum(of_device, out=out, **{name: given}), out)
                    np.testing.assert_allclose(driver.copy(out, want), want, 1e-4, 1e-2)
            for function in ("max", "sum", "argmin", "describe"):
                with self.subTest(dtype=dtype, function=function), np.errstate(all="ignore"):
                    want, unique = upsweep.reduce_by_key(x, keys, function), driver.array(np.zeros_like(keys))
                    is_one = isinstance(want.results, np.ndarray) and function != "argmin"
                    out = driver.array(np.zeros(x.size, want.results.dtype)) if is_one else None
                    found = upsweep.reduce_by_key(of_device, driver.array(keys), function, out=(unique, out))
                    np.testing.assert_array_equal(driver.copy(found.unique, want.unique), want.unique)
                    results = driver.copy(found.results, want.results) if is_one else found.results
                    np.testing.assert_allclose(results, want.results, 1e-4, 1e-4)
            out = driver.array(np.zeros_like(x))
            found = upsweep.compress(driver.array(x > 0), of_device, out=out)
            np.testing.assert_array_equal(driver.copy(found, x[x > 0]), x[x > 0])

    def test_waits_for_the_stream(self):
        """The last of many fills on a stream that nothing else waits for."""
        driver, n = Driver(), 1 << 26
        stream = ctypes.c_void_p()
        driver("cuStreamCreate", ctypes.byref(stream), 1)
        x = driver.array(np.zeros(n, np.uint32), stream=stream.value)
        address = ctypes.c_uint64(x.__cuda_array_interface__["data"][0])
        for value in range(1, 201):
            driver("cuMemsetD32Async", address, value, ctypes.c_size_t(n), stream)
        self.assertEqual(upsweep.sum(x), 200 * n)

    def test_cupy(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("cupy is not installed")
        x = cupy.arange(12, dtype=cupy.float32).reshape(3, 4)
        self.assertEqual(upsweep.sum(x.T), 66)
        self.assertEqual(upsweep.argmax(x).index, 11)
        self.assertEqual(upsweep.dot(x[::-1], x[::-1]), 506)
        self.assertEqual(upsweep.sum(x[:, :2]), 27)
        for function in (upsweep.sum, upsweep.argmax, upsweep.mean, upsweep.all, upsweep.count):
            found = function(x[:, ::-1], axis=0)
            self.assertIsInstance(found, cupy.ndarray)
            np.testing.assert_array_equal(found.get(), function(x.get()[:, ::-1], axis=0))
            found, offsets = function(x.ravel(), segments=cupy.array([0, 2, 12])), [0, 2, 12]
            self.assertIsInstance(found, cupy.ndarray)
            np.testing.assert_array_equal(found.get(), function(x.ravel().get(), segments=offsets))
        np.testing.assert_array_equal(upsweep.max(x[:0].ravel(), segments=cupy.zeros(3, int)).get(), [-np.inf] * 2)
        out = cupy.empty((3, 1), cupy.float32)
        self.assertIs(upsweep.max(x, 1, keepdims=True, out=out), out)
        self.assertEqual(out.get().tolist(), [[3], [7], [11]])
        sums = upsweep.cumsum(x, reverse=True)
        self.assertIsInstance(sums, cupy.ndarray)
        np.testing.assert_array_equal(sums.get(), upsweep.cumsum(x.get(), reverse=True))
        runs = upsweep.reduce_by_key(x, x > 4)
        self.assertEqual((runs.unique.get().tolist(), runs.results.get().tolist()), ([False, True], [10, 56]))
        self.assertEqual(upsweep.cumsum(x.ravel(), segments=cupy.array([2, 4, 6])).get().tolist(),
                         [0, 0, 2, 5, 4, 9] + [0] * 6)
        self.assertEqual(upsweep.compress(x > 9, x).get().tolist(), [10, 11])
        with cupy.cuda.Stream(non_blocking=True):
            self.assertEqual(upsweep.sum(cupy.ones(1 << 20)), 1 << 20)

    def test_torch(self):
        try:
            import torch
        except ImportError:
            self.skipTest("torch is not installed")
        for dtype in (torch.float32, torch.float64, torch.float16, torch.int32, torch.uint8, torch.complex64):
            with self.subTest(dtype=dtype):
                x = torch.arange(12, device="cuda").to(dtype)
                self.assertEqual(upsweep.sum(x), 66)
                self.assertEqual(upsweep.count(x.reshape(3, 4).T), 11)
                self.assertEqual(upsweep.sum(ByNumPy(x)), 66)
                rows = upsweep.sum(x.reshape(3, 4), axis=1)
                self.assertEqual((rows.device.type, rows.cpu().tolist()), ("cuda", [6, 22, 38]))
                sums = upsweep.sum(x, segments=torch.tensor([0, 4, 4, 12], device="cuda"))
                self.assertEqual((sums.device.type, sums.cpu().tolist()), ("cuda", [6, 0, 60]))
        running = upsweep.cumsum(torch.arange(5.0, device="cuda"))
        self.assertEqual((running.device.type, running.cpu().tolist()), ("cuda", [0, 1, 3, 6, 10]))
        x, offsets = torch.arange(5.0, device="cuda"), torch.tensor([1, 3], device="cuda")
        self.assertEqual(upsweep.cumsum(x, segments=offsets).cpu().tolist(), [0, 1, 3, 0, 0])
        self.assertEqual(upsweep.reduce_by_key(x, x.int() // 2).results.cpu().tolist(), [1, 5, 4])
        self.assertEqual(upsweep.compress(x > 2, x).cpu().tolist(), [3, 4])


if __name__ == "__main__":
    unittest.main()
