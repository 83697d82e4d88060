"""Reductions of runs of equal keys, and selections, by chance: against NumPy's of each run, and numpy.compress().

UPSWEEP_TEST_SEED is the first seed (1), UPSWEEP_TEST_RUNS the number of cases of each function."""

import unittest

import numpy as np
import test_axes
import upsweep
from support import EVERY, INTEGERS, FakeDevice, bfloat16_bits, sample
from test_axes import REALS, RUNS, SEED, AxisError, CupyLike
from test_dlpack import ByHand
from test_scans import BFLOAT16

FUNCTIONS = {  # name: dtypes
    "sum": EVERY, "prod": EVERY, "min": REALS, "max": REALS, "all": EVERY, "any": EVERY, "count": EVERY,
    "argmin": REALS, "argmax": REALS, "bit_xor": INTEGERS, "norm1": ["float32", "complex128"], "minmax": INTEGERS,
    "describe": ["int16", "float64"]}


class Layouts:
    """Arrays in layouts by chance."""

    def __init__(self, name, seed):
        self.random = np.random.default_rng([seed, 3, *name.encode()])
        self.length = int(self.random.choice([0, 1, 4096, 4097, 20000])) if self.random.random() < 0.3 else int(
            self.random.integers(300))

    def laid_out(self, x):
        """These elements: side by side, with other strides, of two dimensions, of the other byte order."""
        step, chance = int(self.random.choice([1, 1, -1, 2, -3])), self.random.random()
        x = np.repeat(x, abs(step))[::step]
        return x.astype(x.dtype.newbyteorder()) if chance < 0.05 else x

    def elements(self, dtypes):
        """Numbers whose sums are exact in any order."""
        dtype = np.dtype(str(self.random.choice(dtypes)))
        low, high = (0, 2) if dtype.kind == "b" else (-4 * (dtype.kind != "u"), 5)
        return self.laid_out(self.random.integers(low, high, self.length).astype(dtype))

    def keys(self):
        lengths = np.diff(np.sort(self.random.integers(0, self.length + 1, self.random.integers(0, 40))), prepend=0,
                          append=self.length)
        dtype = np.dtype(str(self.random.choice(INTEGERS + ["bool"])))
        return self.laid_out(np.repeat(sample(dtype, 3)[self.random.integers(0, 3, lengths.size)], lengths))


