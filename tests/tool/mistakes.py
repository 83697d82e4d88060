#!/usr/bin/env python3
"""The ten commonest mistakes: each is made, and answered by the line that the page of common mistakes shows. Lines that need a GPU,
another driver or a build are looked for in the sources.

usage: mistakes.py USW C_COMPILER..."""

import pathlib
import re
import shutil
import subprocess
import sys

from harness import Bench, npy

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "scripts/docs/pages/howto/mistakes.md"
# What makes the mistake of each row, in the order of the page: a file that does not compile, a source, or arguments of usw.
TABLE = [
    ("compile", "unknown_type_of_reducer.c"),
    ("compile", "not_closed.c"),
    ("compile", "not_closed_before_another.c"),
    ("compile", "bits_of_reducer.c"),
    ("compile", "generic_without_type.c"),
    ("run", ["explain", "--op=argmin", "--type=cf64", "-n", "1"]),
    ("source", "lib/policy/place.c"),
    ("source", "lib/policy/place.c"),
    ("source", "lib/backend/cuda.c"),
    ("run", ["reduce", "--op=median", "f.npy"]),
    ("run", ["reduce", "f.raw"]),
    ("source", "scripts/cmake/UpsweepMpi.cmake"),
]


def lines_of_page():
    """The second cell of each row, which is code."""
    return re.findall(r"^\|(?! mistake )[^|]+\| `([^`]+)` \|", PAGE.read_text(), re.M)


def has_line(text, line):
    """Whether the parts of the line between dots stand in one line of the text, in that order."""
    text = text.replace("\\'", "'").replace("\u2018", "'").replace("\u2019", "'")
    parts = [re.escape(part) for part in re.split(r" *\.\.\. *", line) if part]
    return re.search(".*".join(parts), text) is not None


def source(path):
    """A source whose strings are in one line, with dots for what is filled in."""
    return re.sub(r'"\s*"', "", (ROOT / path).read_text())


def compiled(compiler, what, *options):
    """What the compiler says of a file that does not compile."""
    return subprocess.run([compiler, "-std=c17", "-fsyntax-only", *options, "-I", ROOT / "include", "-I", ROOT / "offload/include",
                           ROOT / "tests/compile_fail" / what], capture_output=True, text=True, check=False).stderr


def made(bench, kind, what, compilers):
    """The texts that answer the mistake."""
    if kind == "source":
        return [source(what)]
    if kind == "run":
        run = subprocess.run([bench.program, *what], cwd=bench.root, capture_output=True, text=True, check=False)
        bench.check(run.returncode == 2 and run.stderr.count("\n") == 1, f"{what}: not one line: {run.stderr}")
        return [run.stderr]
    texts = []
    for compiler in compilers:
        texts.append(compiled(compiler, what))
        first = next(line for line in texts[-1].splitlines() if "error:" in line)
        short = compiled(compiler, what, "-Wfatal-errors")
        bench.check(short.count("error: ") == 1 and len(short.splitlines()) <= 60 and first.split("error:")[1] in short,
                    f"{what}: more than the first error with -Wfatal-errors: {short}")
        texts[-1] = first if what != "not_closed_before_another.c" else texts[-1]
    return texts


def main(program, *compilers):
    bench = Bench(program)
    bench.write("f.npy", npy("f32", [1]))
    bench.write("f.raw", b"1234")
    lines = lines_of_page()
    if not bench.equal(len(TABLE), len(lines), "rows of the page"):
        return bench.report()
    for (kind, what), line in zip(TABLE, lines):
        for text in made(bench, kind, what, [compiler for compiler in compilers if shutil.which(compiler)]):
            bench.check(has_line(text, line), f"{what}: no line '{line}' in:\n{text[:2000]}")
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
