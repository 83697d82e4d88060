"""Reductions along axes, by chance: every function of arrays of any layout against NumPy's.

UPSWEEP_TEST_SEED is the first seed (1), UPSWEEP_TEST_RUNS the number of cases of each function."""

import contextlib
import ctypes
import os
import sys
import types
import unittest
import unittest.mock
import warnings

import numpy as np
import upsweep
from support import COMPLEXES, EVERY, FLOATS, INTEGERS, ORDERED, FakeDevice, bfloat16_bits, fake_gpu
from support import real, wide
from upsweep._along import AxisError

SEED = int(os.environ.get("UPSWEEP_TEST_SEED", 1))
RUNS = int(os.environ.get("UPSWEEP_TEST_RUNS", 100 if os.environ.get("USW_TEST_TIER", "quick") == "quick" else 3000))
NUMBERS, REALS = INTEGERS + FLOATS + COMPLEXES, ORDERED + ["bool"]
FLOATING = FLOATS + COMPLEXES


def weights_of(x, axis):
    """Weights of the whole array, or of one axis."""
    count = x.shape[axis] if isinstance(axis, int) and x.size % 2 else x.size
    weights = 1 + np.arange(count) % 4 / 2
    return weights if count != x.size or x.ndim == 1 else weights.reshape(x.shape)


def of_weights(function):
    return lambda x, axis, **keywords: function(x, axis=axis, weights=weights_of(x, axis), **keywords)


def with_itself(function):
    return lambda x, axis, **keywords: function(x, x, axis=axis, **keywords)


def norm(order):
    """NumPy's norm of vectors, over any axes, in the dtype that ours has."""
    def of(x, axis, **keywords):
        absolute = np.abs(x.astype(np.complex128))
        value = (np.sum(absolute, axis, **keywords) if order == 1 else np.max(absolute, axis, initial=0, **keywords)
                 if order == np.inf else np.sqrt(np.sum(absolute * absolute, axis, **keywords)))
        return value.astype(real(x.dtype.newbyteorder("=")))
    return of


def of_several(function):
    """NumPy's index along several axes."""
    def of(x, axis, keepdims=False):
        axes = range(x.ndim) if axis is None else sorted(each % x.ndim for each in np.atleast_1d(axis).astype(int))
        kept = [each for each in range(x.ndim) if each not in axes]
        extents = [x.shape[each] for each in kept] + [int(np.prod([x.shape[each] for each in axes]))]
        items = x.transpose(*kept, *axes).reshape(extents)
        found = function(items, -1)
        return np.expand_dims(found, tuple(axes)) if keepdims else found
    return of


def sum_of_squares(x, axis, **keywords):
    return np.sum(np.square(x, dtype=wide(x.dtype.newbyteorder("="))), axis, **keywords)


def described(member, function):
    return lambda x, axis, **keywords: getattr(function(x, axis, **keywords), member)


