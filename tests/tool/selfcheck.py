#!/usr/bin/env python3
"""usw selfcheck: its command line, table and JSON; and that it finds the mistakes of a broken library.

usage: selfcheck.py USW BROKEN        BROKEN is usw-selfcheck over selfcheck_broken.c"""

import json
import pathlib
import re
import subprocess
import sys

from harness import Bench

BROKEN = {"sum f64": "4096", "max i32": "n=33", "min f64": "wrote behind its result", "norm1 f32": "bits of the run before",
          "bit_xor u8": "stride=2", "dot u8": "no memory for nothing at all"}
# By family, level, function and type.
BROKEN_FAMILIES = {
    ("axes", "compensated", "sum f64"): "n=8191", ("axes", "repeatable", "norm1 f64"): "n=8191",
    ("axes", "repeatable", "max u8"): "equal rows", ("segments", "repeatable", "min i32"): "n=8191",
    ("segments", "repeatable", "max i32"): "empty segment", ("by_key", "repeatable", "bit_or u8"): "runs",
    ("by_key", "repeatable", "bit_and u8"): "key of the run", ("by_key", "repeatable", "max f64"): "wrote behind its results",
    ("scan", "repeatable", "sum f32"): "bits of the run before", ("scan", "repeatable", "max u8"): "stride=2",
    ("scan", "repeatable", "bit_xor u8"): "wrote behind its results",
    **{("by_key", level, "norm2 f64"): "no memory for nothing at all" for level in ("repeatable", "compensated", "reproducible")}}
FAMILIES = ("axes", "segments", "by_key", "scan")


def selfcheck(bench, *arguments):
    return bench.run(*arguments, command="selfcheck")


def refused(bench, *arguments, says):
    run = selfcheck(bench, *arguments)
    lines = run.stderr.decode().splitlines()
    bench.check(run.returncode == 2 and not run.stdout and len(lines) == 1 and says in lines[0], f"{arguments}: {run.returncode}, {lines}")


def errors(bench):
    for option, word, what in (("place", "moon", "place"), ("functions", "sum,add", "function"), ("types", "f65", "type"),
                               ("types", "", "type"), ("strategies", "tree,,host", "strategy"),
                               ("families", "single,rows", "family")):
        wrong = word.split(",")[1] if "," in word else word
        refused(bench, f"--{option}={word}", says=f"--{option}: '{wrong}' is no {what}")
    refused(bench, "--moon", says="--moon")
    refused(bench, "host", says="'host' is no option")
    refused(bench, "--levels=O2", says="belong to --compiler")
    run = selfcheck(bench, "--place=host", "--functions=dotc", "--types=f64")
    bench.check(run.returncode == 2 and b"no such functions" in run.stderr, f"dotc of f64: {run.returncode}")
    devices = json.loads(bench.run("--json", command="info").stdout)["devices"]
    if all(device["target"] == "x86_64" for device in devices):
        run = selfcheck(bench, "--place=gpu")
        bench.check(run.returncode == 77 and b"no place 'gpu'" in run.stderr, f"--place=gpu: {run.returncode}")
    run = selfcheck(bench, "--quick", "--place=host", "--types=b8", "--json=no/a.json")
    bench.check(run.returncode == 1 and b"no/a.json" in run.stderr, "a file that cannot be written")
    with open("/dev/full", "wb") as full:
        run = subprocess.run([bench.program, "selfcheck", "--quick", "--place=host", "--types=b8", "--families=single"], stdout=full,
                             stderr=subprocess.PIPE, check=False)
    bench.equal((1, b"usw-selfcheck: the results could not be written\n"), (run.returncode, run.stderr), "a full disk")


def table(bench):
    run = selfcheck(bench, "--quick", "--place=host", "--types=f64,u8", "--functions=sum,max,any", "--verbose",
                    "--families=single", "--json=a.json")
    text = run.stdout.decode()
    bench.check(run.returncode == 0 and not run.stderr, f"{run.returncode}, {run.stderr.decode()}")
    document = json.loads((bench.root / "a.json").read_text())
    context = document["context"]
    for key in ("date", "host", "driver", "upsweep", "commit", "compiler"):
        bench.check(f"{key:12} {context[key]}\n" in text, f"{key} in the text")
    bench.equal([("host", "host")], [(place["place"], place["target"]) for place in document["places"]], "places")
    upper = {grade["accuracy"]: grade for grade in document["grades"] if grade["accuracy"] != "repeatable"}
    found = {(grade["kernel"], grade["type"]): grade for grade in document["grades"] if grade["accuracy"] == "repeatable"}
    bench.equal({"compensated", "reproducible"}, set(upper), "upper levels, of what rounds")
    for level, grade in upper.items():
        bench.equal(("sum", "f64", 0, 0), tuple(grade[k] for k in ("kernel", "type", "wrong_cases", "changed_bits")), level)
        bench.check(grade["verdict"] in ("exact", "within") and grade["most_of_bound"] <= 1, f"{grade}")
        bench.check(re.search(rf"^host +host {level} +f64 +1 ", text, re.M), f"the line of {level}: {text}")
    bench.equal({(f, t) for f in ("sum", "max", "any") for t in ("f64", "u8")}, set(found), "grades")
    for (kernel, tag), grade in found.items():
        bench.equal("within" if (kernel, tag) == ("sum", "f64") else "exact", grade["verdict"], f"{kernel}_{tag}")
        bench.check(grade["cases"] > 50 and grade["wrong_cases"] == 0 and grade["changed_bits"] == 0, f"{grade}")
        bench.check(re.search(rf"^  host +host +{kernel}_{tag} +{grade['verdict']} ", text, re.M), f"{kernel}_{tag} in the text")
    total = found["sum", "f64"]
    bench.check(0.5 <= total["ulp"] < total["bound_ulp"] and 0 < total["most_of_bound"] < 1 and
                total["cancelling_ulp"] > 1e6 and total["bound_is_documented"], f"{total}")
    bench.check(re.search(r"^host +host +f64 +3 +2 +1 +0 +0 ", text, re.M), f"the line of f64: {text}")
    bench.check(text.endswith("8 grades, 0 wrong\n"), "the last line")


