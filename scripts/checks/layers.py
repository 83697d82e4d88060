#!/usr/bin/env python3
"""Checks who may use whom, file by file: the layers, and that no files form a circle.

    scripts/checks/layers.py [--list]

An arrow goes from a file to each file that it includes, and from a source to each source that defines a function or variable
which it uses. In lib/ and offload/ a header and the source of the same name are one. In lib/ each layer sees only those
below it and its own; the tool and the bindings are users of the public interface. perf/measure includes itself only; the
tool may use it and tests/oracle, and `usw tune` the benchmark driver, which runs it. --list prints every file with its level
and arrows. Exit status: 0, or 1 with the arrows that break a rule."""

import argparse
import collections
import pathlib
import re
import signal
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PUBLIC, ENGINE, RANKS = ROOT / "include", ROOT / "offload/include", ROOT / "lib/mpi/include"
LAYERS = ("base", "machine", "backend", "policy", "exec", "api")  # of lib/, from the lowest to the highest
USERS = ("tool", "python", "fortran", "mpi")  # of lib/: they include public headers and their own

HOMES = [ROOT / name for name in ("lib", "lib/tool", "offload", "perf", "tests")]  # where "folder/file.h" is looked for

# folder: (where <upsweep/...> may come from, which folders "..." may come from); the innermost folder's rule counts
RULES = {
    "include": ([PUBLIC], []),
    "offload": ([PUBLIC, ENGINE], ["offload"]),
    "lib": ([PUBLIC], ["lib"]),
    "lib/mpi": ([PUBLIC, RANKS], ["lib/mpi"]),
    "lib/tool": ([PUBLIC], ["lib/tool", "perf/measure", "tests/oracle"]),
    "lib/tool/tune": ([PUBLIC], ["lib/tool/tune", "perf/measure", "perf/bench"]),
    "perf": ([PUBLIC, ENGINE, RANKS], ["perf"]),
    "perf/apps/ranks": ([PUBLIC, ENGINE, RANKS], ["perf/apps/ranks", "perf/measure"]),
    "perf/bench": ([PUBLIC, ENGINE], ["perf", "lib/tool/tune"]),
    "perf/measure": ([PUBLIC], ["perf/measure"]),
    "tests/oracle": ([PUBLIC], ["tests/oracle"]),
}
ACYCLIC = ("lib", "offload", "perf", "tests/oracle")
PAIRED = ("lib", "offload")  # a header declares what the source of the same name defines

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
TEXT = re.compile(r'"(?:\\.|[^"\\\n])*"')
DEFINITION = re.compile(
    r"^(?!static\b|extern\b|typedef\b|return\b|#)[A-Za-z_][\w \*]*?\b(\w+)\s*"
    r"(?:\([^;{}]*\)\s*\{|(?:\[[^\]]*\])*\s*(?:=|;))", re.MULTILINE)
USE = re.compile(r"(?<!struct )(?<!enum )\b[a-z]\w+")


def sources(folder):
    return [path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".c", ".h", ".def")]


def unit(path):
    """The name of a file, or of a header with its source."""
    name = path.relative_to(ROOT)
    return str(name.with_suffix("") if name.parts[0] in PAIRED else name)


def resolve(path, name):
    """The file of an include in quotes, or None."""
    found = next((folder / name for folder in (path.parent, *HOMES) if (folder / name).exists()), None)
    return found and found.resolve()


def rule_of(path):
    name = str(path.relative_to(ROOT))
    return RULES[max((folder for folder in RULES if name.startswith(folder + "/")), key=len)]


def may_include(path, form, name):
    angled, quoted = rule_of(path)
    if form == "<":
        return not name.startswith("upsweep/") or any((folder / name).exists() for folder in angled)
    found = resolve(path, name)
    return found is not None and any(found.is_relative_to(ROOT / folder) for folder in quoted)


def layer_of(name):
    """The number of a unit's layer; None: it is of no layer."""
    parts = name.split("/")
    return LAYERS.index(parts[1]) if parts[0] == "lib" and parts[1] in LAYERS else None


