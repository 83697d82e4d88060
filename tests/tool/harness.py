"""What the tests of the tool share: files in the formats it reads, and runs of the program."""

import ast
import importlib.util
import json
import pathlib
import struct
import subprocess
import tempfile

# tag: (struct's letter, NumPy's kind and bytes)
TYPES = {"i8": ("b", "i1"), "i16": ("h", "i2"), "i32": ("i", "i4"), "i64": ("q", "i8"),
         "u8": ("B", "u1"), "u16": ("H", "u2"), "u32": ("I", "u4"), "u64": ("Q", "u8"),
         "f16": ("e", "f2"), "f32": ("f", "f4"), "f64": ("d", "f8"), "b8": ("?", "b1"),
         "cf32": ("f", "c8"), "cf64": ("d", "c16")}


def pack(tag, values, order="<"):
    """Numbers as a file holds them; complex ones as pairs."""
    if tag == "bf16":
        return b"".join(struct.pack(order + "H", struct.unpack("<I", struct.pack("<f", v))[0] >> 16)
                        for v in values)
    if tag.startswith("c"):
        values = [part for v in values for part in (v.real, v.imag)]
    return struct.pack(f"{order}{len(values)}{TYPES[tag][0]}", *values)


def npy(tag, values, shape=None, order="<", fortran=False, version=1, descr=None):
    """The bytes of a .npy file; values in the order of the file."""
    descr = descr or repr(("|" if TYPES[tag][1][1:] == "1" else order) + TYPES[tag][1])
    shape = (len(values),) if shape is None else shape
    text = f"{{'descr': {descr}, 'fortran_order': {fortran}, 'shape': {tuple(shape)!r}, }}"
    length = struct.Struct("<H" if version == 1 else "<I")
    room = -(8 + length.size + len(text) + 1) % 64
    header = (text + " " * room + "\n").encode()
    return b"\x93NUMPY" + bytes([version, 0]) + length.pack(len(header)) + header + pack(tag, values, order)


def read_npy(path):
    """(descr, shape, values) of a .npy file; of complex numbers the parts."""
    data = path.read_bytes()
    size = 10 + int.from_bytes(data[8:10], "little")
    header = ast.literal_eval(data[10:size].decode())
    letter = {kind: letter for letter, kind in TYPES.values()}[header["descr"][1:]]
    return header["descr"], header["shape"], [v for v, in struct.iter_unpack(f"<{letter}", data[size:])]


REPORT_PACKAGES = ("jinja2", "matplotlib")


def lacks_report_packages():
    """The reason why `usw report` cannot run here, or ""."""
    missing = [name for name in REPORT_PACKAGES if not importlib.util.find_spec(name)]
    return f"no Python package {' and '.join(missing)} for usw report" if missing else ""


class Bench:
    """A folder, the program, and a count of checks."""

    def __init__(self, program):
        self.program = program
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.checks = self.failures = 0

    def write(self, name, data):
        path = self.root / name
        path.write_bytes(data)
        return str(path)

    def run(self, *arguments, stdin=None, command="reduce", environment=None, timeout=None):
        return subprocess.run([self.program, command, *map(str, arguments)], input=stdin, capture_output=True,
                              cwd=self.root, env=environment, timeout=timeout)

    def results(self, *arguments, **more):
        """The results of a run that has to succeed, from its JSON."""
        run = self.run("--format=json", *arguments, **more)
        if not self.check(run.returncode == 0 and not run.stderr, f"{arguments}: {run.stderr.decode()}"):
            return {}
        return json.loads(run.stdout)["results"]

    def check(self, passed, text):
        self.checks += 1
        if not passed:
            self.failures += 1
            print(f"failed: {text}")
        return passed

    def equal(self, expected, got, text):
        return self.check(expected == got, f"{text}: expected {expected}, got {got}")

    def fails(self, *arguments, says, stdin=None, code=2, command="reduce", environment=None):
        """The run ends with that code and one line that has every word of `says`."""
        run = self.run(*arguments, stdin=stdin, command=command, environment=environment)
        lines = run.stderr.decode().splitlines()
        words = (says,) if isinstance(says, str) else says
        passed = run.returncode == code and not run.stdout and len(lines) == 1 and all(w in lines[0] for w in words)
        self.check(passed, f"{arguments}: expected one line with {words} and exit code {code}, got "
                           f"{run.returncode}, {run.stdout.decode()!r}, {run.stderr.decode()!r}")

    def report(self):
        print(f"{self.checks} checks, {self.failures} failed")
        return 1 if self.failures or not self.checks else 0
