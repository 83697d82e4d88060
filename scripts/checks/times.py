#!/usr/bin/env python3
"""Prints where the time of scripts/test goes, preset by preset: the stages, the compilation by group of targets, the tests.

    scripts/checks/times.py [--slowest N] [--json FILE] [BUILD_FOLDER ...]      default: every preset in build/

It reads what a run leaves behind: stages.txt (written by scripts/test), .ninja_log and CTest's report. Build steps run side
by side, so that their durations are scaled: those of a preset add up to its share of processor time."""

import argparse
import collections
import json
import os
import pathlib
import re
import signal
import sys
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
CORES = os.cpu_count() or 1


def group_of(output, user_kernels):
    """The group that a build step belongs to, by what it writes."""
    match = re.search(r"CMakeFiles/([^/]+)\.dir/.*\.o$", output)
    if not match:
        return "links and generated files"
    target = match.group(1)
    if target.startswith("upsweep_kernels"):
        return "library kernels"
    if target.startswith("upsweep_simt_kernels"):
        return "emulated library: kernels"
    if target == "upsweep_simt_code":
        return "emulated library: host code"
    if target == "upsweep":
        return "library: host code"
    if output.startswith("lib/"):
        return "tool"
    if output.startswith("perf/"):
        return "benchmarks and applications"
    if target.endswith("_simt"):
        return "tests on the emulated GPU"
    return "tests with device images" if output in user_kernels else "tests"


def objects_with_images(folder):
    """Objects that are compiled for more than the host."""
    commands = folder / "compile_commands.json"
    if not commands.exists():
        return set()
    return {re.search(r" -o (\S+)", entry["command"]).group(1) for entry in json.loads(commands.read_text())
            if "-fopenmp-targets" in entry["command"]}


def build_steps(folder):
    """(group, seconds, output) of the steps that made what lies in the folder now."""
    last, with_images = {}, objects_with_images(folder)
    log = folder / ".ninja_log"
    for line in log.read_text().splitlines() if log.exists() else ():
        words = line.split("\t")
        if len(words) == 5:
            begin, end, _, output, key = words
            last[output] = (int(begin), int(end), key)
    steps = {step: output for output, step in last.items()}  # a step may have several outputs
    return [(group_of(output, with_images), (end - begin) / 1000, output) for (begin, end, _), output in steps.items()]


def stages(folder):
    """Seconds of configure, build and test."""
    path = folder.parent / f"{folder.name}.stages"
    return {name: float(value) for name, value in (line.split() for line in path.read_text().splitlines())} \
        if path.exists() else {}


def tests(folder):
    """(name, seconds) of the tests that ran."""
    path = folder.parent / f"{folder.name}.xml"
    if not path.exists():
        return []
    return [(case.get("name"), float(case.get("time"))) for case in tree.parse(path).getroot().iter("testcase")]


def by_group(items):
    """{group: (count, seconds)} of (group, seconds) pairs."""
    sums = collections.defaultdict(lambda: [0, 0.0])
    for group, seconds in items:
        sums[group][0] += 1
        sums[group][1] += seconds
    return {group: (count, round(seconds, 1)) for group, (count, seconds) in
            sorted(sums.items(), key=lambda item: -item[1][1])}


def measure(folder):
    steps, wall = build_steps(folder), stages(folder)
    total = sum(seconds for _, seconds, _ in steps)
    scale = min(1.0, CORES * wall["build"] / total) if total and "build" in wall else 1.0
    ran = tests(folder)
    return {
        "preset": folder.name,
        "stages": wall,
        "steps": by_group((group, seconds * scale) for group, seconds, _ in steps),
        "slowest steps": sorted(((round(seconds * scale, 1), output) for _, seconds, output in steps), reverse=True),
        "areas": by_group((name.split(".")[0], seconds) for name, seconds in ran),
        "slowest tests": sorted(((round(seconds, 1), name) for name, seconds in ran), reverse=True),
    }


def show(preset, slowest):
    print(f"\npreset {preset['preset']}: " +
          ", ".join(f"{name} {seconds:.0f} s" for name, seconds in preset["stages"].items()))
    for title, kind in (("processor seconds of the build", "steps"), ("seconds of tests", "areas")):
        groups = preset[kind]
        count, seconds = (sum(row[k] for row in groups.values()) for k in (0, 1))
        print(f"  {title}: {seconds:.0f} ({count})")
        for group, (count, seconds) in groups.items():
            print(f"    {seconds:8.1f}  {group} ({count})")
    for kind in ("slowest steps", "slowest tests"):
        print(f"  {kind}")
        for seconds, name in preset[kind][:slowest]:
            print(f"    {seconds:8.1f}  {name}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--slowest", type=int, default=10, help="how many of the slowest steps and tests to name")
    parser.add_argument("--json", type=pathlib.Path, help="write all of it to this file, too")
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    folders = arguments.folders or sorted(path.parent for path in (ROOT / "build").glob("*/.ninja_log"))
    presets = [measure(folder.resolve()) for folder in folders]
    for preset in presets:
        show(preset, arguments.slowest)
    if arguments.json:
        arguments.json.write_text(json.dumps(presets, indent=1) + "\n")
    return 0 if presets else 1


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
