"""Structures and codes of the package are those of the headers, by what a C compiler says."""

import ctypes
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

import numpy as np
from upsweep import Status, VersionError, _library, _tables
from upsweep._errors import check
from upsweep._results import layout

RESULTS = {"LOCATED": "located", "EXTREMES": "extremes", "DESCRIBE": "describe"}

OPERATIONS = {"sum": "PLUS", "prod": "MULTIPLIES", "min": "MINIMUM", "max": "MAXIMUM", "all": "LOGICAL_AND",
              "any": "LOGICAL_OR"}


def expected():
    """C expression: the value that the package has for it."""
    values = {}
    for name, struct in (("usw_options_t", _library.OptionsStruct), ("usw_report_t", _library.ReportStruct),
                         ("usw_array_t", _library.ArrayStruct), ("usw_segments_t", _library.SegmentsStruct),
                         ("usw_part_t", _library.PartStruct), ("usw_request_t", _library.RequestStruct)):
        values[f"sizeof({name})"] = ctypes.sizeof(struct)
        for member, _ in struct._fields_:
            values[f"offsetof({name}, {member})"] = getattr(struct, member).offset
            values[f"sizeof((({name} *)0)->{member})"] = getattr(struct, member).size
    for tag, row in _tables.TYPES.items():
        values[f"USW_{'BOOL' if tag == 'b8' else tag.upper()}"] = row[0]
    for _, _, kind, tags, _ in _tables.FUNCTIONS.values():
        for tag in tags:
            result = layout(kind, tag)
            values[f"sizeof(USW_RESULT_{kind}({tag}))"] = result.itemsize
            if kind in RESULTS:
                for member in result.names:
                    values[f"offsetof(usw_{RESULTS[kind]}_{tag}_t, {member})"] = result.fields[member][1]
    values.update((f"USW_{status.name}", status.value) for status in Status)
    for constants, prefix in ((_tables.NANS, "USW_NAN_"), (_tables.ACCURACIES, "USW_")):
        values.update((prefix + word.upper(), value) for word, value in constants.items())
    values.update((f"USW_{word.upper()}{'_PLACE' * (word == 'auto')}", value)
                  for word, value in _tables.PLACES.items())
    values.update(("USW_AUTO_STRATEGY" if word == "auto" else f"USW_STRATEGY_{word.upper()}", value)
                  for word, value in _tables.STRATEGIES.items())
    values.update((f"USW_{OPERATIONS.get(name, name.upper())}", row[0]) for name, row in _tables.FUNCTIONS.items())
    values["USW_VERSION"] = _tables.VERSION[0] * 10000 + _tables.VERSION[1] * 100 + _tables.VERSION[2]
    return values


class Layout(unittest.TestCase):
    def test_against_the_compiler(self):
        compiler, include = os.environ.get("UPSWEEP_TEST_CC"), os.environ.get("UPSWEEP_TEST_INCLUDE")
        if not compiler or not include:
            self.skipTest("UPSWEEP_TEST_CC and UPSWEEP_TEST_INCLUDE name no compiler and headers")
        values = expected()
        lines = [f'  printf("%lld\\n", (long long)({expression}));' for expression in values]
        source = "#include <stdio.h>\n#include <upsweep/upsweep.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n"
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "layout")
            program.with_suffix(".c").write_text(source)
            command = [*shlex.split(compiler), "-std=c17", f"-I{include}", f"{program}.c", "-o", str(program)]
            subprocess.run(command, check=True)
            output = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
        self.assertEqual(dict(zip(values, map(int, output.split()))), values)

    def test_against_the_library(self):
        for name, (operation, _, kind, tags, _) in _tables.FUNCTIONS.items():
            for tag, row in _tables.TYPES.items():
                with self.subTest(name=name, tag=tag):
                    bytes_expected = layout(kind, tag).itemsize if tag in tags else 0
                    self.assertEqual(_library.library.usw_result_bytes(operation, row[0]), bytes_expected)

    def test_size_that_the_library_demands(self):
        x, result = np.ones(3), np.zeros(())
        options = _library.OptionsStruct(size=ctypes.sizeof(_library.OptionsStruct))

        def call():
            return _library.library.usw_reduce(1, 12, x.ctypes.data, 3, result.ctypes.data, options)

        self.assertEqual((call(), result), (Status.OK, 3))
        for wrong in (-8, 8):
            options.size = ctypes.sizeof(options) + wrong
            with self.assertRaises(VersionError):
                check(call())
        report = _library.ReportStruct(size=8)
        options.size, options.report = ctypes.sizeof(options), ctypes.addressof(report)
        self.assertEqual(call(), Status.ERROR_VERSION)


if __name__ == "__main__":
    unittest.main()
