"""The CSV of `usw bench ladder --csv`, of reductions or of scans, and its plot. The left half is GB/s over the size of the team, each rung at its
best k; the right half is GB/s over k at the best size, for the rungs that have a k. Dashed lines are the library's own
kernels."""

import csv
import math
import re

from report_figure import figure, legend_below, number_axis, plain, save
from report_measurement import BadFile, clean, length_text

# The rungs of perf/ladder/facts.c, with color, shape and whether they have a k.
RUNGS = {"0": ("#CC79A7", "s", False), "1": ("#E69F00", "^", False), "2": ("#009E73", "v", False),
         "3": ("#0072B2", "o", True), "4": ("#D55E00", "s", True), "lecture": ("#666666", "D", False)}
OWN = {"usw_sum": "#000000", "usw_dot": "#666666"}
RUNGS_OF_SCANS = {"s0": ("#666666", "D", False), "s1": ("#CC79A7", "s", False), "s2": ("#E69F00", "^", False),
                  "s3": ("#009E73", "v", False), "s4": ("#0072B2", "o", True), "s5": ("#D55E00", "s", True)}
OWN_OF_SCANS = {"usw_scan": "#000000"}
ALL_RUNGS, ALL_OWN = RUNGS | RUNGS_OF_SCANS, OWN | OWN_OF_SCANS
HOLLOW = ("0", "3", "s1", "s4")
TEAM_SIZES = (32, 64, 128, 256, 512, 1024)
FACTS = ("device", "n", "commit")
NUMBERS = ("team_size", "k", "median_us", "gb_per_s", "wrong_results")


class Ladder:
    """Facts of the comments, and entries by rung."""

    def __init__(self, facts, entries):
        self.facts = facts
        self.are_scans = any(entry["rung"] in OWN_OF_SCANS for entry in entries)
        self.rungs, self.own = (RUNGS_OF_SCANS, OWN_OF_SCANS) if self.are_scans else (RUNGS, OWN)
        self.entries = {rung: [entry for entry in entries if entry["rung"] == rung] for rung in (*self.rungs, *self.own)}

    def best(self, rung):
        return min(self.entries[rung], key=lambda entry: entry["median_us"])


def read_entry(line, names):
    """A line as {name: value}; None where it is no entry."""
    try:
        entry = dict(zip(names, next(csv.reader([line], strict=True))))
        entry.update({name: float(entry[name]) for name in NUMBERS})
    except (csv.Error, KeyError, ValueError, StopIteration):
        return None
    is_known = entry["rung"] in ALL_OWN or entry["rung"] in ALL_RUNGS and entry["team_size"] in TEAM_SIZES
    is_sound = all(math.isfinite(entry[name]) for name in NUMBERS) and entry["k"] > 0 and entry["median_us"] > 0
    return entry if is_known and is_sound and entry["gb_per_s"] >= 0 else None


def read_ladder(text):
    """The ladder in a file's text; BadFile where it is none."""
    facts, entries, names = {}, [], None
    for number, line in enumerate(clean(text).splitlines(), 1):
        fact = re.match(r"# ([^:]+): (.+)", line)
        if fact:
            facts[fact[1]] = fact[2]
        elif line.startswith("#") or not line.strip():
            continue
        elif line.startswith("rung,"):
            names = line.split(",")
        else:
            entries.append(names and read_entry(line, names))
            if not entries[-1]:
                raise BadFile(f"line {number} is no entry of a ladder")
    ladder = Ladder(facts, entries)
    has_facts = all(map(facts.get, FACTS)) and re.fullmatch("[1-9][0-9]*", facts["n"])
    if not all(ladder.entries.values()) or not has_facts:
        raise BadFile("has not every rung, or lacks device, n or commit")
    if any(entry["wrong_results"] for entry in entries):
        raise BadFile("has wrong results")
    return ladder


def plot_rung(axes, ladder, rung, over):
    """GB/s of a rung over team_size or k, at the other one's best value."""
    color, marker, has_k = ladder.rungs[rung]
    best = ladder.best(rung)
    fixed = "k" if over == "team_size" else "team_size"
    title = f"{rung}: {best['title']}"
    if over == "k":
        title += f", teams of {best['team_size']:g}"
    elif has_k:
        title += f", k = {best['k']:g}"
    points = sorted((entry[over], entry["gb_per_s"]) for entry in ladder.entries[rung] if entry[fixed] == best[fixed])
    axes.plot(*zip(*points), color=color, marker=marker, markersize=6, linewidth=1.6, label=plain(title),
              markerfacecolor="none" if rung in HOLLOW else color)


def plot_panel(axes, ladder, over, rungs, own, label):
    """One half of the plot."""
    for rung in rungs:
        plot_rung(axes, ladder, rung, over)
    for name in own:
        axes.axhline(ladder.best(name)["gb_per_s"], color=ladder.own[name], linewidth=1.6, linestyle=(0, (7, 4)), label=name)
    values = sorted({entry[over] for rung in rungs for entry in ladder.entries[rung]})
    axes.set_xscale("log", base=2)
    number_axis(axes.xaxis, values)
    axes.set_xlim(values[0] / 1.14, values[-1] * 1.14)
    axes.set_xlabel(label)
    axes.set_ylabel("GB/s")
    best = max(ladder.best(rung)["gb_per_s"] for rung in ladder.entries)
    axes.set_ylim(0, 1.05 * best or 1)
    legend_below(axes, columns=2 if len(rungs) > 2 else 1, points=36)


def draw_ladder(ladder, path):
    """Into a .png or .svg file."""
    drawing = figure(1060, 470)
    left, right = drawing.subplots(1, 2, gridspec_kw={"width_ratios": (3, 2)})
    with_k = [rung for rung in ladder.rungs if ladder.rungs[rung][2]]
    plot_panel(left, ladder, "team_size", list(ladder.rungs), list(ladder.own), "work-items of a team")
    plot_panel(right, ladder, "k", with_k, list(ladder.own)[:1], "k, items per work-item")
    facts, what = ladder.facts, "The ladder of scans" if ladder.are_scans else "The ladder"
    drawing.suptitle(plain(f"{what} on {facts['device']}, n = {length_text(int(facts['n']))} doubles "
                           f"(commit {facts['commit']})"))
    save(drawing, path)
