"""Every function over every dtype against NumPy, and where NumPy has another opinion."""

import math
import unittest

import numpy as np
import upsweep
from support import COMPLEXES, EVERY, FLOATS, INTEGERS, LENGTHS, ORDERED, FakeDevice, bfloat16_bits, fake_gpu
from support import real, sample, wide


class Values(unittest.TestCase):
    def assert_near(self, got, want, dtype, scale):
        """Equal for integers; within n epsilons of the sum of absolute values otherwise."""
        self.assertEqual(np.asarray(got).dtype, dtype)
        if dtype.kind in "iu":
            self.assertEqual(got, want)
        else:
            self.assertLessEqual(abs(complex(got) - complex(want)), 64 * np.finfo(dtype).eps * float(scale))

    def each(self, dtypes, check):
        for dtype in dtypes:
            for n in LENGTHS:
                with self.subTest(dtype=dtype, n=n):
                    check(sample(dtype, n))

    def test_sum(self):
        def check(x):
            kind = wide(x.dtype)
            more = kind if kind.kind in "iu" else np.complex128
            want = x.astype(more).sum()
            self.assert_near(upsweep.sum(x), want, kind, np.abs(x.astype(more)).sum() if kind.kind in "fc" else 0)

        self.each(INTEGERS + FLOATS + COMPLEXES, check)

    def test_exact_sum(self):
        for numbers in ([1, 2.0**-53, 2.0**-1074], [1e16, 1, 2.0**-60, -1e16], [2.0**1023, 2.0**-1074, -(2.0**1023)]):
            x = np.array(numbers)
            self.assertEqual(float(upsweep.sum(x, accuracy="exact")), math.fsum(numbers))
            self.assertEqual(float(upsweep.sum(x, accuracy="reproducible", fold=60)), math.fsum(numbers))
        with self.assertRaisesRegex(upsweep.InvalidError, "options.fold is 61"):
            upsweep.sum(np.ones(2), accuracy="reproducible", fold=61)

    def test_prod(self):
        def check(x):
            kind = wide(x.dtype)
            if kind.kind in "iu":
                x |= x.dtype.type(1)
                want = np.multiply.reduce(x.astype(kind))
            else:
                x = (1 + x / 1000).astype(x.dtype)
                want = np.multiply.reduce(x.astype(np.complex128))
            self.assert_near(upsweep.prod(x), want, kind, len(x) * abs(want) if kind.kind in "fc" else 0)

        self.each(INTEGERS + FLOATS + COMPLEXES, check)

    def test_dot(self):
        def check(x):
            y, kind = sample(x.dtype, len(x), seed=2), wide(x.dtype)
            more = kind if kind.kind in "iu" else np.complex128
            products = x.astype(more) * y.astype(more)
            scale = np.abs(products).sum() if kind.kind in "fc" else 0
            self.assert_near(upsweep.dot(x, y), products.sum(), kind, scale)

        self.each(INTEGERS + FLOATS + COMPLEXES, check)

    def test_dotc(self):
        def check(x):
            y = sample(x.dtype, len(x), seed=2)
            products = x.astype(np.complex128).conj() * y
            self.assert_near(upsweep.dotc(x, y), products.sum(), x.dtype, np.abs(products).sum())
            self.assertAlmostEqual(upsweep.dotc(x, x).imag, 0)

        self.each(COMPLEXES, check)

    def test_norms(self):
        def check(x):
            kind, modulus = real(x.dtype), np.abs(x.astype(np.complex128))
            self.assert_near(upsweep.norm1(x), modulus.sum(), kind, modulus.sum())
            self.assert_near(upsweep.norm2(x), np.sqrt((modulus ** 2).sum()), kind, modulus.max())
            self.assert_near(upsweep.norm_inf(x), modulus.max(), kind, modulus.max())

        self.each(FLOATS + COMPLEXES, check)

    def test_norm2_does_not_overflow(self):
        self.assertAlmostEqual(upsweep.norm2(np.full(4, 1e300)) / 2e300, 1)
        self.assertAlmostEqual(upsweep.norm2(np.full(4, 1e-300)) / 2e-300, 1)
        self.assertEqual(upsweep.norm2(np.full(4, 60000, dtype=np.float16)), np.float32(120000))

    def test_extremes(self):
        def check(x):
            least, most = upsweep.min(x), upsweep.max(x)
            self.assertEqual((least, most), (x.min(), x.max()))
            self.assertEqual((least.dtype, most.dtype), (x.dtype, x.dtype))
            self.assertEqual(upsweep.minmax(x), (least, most))
            self.assertEqual(tuple(upsweep.argmin(x)), (least, x.argmin()))
            self.assertEqual(tuple(upsweep.argmax(x)), (most, x.argmax()))
            self.assertIs(type(upsweep.argmin(x).index), int)

        self.each(ORDERED, check)

    def test_bits(self):
        def check(x):
            for name, operator in (("bit_and", np.bitwise_and), ("bit_or", np.bitwise_or), ("bit_xor", np.bitwise_xor)):
                got = getattr(upsweep, name)(x)
                self.assertEqual((got, got.dtype), (operator.reduce(x), x.dtype), name)

        self.each(INTEGERS, check)

    def test_logic(self):
        def check(x):
            for y in (x, np.zeros_like(x), np.ones_like(x)):
                self.assertIs(upsweep.all(y), bool(np.all(y)))
                self.assertIs(upsweep.any(y), bool(np.any(y)))
                self.assertEqual(upsweep.count(y), np.count_nonzero(y))

        self.each(EVERY, check)

    def test_describe(self):
        def check(x):
            got = upsweep.describe(x)
            more = x.astype(np.float64)
            self.assertEqual((got.count, got.minimum, got.maximum), (len(x), x.min(), x.max()))
            self.assertEqual((got.minimum_index, got.maximum_index), (x.argmin(), x.argmax()))
            scale = np.abs(more).max() + 1
            self.assertLess(abs(got.mean - more.mean()), 1e-13 * scale)
            self.assertLess(abs(got.variance - more.var()), 1e-12 * scale ** 2)
            self.assertEqual((type(got.count), type(got.mean), got.minimum.dtype), (int, float, x.dtype))

        self.each(ORDERED, check)


