#!/usr/bin/env python3
"""Runs cg over the ranks of MPI libraries: histories of the residual over 1 to 8 ranks, and times of an iteration on 1 and 2 ranks.

    perf/apps/ranks/ranks.py --json FILE [--only histories|times] MPIEXEC CG [MPIEXEC CG ...]

Histories are of HPCCG's problem on a grid that ranks share. Times are of a grid per rank, small enough for the caches or as HPCCG's guide
wants it; the versions take turns in each round. Before each case the script waits for other programs to rest, for a while, and records how many
cores they kept busy. With --only the rest of FILE stays as it is."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

GRID, ITERATIONS, RANKS = ("20", "30", "160"), "60", range(1, 9)
TIMED_GRIDS = {("20", "30", "80"): 400, ("64", "64", "64"): 80}  # rounds
TIMED_RANKS, TURN = (1, 2), "3"  # iterations of a turn
FORMS = ((), ("--split",))
QUIET_CORES, SAMPLE_S, WAIT_S = 0.2, 0.5, 10


def run(mpiexec, program, ranks, *arguments):
    """What the program writes as JSON."""
    settings = {"OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": str(int(ranks > os.cpu_count()))}
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [mpiexec, "-n", str(ranks), program, "--json", file.name, *arguments]
        subprocess.run(command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL, check=True)
        return json.load(file)


def busy_cores():
    """How many cores are busy, over a moment."""
    def ticks():
        with open("/proc/stat") as file:
            numbers = list(map(int, file.readline().split()[1:9]))
        return sum(numbers) - numbers[3] - numbers[4]  # but idle, and waiting for a disk

    start = ticks()
    time.sleep(SAMPLE_S)
    return (ticks() - start) / os.sysconf("SC_CLK_TCK") / SAMPLE_S


def wait_for_rest():
    """Waits until other programs rest, not for ever; returns how many cores are busy then."""
    end = time.monotonic() + WAIT_S
    while (busy := busy_cores()) > QUIET_CORES and time.monotonic() < end:
        pass
    return busy


def histories(libraries):
    for mpiexec, program in libraries:
        for ranks in RANKS:
            measured = run(mpiexec, program, ranks, "--iterations", ITERATIONS, *GRID)
            for entry in measured["results"]:
                yield {"mpi": measured["mpi"], "ranks": ranks, "version": entry["version"], "error": entry["error"],
                       "residuals": " ".join(entry["residuals"])}


def times(libraries):
    for grid, rounds in TIMED_GRIDS.items():
        for mpiexec, program in libraries:
            for ranks in TIMED_RANKS:
                for form in FORMS:
                    busy = wait_for_rest()
                    measured = run(mpiexec, program, ranks, "--per-rank", "--iterations", TURN, "--rounds", str(rounds), *form, *grid)
                    for entry in measured["results"]:
                        numbers = {key: value for key, value in entry.items() if key.endswith(("_us", "_ratio"))}
                        yield {"mpi": measured["mpi"], "ranks": ranks, "grid_per_rank": " x ".join(grid), "rounds": rounds,
                               "kernels": measured["kernels"], "reduction": measured["reduction"], "version": entry["version"],
                               "others_busy_cores": round(busy, 2), **numbers}
                        print(measured["mpi"], ranks, grid, *form, entry["version"], f"{entry['median_us']:.1f} us, {entry['median_ratio']:.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", required=True)
    parser.add_argument("--only", choices=("histories", "times"))
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    if len(arguments.programs) % 2:
        parser.error("MPIEXEC CG, in pairs")
    libraries = list(zip(arguments.programs[::2], arguments.programs[1::2]))
    result = {}
    if arguments.only:
        with open(arguments.json) as file:
            result = json.load(file)
    context = run(*libraries[0], 1, "--iterations", "1", "1", "1", "1")["context"]
    words = [os.path.basename(word) for word in sys.argv if word not in ("--only", arguments.only)]
    result |= {"context": {**context, "command": " ".join(words)}, "grid": " x ".join(GRID)}
    if arguments.only != "times":
        result["histories"] = list(histories(libraries))
    if arguments.only != "histories":
        result["times"] = list(times(libraries))
    with open(arguments.json, "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
