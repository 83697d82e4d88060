#!/usr/bin/env python3
"""Runs a fuzzer for some seconds, from small seeds that are made here.

usage: fuzz.py FUZZER SECONDS [SEED]      a SEED for other inputs than those of every run"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import fuzz_seeds

LEAST_EXECUTIONS = 100


def environment():
    """Freed memory is kept for a while only: libhdf5 allocates much of it for each file."""
    options = os.environ.get("ASAN_OPTIONS", "")
    return {**os.environ, "ASAN_OPTIONS": f"{options}:quarantine_size_mb=16".strip(":")}


def main(fuzzer, seconds, seed="1"):
    kind = pathlib.Path(fuzzer).name.removeprefix("fuzz_")
    with tempfile.TemporaryDirectory() as name:
        folder, found_in = pathlib.Path(name) / "inputs", pathlib.Path(name) / "found"
        folder.mkdir()
        found_in.mkdir()
        seeds = fuzz_seeds.write(kind, folder)
        run = subprocess.run([fuzzer, str(folder), f"-max_total_time={seconds}", f"-seed={seed}", "-max_len=4096",
                              "-len_control=20", "-timeout=20", "-rss_limit_mb=4096", "-print_final_stats=1",
                              f"-artifact_prefix={found_in}/"], capture_output=True, text=True, errors="replace",
                             env=environment())
        found = re.search(r"stat::number_of_executed_units: (\d+)", run.stderr)
        executions = int(found[1]) if found else 0
        print(f"{kind}: {seeds} seeds, {executions} executions")
        if run.returncode == 0 and executions >= LEAST_EXECUTIONS:
            return 0
        print(run.stdout[-2000:], run.stderr[-6000:])
        for input_file in found_in.iterdir():
            print(f"{input_file.name}: {input_file.read_bytes()!r}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
