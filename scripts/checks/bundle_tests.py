#!/usr/bin/env python3
"""Turns CTest's list of tests into a bundle's: name, labels, environment, command, by tabs.

    bundle_tests.py [--only LABEL_OR_REGEX] TESTS.json SOURCE_FOLDER BUILD_FOLDER

The list has only tests that are programs of the build: they run without the source tree. Left out are scripts, tests that
CTest judges by their output, tests whose environment names a file, tests of the emulated GPU, which give the same everywhere
and are most of the bytes, and programs under ThreadSanitizer. A test over ranks is a program behind mpiexec, which becomes
mpiexec.mpich or mpiexec.openmpi, by the test's label: bundle_run finds the other machine's. Of the source tree a bundle has
the baselines. --only keeps the tests with this label; where no test has it, the tests whose names match. The build folder
must be configured, not built."""

import argparse
import json
import pathlib
import re
import sys

BASELINES = "perf/baselines"
MPI_LIBRARIES = ("mpich", "openmpi")  # labels


def commands(build):
    """Name -> command, from CTest's own files: the listing has no command for a program that is not built yet."""
    found = {}
    for file in pathlib.Path(build).rglob("CTestTestfile.cmake"):
        for name, words in re.findall(r"^add_test\(\[=*\[(.+?)\]=*\] (.*)\)$", file.read_text(), re.MULTILINE):
            found[name] = [re.sub(r"\\(.)", r"\1", word) for word in re.findall(r'"((?:[^"\\]|\\.)*)"', words)]
    return found


def over_ranks(command, labels):
    """The command of a test over ranks without the path of this machine's mpiexec: mpiexec.<library> -n <ranks> <program> ..."""
    library = next((label for label in labels if label in MPI_LIBRARIES), None)
    return [f"mpiexec.{library}", *command[1:]] if library and command[1:2] == ["-n"] else None


def packed(listing, source, build):
    """(name, labels, environment, command) of each test that a bundle can have."""
    command_of = commands(build)
    for test in json.loads(pathlib.Path(listing).read_text())["tests"]:
        properties = {item["name"]: item["value"] for item in test.get("properties", [])}
        labels = properties.get("LABELS", [])
        command = command_of.get(test["name"], [])
        ranked = over_ranks(command, labels)
        program = command[3:4] if ranked else command[:1]
        if not program or not program[0].startswith((build + "/tests/", build + "/perf/")):
            continue
        command = ranked or command
        if "PASS_REGULAR_EXPRESSION" in properties or "simt" in labels:
            continue
        words = [word.removeprefix(build + "/") for word in command]
        words = [BASELINES if word == f"{source}/{BASELINES}" else word for word in words]
        environment = properties.get("ENVIRONMENT", [])
        if any(word.startswith("/") for word in words) or any(source in word or word.startswith("TSAN_") for word in environment):
            continue
        # The launcher sets the loader's path.
        yield test["name"], labels, [word for word in environment if not word.startswith("LD_LIBRARY_PATH=")], words


def selected(tests, only):
    labels = sorted({label for test in tests for label in test[1]})
    if only in labels:
        return [test for test in tests if only in test[1]]
    kept = [test for test in tests if re.search(only, test[0])]
    if not kept:
        sys.exit(f"no test of a bundle has the label '{only}' or a name that matches it; labels: {' '.join(labels)}")
    return kept


def main():
    parser = argparse.ArgumentParser(description="CTest's list of tests as a bundle's")
    parser.add_argument("--only", metavar="LABEL_OR_REGEX")
    parser.add_argument("listing")
    parser.add_argument("source")
    parser.add_argument("build")
    arguments = parser.parse_args()
    tests = list(packed(arguments.listing, arguments.source, arguments.build))
    if arguments.only:
        tests = selected(tests, arguments.only)
    for name, labels, environment, words in tests:
        print(name, ",".join(labels), ",".join(environment) or "-", " ".join(words), sep="\t")


if __name__ == "__main__":
    main()
