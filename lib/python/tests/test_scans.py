"""Scans, by chance: every function of arrays of any type, length and stride against NumPy's.

UPSWEEP_TEST_SEED is the first seed (1), UPSWEEP_TEST_RUNS the number of cases of each function."""

import array
import unittest

import numpy as np
import test_axes
import upsweep
from support import COMPLEXES, EVERY, FLOATS, INTEGERS, FakeDevice, bfloat16_bits, sample, wide
from test_axes import REALS, RUNS, SEED, AxisError, CupyLike
from test_dlpack import HAS_DLPACK, ByHand, ByNumPy

BFLOAT16 = {"code": 4, "bits": 16}  # in DLPack
SUMS, EXTREMES = ("sum", "prod"), ("max", "min")
CASES = {  # name: (ours, what it scans by, dtypes, whether NaNs are passed over)
    "cumsum": (upsweep.cumsum, "sum", EVERY, False),
    "cumprod": (upsweep.cumprod, "prod", EVERY, False),
    "cummax": (upsweep.cummax, "max", REALS, False),
    "cummin": (upsweep.cummin, "min", REALS, False),
    "nancumsum": (upsweep.nancumsum, "sum", EVERY, True),
    "nancumprod": (upsweep.nancumprod, "prod", EVERY, True),
    "cummax of numbers": (upsweep.cummax, "max", REALS, True),
    "cummin of numbers": (upsweep.cummin, "min", REALS, True),
}
ACCUMULATE = {"sum": (np.add, np.add), "prod": (np.multiply, np.multiply), "max": (np.maximum, np.fmax),
              "min": (np.minimum, np.fmin)}  # of all elements, of numbers
LENGTHS = [0, 1, 2, 31, 1000, 4095, 4096, 4097, 100000]


def result_dtype(operation, dtype):
    """What the results of a scan are."""
    if operation in EXTREMES:
        return dtype
    return np.dtype(np.int64) if dtype.kind == "b" else wide(dtype)


def identity(operation, dtype):
    """What a scan begins with."""
    if operation in SUMS:
        return int(operation == "prod")
    if dtype.kind == "b":
        return operation == "min"
    if dtype.kind == "f":
        return np.inf if operation == "min" else -np.inf
    return getattr(np.iinfo(dtype), "max" if operation == "min" else "min")


def expected(operation, ignores, x, exclusive=False, initial=None, reverse=False):
    """The results by NumPy."""
    dtype = result_dtype(operation, x.dtype.newbyteorder("="))
    elements = (x[::-1] if reverse else x).astype(dtype)
    if ignores and operation in SUMS:
        elements[elements != elements] = identity(operation, dtype)
    if initial is not None:
        elements = np.concatenate([np.array([initial], dtype), elements])
    with np.errstate(all="ignore"):
        found = ACCUMULATE[operation][ignores].accumulate(elements) if elements.size else elements
    if exclusive:
        first = [] if initial is not None else [identity(operation, dtype)]
        found = np.concatenate([np.array(first, dtype), found])[:-1]
    return found[::-1] if reverse else found