class Chance(unittest.TestCase):
    def test_runs(self):
        """A run's result is that of the function with segments=, which test_segments.py compares with NumPy's."""
        for name, dtypes in FUNCTIONS.items():
            for seed in range(SEED, SEED + RUNS // 4):
                case = Layouts(name, seed)
                x, keys = case.elements(dtypes), case.keys()
                cuts = np.flatnonzero(np.append(x.size > 0, keys[1:] != keys[:-1])[:x.size])
                with self.subTest(name=name, seed=seed, dtype=x.dtype, keys=keys.dtype, n=x.size):
                    found = upsweep.reduce_by_key(x, keys, name)
                    self.assertEqual(found.unique.dtype, keys.dtype.newbyteorder("="))
                    np.testing.assert_array_equal(found.unique, keys[cuts])
                    want = getattr(upsweep, name)(x, segments=np.append(cuts, x.size))
                    self.assertIs(type(found.results), type(want))
                    for ours, theirs in zip(*(each if isinstance(each, tuple) else (each,)
                                              for each in (found.results, want))):
                        self.assertEqual((ours.dtype, ours.shape), (theirs.dtype, cuts.shape))
                        np.testing.assert_array_equal(ours, theirs)

    def test_selections(self):
        for seed in range(SEED, SEED + 4 * RUNS):
            case = Layouts("compress", seed)
            x = case.elements(EVERY)
            kind = str(case.random.choice(["bool", "bool", "uint8", "int8", "int64", "float32"]))
            share = case.random.choice([0, 0.01, 0.5, 1])
            flags = case.laid_out((case.random.random(x.size) < share) * sample(kind, x.size + 1)[:-1])
            step = int(case.random.choice([0, 1, -1, 2]))
            out = np.empty(x.size * abs(step), x.dtype.newbyteorder("="))[::step] if step else None
            with self.subTest(seed=seed, dtype=x.dtype, flags=flags.dtype, n=x.size, step=step):
                found = upsweep.compress(flags, x, out=out)
                want = np.compress(flags, x)
                self.assertEqual((found.dtype, found.shape), (want.dtype.newbyteorder("="), want.shape))
                self.assertEqual(found.tobytes(), want.astype(found.dtype).tobytes())
                if out is not None:
                    self.assertTrue(found.size == 0 or np.shares_memory(found, out[:found.size]))


class ByKey(unittest.TestCase):
    def setUp(self):
        self.x, self.keys = np.array([1.0, 2, 4, 8, 16]), np.array([7, 7, 3, 7, 7], np.int16)

    def test_forms(self):
        for x, keys in ((self.x, self.keys), (self.x.tolist(), self.keys.tolist()),
                        (self.x[:, None].T, self.keys[None]), (np.broadcast_to(self.x, (1, 5)), self.keys[None])):
            unique, sums = upsweep.reduce_by_key(x, keys)
            self.assertEqual((unique.tolist(), sums.tolist()), ([7, 3, 7], [3, 4, 24]))
        matrix = np.arange(6).reshape(2, 3)
        found = upsweep.reduce_by_key(matrix.T, matrix.T % 2, "max")  # copied
        self.assertEqual((found.unique.tolist(), found.results.tolist()), ([0, 1, 0, 1], [0, 3, 4, 5]))
        empty = upsweep.reduce_by_key([], [], "describe")
        self.assertEqual((empty.unique.shape, empty.results.mean.shape), ((0,), (0,)))
        self.assertEqual(upsweep.reduce_by_key(self.x, self.keys, "argmax").results.tolist(), [1, 0, 1])
        self.assertEqual(upsweep.reduce_by_key([True, True], [1, 1]).results.dtype, np.int64)
        self.assertTrue(found.unique.flags.owndata)

    def test_options(self):
        report, x = upsweep.Report(), np.append(self.x[:4], np.nan)
        found = upsweep.reduce_by_key(x, self.keys, nan="ignore", accuracy="reproducible", place="host", teams=2,
                                      report=report)
        self.assertEqual((found.results.tolist(), report.place), ([3, 4, 8], "host"))
        with self.assertRaises(upsweep.UnsupportedError):
            upsweep.reduce_by_key(x, self.keys, accuracy="exact")

    def test_out(self):
        unique, sums = np.zeros(5, np.int16), np.full(5, 9.0)
        found = upsweep.reduce_by_key(self.x, self.keys, out=(unique, sums))
        self.assertTrue(found.unique.base is unique and found.results.base is sums)
        self.assertEqual((unique.tolist(), sums.tolist()), ([7, 3, 7, 0, 0], [3, 4, 24, 9, 9]))
        half = upsweep.reduce_by_key(self.x, self.keys, "argmin", out=(unique, None))
        self.assertTrue(half.unique.base is unique)
        for out, error, text in (
                (sums, TypeError, "a pair"), ((unique, sums, sums), TypeError, "a pair"),
                ((unique[:4], None), ValueError, r"out\[0\] has shape \(4,\)"),
                ((sums, None), TypeError, r"out\[0\] has dtype float64: the results are int16"),
                ((None, unique), TypeError, r"out\[1\] has dtype int16"),
                ((self.keys, None), ValueError, r"out\[0\] is apart from the keys"),
                ((None, self.x), ValueError, r"out\[1\] is apart from x"),
                ((None, np.empty(10)[::2]), ValueError, r"out\[1\] has stride 16")):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                upsweep.reduce_by_key(self.x, self.keys, out=out)
        with self.assertRaisesRegex(TypeError, "new memory only"):
            upsweep.reduce_by_key(self.x, self.keys, "minmax", out=(None, sums))

    def test_refused(self):
        x, keys = self.x, self.keys
        for given, of_keys, function, error, text in (
                (x, keys[:4], "sum", ValueError, r"keys have \(4,\)"), (x, x, "sum", TypeError, "integers or bool"),
                (x, keys, "mean", ValueError, "function='mean': it is one of sum, "),
                (x, keys, "dot", ValueError, "function='dot'"), (["a"] * 5, keys, "sum", TypeError, "dtype"),
                (x + 1j, keys, "min", upsweep.UnsupportedError, "min is not defined for complex128"),
                (x > 1, keys, "minmax", upsweep.UnsupportedError, "not defined for bool")):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                upsweep.reduce_by_key(given, of_keys, function)

    def test_bfloat16(self):
        tensor = ByHand(bfloat16_bits([1, 5, 2, 4, 3]), **BFLOAT16)
        found, out = upsweep.reduce_by_key(tensor, self.keys, "max"), np.zeros(5, np.float32)
        self.assertEqual((found.results.dtype, found.results.tolist()), (np.float32, [5, 2, 4]))
        self.assertEqual(upsweep.reduce_by_key(tensor, self.keys, "max", out=(None, out)).results.tolist(), [5, 2, 4])
        self.assertEqual(out.tolist(), [5, 2, 4, 0, 0])
        self.assertEqual(upsweep.compress([0, 1, 1, 0, 1], tensor).tolist(), [5, 2, 3])
        self.assertEqual(upsweep.compress([0, 1, 1, 0, 1], tensor, out=out).tolist(), [5, 2, 3])
        self.assertEqual(out.tolist(), [5, 2, 3, 0, 0])


class Compress(unittest.TestCase):
    def test_forms(self):
        x = np.arange(6.0)
        for condition, given in ((x > 3, x), ((x > 3).tolist(), x.tolist()), (x > 3, x.reshape(2, 3)),
                                 ((x > 3).reshape(2, 3), x.reshape(2, 3)), (np.where(x > 3, np.nan, 0), x)):
            found = upsweep.compress(condition, given)
            self.assertEqual(found.tolist(), [4, 5])
            self.assertTrue(found.flags.owndata)
        self.assertEqual(upsweep.compress((x > 3)[::-1], x, axis=0).tolist(), [0, 1])
        self.assertEqual(upsweep.compress([], []).shape, (0,))
        report = upsweep.Report()
        upsweep.compress(x > 3, x, place="host", report=report)
        self.assertEqual(report.place, "host")

    def test_refused(self):
        x = np.arange(6.0)
        for condition, given, keywords, error, text in (
                (x[:5], x, {}, ValueError, r"condition has \(5,\)"),
                ((x > 1).reshape(3, 2), x.reshape(2, 3), {}, ValueError, "condition has"),
                ([True, False], x.reshape(2, 3), {"axis": 0}, ValueError, "selections have no axis"),
                (x > 1, x, {"axis": 1}, AxisError, "1"), (x > 1, x, {"out": np.empty(5)}, ValueError, r"shape \(5,\)"),
                (x > 1, x, {"out": x}, ValueError, "out is apart from x"),
                (x > 1, x[::-1], {"out": x}, upsweep.InvalidError, "share"),
                (x > 1, x.astype("M8[s]"), {}, TypeError, "dtype")):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                upsweep.compress(condition, given, **keywords)


class Device(unittest.TestCase):
    """Results of device arrays are in device memory: made by the library of the array, or in out."""

    setUp = test_axes.Device.setUp
    upload = test_axes.Device.upload

    def test_by_key(self):
        x, keys = np.arange(24, dtype=np.float32), np.arange(24) // 5
        for function in FUNCTIONS:
            if function == "bit_xor":
                continue
            want = upsweep.reduce_by_key(x, keys, function)
            found = upsweep.reduce_by_key(CupyLike(x), FakeDevice(keys), function)
            np.testing.assert_array_equal(found.unique.array, want.unique)
            for ours, theirs in zip(*(each if isinstance(each, tuple) else (each,)
                                      for each in (found.results, want.results))):
                self.assertIs(type(ours), CupyLike)
                self.assertEqual(ours.array.dtype, theirs.dtype)
                np.testing.assert_array_equal(ours.array, theirs)
        out = FakeDevice(np.empty(24, keys.dtype)), FakeDevice(np.empty(24, np.float32))
        found = upsweep.reduce_by_key(FakeDevice(x), FakeDevice(keys), out=out)
        self.assertEqual((found.unique.array.tolist(), found.results.array[4]), ([0, 1, 2, 3, 4], 86))
        located = upsweep.reduce_by_key(FakeDevice(x), FakeDevice(keys), "argmax", out=(out[0], None))
        self.assertEqual(located.results.tolist(), [4, 4, 4, 4, 3])

    def test_compress(self):
        x = np.arange(24, dtype=np.float32)
        found = upsweep.compress(FakeDevice(x % 3 == 1), CupyLike(x))
        self.assertIs(type(found), CupyLike)
        np.testing.assert_array_equal(found.array, x[1::3])
        out = FakeDevice(np.empty(24, np.uint16), dtype="bfloat16")
        bits = FakeDevice(bfloat16_bits(x), dtype="bfloat16")
        np.testing.assert_array_equal(upsweep.compress(FakeDevice(x < 2), bits, out=out).array, bfloat16_bits([0, 1]))

    def test_refused(self):
        x, keys = np.arange(24, dtype=np.float32), np.arange(24)
        of_device = FakeDevice(x), FakeDevice(keys)
        for call, error, text in (
                (lambda: upsweep.reduce_by_key(of_device[0], keys), ValueError, "keys are in host memory, x in device"),
                (lambda: upsweep.reduce_by_key(*of_device), TypeError, "no device memory of int64 .* give out="),
                (lambda: upsweep.reduce_by_key(FakeDevice(x.reshape(4, 6).T), FakeDevice(keys.reshape(6, 4))),
                 ValueError, "contiguous first"),
                (lambda: upsweep.compress(x > 1, of_device[0]), ValueError, "condition is in host memory"),
                (lambda: upsweep.compress(of_device[0], of_device[0]), TypeError, "Pass condition != 0"),
                (lambda: upsweep.compress(FakeDevice(x > 1), of_device[0]), TypeError, "give out=")):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                call()


if __name__ == "__main__":
    unittest.main()
