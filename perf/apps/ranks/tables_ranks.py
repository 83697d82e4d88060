#!/usr/bin/env python3
"""Markdown from what ranks.py, calls_over_ranks and ranks_scale measured.

usage: tables_ranks.py --write FILE.md    fills what stands between `<!-- table: ranks_NAME -->` and `<!-- end of table -->`
       tables_ranks.py --check FILE.md    fails if the file is not what --write would make of it
       tables_ranks.py --table NAME       prints one table: ranks_times, ranks_digits, ranks_calls, ranks_scale

A ratio is a version's time of an iteration by that of MPI_SUM in the same round: the median of the rounds, and the quartiles; or the least
time of all rounds by that of MPI_SUM. Ratios above the bar are **bold**. Others: cores that other programs kept busy
before the case."""

import json
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
from agreement import ALL_DIGITS, agreement  # noqa: E402
from tables import BASELINES, Bad, check, command_text, filled, rows_text  # noqa: E402

TABLE = re.compile(r"(<!-- table: (ranks_\w+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)
BAR = 1.03
VERSIONS = ("mpi_sum", "repeatable", "reproducible")


def machine(measured):
    context = measured["context"]
    libraries = sorted({entry["mpi"] for entry in measured["histories"]})
    return f"{context['device']}, {', '.join(libraries)}, {context['compiler']}, {context['date']}, commit {context['commit']}"


def bold(ratio):
    return f"**{ratio:.3f}**" if ratio > BAR else f"{ratio:.3f}"


def ratio_texts(entry, sums):
    spread = f"({entry['first_quartile_ratio']:.2f} to {entry['third_quartile_ratio']:.2f})"
    return f"{bold(entry['median_ratio'])} {spread}", bold(entry["least_us"] / sums["least_us"])


def times(measured):
    rows = [["rows per rank", "MPI", "ranks", "kernels", "others", "MPI_SUM, us", "REPEATABLE", "least", "REPRODUCIBLE", "least"]]
    cells = {}
    for entry in measured["times"]:
        key = (entry["grid_per_rank"], entry["mpi"], entry["ranks"], f"{entry['kernels']}, {entry['reduction']}")
        cells.setdefault(key, {})[entry["version"]] = entry
    for (grid, mpi, ranks, form), cell in cells.items():
        sums, *ours = (cell[version] for version in VERSIONS)
        rows.append([grid, mpi.split()[0] if mpi.startswith("MPICH") else "Open MPI", str(ranks), form,
                     f"{sums['others_busy_cores']:.1f}", f"{sums['median_us']:.0f}",
                     *(text for entry in ours for text in ratio_texts(entry, sums))])
    return f"{machine(measured)}\n\n{rows_text(rows)}\n{command_text(measured['context']['command'])}"


def digits(measured):
    agreed = agreement(measured)
    ranks = sorted({number for _, number in agreed})
    rows = [["version", *(f"{number} ranks" for number in ranks[1:])]]
    for version in VERSIONS:
        least = [min(agreed[version, number]) for number in ranks[1:]]
        rows.append([version, *("all" if number == ALL_DIGITS else f"{int(number)}" for number in least)])
    return rows_text(rows)


def quartiles_text(entry, digits, sign=""):
    return (f"{entry['median_us']:{sign}.{digits}f} ({entry['first_quartile_us']:{sign}.{digits}f} to "
            f"{entry['third_quartile_us']:{sign}.{digits}f})")


def calls(*measurements):
    rows = [["MPI", "ranks", "items in memory of", "call", "level", "us", "more than by hand"]]
    for measured in measurements:
        for entry in measured["entries"]:
            more = entry.get("more_than_by_hand")
            rows.append([measured["mpi"].replace("Version:", "").replace("\t", ""), str(measured["ranks"]), measured["context"]["device"],
                         f"`{entry['competitor']}`", entry["accuracy"].upper(), quartiles_text(entry, 2),
                         quartiles_text(more, 2, "+") if more else ""])
    sources = [f"{one['context']['device']}, {one['context']['compiler']}, {one['context']['date']}, commit {one['context']['commit']}"
               for one in measurements]
    commands = "".join(command_text(one["context"]["command"]) for one in measurements)
    return f"{'; '.join(sources)}\n\n{rows_text(rows)}\n{commands}"


def scale(measured):
    rows = [["ranks", "level", "message", "merges of a rank", "a merge, ns", "all of them, us", "patterns of bits of 4 trees"]]
    for entry in measured["entries"]:
        rows.append([f"{entry['ranks']:.0f}", entry["accuracy"].upper(), f"{entry['bytes']:.0f} bytes", f"{entry['merges_per_rank']:.0f}",
                     f"{entry['merge_median_ns']:.0f}", f"{entry['merge_median_ns'] * entry['merges_per_rank'] / 1000:.2f}",
                     f"{entry['patterns_of_bits']:.0f}"])
    return f"{rows_text(rows)}\n{command_text(measured['context']['command'])}"


def table(name):
    makers = {"ranks_times": (times, "host-ranks"), "ranks_digits": (digits, "host-ranks"), "ranks_scale": (scale, "host-ranks-scale"),
              "ranks_calls": (calls, "host-ranks-calls-mpich", "host-ranks-calls-openmpi", "h100-host-ranks-calls",
                              "h100-ranks-calls", "h100-two-ranks-calls", "h200x2-ranks-calls-mpich", "h200x2-ranks-calls-openmpi")}
    if name not in makers:
        raise Bad(f"there is no table {name}")
    maker, *files = makers[name]
    return maker(*(json.loads((BASELINES / f"{file}.json").read_text()) for file in files))


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in ("--write", "--check", "--table"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        if arguments[0] == "--table":
            print(table(arguments[1]), end="")
            return 0
        path = pathlib.Path(arguments[1])
        new = filled(path, TABLE, table)
    except (Bad, OSError, KeyError, ValueError) as error:
        print(f"tables_ranks.py: {error}", file=sys.stderr)
        return 2
    if arguments[0] == "--check":
        return check(path, new, "perf/apps/ranks/tables_ranks.py")
    path.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
