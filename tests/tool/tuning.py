#!/usr/bin/env python3
"""`usw tune` writes files that the library takes, and `usw explain` tells what they say.

usage: tuning.py USW BENCH_SIMT [device]      device: there is an x86_64 device"""

import json
import os
import subprocess
import sys

from harness import Bench

FUNCTIONS = (("sum", "f64", "repeatable"), ("min", "f64", "repeatable"), ("sum", "f32", "repeatable"),
             ("min", "i32", "repeatable"), ("sum", "u8", "repeatable"), ("max", "u8", "repeatable"),
             ("sum", "f16", "repeatable"), ("sum", "i16", "repeatable"), ("dot", "f64", "repeatable"),
             ("sum", "cf64", "repeatable"), ("dot", "cf64", "repeatable"), ("sum", "f64", "reproducible"),
             ("describe", "f64", "repeatable"), ("sum", "f32", "reproducible"), ("describe", "f32", "repeatable"))
BYTES = {"f64": 8, "f32": 4, "i32": 4, "u8": 1, "f16": 2, "i16": 2, "cf64": 16}


def explain(bench, *arguments, file=None):
    environment = {**os.environ, **({"USW_TUNING": file} if file else {})}
    run = bench.run("--format=json", *arguments, command="explain", environment=environment)
    if not bench.check(run.returncode == 0 and not run.stderr, f"explain {arguments}, {file}: {run.stderr.decode()}"):
        return {}
    return json.loads(run.stdout)


def entries_of(bench, text):
    """Entries and times of a file as dictionaries; the lines in front of them are seven."""
    lines = text.splitlines()
    bench.check(lines[0] == "upsweep-tuning 1" and lines[6].startswith("command usw-tune --place=") and lines[-1] == "end",
                f"{lines[:8]}, {lines[-1]}")
    kinds = {"entry": [], "time": []}
    for line in lines[7:-1]:
        kind, *words = line.split()
        kinds[kind].append(dict(word.split("=") for word in words))
    return kinds["entry"], kinds["time"]


def class_of(function, kind, *_):
    """As lib/policy/tuning.h has it: the accumulators of describe are over 48 bytes, and no team waits for them."""
    return BYTES[kind] * (2 if function == "dot" else 1), "large" if function == "describe" else "small"


def files(bench, place, at, minutes=0.05):
    """A few seconds of tuning, more where the machine is busy. Every function finds the times of its class."""
    name = str(bench.root / f"{place}.tuning")
    run = bench.run(f"--place={place}", f"--minutes={minutes}", f"--output={name}", command="tune", timeout=100)
    text = run.stdout.decode()
    bench.check(run.returncode == 0 and "cells measured" in text and f"USW_TUNING={name}" in text, f"{place}: {run}")
    bench.check("usw-tune: 1 of " in run.stderr.decode(), f"{place}: no progress in {run.stderr.decode()}")
    entries, times = entries_of(bench, open(name, encoding="utf-8").read())
    bench.check(f"; {len(entries)} entries" in text, f"{place}: {len(entries)} entries, told: {text.splitlines()[-2:]}")
    for entry in entries:
        bench.check(int(entry["ns"]) < 0.981 * int(entry["instead_ns"]), f"{place}: no gain in {entry}")
    for time in times:
        bench.check(time["results"] == "one" or time["strategy"] in ("host", "tree"), f"{place}: another strategy in {time}")
    many = {(int(time["item"]), time["results"]) for time in times if time["results"] != "one"}
    measured = {(int(time["item"]), time["accumulator"]): int(time["bytes"]) for time in times if time["results"] == "one"}
    if minutes < 1 and (len(many) < 4 or not {class_of(*function) for function in FUNCTIONS} <= measured.keys()):
        files(bench, place, at, 4 * minutes)
        return
    bench.check(len(measured) == 8 and many == {(item, results) for item in (4, 8) for results in ("axes", "segments")},
                f"{place}: only {measured} and {many}")
    for function, kind, accuracy in FUNCTIONS:
        item, size = class_of(function, kind)[0], measured[class_of(function, kind)]
        call = (f"--op={function}", f"--type={kind}", f"--accuracy={accuracy}", f"--n={size // item}", f"--place={at}")
        told, plain = explain(bench, *call, file=name), explain(bench, *call)
        bench.check(told["expected_us"] > 0 or told["rejected"], f"{place}, {call}: no times")
        bench.check(plain["expected_us"] == 0 and not plain["rejected"] and plain["instead_us"] == 0, f"{place}: {plain}")
    for entry in entries:
        if entry["results"] == "axes":
            told = explain(bench, "--axis=1", f"--shape={int(entry['at']) // int(entry['item']) // 1024}x1024", f"--place={at}",
                           f"--type=f{8 * int(entry['item'])}", file=name)
            bench.check(name in told["tuning_source"] and f" ns={entry['ns']} " in told["tuning_entry"], f"{entry}: {told}")
        if entry["results"] == "one" and entry["item"] == "8" and entry["accumulator"] == "small" and entry["asked"] in ("auto", "host"):
            told = explain(bench, f"--n={int(entry['at']) // 8}", f"--place={at}", file=name)
            bench.equal((entry["strategy"], int(entry["ns"]) / 1e3, int(entry["instead_ns"]) / 1e3, int(entry["at"])),
                        (told["strategy"], told["measured_us"], told["instead_us"], told["measured_bytes"]), f"{entry}")
            bench.check(name in told["tuning_source"], told["tuning_source"])


