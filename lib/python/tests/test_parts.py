"""Parts: every function of one result, of arrays that are cut by chance, against the same function of one array."""

import unittest
import warnings

import numpy as np
import upsweep
from support import COMPLEXES, EVERY, FLOATS, INTEGERS, ORDERED, FakeDevice, bfloat16_bits, fake_gpu, sample
from upsweep import Parts

NUMBERS = INTEGERS + FLOATS + COMPLEXES
FUNCTIONS = {  # name: dtypes
    "sum": EVERY, "prod": EVERY, "min": ORDERED + ["bool"], "max": ORDERED + ["bool"], "bit_and": INTEGERS,
    "bit_or": INTEGERS, "bit_xor": INTEGERS, "all": EVERY, "any": EVERY, "count": EVERY, "argmin": ORDERED + ["bool"],
    "argmax": ORDERED + ["bool"], "minmax": ORDERED, "norm1": FLOATS + COMPLEXES, "norm2": FLOATS + COMPLEXES,
    "norm_inf": FLOATS + COMPLEXES, "describe": ORDERED, "dot": NUMBERS, "dotc": COMPLEXES, "mean": EVERY, "var": EVERY,
    "std": EVERY, "ptp": ORDERED, "average": EVERY, "nansum": EVERY, "nanprod": EVERY, "nanmin": ORDERED,
    "nanmax": ORDERED, "nanmean": INTEGERS + FLOATS, "nanvar": INTEGERS + FLOATS, "nanstd": INTEGERS + FLOATS,
    "nanargmin": ORDERED, "nanargmax": ORDERED,
}
TOLERANCES = {"float16": 1e-2, "float32": 1e-4, "complex64": 1e-4}


def cuts(random, n):
    """Where parts end: some have no elements."""
    return np.sort(random.choice(n + 1, int(random.integers(0, 6))))


def dealt(x, ends, random):
    """The same elements in parts: strided, backward, of two dimensions, on something like a GPU."""
    pieces = []
    for piece in np.split(x, ends):
        layout = random.integers(0, 6)
        if layout == 1:
            piece = np.repeat(piece, 2)[::2]
        elif layout == 2:
            piece = piece[::-1].copy()[::-1]
        elif layout == 3 and piece.size % 2 == 0:
            piece = np.asfortranarray(piece.reshape(2, -1))
        pieces.append(FakeDevice(piece) if layout == 4 else piece)
    return Parts(pieces)


def members(value):
    return value if isinstance(value, tuple) else (value, value.value) if hasattr(value, "value") else (value,)


class Values(unittest.TestCase):
    def check(self, name, found, expected, dtype):
        with np.errstate(all="ignore"):
            for ours, theirs in zip(members(found), members(expected)):
                self.assertIs(type(ours), type(theirs))
                if isinstance(theirs, (float, complex, np.inexact)) and name not in ("min", "max", "minmax"):
                    np.testing.assert_allclose(ours, theirs, rtol=TOLERANCES.get(dtype, 1e-10), atol=1e-3 if dtype in
                                               TOLERANCES else 1e-9)
                else:
                    self.assertEqual(ours, theirs)

    def test_every_function(self):
        for name, dtypes in FUNCTIONS.items():
            function = getattr(upsweep, name)
            for dtype in dtypes:
                random = np.random.default_rng([1, *f"{name} {dtype}".encode()])
                x = sample(dtype, int(random.integers(3, 300)))
                if name in ("prod", "nanprod") and x.dtype.kind in "fc":
                    x = (x / x.dtype.type(abs(x).max())).astype(dtype)
                if "nan" in name and x.dtype.kind == "f":
                    x[1] = np.nan
                ends, seed = cuts(random, x.size), int(random.integers(1 << 30))
                arrays = (x, x) if name in ("dot", "dotc") else (x,)
                with self.subTest(name=name, dtype=dtype, ends=ends), fake_gpu(), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found = function(*(dealt(each, ends, np.random.default_rng(seed)) for each in arrays))
                    self.check(name, found, function(*arrays), dtype)

    def test_accuracy(self):
        random = np.random.default_rng(3)
        x = random.normal(size=5000) * 10.0 ** random.integers(-8, 8, 5000)
        for accuracy in ("reproducible", "exact"):
            parts = dealt(x, cuts(random, x.size), random)
            with self.subTest(accuracy=accuracy), fake_gpu():
                self.assertEqual(upsweep.sum(parts, accuracy=accuracy), upsweep.sum(x, accuracy=accuracy))
                self.assertEqual(upsweep.dot(parts, parts, accuracy=accuracy), upsweep.dot(x, x, accuracy=accuracy))

    def test_ties_and_indices(self):
        parts = Parts([[3, 1], np.empty(0, np.int64), [[1, 4], [1, 4]]])
        self.assertEqual((upsweep.argmin(parts), upsweep.argmax(parts)), (1, 3))
        self.assertEqual(upsweep.describe(parts).maximum_index, 3)

    def test_keywords(self):
        x = [np.array([1, 2], np.int8), np.array([[3, 4]], np.int8)[:, ::-1]]
        report = upsweep.Report()
        total = upsweep.sum(Parts(x), initial=5, dtype=np.float32, report=report)
        self.assertEqual((total, total.dtype, report.bytes), (15, np.float32, 16))
        self.assertEqual(upsweep.max(Parts([np.empty(0)]), initial=2), 2)
        self.assertEqual(upsweep.average(Parts(x), weights=Parts([[1, 0], [[0, 3]]])), 2.5)
        self.assertEqual(upsweep.sum(Parts([np.broadcast_to(2.0, 9), np.ones((2, 3, 4))[:, ::2]])), 34)
        self.assertEqual(upsweep.sum(Parts([[True, False], [True]])), 2)
        gaps = Parts([np.array([1, np.nan, 3]), np.array([np.nan]), np.array([4.0])])
        self.assertEqual((upsweep.nansum(gaps, dtype=int), upsweep.nanprod(gaps, dtype="i4")), (8, 12))
        self.assertIs(bool(upsweep.nansum(Parts([[np.nan], [0.0]]), dtype=bool)), False)
        halves = Parts([np.array([1 + 1j, complex(5, np.nan)]), np.array([complex(np.nan, 2), 3])])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy's ComplexWarning
            self.assertEqual((upsweep.nansum(halves, dtype=float), upsweep.nanmean(halves)), (4, 2 + 0.5j))
        with fake_gpu():
            brief = Parts([FakeDevice(bfloat16_bits([1, 2]), "bfloat16"), FakeDevice(bfloat16_bits([-4]), "bfloat16")])
            self.assertEqual((upsweep.sum(brief), upsweep.min(brief)), (-1, -4))

    def test_streams_are_waited_for_in_each_call(self):
        parts = Parts([FakeDevice(np.ones(3), stream=7), np.ones(2), FakeDevice(np.ones(1), stream=9)])
        with fake_gpu() as streams:
            for _ in range(2):
                self.assertEqual(upsweep.sum(parts), 6)
        self.assertEqual([stream for stream, _ in streams], [7, 9, 7, 9])


