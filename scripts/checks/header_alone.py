#!/usr/bin/env python3
"""Compiles each public header alone: every compiler, C11, C17 and C++17, warnings as errors. In the quick tier each header
one way, in turns.

usage: header_alone.py C_COMPILER..."""

import itertools
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
STANDARDS = (("c", "c11"), ("c", "c17"), ("c++", "c++17"))
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]


def compile_alone(compiler, language, standard, header):
    # Twice, so that a missing include guard shows as well.
    source = f"#include <{header}>\n#include <{header}>\nint main(void);\n"
    command = [compiler, "-x", language, f"-std={standard}", *WARNINGS, "-fsyntax-only", "-fopenmp"]
    folders = ["-I", ROOT / "include", "-I", ROOT / "offload/include"]
    run = subprocess.run([*command, *folders, "-"], input=source, text=True, capture_output=True)
    return run.stderr if run.returncode else ""


def main(compilers):
    is_quick = os.environ.get("USW_TEST_TIER") == "quick"
    found = [name for name in compilers if shutil.which(name)]
    headers = sorted(path.relative_to(ROOT / "include")
                     for path in (ROOT / "include").rglob("*.h"))
    headers.append("upsweep/team.h")
    failures = 0
    ways = list(itertools.product(found, STANDARDS))
    runs = [(header, *way) for k, header in enumerate(headers) for way in ([ways[k % len(ways)]] if is_quick else ways)]
    for header, compiler, (language, standard) in runs:
        errors = compile_alone(compiler, language, standard, header)
        if errors:
            failures += 1
            print(f"{header}: {pathlib.Path(compiler).name} -std={standard}\n{errors}")
    print(f"{len(headers)} headers, {len(found)} compilers, {failures} failures")
    return 1 if failures or not headers or not found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
