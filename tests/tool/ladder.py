#!/usr/bin/env python3
"""usw bench ladder: what it refuses, and what its files hold.

usage: ladder.py USW"""

import csv
import json
import pathlib
import sys

from harness import Bench

RUNGS = ("0", "1", "2", "3", "4", "lecture", "usw_sum", "usw_dot")
RUNGS_OF_SCANS = ("s0", "s1", "s2", "s3", "s4", "s5", "usw_scan")
QUICK = ("--place=host", "--repetitions=1", "--team-sizes=32,1024", "--k=1,8")


def ladder(bench, *arguments, **more):
    return bench.run("ladder", *arguments, command="bench", **more)


def refused(bench, *arguments, says):
    """One line that names what is wrong, exit code 2."""
    run = ladder(bench, *arguments)
    lines = run.stderr.decode().splitlines()
    bench.check(run.returncode == 2 and not run.stdout and len(lines) == 1 and says in lines[0],
                f"{arguments}: {run.returncode}, {lines}")


def fails(bench, *arguments, says, code=1, **more):
    run = ladder(bench, *arguments, **more)
    lines = run.stderr.decode().splitlines()
    bench.check(run.returncode == code and len(lines) == 1 and says in lines[0], f"{arguments}: {run.returncode}, {lines}")
    return run


def errors(bench):
    for size in ("0", "many", "12x", "2^", "2^62", "1e-1", "18446744073709551616", ""):
        refused(bench, size, says=f"'{size}' is no size")
    refused(bench, "5", "6", says="'6'")
    for option, word in (("team-sizes", "48"), ("team-sizes", "2048"), ("team-sizes", "32,32"), ("k", "0"), ("k", "1025"),
                         ("k", "1,,2"), ("k", ",".join(map(str, range(1, 18)))), ("place", "moon"),
                         ("repetitions", "none"), ("work-group-load", "0"), ("work-group-load", "2^32")):
        wrong = {"32,32": "32", "1,,2": ""}.get(word, word.split(",")[-1])
        refused(bench, f"--{option}={word}", "1000", says=f"'{wrong}' is no ")
    refused(bench, "--moon", says="--moon")
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


def scans(bench, n):
    """The ladder of scans: every rung, and what it launches."""
    run = ladder(bench, "--scans", *QUICK, str(n), "--csv=s.csv")
    bench.check(run.returncode == 0 and not run.stderr, f"scans of {n}: {run.returncode}, {run.stderr.decode()}")
    rows = rows_of(bench.root / "s.csv")[1]
    bench.equal([(r, s, k) for r in RUNGS_OF_SCANS[:6] for s in (("32", "1024") if r != "s0" else ("32",)) for k in (("1", "8") if r in ("s4", "s5") else ("1",))],
                [(row["rung"], row["team_size"], row["k"]) for row in rows[:-1]], "entries of scans")
    bench.equal("usw_scan", rows[-1]["rung"], "the library's scan")
    for row in rows:
        bench.check(row["wrong_results"] == "0", f"{row}")
        size = int(row["team_size"]) * int(row["k"])
        first = {"s0": 1, "s1": -(-n // (size * 32))}.get(row["rung"], -(-n // max(size, 1)))
        bench.check(row["rung"] == "usw_scan" or first == int(row["teams"]), f"teams of {row}")
        bench.check(row["rung"] not in ("s0", "s5") or int(row["launches"]) == (1 if row["rung"] == "s0" else 2), f"launches of {row}")


def unwritable(bench):
    refused(bench, "--place=host", "--place=moon", says="'moon' is no place")
    fails(bench, *QUICK, "9", "--csv=no/a.csv", says="no/a.csv cannot be written")


def main(program):
    bench = Bench(str(pathlib.Path(program).resolve()))
    errors(bench)
    files(bench, 1, 256)
    files(bench, 100003, 256)
    files(bench, 100003, 1)
    scans(bench, 1)
    scans(bench, 100003)
    unwritable(bench)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
