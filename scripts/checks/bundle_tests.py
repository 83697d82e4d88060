#!/usr/bin/env python3
"""Turns CTest's list of tests into a bundle's: name, labels, environment, command, by tabs.

Only tests that are programs of the build run without the source tree; scripts are left out, and tests that CTest judges
by what they print. So are the emulated GPU's, which are the same everywhere and most of the bytes. Of the source tree a bundle
has the baselines.
usage: bundle_tests.py TESTS.json SOURCE_FOLDER BUILD_FOLDER"""

import json
import pathlib
import sys

BASELINES = "perf/baselines"


def main(listing, source, build):
    for test in json.loads(pathlib.Path(listing).read_text())["tests"]:
        command = test.get("command", [])
        if not command or not command[0].startswith((build + "/tests/", build + "/perf/")):
            continue
        properties = {item["name"]: item["value"] for item in test.get("properties", [])}
        if "PASS_REGULAR_EXPRESSION" in properties or "simt" in properties.get("LABELS", []):
            continue
        words = [word.removeprefix(build + "/") for word in command]
        words = [BASELINES if word == f"{source}/{BASELINES}" else word for word in words]
        if any(word.startswith("/") for word in words):
            continue
        # The launcher sets the loader's path.
        environment = [word for word in properties.get("ENVIRONMENT", [])
                       if not word.startswith("LD_LIBRARY_PATH=")]
        print(test["name"], ",".join(properties.get("LABELS", [])), ",".join(environment) or "-",
              " ".join(words), sep="\t")


if __name__ == "__main__":
    main(*sys.argv[1:])
