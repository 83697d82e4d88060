#!/usr/bin/env python3
"""Runs a fuzzer for some seconds, and on to LEAST_EXECUTIONS on a busy machine, from small seeds that are made here.

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


def fuzz(fuzzer, inputs, found_in, seed, limit):
    """The fuzzer's run up to the limit, and how many inputs it executed."""
    run = subprocess.run([fuzzer, str(inputs), limit, f"-seed={seed}", "-max_len=4096", "-len_control=20", "-timeout=20",
                          "-rss_limit_mb=4096", "-print_final_stats=1", f"-artifact_prefix={found_in}/"],
                         capture_output=True, text=True, errors="replace", env=environment())
    found = re.search(r"stat::number_of_executed_units: (\d+)", run.stderr)
    return run, int(found[1]) if found else 0


def main(fuzzer, seconds, seed="1"):
    kind = pathlib.Path(fuzzer).name.removeprefix("fuzz_")
    with tempfile.TemporaryDirectory() as name:
        inputs, found_in = pathlib.Path(name) / "inputs", pathlib.Path(name) / "found"
        inputs.mkdir()
        found_in.mkdir()
        seeds = fuzz_seeds.write(kind, inputs)
        run, executions = fuzz(fuzzer, inputs, found_in, seed, f"-max_total_time={seconds}")
        if run.returncode == 0 and executions < LEAST_EXECUTIONS:
            run, executions = fuzz(fuzzer, inputs, found_in, seed, f"-runs={LEAST_EXECUTIONS}")
        print(f"{kind}: {seeds} seeds, {executions} executions")
        if run.returncode == 0 and executions >= LEAST_EXECUTIONS:
            return 0
        print(run.stdout[-2000:], run.stderr[-6000:])
        for input_file in found_in.iterdir():
            print(f"{input_file.name}: {input_file.read_bytes()!r}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
