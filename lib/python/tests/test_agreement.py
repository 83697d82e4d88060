"""Whether the documentation's table of agreement is what NumPy and the package do; and CuPy, where it is."""

import unittest
import warnings

import agreement
import numpy as np
import upsweep
from support import FakeDevice, fake_gpu, sample


class NumPy(unittest.TestCase):
    def test_the_page_is_right(self):
        if not agreement.PAGE.exists():
            self.skipTest("these tests are not in the repository")
        self.maxDiff = None
        self.assertEqual(agreement.parts_of(agreement.PAGE)[1], agreement.table())


class CuPy(unittest.TestCase):
    """The same values from device memory; rows whose answer NumPy's differs from are left out."""

    def setUp(self):
        try:
            import cupy
            cupy.cuda.runtime.getDeviceCount()
        except Exception as problem:  # no package, no driver, no GPU
            self.skipTest(f"no CuPy that works here: {type(problem).__name__}")
        self.cupy = cupy

    def test_values(self):
        for name, (ours, _) in agreement.ROWS.items():
            function = getattr(self.cupy, name.partition("(")[0], None)
            if function is None or not name.endswith("(x)"):
                continue
            for column in ("integers", "float32, float64"):
                for x in agreement.samples(column):
                    if not x.flags.c_contiguous or not x.dtype.isnative:
                        continue
                    on_device = self.cupy.asarray(x)
                    theirs = agreement.Answer(lambda y: function(y).get()[()], on_device)
                    with self.subTest(name=name, dtype=x.dtype, shape=x.shape):
                        self.assertIn(agreement.relation(agreement.Answer(ours, on_device), theirs, x),
                                      ("same", "error", "more"))