class Bfloat16(unittest.TestCase):
    """Through the device interface: NumPy itself has no such dtype."""

    def setUp(self):
        values = np.array([1.5, -2.0, 0.25, -2.0, 96.0], dtype=np.float32)
        self.values, self.x = values, FakeDevice(bfloat16_bits(values), dtype="bfloat16")

    def test_functions(self):
        with fake_gpu():
            self.assertEqual(upsweep.sum(self.x), np.float32(93.75))
            self.assertEqual(tuple(upsweep.argmin(self.x)), (-2.0, 1))
            self.assertEqual(upsweep.minmax(self.x), (-2.0, 96.0))
            self.assertEqual(upsweep.dot(self.x, self.x), np.float32((self.values ** 2).sum()))
            self.assertEqual(upsweep.max(self.x).dtype, np.float32)
            self.assertEqual(upsweep.describe(self.x).maximum_index, 4)
            self.assertEqual(upsweep.count(self.x), 5)

    def test_dtype_of_ml_dtypes(self):
        try:
            import ml_dtypes
        except ImportError:
            self.skipTest("ml_dtypes is not installed")
        x = self.values.astype(ml_dtypes.bfloat16)
        self.assertEqual(upsweep.sum(x), np.float32(93.75))
        self.assertEqual(upsweep.max(x), ml_dtypes.bfloat16(96))
        self.assertIs(type(upsweep.min(x)), ml_dtypes.bfloat16)
        self.assertIs(type(upsweep.argmax(x).value), ml_dtypes.bfloat16)
        part = upsweep.Partial("max", ml_dtypes.bfloat16)
        part.add(x)
        self.assertEqual(part.result(), 96)


