#!/usr/bin/env python3
"""The README's examples are programs in tests/api, word for word, and it names every variable of the environment table."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
readme = (root / "README.md").read_text()
problems = []
for name in ("example.c", "example_accuracy.c"):
    if (root / "tests/api" / name).read_text().strip() not in readme:
        problems.append(f"the example differs from tests/api/{name}")
for name in re.findall(r'\{"(USW_[A-Z_]+)"', (root / "lib/machine/environment.c").read_text()):
    if f"`{name}`" not in readme:
        problems.append(f"no row for {name}")
for problem in problems:
    print(f"README.md: {problem}")
sys.exit(bool(problems))