class Keywords(unittest.TestCase):
    """What the table does not have."""

    def test_where(self):
        x = np.arange(12.0).reshape(3, 4)
        for mask in (True, np.array([True, False, True, False]), np.array([[True], [False], [True]]), x > 4):
            for ours, theirs in ((upsweep.sum, np.sum), (upsweep.prod, np.prod), (upsweep.mean, np.mean),
                                 (upsweep.var, np.var), (upsweep.std, np.std), (upsweep.nansum, np.sum)):
                self.assertAlmostEqual(ours(x, where=mask), theirs(x, where=mask))
        self.assertEqual(upsweep.max(x, where=x < 5), 4)
        self.assertEqual(upsweep.nanmin(np.array([3.0, np.nan, 1.0]), where=np.array([True, True, False])), 3)
        with self.assertRaisesRegex(ValueError, "no elements"):
            upsweep.min(x, where=False)
        with self.assertRaisesRegex(TypeError, "where has dtype"):
            upsweep.sum(x, where=np.ones(4))
        with self.assertRaises(ValueError):
            upsweep.sum(x, where=np.ones((2, 3, 4), bool))

    def test_initial(self):
        for initial in (3, -2.5, np.nan):
            x = np.array([1.0, 4.0])
            for ours, theirs in ((upsweep.sum, np.sum), (upsweep.prod, np.prod), (upsweep.min, np.min),
                                 (upsweep.max, np.max)):
                np.testing.assert_equal(ours(x, initial=initial), theirs(x, initial=initial))
        self.assertEqual(upsweep.sum(np.array([250], np.uint8), initial=10, dtype=np.uint8), 4)
        self.assertEqual(upsweep.nanmin(np.full(2, np.nan), initial=3), 3)
        with self.assertRaises(OverflowError):
            upsweep.max(np.array([1]), initial=np.inf)
        np.testing.assert_equal(upsweep.nanmax([], initial=np.nan), np.nan)
        np.testing.assert_equal(upsweep.nanmin(np.empty((2, 0)), axis=1, initial=np.nan), [np.nan] * 2)
        self.assertEqual((upsweep.nanmax([], initial=2), upsweep.nanmax([1.0], initial=np.nan)), (2, 1))
        for function in (upsweep.sum, upsweep.prod, upsweep.min, upsweep.nanmax):
            for keywords in ({}, {"axis": 0}, {"where": np.array([True, False])}):
                with self.assertRaisesRegex(ValueError, r"initial has shape \(2,\)"):
                    function(np.ones(2), initial=[1, 2], **keywords)

    def test_dtype(self):
        x = np.full(1 << 16, 0.1, np.float32)
        self.assertEqual(upsweep.sum(x, dtype="f8", accuracy="exact"), np.float64(np.float32(0.1)) * (1 << 16))
        self.assertEqual(upsweep.sum(np.array([1.5, 2.5]), dtype=int), 3)
        self.assertEqual(upsweep.sum(np.array([-1], np.int8), dtype=np.uint64), 2**64 - 1)
        self.assertIs(type(upsweep.mean(x, dtype="f8")), np.float64)
        self.assertEqual(upsweep.sum(np.array([3, 4]), dtype=bool), np.bool_(True))
        for dtype in ("longdouble", "M8[s]", "O"):
            with self.assertRaisesRegex(TypeError, "cannot have dtype"):
                upsweep.sum(x, dtype=dtype)

    def test_dtype_without_nans(self):
        halves = np.array([1 + 1j, complex(5, np.nan), complex(np.nan, 2)])
        zeros = np.array([0, np.nan, 0])
        for x, dtypes in ((halves, "f8 f4 f2 bool c8"), (zeros, "i8 u1 bool f4 c16"),
                          (np.full(3, np.nan), "i4 bool f4")):
            for dtype in dtypes.split():
                for ours, theirs in ((upsweep.nansum, np.nansum), (upsweep.nanprod, np.nanprod)):
                    for keywords in ({}, {"axis": 1}, {"axis": 0}, {"where": np.array([True, True, False])},
                                     {"axis": 1, "where": np.array([False, True, True])}):
                        with self.subTest(x=x, dtype=dtype, function=ours.__name__, **keywords):
                            with np.errstate(all="ignore"), warnings.catch_warnings():
                                warnings.simplefilter("ignore")  # ComplexWarning
                                got, want = (f(x.reshape(1, 3), dtype=dtype, **keywords) for f in (ours, theirs))
                            np.testing.assert_array_equal(got, want)
        self.assertEqual(upsweep.nansum(zeros + 3, segments=[0, 2, 3], dtype=int).tolist(), [3, 3])
        with fake_gpu():
            for dtype in (int, bool):
                with self.assertRaisesRegex(TypeError, "NaNs are left out in host memory only"):
                    upsweep.nansum(FakeDevice(zeros), dtype=dtype)
            bits = FakeDevice(np.zeros(2, np.uint16), "bfloat16")
            self.assertEqual(upsweep.nansum(bits, dtype="f4"), 0)

    def test_out_decides(self):
        large, columns = np.full((4, 2), 3e38, np.float32), np.array([[-1, 5], [7, 1]], np.int32)
        for x, outs in ((large, "f8 c16 f4 f2"), (large.astype("c8"), "c16"), (columns, "i1 i4 i8 u1 u4 u8 f8"),
                        (columns > 1, "i8 u1 u8"), (columns.astype(np.uint8), "i1 i8 u8")):
            for dtype in outs.split():
                for ours, theirs in ((upsweep.sum, np.sum), (upsweep.nansum, np.nansum), (upsweep.prod, np.prod)):
                    for axis in (None, 0, 1):
                        with self.subTest(dtype=x.dtype, out=dtype, function=ours.__name__, axis=axis), \
                                np.errstate(all="ignore"):
                            got, want = (np.zeros(x.sum(axis).shape, dtype) for _ in range(2))
                            self.assertIs(ours(x, axis, out=got), got)
                            theirs(x, axis, out=want)
                            np.testing.assert_allclose(got, want, rtol=1e-15)
        self.assertEqual(upsweep.sum(large, out=np.empty((), ">f8"), initial=1), 8 * float(large[0, 0]) + 1)
        for x, dtype in ((large, int), (large.astype("c8"), "f8")):
            with self.assertRaises(TypeError):
                upsweep.sum(x, 0, out=np.empty(2, dtype))
        with fake_gpu():  # not converted there
            got = np.empty(2)
            np.testing.assert_array_equal(upsweep.sum(FakeDevice(large), 0, out=got), [np.inf] * 2)
            self.assertEqual(upsweep.sum(FakeDevice(columns), out=np.empty((), np.uint64)), 12)

    def test_large_means(self):
        x = np.array([1e9, 1e9 + 1, 1e9 + 2] * 1000, np.float64)
        self.assertAlmostEqual(upsweep.var(x), 2 / 3, places=12)
        self.assertAlmostEqual(upsweep.std(x, ddof=1), (2000 / 2999) ** 0.5, places=12)
        self.assertEqual(upsweep.mean(np.array([1e308, 1e308])), 1e308)

    def test_degrees_of_freedom(self):
        x = np.array([1.0, 2.0])
        for ours, theirs in ((upsweep.var, np.var), (upsweep.nanvar, np.nanvar), (upsweep.nanstd, np.nanstd)):
            with self.assertWarnsRegex(RuntimeWarning, "Degrees of freedom"), np.errstate(all="ignore"):
                np.testing.assert_equal(ours(x, ddof=2), theirs(x, ddof=2))

    def test_average(self):
        x, half = np.array([1, 2, 4], np.int16), np.array([0.5, 1, 0.5], np.float16)
        self.assertEqual(upsweep.average(x, weights=half), np.average(x, weights=half))
        self.assertEqual(upsweep.average(half, weights=half).dtype, np.float16)
        with self.assertRaisesRegex(TypeError, "weights have"):
            upsweep.average(x, weights=half[:2])
        with self.assertRaises(ZeroDivisionError):
            upsweep.average(x, weights=half * 0)

    def test_device_memory(self):
        for dtype in ("float32", "complex64", "complex128", "bool", "int16"):
            x = sample(dtype, 60)
            for y in (x, x[::3], x.reshape(6, 10).T):
                with self.subTest(dtype=dtype, shape=y.shape), fake_gpu():
                    hidden = FakeDevice(y)
                    for function in (upsweep.sum, upsweep.mean, upsweep.var, upsweep.average, upsweep.prod):
                        np.testing.assert_allclose(function(hidden), function(y), rtol=1e-5)
                    np.testing.assert_allclose(upsweep.average(hidden, weights=hidden), upsweep.average(y, weights=y),
                                               rtol=1e-5)
        with fake_gpu():
            self.assertEqual(upsweep.sum(FakeDevice(np.array([300, 1])), dtype=np.uint8), 45)
            with self.assertRaisesRegex(TypeError, "where= selects"):
                upsweep.max(FakeDevice(x), where=x > 0)
            with self.assertRaisesRegex(TypeError, "is not converted"):
                upsweep.sum(FakeDevice(x), dtype=np.float64)
            with self.assertRaisesRegex(TypeError, "left out in host memory only"):
                upsweep.nanmean(FakeDevice(np.ones(3, complex)))

    def test_located(self):
        x = np.array([4.0, 7.0, 7.0])
        found = upsweep.argmax(x)
        value, index = found
        self.assertEqual((value, index, found, found.value, found.index, x[found]), (7, 1, 1, 7, 1, 7))
        self.assertEqual((str(found), f"{found}", np.array([found]).dtype), ("1", "1", np.dtype(int)))

    def test_nans_alone(self):
        for ours, text in ((upsweep.nanmin, "All-NaN"), (upsweep.nanmax, "All-NaN"), (upsweep.nanmean, "Mean of empty"),
                           (upsweep.nanstd, "Degrees of freedom")):
            with self.assertWarnsRegex(RuntimeWarning, text):
                self.assertTrue(np.isnan(ours(np.full(3, np.nan, np.float32))))
        self.assertEqual(upsweep.nanmin(np.array([np.inf, np.nan])), np.inf)
        self.assertEqual(upsweep.nansum(np.array([1, np.nan, 1j * np.nan])), 1)


if __name__ == "__main__":
    unittest.main()
