#!/usr/bin/env python3
"""Runs cg over the ranks of MPI libraries: histories of the residual over 1 to 8 ranks, and times of an iteration on 1 and 2 ranks.

    perf/apps/ranks/ranks.py --json FILE [--no-times] MPIEXEC CG [MPIEXEC CG ...]

Histories are of HPCCG's problem on a grid that ranks share. Times are of a grid per rank, small enough for the caches or as HPCCG's guide
wants it; the versions take turns in each round, with the residual's norm overlapped and with blocking calls."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

GRID, ITERATIONS, RANKS = ("20", "30", "160"), "60", range(1, 9)
TIMED_GRIDS = {("20", "30", "80"): ("10", "100"), ("64", "64", "64"): ("4", "60")}  # iterations of a turn, rounds
TIMED_RANKS = (1, 2)


def run(mpiexec, program, ranks, *arguments):
    """What the program writes as JSON."""
    settings = {"OMP_NUM_THREADS": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": str(int(ranks > os.cpu_count()))}
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [mpiexec, "-n", str(ranks), program, "--json", file.name, *arguments]
        subprocess.run(command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL, check=True)
        return json.load(file)


def histories(libraries):
    for mpiexec, program in libraries:
        for ranks in RANKS:
            measured = run(mpiexec, program, ranks, "--iterations", ITERATIONS, *GRID)
            for entry in measured["results"]:
                yield {"mpi": measured["mpi"], "ranks": ranks, "version": entry["version"], "error": entry["error"],
                       "residuals": " ".join(entry["residuals"])}


def times(libraries):
    for grid, (iterations, rounds) in TIMED_GRIDS.items():
        for mpiexec, program in libraries:
            for ranks in TIMED_RANKS:
                for form in ((), ("--blocking",)):
                    measured = run(mpiexec, program, ranks, "--per-rank", "--iterations", iterations, "--rounds", rounds, *form, *grid)
                    for entry in measured["results"]:
                        numbers = {key: value for key, value in entry.items() if key.endswith(("_us", "_ratio"))}
                        yield {"mpi": measured["mpi"], "ranks": ranks, "grid_per_rank": " x ".join(grid), "rounds": int(rounds),
                               "reduction": measured["reduction"], "version": entry["version"], **numbers}
                        print(ranks, grid, *form, entry["version"], f"{entry['median_us']:.1f} us, {entry['median_ratio']:.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", required=True)
    parser.add_argument("--no-times", action="store_true")
    parser.add_argument("programs", nargs="+")
    arguments = parser.parse_args()
    if len(arguments.programs) % 2:
        parser.error("MPIEXEC CG, in pairs")
    libraries = list(zip(arguments.programs[::2], arguments.programs[1::2]))
    context = run(*libraries[0], 1, "--iterations", "1", "1", "1", "1")["context"]
    context["command"] = " ".join([os.path.basename(sys.argv[0])] + [os.path.basename(word) for word in sys.argv[1:]])
    result = {"context": context, "grid": " x ".join(GRID), "histories": list(histories(libraries))}
    result["times"] = [] if arguments.no_times else list(times(libraries))
    with open(arguments.json, "w") as file:
        json.dump(result, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
