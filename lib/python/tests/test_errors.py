"""Options, what is refused and how, and how the library is found."""

import os
import pathlib
import pickle
import shlex
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import upsweep
from upsweep import _library

X = np.arange(10.0)


class Options(unittest.TestCase):
    def test_words(self):
        want = upsweep.sum(X)
        for options in ({"place": "host"}, {"place": "auto"}, {"strategy": "host"}, {"accuracy": "fast"},
                        {"nan": "ignore"}, {"teams": 3}, {"place": "host", "accuracy": "repeatable"}):
            with self.subTest(options=options):
                self.assertEqual(upsweep.sum(X, **options), want)

    def test_bad_words(self):
        for options, text in (({"place": "gpu"}, "place='gpu'"), ({"nan": "drop"}, "nan='drop'"),
                              ({"strategy": "Tree"}, "strategy='Tree'"), ({"accuracy": ""}, "accuracy=''"),
                              ({"teams": -1}, "teams=-1"), ({"place": "host", "device": 1}, "device=1")):
            with self.subTest(options=options), self.assertRaisesRegex(ValueError, text):
                upsweep.sum(X, **options)

    def test_report(self):
        report = upsweep.Report()
        upsweep.describe(X, report=report)
        self.assertEqual((report.place, report.device, report.strategy, report.target), ("host", -1, "host", "host"))
        self.assertEqual(report.bytes, X.nbytes)
        self.assertGreater(report.time_ns, 0)
        self.assertIn("strategy='host'", repr(report))

        for call in (upsweep.sum, upsweep.mean, upsweep.cumsum):
            with self.assertRaisesRegex(TypeError, "report is an upsweep.Report, not dict"):
                call(X, report={})

    def test_unknown(self):
        for name in ("cumsum", "cummax", "mean", "var", "std", "ptp", "average", "nansum", "nanmax", "nanargmin",
                     "nanargmax"):
            for keywords in ({}, {"nan": "ignore"} if name[:3] != "nan" else {"teams": 1}):
                with self.subTest(name=name, **keywords), self.assertRaisesRegex(TypeError, fr"^{name}\(\) .*'plase'"):
                    getattr(upsweep, name)(X, plase="host", **keywords)
        for name, call in (("compress", lambda: upsweep.compress(X > 1, X, plase=1)),
                           ("reduce_by_key", lambda: upsweep.reduce_by_key(X, X.astype(int), plase=1))):
            with self.assertRaisesRegex(TypeError, fr"^{name}\(\) .*'plase'"):
                call()

    def test_info(self):
        found = upsweep.info()
        self.assertEqual(found.version, upsweep.library_version())
        self.assertEqual(found.version.split(".")[:2], upsweep.__version__.split(".")[:2])
        self.assertIn("USW_", found.environment)
        self.assertEqual(found.first_gpu is None, found.gpu_count == 0)


class Refused(unittest.TestCase):
    def assert_error(self, kind, python_kind, status, text, function, *arguments, **options):
        with self.assertRaisesRegex(kind, text) as caught:
            function(*arguments, **options)
        self.assertIsInstance(caught.exception, python_kind)
        self.assertIsInstance(caught.exception, upsweep.Error)
        self.assertEqual(caught.exception.status, status)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual((type(again), again.status, again.text), (kind, status, caught.exception.text))

    def test_by_the_library(self):
        status = upsweep.Status
        self.assert_error(upsweep.UnsupportedError, NotImplementedError, status.ERROR_UNSUPPORTED, "host has only",
                          upsweep.sum, X, place="host", strategy="tree")
        self.assert_error(upsweep.InvalidError, ValueError, status.ERROR_INVALID, "teams", upsweep.sum, X, teams=70000)
        self.assert_error(upsweep.DeviceError, RuntimeError, status.ERROR_DEVICE, "no device 999", upsweep.sum, X,
                          device=999)

    def test_types(self):
        status = upsweep.Status.ERROR_UNSUPPORTED
        for function, x in ((upsweep.minmax, X > 1), (upsweep.min, X + 0j), (upsweep.bit_or, X), (upsweep.norm2, X > 1),
                            (upsweep.argmin, X + 0j), (upsweep.describe, X + 0j)):
            self.assert_error(upsweep.UnsupportedError, NotImplementedError, status, "is not defined for", function, x)
        self.assert_error(upsweep.UnsupportedError, NotImplementedError, status, "dotc is not defined for float64",
                          upsweep.dotc, X, X)

    def test_the_library_agrees_about_types(self):
        result = np.zeros(64)
        for name, (operation, streams, _, tags, _) in upsweep._tables.FUNCTIONS.items():
            for tag, row in upsweep._tables.TYPES.items():
                call = _library.library.usw_reduce if streams == 1 else _library.library.usw_reduce_pair
                got = call(operation, row[0], *[None] * streams, 0, result.ctypes.data, None)
                want = upsweep.Status.OK if tag in tags else upsweep.Status.ERROR_UNSUPPORTED
                self.assertEqual(got, want, (name, tag))

    def test_pairs(self):
        for y, text in ((X[:5], "shape"), (X.reshape(2, 5), "shape"), (X.astype(np.float32), "dtype")):
            with self.assertRaisesRegex(ValueError, text):
                upsweep.dot(X, y)

    def test_every_status_has_a_class(self):
        for status in upsweep.Status:
            if status != upsweep.Status.OK:
                self.assertIsInstance(upsweep._errors.error(status, "text"), upsweep.Error)


class Loading(unittest.TestCase):
    def message(self, **environment):
        """The last lines of an import that must fail."""
        run = subprocess.run([sys.executable, "-c", "import upsweep"], capture_output=True, text=True,
                             env={**os.environ, **environment})
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("ImportError", run.stderr)
        return run.stderr

    def test_named_library_is_missing(self):
        message = self.message(UPSWEEP_LIBRARY="/nowhere/libupsweep.so")
        self.assertIn("/nowhere/libupsweep.so", message)
        self.assertIn("Set UPSWEEP_LIBRARY", message)
        self.assertNotIn("libupsweep.so.0", message)

    def test_all_places_are_named(self):
        if pathlib.Path(upsweep.__file__).with_name("libupsweep.so").exists():
            self.skipTest("this package holds the library")
        message = self.message(UPSWEEP_LIBRARY="", LD_LIBRARY_PATH="")
        self.assertIn(str(pathlib.Path(upsweep.__file__).with_name("libupsweep.so")), message)
        self.assertIn(_library.SONAME, message)

    def test_another_library(self):
        self.assertIn("has no usw_reduce", self.message(UPSWEEP_LIBRARY="libc.so.6"))

    def test_another_version(self):
        compiler = os.environ.get("UPSWEEP_TEST_CC")
        if not compiler:
            self.skipTest("UPSWEEP_TEST_CC names no compiler")
        with tempfile.TemporaryDirectory() as folder:
            source, library = pathlib.Path(folder, "other.c"), pathlib.Path(folder, "other.so")
            source.write_text("".join(f"int {name}(void) {{ return 120304; }}\n" for name in _library._FUNCTIONS))
            subprocess.run([*shlex.split(compiler), "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
            self.assertIn(f"{library} is version 12.3.4, this package needs {upsweep.__version__}",
                          self.message(UPSWEEP_LIBRARY=str(library)))


if __name__ == "__main__":
    unittest.main()
