#!/usr/bin/env python3
"""`usw report` of a ladder's CSV: the plot, and files that are none of a ladder.

usage: ladder_plot.py USW"""

import json
import pathlib
import re
import sys
import xml.etree.ElementTree

from harness import Bench, lacks_report_packages
from ladder import QUICK, rows_of


FIRST_MEDIAN = r"(\n0,.*?,32,1,\d+,\d+,[^,]*),[^,]*,"


def measure(bench, *arguments):
    run = bench.run("ladder", *QUICK, *arguments, command="bench")
    bench.check(run.returncode == 0 and not run.stderr, f"{arguments}: {run.returncode}, {run.stderr.decode()}")


def draw(bench, file, plot):
    run = bench.run(file, plot, command="report")
    bench.check(run.returncode == 0 and not run.stderr and not run.stdout, f"{plot}: {run.stderr.decode()}")


def texts_of(path):
    root = xml.etree.ElementTree.parse(path).getroot()
    return ["".join(element.itertext()).strip() for element in root.iter() if element.tag.endswith("}text")]


def plots(bench):
    """What a plot says is what the file holds."""
    measure(bench, "2^14", "--csv=it's.csv")
    draw(bench, "it's.csv", "it's.png")
    data = (bench.root / "it's.png").read_bytes()
    bench.check(data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 5000, f"it's.png: {data[:8]}, {len(data)} bytes")
    draw(bench, "it's.csv", "a.svg")
    facts, rows = rows_of(bench.root / "it's.csv")
    best = {row["rung"]: row for row in rows if row["is_best"] == "1"}
    shown = texts_of(bench.root / "a.svg")
    for title in (f"The ladder on {facts['device']}, n = 2^14 doubles (commit {facts['commit']})", "usw_sum", "usw_dot",
                  "0: interleaved, modulo", f"3: k items per thread, k = {best['3']['k']}",
                  f"4: unrolled, static team size, teams of {best['4']['team_size']}", "32", "1024", "8", "GB/s"):
        bench.check(title in shown, f"a.svg: no '{title}' in {shown}")
    names = re.findall(r'\bid="([^"]+)', (bench.root / "a.svg").read_text())
    bench.equal(2, sum(name.startswith("axes_") for name in names), "halves of the plot")


def of_scans(bench):
    """The plot of a ladder of scans."""
    measure(bench, "--scans", "2^14", "--csv=scans.csv")
    draw(bench, "scans.csv", "scans.svg")
    facts, rows = rows_of(bench.root / "scans.csv")
    best = {row["rung"]: row for row in rows if row["is_best"] == "1"}
    shown = texts_of(bench.root / "scans.svg")
    for title in (f"The ladder of scans on {facts['device']}, n = 2^14 doubles (commit {facts['commit']})", "usw_scan",
                  "s0: one work-item", f"s5: one launch, looking back, k = {best['s5']['k']}"):
        bench.check(title in shown, f"scans.svg: no '{title}' in {shown}")


def odd_texts(bench):
    """A device with letters that SVG and formulas have to hide; a length that is no power of two."""
    text = (bench.root / "it's.csv").read_text()
    text = re.sub(r"\n# device: .*", r"\n# device: A <b> & $co$", re.sub(r"\n# n: .*", "\n# n: 1000", text))
    draw(bench, bench.write("odd.csv", text.encode()), "odd.svg")
    shown = texts_of(bench.root / "odd.svg")
    bench.check(any(title.startswith("The ladder on A <b> & $co$, n = 1000 doubles") for title in shown), f"{shown}")


def bad_files(bench):
    text = (bench.root / "it's.csv").read_text()
    for name, changed, says in (("cut", text[:text.index("usw_dot,")], "not every rung"),
                                ("word", text.replace("\nlecture,", "\nlesson,"), "is no entry"),
                                ("number", re.sub(r"\n0,(.*?),32,1,", r"\n0,\1,32,one,", text), "is no entry"),
                                ("commit", text.replace("# commit", "# comment"), "lacks device, n or commit"),
                                ("length", re.sub(r"\n# n: .*", "\n# n: -1", text), "lacks device, n or commit"),
                                ("zero", re.sub(FIRST_MEDIAN, r"\1,0.00,", text), "is no entry"),
                                ("nan", re.sub(FIRST_MEDIAN, r"\1,nan,", text), "is no entry"),
                                ("size", re.sub(r"\n0,(.*?),32,1,", r"\n0,\1,33,1,", text), "is no entry"),
                                ("names", text.replace("median_us,", "middle_us,"), "is no entry"),
                                ("quote", text.replace('"coalesced"', '"coalesced'), "is no entry"),
                                ("wrong", re.sub(r",0(\r?\n)usw_dot", r",7\1usw_dot", text), "has wrong results")):
        bench.check(changed != text, f"{name}: the file was not changed")
        file = bench.write(f"{name}.csv", changed.encode())
        bench.fails(file, "bad.png", says=(f"{name}.csv", says), command="report")
        bench.check(not (bench.root / "bad.png").exists(), f"{name}: a plot")
    line = 1 + text[:text.index("\nlecture,") + 1].count("\n")
    bench.fails("word.csv", "bad.png", says=f"line {line} is no entry", command="report")


def errors(bench):
    bench.fails("none.csv", "bad.png", says="none.csv: cannot be read", command="report")
    bench.fails("it's.csv", "no/a.png", says="no/a.png: cannot be written", code=1, command="report")
    for arguments in (("a.pdf",), ("folder",), ("a.png", "--no-plots")):
        bench.fails("it's.csv", *arguments, says="a plot, which ends in .png or .svg", command="report")
    measure(bench, "9", "--json=ladder.json")
    bench.check("rung" in json.loads((bench.root / "ladder.json").read_text())["results"][0], "JSON of a ladder")
    bench.fails("ladder.json", "x", says=("ladder.json", "CSV"), command="report")


def main(program):
    reason = lacks_report_packages()
    if reason:
        print(reason)
        return 77
    bench = Bench(str(pathlib.Path(program).resolve()))
    plots(bench)
    of_scans(bench)
    odd_texts(bench)
    bad_files(bench)
    errors(bench)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
