"""Reductions of segments, by chance: every function of segments of any lengths against NumPy's of each slice.

UPSWEEP_TEST_SEED is the first seed (1), UPSWEEP_TEST_RUNS the number of cases of each function."""

import functools
import unittest
import warnings

import numpy as np
import test_axes
import upsweep
from support import FLOATS, INTEGERS, FakeDevice, bfloat16_bits, fake_gpu
from test_axes import FLOATING, RUNS, SEED, CupyLike, norm, sum_of_squares, tolerance, with_itself


def of_numbers(function):
    """NumPy's function of the elements that are not NaN."""
    return lambda x, axis, **keywords: function(x[x == x], axis, **keywords)


def largest_of_numbers(x, axis):
    """The norm; as of extremes, NaNs alone give a NaN."""
    return norm(np.inf)(x, axis) if np.all(x != x) else of_numbers(norm(np.inf))(x, axis)


def ignoring(function):
    return functools.partial(function, nan="ignore")


CASES = {
    **{name: row for name, row in test_axes.CASES.items() if name != "weighted"},
    "norm1 of numbers": (ignoring(upsweep.norm1), of_numbers(norm(1)), FLOATING, []),
    "norm2 of numbers": (ignoring(upsweep.norm2), of_numbers(norm(2)), FLOATING, []),
    "norm_inf of numbers": (ignoring(upsweep.norm_inf), largest_of_numbers, FLOATING, []),
    "dot of numbers": (ignoring(with_itself(upsweep.dot)), of_numbers(sum_of_squares), FLOATS, []),
}
KEYWORDS = ("initial", "dtype", "ddof")
INDICES = ("argmin", "argmax", "nanargmin", "nanargmax", "argmin of several", "least index", "greatest index")
EXTREMES = {"min": 1, "nanmin": 1, "minmax": 1, "max": -1, "nanmax": -1}  # the sign of the identity


def identity(sign, dtype):
    """The value of the largest sign, which a minimum has of no elements; or of the smallest one."""
    if dtype.kind == "b":
        return np.bool_(sign > 0)
    if dtype.kind == "f":
        return dtype.type(sign * np.inf)
    return dtype.type(np.iinfo(dtype).max if sign > 0 else np.iinfo(dtype).min)


class Case(test_axes.Case):
    """A one-dimensional array, segments and keywords by chance."""

    def __init__(self, name, seed):
        self.name, self.random = name, np.random.default_rng([seed, 1, *name.encode()])
        self.ours, self.theirs, dtypes, further = CASES[name]
        self.choose_segments()
        self.x = self.array(np.dtype(str(self.random.choice(dtypes))))
        self.keywords = {keyword: self.keyword(keyword) for keyword in further
                         if keyword in KEYWORDS and self.random.random() < 0.25}
        if name in ("nanvar", "nanstd") and self.x.dtype.kind in "iub":
            self.keywords.pop("ddof", None)  # too few integers: NumPy has infinity

    def choose_segments(self):
        """All three forms; many segments are short, some are empty, few are long."""
        self.form = str(self.random.choice(["offsets", "offsets", "pair", "length"]))
        count = int(self.random.integers(0, 20))
        lengths = self.random.choice([0, 0, 1, 2, 3, 5, 9, 40], count)
        if self.form == "length":
            length = int(self.random.choice([1, 2, 3, 5, 9, 40]))
            self.begins, self.count, self.segments = np.arange(count) * length, count * length, length
            self.ends = self.begins + length
            return
        offsets = np.append(0, np.cumsum(lengths)) + int(self.random.integers(0, 4))
        self.begins, self.ends, self.count = offsets[:-1], offsets[1:], int(offsets[-1] + self.random.integers(0, 4))
        if self.form == "offsets":
            self.segments = self.offsets(offsets)
            return
        order = self.random.permutation(count)  # they may overlap
        self.begins = np.maximum(self.begins[order] - self.random.integers(0, 3, count), 0)
        self.ends = self.ends[order]
        self.segments = self.offsets(self.begins), self.offsets(self.ends)

    def offsets(self, numbers):
        """Of any type of integers that holds them, in any layout."""
        if self.random.random() < 0.1:
            return numbers.tolist()
        fitting = [dtype for dtype in INTEGERS if numbers.max(initial=0) <= np.iinfo(dtype).max]
        made = numbers.astype(str(self.random.choice(fitting)))
        chance = self.random.random()
        if chance < 0.1:
            return np.repeat(made, 2)[::2]
        return made.astype(made.dtype.newbyteorder()) if chance < 0.15 else made

    def array(self, dtype):
        step, whole = int(self.random.choice([1, 1, 1, -1, 2, -3])), self.count * 3
        x = self.elements(dtype, (whole,))
        x = x[::step][:self.count]
        return x.astype(dtype.newbyteorder()) if self.random.random() < 0.03 else x

    def of_piece(self, piece):
        """NumPy's value of a segment, and whether it warned of a slice; of no elements what the library has."""
        with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            if self.name in INDICES and (piece.size == 0 or ("nan" in self.name and np.all(piece != piece))):
                return -1, False
            if self.name in EXTREMES and piece.size == 0 and "initial" not in self.keywords:
                return identity(EXTREMES[self.name], piece.dtype.newbyteorder("=")), False
            value = self.theirs(piece, axis=None, **self.keywords)
        return value, any("slice" in str(each.message) for each in caught)

    def answer(self):
        """The values, and whether there was a warning of a slice."""
        with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            value = self.ours(self.x, axis=None, segments=self.segments, **self.keywords)
        return value, any("slice" in str(each.message) for each in caught)

    def __str__(self):
        x = self.x
        return f"{self.name}: {x.dtype} {x.shape} {x.strides} segments={self.segments!r} {self.keywords}"


