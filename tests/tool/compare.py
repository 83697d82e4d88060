#!/usr/bin/env python3
"""usw bench --compare and --behind: on files made here. How often noise alone raises an alarm is unit.compare.

usage: compare.py USW"""

import json
import pathlib
import random
import sys

from harness import Bench

CELLS = [(kernel, kind, n) for kernel in ("sum", "min", "dot", "argmin") for kind in ("f64", "f32")
         for n in (1 << 10, 1 << 20, 1 << 28)]
TIMES = {1 << 10: 10.0, 1 << 20: 15.0, 1 << 28: 480.0}
ROUNDS = 60
FACTORS = {"read": 0.95, "cub": 1.02, "auto": 1.0}


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 else (values[middle - 1] + values[middle]) / 2


def entry(cell, competitor, times, **more):
    kernel, kind, n = cell
    times = [round(time, 4) for time in times]
    made = {"place": "gpu", "suite": "functions", "kernel": kernel, "type": kind, "n": n, "competitor": competitor,
            "peer": competitor != "auto", "bytes": 8 * n, "repetitions": len(times), "median_us": median(times),
            "gb_per_s": 8e-3 * n / median(times), "wrong_results": 0, "rounds_us": times}
    return {**made, **more}


def measurement(seed, slower=(), factor=1.0, competitors=tuple(FACTORS), cells=CELLS, rounds=ROUNDS, noise=0.02):
    """A run: a machine that is up to 10 % faster or slower than another one, memory that lies better or worse for each
    cell, rounds in which everybody is slow, calls that are noisy, and now and then one that takes twice its time."""
    chance = random.Random(seed)
    machine, results = chance.uniform(0.9, 1.1), []
    for cell in cells:
        rounds_of_all = [chance.lognormvariate(0, 0.05) for _ in range(rounds)]
        for competitor in competitors:
            time = TIMES[cell[2]] * FACTORS[competitor] * machine * chance.lognormvariate(0, 0.25 * noise)
            if competitor == "auto" and cell in slower:
                time *= factor
            times = [time * slow * chance.lognormvariate(0, noise) * (2 if chance.random() < 0.01 else 1)
                     for slow in rounds_of_all]
            results.append(entry(cell, competitor, times))
    return {"context": {"date": f"run {seed}", "device": "synthetic", "commit": str(seed)}, "results": results}


def save(bench, name, measured):
    return bench.write(name, json.dumps(measured).encode())


def compare(bench, before, after, *options, code):
    """The JSON of a comparison, and what it printed."""
    files = [save(bench, f"{name}.json", measured) for name, measured in (("before", before), ("after", after))]
    run = bench.run("--compare", *files, "--json", "out.json", *options, command="bench")
    bench.check(run.returncode == code and not run.stderr, f"exit code {code}: {run.returncode}, {run.stderr.decode()}")
    return json.loads((bench.root / "out.json").read_text()), run.stdout.decode()


def verdicts(compared, verdict):
    return {((s["kernel"], s["type"], s["n"]), s.get("reference")) for s in compared["shifts"] if s["verdict"] == verdict}


def same(bench):
    before = measurement(1)
    compared, text = compare(bench, before, before, code=0)
    bench.check(text.startswith(f"0 regressions, 0 improvements in {len(CELLS)} cells"), text)
    bench.check(all(s["p"] == 1 and s["change"] == 0 for s in compared["shifts"]), "p of the same file")
    bench.equal(2 * len(CELLS), len(compared["shifts"]), "shifts")