class Empty(unittest.TestCase):
    def test_identities(self):
        for dtype in EVERY:
            x = np.empty(0, dtype)
            with self.subTest(dtype=dtype):
                self.assertEqual((upsweep.all(x), upsweep.any(x), upsweep.count(x)), (True, False, 0))
            if dtype == "bool":
                continue
            with self.subTest(dtype=dtype):
                self.assertEqual((upsweep.sum(x), upsweep.prod(x), upsweep.dot(x, x)), (0, 1, 0))
        for dtype in ORDERED:
            x, kind = np.empty((3, 0), dtype), np.dtype(dtype)
            most, least = (np.inf, -np.inf) if kind.kind == "f" else (np.iinfo(kind).max, np.iinfo(kind).min)
            with self.subTest(dtype=dtype):
                self.assertEqual((upsweep.min(x, initial=least), upsweep.max(x, initial=1)), (least, 1))
                for function in (upsweep.min, upsweep.max, upsweep.argmin, upsweep.argmax, upsweep.ptp):
                    with self.assertRaisesRegex(ValueError, "of no elements"):
                        function(x)
                self.assertEqual(upsweep.minmax(x), (most, least))
                got = upsweep.describe(x)
                self.assertTrue(math.isnan(got.mean) and math.isnan(got.variance))
                self.assertEqual((got.count, *got[3:]), (0, most, least, -1, -1))
        for dtype in FLOATS + COMPLEXES:
            x = np.empty(0, dtype)
            self.assertEqual([upsweep.norm1(x), upsweep.norm2(x), upsweep.norm_inf(x)], [0, 0, 0])

    def test_one_number(self):
        self.assertEqual(upsweep.sum(np.float32(2.5)), 2.5)
        self.assertEqual(upsweep.sum(np.array(7)), 7)
        self.assertEqual(tuple(upsweep.argmin(3.0)), (3.0, 0))


class NotANumber(unittest.TestCase):
    """NumPy's min gives NaN too, and its places take the first of equal zeros; ignored NaNs are those of its nan functions."""

    def test_nan(self):
        for dtype in FLOATS:
            x = np.array([3, np.nan, -1, np.nan], dtype)
            with self.subTest(dtype=dtype):
                self.assertTrue(np.isnan(upsweep.min(x)) and np.isnan(upsweep.sum(x)) and np.isnan(upsweep.norm_inf(x)))
                self.assertEqual(upsweep.argmax(x).index, 1)
                self.assertEqual(tuple(upsweep.argmax(x, nan="ignore")), (3, 0))
                self.assertEqual(upsweep.minmax(x, nan="ignore"), (-1, 3))
                self.assertEqual(upsweep.describe(x, nan="ignore").count, 2)
                with self.assertRaisesRegex(ValueError, "every element is a NaN"):
                    upsweep.argmin(np.full(3, np.nan, dtype), nan="ignore")
                self.assertTrue(upsweep.all(x))

    def test_zeros(self):
        x = np.array([0.0, -0.0, 0.0])
        self.assertTrue(np.signbit(upsweep.min(x)))
        self.assertFalse(np.signbit(upsweep.max(x)))
        self.assertEqual((upsweep.argmin(x).index, upsweep.argmax(x).index), (0, 0))
        self.assertEqual(upsweep.argmin(-x).index, 0)
        self.assertTrue(np.signbit(upsweep.argmin(-x).value))

    def test_numbers(self):
        report = upsweep.Report()
        for dtype in FLOATS:
            x = np.array([3, np.nan, -1, np.nan, 4], dtype)
            for accuracy in ("fast", "repeatable", "compensated", "reproducible", "exact"):
                with self.subTest(dtype=dtype, accuracy=accuracy):
                    self.assertEqual(upsweep.sum(x, nan="ignore", accuracy=accuracy, report=report), np.nansum(x))
                    self.assertEqual(report.kept, 3)
            self.assertEqual(upsweep.prod(x, nan="ignore"), np.nanprod(x))
            self.assertEqual(upsweep.dot(x, x[::-1], nan="ignore", report=report), 25)
            self.assertEqual(report.kept, 3)
            self.assertEqual(upsweep.describe(x, nan="ignore").mean, np.nanmean(x.astype(np.float64)))
            upsweep.min(x, nan="ignore", report=report)
            self.assertIsNone(report.kept)

    def test_wrapping(self):
        self.assertEqual(upsweep.sum(np.array([2 ** 63 - 1, 1])), -2 ** 63)
        self.assertEqual(upsweep.sum(np.array([2 ** 64 - 1, 2], np.uint64)), 1)


if __name__ == "__main__":
    unittest.main()
