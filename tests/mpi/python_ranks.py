"""upsweep.mpi over the ranks of an MPI program: python.sh starts it. The first argument is the number of ranks."""

import doctest
import pathlib
import re
import sys
import unittest

import numpy as np
from mpi4py import MPI

import upsweep
import upsweep.mpi

RANKS = int(sys.argv[1])
RANK = MPI.COMM_WORLD.Get_rank()
TOTAL = 42


def own_part(x):
    """This rank's part: rank 1 has none where there are more than two."""
    if RANKS > 2:
        return x[:0] if RANK == 1 else np.array_split(x, RANKS - 1)[RANK - (RANK > 1)]
    return np.array_split(x, RANKS)[RANK]


class Device:
    """Host memory that claims to be a GPU's."""

    def __init__(self, array, **changes):
        self.array = array
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, False), "version": 3,
                                         "strides": None, **changes}


class Ranks(unittest.TestCase):
    def test_number(self):
        """Started by another library's mpiexec each rank would be alone."""
        self.assertEqual(MPI.COMM_WORLD.Get_size(), RANKS)

    def test_every_function(self):
        """As the function of one process over all elements: small integers, whose sums are exact."""
        for dtype in ("int16", "float64", "complex64"):
            whole = (np.arange(TOTAL) % 11 - 5).astype(dtype)
            x = own_part(whole)
            for name, (_, streams, _, tags, _) in upsweep._tables.FUNCTIONS.items():
                if {"int16": "i16", "float64": "f64", "complex64": "cf32"}[dtype] not in tags:
                    continue
                with self.subTest(name=name, dtype=dtype):
                    expected = getattr(upsweep, name)(*[whole] * streams)
                    found = upsweep.mpi.allreduce(name, *[x] * streams)
                    self.assertIs(type(found), type(expected))
                    if name in ("norm2", "norm1", "describe"):
                        np.testing.assert_allclose(found, expected, rtol=1e-6)
                    else:
                        self.assertEqual(found, expected)
                        self.assertEqual(getattr(found, "value", None), getattr(expected, "value", None))

    def test_parts(self):
        """Elements of several arrays of a rank are those of one."""
        whole = np.random.default_rng(11).normal(size=997)
        x, y = own_part(whole), own_part(whole[::-1].copy())
        cut = len(x) // 3
        parts, others = upsweep.Parts([x[:cut], x[cut:cut], x[cut:]]), upsweep.Parts([y[:cut], y[:0], y[cut:]])
        for accuracy in ("repeatable", "reproducible"):
            found = upsweep.mpi.allreduce("sum", parts, accuracy=accuracy)
            if accuracy == "reproducible":
                self.assertEqual(found.hex(), upsweep.sum(whole, accuracy=accuracy).hex())
            np.testing.assert_allclose(found, upsweep.sum(whole))
        self.assertEqual(upsweep.mpi.allreduce("argmax", parts), upsweep.argmax(whole))
        self.assertEqual(upsweep.mpi.allreduce("dot", parts, others, accuracy="reproducible").hex(),
                         upsweep.dot(whole, whole[::-1], accuracy="reproducible").hex())
        report = upsweep.Report()
        upsweep.mpi.allreduce("sum", parts, report=report)
        self.assertEqual(report.bytes, 8 * len(x))

    def test_parts_in_other_forms(self):
        whole = np.random.default_rng(12).normal(size=997)
        x = own_part(whole)
        first = sum(len(part) for part in MPI.COMM_WORLD.allgather(x)[:RANK])
        parts = upsweep.Parts([x[:len(x) // 3], x[len(x) // 3:]])
        bits = {"accuracy": "reproducible"}
        self.assertEqual(upsweep.mpi.reduce("sum", parts, root=RANKS - 1, **bits), upsweep.sum(whole, **bits) if RANK == RANKS - 1 else None)
        self.assertEqual(upsweep.mpi.scan("sum", parts, **bits), upsweep.sum(whole[:first + len(x)], **bits))
        self.assertEqual(upsweep.mpi.exscan("sum", parts, **bits), upsweep.sum(whole[:first], **bits))
        self.assertEqual(upsweep.mpi.exscan("argmax", parts), upsweep.argmax(whole[:first]) if first else -1)
        once = upsweep.mpi.iallreduce("argmin", parts)
        again = upsweep.mpi.allreduce_init("dot", parts, parts, **bits)
        self.assertEqual(once.wait(), upsweep.argmin(whole))
        for factor in (1, 2):
            x *= factor
            whole = np.concatenate(MPI.COMM_WORLD.allgather(x))
            again.start()
            self.assertEqual(again.wait(), upsweep.dot(whole, whole, **bits))

    def test_mistakes_of_parts_in_other_forms(self):
        x, is_wrong = np.arange(6.0).reshape(2, 3), RANK == RANKS - 1
        wrong = upsweep.Parts([x, x.astype("float32")]) if is_wrong else upsweep.Parts([x, x[0]])
        for form in (upsweep.mpi.reduce, upsweep.mpi.scan, upsweep.mpi.exscan):
            with self.assertRaisesRegex((upsweep.Error, ValueError), "has dtype" if is_wrong else "rank"):
                form("sum", wrong)
        late = upsweep.mpi.iallreduce("sum", wrong)
        with self.assertRaisesRegex((upsweep.Error, ValueError), "has dtype" if is_wrong else "rank"):
            late.wait()
        copied = upsweep.mpi.allreduce_init("sum", upsweep.Parts([x, [1.0, 2.0]] if is_wrong else [x, x]))
        copied.start()
        with self.assertRaisesRegex(ValueError, "reads its arrays again" if is_wrong else "rank"):
            copied.wait()

    def test_mistakes_of_parts(self):
        """Of one rank: all raise, and none waits."""
        x = np.arange(4.0)
        parts = upsweep.Parts([x, x[:2]])
        is_wrong = RANK == RANKS - 1
        with self.assertRaises((upsweep.Error, ValueError)):
            upsweep.mpi.allreduce("sum", upsweep.Parts([x, x.astype("float32")]) if is_wrong else parts)
        with self.assertRaises((upsweep.Error, ValueError)):
            upsweep.mpi.allreduce("dot", parts, x if is_wrong else parts)
        with self.assertRaises((upsweep.Error, ValueError)):
            upsweep.mpi.allreduce("sum", parts, **({"place": "host"} if is_wrong else {}))
        self.assertEqual(upsweep.mpi.allreduce("sum", parts), 7 * RANKS)

    def test_bits(self):
        whole = np.random.default_rng(7).normal(size=1001)
        expected = upsweep.sum(whole, accuracy="reproducible")
        self.assertEqual(upsweep.mpi.allreduce("sum", own_part(whole), accuracy="reproducible"), expected)

    def test_arrays(self):
        table = np.arange(12.0).reshape(3, 4)
        self.assertEqual(upsweep.mpi.allreduce("sum", table[::2, ::-1]), RANKS * table[::2].sum())
        self.assertEqual(upsweep.mpi.allreduce("sum", [1, 2, 3]), 6 * RANKS)
        self.assertEqual(upsweep.mpi.allreduce("argmax", table[:, ::-1]), 8)
        self.assertEqual(upsweep.mpi.allreduce("sum", table, comm=MPI.COMM_SELF), table.sum())
        report = upsweep.Report()
        upsweep.mpi.allreduce("sum", table, report=report)
        self.assertEqual(report.bytes, table.nbytes)

    def test_root_and_before(self):
        x = np.full(RANK + 1, 2)
        self.assertEqual(upsweep.mpi.reduce("sum", x, root=RANKS - 1), RANKS * (RANKS + 1) if RANK == RANKS - 1 else None)
        self.assertEqual(upsweep.mpi.scan("sum", x), (RANK + 1) * (RANK + 2))
        self.assertEqual(upsweep.mpi.exscan("sum", x), RANK * (RANK + 1))

    def test_locate(self):
        x = own_part(np.arange(TOTAL))
        found = upsweep.mpi.locate(len(x), upsweep.mpi.allreduce("argmax", x))
        self.assertEqual(found.rank, RANKS - 1)
        if RANK == found.rank:
            self.assertEqual(found.index, len(x) - 1)
        self.assertEqual(upsweep.mpi.locate(len(x), -1), (-1, -1))

    def test_device(self):
        found = upsweep.mpi.device()
        self.assertEqual(found is None, upsweep._library.gpu_count() == 0)

    def test_requests(self):
        x = np.arange(4.0)
        first, second = upsweep.mpi.iallreduce("sum", x), upsweep.mpi.iallreduce("dot", x, x)
        self.assertEqual(second.wait(), 14 * RANKS)
        self.assertEqual(first.wait(), 6 * RANKS)
        with self.assertRaises(upsweep.InvalidError):
            first.wait()
        again = upsweep.mpi.allreduce_init("max", x)
        for step in range(3):
            x += 1
            again.start()
            while not again.test():
                pass
            self.assertEqual(again.wait(), 4 + step)
        again.free()
        again.free()
        with self.assertRaises(upsweep.InvalidError):
            again.start()
        del again

    def test_copied_arrays_of_requests(self):
        x = np.arange(4.0)
        request = upsweep.mpi.allreduce_init("sum", [1.0, 2.0] if RANK == RANKS - 1 else x)
        request.start()
        with self.assertRaisesRegex(ValueError, "reads its arrays again" if RANK == RANKS - 1 else "rank"):
            request.wait()

    def test_one_rank_fails(self):
        x, is_wrong = np.arange(4.0), RANK == RANKS - 1
        with self.assertRaisesRegex(ValueError, "has shape" if is_wrong else f"rank {RANKS - 1}"):
            upsweep.mpi.allreduce("dot", x, x[:2] if is_wrong else x)
        with self.assertRaisesRegex(ValueError, "teams=-1" if is_wrong else f"rank {RANKS - 1}"):
            upsweep.mpi.allreduce("sum", x, accuracy="reproducible", teams=-1 if is_wrong else 0)
        late = upsweep.mpi.iallreduce("dot", x, x[:2] if is_wrong else x)
        with self.assertRaisesRegex(ValueError, "has shape" if is_wrong else f"rank {RANKS - 1}"):
            late.wait()

    def test_refused(self):
        x = np.arange(4.0)
        with self.assertRaisesRegex(ValueError, "'nothing' is no function"):
            upsweep.mpi.allreduce("nothing", x)
        with self.assertRaisesRegex(TypeError, "dot reads 2 arrays"):
            upsweep.mpi.allreduce("dot", x)
        with self.assertRaises(upsweep.UnsupportedError):
            upsweep.mpi.allreduce("sum", x, accuracy="exact")
        with self.assertRaises(upsweep.InvalidError):
            upsweep.mpi.allreduce("sum", x, comm=MPI.COMM_NULL)
        with self.assertRaises(upsweep.InvalidError):
            upsweep.mpi.reduce("sum", x, root=RANKS)

    def test_device_memory(self):
        if upsweep._library.gpu_count() > 0:
            self.skipTest("host memory that claims to be a GPU's does not work where there is one")
        x, is_wrong = np.arange(4.0), RANK == RANKS - 1
        with self.assertRaises(upsweep.PlaceError if is_wrong else upsweep.InvalidError):
            upsweep.mpi.allreduce("sum", Device(x) if is_wrong else x)
        with self.assertRaises(TypeError if is_wrong else upsweep.InvalidError):
            upsweep.mpi.allreduce("dot", x, np.ma.array(x) if is_wrong else x)

    def test_examples(self):
        self.assertEqual(doctest.testmod(upsweep.mpi).failed, 0)
        readme = pathlib.Path(__file__).resolve().parents[2] / "lib/python/README.md"
        found = {}
        exec(re.search(r"^```python\n(import numpy, upsweep.mpi\n.*?)^```", readme.read_text(), re.MULTILINE | re.DOTALL)[1], found)
        self.assertEqual(found["total"], 3 * RANKS + 3 * sum(range(RANKS)))
        self.assertEqual((found["rank"], found["local"]), (RANKS - 1, 2))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
