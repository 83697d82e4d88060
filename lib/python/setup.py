"""Builds the wheel: tables from the library's headers, the extension for short calls, and the library itself if
UPSWEEP_BUNDLE names it. Without a C compiler or Python's headers there is no extension: ctypes does what it would.

UPSWEEP_INCLUDE is the folder of the headers (<prefix>/include/upsweep); without it they are the repository's own.
"""

import os
import pathlib
import shutil
import sys

from setuptools import Distribution, Extension, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # before setuptools 70.1
    from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import generate  # noqa: E402

INCLUDE = pathlib.Path(os.environ.get("UPSWEEP_INCLUDE") or HERE.parents[1] / "include" / "upsweep")
BUNDLE = os.environ.get("UPSWEEP_BUNDLE")
OLDEST = "cp39"  # Py_LIMITED_API of short_arrays.h


class BuildPackage(build_py):
    """The package with its generated modules."""

    def run(self):
        package = pathlib.Path(self.build_lib) / "upsweep"
        shutil.rmtree(package, ignore_errors=True)  # a library that an earlier build bundled
        super().run()
        generate.write_modules(INCLUDE, package)
        if BUNDLE:
            shutil.copyfile(BUNDLE, package / "libupsweep.so")


class PlatformDistribution(Distribution):
    """A wheel that holds the library or the extension is for one platform."""

    def has_ext_modules(self):
        return True


class AnyPythonWheel(bdist_wheel):
    """No version of Python is special: the library is loaded by ctypes, the extension has the stable ABI."""

    def get_tag(self):
        built = pathlib.Path(self.get_finalized_command("build_py").build_lib, "upsweep")
        if list(built.glob("_short*.so")):
            return OLDEST, "abi3", super().get_tag()[2]
        return "py3", "none", super().get_tag()[2] if BUNDLE else "any"


if not (INCLUDE / "types.def").is_file():
    sys.exit(f"setup.py: no types.def in {INCLUDE}: set UPSWEEP_INCLUDE to <prefix>/include/upsweep of Upsweep")
if BUNDLE and not pathlib.Path(BUNDLE).is_file():
    sys.exit(f"setup.py: UPSWEEP_BUNDLE={BUNDLE} is not a file")

setup(
    version=".".join(map(str, generate.version(INCLUDE))),
    distclass=PlatformDistribution,
    ext_modules=[Extension("upsweep._short", ["src/upsweep/short.c", "src/upsweep/short_arrays.c"],
                           depends=["src/upsweep/short_arrays.h"], include_dirs=[str(INCLUDE.parent)],
                           py_limited_api=True, optional=True)],
    cmdclass={"build_py": BuildPackage, "bdist_wheel": AnyPythonWheel},
)
