#!/usr/bin/env python3
"""Markdown from the benchmarks of families: axes, segments, sparse matrices, keys, spans, scans, parts. Each cell stands beside its best peer, a read
or a copy of the same bytes, and its bars.

usage: family_tables.py --write FILE.md    fills what stands between `<!-- table: NAME -->` and `<!-- end of table -->`
       family_tables.py --check FILE.md... fails if a file is not what --write would make of it
       family_tables.py --table NAME       prints one table: families_summary, families_bars, families_missed, or families_X for a
                                           family X, from all files X of perf/baselines, whatever the device

A bar is judged by the numbers as they are recorded, without a margin for noise. A ratio is Upsweep's time by that of the peer."""

import dataclasses
import json
import math
import pathlib
import re
import sys
import textwrap
from typing import Callable

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tables import BASELINES, NOISE, Bad, check, command_text, filled, rows_text  # noqa: E402

TABLE = re.compile(r"(<!-- table: (families_\w+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)
PROGRAM = "perf/family_tables.py"
LARGE = 1 << 24  # shorter calls are bound by their launch: bars of rates are for arrays of this length on
SIDE = 64
WIDTH = 140
TYPES = ("f64", "f32", "f16", "i64", "i32", "u8")  # in the order of lists
PEERS = {"cub": "CUB", "cub by key": "CUB by key", "torch": "PyTorch", "torch deterministic": "PyTorch, deterministic", "cupy": "CuPy", "jax": "JAX", "cusparse default": "cuSPARSE",
         "cusparse alg1": "cuSPARSE, algorithm 1", "cusparse alg2": "cuSPARSE, algorithm 2", "tbb": "oneTBB",
         "inclusive_scan": "std::inclusive_scan", "textbook": "CUB and NCCL", "numpy": "NumPy", "openblas": "OpenBLAS"}


class Cell:
    """A line of a file: times in microseconds by competitor, and the other cells of its file."""

    def __init__(self, entry, others):
        self.name, self.us, self.others = entry["cell"], entry, others
        self.words = self.name.split()
        self.own = entry["upsweep"]
        self.best = min((peer for peer in PEERS if peer in entry), key=entry.get, default=None)

    def ratio(self):
        """To the best peer; none where there is no peer."""
        return self.own / self.us[self.best] if self.best else None


@dataclasses.dataclass
class Bar:
    """What cells must reach. `judge` gives whether a cell does, and its figure in words."""

    text: str
    label: str  # in a table of cells
    names: Callable[[Cell], bool]
    judge: Callable[[Cell], tuple[bool, str]]
    is_listed: bool = True  # a table of cells has those that this bar names, even if they meet it


@dataclasses.dataclass
class Family:
    title: str
    reference: str  # the competitor that shares are of
    share_title: str
    bars: list[Bar]
    has_all: bool = False  # a table has every cell


class Measurement:
    """A file of the benchmarks of many results."""

    def __init__(self, path):
        try:
            self.context = json.loads(path.read_text())
            self.cells = {}
            for entry in self.context["cells"]:
                self.cells[entry["cell"]] = Cell(entry, self.cells)
            wrong = [entry["cell"] for entry in self.context["cells"] if not entry["right"]]
            self.device, self.commit, self.command = (self.context[key] for key in ("device", "commit", "command"))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Bad(f"{path}: {type(error).__name__}: {error}") from error
        if wrong or not self.cells:
            raise Bad(f"{path}: {len(wrong)} wrong results in {len(self.cells)} cells")
        self.path = path
        self.command, comma, remark = self.command.partition(", built as ")  # of the benchmark on the host
        self.built = [f"built as {remark}"] if comma else []

    def machine(self):
        context, commit = self.context, self.commit
        parts = [self.device]
        parts += [f"driver {context['driver']}"] if "driver" in context else []
        parts += [f"{context['threads']} threads"] if "threads" in context else []
        parts += [f"{PEERS.get(name, name)} {version}" for name, version in context.get("versions", {}).items()]
        parts += [f"oneTBB {context['tbb']}"] if "tbb" in context else []
        parts += [f"commit {commit}" if re.fullmatch(r"[0-9a-f]{7,40}", commit) else f"commit \"{commit}\""]
        parts = [", ".join(parts), *self.built, f"`perf/baselines/{self.path.name}`", context["unit"]]
        return wrapped("; ".join(parts) + ":")


def wrapped(text, indent=""):
    return textwrap.fill(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) + "\n"


# ---- what cells are, by their names ----

def extents(cell):
    return [int(extent) for extent in cell.words[2].split("x")]


def is_large_array(cell):
    return math.prod(extents(cell)) >= LARGE


def is_segments(cell, kind, type_name="f64"):
    """Segments of a large array, of equal lengths or another kind."""
    return cell.words[1] == type_name and int(cell.words[2]) >= LARGE and cell.words[3] == kind


def mean(cell):
    return int(cell.words[4]) if len(cell.words) > 4 else int(cell.words[2])


def is_long_segments(cell):
    if is_segments(cell, "one"):
        return cell.words[0] != "sum"  # which has a bar of its own
    return is_segments(cell, "equal") and mean(cell) >= 64


def scan_of(cell):
    """The type and the logarithm of a scan of one array; nothing for other cells."""
    match = re.fullmatch(r"(?:sum|max) (\w+) 2\^(\d+)", cell.name)
    return (match[1], int(match[2])) if match else ("", -1)


def longest_scan(*type_names):
    return lambda cell: scan_of(cell)[0] in type_names and scan_of(cell)[1] == 28


def part_length(cell):
    """Elements of a sum on each GPU; none of other cells."""
    return int(cell.words[2]) if cell.words[0] == "sum" else None


def is_part(cell, most):
    return part_length(cell) is not None and part_length(cell) <= most


def is_staged(cell):
    """From pinned memory, over two GPUs."""
    return cell.words[0] == "staged" and cell.words[1] == "f64" and cell.words[-1] == "2"


# ---- bars ----

def three_digits(reached, limit):
    """A fourth digit where three would read like the limit that is missed."""
    return f"{reached:.4f}" if reached != limit and round(reached, 3) == limit else f"{reached:.3f}"


def share(limit, of):
    """The rate, as a share of a read or a copy of the same bytes."""
    def judge(cell):
        reached = cell.us[of] / cell.own
        return reached >= limit, three_digits(reached, limit)

    return judge


def times(limit, of, title):
    """The time, as a multiple of another's."""
    def judge(cell):
        reached = cell.own / cell.us[of]
        return reached <= limit, f"{three_digits(reached, limit)} times {title}"

    return judge


def behind(cell):
    noise = ", within the noise" if 1 <= cell.ratio() <= NOISE else ""
    return f"{three_digits(cell.ratio(), 1)} times the time of {PEERS[cell.best]}{noise}"


def is_ahead(cell):
    return cell.ratio() < 1, behind(cell)


def is_not_behind(cell):
    return cell.ratio() <= 1, behind(cell)


def slower(limit, peer):
    """A peer's time, as a multiple of ours."""
    def judge(cell):
        reached = cell.us[peer] / cell.own
        return reached >= limit, f"{PEERS[peer]} takes {three_digits(reached, limit)} times as long"

    return judge


def like_equal_lengths(cell):
    equal = cell.others[cell.name.replace("power", "equal")]
    reached = cell.own / equal.own
    return reached <= 1.15, f"{three_digits(reached, 1.15)} times equal lengths"


def adds_little(key):
    """What each further GPU adds."""
    return lambda cell: (cell.us[key] <= 1, f"{cell.us[key]:.2f} us")


def like_all_reduce(cell):
    added = cell.us["further"] - cell.us["nccl"]
    return added <= 10, f"{added:.0f} us behind"


def has_peer(cell):
    return cell.best is not None


def has_equal(cell):
    return cell.words[1] == "f64" and cell.words[3] == "power" and cell.name.replace("power", "equal") in cell.others


def of_copy(limit, text, *type_names):
    return Bar(f"scans of 2^28 {text}: at least {limit} of a copy", f"{limit} of copy", longest_scan(*type_names), share(limit, "read"))


OF_AXES = [
    Bar(f"sides of {SIDE} and more: at least 0.90 of read", "0.90 of read",
        lambda cell: is_large_array(cell) and min(extents(cell)) >= SIDE, share(0.90, "read")),
    Bar("ahead of PyTorch, CuPy and JAX", "ahead", lambda cell: is_large_array(cell) and has_peer(cell), is_ahead, is_listed=False),
]
OF_HOST_AXES = [
    Bar(f"sides of {SIDE} and more: at least 0.90 of read", "0.90 of read", lambda cell: min(extents(cell)) >= SIDE, share(0.90, "read")),
    Bar("ahead of NumPy and OpenBLAS", "ahead", has_peer, is_ahead, is_listed=False),
]
OF_SEGMENTS = [
    Bar("f64, mean length 64 and more: at least 0.90 of read", "0.90 of read", is_long_segments, share(0.90, "read")),
    Bar("f64, mean length 16: at least 0.70 of read", "0.70 of read",
        lambda cell: (is_segments(cell, "equal") or is_segments(cell, "holes")) and mean(cell) == 16, share(0.70, "read")),
    Bar("f64, length 1: at least 0.40 of read", "0.40 of read", lambda cell: is_segments(cell, "equal") and mean(cell) == 1,
        share(0.40, "read")),
    Bar("f64, one segment of all: within 3 % of one sum", "3 % of one sum",
        lambda cell: is_segments(cell, "one") and cell.words[0] == "sum", times(1.03, "read", "one sum")),
    Bar("f64, power law: within 15 % of equal lengths", "15 % of equal lengths", has_equal, like_equal_lengths),
    Bar("1000 segments of 100: at most 1.3 times one sum", "1.3 times one sum", lambda cell: cell.name == "sum f64 100000 equal 100",
        times(1.3, "read", "one sum")),
    Bar("ahead of CUB and PyTorch", "ahead", has_peer, is_ahead, is_listed=False),
]
OF_SPMV = [Bar("not behind cuSPARSE's fastest algorithm", "not behind", has_peer, is_not_behind)]
OF_SCANS = [
    of_copy(0.93, "f64", "f64"),
    of_copy(0.88, "f32 and i32", "f32", "i32"),
    of_copy(0.85, "elements of 16 bits", "f16", "bf16", "i16", "u16"),
    of_copy(0.75, "u8", "u8"),
    Bar("scans of any length: not behind CUB", "not behind", lambda cell: scan_of(cell)[0] != "" and has_peer(cell), is_not_behind),
    Bar("scans to 2^14: CUB takes at least 1.2 times as long", "1.2 times CUB's rate",
        lambda cell: 0 <= scan_of(cell)[1] <= 14 and has_peer(cell), slower(1.2, "cub")),
    Bar("selections: not behind CUB", "not behind", lambda cell: cell.words[0] == "select" and has_peer(cell), is_not_behind),
]
OF_HOST_SCANS = [
    Bar("2^24 and more: at least 0.90 of a copy", "0.90 of copy", lambda cell: scan_of(cell)[1] >= 24, share(0.90, "copy")),
    Bar("ahead of oneTBB", "ahead of oneTBB", lambda cell: "tbb" in cell.us, times(1, "tbb", "the time of oneTBB")),
]
OF_PARTS = [
    Bar("to 2^16: at most 1.0 us for each further GPU", "1.0 us a further GPU", lambda cell: is_part(cell, 1 << 16), adds_little("further")),
    Bar("to 2^16, by plans: at most 1.0 us for each further GPU", "1.0 us by plans", lambda cell: is_part(cell, 1 << 16),
        adds_little("further_plan")),
    Bar("2^28: at most 1.005 of one GPU's time", "1.005 of one GPU", lambda cell: part_length(cell) == 1 << 28,
        times(1.005, "one", "one GPU")),
    Bar("to 2^20: CUB and NCCL take at least 2.5 times as long", "2.5 times", lambda cell: is_part(cell, 1 << 20) and has_peer(cell),
        slower(2.5, "textbook")),
    Bar("never behind CUB and NCCL", "not behind", has_peer, is_not_behind),
    Bar("spans: further GPUs add at most 10 us more than NCCL's all-reduce", "10 us behind NCCL", lambda cell: "nccl" in cell.us, like_all_reduce),
    Bar("host data over two GPUs: at least 1.8 times one", "1.8 times one", is_staged, share(1.8, "one")),
]
FAMILIES = {
    "axes": Family("Axes", "read", "of read", OF_AXES),
    "host_axes": Family("Axes on the host", "read", "of read", OF_HOST_AXES),
    "segments": Family("Segments", "read", "of read", OF_SEGMENTS),
    "spmv": Family("Sparse matrix times vector", "read", "of read", OF_SPMV),
    "keys": Family("Reductions by key", "read", "of read", [], has_all=True),
    "spans": Family("Spans", "read", "of read", [], has_all=True),
    "scans": Family("Scans and selections", "read", "of copy", OF_SCANS),
    "host_scans": Family("Scans on the host", "copy", "of copy", OF_HOST_SCANS),
    "parts": Family("Parts on several GPUs", "one", "of one GPU", OF_PARTS),
}


OF_HOST = {"host_axes": ["host-axes-serial.json", "xeon16-axes-all.json"], "host_scans": ["host-scans.json"]}


def measurements(name):
    """Of a family, in the order of the files' names."""
    if name in OF_HOST:
        return [Measurement(BASELINES / file) for file in OF_HOST[name]]
    paths = sorted(path for path in BASELINES.glob(f"*-{name}.json") if not path.name.startswith("host-"))
    if not paths:
        raise Bad(f"{BASELINES}: there is no file *-{name}.json")
    return [Measurement(path) for path in paths]


@dataclasses.dataclass
class Verdict:
    """A bar beside a file: the cells that meet it, and the others with their figures."""

    family: Family
    machine: str
    bar: Bar
    met: list[str]
    missed: dict[str, str]

    def counts(self):
        return [str(len(self.met) + len(self.missed)), str(len(self.met)), str(len(self.missed))]


def verdict_of(family, measured, bar):
    machine = measured.path.name.split("-")[0] + (", 1 thread" if "-serial" in measured.path.name else "")
    verdict = Verdict(family, machine, bar, [], {})
    for cell in filter(bar.names, measured.cells.values()):
        is_met, figure = bar.judge(cell)
        if is_met:
            verdict.met.append(cell.name)
        else:
            verdict.missed[cell.name] = figure
    return verdict


def verdicts():
    return [verdict_of(family, measured, bar) for name, family in FAMILIES.items() for measured in measurements(name)
            for bar in family.bars]


# ---- tables ----

def summary():
    """For each family: bars that all of their cells meet, bars that some miss, and the cells."""
    sums = {}
    for verdict in verdicts():
        row = sums.setdefault((verdict.family.title, verdict.machine), [0] * 5)
        row[0 if verdict.missed else 1 if verdict.met else 2] += 1
        row[3] += len(verdict.met)
        row[4] += len(verdict.missed)
    rows = [["family", "machine", "bars met", "bars missed", "not measured", "cells met", "cells missed"]]
    rows += [[title, machine, *(str(row[k]) for k in (1, 0, 2, 3, 4))] for (title, machine), row in sums.items()]
    total = [sum(row[k] for row in sums.values()) for k in (1, 0, 2, 3, 4)]
    return f"Of {sum(total[:3])} bars {total[0]} are met, {total[1]} are missed, {total[2]} are not measured.\n\n" + rows_text(rows)


def bars():
    """For each bar: how many cells it names, and how many of these meet it."""
    rows = [["family", "machine", "bar", "", "cells", "met", "missed"]]
    for verdict in verdicts():
        state = "missed" if verdict.missed else "met" if verdict.met else "not measured"
        rows.append([verdict.family.title, verdict.machine, verdict.bar.text, state, *verdict.counts()])
    return rows_text(rows)


def missed_text(missed):
    """Cells of one operation and type stand together; an array that is also that of the cell before is left out."""
    groups = {}
    for name, figure in missed.items():
        words = name.split()
        operation, rest = (words[:2], words[2:]) if len(words) > 2 else (words, [])
        groups.setdefault((operation[-1], operation[0]), []).append((rest, figure.replace(", within the noise", "*")))
    texts = []
    for last, first in sorted(groups, key=lambda key: TYPES.index(key[0]) if key[0] in TYPES else len(TYPES)):
        listed, before = [], None
        for rest, figure in groups[last, first]:
            shown = rest[1:] if len(rest) > 2 and rest[0] == before else rest
            before = rest[0] if rest else None
            listed.append(" ".join([*shown, f"({figure})"]))
        texts.append(f"{first} {last}{':' if before else ''} {', '.join(listed)}")
    return "; ".join(texts)


def missed():
    """Every cell that misses a bar, with its figure; a star marks what is within the noise."""
    text = ""
    for verdict in verdicts():
        if verdict.missed:
            listed = missed_text(verdict.missed).replace("times the time of ", "x ").replace("*", "\\*")
            text += wrapped(f"- **{verdict.family.title}, {verdict.machine}; {verdict.bar.text}.** {listed}", "  ")
    return text or "No cell misses a bar.\n"


def time_text(us):
    return f"{us:.2f}" if us < 10 else f"{us:.1f}"


def cell_row(family, cell):
    """A cell's figures and, in words, its bars; then whether a table that is not of all cells has it."""
    judged = [(bar, *bar.judge(cell)) for bar in family.bars if bar.names(cell)]
    is_behind = has_peer(cell) and cell.ratio() > 1
    words = [f"{bar.label}: {'met' if is_met else f'missed: {figure}'}" for bar, is_met, figure in judged]
    if not words:
        words = ["no bar"] + ([f"{PEERS[cell.best]} is ahead"] if is_behind else [])
    mark = "**" if has_peer(cell) and cell.ratio() > NOISE else ""
    peer = [PEERS[cell.best], time_text(cell.us[cell.best]), f"{mark}{cell.ratio():.3f}{mark}"] if has_peer(cell) else [""] * 3
    row = [cell.name, time_text(cell.own), *peer, f"{cell.us[family.reference] / cell.own:.3f}", "; ".join(words)]
    return row, is_behind or any(bar.is_listed or not is_met for bar, is_met, _ in judged)


def cells(name):
    """All tables of a family, with the commands that repeat them."""
    family, texts = FAMILIES[name], []
    for measured in measurements(name):
        made = [cell_row(family, cell) for cell in measured.cells.values()]
        rows = [row for row, is_shown in made if is_shown or family.has_all]
        heading = ["cell", "Upsweep, us", "best peer", "its us", "ratio", family.share_title, "bar"]
        rest = len(made) - len(rows)
        more = f"\n{rest} further cells are not in this table: no peer is ahead, and no other bar names them.\n" if rest else ""
        texts.append(f"{measured.machine()}\n{rows_text([heading, *rows])}{more}\n{command_text(measured.command)}")
    return "\n".join(texts)


TABLES = {"families_summary": summary, "families_bars": bars, "families_missed": missed}
TABLES.update({f"families_{name}": lambda name=name: cells(name) for name in FAMILIES})


def table(name):
    if name not in TABLES:
        raise Bad(f"there is no table {name}")
    return TABLES[name]()


def main(arguments):
    try:
        if len(arguments) == 2 and arguments[0] == "--table":
            print(table(arguments[1]), end="")
        elif len(arguments) == 2 and arguments[0] == "--write":
            path = pathlib.Path(arguments[1])
            path.write_text(filled(path, TABLE, table))
        elif len(arguments) >= 2 and arguments[0] == "--check":
            return max(check(path, filled(path, TABLE, table), PROGRAM) for path in map(pathlib.Path, arguments[1:]))
        else:
            print(__doc__, file=sys.stderr)
            return 2
    except (Bad, OSError) as error:
        print(f"family_tables.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
