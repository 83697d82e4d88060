#!/usr/bin/env python3
"""Checks the shape of the source tree: its top level, the length of its files, plain text; and the comments of public
entries: every function of functions.def has one, with its tags in their fixed order."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOP = {
    "CMakeLists.txt", "CMakePresets.json", "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md",
    "LICENSE", "include", "lib", "offload", "tests", "perf", "scripts",
}
LINES = {".c": 500, ".h": 500, ".def": 500, ".py": 500, ".cmake": 500, ".txt": 500}
LISTS = {pathlib.Path("scripts/checks/abi.txt")}  # which abi.py writes: as long as the interface


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
    if path not in LISTS and count > LINES.get(path.suffix, count):
        yield f"{count} lines, at most {LINES[path.suffix]}"
    if not text.endswith("\n"):
        yield "no newline at the end"
    if "\t" in text or "\r" in text:
        yield "a tab or a carriage return"


# ---- comments of public entries: sentence, meaning, params, return, notes, since, see ----

ENTRY = re.compile(r"/\*\*(?P<comment>(?:(?!\*/).)*)\*/\n"
                   r"(?:USW_API [^;(]*?\b(?P<function>usw_\w+)\((?P<parameters>[^;]*)\);"
                   r"|#define (?P<macro>usw_\w+)\((?P<names>[^)]*)\)"
                   r"|static inline [^;(]*?\b(?P<inline>usw_\w+)\((?P<arguments>[^)]*)\) {)", re.DOTALL)
BARE = re.compile(r"^USW_API [^(]*?\b(usw_\w+)\(", re.MULTILINE)
TAGS = ("param", "return", "note", "since", "see")
NOTES = ("determinism", "accuracy", "threads", "cost")
EXACT = ("exact", "the same bits on every place")


def tags_of(comment):
    """(tag, text) of a comment, in the order they stand in."""
    text = re.sub(r"\n \*", "\n", comment)
    return [(tag, body.strip()) for tag, body in re.findall(r"@(\w+)(.*?)(?=@\w|\Z)", text, re.DOTALL) if tag in TAGS]


def parameters_of(entry):
    if entry["macro"]:
        names = entry["names"].split(",")
    else:
        names = re.sub(r"\s+", " ", entry["parameters"] or entry["arguments"] or "").split(",")
    names = [re.sub(r".*[ *]", "", name.strip()) for name in names]
    return [name for name in names if name not in ("void", "")]


def entry_problems(entry):
    """What is wrong with the comment of one public entry."""
    if not re.match(r"[^@]*?\n \*\n", entry["comment"]):
        yield "no blank line after its first sentence"
    tags = tags_of(entry["comment"])
    order = [TAGS.index(tag) for tag, _ in tags]
    if order != sorted(order):
        yield "its tags are not in the order param, return, note, since, see"
    params = {}
    for names, text in re.findall(r"@param(?:\[[a-z,]+\])?\s+(\w+(?:, \w+)*)([^@]*)", entry["comment"]):
        params.update((name, text) for name in names.split(", "))
    if sorted(params) != sorted(parameters_of(entry)):
        yield f"its parameters are {parameters_of(entry)}, its comment has {list(params)}"
    notes = re.findall(r"\b(" + "|".join(NOTES) + r")\b(?=[a-z, ]*:)",
                       " ".join(text for tag, text in tags if tag == "note"), re.IGNORECASE)
    notes = [note.lower() for note in notes]
    if [NOTES.index(note) for note in notes] != sorted(NOTES.index(note) for note in notes):
        yield f"its notes are not in the order {', '.join(NOTES)}"
    present = {tag for tag, _ in tags}
    needed = {"since"} if entry["function"] and " void " in entry[0] else {"since", "return"}
    if entry["macro"] and "n" not in params:
        needed = {"since"}
    yield from (f"no @{tag}" for tag in sorted(needed - present))
    yield from (f"no @note {note.capitalize()}" for note in needed_notes(entry, params, tags) if note not in notes)
    if reduces(params) and not re.search(r"\b0\b", params["n"]):
        yield "@param n does not say what n = 0 gives"


def reduces(params):
    return "n" in params and ("x" in params or "slots" in params)


def needed_notes(entry, params, tags):
    """Reductions say what repeats, how exact they are and what they cost; functions of the library, who may call them."""
    if entry["function"]:
        yield "threads"
    if reduces(params):
        yield "determinism"
        yield "cost"
        if not any(text.startswith(f"Determinism: {word}") for _, text in tags for word in EXACT):
            yield "accuracy"


def public_problems():
    """(header, problem) for every public entry; typed functions are made by a macro and documented by their generic."""
    documented = set()
    for path in [*sorted((ROOT / "include/upsweep").glob("*.h")), ROOT / "offload/include/upsweep/kernel.h"]:
        header, text = path.relative_to(ROOT), path.read_text()
        entries = {entry["function"] or entry["macro"] or entry["inline"]: entry for entry in ENTRY.finditer(text)}
        documented |= set(entries)
        for name, entry in entries.items():
            yield from ((header, f"{name}: {problem}") for problem in entry_problems(entry))
        yield from ((header, f"{name}: no comment") for name in BARE.findall(text) if name not in entries)
    functions = (ROOT / "include/upsweep/functions.def").read_text()
    for name in re.findall(r"^ *ROW\((\w+),", functions, re.MULTILINE):
        if f"usw_{name}" not in documented:
            yield "include/upsweep/upsweep.h", f"usw_{name}: no comment"


def main():
    found = [(path, problem) for path in files() for problem in problems(path)]
    found += public_problems()
    missing = [name for name in sorted(TOP) if not (ROOT / name).exists()]
    for path, problem in found:
        print(f"{path}: {problem}")
    for name in missing:
        print(f"{name}: missing at the top level")
    return 1 if found or missing else 0


if __name__ == "__main__":
    sys.exit(main())