class Chance(unittest.TestCase):
    def check(self, case):
        pieces = [case.x[begin:end] for begin, end in zip(case.begins, case.ends)]
        if case.name == "ptp" and any(piece.size == 0 for piece in pieces):
            with self.assertRaises(ValueError):
                case.answer()
            return
        found, we_warned = case.answer()
        expected = [case.of_piece(piece) for piece in pieces]
        self.assertIs(type(found), np.ndarray)
        self.assertEqual(found.shape, (len(pieces),))
        if not pieces:
            return
        theirs = np.array([value for value, _ in expected])
        if found.dtype != theirs.dtype:
            self.assertEqual((found.dtype, theirs.dtype), (np.float32, np.float16))
        near = tolerance(min(found.dtype, theirs.dtype, key=lambda dtype: dtype.itemsize))
        np.testing.assert_allclose(found.astype(theirs.dtype), theirs, rtol=near, atol=near * 64)
        self.assertEqual(we_warned, any(warned for _, warned in expected))

    def test_against_numpy(self):
        for name in CASES:
            for seed in range(SEED, SEED + RUNS):
                case = Case(name, seed)
                with self.subTest(case=str(case), seed=seed):
                    self.check(case)

    def test_many(self):
        """A sparse matrix: most rows are short, some are long, one has a third of all elements."""
        random = np.random.default_rng(SEED)
        lengths = random.integers(0, 12, 20000)
        lengths[random.integers(0, 20000, 20)] = 5000
        lengths[777] = lengths.sum() // 2
        offsets = np.append(0, np.cumsum(lengths))
        x = random.integers(-4, 5, offsets[-1]).astype(np.float32)
        sums = np.append(0, np.cumsum(x, dtype=np.float64))
        for dtype in (np.int32, np.uint32, np.int64, np.uint64):
            found = upsweep.sum(x, segments=offsets.astype(dtype))
            np.testing.assert_array_equal(found, sums[offsets[1:]] - sums[offsets[:-1]])
        most = upsweep.max(x, segments=(offsets[:-1], offsets[1:]))
        full = lengths > 0
        np.testing.assert_array_equal(most[full], np.maximum.reduceat(x, offsets[:-1][full]))
        np.testing.assert_array_equal(most[~full], -np.inf)


