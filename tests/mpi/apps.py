#!/usr/bin/env python3
"""Runs an application of perf/apps/ranks with each MPI library: reproducible sums print the same bits for any number of ranks, other sums do
not. And cg prints what Mantevo's HPCCG prints, and, where there is a device, the same with its vectors there.

usage: apps.py cg|clover host|device MPIEXEC PROGRAM [MPIEXEC PROGRAM ...]"""

import os
import subprocess
import sys

RANKS = (1, 3)
ARGUMENTS = {"cg": ["12", "10", "17", "--iterations", "40"], "clover": ["50", "70"]}

# HPCCG 1.0 on a grid of 20 by 30 by 160: its line "Iteration = k" has the residual after k - 1 updates. The bits are this project's.
HPCCG = {0: "1358.72", 9: "66.0369", 19: "0.87865", 29: "0.0151087", 39: "0.000381964", 49: "7.61536e-06", 59: "1.72153e-07"}
BITS = {39: "0x1.9084aaf9a5064p-12", 59: "0x1.71b1d7ae1f11cp-23"}


def run(mpiexec, program, ranks, version, arguments):
    """The lines that a run prints."""
    root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
            "OMPI_MCA_mpi_yield_when_idle": "1"}
    command = [mpiexec, "-n", str(ranks), program, "--version", version, *arguments]
    done = subprocess.run(command, env={**os.environ, **root, "OMP_NUM_THREADS": "1"}, stdout=subprocess.PIPE, text=True, timeout=100)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}")
    return done.stdout.splitlines()


def difference(lines, others):
    """Where two runs differ first, or None."""
    if len(lines) != len(others):
        return f"{len(lines)} lines and {len(others)}"
    return next((f"{line}\n{other}" for line, other in zip(lines, others) if line != other), None)


def check_bits(app, libraries):
    first = None
    for mpiexec, program in libraries:
        for ranks in RANKS:
            lines = run(mpiexec, program, ranks, "reproducible", ARGUMENTS[app])
            first = first or lines
            differs = difference(first, lines)
            if differs or len(lines) < 20:
                sys.exit(f"{mpiexec}, {ranks} ranks: another result than the first run\n{differs or lines}")
    sums = [run(*libraries[0], ranks, "mpi_sum", ARGUMENTS[app]) for ranks in RANKS]
    if not difference(*sums):
        sys.exit("sums by MPI_SUM do not depend on the ranks either: this problem tells nothing")


def check_device(libraries):
    host = run(*libraries[0], 1, "reproducible", ARGUMENTS["cg"])
    device = run(*libraries[-1], 3, "reproducible", [*ARGUMENTS["cg"], "--place", "device"])
    differs = difference(host, device)
    if differs:
        sys.exit(f"vectors on a device: another result than on the host\n{differs}")


def check_hpccg(libraries):
    lines = run(*libraries[0], 2, "reproducible", ["20", "30", "160", "--iterations", "60"])
    residuals = {int(words[0]): words[1:] for words in map(str.split, lines[1:-1])}
    for after, text in HPCCG.items():
        if residuals[after][1] != text:
            sys.exit(f"after {after} iterations: {residuals[after][1]}, HPCCG prints {text}")
    for after, text in BITS.items():
        if residuals[after][0] != text:
            sys.exit(f"after {after} iterations: {residuals[after][0]}, expected {text}")


def main(arguments):
    if len(arguments) < 4 or len(arguments) % 2 == 1 or arguments[0] not in ARGUMENTS:
        sys.exit(__doc__)
    app, place = arguments[:2]
    libraries = list(zip(arguments[2::2], arguments[3::2]))
    check_bits(app, libraries)
    if app == "cg":
        check_hpccg(libraries)
    if app == "cg" and place == "device":
        check_device(libraries)


if __name__ == "__main__":
    main(sys.argv[1:])