def slower(bench):
    """10 % at 2^28, 20 % at 2^10: found, each one and no other; the other way round they are improvements."""
    large, small = ("sum", "f64", 1 << 28), ("dot", "f32", 1 << 10)
    for cell, factor in ((large, 1.10), (small, 1.20)):
        before, after = measurement(1), measurement(2, slower=(cell,), factor=factor)
        compared, text = compare(bench, before, after, code=1)
        bench.equal({(cell, "read")}, verdicts(compared, "regression"), f"{cell}: regressions")
        bench.check(text.startswith("1 regressions, 0 improvements") and f"gpu    {cell[0]} " in text, text)
        bench.check("commit: \"1\" before, \"2\" after" in text, text)
        found = next(s for s in compared["shifts"] if s["verdict"] == "regression")
        bench.check(abs(found["change"] - (factor - 1)) < 0.03 and found["p"] < 1e-6, f"{found}")
        compared, _ = compare(bench, after, before, code=0)
        bench.equal({(cell, "read")}, verdicts(compared, "improvement"), f"{cell}: improvements")
    compared, _ = compare(bench, measurement(1), measurement(2, (small,), 1.07), code=0)  # within 12 %
    compared, _ = compare(bench, measurement(1), measurement(2, (small,), 1.07), "--limit", "4", code=1)
    bench.equal({(small, "read"), (small, "cub")}, verdicts(compared, "regression"), "--limit")
    compared, _ = compare(bench, measurement(1), measurement(2, (large,), 1.4), code=1)
    bench.equal({(large, "read"), (large, "cub")}, verdicts(compared, "regression"), "by every reference")


def forms(bench):
    """A peer in two forms counts by the faster one."""
    before, after = measurement(1, competitors=("auto", "cub")), measurement(2, competitors=("auto", "cub"))
    for measured in (before, after):
        for row in [row for row in measured["results"] if row["competitor"] == "cub"]:
            row["form"] = "poll"
            slow = [time * (3 if measured is after else 1.5) for time in row["rounds_us"]]
            measured["results"].append(entry((row["kernel"], row["type"], row["n"]), "cub", slow, form="spin"))
    compared, _ = compare(bench, before, after, code=0)
    bench.check(all(abs(s["ratio_after"] - 1 / 1.02) < 0.06 for s in compared["shifts"]), "the slower form")


def references(bench):
    """Cells without a reference are not judged, unless none has one; cells of one file only are counted."""
    before, after = measurement(1), measurement(2, CELLS, 1.5)
    lone = CELLS[0]
    for measured in (before, after):
        measured["results"] = [row for row in measured["results"] if row["competitor"] == "auto" or
                               (row["kernel"], row["type"], row["n"]) != lone]
    compared, text = compare(bench, before, after, code=1)
    bench.equal(1, compared["summary"]["cells_without_reference"], "a cell without")
    bench.check(lone not in {cell for cell, _ in verdicts(compared, "regression")} and "not judged: 1" in text, text)
    own = ("auto",)
    compared, text = compare(bench, measurement(1, competitors=own), measurement(2, CELLS[:1], 1.6, own), code=1)
    bench.equal({(lone, None)}, verdicts(compared, "regression"), "times where there are no references")
    bench.check("no reference in common" in text and compared["summary"]["without_references"], text)
    compared, text = compare(bench, measurement(1, cells=CELLS[:5]), measurement(2, cells=CELLS[2:]), code=0)
    bench.equal((3, 2, len(CELLS) - 5), tuple(compared["summary"][key] for key in
                                              ("cells_compared", "cells_only_before", "cells_only_after")), "only in one")


def medians(bench):
    """Files without rounds, or of rounds that do not belong together, are judged by medians; few rounds say nothing."""
    cell = ("sum", "f64", 1 << 28)
    before, after = measurement(1), measurement(2, (cell,), 1.2)
    for row in after["results"]:
        if row["competitor"] == "read":
            row["rounds_us"].append(1.0)
        elif row["competitor"] == "cub":
            del row["rounds_us"]
    compared, text = compare(bench, before, after, code=1)
    bench.equal(len(compared["shifts"]), compared["summary"]["by_medians"], "by medians")
    bench.equal({(cell, "read")}, verdicts(compared, "regression"), "by medians")
    bench.check("medians and limit alone" in text and not any("p" in s for s in compared["shifts"]), text)
    compared, text = compare(bench, measurement(1, rounds=4), measurement(2, CELLS, 1.5, rounds=4), code=0)
    bench.check("too few rounds" in text and compared["summary"]["too_few_rounds"] == len(compared["shifts"]), text)