class Keywords(unittest.TestCase):
    def setUp(self):
        self.x = np.arange(10.0)

    def test_forms(self):
        for segments, sums in (([0, 3, 3, 10], [3, 0, 42]), (([3, 0], [10, 2]), [42, 1]), (5, [10, 35]),
                               (np.int8(2), [1, 5, 9, 13, 17]), ([4], []), (([], []), []),
                               ((range(2), [1, 4]), [0, 6])):
            np.testing.assert_array_equal(upsweep.sum(self.x, segments=segments), sums)
            np.testing.assert_array_equal(upsweep.sum(self.x.tolist(), segments=segments), sums)
        np.testing.assert_array_equal(upsweep.sum([], segments=[0, 0, 0]), [0, 0])
        self.assertEqual(upsweep.sum([], segments=3).shape, (0,))
        np.testing.assert_array_equal(upsweep.sum(self.x, segments=5, where=True), [10, 35])  # NumPy's default

    def test_pairs_of_arrays(self):
        y, segments = self.x[::-1], [0, 3, 3, 10]
        np.testing.assert_array_equal(upsweep.dot(self.x, y, segments=segments), [22, 0, 98])
        np.testing.assert_array_equal(upsweep.average(self.x, weights=1 + y, segments=5),
                                      np.average(self.x.reshape(2, 5), 1, weights=1 + y.reshape(2, 5)))
        with self.assertRaises(ZeroDivisionError):
            upsweep.average(self.x, weights=1 + y, segments=segments)
        with self.assertRaises(TypeError):
            upsweep.average(self.x, weights=y[:5], segments=2)
        with self.assertRaises(ValueError):
            upsweep.dot(self.x, y[:5], segments=2)

    def test_no_elements(self):
        segments = [0, 0, 10]
        np.testing.assert_array_equal(upsweep.argmax(self.x, segments=segments), [-1, 9])
        np.testing.assert_array_equal(upsweep.minmax(self.x, segments=segments), [[np.inf, 0], [-np.inf, 9]])
        self.assertEqual(upsweep.describe(self.x, segments=segments).count.tolist(), [0, 10])
        np.testing.assert_array_equal(upsweep.min(self.x, segments=segments, initial=-1), [-1, -1])
        with self.assertWarnsRegex(RuntimeWarning, "empty slice"):
            np.testing.assert_array_equal(upsweep.mean(self.x, segments=segments), [np.nan, 4.5])
        with self.assertRaisesRegex(ValueError, "no elements"):
            upsweep.ptp(self.x, segments=segments)

    def test_out(self):
        out = np.empty(4)[::-2]
        for function, values in ((upsweep.sum, [3, 42]), (upsweep.mean, [1, 6]), (upsweep.argmin, [0, 0])):
            self.assertIs(function(self.x, segments=[0, 3, 10], out=out), out)
            np.testing.assert_array_equal(out, values)
        with self.assertRaises(ValueError):
            upsweep.sum(self.x, segments=[0, 3, 10], out=np.empty(3))
        with self.assertRaises(TypeError):
            upsweep.mean(self.x, segments=[0, 3, 10], out=np.empty(2, int))

    def test_options(self):
        report = upsweep.Report()
        for accuracy in ("fast", "compensated", "reproducible"):
            found = upsweep.sum(self.x, segments=2, accuracy=accuracy, place="host", teams=2, report=report)
            np.testing.assert_array_equal(found, [1, 5, 9, 13, 17])
            self.assertEqual(report.place, "host")
        with self.assertRaises(upsweep.UnsupportedError):
            upsweep.sum(self.x, segments=[0, 3, 10], accuracy="exact")

    def test_refused(self):
        matrix, first = self.x.reshape(2, 5), ValueError
        for x, segments, error, text in (
                (matrix, 5, first, "one dimension"), (matrix, [0, 3], first, "one dimension"),
                (np.array(3), 1, first, "one dimension"),
                (self.x, 3, first, "segments of 3 do not divide"), (self.x, 0, first, "at least 1"),
                (self.x, [[0, 3]], first, "segments has shape"), (self.x, True, first, "segments has shape"),
                (self.x, [0.0, 3.0], TypeError, "array of integers"), (self.x, [], first, "no offset"),
                (self.x, ([0], [1], [2]), TypeError, "a pair"),
                (self.x, ([0, 1], [3]), first, r"segments\[1\] has \(1,\)"),
                (self.x, ([0], [3.0]), TypeError, r"segments\[1\] has dtype float64"),
                (self.x, [0, 4, 3, 9], upsweep.InvalidError, "segment 1 begins at item 4 and ends at 3"),
                (self.x, [0, 4, 11], upsweep.InvalidError, "segment 1 ends at item 11, but there are 10"),
                (self.x, ([0, 5], [2, 4]), upsweep.InvalidError, "segment 1 begins at item 5 and ends at 4"),
                (self.x, (np.int32([0, -1]), np.uint64([2, 4])), upsweep.InvalidError, "segment 1 ")):
            with self.subTest(segments=segments):
                for function in (upsweep.sum, upsweep.mean):
                    with self.assertRaisesRegex(error, text):
                        function(x, segments=segments)
        for function in (upsweep.sum, upsweep.max, upsweep.all, upsweep.mean, upsweep.std, upsweep.nansum,
                         upsweep.nanmin, upsweep.nanvar):
            for keywords in ({"axis": 0}, {"keepdims": True}, {"where": self.x > 3}):
                with self.subTest(function=function.__name__, keywords=keywords):
                    with self.assertRaisesRegex(ValueError, f"segments= and {list(keywords)[0]}= do not go together"):
                        function(self.x, segments=2, **keywords)