class Case:
    """An array, its layout and keywords by chance."""

    def __init__(self, name, seed):
        self.name, self.random = name, np.random.default_rng([seed, 2, *name.encode()])
        self.ours, self.operation, dtypes, self.ignores = CASES[name]
        self.dtype = np.dtype(str(self.random.choice(dtypes)))
        self.length = int(self.random.choice(LENGTHS)) if self.random.random() < 0.5 else int(self.random.integers(300))
        self.step = self.stride()
        self.x = self.elements(self.length * abs(self.step))[::self.step][:self.length]
        if self.random.random() < 0.05:
            self.x = self.x.astype(self.dtype.newbyteorder())
        self.keywords = {}
        for keyword in ("exclusive", "reverse"):
            if self.random.random() < 0.5:
                self.keywords[keyword] = bool(self.random.random() < 0.8)
        if self.keywords.get("exclusive") and self.random.random() < 0.5:
            self.keywords["initial"] = int(self.random.integers(0, 2 if self.dtype.kind == "b" else 4))
        self.slices = self.choose_pieces(str(self.random.choice(["", "", "segments", "length", "keys"])))
        self.results = result_dtype(self.operation, self.dtype)
        self.where = str(self.random.choice(["new", "out", "in place"]))

    def choose_pieces(self, kind):
        """Segments or keys, which many short scans are cheap to check of; the slices that are scanned by themselves."""
        random, n = self.random, self.length
        cuts = np.array([0, n])
        if kind == "length":
            length = int(random.choice([each for each in (1, 3, 7, 64, 1000, 4096) if n % each == 0 and n <= 300 * each]
                                       or [max(n, 1)]))
            self.keywords["segments"], cuts = length, np.arange(0, n + 1, length)
        elif kind == "segments":
            cuts = np.sort(random.integers(0, n + 1, random.integers(1, 40)))
            self.keywords["segments"] = cuts.astype(str(random.choice(["int16", "int32", "uint32", "int64", "uint64"]))
                                                    if n < 1 << 15 else np.int32)
        elif kind == "keys":
            lengths = np.diff(np.sort(random.integers(0, n + 1, random.integers(0, 40))), prepend=0, append=n)
            runs = random.integers(0, 2, lengths.size).astype(str(random.choice(INTEGERS + ["bool"])))
            step = self.stride()
            self.keywords["keys"] = np.repeat(np.repeat(runs, lengths), abs(step))[::step]
            cuts = np.array([0, *np.flatnonzero(np.diff(self.keywords["keys"])) + 1, n])
        return list(zip(cuts[:-1], cuts[1:]))

    def expected(self):
        """The results by NumPy; of what is in no segment 0, or what out held."""
        found = (np.ones if self.where == "out" else np.zeros)(self.length, self.results)
        found = self.x.copy() if self.is_in_place() else found
        keywords = {name: value for name, value in self.keywords.items() if name not in ("segments", "keys")}
        for begin, end in self.slices:
            found[begin:end] = expected(self.operation, self.ignores, self.x[begin:end], **keywords)
        return found

    def is_in_place(self):
        return self.where == "in place" and self.x.dtype == self.results

    def stride(self):
        return int(self.random.choice([1, 1, 1, -1, 2, -3]))

    def elements(self, count):
        """Numbers whose sums and products are exact in any order; a few NaNs and infinities."""
        random, dtype = self.random, self.dtype
        if dtype.kind in "iu":
            return sample(dtype, max(count, 1), int(random.integers(1 << 30)))[:count]
        x = random.integers(0 if dtype.kind == "b" else -4, 2 if dtype.kind == "b" else 5, count).astype(dtype)
        if dtype.kind == "b":
            return x
        if dtype.kind == "c":
            x += random.integers(-4, 5, count) * dtype.type(1j)
        if self.operation == "prod":
            x = random.choice([-1, 1] + [1j] * (dtype.kind == "c"), count).astype(dtype)
            x[random.integers(0, count, min(count, 8))] = 2
        if random.random() < 0.4:
            special = [np.nan] if dtype.kind == "c" else [np.nan, np.inf, -np.inf]  # no complex infinities
            x[random.random(count) < random.choice([0.2, 0.001])] = random.choice(special)
        return x

    def answer(self):
        """The results, and whether they are where they should be."""
        keywords = dict(self.keywords)
        if self.ignores and "nan" not in self.name:
            keywords["nan"] = "ignore"
        if self.is_in_place():
            found = self.ours(self.x, out=self.x, **keywords)
            return found, found is self.x
        if self.where == "out":
            step = self.stride()
            out = np.ones(self.length * abs(step), self.results)[::step][:self.length]
            found = self.ours(self.x, out=out, **keywords)
            return found, found is out
        found = self.ours(self.x, **keywords)
        return found, not np.may_share_memory(found, self.x)

    def __str__(self):
        x = self.x
        return f"{self.name}: {x.dtype} {x.shape} {x.strides} {self.where} {self.keywords}"


class Chance(unittest.TestCase):
    def test_against_numpy(self):
        for name in CASES:
            for seed in range(SEED, SEED + RUNS):
                case = Case(name, seed)
                with self.subTest(case=str(case), seed=seed):
                    want = case.expected()
                    found, is_right = case.answer()
                    self.assertTrue(is_right)
                    self.assertIs(type(found), np.ndarray)
                    self.assertEqual((found.dtype, found.shape), (case.results, (case.length,)))
                    np.testing.assert_array_equal(found, want)

    def test_rounding(self):
        """Of random floats: near to NumPy's, the last one near to the sum, the same for any number of threads."""
        for dtype in FLOATS + COMPLEXES:
            x = sample(dtype, 100000)
            near = np.cumsum(x.astype(np.complex128))
            for accuracy in ("fast", "repeatable", "compensated"):
                found = upsweep.cumsum(x, accuracy=accuracy)
                error = np.finfo(found.dtype).eps * np.cumsum(np.abs(x.astype(np.complex128)))
                self.assertTrue(np.all(np.abs(found - near) <= error), (dtype, accuracy))
            for teams in (1, 2, 7):
                np.testing.assert_array_equal(upsweep.cumsum(x, teams=teams), upsweep.cumsum(x))


