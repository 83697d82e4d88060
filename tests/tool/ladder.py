#!/usr/bin/env python3
"""usw bench ladder: what it refuses, what its files hold, and its plots.

usage: ladder.py USW"""

import csv
import json
import os
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree

from harness import Bench

RUNGS = ("0", "1", "2", "3", "4", "lecture", "usw_sum", "usw_dot")
QUICK = ("--place=host", "--repetitions=1", "--team-sizes=32,1024", "--k=1,8")


def ladder(bench, *arguments, **more):
    return bench.run("ladder", *arguments, command="bench", **more)


def refused(bench, *arguments, says):
    """One line that names what is wrong, the usage, exit code 2."""
    run = ladder(bench, *arguments)
    lines = run.stderr.decode().splitlines()
    bench.check(run.returncode == 2 and not run.stdout and len(lines) == 2 and says in lines[0] and
                lines[1].startswith("usage: usw bench ladder"), f"{arguments}: {run.returncode}, {lines}")


def fails(bench, *arguments, says, code=1, **more):
    run = ladder(bench, *arguments, **more)
    lines = run.stderr.decode().splitlines()
    bench.check(run.returncode == code and len(lines) == 1 and says in lines[0], f"{arguments}: {run.returncode}, {lines}")
    return run


def errors(bench):
    for size in ("0", "many", "12x", "2^", "2^62", "1e6", "18446744073709551616", ""):
        refused(bench, size, says=f"'{size}' is no size")
    refused(bench, "5", "6", says="'6'")
    for option, word in (("team-sizes", "48"), ("team-sizes", "2048"), ("team-sizes", "32,32"), ("k", "0"), ("k", "1025"),
                         ("k", "1,,2"), ("k", ",".join(map(str, range(1, 18)))), ("place", "moon"), ("plot", "a.pdf"),
                         ("repetitions", "none"), ("work-group-load", "0"), ("work-group-load", "2^32")):
        wrong = {"32,32": "32", "1,,2": ""}.get(word, word.split(",")[-1])
        refused(bench, f"--{option}={word}", "1000", says=f"'{wrong}' is no ")
    refused(bench, "--moon", says="--moon")
    refused(bench, "--from-csv=a.csv", says="--plot")
    fails(bench, "2^35", "--place=host", says="no memory for 2 x 34359738368 doubles on host")
    devices = json.loads(bench.run("--json", command="info").stdout)["devices"]
    if all(device["target"] == "x86_64" for device in devices):
        fails(bench, "--place=gpu", says="no place 'gpu'", code=77)
    text = ladder(bench, "--help")
    bench.check(text.returncode == 0 and b"--work-group-load" in text.stdout and not text.stderr, "--help")


def rows_of(path):
    """The facts and the rows of a CSV file."""
    lines = path.read_text().splitlines()
    facts = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    return facts, list(csv.DictReader(line for line in lines if not line.startswith("#")))