ALL = ("initial", "where", "dtype")
CASES = {  # name: (ours, NumPy's, dtypes, further keywords)
    "sum": (upsweep.sum, np.sum, EVERY, ALL),
    "prod": (upsweep.prod, np.prod, EVERY, ALL),
    "min": (upsweep.min, np.min, REALS, ALL[:2]),
    "max": (upsweep.max, np.max, REALS, ALL[:2]),
    "all": (upsweep.all, np.all, EVERY, ["where"]),
    "any": (upsweep.any, np.any, EVERY, ["where"]),
    "count": (upsweep.count, np.count_nonzero, EVERY, []),
    "argmin": (upsweep.argmin, np.argmin, REALS, []),
    "argmax": (upsweep.argmax, np.argmax, REALS, []),
    "ptp": (upsweep.ptp, np.ptp, ORDERED, []),
    "mean": (upsweep.mean, np.mean, EVERY, ALL[1:]),
    "var": (upsweep.var, np.var, EVERY, ["where", "ddof"]),
    "std": (upsweep.std, np.std, EVERY, ["where", "ddof"]),
    "average": (upsweep.average, np.average, EVERY, []),
    "weighted": (of_weights(upsweep.average), of_weights(np.average), EVERY, []),
    "nansum": (upsweep.nansum, np.nansum, EVERY, ALL),
    "nanprod": (upsweep.nanprod, np.nanprod, EVERY, ALL),
    "nanmin": (upsweep.nanmin, np.nanmin, REALS, ALL[:2]),
    "nanmax": (upsweep.nanmax, np.nanmax, REALS, ALL[:2]),
    "nanmean": (upsweep.nanmean, np.nanmean, EVERY, ALL[1:]),
    "nanvar": (upsweep.nanvar, np.nanvar, EVERY, ["where", "ddof"]),
    "nanstd": (upsweep.nanstd, np.nanstd, EVERY, ["where", "ddof"]),
    "nanargmin": (upsweep.nanargmin, np.nanargmin, REALS, []),
    "nanargmax": (upsweep.nanargmax, np.nanargmax, REALS, []),
    "bit_and": (upsweep.bit_and, np.bitwise_and.reduce, INTEGERS, []),
    "bit_or": (upsweep.bit_or, np.bitwise_or.reduce, INTEGERS, []),
    "bit_xor": (upsweep.bit_xor, np.bitwise_xor.reduce, INTEGERS, []),
    "norm1": (upsweep.norm1, norm(1), FLOATING, []),
    "norm2": (upsweep.norm2, norm(2), FLOATING, []),
    "norm_inf": (upsweep.norm_inf, norm(np.inf), FLOATING, []),
    "dot": (with_itself(upsweep.dot), sum_of_squares, NUMBERS, []),
    "dotc": (with_itself(upsweep.dotc), lambda x, axis, **more: np.sum(x.conj() * x, axis, **more), COMPLEXES, []),
    "minmax": (described("minimum", upsweep.minmax), lambda x, axis, **more: np.min(x, axis, **more), ORDERED, []),
    "argmin of several": (upsweep.argmin, of_several(np.argmin), REALS, []),
    "least index": (described("minimum_index", upsweep.describe), of_several(np.argmin), ORDERED, []),
    "greatest index": (described("maximum_index", upsweep.describe), of_several(np.argmax), ORDERED, []),
}
OF_ONE_AXIS = {"argmin", "argmax", "nanargmin", "nanargmax", "weighted"}
LACKS_KEEPDIMS = {"average", "weighted"} if np.lib.NumpyVersion(np.__version__) < "1.23.0" else set()