class Device(unittest.TestCase):
    """Arrays and offsets that are in device memory, both."""

    setUp = test_axes.Device.setUp
    upload = test_axes.Device.upload

    def test_every_function(self):
        x, offsets = np.arange(24, dtype=np.float32), np.array([0, 7, 8, 24], np.int32)
        of_host = {"offsets": offsets, "pair": (offsets[:-1], offsets[1:]), "length": 6}
        of_device = {"offsets": FakeDevice(offsets), "length": 6,
                     "pair": (FakeDevice(offsets[:-1]), FakeDevice(offsets[1:]))}
        for function, uploads in ((upsweep.sum, 0), (upsweep.max, 0), (upsweep.norm2, 0), (upsweep.all, 0),
                                  (upsweep.count, 0), (upsweep.argmin, 1), (upsweep.mean, 1), (upsweep.nanstd, 1),
                                  (upsweep.ptp, 1), (upsweep.average, 1), (upsweep.nanmin, 0)):
            for form, segments in of_device.items():
                self.uploads.clear()
                want = function(x[::-1], segments=of_host[form])
                with self.subTest(function=function.__name__, form=form):
                    found = function(CupyLike(x[::-1]), segments=segments)
                    self.assertIs(type(found), CupyLike)
                    self.assertEqual((found.array.dtype, found.array.shape), (want.dtype, want.shape))
                    np.testing.assert_array_equal(found.array, want)
                    self.assertEqual(len(self.uploads), uploads)
                    self.assertIs(type(function(FakeDevice(x), segments=segments)), np.ndarray)

    def test_nothing(self):
        """The library would take an array of no elements for host memory."""
        empty, none = CupyLike(np.empty(0)), FakeDevice(np.zeros(3, np.int64), data=(0, False))
        found = upsweep.max(empty, segments=none)
        self.assertIs(type(found), CupyLike)
        np.testing.assert_array_equal(found.array, [-np.inf] * 2)
        one = FakeDevice(np.zeros(1, np.int32))
        self.assertEqual(upsweep.sum(CupyLike(np.ones(3)), segments=one).array.shape, (0,))

    def test_bfloat16(self):
        x, out = np.arange(8), FakeDevice(np.empty(2, np.uint16), dtype="bfloat16")
        on_device = FakeDevice(bfloat16_bits(x), dtype="bfloat16")
        upsweep.max(on_device, segments=FakeDevice(np.array([0, 3, 8])), out=out)
        np.testing.assert_array_equal(out.array, bfloat16_bits([2, 7]))
        np.testing.assert_array_equal(upsweep.sum(on_device, segments=4), [6, 22])

    def test_refused(self):
        x, offsets = np.arange(24, dtype=np.float32), np.array([0, 7, 8, 24])
        device, twice = FakeDevice(x), np.repeat(offsets, 2)
        for given, segments, error, text in (
                (device, offsets, ValueError, "host memory, x in device"),
                (x, FakeDevice(offsets), ValueError, "device memory, x in host"),
                (device, FakeDevice(twice[::2]), TypeError, "contiguous"),
                (device, FakeDevice(offsets.astype(np.int16)), TypeError, "int16.*int32, uint32"),
                (device, FakeDevice(offsets.astype(np.float32)), TypeError, "array of integers"),
                (device, (FakeDevice(offsets[:1]), offsets[1:2]), ValueError, "same memory"),
                (device, (FakeDevice(offsets), FakeDevice(offsets.astype(np.int32))), TypeError, "convert one")):
            with self.subTest(segments=segments), self.assertRaisesRegex(error, text):
                upsweep.sum(given, segments=segments)


if __name__ == "__main__":
    unittest.main()
