#!/usr/bin/env python3
"""Snippets of README and of the pages: compiled, linked with the library and run on the host, one program for each page, or for
all pages whose blocks are statements; where that fails each of them is a program, and the failure has its name.

usage: snippets.py BUILD_FOLDER CLANG [PAGE...]

A fenced block of c is a whole program if it has main(). Else it is a kernel or another declaration if it has an #include, and
statements if not. The statements of a page run one after the other, each block in braces, over the arrays and scalars of
BEFORE. What stands in a comment before a block changes that:

    <!-- snippet: compile -->    compiled, not run: it needs a GPU
    <!-- snippet: of CUB -->     another library's: left alone
    <!-- snippet: mpi -->        of a program of MPI: these blocks of a page are a program of their own, run as one rank

Blocks of cpp are statements over std::vectors; of fortran, statements over arrays; of python, run in one interpreter a page."""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"(?:<!-- snippet: (?P<how>[^>]*?) -->\n+)?^```(?P<language>c|cpp|fortran|python)\n(?P<text>.*?)^```$",
                   re.MULTILINE | re.DOTALL)
BEFORE = """#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <upsweep/explain.h>
#include <upsweep/info.h>
#include <upsweep/team.h>
#include <upsweep/upsweep.h>
enum { COUNT = 1000, cudaMemcpyHostToDevice = 1 };
typedef void *cudaStream_t;
int cudaMalloc(void **address, size_t bytes);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaStreamBeginCapture(cudaStream_t stream, int mode);
static size_t n = COUNT, teams = 4;
static double x[COUNT], y[COUNT], b[COUNT], ax[COUNT];
static double *on_gpu, *offsets;
static int32_t keys[COUNT];
static usw_status_t status;
"""
START = """  for (size_t i = 0; i < n; i++)
    x[i] = 0.001 * (double)i, y[i] = 1, b[i] = 2, ax[i] = 1, keys[i] = (int32_t)(i % 10);
"""
BEFORE_CXX = """#include <cmath>
#include <cstdio>
#include <upsweep/upsweep.hpp>
#include <vector>
static std::vector<double> v(1000, 1.0), w(1000, 2.0);
"""
BEFORE_FORTRAN = """program snippets
use upsweep
use, intrinsic :: iso_c_binding
use, intrinsic :: iso_fortran_env
implicit none
real(real64), target :: x(1000) = 1, y(1000) = 2, total = 0, bins(10) = 0, sum
integer(int32), target :: keys(1000) = 3
integer, parameter :: ranks = 1, MPI_INTEGER1 = 1, MPI_COMM_WORLD = 1
integer :: r
integer(c_int64_t) :: first = 0
type(usw_options) :: options
"""
AFTER_FORTRAN = """contains
subroutine MPI_Allgather(mine, count, type, all, counts, types, communicator)
  integer(c_int8_t), intent(in) :: mine(:)
  integer(c_int8_t), intent(out) :: all(:, :)
  integer, intent(in) :: count, type, counts, types, communicator
  if (count + type + counts + types + communicator > 0) all(:, 1) = mine
end subroutine
end program
"""
BEFORE_PYTHON = """import numpy, upsweep
x = numpy.linspace(0, 1, 1000)
y = x + 1
keys = numpy.arange(1000, dtype=numpy.int32) % 10
first, last = 0, 1000
class comm:
    allgather = staticmethod(lambda block: [block])
"""


C_FLAGS = ["-std=c17", "-fopenmp", "-O1", "-g0", "-DUSW_NO_HOST_VARIANTS", "-Wno-openmp-target"]
BEFORE_MPI = {
    "cpp": BEFORE_CXX.replace("upsweep.hpp", "mpi.hpp"),
    "fortran": BEFORE_FORTRAN.replace("use upsweep\n", "use mpi_f08\nuse upsweep\nuse upsweep_mpi\n")
                             .replace("integer, parameter :: ranks = 1, MPI_INTEGER1 = 1, MPI_COMM_WORLD = 1\n", "")
}


TOGETHER = "c", "cpp", "fortran"