def text_of_explain(bench):
    """The lines that people read."""
    header = explain(bench, "--n=1")["tuning_header"]
    file = bench.write("a.tuning", (f"{header}driver 1\ndate 2\ncommand 3\n"
                       "entry asked=host item=8 accumulator=small from=1 to=9000000 strategy=host chunk=2097152 at=8388608 "
                       "ns=1500 instead_ns=2500 spread_ns=40\n"
                       "time item=8 accumulator=small bytes=8388608 strategy=host chunk=2097152 ns=1500 spread_ns=40\n"
                       "time item=8 accumulator=small bytes=8388608 strategy=host chunk=131072 ns=2500 spread_ns=40\n"
                       "entry asked=host item=8 accumulator=small results=axes from=1 to=9000000 strategy=host chunk=2097152 "
                       "at=8388608 ns=1500 instead_ns=2500 spread_ns=40\n"
                       "end\n").encode())
    run = bench.run("--n=2^20", command="explain", environment={**os.environ, "USW_TUNING": file})
    text = run.stdout.decode()
    for line in ("chunks         4, by at most ", "tuning entry   entry asked=host item=8 ", f"source         {file} (driver 1, date 2)\n",
                 "measured       1.500 us at 8388608 bytes, 0.040 us between quartiles, in place of 2.500 us\n",
                 "expected       1.500 us\n", "rejected       2.500 us: host, 64 chunks\n"):
        bench.check(f"\n{line}" in text, f"explain lacks '{line}': {text}")
    text = bench.run("--axis=1", "--shape=1024x1024", command="explain", environment={**os.environ, "USW_TUNING": file}).stdout.decode()
    for line in ("chunks         4, by at most ", "tuning entry   entry asked=host item=8 accumulator=small results=axes ",
                 f"source         {file} (driver 1, date 2)\n"):
        bench.check(f"\n{line}" in text, f"explain --axis lacks '{line}': {text}")
    warned = bench.run("--n=1", command="explain", environment={**os.environ, "USW_TUNING": "/no/file"})
    bench.check(warned.returncode == 0 and warned.stderr.startswith(b"usw: warning: USW_TUNING: /no/file: cannot be read: "),
                f"a file that is not there: {warned.stderr}")


def emulated(bench, program):
    """The way of GPUs: the emulated one has teams of threads."""
    name = str(bench.root / "simt.tuning")
    run = subprocess.run([program, "tune", "--place=simt", "--minutes=0.1", f"--output={name}"], capture_output=True, timeout=100)
    bench.check(run.returncode == 0, f"simt: {run}")
    _, times = entries_of(bench, open(name, encoding="utf-8").read())
    bench.equal({"tree", "host_finish", "multipass"}, {time["strategy"] for time in times}, "strategies")
    for kind in ("axes", "segments"):
        bench.check(len({time["teams"] for time in times if time["results"] == kind}) > 1, f"one number of teams for {kind}")
    bench.check(len({time["teams"] for time in times}) > 1, "one number of teams")


def errors(bench):
    for arguments, says in ((("--place=moon",), "'moon' is no place"), (("--minutes=0",), "'0' is no number of minutes"),
                            (("--minutes=soon",), "'soon' is no number"), (("--minutes=-1",), "'-1' is no number"),
                            (("--output=",), "'' is no name"), (("x",), "'x' is no option")):
        bench.fails(*arguments, says=says, command="tune")
    run = bench.run("--help", command="tune")
    bench.check(run.returncode == 0 and b"--minutes=M" in run.stdout, "--help")
    run = bench.run("--place=host", "--minutes=0.001", "--output=/no/folder/a", command="tune")
    bench.check(run.returncode == 1 and b"/no/folder/a cannot be written" in run.stderr, f"no folder: {run.stderr}")


def main(program, simt, device=""):
    bench = Bench(program)
    errors(bench)
    files(bench, "host", "host")
    if device:
        files(bench, "x86_64", "device")
    emulated(bench, simt)
    text_of_explain(bench)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