class Case:
    """An array and keywords by chance."""

    def __init__(self, name, seed):
        self.name, self.random = name, np.random.default_rng([seed, *name.encode()])
        self.ours, self.theirs, dtypes, further = CASES[name]
        self.x = self.array(np.dtype(str(self.random.choice(dtypes))))
        self.axis = self.chosen_axis()
        self.keywords = {keyword: self.keyword(keyword) for keyword in further if self.random.random() < 0.25}
        if name not in LACKS_KEEPDIMS and self.random.random() < 0.4:
            self.keywords["keepdims"] = bool(self.random.random() < 0.8)
        if name in ("nanvar", "nanstd") and self.x.dtype.kind in "iub":
            self.keywords.pop("ddof", None)  # too few integers: NumPy has infinity
        if name in ("min", "max", "nanmin", "nanmax") and "where" in self.keywords:
            self.keywords["initial"] = self.keyword("initial")

    def array(self, dtype):
        """Elements of any layout."""
        shape = tuple(self.random.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 9], self.random.integers(0, 6)))
        whole = tuple(int(length * self.random.integers(1, 3)) for length in shape)
        x = self.elements(dtype, whole)
        if self.random.random() < 0.3:
            x = np.asfortranarray(x)
        steps = [int(self.random.choice([1, 1, -1, 2, -2])) for _ in shape]
        x = x[(..., *(slice(None, None, step if abs(step) * length <= size + abs(step) - 1 else step // abs(step))
                       for step, length, size in zip(steps, shape, whole)))]
        if x.ndim and self.random.random() < 0.3:
            x = x.transpose(self.random.permutation(x.ndim))
        if x.ndim < 5 and self.random.random() < 0.1:
            x = np.broadcast_to(x, (int(self.random.integers(1, 4)), *x.shape))
        return x.astype(dtype.newbyteorder()) if self.random.random() < 0.03 else x

    def elements(self, dtype, whole):
        """Small numbers; those that round have few digits, so that sums are the same in any order."""
        low = 0 if dtype.kind in "ub" else -4
        x = self.random.integers(low, 2 if dtype.kind == "b" else 5, whole) + (1j if dtype.kind == "c" else 0)
        x = np.asarray(x).astype(dtype)
        if dtype.kind in "fc" and "prod" in self.name:  # which never overflows, so that the order does not matter
            x = self.random.choice([-1, 1] + [2, 0.5] * (dtype.itemsize > 2) + [1j] * (dtype.kind == "c"), whole)
            x = np.asarray(x).astype(dtype)
        if dtype.kind in "fc" and self.random.random() < 0.3:
            special = [np.nan] if dtype.kind == "c" else [np.nan, np.nan, np.inf, -np.inf]  # no complex infinities
            x[self.random.random(whole) < 0.2] = self.random.choice(special)
        return x

    def chosen_axis(self):
        ndim, chance = self.x.ndim, self.random.random()
        if chance < 0.1 or (ndim == 0 and self.name in OF_ONE_AXIS):
            return None
        if chance < 0.6 and ndim or self.name in OF_ONE_AXIS:
            return int(self.random.integers(-ndim, ndim))
        axes = self.random.permutation(ndim)[:self.random.integers(0, ndim + 1)]
        return tuple(int(axis) - ndim * int(self.random.integers(0, 2)) for axis in axes)

    def keyword(self, keyword):
        if keyword == "where":
            axes = [length if self.random.random() < 0.7 else 1 for length in self.x.shape]
            return self.random.random(axes) < 0.7
        if keyword == "dtype":
            real = ["f4", "f8"] if "mean" in self.name else ["f4", "f8", "i8"]
            return str(self.random.choice(["f8", "c16"] if self.x.dtype.kind == "c" else real))
        return int(self.random.integers(0, 3))

    def answer(self, function):
        """The value, or the error, and whether it warned of a slice."""
        with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            try:
                value = function(self.x, axis=self.axis, **self.keywords)
            except (ArithmeticError, NotImplementedError, TypeError, ValueError) as error:
                return error, False
        return value, any("slice" in str(each.message) for each in caught)

    def __str__(self):
        x = self.x
        return f"{self.name}: {x.dtype} {x.shape} {x.strides} axis={self.axis} {self.keywords}"


def tolerance(dtype):
    return 64 * np.finfo(dtype).eps if dtype.kind in "fc" else 0


class Chance(unittest.TestCase):
    def check(self, case):
        (ours, we_warned), (theirs, they_warned) = case.answer(case.ours), case.answer(case.theirs)
        has_identity = case.name == "minmax" or "index" in case.name
        if case.x.size == 0 and (has_identity or isinstance(theirs, ZeroDivisionError)):
            return  # NumPy's average has no empty array
        if isinstance(theirs, Exception) or isinstance(ours, Exception):
            self.assertEqual((isinstance(ours, Exception), isinstance(theirs, Exception)), (True, True), (ours, theirs))
            return
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        self.assertEqual(ours.shape, theirs.shape)
        if ours.dtype != theirs.dtype:
            self.assertEqual((ours.dtype, theirs.dtype), (np.float32, np.float16))
        coarse = min(ours.dtype, theirs.dtype, key=lambda dtype: dtype.itemsize)
        near = tolerance(coarse)
        np.testing.assert_allclose(ours.astype(theirs.dtype), theirs, rtol=near, atol=near * 64)
        if theirs.size:
            self.assertEqual(we_warned, they_warned)

    def test_against_numpy(self):
        for name in CASES:
            for seed in range(SEED, SEED + RUNS):
                case = Case(name, seed)
                with self.subTest(case=str(case), seed=seed):
                    self.check(case)


class Keywords(unittest.TestCase):
    def setUp(self):
        self.x = np.arange(24.0).reshape(2, 3, 4)

    def test_wrong_axes(self):
        for function in (upsweep.sum, upsweep.max, upsweep.all, upsweep.argmin, upsweep.mean, upsweep.std, upsweep.ptp,
                         upsweep.nansum, upsweep.norm2, upsweep.describe, upsweep.bit_and, upsweep.average):
            x = self.x.astype(int) if function is upsweep.bit_and else self.x
            for axis, error, text in ((3, AxisError, "out of bounds"), ((0, -4), AxisError, "out of bounds"),
                                      ((1, -2), ValueError, "duplicate"), (1.0, TypeError, "integer"),
                                      ([0, 1], TypeError, "integer"), ("0", TypeError, "integer")):
                with self.subTest(function=function.__name__, axis=axis), self.assertRaisesRegex(error, text):
                    function(x, axis)
        self.assertEqual(upsweep.sum(np.array(3), axis=-1), 3)
        with self.assertRaises(AxisError):
            upsweep.sum(np.array(3), axis=1)

    def test_out(self):
        out = np.empty((2, 4))
        self.assertIs(upsweep.sum(self.x, 1, out=out), out)
        np.testing.assert_array_equal(out, self.x.sum(1))
        kept = np.empty((2, 1, 4), np.complex64)[..., ::-1]
        self.assertIs(upsweep.mean(self.x, -2, keepdims=True, out=kept), kept)
        np.testing.assert_array_equal(kept, self.x.mean(1, keepdims=True))
        self.assertEqual(upsweep.argmax(self.x, out=np.empty((), int)), 23)
        self.assertIs(type(upsweep.count(self.x, (0, 1, 2))), np.int64)
        upsweep.max(self.x, 0, out=self.x[1])  # the results are in the array
        np.testing.assert_array_equal(self.x[1], np.arange(12.0, 24).reshape(3, 4))
        for function, wrong, error in ((upsweep.sum, np.empty((4, 2)), ValueError),
                                       (upsweep.mean, np.empty((2, 4), int), TypeError),
                                       (upsweep.nanvar, [0.0] * 8, TypeError),
                                       (upsweep.any, FakeDevice(np.empty((2, 4), bool)), TypeError)):
            with self.assertRaises(error):
                function(self.x, 1, out=wrong)

    def test_means(self):
        large = np.array([[1e308, 1e308, 1e308], [1, 2, 3]])
        np.testing.assert_allclose(upsweep.mean(large, 1), [1e308, 2], rtol=1e-15)
        whole = np.array([[2**63 - 1, 2**63 - 1], [0, 1]])
        np.testing.assert_array_equal(upsweep.mean(whole, 1), [2.0**63, 0.5])
        small = np.full((1 << 16, 2), 0.1, np.float32)
        np.testing.assert_array_equal(upsweep.mean(small, 0), small[0])
        np.testing.assert_allclose(upsweep.var(1e9 + np.arange(6.0).reshape(2, 3), 1), [2 / 3] * 2, rtol=1e-12)
        with np.errstate(all="raise"):
            of_large = np.array([[3e38 + 3e38j, 3e38]], np.complex64)
            np.testing.assert_allclose(upsweep.mean(of_large, 1), [3e38 + 1.5e38j], rtol=1e-6)
            self.assertEqual(upsweep.var(np.array([[np.inf, 1], [1e200, -1e200]]), 1, ddof=1).tolist()[1], np.inf)

    def test_whole(self):
        self.assertEqual(upsweep.sum(self.x, accuracy="exact", keepdims=True).shape, (1, 1, 1))
        self.assertEqual(upsweep.sum(self.x, (0, 1, 2)), 276)
        with self.assertRaises(upsweep.UnsupportedError):
            upsweep.sum(self.x, 1, accuracy="exact")
        report = upsweep.Report()
        upsweep.sum(self.x, 1, accuracy="reproducible", report=report)
        self.assertEqual((report.place, report.bytes), ("host", self.x.nbytes))

    def test_tuples(self):
        found = upsweep.describe(self.x, (0, 2), keepdims=True)
        self.assertEqual({member.shape for member in found}, {(1, 3, 1)})
        self.assertEqual([member.dtype.kind for member in found], list("iffffii"))
        np.testing.assert_array_equal(found.maximum_index.ravel(), [7, 7, 7])
        least, most = upsweep.minmax(self.x, 0)
        np.testing.assert_array_equal(most - least, upsweep.ptp(self.x, 0))
        np.testing.assert_array_equal(upsweep.argmax(self.x, (0, 2)), [7, 7, 7])

    def test_refused_values(self):
        x = np.where(self.x == 5, np.nan, self.x)
        with self.assertRaisesRegex(ValueError, "is a NaN"):
            upsweep.nanargmin(x[:1, 1, 1:2], axis=0)
        with self.assertRaisesRegex(ValueError, "no elements"):
            upsweep.min(x, axis=0, where=x > 12)
        with self.assertWarnsRegex(RuntimeWarning, "All-NaN"):
            upsweep.nanmax(x[:1], axis=0)
        for weights, error in ((np.ones(2), ValueError), (np.ones((3, 4)), TypeError),
                               (np.zeros(3), ZeroDivisionError)):
            with self.assertRaises(error):
                upsweep.average(x, axis=1, weights=weights)
        with self.assertRaises(TypeError):
            upsweep.average(x, weights=np.ones(3))

    def test_many_dimensions(self):
        x = np.arange(3 * 2.0**9).reshape((2,) * 9 + (3,))
        for axis in (0, -1, (0, 1, 2), (5, 6, 9), None, tuple(range(0, 8, 2))):
            np.testing.assert_array_equal(upsweep.sum(x, axis), x.sum(axis))
            np.testing.assert_array_equal(upsweep.sum(x.T, axis), x.T.sum(axis))
        np.testing.assert_array_equal(upsweep.max(x.reshape((1, 2) * 8 + (6,)), 3), x.reshape((1, 2) * 8 + (6,)).max(3))
        with self.assertRaisesRegex(ValueError, "at most 8"):
            upsweep.sum(x, (0, 2, 4, 6, 8))

    def test_odd_strides(self):
        records = np.zeros((4, 6), dtype=[("value", "c16"), ("rest", "f8")])
        records["value"] = np.arange(24).reshape(4, 6)
        np.testing.assert_array_equal(upsweep.sum(records["value"], 0), records["value"].sum(0))
        np.testing.assert_array_equal(upsweep.dot(records["value"], records["value"], 1), (records["value"]**2).sum(1))


class CupyLike(FakeDevice):
    """What a library makes that upsweep finds by the name of a type's module."""

    device = contextlib.nullcontext()


CupyLike.__module__ = "cupy"


class Device(unittest.TestCase):
    """Results of device arrays: in device memory, by the library of the array, or in out."""

    def setUp(self):
        self.x = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
        stream = types.SimpleNamespace(synchronize=lambda: None)
        self.cupy = types.SimpleNamespace(empty=lambda shape, dtype: CupyLike(np.empty(shape, dtype)),
                                          zeros=lambda shape, dtype: CupyLike(np.zeros(shape, dtype)),
                                          cuda=types.SimpleNamespace(get_current_stream=lambda: stream))
        uploads = unittest.mock.patch("upsweep._cuda.upload", self.upload)
        self.uploads = []
        for patch in (fake_gpu(), uploads, unittest.mock.patch.dict(sys.modules, cupy=self.cupy)):
            patch.__enter__()
            self.addCleanup(patch.__exit__, None, None, None)

    def upload(self, address, array):
        self.uploads.append(array)
        ctypes.memmove(address, array.ctypes.data, array.nbytes)

    def test_every_function(self):
        strided = np.repeat(self.x, 2, axis=1)[:, ::-2]
        for function, uploads in ((upsweep.sum, 0), (upsweep.max, 0), (upsweep.norm2, 0), (upsweep.all, 0),
                                  (upsweep.count, 0), (upsweep.argmin, 1), (upsweep.mean, 1), (upsweep.nanstd, 1),
                                  (upsweep.ptp, 1), (upsweep.average, 1), (upsweep.nanmin, 0)):
            for x in (self.x, strided):
                for keywords in ({"axis": 1}, {"axis": (0, -1), "keepdims": True}, {"keepdims": True}, {"axis": ()}):
                    self.uploads.clear()
                    want = np.asarray(function(x, **keywords))
                    with self.subTest(function=function.__name__, keywords=keywords):
                        found = function(CupyLike(x), **keywords)
                        self.assertIs(type(found), CupyLike)
                        self.assertEqual((found.array.dtype, found.array.shape), (want.dtype, want.shape))
                        np.testing.assert_array_equal(found.array, want)
                        self.assertEqual(len(self.uploads), uploads)
                        self.assertIs(type(function(FakeDevice(x), **keywords)), type(function(x, **keywords)))

    def test_out(self):
        for function, dtype in ((upsweep.sum, np.float32), (upsweep.var, np.float32), (upsweep.argmax, np.int64)):
            out = FakeDevice(np.empty((2, 4), dtype))
            self.assertIs(function(FakeDevice(self.x), 1, out=out), out)
            np.testing.assert_array_equal(out.array, function(self.x, 1))
            on_host = np.empty((2, 4), dtype)
            self.assertIs(function(FakeDevice(self.x), 1, out=on_host), on_host)
            np.testing.assert_array_equal(on_host, out.array)
        for out, error in ((np.empty((2, 4)), TypeError), (np.empty((4, 2), np.float32).T, ValueError),
                           (np.empty((2, 8), np.float32)[:, ::2], ValueError), (np.empty(8, np.float32), ValueError)):
            for function in (upsweep.sum, upsweep.mean):
                with self.assertRaises(error):
                    function(FakeDevice(self.x), 1, out=FakeDevice(out))

    def test_refused(self):
        for function in (upsweep.sum, upsweep.max, upsweep.all, upsweep.mean, upsweep.var, upsweep.nanstd):
            with self.assertRaises(TypeError):
                function(FakeDevice(self.x), 1, where=self.x > 3)
        with self.assertRaises(TypeError):
            upsweep.nanmean(FakeDevice(self.x + 1j), 1)

    def test_bfloat16(self):
        x = FakeDevice(bfloat16_bits(self.x), dtype="bfloat16")
        out = FakeDevice(np.empty((2, 3), np.uint16), dtype="bfloat16")
        upsweep.max(x, 2, out=out)
        np.testing.assert_array_equal(out.array, bfloat16_bits(self.x.max(2)))
        np.testing.assert_array_equal(upsweep.max(x, 2), self.x.max(2))
        np.testing.assert_array_equal(upsweep.sum(x, 0), self.x.sum(0))

    def test_weights(self):
        weights = np.array([1, 2, 5], np.float32)
        found = upsweep.average(CupyLike(self.x), axis=1, weights=CupyLike(weights))
        np.testing.assert_array_equal(found.array, np.average(self.x, axis=1, weights=weights))

    def test_torch(self):
        made = []

        def empty(shape, dtype, device):
            made.append((shape, dtype, device))
            return FakeDevice(np.empty(shape, "f4"))

        stream = types.SimpleNamespace(synchronize=lambda: made.append("waited"))
        torch = types.SimpleNamespace(float32="f4", empty=empty,
                                      cuda=types.SimpleNamespace(current_stream=lambda device: stream))
        tensor = type("Tensor", (FakeDevice,), {"__module__": "torch", "device": "cuda:1"})
        with unittest.mock.patch.dict(sys.modules, torch=torch):
            found = upsweep.sum(tensor(self.x), 0)
            np.testing.assert_array_equal(found.array, self.x.sum(0))
            self.assertEqual(made, [((3, 4), "f4", "cuda:1"), "waited"])
            self.assertIs(type(upsweep.count(tensor(self.x), 0)), np.ndarray)  # a torch without int64


if __name__ == "__main__":
    unittest.main()
