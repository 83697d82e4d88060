"""upsweep.Set: several reductions in one launch."""

import unittest

import numpy as np

import upsweep


class SetTest(unittest.TestCase):

    def test_every_function(self):
        x = np.arange(1, 1001, dtype=np.int32) % 97 + 1
        together = upsweep.Set()
        names = ("sum", "prod", "min", "max", "bit_and", "bit_or", "bit_xor", "all", "any")
        for number, name in enumerate(names):
            self.assertEqual(number, together.add(name, x))
        for name, result in zip(names, together.run()):
            expected = getattr(upsweep, name)(x)
            self.assertEqual(expected, result, name)
            self.assertIs(type(expected), type(result), name)

    def test_dtypes_and_strides(self):
        wide = np.arange(4000)
        together, expected = upsweep.Set(), []
        for dtype in (np.int8, np.uint16, np.float16, np.float32, np.float64, np.complex64, np.complex128):
            for section in (slice(0, 1000), slice(0, 4000, 4), slice(1000, 0, -1), slice(0, 1000)):
                x = (wide % 50).astype(dtype)[section]
                together.add("sum", x)
                expected.append(upsweep.sum(x))
        together.add("sum", np.broadcast_to(np.float32(3), 1000))
        self.assertEqual([*expected, 3000], together.run())

    def test_keys(self):
        rng = np.random.default_rng(1)
        x, y = rng.integers(-9, 9, 5000), rng.integers(0, 40, 5000).astype(np.float32)
        for kind in (np.int64, np.uint64, np.int32, np.uint32, np.uint8):
            keys = rng.integers(0, 20, 5000).astype(kind)
            together = upsweep.Set()
            together.add("sum", x, keys=keys, extent=20)
            together.add("max", y, keys=keys[::-1], extent=21)
            sums, greatest = together.run()
            np.testing.assert_array_equal(np.bincount(keys.astype(np.int64), x, 20), sums)
            expected = np.full(21, -np.inf, np.float32)
            np.maximum.at(expected, keys[::-1], y)
            np.testing.assert_array_equal(expected, greatest)

    def test_matrix_by_keys(self):
        x, keys = np.arange(12.0).reshape(3, 4), np.array([[0, 1, 0, 1]] * 3)
        together = upsweep.Set()
        together.add("sum", x.T, keys=keys.T, extent=2)
        np.testing.assert_array_equal([30, 36], together.run()[0])

    def test_out_takes_part(self):
        x = np.ones(100, np.float32)
        total, bins = np.array(5, np.float32), np.array([1, 2, 3], np.float32)
        together = upsweep.Set()
        together.add("sum", x, out=total)
        together.add("sum", x, keys=np.zeros(100, np.int32), out=bins)
        together.add("sum", x)
        for run in (1, 2):
            results = together.run()
            self.assertIs(total, results[0])
            self.assertEqual(5 + 100 * run, total)
            np.testing.assert_array_equal([1 + 100 * run, 2, 3], bins)
            self.assertEqual(100, results[2])

    def test_results_stay(self):
        x = np.ones(10)
        together = upsweep.Set()
        together.add("sum", x, keys=np.zeros(10, np.int32), extent=1)
        first, = together.run()
        x[:] = 2
        second, = together.run()
        self.assertEqual((10, 20), (first[0], second[0]))

    def test_nan_and_report(self):
        together, report = upsweep.Set(), upsweep.Report()
        together.add("min", np.array([3.0, np.nan, 1.0]))
        self.assertTrue(np.isnan(together.run()[0]))
        self.assertEqual([1], together.run(nan="ignore", report=report, place="host"))
        self.assertEqual(("host", 24), (report.place, report.bytes))

    def test_empty(self):
        together = upsweep.Set()
        together.add("sum", np.array([], np.float32))
        together.add("min", np.array([], np.int8), keys=np.array([], np.int32), extent=2)
        total, least = together.run()
        self.assertEqual(0, total)
        np.testing.assert_array_equal([127, 127], least)

    def test_refusals(self):
        x, keys = np.ones(5), np.array([0, 1, 2, 3, 4])
        together = upsweep.Set()
        with self.assertRaisesRegex(upsweep.InvalidError, "no reducer"):
            together.run()
        for wrong in (dict(function="argmin"), dict(function="nothing"), dict(extent=3), dict(keys=keys),
                      dict(keys=keys[:4], extent=5), dict(keys=x, extent=5), dict(keys=keys, extent=0),
                      dict(out=np.zeros(2)), dict(out=np.float64(1)), dict(out=np.zeros((), np.float32)),
                      dict(keys=keys, out=np.zeros(10)[::2]), dict(keys=keys, out=np.zeros(5), extent=4)):
            with self.assertRaises(ValueError, msg=str(wrong)):
                together.add(**{"function": "sum", "x": x, **wrong})
        with self.assertRaises(upsweep.UnsupportedError):
            together.add("bit_and", x)
        out = np.array([1.0, 2.0])
        together.add("sum", x, keys=keys, out=out)
        with self.assertRaisesRegex(upsweep.InvalidError, "shares bytes"):
            together.add("sum", x, out=out[:1])
        with self.assertRaisesRegex(ValueError, "4 elements"):
            together.add("sum", x[:4])
        with self.assertRaisesRegex(upsweep.InvalidError, r"reducer 0 \(sum_f64\): a key is outside its span of 2"):
            together.run()
        np.testing.assert_array_equal([1, 2], out)


if __name__ == "__main__":
    unittest.main()
