#!/usr/bin/env python3
"""Runs the fuzzer of the tool's file formats for some seconds, from the corpus as seeds.

usage: fuzz.py FUZZER SECONDS [SEED]      a SEED for other inputs than those of every run"""

import pathlib
import re
import subprocess
import sys
import tempfile

import corpus_npy
import corpus_npz
import corpus_raw

LEAST_EXECUTIONS = 2000
MOST_BYTES = 3000  # of a seed: long ones make all executions slow


def write_seeds(folder):
    """The files of the corpus behind the bytes that stand for a command line: none, or a type."""
    for form, cases in (("npy", corpus_npy.cases()), ("npz", corpus_npz.cases()), ("raw", corpus_raw.cases(folder))):
        for name, data, *_ in cases:
            if isinstance(data, bytes) and len(data) < MOST_BYTES:
                (folder / f"{form}_{name}").write_bytes((b"\1\7\0\0" if form == "raw" else b"\0\xff\0\0") + data)
    return len(list(folder.iterdir()))


def main(fuzzer, seconds, seed="1"):
    with tempfile.TemporaryDirectory() as name:
        folder, found_in = pathlib.Path(name) / "inputs", pathlib.Path(name) / "found"
        folder.mkdir()
        found_in.mkdir()
        seeds = write_seeds(folder)
        run = subprocess.run([fuzzer, str(folder), f"-max_total_time={seconds}", f"-seed={seed}", "-max_len=4096", "-timeout=20",
                              "-print_final_stats=1", f"-artifact_prefix={found_in}/"], capture_output=True, text=True,
                             errors="replace")
        found = re.search(r"stat::number_of_executed_units: (\d+)", run.stderr)
        executions = int(found[1]) if found else 0
        print(f"{seeds} seeds, {executions} executions")
        if run.returncode == 0 and executions >= LEAST_EXECUTIONS:
            return 0
        print(run.stderr[-6000:])
        for input_file in found_in.iterdir():
            print(f"{input_file.name}: {input_file.read_bytes()!r}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
