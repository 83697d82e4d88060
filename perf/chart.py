#!/usr/bin/env python3
"""The chart of the README: time of a sum of doubles against n, beside CUB, CUB in a graph and OpenMP's clause.

usage: chart.py [FILE.json [FILE.png]]     of a file that `usw bench --suite full --json` wrote
       chart.py --check                    draws it and keeps nothing; 77 without Matplotlib

Without names: perf/baselines/h200-bench-suite.json to perf/baselines/h200-sum.png."""

import io
import pathlib
import sys

try:
    import matplotlib
except ImportError:
    print("chart.py: no Matplotlib for this Python")
    sys.exit(77)

matplotlib.use("Agg")
from matplotlib import pyplot, ticker  # noqa: E402

from tables import BASELINES, SOURCE, Measurement, length_text  # noqa: E402

LINES = (("plain_clause", "OpenMP clause", "#b0413e", "-", "s"), ("cub", "CUB", "#5a7d2a", "-", "o"),
         ("cub_graph", "CUB in a graph", "#5a7d2a", "--", "^"), ("usw", "Upsweep", "#1f5fa8", "-", "o"))


def times(measured, name):
    """(n, microseconds) of a competitor's sums of doubles."""
    return sorted((n, cell[name]["median_us"]) for (kernel, kind, n), cell in measured.cells.items()
                  if (kernel, kind) == ("sum", "f64") and name in cell)


def draw(measured):
    figure, axes = pyplot.subplots(figsize=(7.2, 3.6), dpi=120)
    for name, title, color, line, marker in LINES:
        lengths, values = zip(*times(measured, name))
        axes.plot(lengths, values, line, color=color, marker=marker, markersize=4, label=title, linewidth=1.6)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks([n for n, _ in times(measured, "usw")])
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda n, _: length_text(int(n))))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_yticks([5, 10, 20, 50, 100, 200, 500, 1000, 2000])
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda us, _: f"{us:g}"))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.grid(True, color="#dddddd", linewidth=0.6)
    axes.set_xlabel("n, doubles on the GPU")
    axes.set_ylabel("microseconds, to the result on the host")
    context = measured.context
    axes.set_title(f"Sum of n doubles, {context['device']}, driver {context['driver']}, commit {context['commit']}", fontsize=9)
    axes.legend(frameon=False)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.tight_layout()
    return figure


def main(arguments):
    if arguments == ["--check"]:
        picture = io.BytesIO()
        draw(Measurement(BASELINES / SOURCE)).savefig(picture)
        print(f"{len(picture.getvalue())} bytes")
        return 0
    if len(arguments) > 2 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        return 2
    names = [pathlib.Path(argument) for argument in arguments] + [BASELINES / SOURCE, BASELINES / "h200-sum.png"][len(arguments):]
    draw(Measurement(names[0])).savefig(names[1], metadata={"Software": None})
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
