#!/usr/bin/env python3
"""What programs that are linked with the library rely on: its exported functions, and the layouts and values of its headers.

    scripts/checks/abi.py LIBRARY CLANG [--write]

Compares with scripts/checks/abi.txt, which begins with the version that it describes. Exit status 1 where something differs.
--write writes that file anew; where a line of it changes or goes away, which old programs would not survive, only if
USW_VERSION has been raised too, or, of what descriptors are made of, USW_DESCRIPTOR_ABI."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = pathlib.Path(__file__).with_name("abi.txt")
HEADERS = ROOT / "include/upsweep"


def headers():
    return sorted(path for path in HEADERS.glob("*.h") if "USW_API" in path.read_text() or "typedef" in path.read_text())


def functions(library):
    listing = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return sorted(f"function {line.split()[-1].split('@')[0]}" for line in listing.splitlines() if " usw_" in line)


def includes():
    return "".join(f"#include <upsweep/{path.name}>\n" for path in headers())


def compiled(clang, source, *flags):
    """What the compiler prints of a source."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "abi.c"
        path.write_text(source)
        command = [clang, "-std=c17", f"-I{ROOT / 'include'}", *flags, str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def structures_and_values(clang):
    """Names of structures, and of enumerators, as the headers have them behind the preprocessor."""
    text = compiled(clang, includes(), "-E", "-P")
    structures = set(re.findall(r"\btypedef struct(?: \w+)? \{[^{}]*\} (usw_\w+);", text))
    values = set()
    for body in re.findall(r"\benum(?: \w+)? \{(.*?)\}", text, re.S):
        values |= {name for part in body.split(",") for name in re.findall(r"^\s*(USW_\w+)", part)}
    return sorted(structures), sorted(values)


def layouts(clang, structures):
    """One line for each: its members with their offsets, and its size."""
    sizes = "".join(f"char size_of_{name}[sizeof({name})];\n" for name in structures)
    dump = compiled(clang, includes() + sizes, "-fsyntax-only", "-Xclang", "-fdump-record-layouts")
    found = {}
    for record in dump.split("*** Dumping AST Record Layout\n")[1:]:
        lines = record.splitlines()
        name = lines[0].split("|")[1].split()[-1].removesuffix("_t") + "_t"
        members = [re.match(r"\s*(\d+) \|   (\S.*) (\w+)$", line) for line in lines[1:]]
        size = re.search(r"sizeof=(\d+)", record)
        text = "; ".join(f"{m[1]} {m[2]} {m[3]}" for m in members if m)
        found[name] = f"structure {name}, {size[1]} bytes: {text}"
    return [found[name] for name in structures]


def numbers(clang, values):
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "values.c", pathlib.Path(folder) / "values"
        prints = "".join(f'  printf("value {name} %lld\\n", (long long){name});\n' for name in values)
        source.write_text(f"#include <stdio.h>\n{includes()}int main(void) {{\n{prints}}}\n")
        subprocess.run([clang, "-std=c17", f"-I{ROOT / 'include'}", str(source), "-o", str(program)], check=True)
        return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.splitlines()


def version():
    text = (HEADERS / "version.h").read_text()
    numbers_of = [re.search(rf"USW_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR", "PATCH")]
    abi = re.search(r"USW_DESCRIPTOR_ABI (\d+)", (HEADERS / "descriptor.h").read_text())[1]
    return f"version {'.'.join(numbers_of)}, descriptors {abi}"


def described(library, clang):
    structures, values = structures_and_values(clang)
    return [version(), *functions(library), *layouts(clang, structures), *numbers(clang, values)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library")
    parser.add_argument("clang")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    now = described(arguments.library, arguments.clang)
    before = LIST.read_text().splitlines() if LIST.exists() else []
    gone = [line for line in before[1:] if line not in set(now)]
    new = [line for line in now[1:] if line not in set(before)]
    if not arguments.write:
        for line in gone:
            print(f"gone or changed: {line}")
        for line in new:
            print(f"new or changed: {line}")
        if before[:1] != now[:1]:
            print(f"{LIST.name} describes {before[:1]}, this is {now[0]}")
        if gone or new or before[:1] != now[:1]:
            print("raise the version if old programs do not survive it, then scripts/checks/abi.py ... --write")
            return 1
        return 0
    if gone and before[:1] == now[:1]:
        print("\n".join(["raise USW_VERSION or USW_DESCRIPTOR_ABI first: old programs rely on", *gone]))
        return 1
    LIST.write_text("\n".join(now) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