class Keywords(unittest.TestCase):
    def setUp(self):
        self.x = np.arange(1.0, 13)

    def test_shapes(self):
        sums = np.cumsum(self.x)
        for x in (self.x.reshape(3, 4), self.x.reshape(2, 1, 6), self.x.tolist(), self.x.reshape(3, 4).tolist(),
                  array.array("d", self.x), np.repeat(self.x, 2).reshape(4, 6)[:, ::2]):
            np.testing.assert_array_equal(upsweep.cumsum(x), sums)
        np.testing.assert_array_equal(upsweep.cumsum(self.x.reshape(3, 4), reverse=True), self.x[::-1].cumsum()[::-1])
        np.testing.assert_array_equal(upsweep.cumsum(np.broadcast_to(2.0, 5)), [2, 4, 6, 8, 10])
        np.testing.assert_array_equal(upsweep.cumsum(np.broadcast_to(2.0, 5), reverse=True), [10, 8, 6, 4, 2])
        for number in (3, np.array(3), np.array([[3]])):
            found = upsweep.cumsum(number)
            self.assertEqual((found.shape, found.tolist()), ((1,), [3]))
        for empty in ([], np.empty((3, 0, 2))):
            for function in (upsweep.cumsum, upsweep.cummin, upsweep.nancumprod):
                for keywords in ({}, {"exclusive": True, "initial": 3}, {"reverse": True}, {"out": np.empty(0)}):
                    found = function(empty, **keywords)
                    self.assertEqual((found.shape, found.dtype), ((0,), np.float64))
        out = np.empty(12)
        self.assertIs(upsweep.cumsum(self.x.reshape(3, 4), out=out), out)
        np.testing.assert_array_equal(out, sums)

    def test_axis(self):
        for axis in (None, 0, -1, (0,)):
            np.testing.assert_array_equal(upsweep.cummax(self.x, axis), self.x)
        for x, axis in ((self.x.reshape(3, 4), 0), (self.x.reshape(3, 4), -1), (self.x, ())):
            with self.assertRaisesRegex(ValueError, "scans have no axis"):
                upsweep.cumsum(x, axis=axis)
        with self.assertRaises(AxisError):
            upsweep.cumsum(self.x, axis=1)

    def test_copied(self):
        records = np.zeros(12, dtype=[("rest", "u1"), ("value", "f8")])
        records["value"] = self.x
        np.testing.assert_array_equal(upsweep.cumsum(records["value"]), self.x.cumsum())
        pairs = np.zeros(12, dtype=[("value", "c16"), ("rest", "f8")])
        pairs["value"] = self.x
        np.testing.assert_array_equal(upsweep.cumsum(pairs["value"]), self.x.cumsum())

    def test_zeros(self):
        zeros = np.array([0.0, -0.0, 0.0])
        np.testing.assert_array_equal(np.signbit(upsweep.cummin(zeros)), [False, True, True])
        np.testing.assert_array_equal(np.signbit(upsweep.cummax(-zeros)), [True, False, False])

    def test_initial(self):
        truth = np.array([True, False, True])
        for function, keywords, values in (
                (upsweep.cumsum, {"initial": -3}, [-3, -2, -2]), (upsweep.cumprod, {"initial": -3}, [-3, -3, 0]),
                (upsweep.cummin, {}, [True, True, False]), (upsweep.cummax, {}, [False, True, True]),
                (upsweep.cummin, {"initial": False}, [False] * 3), (upsweep.cummax, {"initial": True}, [True] * 3)):
            found = function(truth, exclusive=True, **keywords)
            self.assertEqual(found.tolist(), values)
            if found.dtype == np.bool_:
                self.assertLessEqual(found.view(np.uint8).max(), 1)
        self.assertEqual(upsweep.cumsum(np.array([1, 1j]), exclusive=True, initial=2j).tolist(), [2j, 1 + 2j])
        self.assertEqual(upsweep.cumsum(np.uint8([200, 100]), exclusive=True, initial=2**63).tolist(),
                         [2**63, 2**63 + 200])
        for function in (upsweep.cumsum, upsweep.nancumprod, upsweep.cummax):
            with self.assertRaisesRegex(ValueError, "initial= goes with exclusive=True only"):
                function(self.x, initial=0)
            with self.assertRaisesRegex(ValueError, "one number"):
                function(self.x, exclusive=True, initial=[1, 2])
            with self.assertRaises(TypeError):
                function(self.x, exclusive=True, initial=1j)

    def test_options(self):
        report = upsweep.Report()
        found = upsweep.cumsum(self.x, place="host", teams=2, strategy="auto", report=report)
        np.testing.assert_array_equal(found, self.x.cumsum())
        self.assertEqual((report.place, report.device), ("host", -1))
        np.testing.assert_array_equal(upsweep.cumsum(np.arange(9), accuracy="reproducible"), np.arange(9).cumsum())
        for accuracy in ("reproducible", "exact"):
            with self.assertRaises(upsweep.UnsupportedError):
                upsweep.cumsum(self.x, accuracy=accuracy)
        for keywords, error in (({"nan": "none"}, ValueError), ({"keepdims": True}, TypeError)):
            with self.assertRaises(error):
                upsweep.cummin(self.x, **keywords)
        with self.assertRaises(TypeError):
            upsweep.nancumsum(self.x, nan="propagate")

    def test_refused(self):
        x, matrix = self.x, self.x.reshape(3, 4)
        for wrong in (matrix.T, matrix[:, :2], matrix[::-1], np.broadcast_to(x, (2, 12))):
            with self.assertRaisesRegex(ValueError, r"numpy\.ravel\(x\)"):
                upsweep.cumsum(wrong)
        for function in (upsweep.cummax, upsweep.cummin):
            with self.assertRaises(upsweep.UnsupportedError):
                function(x + 1j)
        for wrong in (np.ma.array(x), np.array(["a"]), x.astype("M8[s]")):
            with self.assertRaises(TypeError):
                upsweep.cumsum(wrong)

    def test_out(self):
        x, fixed, apart = self.x, np.empty(12), np.empty((12, 9), np.uint8)
        fixed.setflags(write=False)
        for out, error, text in (
                (np.empty(12, np.float32), TypeError, "out has dtype float32: the results are float64"),
                (np.empty(11), ValueError, r"out has shape \(11,\)"),
                ([0.0] * 12, TypeError, "a NumPy array, not list"),
                (np.empty((3, 4)), ValueError, r"out has shape \(3, 4\)"), (fixed, ValueError, "read-only"),
                (FakeDevice(np.empty(12)), TypeError, "a NumPy array, not FakeDevice"),
                (np.empty(12, ">f8"), ValueError, "not written in place"),
                (apart[:, 1:].view(np.float64)[:, 0], ValueError, "not written in place"),
                (np.lib.stride_tricks.as_strided(np.empty(1), (12,), (0,)), ValueError, "not written in place")):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                upsweep.cumsum(x, out=out)
        with self.assertRaisesRegex(TypeError, "the results are int64"):
            upsweep.cumsum(np.arange(3, dtype=np.int32), out=np.empty(3, np.int32))
        whole = np.arange(1.0, 14)
        for overlapping in (whole[1:], whole[:-1][::-1]):
            with self.assertRaises(upsweep.InvalidError):
                upsweep.cumsum(whole[:-1], out=overlapping)
        np.testing.assert_array_equal(whole, np.arange(1.0, 14))

    def test_pieces(self):
        x = np.arange(1, 7)
        for keywords, values in (({"segments": [0, 2, 2, 6]}, [1, 3, 3, 7, 12, 18]),
                                 ({"segments": 3}, [1, 3, 6, 4, 9, 15]),
                                 ({"segments": np.uint8([1, 3])}, [0, 2, 5, 0, 0, 0]),
                                 ({"segments": [0, 4, 5], "reverse": True}, [10, 9, 7, 4, 5, 0]),
                                 ({"segments": [0, 4, 6], "exclusive": True, "initial": 9}, [9, 10, 12, 15, 9, 14]),
                                 ({"segments": [3]}, [0] * 6), ({"keys": [7, 7, 1, 7, 7, 7]}, [1, 3, 3, 4, 9, 15]),
                                 ({"keys": [7, 7, 1, 7, 7, 7], "reverse": True}, [3, 2, 3, 15, 11, 6]),
                                 ({"keys": np.broadcast_to(2, 6)}, x.cumsum()),
                                 ({"keys": [True, False, False] * 2, "exclusive": True}, [0, 0, 2, 0, 0, 5])):
            with self.subTest(keywords=keywords):
                self.assertEqual(upsweep.cumsum(x, **keywords).tolist(), list(values))
        found = upsweep.cumsum(x.reshape(2, 3), keys=np.array([[7, 7, 1], [1, 1, 7]]))
        self.assertEqual(found.tolist(), [1, 3, 3, 7, 12, 6])
        for keywords in ({"segments": [0, 0]}, {"segments": 2}, {"keys": []}, {"keys": np.empty(0, np.uint8)}):
            self.assertEqual(upsweep.cummax([], **keywords).shape, (0,))
        report = upsweep.Report()
        for keywords in ({"segments": [0, 6]}, {"keys": [0] * 6}):
            upsweep.cumsum(x, place="host", report=report, **keywords)
            self.assertEqual(report.place, "host")

    def test_pieces_refused(self):
        x, matrix = np.arange(6.0), np.arange(6).reshape(2, 3)
        for given, keywords, error, text in (
                (x, {"segments": 2, "keys": [0] * 6}, ValueError, "do not go together"),
                (x, {"segments": ([0], [6])}, ValueError, "pairs"),
                (x, {"segments": [0.0, 6.0]}, TypeError, "integers"),
                (x, {"segments": 4}, ValueError, "do not divide"),
                (matrix, {"segments": 3}, ValueError, "one dimension"),
                (x, {"segments": [0, 4, 3, 5]}, upsweep.InvalidError, "segment 1 begins at item 4 and ends at 3"),
                (x, {"segments": [0, 7]}, upsweep.InvalidError, "segment 0 ends at item 7, but there are 6"),
                (x, {"keys": [0] * 5}, ValueError, r"keys have \(5,\)"),
                (x, {"keys": x}, TypeError, "keys have dtype float64"),
                (matrix, {"keys": matrix.ravel()}, ValueError, "keys have"),
                (matrix.T.copy(), {"keys": matrix.T}, ValueError, r"numpy\.ravel\(keys\)")):
            for reverse in (False, True):
                with self.subTest(keywords=keywords, reverse=reverse), self.assertRaisesRegex(error, text):
                    upsweep.cummax(given, reverse=reverse, **keywords)
        with self.assertRaises(upsweep.UnsupportedError):
            upsweep.cumsum(x, segments=2, accuracy="exact")

    def test_of_each_type(self):
        for dtype in INTEGERS + FLOATS:
            y = sample(dtype, 50)
            np.testing.assert_array_equal(upsweep.cummax(y, out=y), np.maximum.accumulate(sample(dtype, 50)))


