"""Data in pieces, and calls from many threads."""

import concurrent.futures
import copy
import gc
import pickle
import sys
import threading
import time
import unittest

import numpy as np
import upsweep
from support import COMPLEXES, EVERY, FakeDevice, bfloat16_bits, fake_gpu, sample
from upsweep import _tables
from upsweep._arrays import type_tag

ONE_ARRAY = [name for name, row in _tables.FUNCTIONS.items() if row[1] == 1]


class Partial(unittest.TestCase):
    def whole_and_pieces(self, name, x, cuts):
        part = upsweep.Partial(name, x.dtype)
        for piece in np.split(x, cuts):
            part.add(piece)
        return getattr(upsweep, name)(x), part.result()

    def test_every_function_and_dtype(self):
        for name in ONE_ARRAY:
            for dtype in EVERY:
                x = sample(dtype, 1000)
                with self.subTest(name=name, dtype=dtype):
                    try:
                        whole, pieces = self.whole_and_pieces(name, x, [1, 100, 100, 640])
                    except upsweep.UnsupportedError:
                        if dtype != "bool":  # functions take booleans as integers
                            with self.assertRaises(upsweep.UnsupportedError):
                                getattr(upsweep, name)(x)
                        continue
                    self.assertIs(type(pieces), type(whole))
                    tolerance = 1e-4 if np.dtype(dtype).itemsize <= (8 if dtype in COMPLEXES else 4) else 1e-12
                    np.testing.assert_allclose(np.array(pieces), np.array(whole), rtol=tolerance, atol=tolerance)

    def test_indices_go_on(self):
        part = upsweep.Partial("argmax", np.int16)
        for piece in ([1, 2], [9, 3], [9, 9]):
            part.add(np.array(piece, np.int16))
        self.assertEqual(tuple(part.result()), (9, 2))

    def test_before_the_first_element(self):
        self.assertEqual(upsweep.Partial("min", "float32").result(), np.inf)
        self.assertEqual(tuple(upsweep.Partial("argmin", "int8").result()), (127, -1))
        self.assertEqual(upsweep.Partial("describe", "float64").result().count, 0)

    def test_result_is_not_the_end(self):
        part = upsweep.Partial("sum", np.uint8)
        for total in (3, 6, 9):
            part.add(np.ones(3, np.uint8))
            self.assertEqual(part.result(), total)

    def test_layouts(self):
        x = sample("float64", 60).reshape(6, 10)
        for y in (x, x.T, x[::2, ::3], x[::-1], x[:, 3], x[2, 4]):
            part = upsweep.Partial("describe", np.float64)
            part.add(y)
            self.assertEqual(part.result()[3:], upsweep.describe(y)[3:])

    def test_options(self):
        part = upsweep.Partial("min", np.float32, place="host", nan="ignore")
        part.add(np.array([np.nan, 3], np.float32))
        self.assertEqual(part.result(), 3)

    def test_bfloat16(self):
        part = upsweep.Partial("max", "bfloat16")
        with fake_gpu():
            part.add(FakeDevice(bfloat16_bits([1, 3, 2]), dtype="bfloat16"))
        self.assertEqual(part.result(), 3)

    def test_refused(self):
        for arguments in (("dot", "f8"), ("mean", "f8"), ("sum", "f8", "host")):
            with self.assertRaises((ValueError, TypeError)):
                upsweep.Partial(*arguments)
        with self.assertRaises(TypeError):
            upsweep.Partial("sum", object)
        with self.assertRaises(upsweep.UnsupportedError):
            upsweep.Partial("sum", bool)
        part = upsweep.Partial("sum", "int32")
        part.add(np.ones(2, "int32"))
        with self.assertRaisesRegex(ValueError, "reduces int32, not int64"):
            part.add(np.ones(3, "int64"))
        self.assertEqual(part.result(), 2)

    def test_every_function_and_dtype_exchanged(self):
        for name in ONE_ARRAY:
            for dtype in EVERY:
                if _tables.FUNCTIONS[name][3].count(type_tag(np.dtype(dtype))) == 0:
                    continue
                whole, total = upsweep.Partial(name, dtype), upsweep.Partial(name, dtype)
                for piece in np.split(sample(dtype, 1000), [1, 100, 100, 640]):
                    part = upsweep.Partial(name, dtype)
                    part.add(piece)
                    total.merge(upsweep.Partial.from_bytes(part.export()))
                    whole.add(piece)
                with self.subTest(name=name, dtype=dtype):
                    self.assertEqual(repr(whole.result()), repr(total.result()))
                    self.assertEqual(repr(total.result()), repr(pickle.loads(pickle.dumps(total)).result()))

    def test_merged_in_any_order(self):
        x, parts = sample("float64", 1000), []
        for first in range(0, 1000, 100):
            part = upsweep.Partial("argmax", np.float64, nan="ignore")
            part.begin_at(first)
            part.add(x[first:first + 100])
            parts.append(part)
        total = parts.pop(3)
        for part in reversed(parts):
            total.merge(part)
        self.assertEqual(tuple(total.result()), tuple(upsweep.argmax(x)))

    def test_same_bits_at_reproducible(self):
        x = sample("float64", 1000)
        total = upsweep.Partial("sum", np.float64, accuracy="reproducible")
        for piece in reversed(np.split(x, [3, 333, 500])):
            part = upsweep.Partial("sum", np.float64, accuracy="reproducible")
            part.add(piece[::-1])
            total.merge(copy.deepcopy(part))
        self.assertEqual(total.result().tobytes(), upsweep.sum(x, accuracy="reproducible").tobytes())

    def test_pickle_keeps_options(self):
        part = pickle.loads(pickle.dumps(upsweep.Partial("min", np.float32, place="host", nan="ignore")))
        part.add(np.array([np.nan, 3], np.float32))
        self.assertEqual(part.result(), 3)
        self.assertEqual(part._options["place"], "host")

    def test_exchange_refused(self):
        part, other = upsweep.Partial("sum", "f8"), upsweep.Partial("sum", "f4")
        for refused in (other, part):
            with self.assertRaises(upsweep.InvalidError):
                part.merge(refused)
        with self.assertRaises(TypeError):
            part.merge(b"")
        with self.assertRaises(ValueError):
            part.begin_at(-1)
        part.add(X)
        with self.assertRaises(upsweep.InvalidError):
            part.begin_at(0)
        block = part.export()
        for damaged in (b"", block[:-1], block + b"x", block[:20] + b"~" + block[21:]):
            with self.assertRaises(upsweep.InvalidError):
                upsweep.Partial.from_bytes(damaged)
        with self.assertRaises(upsweep.VersionError):
            upsweep.Partial.from_bytes(block[:8] + bytes([block[8] + 1]) + block[9:])

    def test_merged_both_ways_by_threads(self):
        a, b = upsweep.Partial("sum", "i8"), upsweep.Partial("sum", "i8")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda k: (a.merge(b), b.merge(a)), range(500)))
        self.assertEqual(a.result(), 0)

    def test_many_objects(self):
        for _ in range(1000):
            upsweep.Partial("sum", "f8").add(X)
        gc.collect()