def bad_files(bench):
    good = save(bench, "good.json", measurement(1))

    def changed(name, **more):
        measured = measurement(1)
        measured["results"][3].update(more)
        measured["results"][3] = {key: value for key, value in measured["results"][3].items() if value is not ...}
        return save(bench, f"{name}.json", measured)

    for path, says in ((str(bench.root / "none.json"), "cannot be read"),
                       (bench.write("text.json", b"time: 3"), "is no JSON"),
                       (bench.write("cut.json", pathlib.Path(good).read_bytes()[:999]), "is no JSON"),
                       (bench.write("list.json", b"[1, 2]"), "lacks 'context' or 'results'"),
                       (bench.write("other.json", b'{"context": 3, "results": []}'), "lacks 'context' or 'results'"),
                       (bench.write("empty.json", b'{"context": {}, "results": []}'), "has no results"),
                       (bench.write("number.json", b'{"context": {}, "results": [7]}'), "result 1"),
                       (changed("time", median_us="fast"), "result 4: 'median_us' is no number"),
                       (changed("zero", median_us=0), "'median_us' is out of range"),
                       (changed("missing", median_us=...), "'median_us' is missing"),
                       (changed("kernel", kernel=7), "'kernel' is no text"),
                       (changed("peer", peer="yes"), "'peer' is neither"),
                       (changed("n", n=-1), "'n' is"), (changed("half", n=1.5), "'n' is no length"),
                       (changed("huge", n=1e30), "'n' is no length"),
                       (changed("wrong", wrong_results=2), "'wrong_results' is not 0"),
                       (changed("rounds", rounds_us=5), "'rounds_us' is no list"),
                       (changed("round", rounds_us=[1, None]), "'rounds_us' is no list of times")):
        name = pathlib.Path(path).name
        bench.fails("--compare", good, path, says=(name, says), command="bench")
        bench.fails("--compare", path, good, says=(name, says), command="bench")
        bench.fails("--behind", path, says=(name, says), command="bench")
    strange = measurement(1)
    for row in strange["results"]:
        row["place"] = "moon"
    bench.fails("--compare", good, save(bench, "moon.json", strange), says="nothing of Upsweep's in common", command="bench")
    bench.fails("--compare", good, good, "--limit", "none", says="'none' is no percentage", command="bench")
    bench.fails("--compare", good, good, "--moon", says="'--moon'", command="bench")
    bench.fails("--list", "--compare", says="--compare and --behind have to be the first word", command="bench")
    bench.check(bench.run("--compare", good, command="bench").returncode == 2, "one file")


def behind(bench):
    measured = measurement(1, slower=CELLS[:2], factor=1.5, noise=0.001)
    path = save(bench, "behind.json", measured)
    lines = bench.run("--behind", path, command="bench").stdout.decode().splitlines()
    bench.equal(f"2 of {len(CELLS)} cells with a peer: a peer is ahead by more than 3 %", lines[0], "--behind")
    bench.equal([("sum", "f64", n) for n in ("2^10", "2^20")], sorted(tuple(line.split()[1:4]) for line in lines[2:]),
                "--behind")
    factors = [float(line.split()[4]) for line in lines[2:]]
    bench.check(factors == sorted(factors, reverse=True) and all(1.4 < f < 1.55 for f in factors), f"{factors}")


def many(bench):
    """10,000 entries take well under a second."""
    cells = [(f"kernel{k}", "f64", 1 << 20) for k in range(3334)]
    path = save(bench, "many.json", measurement(1, cells=cells, rounds=3))
    run = bench.run("--compare", path, path, command="bench", timeout=5)
    bench.check(run.stdout.startswith(b"0 regressions, 0 improvements in 3334 cells"), run.stdout.decode()[:200])


def main(program):
    bench = Bench(str(pathlib.Path(program).resolve()))
    for test in (same, slower, forms, references, medians, bad_files, behind, many):
        test(bench)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