class Tensors(unittest.TestCase):
    """DLPack in host memory; bfloat16 that NumPy does not have."""

    @unittest.skipUnless(HAS_DLPACK, "this NumPy has no DLPack")
    def test_by_numpy(self):
        x = np.arange(9, dtype=np.float32)[::-2]
        found = upsweep.cumsum(ByNumPy(x))
        self.assertIs(type(found), np.ndarray)
        np.testing.assert_array_equal(found, x.cumsum())

    def test_bfloat16(self):
        x = np.float32([3, 1, 4, -2, 6])
        tensor = ByHand(bfloat16_bits(x), **BFLOAT16)
        for function, values in ((upsweep.cumsum, x.cumsum()), (upsweep.cummax, [3, 3, 4, 4, 6]),
                                 (upsweep.cummin, [3, 1, 1, -2, -2])):
            found = function(tensor)
            self.assertEqual(found.dtype, np.float32)
            np.testing.assert_array_equal(found, values)
            out = np.empty(10, np.float32)[::-2]
            self.assertIs(function(tensor, out=out), out)
            np.testing.assert_array_equal(out, values)
        for reverse, values in ((False, [3, 3, 4, 9, 9]), (True, [4, 4, 4, 9, 9])):
            out = np.full(5, 9, np.float32)
            self.assertIs(upsweep.cummax(tensor, out=out, segments=[0, 3], reverse=reverse), out)
            np.testing.assert_array_equal(out, values)
        for initial, first in ((3.5, 3.5), (1 + 2**-8, 1), (1 + 3 * 2**-8, 1 + 2**-6), (np.inf, np.inf),
                               (np.nan, np.nan)):
            found = upsweep.cummax(tensor, exclusive=True, initial=initial)
            self.assertEqual(str(found[0]), str(np.float32(first)))