def launches_of(row, n, load):
    """How many teams the first launch has, and how often is launched."""
    size, k, launches = int(row["team_size"]), int(row["k"]), 0
    first = None
    while launches == 0 or (n > load and row["rung"] != "lecture"):
        n = -(-(-(-n // k)) // size)
        first = first or n
        launches += 1
    return first, launches


def files(bench, n, load):
    run = ladder(bench, *QUICK, str(n), f"--work-group-load={load}", "--csv=a.csv", "--json=a.json")
    bench.check(run.returncode == 0 and not run.stderr, f"n = {n}: {run.returncode}, {run.stderr.decode()}")
    facts, rows = rows_of(bench.root / "a.csv")
    bench.equal((str(n), str(load), "host", "1"),
                tuple(facts[k] for k in ("n", "work_group_load", "place", "repetitions")), "facts")
    bench.check(facts["device"] and facts["commit"] and facts["command"].startswith("usw-bench ladder "), f"{facts}")
    bench.equal([(r, s, k) for r in RUNGS[:6] for s in ("32", "1024") for k in (("1", "8") if r in "34" else ("1",))],
                [(row["rung"], row["team_size"], row["k"]) for row in rows[:-2]], "entries")
    bench.equal(RUNGS[-2:], tuple(row["rung"] for row in rows[-2:]), "the library")
    for row in rows[:-2]:
        bench.equal(launches_of(row, n, load), (int(row["teams"]), int(row["launches"])), f"launches of {row}")
    for rung in RUNGS:
        own = [row for row in rows if row["rung"] == rung]
        best = min(float(row["median_us"]) for row in own)
        bench.equal([best], [float(row["median_us"]) for row in own if row["is_best"] == "1"], f"best of {rung}")
    for row in rows:
        reads = 2 if row["rung"] in ("lecture", "usw_dot") else 1
        bench.check(abs(n * 8 * reads / float(row["median_us"]) * 1e-3 - float(row["gb_per_s"])) <
                    0.06 + 0.1 * float(row["gb_per_s"]) and row["wrong_results"] == "0", f"{row}")
    table = run.stdout.decode().splitlines()
    bench.equal((len(rows) + 2, 8), (len(table), sum(line.startswith("*") for line in table)), "the table")
    entries = json.loads((bench.root / "a.json").read_text())["results"]
    bench.equal([(row["rung"], row["team_size"], row["k"], row["teams"]) for row in rows],
                [(e["rung"], str(e["team_size"]), str(e["k"]), str(e["teams"])) for e in entries], "JSON")


def bad_files(bench):
    text = (bench.root / "a.csv").read_text()
    for name, changed, says in (("cut", text[:text.index("usw_dot,")], "not every rung"),
                                ("word", text.replace("\nlecture,", "\nlesson,"), "is no entry"),
                                ("number", re.sub(r"\n0,(.*?),32,1,", r"\n0,\1,32,one,", text), "is no entry"),
                                ("commit", text.replace("# commit", "# comment"), "lacks device, n or commit"),
                                ("length", re.sub(r"\n# n: .*", "\n# n: -1", text), "lacks device, n or commit"),
                                ("zero", re.sub(r"(\n0,.*?,32,1,\d+,\d+,[^,]*),[^,]*,", r"\1,0.00,", text), "is no entry"),
                                ("nan", re.sub(r"(\n0,.*?,32,1,\d+,\d+,[^,]*),[^,]*,", r"\1,nan,", text), "is no entry"),
                                ("size", re.sub(r"\n0,(.*?),32,1,", r"\n0,\1,33,1,", text), "is no entry"),
                                ("wrong", re.sub(r",0(\r?\n)usw_dot", r",7\1usw_dot", text), "has wrong results")):
        path = bench.write(f"{name}.csv", changed.encode())
        fails(bench, f"--from-csv={path}", "--plot=bad.png", says=says, code=2)
        bench.check(not (bench.root / "bad.png").exists(), f"{name}: a plot")
    fails(bench, "--from-csv=none.csv", "--plot=bad.png", says="none.csv cannot be read", code=2)
    refused(bench, "--from-csv=a.csv", "--plot=bad.png", "--csv=b.csv", says="--plot and nothing else")
    refused(bench, "--from-csv=a.csv", "--plot=bad.png", "--place=host", says="--plot and nothing else")
    refused(bench, "--place=host", "--place=moon", says="'moon' is no place")
    fails(bench, *QUICK, "9", "--csv=no/a.csv", says="no/a.csv cannot be written")


def no_gnuplot(bench):
    """The CSV is there all the same."""
    run = fails(bench, *QUICK, "9", "--csv=b.csv", "--plot=b.png", says="no gnuplot",
                environment={**os.environ, "PATH": str(bench.root)})
    bench.check(run.stdout and len(rows_of(bench.root / "b.csv")[1]) == 18, "the CSV without gnuplot")


def plots(bench):
    run = ladder(bench, *QUICK, "2^14", "--csv=it's.csv", "--plot=it's.png", "--plot=a.svg")
    bench.check(run.returncode == 0 and not run.stderr, f"--plot: {run.stderr.decode()}")
    run = ladder(bench, "--from-csv=it's.csv", "--plot=again.svg", "--plot=again.png")
    bench.check(run.returncode == 0 and not run.stderr and not run.stdout, f"--from-csv: {run.stderr.decode()}")
    for name in ("it's.png", "again.png"):
        data = (bench.root / name).read_bytes()
        bench.check(data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 5000, f"{name}: {data[:8]}, {len(data)} bytes")
    facts, rows = rows_of(bench.root / "it's.csv")
    best = {row["rung"]: row for row in rows if row["is_best"] == "1"}
    titles = [f"The ladder on {facts['device']}, n = 2^14 doubles (commit {facts['commit']})", "usw_sum", "usw_dot",
              f"3: k items per thread, k = {best['3']['k']}", f"4: unrolled, static team size, teams of {best['4']['team_size']}"]
    for name in ("a.svg", "again.svg"):
        root = xml.etree.ElementTree.parse(bench.root / name).getroot()
        shown = ["".join(element.itertext()).strip() for element in root.iter() if element.tag.endswith("}text")]
        for title in titles:
            bench.check(title in shown, f"{name}: no '{title}' in {shown}")
    fails(bench, "--from-csv=it's.csv", "--plot=no/a.png", says="no/a.png cannot be written")


def main(program):
    bench = Bench(str(pathlib.Path(program).resolve()))
    errors(bench)
    files(bench, 1, 256)
    files(bench, 100003, 256)
    files(bench, 100003, 1)
    bad_files(bench)
    no_gnuplot(bench)
    if shutil.which("gnuplot"):
        plots(bench)
    else:
        print("no gnuplot: its plots were not looked at")
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
