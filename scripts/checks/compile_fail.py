#!/usr/bin/env python3
"""Compiles files that must not compile, and looks for the message that the user should get.

Each file starts with /* expect: <regex> */; if /* only: COMPILER FLAGS... */ follows, that compiler alone is to say so, with these flags,
when it has made code. usage: compile_fail.py FOLDER C_COMPILER..."""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPECT = re.compile(r"/\* expect: (.+?) \*/(?:\n/\* only: (\w+) (.+?) \*/)?")


def problem(path, compiler):
    expect = EXPECT.match(path.read_text())
    if not expect:
        return "does not start with /* expect: <regex> */"
    if expect.group(2) not in (None, pathlib.Path(compiler).name):
        return None
    flags = ["-c", "-o", "/dev/null", *expect.group(3).split()] if expect.group(2) else ["-fsyntax-only"]
    run = subprocess.run(
        [compiler, "-std=c17", *flags, "-fopenmp", "-I", ROOT / "include",
         "-I", ROOT / "offload/include", path], text=True, capture_output=True)
    if run.returncode == 0:
        return "compiles"
    if not re.search(expect.group(1), run.stderr):
        return f"fails without saying '{expect.group(1)}':\n{run.stderr}"
    return None


def main(folder, *compilers):
    files = sorted(pathlib.Path(folder).glob("*.c"))
    found = [name for name in compilers if shutil.which(name)]
    failures = 0
    for path in files:
        for compiler in found:
            text = problem(path, compiler)
            if text:
                failures += 1
                print(f"{path.name} with {pathlib.Path(compiler).name}: {text}")
    print(f"{len(files)} files, {len(found)} compilers, {failures} failures")
    return 1 if failures or not files or not found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