class Program:
    """The snippets of pages in one language; `start` stands before each page's statements."""

    def __init__(self, start=""):
        self.page, self.start, self.outer, self.inner, self.unused = None, start, [], [], []

    def add(self, page, text, line, how):
        place = f'#line {line} "{page}"\n'
        if page != self.page:
            self.page = page
            self.inner.append(self.start)
        if "#include" in text:
            self.outer.append(place + text)
        elif how == "compile":
            self.unused.append(f"static inline int unused_{len(self.unused)}(void) {{\n{place}{text}  return 0;\n}}\n")
        else:
            self.inner.append(f"  {{\n{place}{text}  }}\n")

    def text(self, before, begin="", end=""):
        statements = f"{begin}{''.join(self.inner)}{end}"
        return before + "".join(self.outer + self.unused) + f"int main(void) {{\n{statements}  return 0;\n}}\n"


def snippets(page):
    text = page.read_text()
    for match in BLOCK.finditer(text):
        yield match["language"], match["text"], text.count("\n", 0, match.start("text")) + 1, match["how"] or ""


def are_statements(blocks):
    return not any("#include" in text or "int main(" in text for _, text, _, _ in blocks)


class Batch:
    def __init__(self, build, clang, folder):
        self.build, self.clang, self.folder = pathlib.Path(build), clang, pathlib.Path(folder)
        self.ran, self.failed, self.interpreter = 0, [], None

    def run(self, page, what, command, **more):
        done = subprocess.run(command, text=True, capture_output=True, cwd=self.folder, **more)
        if done.returncode:
            self.failed.append(f"{page}: {what}: exit status {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-4000:]}")
        return done.returncode == 0

    def compiled(self, page, source, flags, name, libraries=()):
        path, program = self.folder / name, self.folder / "program"
        path.write_text(source)
        library = ["-I", ROOT / "include", "-I", ROOT / "offload/include", "-L", self.build, *libraries, "-lupsweep",
                   f"-Wl,-rpath,{self.build}", "-lm"]
        self.ran += 1
        return self.run(page, "does not compile", [*flags, path, *library, "-o", program]) and \
            self.run(page, "fails", [program])

    def together(self, language, keys, programs):
        """Pages of statements as one program; if it fails they are left in `programs`."""
        known = len(self.failed)
        getattr(self, language)("pages together", [block for key in keys for block in programs[key]])
        if len(self.failed) == known:
            for key in keys:
                del programs[key]
        else:
            print(self.failed.pop())

    def c(self, page, blocks):
        flags = [self.clang, *C_FLAGS]
        program = Program(START)
        for of_page, text, line, how in blocks:
            if "int main(" in text:
                self.compiled(page, text, flags, "whole.c")
            else:
                program.add(of_page, text, line, how)
        if program.page:
            self.compiled(page, program.text(BEFORE), flags, "page.c")

    def cpp(self, page, blocks):
        program = Program()
        for block in blocks:
            program.add(*block)
        self.compiled(page, program.text(BEFORE_CXX), ["g++", "-std=c++17", "-O0"], "page.cpp")

    def fortran(self, page, blocks):
        module = self.build / "fortran"
        folder = next((path.parent for path in self.build.rglob("upsweep.mod")), module)
        library = next(self.build.rglob("libupsweep_fortran.a"), None)
        if not library:
            return
        body = "".join(f"block\n{text}end block\n" for _, text, _, _ in blocks)
        path = self.folder / "page.f90"
        path.write_text(f"{BEFORE_FORTRAN}{body}{AFTER_FORTRAN}")
        self.ran += 1
        if self.run(page, "does not compile", ["gfortran", "-I", folder, path, library, "-L", self.build, "-lupsweep",
                                               f"-Wl,-rpath,{self.build}", "-o", self.folder / "program"]):
            self.run(page, "fails", [self.folder / "program"])

    def mpi_flags(self, wrapper):
        """Of the MPI library that libupsweep_mpi was built for: what its wrapper of a compiler passes on. None without one."""
        package = self.build / "upsweep-mpi.pc"
        if not package.exists() or not (self.build / "libupsweep_mpi.so").exists():
            return None
        kind = re.search(r"^mpi=(\w+)$", package.read_text(), re.MULTILINE)[1]
        found = shutil.which(f"{wrapper}.{kind}") or shutil.which(wrapper)
        if not found:
            return None
        shown = subprocess.run([found, "-show"], text=True, capture_output=True, check=True).stdout.split()
        return [flag for flag in shown[1:] if re.match("-[ILl]", flag)]

    def mpi_c(self, page, blocks):
        flags = self.mpi_flags("mpicc")
        if flags is None:
            return
        program = Program(START)
        for block in blocks:
            program.add(*block)
        source = program.text(BEFORE + "#include <upsweep/mpi.h>\n", "  MPI_Init(NULL, NULL);\n", "  MPI_Finalize();\n")
        self.compiled(page, source, [self.clang, *C_FLAGS, "-I", ROOT / "lib/mpi/include"], "page.c", ["-lupsweep_mpi", *flags])

    def mpi_cpp(self, page, blocks):
        flags = self.mpi_flags("mpicc")
        if flags is None:
            return
        program = Program()
        for block in blocks:
            program.add(*block)
        source = program.text(BEFORE_MPI["cpp"], "  MPI_Init(nullptr, nullptr);\n", "  MPI_Finalize();\n")
        self.compiled(page, source, ["g++", "-std=c++17", "-O0", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", "-I", ROOT / "lib/mpi/include"],
                      "page.cpp", ["-lupsweep_mpi", *flags])

    def mpi_fortran(self, page, blocks):
        flags = self.mpi_flags("mpifort")
        libraries = [self.build / "libupsweep_mpi_fortran.a", self.build / "libupsweep_fortran.a"]
        if flags is None or not all(library.exists() for library in libraries):
            return
        body = "".join(f"block\n{text}end block\n" for _, text, _, _ in blocks)
        source = f"{BEFORE_MPI['fortran']}call MPI_Init()\n{body}call MPI_Finalize()\nend program\n"
        self.compiled(page, source, ["gfortran", "-I", self.build / "fortran", "-I", self.build / "fortran/mpi"], "page.f90",
                      [*libraries, "-lupsweep_mpi", *flags])

    def mpi_python(self, page, blocks):
        python = self.python_with_package()
        code = "from mpi4py import MPI; print(MPI.get_vendor()[0].replace(' ', '').lower())"
        found = python and subprocess.run([python, "-c", code], text=True, capture_output=True, check=False)
        if not found or found.returncode:
            return
        library = self.build / f"libupsweep_mpi_{found.stdout.strip()}.so"  # of a build with two MPI libraries
        self.python(page, blocks, UPSWEEP_MPI_LIBRARY=str(library if library.exists() else self.build / "libupsweep_mpi.so"))

    def python(self, page, blocks, **more):
        python = self.python_with_package()
        if not python:
            return
        self.ran += 1
        environment = {**os.environ, **more, "PYTHONPATH": str(self.folder / "package"),
                       "UPSWEEP_LIBRARY": str(self.build / "libupsweep.so")}
        path = self.folder / "page.py"
        path.write_text(BEFORE_PYTHON + "\n".join(text for _, text, _, _ in blocks))
        self.run(page, "fails", [python, path], env=environment)

    def python_with_package(self):
        """A Python that has NumPy, with the package, whose tables are made from the headers, in a folder; or None."""
        if self.interpreter is None:
            script = f'. "{ROOT}/tests/python/wheel.sh"; usw_find_python >&2 || exit 0; ' \
                     f'usw_build_wheel "{ROOT}/include/upsweep" wheels >&2; usw_install_wheel wheels package >&2; echo "$python"'
            done = subprocess.run(["bash", "-euc", script], cwd=self.folder, capture_output=True, text=True, check=False)
            self.interpreter = done.stdout.strip()
            if done.returncode:
                self.failed.append(f"the Python package cannot be built:\n{done.stderr}")
        return self.interpreter


def main(arguments):
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    pages = [pathlib.Path(name) for name in arguments[2:]] or \
        [ROOT / "README.md", *sorted((ROOT / "scripts/docs/pages").rglob("*.md"))]
    os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}  # Open MPI refuses root unless told
    with tempfile.TemporaryDirectory() as folder:
        batch = Batch(pathlib.Path(arguments[0]).resolve(), arguments[1], folder)
        programs = {}  # {(language, page): blocks}
        for page in pages:
            for language, text, line, how in snippets(page):
                if not how.startswith("of "):
                    of_language = f"mpi_{language}" if how == "mpi" else language
                    programs.setdefault((of_language, page), []).append((page, text, line, how))
        for language in TOGETHER:
            keys = [key for key, blocks in programs.items() if key[0] == language and are_statements(blocks)]
            if len(keys) > 1:
                batch.together(language, keys, programs)
        for (language, page), blocks in programs.items():
            getattr(batch, language)(page, blocks)
    print("\n".join(batch.failed) or f"{batch.ran} programs")
    return bool(batch.failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
