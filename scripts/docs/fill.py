#!/usr/bin/env python3
"""Fills tables into Markdown files: what stands between `<!-- table: NAME -->` and `<!-- end of table -->`.

The tables come from the programs usw_doc_tables and usw_doc_support, which ask the library; help_X, what the tool beside them says
of its command X, is filled into copies only; ladder_X and its plot from
perf/baselines/X-bench-ladder.csv and .svg, strategies_X from perf/baselines/X-bench-strategies.json; bench and bench_ratios
are those of perf/tables.py, families_X those of perf/family_tables.py,
ranks_X those of perf/apps/ranks/tables_ranks.py.

usage: fill.py FOLDER_OF_PROGRAMS --out FOLDER PAGES      writes a filled copy of a folder of pages
       fill.py FOLDER_OF_PROGRAMS --write FILE...        fills the files themselves
       fill.py FOLDER_OF_PROGRAMS --check FILE...        fails if a file has other text in its tables
"""

import csv
import difflib
import json
import pathlib
import re
import subprocess
import sys

TABLE = re.compile(r"(<!-- table: (\w+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)
ROOT = pathlib.Path(__file__).resolve().parents[2]
BASELINES = ROOT / "perf/baselines"
LABEL = re.compile(r"\A# (.*) \{#(\w+)\}\n")  # of a page, as Doxygen writes them
RUNS = ("i8 i16 i32 i64", "u8 u16 u32 u64")


class Tables:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def ask(self, program, *arguments):
        """The program's output; the caller's environment would show in it."""
        return subprocess.run([self.folder / program, *arguments], env={}, text=True, check=True,
                              stdout=subprocess.PIPE).stdout

    def help(self, command):
        tool = self.folder.parents[1] / "bin/usw"
        if not tool.exists():
            return "The tool was not built.\n"
        return f"```text\n{subprocess.run([tool, command, '--help'], text=True, check=True, stdout=subprocess.PIPE).stdout}```\n"

    def text(self, name):
        if name.startswith("ladder_"):
            return ladder(BASELINES / f"{name.removeprefix('ladder_').replace('_', '-')}-bench-ladder.csv")
        if name.startswith("strategies_"):
            return strategies(BASELINES / f"{name.removeprefix('strategies_')}-bench-strategies.json")
        if name.startswith("bench"):
            return of_measurements("tables.py", name)
        if name.startswith("families_"):
            return of_measurements("family_tables.py", name)
        if name.startswith("ranks_"):
            return of_measurements("apps/ranks/tables_ranks.py", name)
        if name.startswith("help_"):
            return self.help(name.removeprefix("help_"))
        if name == "support":
            return self.ask("usw_doc_support")
        if name == "environment":
            return environment(self.ask("usw_doc_tables", name))
        if name == "calls":
            return calls(self.ask("usw_doc_tables", "functions"))
        return self.ask("usw_doc_tables", name)


def of_measurements(program, name):
    """A table that a program of perf writes."""
    return subprocess.run([BASELINES.parent / program, "--table", name], text=True, check=True, stdout=subprocess.PIPE).stdout


def environment(help_text):
    """usw_environment_help() as a table."""
    rows = re.findall(r"^(USW_\w+)=\n    (.*); ([^;]*) \(default (.*)\)$", help_text, re.MULTILINE)
    if len(rows) != help_text.count("\n    "):
        sys.exit("fill.py: usw_environment_help() has lines of another form")
    lines = ["| variable | values | default | meaning |", "|---|---|---|---|"]
    for name, meaning, values, standard in rows:
        values = re.sub(r"([<>])", r"\\\1", values)
        lines.append(f"| `{name}` | {values} | `{standard}` | {meaning} |")
    return "\n".join(lines) + "\n"


def calls(functions):
    """The table of functions with one row for all that have the same types."""
    head, _, *rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in functions.splitlines()]
    names = {}
    for row in rows:
        tags = " ".join(tag for tag, result in zip(head[3:], row[3:]) if result)
        for run in RUNS:
            first, *_, last = run.split()
            tags = tags.replace(run, f"{first}..{last}")
        names.setdefault(tags.replace(" ", ", "), []).append(row[0])
    lines = ["| functions | element types |", "|---|---|"]
    return "\n".join(lines + [f"| {', '.join(name)} | {tags} |" for tags, name in names.items()]) + "\n"


