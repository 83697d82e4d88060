"""Docstrings: NumPy's sections, and examples that run."""

import doctest
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import upsweep

SECTIONS = ("Parameters", "Returns", "Notes", "Examples")


def functions():
    return {name: getattr(upsweep, name) for name in upsweep.__all__ if inspect.isfunction(getattr(upsweep, name))}


class Docstrings(unittest.TestCase):
    def test_sections(self):
        for name, function in functions().items():
            if name in ("info", "library_version"):
                continue
            text = inspect.getdoc(function)
            with self.subTest(name=name):
                places = [text.find(f"\n{section}\n{'-' * len(section)}\n") for section in SECTIONS]
                self.assertEqual(places, sorted(places))
                self.assertNotIn(-1, places)
                described = text[places[0]:places[1]]
                for parameter in inspect.signature(function).parameters:
                    self.assertIn(parameter, described)

    def test_classes(self):
        for name in upsweep.__all__:
            found = getattr(upsweep, name)
            members = vars(found).values() if inspect.isclass(found) else ()
            for text in [inspect.getdoc(each) or "" for each in (found, *members)]:
                with self.subTest(name=name, text=text[:40]):
                    self.assertNotRegex(text, r"(?m)^(Args|Raises|Returns|Attributes):")

    def test_types(self):
        for name, function in functions().items():
            hints = function.__annotations__
            with self.subTest(name=name):
                self.assertEqual(set(hints), {*inspect.signature(function).parameters, "return"})

    def test_mypy(self):
        if importlib.util.find_spec("mypy") is None:
            self.skipTest("mypy is not installed")
        with tempfile.TemporaryDirectory() as cache:
            run = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", cache, "-p", "upsweep"], text=True,
                                 capture_output=True, cwd=pathlib.Path(upsweep.__file__).parents[1],
                                 env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"})
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)


def load_tests(loader, tests, pattern):
    """The examples, as tests; unittest calls this."""
    for name in ("", "._by_key", "._compress", "._functions", "._nan", "._partial", "._parts", "._plan", "._scans", "._set",
                 "._statistics"):
        tests.addTests(doctest.DocTestSuite(f"upsweep{name}"))
    return tests


if __name__ == "__main__":
    unittest.main()