def families(bench):
    """Of each family what it has, at each level; and the options that choose families."""
    run = selfcheck(bench, "--quick", "--place=host", "--types=f64,u8", "--functions=sum,max,dot", "--json=a.json")
    text = run.stdout.decode()
    bench.check(run.returncode == 0 and not run.stderr, f"{run.returncode}, {run.stderr.decode()}, {text}")
    grades = [grade for grade in json.loads((bench.root / "a.json").read_text())["grades"] if grade["family"] != "single"]
    found = {(g["family"], g["accuracy"], f"{g['kernel']} {g['type']}") for g in grades}
    pairs = {f: ("dot f64",) if f in ("axes", "segments") else () for f in FAMILIES}
    expected = {(f, "repeatable", f"{name} {tag}") for f in FAMILIES for name in ("sum", "max") for tag in ("f64", "u8")}
    expected |= {(f, "repeatable", f"dot {tag}") for f in ("axes", "segments") for tag in ("f64", "u8")}
    expected |= {(f, level, name) for f in FAMILIES for level in ("compensated", "reproducible") for name in ("sum f64", *pairs[f])
                 if (f, level) != ("scan", "reproducible")}
    bench.equal(expected, found, "what families have")
    for grade in grades:
        bench.check(grade["verdict"] in ("exact", "within") and grade["wrong_cases"] == 0 and grade["changed_bits"] == 0 and
                    grade["cases"] >= 5 and grade["bound_is_documented"], f"{grade}")
    bench.check(re.search(r"^host +scan +f64 +2 ", text, re.M) and re.search(r"^host +axes reproducible +f64 +2 ", text, re.M), text)
    whole = selfcheck(bench, "--place=host", "--types=u8", "--functions=max", "--families=by_key,scan", "--json=a.json")
    chosen = json.loads((bench.root / "a.json").read_text())["grades"]
    bench.equal((0, {"by_key", "scan"}), (whole.returncode, {grade["family"] for grade in chosen}), "two families")
    bench.check(all(grade["cases"] > 100 and grade["verdict"] == "exact" for grade in chosen), f"{chosen}")
    run = selfcheck(bench, "--quick", "--place=host", "--families=axes", "--strategies=tree")
    bench.check(run.returncode == 2 and b"no such functions" in run.stderr, f"a strategy that families have not: {run.returncode}")


def mistakes_of_families(bench, grades, text):
    wrong = {(g["family"], g["accuracy"], f"{g['kernel']} {g['type']}"): g["why"] for g in grades
             if g["family"] != "single" and g["verdict"] == "wrong"}
    bench.equal(set(BROKEN_FAMILIES), set(wrong), "what is broken of families")
    for (family, level, name), why in BROKEN_FAMILIES.items():
        bench.check(why in wrong.get((family, level, name), ""), f"{family} {name}: '{why}' in '{wrong.get((family, level, name))}'")
        line = f"WRONG host {family}{'' if level == 'repeatable' else ' ' + level} {name.replace(' ', '_')}, "
        bench.check(line in text, f"{line}: not in the table")


def mistakes(bench, broken):
    path = bench.root / "broken.json"
    run = subprocess.run([broken, "--quick", "--place=host", f"--json={path}"], capture_output=True, text=True)
    grades = json.loads(path.read_text())["grades"]
    all_wrong = [grade for grade in grades if grade["verdict"] == "wrong"]
    bench.check(run.stdout.endswith(f"{len(grades)} grades, {len(all_wrong)} wrong\n"), "the last line of the broken one")
    mistakes_of_families(bench, grades, run.stdout)
    all_wrong = [grade for grade in all_wrong if grade["family"] == "single"]
    wrong = {f"{grade['kernel']} {grade['type']}": grade["why"] for grade in all_wrong if grade["accuracy"] == "repeatable"}
    upper = {f"{grade['kernel']} {grade['type']}" for grade in all_wrong if grade["accuracy"] != "repeatable"}
    bench.equal({"sum f64", "norm1 f32"}, upper, "what is broken at the upper levels")
    bench.equal((1, set(BROKEN)), (run.returncode, set(wrong)), "what is broken")
    for name, why in BROKEN.items():
        bench.check(why in wrong.get(name, ""), f"{name}: '{why}' in '{wrong.get(name)}'")
        line = f"WRONG host host {name.replace(' ', '_')}, "
        bench.check(line in run.stdout, f"{line}: not in the table")


def main(program, broken):
    bench = Bench(str(pathlib.Path(program).resolve()))
    errors(bench)
    table(bench)
    families(bench)
    mistakes(bench, broken)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
