#!/usr/bin/env python3
"""Markdown from measurements of `usw-bench --json FILE`.

usage: tables.py FILE.json          prints all of it: a table, then the cells where a peer is ahead
       tables.py --write FILE.md    fills what stands between `<!-- table: NAME -->` and `<!-- end of table -->` for the
                                    names bench, bench_ratios, bench_apps and bench_spans, or a file of perf/baselines that
                                    has a .json beside it
       tables.py --check FILE.md... fails if a file is not what --write would make of it
       tables.py --table NAME       prints one of these tables
       tables.py --levels FILE.json prints what each level of accuracy takes (usw-bench --suite accuracy)

Upsweep and its peers were called in turns; times are medians of microseconds to a value that the host can read. A ratio
is Upsweep's time by that of the other's fastest form: below 1 Upsweep is ahead. Cells more than 3 % behind are marked with
**bold**."""

import difflib
import json
import pathlib
import re
import sys
import textwrap

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "report"))
from report_measurement import DEAR, NOISE, PARTS, PEAKS_GB_PER_S, REFERENCES, length_text  # noqa: E402

BASELINES = pathlib.Path(__file__).resolve().parent / "baselines"
TABLE = re.compile(r"(<!-- table: (bench|bench_ratios|bench_apps|bench_spans) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)
SOURCE = "h200-bench-suite.json" # of all tables
TITLES = {"usw": "**Upsweep**", "cub": "CUB", "cub_graph": "*CUB in a graph*",
          "cub+copy": "CUB and a copy", "cublas": "cuBLAS",
          "cub_gpu_to_gpu": "CUB, gpu_to_gpu", "babelstream": "BabelStream", "shaped_clause": "*shaped clause*",
          "plain_clause": "*plain clause*"}
MAIN = (("sum", "f64"), ("dot", "f64"), ("min", "f64"), ("argmin", "f64"), ("describe", "f64"), ("sum", "f32"), ("sum", "u8"))
MAIN_LENGTHS = (1, 1 << 10, 1 << 16, 1 << 20, 1 << 24, 1 << 28)
LARGE = 1 << 27  # of applications


class Bad(Exception):
    """A file that is no measurement."""


class Measurement:
    def __init__(self, path):
        try:
            read = json.loads(path.read_text())
            self.context, results = read["context"], read["results"]
            self.wrong = sum(entry["wrong_results"] for entry in results)
            self.cells, self.levels = {}, {}
            for entry in results:
                self.add(entry)
            self.device = self.context["device"]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Bad(f"{path}: {type(error).__name__}: {error}") from error
        if not self.cells or self.wrong:
            raise Bad(f"{path}: {self.wrong} wrong results in {len(self.cells)} cells")
        self.peak = self.context.get("peak_gb_per_s") or next(
            (peak for name, peak in PEAKS_GB_PER_S.items() if name in self.device), None)
        self.has_read = any("read" in cell for cell in self.cells.values())

    def add(self, entry):
        """The fastest form of every competitor, by kernel, type and n, in the order of the file; Upsweep's own is `auto`
        at its usual accuracy, or else the fastest."""
        kernel = entry["kernel"]
        if entry.get("suite", "functions") != "functions":
            kernel = f"{entry['suite']} {kernel}"
        cell = self.cells.setdefault((kernel, entry.get("type", ""), int(entry["n"])), {})
        name, accuracy = entry["competitor"], entry.get("accuracy", "")
        level = accuracy if name == "auto" else name
        of_levels = self.levels.setdefault((kernel, entry.get("type", ""), int(entry["n"])), {})
        if level not in of_levels or float(entry["median_us"]) < of_levels[level]["median_us"]:
            of_levels[level] = entry
        if not entry["peer"] and name not in REFERENCES:
            if accuracy in DEAR:
                return
            entry = {**entry, "is_auto": name == "auto" and accuracy != "fast"}
            name = "usw"
        old = cell.get(name)
        rank = (not entry.get("is_auto", False), float(entry["median_us"]))
        if not old or rank < (not old.get("is_auto", False), old["median_us"]):
            cell[name] = entry

    def peers(self):
        """Those who can be ahead or behind, in the order of the file."""
        return list(dict.fromkeys(name for cell in self.cells.values() for name in cell
                                  if name != "usw" and name not in REFERENCES and name not in PARTS))

    def share(self, cell, name):
        """Of the read kernel's rate or, where the file has none, of the memory's peak: a text."""
        if self.has_read:
            whole = cell["read"]["gb_per_s"] if "read" in cell else 0
        else:
            whole = self.peak
        return f"{100 * cell[name]['gb_per_s'] / whole:.0f} %" if whole else ""

    def share_title(self):
        return "of read" if self.has_read else "of peak"

    def machine(self):
        context = self.context
        peers = "".join(f", {peer}" for peer in context.get("peers", []))
        return f"{self.device}, driver {context.get('driver', 'unknown')}{peers}, {context.get('date', 'no date')}, " \
               f"commit {context.get('commit', 'unknown')}"


def command_text(command):
    """As a block of code, no wider than the rest of a page; what stands in quotes is not broken."""
    whole_words = re.sub(r"'[^']*'", lambda match: match[0].replace(" ", "\0"), command)
    lines = textwrap.wrap(whole_words, 104, break_long_words=False, break_on_hyphens=False)
    return ("    " + " \\\n              ".join(lines) + "\n").replace("\0", " ")


def command(measured):
    return command_text(measured.context.get("command", ""))


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def rows_text(rows):
    return "".join("| " + " | ".join(row) + " |\n" for row in [rows[0], ["---"] * len(rows[0])] + rows[1:])


def whole_row(measured, key, cell, others):
    kernel, kind, n = key
    own = cell["usw"]
    row = [kernel, kind, length_text(n), f"{own['median_us']:.2f}"]
    for name in others:
        if name not in cell:
            row += ["", ""]
            continue
        ratio = own["median_us"] / cell[name]["median_us"]
        mark = "**" if ratio > NOISE and name not in REFERENCES + PARTS else ""
        row += [f"{cell[name]['median_us']:.2f}", f"{mark}{ratio:.3f}{mark}"]
    return row + [f"{own['gb_per_s']:.0f}", measured.share(cell, "usw")]


def behind_text(measured, peer):
    """Every cell where the peer is ahead beyond noise, worst first; then a summary by length."""
    ratios = {key: cell["usw"]["median_us"] / cell[peer]["median_us"]
              for key, cell in measured.cells.items() if peer in cell and "usw" in cell}
    if not ratios:
        return ""
    behind = sorted((key for key in ratios if ratios[key] > NOISE), key=ratios.get, reverse=True)
    text = f"\n{len(behind)} of {len(ratios)} cells are more than {NOISE - 1:.0%} behind {peer}{':' if behind else '.'}\n\n"
    for kernel, kind, n in behind:
        text += f"- {kernel} {kind}, n = {length_text(n)}: {ratios[kernel, kind, n]:.3f}\n"
    text += "\n" if behind else ""
    for n in sorted({key[2] for key in ratios}):
        here = [value for key, value in ratios.items() if key[2] == n]
        text += f"n = {length_text(n)}: {len(here)} cells, ratio to {peer} {min(here):.3f} to {max(here):.3f}, " \
                f"median {median(here):.3f}\n"
    return text


def whole(measured):
    """All cells, and where peers are ahead."""
    others = list(dict.fromkeys(name for cell in measured.cells.values() for name in cell if name != "usw"))
    heading = ["function", "type", "n", "usw, us"]
    for name in others:
        heading += [f"{name}, us", "ratio"]
    rows = [heading + ["GB/s", measured.share_title()]]
    rows += [whole_row(measured, key, cell, others) for key, cell in measured.cells.items() if "usw" in cell]
    return f"{measured.machine()}; {len(measured.cells)} cells, {measured.wrong} wrong results.\n\n" \
           f"{command(measured)}\n" + rows_text(rows) + "".join(behind_text(measured, peer) for peer in measured.peers())


def bench(measured):
    """The table of results: who takes how long for the kernels that everybody looks at first."""
    lengths = [n for n in MAIN_LENGTHS if any(key[:2] in MAIN and key[2] == n for key in measured.cells)]
    last = lengths[-1]
    rows = [["kernel", "", *(f"n = {length_text(n)}" if n == 1 else length_text(n) for n in lengths), "GB/s", measured.share_title()]]
    for kernel, kind in MAIN:
        for name, title in TITLES.items():
            times = {n: measured.cells[kernel, kind, n] for n in lengths if name in measured.cells.get((kernel, kind, n), {})}
            if not times:
                continue
            row = [f"{kernel} {kind}", title]
            row += [f"{times[n][name]['median_us']:.1f}" if n in times else "" for n in lengths]
            end = [f"{times[last][name]['gb_per_s']:.0f}", measured.share(times[last], name)] if last in times else ["", ""]
            rows.append(row + end)
    return f"{measured.machine()}; microseconds, GB/s at n = {length_text(last)}:\n\n{rows_text(rows)}\n{command(measured)}"


def bench_ratios(measured):
    """The summary of results: ratios to each peer over all functions and types, by length."""
    peers = [peer for peer in ("cub", "cub_graph", "cub+copy", "cublas") if peer in measured.peers()]
    rows = [["n", *(TITLES[peer].strip("*") for peer in peers)]]
    for n in (1 << 10, 1 << 20, 1 << 28):
        row = [length_text(n)]
        for peer in peers:
            ratios = [cell["usw"]["median_us"] / cell[peer]["median_us"] for key, cell in measured.cells.items()
                      if key[2] == n and peer in cell and "usw" in cell]
            row.append(f"{min(ratios):.2f} to {max(ratios):.2f}, median {median(ratios):.2f}" if ratios else "")
        rows.append(row)
    kernels = len({key[:2] for key, cell in measured.cells.items() if key[1] and "usw" in cell})
    return f"{kernels} functions and types, {measured.machine()}:\n\n{rows_text(rows)}\n{command(measured)}"


def bench_apps(measured):
    """The table of results of applications, at their largest length."""
    rows = [["suite", "kernel", "Upsweep, us", "GB/s", measured.share_title(), "plain clause, us"]]
    for (kernel, kind, n), cell in measured.cells.items():
        own = cell.get("usw", {})
        if kind or own["suite"] in ("functions", "spans", "library") or n < LARGE:
            continue
        rate = f"{own['gb_per_s']:.0f}" if own["bytes"] else "-"
        rows.append([own["suite"], own["kernel"], f"{own['median_us']:.0f}", rate, measured.share(cell, "usw"),
                     f"{cell['plain_clause']['median_us']:.0f}" if "plain_clause" in cell else ""])
    return rows_text(rows)


def bench_spans(measured):
    """The table of results of spans: us, and the share of the read kernel's rate."""
    own = {entry["kernel"]: f"{entry['median_us']:.0f} ({measured.share(cell, 'usw')})"
           for cell in measured.cells.values() for entry in [cell.get("usw", {})] if entry.get("suite") == "spans"}
    extents = sorted({int(kernel.split("_")[1]) for kernel in own})
    rows = [["elements", "counts", "all equal", "sums", "all equal"]]
    rows += [[str(extent), *(own[f"{what}_{extent}{equal}"] for what in ("counts", "sums") for equal in ("", "_equal"))]
             for extent in extents]
    return rows_text(rows)


def levels(measured):
    """What each level of accuracy takes, as a multiple of USW_FAST's time: of `usw-bench --suite accuracy`."""
    names = ("repeatable", "compensated", "reproducible", "exact", "cub_gpu_to_gpu")
    rows = [["kernel", "type", "n", "fast, us", "of read", *names[:-1], "CUB, gpu_to_gpu"]]
    for (kernel, kind, n), cell in measured.levels.items():
        if "fast" not in cell:
            continue
        fast = cell["fast"]["median_us"]
        share = f"{100 * cell['read']['median_us'] / fast:.0f} %" if "read" in cell else ""
        row = [kernel, kind, length_text(n), f"{fast:.2f}", share]
        rows.append(row + [f"{cell[name]['median_us'] / fast:.3f}" if name in cell else "" for name in names])
    return f"{measured.machine()}; times as multiples of USW_FAST's:\n\n{rows_text(rows)}\n{command(measured)}"


TABLES = {"bench": bench, "bench_ratios": bench_ratios, "bench_apps": bench_apps, "bench_spans": bench_spans}


def table(name):
    return TABLES[name](Measurement(BASELINES / SOURCE))


def filled(path, pattern, text_of):
    """A Markdown file with what its tables should be."""
    text = path.read_text()
    if not pattern.search(text):
        raise Bad(f"{path}: no table between '<!-- table: NAME -->' and '<!-- end of table -->'")
    return pattern.sub(lambda match: match[1] + text_of(match[2]) + match[4], text)


def made(path):
    """What a Markdown file should be: all of the measurement beside it or, where there is none, the same with its tables filled."""
    if path.with_suffix(".json").exists():
        return whole(Measurement(path.with_suffix(".json")))
    return filled(path, TABLE, table)


def check(path, new, program):
    """Whether a file differs from what it should be, which `program --write` makes of it."""
    old = path.read_text()
    sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(path), "the measurement"))
    if old != new:
        print(f"{path} is not what its measurement says: {program} --write {path}")
    return old != new


def main(arguments):
    try:
        if len(arguments) == 1 and not arguments[0].startswith("-"):
            print(whole(Measurement(pathlib.Path(arguments[0]))), end="")
        elif len(arguments) == 2 and arguments[0] == "--levels":
            print(levels(Measurement(pathlib.Path(arguments[1]))), end="")
        elif len(arguments) == 2 and arguments[0] == "--table" and arguments[1] in TABLES:
            print(table(arguments[1]), end="")
        elif len(arguments) == 2 and arguments[0] == "--write":
            pathlib.Path(arguments[1]).write_text(made(pathlib.Path(arguments[1])))
        elif len(arguments) >= 2 and arguments[0] == "--check":
            return max(check(path, made(path), "perf/tables.py") for path in map(pathlib.Path, arguments[1:]))
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except (Bad, OSError) as error:
        print(f"tables.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
