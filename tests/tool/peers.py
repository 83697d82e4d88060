#!/usr/bin/env python3
"""The host's peers, as usw-bench runs them: each has the cases that it should have, and every result is right.

usage: peers.py USW_BENCH [PEER...], the peers that were built"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

LENGTHS = "1,1000,40009"  # the last one is long enough for several threads
OPENBLAS = {("sum", "f32"), ("sum", "f64"), ("dot", "f32"), ("dot", "f64"), ("dot", "cf32"), ("dot", "cf64"),
            ("dotc", "cf32"), ("dotc", "cf64"), ("norm1", "f32"), ("norm1", "f64"), ("norm2", "f32"), ("norm2", "f64"),
            ("norm2", "cf32"), ("norm2", "cf64"), ("norm_inf", "f32"), ("norm_inf", "f64")}
# Peers' threads and ours share cores: none of them may spin, or the test takes minutes.
ENVIRONMENT = {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive", "OPENBLAS_THREAD_TIMEOUT": "4"}


def cases(entries):
    return {(entry["kernel"], entry["type"]) for entry in entries}


def check(peer, entries, all_cases, versions):
    """What is wrong with a peer, in words."""
    mine = [entry for entry in entries if entry["competitor"] == peer]
    expected = OPENBLAS if peer == "openblas" else {case for case in all_cases if case[0] != "describe"}
    if peer == "openblas" and any("ssum is wrong" in version for version in versions):
        expected = expected - {("sum", "f32")}
    for length in map(int, LENGTHS.split(",")):
        found = cases(entry for entry in mine if entry["n"] == length)
        if found != expected:
            yield f"n = {length}: too few {sorted(expected - found)}, too many {sorted(found - expected)}"
    yield from (f"wrong: {entry}" for entry in mine if entry["wrong_results"])
    forms = {entry.get("form") for entry in mine}
    if len(forms) != (2 if peer == "tbb" else 1):
        yield f"forms: {forms}"
    if not any(peer in version.lower() for version in versions):
        yield f"its version is not in the context: {versions}"


def main(program, peers):
    if not peers:
        print("no peer of the host is built")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "peers.json"
        run = subprocess.run([program, "--place", "host", "--peers", ",".join(peers), "--n", LENGTHS, "--repetitions",
                              "2", "--json", file], env={**os.environ, **ENVIRONMENT}, text=True, capture_output=True)
        if run.returncode or not file.exists():
            print(run.stderr)
            return 1
        measured = json.loads(file.read_text())
    entries, failures = measured["results"], 0
    for peer in peers:
        for problem in check(peer, entries, cases(entries), measured["context"]["peers"]):
            failures += 1
            print(f"{peer}: {problem}")
    print(f"{len(entries)} entries of {', '.join(peers)} and Upsweep, {failures} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
