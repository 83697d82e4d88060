#!/usr/bin/env python3
"""Draws how many digits of cg's residuals are those of one rank.

usage: digits.py [FILE.json [FILE.png]]     of a file that ranks.py wrote
       digits.py --check                    draws it and keeps nothing; 77 without Matplotlib

Without names: perf/baselines/host-ranks.json to perf/baselines/host-ranks.png."""

import io
import json
import pathlib
import sys

try:
    import matplotlib
except ImportError:
    print("digits.py: no Matplotlib for this Python")
    sys.exit(77)

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

from agreement import ALL_DIGITS, agreement  # noqa: E402

BASELINES = pathlib.Path(__file__).resolve().parents[2] / "baselines"
LINES = (("mpi_sum", "MPI_Allreduce, MPI_SUM", "#b0413e", "s"), ("repeatable", "Upsweep, REPEATABLE", "#5a7d2a", "^"),
         ("reproducible", "Upsweep, REPRODUCIBLE", "#1f5fa8", "o"))


def draw(measured):
    agreed = agreement(measured)
    most = max(ranks for _, ranks in agreed)
    figure, (by_ranks, by_iteration) = pyplot.subplots(1, 2, figsize=(9, 3.6), dpi=120, sharey=True)
    for version, title, color, marker in LINES:
        ranks = sorted(number for name, number in agreed if name == version)
        by_ranks.plot(ranks, [min(agreed[version, number]) for number in ranks], color=color, marker=marker, markersize=5, label=title)
        by_iteration.plot(agreed[version, most], color=color, linewidth=1.6)
    by_ranks.set_ylim(0, ALL_DIGITS + 1)
    by_ranks.set_ylabel("digits that are those of one rank")
    by_ranks.set_xlabel("ranks (fewest digits of all iterations)")
    by_iteration.set_xlabel(f"iteration, {most} ranks")
    by_ranks.legend(frameon=False, loc="lower left")
    for axes in (by_ranks, by_iteration):
        axes.grid(True, color="#dddddd", linewidth=0.6)
        for side in ("top", "right"):
            axes.spines[side].set_visible(False)
    figure.suptitle(f"Norm of the residual, conjugate gradients, {measured['grid']}, {measured['histories'][0]['mpi']}", fontsize=9)
    figure.tight_layout()
    return figure


def read(path):
    with open(path) as file:
        return json.load(file)


def main(arguments):
    if arguments == ["--check"]:
        picture = io.BytesIO()
        draw(read(BASELINES / "host-ranks.json")).savefig(picture)
        print(f"{len(picture.getvalue())} bytes")
        return 0
    if len(arguments) > 2 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    names = [pathlib.Path(argument) for argument in arguments] + [BASELINES / "host-ranks.json", BASELINES / "host-ranks.png"][len(arguments):]
    draw(read(names[0])).savefig(names[1], metadata={"Software": None})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
