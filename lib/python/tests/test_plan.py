"""Plans: what a function gives, again and again, over what the arrays hold by then."""

import threading
import unittest

import numpy as np
import upsweep
from support import COMPLEXES, EVERY, FLOATS, INTEGERS, ORDERED, FakeDevice, fake_gpu, sample
from upsweep import Parts, Plan

FUNCTIONS = {  # name: dtypes
    "sum": ORDERED + COMPLEXES, "prod": INTEGERS, "min": ORDERED, "max": ORDERED, "bit_and": INTEGERS, "bit_or": INTEGERS,
    "bit_xor": INTEGERS, "all": EVERY, "any": EVERY, "count": EVERY, "argmin": ORDERED, "argmax": ORDERED,
    "minmax": ORDERED, "norm1": FLOATS + COMPLEXES, "norm2": FLOATS, "norm_inf": FLOATS + COMPLEXES,
    "describe": ORDERED, "dot": INTEGERS + FLOATS + COMPLEXES, "dotc": COMPLEXES,
}


def cut(x):
    return Parts([x[:3], x[3:3], x[3:].reshape(-1, 1)])


class Values(unittest.TestCase):
    def test_every_function(self):
        for name, dtypes in FUNCTIONS.items():
            for dtype in dtypes:
                x = sample(dtype, 301)
                y = x[::-1] if name in ("dot", "dotc") else None
                arrays = (x,) if y is None else (x, y)
                with self.subTest(name=name, dtype=dtype), np.errstate(all="ignore"):
                    plan = Plan(name, *map(cut, arrays))
                    for seed in (2, 3):
                        x[:] = sample(dtype, 301, seed)
                        expected = getattr(upsweep, name)(*map(cut, arrays))
                        for found in (plan.run(), plan.start().wait()):
                            self.assertIs(type(found), type(expected))
                            self.assertEqual(found, expected)

    def test_one_array(self):
        x = np.arange(12, dtype=np.float32).reshape(3, 4)[:, ::2]
        plan = Plan("argmax", x)
        self.assertEqual((plan.run(), plan.run().value), (5, 10))
        x[1, 0] = 50
        self.assertEqual((plan.run(), plan.run().value), (2, 50))
        self.assertEqual(Plan("dot", x, Parts([x])).run(), (x * x).sum())

    def test_options(self):
        x = np.array([1e16, 1, -1e16, np.nan])
        report = upsweep.Report()
        plan = Plan("sum", Parts([x[:2], x[2:]]), accuracy="exact", nan="ignore", report=report)
        self.assertEqual((plan.run(), report.kept), (1, 3))
        self.assertGreaterEqual(report.bytes, 32)
        self.assertEqual(Plan("sum", x[:3], accuracy="reproducible", fold=3).run(),
                         upsweep.sum(x[:3], accuracy="reproducible", fold=3))

    def test_no_elements(self):
        self.assertEqual((Plan("sum", np.empty(0)).run(), Plan("min", Parts([np.empty((0, 2))])).run()), (0, np.inf))

    def test_requests(self):
        x = np.ones(5)
        plan = Plan("sum", Parts([x[:2], x[2:]]))
        first, second = plan.start(), plan.start()
        plan.start()  # nobody waits for it
        self.assertTrue(second.test())
        self.assertEqual((second.wait(), first.wait()), (5, 5))
        for call in (first.wait, first.test):
            with self.assertRaises(upsweep.InvalidError):
                call()
        request = plan.start()
        del plan
        self.assertEqual(request.wait(), 5)

    def test_results(self):
        x, there = np.arange(6, dtype=np.float32), [np.zeros(1, np.float32), None, FakeDevice(np.zeros((), np.float32))]
        with fake_gpu():
            plan = Plan("sum", Parts([x[:3], x[3:3], FakeDevice(x[3:])]), results=there)
            self.assertEqual((there[0][0], there[2].array), (0, 0))
            self.assertEqual((plan.run(), there[0][0], there[2].array), (15, 15, 15))
            x[0] = 5
            self.assertEqual((plan.start().wait(), there[0][0], there[2].array), (20, 20, 20))
        for name, dtype, value in (("count", "uint64", 6), ("count", "int64", 6), ("all", "bool", True),
                                   ("norm2", "float32", np.sqrt(np.float32(80)))):
            found = np.zeros((1, 1), dtype)
            self.assertEqual(Plan(name, x, results=[found]).run(), found[0, 0])
            self.assertAlmostEqual(found[0, 0], value, 5)

    def test_threads(self):
        plan, found = Plan("sum", Parts([np.ones(100), np.ones(3)])), []

        def call():
            found.extend(plan.run() + plan.start().wait() for _ in range(50))

        threads = [threading.Thread(target=call) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(found, [206] * 200)

    def test_streams_are_waited_for_in_each_run(self):
        with fake_gpu() as streams:
            plan = Plan("sum", Parts([FakeDevice(np.ones(3), stream=7), np.ones(2)]))
            self.assertEqual((plan.run(), plan.start().wait()), (5, 5))
        self.assertEqual([stream for stream, _ in streams], [7, 7, 7])


class Mistakes(unittest.TestCase):
    def test_arguments(self):
        x = np.ones(4)
        with self.assertRaisesRegex(ValueError, "it is one of sum, prod"):
            Plan("mean", x)
        with self.assertRaisesRegex(TypeError, "dot reads 2 arrays, not 1"):
            Plan("dot", x)
        with self.assertRaisesRegex(ValueError, r"x has shape \(4,\), y has \(3,\)"):
            Plan("dot", x, x[1:])
        with self.assertRaisesRegex(upsweep.UnsupportedError, "bit_or is not defined"):
            Plan("bit_or", x)
        with self.assertRaisesRegex(ValueError, "accuracy="):
            Plan("sum", x, accuracy="best")
        with self.assertRaisesRegex(upsweep.UnsupportedError, "part 1 of 1|options.fold"):
            Plan("sum", x, accuracy="reproducible", fold=60)

    def test_results(self):
        x, one = Parts([np.ones(2), np.ones(3)]), np.zeros(1)
        fixed = np.zeros(1)
        fixed.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "1 results for 2 arrays"):
            Plan("sum", x, results=[one])
        for wrong in (np.zeros(2), np.zeros(1, np.float32), [0.0], fixed):
            with self.subTest(wrong=wrong), self.assertRaisesRegex(ValueError, "result 2 of 2 is no writable array"):
                Plan("sum", x, results=[one, wrong])
        with self.assertRaisesRegex(ValueError, "several at once"):
            Plan("argmax", x, results=[None, one])
        self.assertEqual(one, 0)

    def test_copies(self):
        x = np.ones((4, 6))
        self.assertEqual(Plan("sum", np.asfortranarray(x)).run(), 24)  # in the order of memory
        for array in ([1.0, 2.0], x.astype(">f8"), np.asfortranarray(x), x[::2, ::3], Parts([x, x[:, ::4]])):
            with self.subTest(array=array), self.assertRaisesRegex(ValueError, "arrays that are not copied"):
                Plan("argmin", array)
        with self.assertRaisesRegex(ValueError, "arrays that are not copied"):
            Plan("dot", x, [[1.0] * 6] * 4)


if __name__ == "__main__":
    unittest.main()