class Mistakes(unittest.TestCase):
    def test_arrays(self):
        with self.assertRaisesRegex(ValueError, "no arrays"):
            Parts([])
        with self.assertRaisesRegex(ValueError, "part 2 of 2 has dtype int64, the first has float64"):
            upsweep.sum(Parts([np.ones(2), np.arange(3)]))
        for other in (np.ones(4), Parts([np.ones(4)])):
            with self.assertRaisesRegex(ValueError, "as many arrays"):
                upsweep.dot(Parts([np.ones(2), np.ones(2)]), other)
        with self.assertRaisesRegex(ValueError, r"x has shape \(3,\), y has \(1,\)"):
            upsweep.dot(Parts([np.ones(3), np.ones(1)]), Parts([np.ones(1), np.ones(3)]))
        with self.assertRaisesRegex(upsweep.UnsupportedError, "bit_and is not defined"):
            upsweep.bit_and(Parts([np.ones(3)]))

    def test_keywords(self):
        parts = Parts([np.ones(2), np.ones(3)])
        for keywords in ({"axis": 0}, {"keepdims": True}, {"segments": 1}, {"out": np.empty(())}, {"where": [True]}):
            with self.subTest(**keywords), self.assertRaisesRegex(ValueError, f"Parts and {list(keywords)[0]}="):
                upsweep.sum(parts, **keywords)
        self.assertEqual(upsweep.sum(parts, where=True), 5)
        with self.assertRaisesRegex(upsweep.InvalidError, "options.place"):
            upsweep.sum(parts, place="host")

    def test_no_elements(self):
        nothing = Parts([np.empty(0), np.empty((3, 0))])
        self.assertEqual((upsweep.sum(nothing), upsweep.count(nothing)), (0, 0))
        for function in (upsweep.max, upsweep.argmin, upsweep.ptp):
            with self.assertRaisesRegex(ValueError, "no elements"):
                function(nothing)

    def test_functions_of_many_results(self):
        parts = Parts([np.ones(2)])
        for call in (upsweep.cumsum, lambda x: upsweep.reduce_by_key(x, [1, 1]),
                     lambda x: upsweep.compress([True, False], x), upsweep.Partial("sum", float).add,
                     lambda x: upsweep.Set().add("sum", x), np.sum):
            with self.assertRaisesRegex(TypeError, "functions that give one result"):
                call(parts)


class Devices(unittest.TestCase):
    def test_shared(self):
        x = np.random.default_rng(5).standard_normal(300007)
        try:
            total = upsweep.sum(x, devices=[0], accuracy="reproducible")
        except upsweep.DeviceError as failure:
            self.skipTest(f"no device: {failure}")
        except upsweep.UnsupportedError as failure:
            self.skipTest(f"device 0 is no place of kernels: {failure}")
        self.assertEqual(upsweep.sum(x, accuracy="reproducible"), total)
        report = upsweep.Report()
        self.assertEqual(upsweep.argmax(x), upsweep.argmax(x, devices=(0,), report=report))
        self.assertEqual(("device", 0, x.nbytes), (report.place, report.device, report.bytes))
        self.assertEqual(upsweep.min(x[::2], initial=-9.0), upsweep.min(x[::2], devices=[0], initial=-9.0))

    def test_refused(self):
        x = np.arange(5.0)
        for devices in ([], "gpu", [64], [-1]):
            with self.assertRaisesRegex(ValueError, "devices="):
                upsweep.sum(x, devices=devices)
        with self.assertRaisesRegex(upsweep.DeviceError, "names device 63"):
            upsweep.sum(x, devices=[63])
        with self.assertRaisesRegex(upsweep.InvalidError, "options.place"):
            upsweep.sum(x, devices=[0], place="host")
        with self.assertRaisesRegex(upsweep.UnsupportedError, "options.devices"):
            upsweep.sum(x.reshape(5, 1), axis=0, devices=[0])
        with self.assertRaisesRegex(upsweep.InvalidError, "options.devices"):
            upsweep.sum(Parts([x]), devices=[0])


if __name__ == "__main__":
    unittest.main()