def uses_of(path, code):
    """Names that may be of functions and variables elsewhere."""
    top, folder = path.relative_to(ROOT).parts[:2]
    if top in PAIRED:
        return [] if folder in USERS else [name for name in USE.findall(code) if name.startswith("usw")]
    own = set(re.findall(r"^static\b[^;{]*?\b(\w+)\s*(?:\(|\[|=|;)", code, re.MULTILINE))
    return [name for name in USE.findall(code) if name not in own] if path.suffix == ".c" else []


def arrows_of(folder):
    """{unit: {unit that it uses: why}}"""
    texts = {path: path.read_text() for path in sources(folder)}
    codes = {path: TEXT.sub('""', COMMENT.sub(" ", text)) for path, text in texts.items()}
    owners = collections.defaultdict(set)
    for path, code in codes.items():
        if path.suffix == ".c":
            for name in DEFINITION.findall(code):
                owners[name].add(unit(path))
    arrows = {unit(path): {} for path in texts}
    for path, text in texts.items():
        mine = arrows[unit(path)]
        for form, name in INCLUDE.findall(text):
            found = resolve(path, name) if form == '"' else None
            if found and found.suffix != ".def":
                mine.setdefault(unit(found), f"includes {name}")
        for name in uses_of(path, codes[path]):
            if len(owners[name]) == 1:
                mine.setdefault(*owners[name], f"uses {name}")
        mine.pop(unit(path), None)
    return arrows


def circles_of(arrows):
    """Sets of units that reach each other (Tarjan)."""
    index, low, stack, circles = {}, {}, [], []

    def visit(name):
        index[name] = low[name] = len(index)
        stack.append(name)
        for other in arrows.get(name, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[name] = min(low[name], low[other])
        if low[name] == index[name]:
            at = stack.index(name)
            circle = stack[at:]
            del stack[at:]
            if len(circle) > 1:
                circles.append(sorted(circle))

    for name in sorted(arrows):
        if name not in index:
            visit(name)
    return circles


def levels_of(arrows):
    """{unit: the length of its longest chain of arrows}, without circles."""
    levels = {}

    def level(name):
        if name not in levels:
            levels[name] = 1 + max((level(other) for other in arrows.get(name, ())), default=-1)
        return levels[name]

    for name in arrows:
        level(name)
    return levels


def broken_includes(files):
    for path in sorted(files):
        for form, name in INCLUDE.findall(path.read_text()):
            if not may_include(path, form, name):
                yield f"{path.relative_to(ROOT)} may not include {name}"


def broken_layers(arrows):
    for name, others in arrows.items():
        for other, why in others.items():
            mine, its = layer_of(name), layer_of(other)
            if mine is not None and its is not None and its > mine:
                yield f"{name} -> {other}: upward, {why}"
            elif name.startswith("lib/") and mine is None and its is not None:
                yield f"{name} -> {other}: the tool and the bindings use public headers only, {why}"
            elif mine is None and name.startswith("lib/") and name.split("/")[1] not in USERS:
                yield f"{name}: lib/ has no layer {name.split('/')[1]}"


def broken_circles(arrows):
    for circle in circles_of(arrows):
        yield f"a circle of {len(circle)} files: " + ", ".join(circle)
        for name in circle:
            for other, why in arrows[name].items():
                if other in circle:
                    yield f"  {name} -> {other}: {why}"


def show(arrows):
    levels = levels_of(arrows)
    for name in sorted(arrows, key=lambda unit: (levels[unit], unit)):
        print(f"{levels[name]:3}  {name}: {' '.join(sorted(arrows[name]))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="print every file's level and arrows")
    arguments = parser.parse_args()
    files, arrows = {path for folder in RULES for path in sources(folder)}, {}
    for folder in ACYCLIC:
        arrows.update(arrows_of(folder))
    count, circles = sum(len(others) for others in arrows.values()), list(broken_circles(arrows))
    failures = [*broken_includes(files), *broken_layers(arrows), *circles]
    if arguments.list and not circles:
        show(arrows)
    for line in failures:
        print(line)
    print(f"{len(files)} files, {count} arrows in {', '.join(ACYCLIC)}, {len(failures)} failures")
    return 1 if failures or not files or not count else 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