class Device(unittest.TestCase):
    """Results of device arrays are in device memory: made by the library of the array, or in out."""

    setUp = test_axes.Device.setUp
    upload = test_axes.Device.upload

    def test_every_function(self):
        for function in (upsweep.cumsum, upsweep.cumprod, upsweep.cummax, upsweep.cummin, upsweep.nancumsum,
                         upsweep.nancumprod):
            for dtype in ("float32", "int16", "bool"):
                x = sample(dtype, 50)
                for y in (x, x[::-3], x.reshape(5, 10), x[:0]):
                    for keywords in ({}, {"reverse": True}, {"exclusive": True, "initial": 1}):
                        want = function(y, **keywords)
                        with self.subTest(function=function.__name__, dtype=dtype, keywords=keywords):
                            found = function(CupyLike(y), **keywords)
                            self.assertIs(type(found), CupyLike)
                            self.assertEqual((found.array.dtype, found.array.shape), (want.dtype, want.shape))
                            np.testing.assert_array_equal(found.array, want)
                            self.assertFalse(self.uploads)

    def test_pieces(self):
        x, offsets, keys = np.arange(24, dtype=np.float32), np.array([1, 7, 7, 20], np.int32), np.arange(24) // 5
        for name, of_host, reverse in (("segments", offsets, False), ("segments", 6, True), ("keys", keys, False),
                                       ("keys", keys[::-1], True)):
            of_device = of_host if isinstance(of_host, int) else FakeDevice(of_host)
            keywords = {"exclusive": True, "initial": 2, "reverse": reverse}
            found = upsweep.cumsum(CupyLike(x), **{name: of_device}, **keywords)
            self.assertIs(type(found), CupyLike)
            np.testing.assert_array_equal(found.array, upsweep.cumsum(x, **{name: of_host}, **keywords))
        none = FakeDevice(np.zeros(3, np.int64), data=(0, False))
        self.assertEqual(upsweep.cumsum(CupyLike(x[:0]), segments=none).array.shape, (0,))
        for keywords, text in (({"segments": offsets}, "segments is in host memory, x in device"),
                               ({"segments": FakeDevice(offsets), "reverse": True}, "reverse=True do not go together"),
                               ({"keys": keys}, "keys are in host memory, x in device")):
            with self.assertRaisesRegex(ValueError, text):
                upsweep.cumsum(CupyLike(x), **keywords)

    def test_out(self):
        x = np.arange(24, dtype=np.float32)
        out = FakeDevice(np.empty(48, np.float32)[::-2])
        self.assertIs(upsweep.cumsum(FakeDevice(x), out=out), out)
        np.testing.assert_array_equal(out.array, x.cumsum())
        sums, same = x.cumsum(), FakeDevice(x)
        self.assertIs(upsweep.cumsum(same, out=same), same)
        np.testing.assert_array_equal(x, sums)

    def test_bfloat16(self):
        x = FakeDevice(bfloat16_bits([3, 1, 4]), dtype="bfloat16")
        out = FakeDevice(np.empty(3, np.uint16), dtype="bfloat16")
        self.assertIs(upsweep.cummax(x, out=out), out)
        np.testing.assert_array_equal(out.array, bfloat16_bits([3, 3, 4]))
        upsweep.cummin(x, out=out, exclusive=True, initial=2)
        np.testing.assert_array_equal(out.array, bfloat16_bits([2, 2, 1]))
        with self.assertRaisesRegex(TypeError, "out has dtype bfloat16: the results are float32"):
            upsweep.cumsum(x, out=out)

    def test_refused(self):
        x = np.arange(24, dtype=np.float32).reshape(4, 6)
        fixed = FakeDevice(np.empty(24, np.float32), data=(x.ctypes.data, True))
        for given, out, error, text in (
                (x, None, TypeError, "no device memory of float32 is made for FakeDevice: give out="),
                (x, np.empty(24, np.float32), ValueError, "out is in host memory, x in device memory"),
                (x, FakeDevice(np.empty(24)), TypeError, "out has dtype float64"),
                (x, FakeDevice(np.empty(23, np.float32)), ValueError, r"out has shape \(23,\)"),
                (x, fixed, ValueError, "read-only"), (x.T, None, ValueError, "numpy.ravel")):
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                upsweep.cumsum(FakeDevice(given), out=out)


if __name__ == "__main__":
    unittest.main()
