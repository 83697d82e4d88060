#!/usr/bin/env python3
"""Checks who includes whom.

include/ knows only itself; offload/ knows itself and include/; lib/ knows itself and include/,
nothing of offload/; perf/ uses public headers like any user."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
PUBLIC, ENGINE = ROOT / "include", ROOT / "offload/include"
# folder: (where <upsweep/...> may come from, where "..." may come from)
RULES = {
    "include": ([PUBLIC], []),
    "offload": ([PUBLIC, ENGINE], [ROOT / "offload"]),
    "lib": ([PUBLIC], [ROOT / "lib"]),
    "perf": ([PUBLIC, ENGINE], [ROOT / "perf"]),
}


def allowed(path, form, name, angled, quoted):
    if form == "<":
        if not name.startswith("upsweep/"):
            return True
        return any((folder / name).exists() for folder in angled)
    candidates = [path.parent / name] + [folder / name for folder in quoted]
    return any(
        candidate.exists() and any(candidate.resolve().is_relative_to(home) for home in quoted)
        for candidate in candidates)


def main():
    failures, files = 0, 0
    for folder, (angled, quoted) in RULES.items():
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".c", ".h", ".def"):
                continue
            files += 1
            for form, name in INCLUDE.findall(path.read_text()):
                if not allowed(path, form, name, angled, quoted):
                    failures += 1
                    print(f"{path.relative_to(ROOT)} may not include {name}")
    print(f"{files} files, {failures} failures")
    return 1 if failures or not files else 0


if __name__ == "__main__":
    sys.exit(main())
