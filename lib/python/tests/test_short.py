"""Short calls: the extension gives what ctypes gives, leaves what it does not take, and takes no longer than NumPy."""

import contextlib
import os
import pathlib
import subprocess
import sys
import sysconfig
import timeit
import unittest
import unittest.mock
import warnings

import numpy as np
import upsweep
from support import EVERY, sample
from upsweep import _call, _fast

PAIRS = ("dot", "dotc")
LAYOUTS = (lambda x: x, lambda x: x[::-1], lambda x: x[3::7], lambda x: np.broadcast_to(x[1], 9), lambda x: x[:1],
           lambda x: x[5].reshape(()), lambda x: x[:60].reshape(3, 4, 5), lambda x: x[:60].reshape(6, 10).T)


ALONG = (lambda x: x[:60].reshape(6, 10), lambda x: x[:60].reshape(6, 10).T, lambda x: x[:60].reshape(3, 4, 5),
         lambda x: x[:60].reshape(3, 4, 5).transpose(1, 2, 0)[::-1], lambda x: x[:60].reshape(6, 10)[1:5, ::3],
         lambda x: np.broadcast_to(x[:4], (3, 4)), lambda x: x[:8].reshape(1, 8, 1))
AXES = (0, 1, -1, (0, 1), (1, 2), (-1, 0), ())
SCANS = {upsweep.cumsum: "sum", upsweep.cumprod: "prod", upsweep.cummax: "max", upsweep.cummin: "min"}


@contextlib.contextmanager
def without_extension():
    with unittest.mock.patch("upsweep._fast.reduce", _fast._nothing), \
            unittest.mock.patch("upsweep._fast._reduce_axes", _fast._nothing), \
            unittest.mock.patch("upsweep._fast.scan", _fast._nothing):
        yield


def by_ctypes(name, *inputs):
    """What a function gives without the extension."""
    with without_extension():
        return _call.reduce(name, inputs)


def along_by_ctypes(function, *inputs, **keywords):
    with without_extension():
        return function(*inputs, **keywords)


def members(value):
    """A result as text, with the types of its members."""
    parts = [value.value, value.index] if isinstance(value, upsweep.Located) else value
    return [(type(part), repr(part)) for part in (parts if isinstance(parts, (list, tuple)) else [parts])]