def ladder(path):
    """The best entry of each rung, and the plot."""
    if not path.exists():
        return f"Not measured yet: there is no `{path.name}` in `perf/baselines`.\n"
    text = path.read_text().splitlines()
    facts = dict(line[2:].split(": ", 1) for line in text if line.startswith("# "))
    where = facts["device"] + (f", {facts['host_threads']} threads" if facts["place"] == "host" else "")
    lines = [f"{where}, n = {facts['n']}, commit {facts['commit']}: `{facts['command']}`", "",
             "| rung | | team size | k | launches | us | GB/s | share |", "|---|---|---|---|---|---|---|---|"]
    for row in csv.DictReader(line for line in text if not line.startswith("#")):
        if row["is_best"] == "1":
            lines.append(f"| {row['rung']} | {row['title']} | {row['team_size']} | {row['k']} | {row['launches']} | "
                         f"{row['median_us']} | {row['gb_per_s']} | {100 * float(row['share_of_own']):.0f} % |")
    return "\n".join(lines) + f"\n\n![Plot of the ladder](/{path.with_suffix('.svg').relative_to(ROOT)})\n"


def strategies(path):
    """Times of every strategy, a line for a kernel and a strategy, a column for a number of items."""
    if not path.exists():
        return f"Not measured yet: there is no `{path.name}` in `perf/baselines`.\n"
    run = json.loads(path.read_text())
    context, results = run["context"], run["results"]
    lengths = sorted({row["n"] for row in results})
    rows = {}
    for row in results:
        rows.setdefault((row["kernel"], row["type"], row["competitor"]), {})[row["n"]] = row
    heads = [f"2^{n.bit_length() - 1}" if n > 1 and n & (n - 1) == 0 else str(n) for n in lengths]
    lines = [f"{context['device']}, driver {context['driver']}, commit {context['commit']}, microseconds (medians): "
             f"`{context['command']}`", "", f"| kernel | strategy | {' | '.join(heads)} | GB/s |",
             "|---" * (len(lengths) + 3) + "|"]
    for (kernel, kind, competitor), times in rows.items():
        cells = [f"{times[n]['median_us']:.1f}" if n in times else "" for n in lengths]
        last = times.get(lengths[-1])
        lines.append(f"| {kernel} {kind} | {competitor} | {' | '.join(cells)} | {last['gb_per_s']:.0f} |" if last else "")
    return "\n".join(line for line in lines if line or line is lines[1]) + "\n"


def filled(path, tables, copy=False):
    def text(match):
        return match[3] if match[2].startswith("help_") and not copy else tables.text(match[2])

    return TABLE.sub(lambda match: match[1] + text(match) + match[4], path.read_text())


def check(path, tables):
    old, new = path.read_text(), filled(path, tables)
    sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), str(path), "the library"))
    if old != new:
        print(f"{path} is not what the library says: scripts/docs/fill.py FOLDER_OF_PROGRAMS --write {path}")
    return old != new


def write_pages(target, source, tables):
    """Filled pages, in the same folders; beside them links to the folders of this tree that pages take files from."""
    for path in sorted(source.rglob("*")):
        copy = target / path.relative_to(source)
        if path.is_dir():
            copy.mkdir(parents=True, exist_ok=True)
            continue
        copy.write_text(LABEL.sub(r"(\2)=\n# \1\n", filled(path, tables, copy=True)))
    for folder in ("perf", "tests"):
        (target / folder).symlink_to(ROOT / folder)


def main(arguments):
    if len(arguments) < 3 or arguments[1] not in ("--out", "--write", "--check"):
        print(__doc__, file=sys.stderr)
        return 2
    tables, what, files = Tables(arguments[0]), arguments[1], [pathlib.Path(name) for name in arguments[2:]]
    if what == "--check":
        return max(check(path, tables) for path in files)
    if what == "--out":
        files[0].mkdir(parents=True, exist_ok=True)
        write_pages(*files, tables)
        return 0
    for path in files:
        path.write_text(filled(path, tables))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