X = sample("float64", 10000)


class Threads(unittest.TestCase):
    def test_same_results(self):
        calls = [(upsweep.sum, (X,)), (upsweep.describe, (X,)), (upsweep.dot, (X, X[::-1])), (upsweep.argmin, (X,))]
        want = [function(*arguments) for function, arguments in calls]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            futures = [(i % 4, pool.submit(calls[i % 4][0], *calls[i % 4][1])) for i in range(400)]
            for i, future in futures:
                self.assertEqual(future.result(), want[i])

    def test_each_thread_has_its_error(self):
        def fail(number):
            with self.assertRaises(upsweep.Error) as caught:
                upsweep.sum(X, teams=number)
            return str(caught.exception)

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            for number, text in zip(range(70000, 70200), pool.map(fail, range(70000, 70200))):
                self.assertIn(str(number), text)

    def test_one_partial(self):
        part, x = upsweep.Partial("sum", "int64"), np.arange(1000)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            list(pool.map(part.add, [x] * 200))
        self.assertEqual(part.result(), 200 * x.sum())

    def test_the_interpreter_runs_meanwhile(self):
        """With no forced switches, this thread only runs while the other one has let go of the lock in a call."""
        x, done, ran = np.ones(1 << 22), threading.Event(), 0

        def work():
            for _ in range(30):
                upsweep.sum(x)
            done.set()

        interval = sys.getswitchinterval()
        sys.setswitchinterval(1000)
        try:
            thread = threading.Thread(target=work)
            thread.start()
            while not done.is_set():
                ran += 1
                time.sleep(0.0002)
            thread.join()
        finally:
            sys.setswitchinterval(interval)
        self.assertGreater(ran, 3)


if __name__ == "__main__":
    unittest.main()
