#!/usr/bin/env python3
"""Adds up CTest's JUnit reports: failures by name, skips with their reason, one closing line."""

import pathlib
import sys
import xml.etree.ElementTree as tree


def reason(case):
    """The last line a skipped test printed: it says why."""
    lines = (case.findtext("system-out") or "").strip().splitlines()
    return lines[-1].strip() if lines else "no reason given"


def main(paths):
    passed, failed, skipped = 0, [], []
    for path in map(pathlib.Path, paths):
        if not path.exists():
            failed.append(f"{path.stem}: ctest wrote no report")
            continue
        for case in tree.parse(path).getroot().iter("testcase"):
            name = f"{path.stem}: {case.get('name')}"
            if case.find("skipped") is not None:
                skipped.append((name, reason(case)))
            elif case.find("failure") is not None or case.get("status") != "run":
                failed.append(name)
            else:
                passed += 1
    for name, why in skipped:
        print(f"skipped  {name}: {why}")
    for name in failed:
        print(f"FAILED   {name}")
    print(f"{passed} passed, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
