#!/usr/bin/env python3
"""Checks the shape of the source tree: its top level, the length of its files, plain text."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOP = {
    "CMakeLists.txt", "CMakePresets.json", "README.md", "CHANGELOG.md", "CONTRIBUTING.md",
    "LICENSE", "include", "lib", "offload", "tests", "perf", "scripts",
}
LINES = {".c": 500, ".h": 500, ".def": 500, ".py": 500, ".cmake": 500, ".txt": 500}


def files():
    """What git has or would take: nothing that is ignored."""
    listing = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT,
                             capture_output=True)
    if listing.returncode:
        return [path.relative_to(ROOT) for top in TOP for path in [ROOT / top, *(ROOT / top).rglob("*")]
                if path.is_file()]
    return [path for path in map(pathlib.Path, listing.stdout.decode().split("\0"))
            if path.name and (ROOT / path).is_file()]


def problems(path):
    top = path.parts[0]
    if top not in TOP and not top.startswith("."):
        yield f"{top} does not belong to the top level"
    if path.suffix not in LINES and path.suffix != ".md":
        return
    text = (ROOT / path).read_text()
    count = text.count("\n")
    if count > LINES.get(path.suffix, count):
        yield f"{count} lines, at most {LINES[path.suffix]}"
    if not text.endswith("\n"):
        yield "no newline at the end"
    if "\t" in text or "\r" in text:
        yield "a tab or a carriage return"


def main():
    found = [(path, problem) for path in files() for problem in problems(path)]
    missing = [name for name in sorted(TOP) if not (ROOT / name).exists()]
    for path, problem in found:
        print(f"{path}: {problem}")
    for name in missing:
        print(f"{name}: missing at the top level")
    return 1 if found or missing else 0


if __name__ == "__main__":
    sys.exit(main())