@unittest.skipUnless(upsweep.info().extension, "the package was built without the extension")
class Extension(unittest.TestCase):
    def test_same_results(self):
        taken = 0
        for name, (_, inputs, _, tags, _) in upsweep._tables.FUNCTIONS.items():
            for dtype in EVERY:
                if upsweep._arrays.type_tag(np.dtype(dtype)) not in tags:
                    continue
                for number, layout in enumerate(LAYOUTS):
                    arrays = [layout(sample(dtype, 100, seed)) for seed in range(1, inputs + 1)]
                    with self.subTest(name=name, dtype=dtype, layout=number):
                        found = _fast.reduce(_fast.NUMBERS[name], *arrays)
                        taken += found is not None
                        want = by_ctypes(name, *arrays)
                        self.assertEqual(members(getattr(upsweep, name)(*arrays)), members(want))
                        self.assertIn(None if found is None else members(found), (None, members(want)))
        self.assertGreater(taken, 1000)

    def test_not_taken(self):
        x, part = np.arange(12.0), memoryview(bytearray(17))
        for y in (x[:0], x.reshape(3, 4)[:, :2], x.astype(">f8"), np.frombuffer(part, np.float64, 2, 1),
                  x.view(np.recarray), np.ma.masked_array(x, x > 3), [1.0], 3.0, None, np.array(["a"]),
                  x.astype(np.longdouble)):
            with self.subTest(y=y):
                self.assertIsNone(_fast.reduce(_fast.NUMBERS["sum"], y))
        for y, z in ((x, x[:3]), (x, x.astype(np.float32)), (x.reshape(3, 4), x.reshape(3, 4).copy("F")), (x, 1)):
            self.assertIsNone(_fast.reduce(_fast.NUMBERS["dot"], y, z))
        self.assertIsNone(_fast.reduce(_fast.NUMBERS["argmin"], x.reshape(3, 4).T))
        self.assertIsNone(_fast.reduce(_fast.NUMBERS["sum"], x, x))
        self.assertIsNone(_fast.reduce(99, x))

    def test_same_results_along_axes(self):
        taken = 0
        for name, (_, inputs, _, tags, _) in upsweep._tables.FUNCTIONS.items():
            function = getattr(upsweep, name)
            for dtype in EVERY:
                if upsweep._arrays.type_tag(np.dtype(dtype)) not in tags:
                    continue
                for number, layout in enumerate(ALONG):
                    arrays = [layout(sample(dtype, 100, seed)) for seed in range(1, inputs + 1)]
                    for axis in (axis for axis in AXES if np.size(axis) == 0 or np.max(axis) < arrays[0].ndim):
                        with self.subTest(name=name, dtype=dtype, layout=number, axis=axis):
                            found = _fast.along(_fast.NUMBERS[name], axis, False, None, *arrays)
                            taken += found is not None
                            want = along_by_ctypes(function, *arrays, axis=axis)
                            self.assertEqual(members(function(*arrays, axis=axis)), members(want))
                            self.assertIn(None if found is None else members(found), (None, members(want)))
        self.assertGreater(taken, 3000)

    def test_keywords_along_axes(self):
        x = np.arange(24.0).reshape(2, 3, 4) ** 2
        for name in ("sum", "max", "argmin", "norm2", "describe", "mean", "var", "std", "nansum", "nanmax"):
            function = getattr(upsweep, name)
            with self.subTest(name=name):
                want = along_by_ctypes(function, x, axis=1, keepdims=True)
                self.assertEqual(members(function(x, axis=1, keepdims=True)), members(want))
                if name != "describe":
                    out = np.zeros((2, 4), want.dtype)
                    self.assertIs(function(x, axis=1, out=out), out)
                    self.assertEqual(out.tobytes(), want.tobytes())
                    with self.assertRaises(ValueError):
                        function(x, axis=1, out=out[:1])
        for dtype in (np.float16, np.float32, np.int16, np.uint8, np.complex64, np.bool_):
            for function in (upsweep.mean, upsweep.var, upsweep.std):
                y = (x % 7).astype(dtype)
                with self.subTest(dtype=dtype, function=function.__name__):
                    self.assertEqual(members(function(y, axis=(0, 2))), members(along_by_ctypes(function, y, axis=(0, 2))))
        for ddof in (1, 2, 3):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                self.assertEqual(members(upsweep.var(x, axis=1, ddof=ddof)),
                                 members(along_by_ctypes(upsweep.var, x, axis=1, ddof=ddof)))

    def test_not_taken_along_axes(self):
        x = np.arange(12.0).reshape(3, 4)
        number = _fast.NUMBERS["sum"]
        for axis in (None, 2, -3, (0, 0), (0, 1), 1.0, "0", 1 << 70, [0]):
            self.assertIsNone(_fast.along(number, axis, False, None, x), axis)
        for y in (x[:, :0], x.astype(">f8"), x.tolist(), np.ma.masked_array(x, x > 3), x.astype(np.longdouble),
                  np.zeros((3, 4), "f8,u1")["f0"], np.array(1.0)):
            self.assertIsNone(_fast.along(number, 0, False, None, y))
        self.assertIsNone(_fast.along(_fast.NUMBERS["dot"], 0, False, None, x, x[:2]))
        self.assertIsNone(_fast.along(_fast.NUMBERS["argmax"] | _fast.IGNORES_NAN, 1, False, None, x * np.nan))
        self.assertIsNone(_fast.along(number, 0, False, np.zeros(3), x))

    def test_same_scans(self):
        taken = 0
        for function, name in SCANS.items():
            for dtype in EVERY:
                if upsweep._arrays.type_tag(np.dtype(dtype)) not in upsweep._tables.FUNCTIONS[name][3]:
                    continue
                for number, layout in enumerate(LAYOUTS):
                    x = layout(sample(dtype, 100, 1))
                    if x.ndim > 1 and not x.flags.c_contiguous:
                        continue
                    for keywords in ({}, {"nan": "ignore"}, {"axis": -1} if x.ndim == 1 else {"axis": None}):
                        with self.subTest(name=name, dtype=dtype, layout=number, keywords=keywords):
                            want = along_by_ctypes(function, x, **keywords)
                            found = _fast.scan(_fast.NUMBERS[name] | (_fast.IGNORES_NAN if "nan" in keywords else 0), x)
                            taken += found is not None
                            for got in (found, function(x, **keywords)):
                                if got is not None:
                                    self.assertEqual((got.dtype, got.shape, got.tobytes()),
                                                     (want.dtype, want.shape, want.tobytes()))
        self.assertGreater(taken, 500)

    def test_scans_not_taken(self):
        x, number = np.arange(12.0), _fast.NUMBERS["sum"]
        for y in (x[:0], x.reshape(3, 4).T, x.reshape(3, 4)[:, :2], x.astype(">f8"), x > 3, x.tolist(), 3.0, None,
                  np.ma.masked_array(x, x > 3), np.zeros(3, "f8,u1")["f0"], x.astype(np.longdouble)):
            with self.subTest(y=y):
                self.assertIsNone(_fast.scan(number, y))
        for other in ("argmax", "describe", "minmax", "dot"):
            self.assertIsNone(_fast.scan(_fast.NUMBERS[other], x), other)
        self.assertIsNone(_fast.scan(99, x))
        self.assertEqual(upsweep.cumsum(x[::-1], exclusive=True)[-1], 66)
        self.assertEqual(upsweep.cumsum(x, reverse=True)[0], 66)
        for keywords in ({"axis": 1}, {"axis": 0.0}, {"nan": "never"}, {"initial": 1}, {"place": "nowhere"}):
            with self.assertRaises((ValueError, TypeError)):
                upsweep.cumsum(x, **keywords)
        with self.assertRaises(ValueError):
            upsweep.cumsum(x.reshape(3, 4), axis=0)

    def test_not_a_number(self):
        x = np.array([3, np.nan, -1])
        for name in ("sum", "prod", "min", "max", "argmin", "describe"):
            found = _fast.reduce(_fast.NUMBERS[name] | _fast.IGNORES_NAN, x)
            self.assertEqual(members(found), members(getattr(upsweep, name)(x, nan="ignore", place="host")))

    def test_not_slower_than_numpy(self):
        for n in (1, 1000):
            x = np.arange(float(n))
            for ours, theirs in ((upsweep.sum, np.sum), (upsweep.max, np.max), (upsweep.argmin, np.argmin)):
                times = [min(timeit.repeat(lambda: function(x), number=500, repeat=15)) for function in (ours, theirs)]
                self.assertLess(times[0], 1.5 * times[1], ours.__name__)
        x = np.arange(1000.0).reshape(10, 100)
        for ours, theirs in ((upsweep.sum, np.sum), (upsweep.var, np.var)):
            times = [min(timeit.repeat(lambda: function(x, axis=1), number=500, repeat=15)) for function in (ours, theirs)]
            self.assertLess(times[0], 1.5 * times[1], ours.__name__)


class Building(unittest.TestCase):
    def test_the_extension_was_built(self):
        if not os.environ.get("UPSWEEP_TEST_CC"):
            self.skipTest("UPSWEEP_TEST_CC names no compiler")
        self.assertEqual(upsweep.info().extension, pathlib.Path(sysconfig.get_path("include"), "Python.h").exists())

    def test_without_the_extension(self):
        program = ("import sys; sys.modules['upsweep._short'] = None\n"
                   "import numpy, upsweep\nx = numpy.array([3.0, 1.0])\n"
                   "print(upsweep.info().extension, upsweep.sum(x), upsweep.argmin(x), upsweep.var(x), "
                   "upsweep.nanmin(x))")
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
        self.assertEqual((run.stdout, run.stderr), ("False 4.0 1 1.0 1.0\n", ""))


if __name__ == "__main__":
    unittest.main()
