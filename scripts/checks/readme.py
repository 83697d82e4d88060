#!/usr/bin/env python3
"""The README's example is tests/api/example.c, word for word, and it names every variable of the environment table."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
readme = (root / "README.md").read_text()
problems = []
if (root / "tests/api/example.c").read_text().strip() not in readme:
    problems.append("the example differs from tests/api/example.c")
for name in re.findall(r'\{"(USW_[A-Z_]+)"', (root / "lib/environment.c").read_text()):
    if f"`{name}`" not in readme:
        problems.append(f"no row for {name}")
for problem in problems:
    print(f"README.md: {problem}")
sys.exit(bool(problems))
