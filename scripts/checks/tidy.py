#!/usr/bin/env python3
"""Runs clang-tidy over the host code of the library and the tool, each file once, two at a time.

usage: tidy.py BUILD_FOLDER"""

import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIDY = "clang-tidy-19"


def main(build):
    if not shutil.which(TIDY):
        print(f"{TIDY} is not installed")
        return 77
    entries = json.loads((pathlib.Path(build) / "compile_commands.json").read_text())
    # The emulated twin compiles the same files again; one look at each is enough.
    entries = list({entry["file"]: entry for entry in entries
                    if (ROOT / "lib") in pathlib.Path(entry["file"]).parents
                    and entry["file"].endswith(".c")
                    and "/upsweep_simt_code.dir/" not in entry["command"]}.values())
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "compile_commands.json").write_text(json.dumps(entries))

        def check(entry):
            return subprocess.run([TIDY, "--quiet", "-p", folder, entry["file"]], text=True,
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            runs = list(pool.map(check, entries))
    for run in runs:
        if run.returncode:
            print(run.stdout)
    failures = sum(run.returncode != 0 for run in runs)
    print(f"{len(runs)} files, {failures} with warnings")
    return 1 if failures or not runs else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
