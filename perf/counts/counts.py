#!/usr/bin/env python3
"""Counts the instructions of Upsweep's calls under valgrind and compares them with the committed baseline: a guard for
machines whose clocks nobody can trust.

usage: counts.py SUITE PROGRAM [--write] [--baseline FILE] [--cases FILE]

cases.json has the suites. Only our own objects count: the program, the library, its device images. What other objects
(libc, libomp, libomptarget) do is theirs and differs between their versions; what counts of them is how often we call
them, function by function. Suites with "lengths" give instructions per item: the difference between two lengths.

--write puts the suite's counts into the baseline. Exit status: 0; 1 where a case is past a limit; 2 when it could not
count; 77 where the baseline does not hold: without valgrind, with another compiler, without the place or the level."""

import argparse
import collections
import datetime
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BASELINE = HERE.parent / "baselines/counts-x86_64.json"
CALLS = 4  # COUNTS_CALLS of calls.h
# A case is slower past both limits. An instruction is an instruction, but compilers of one version are patched.
MOST_RATIO = 1.03
MOST_MORE = {"call": 20, "item": 0.005}
MOST_MORE_CALLS = {"call": 0.01, "item": 0.001}
FUNCTIONS_SHOWN = 5

# The C library has a function for every kind of processor; memcpy is the same code as memmove.
VARIANT = re.compile(r"^_*((?:mem|str|wcs)[a-z]+?)_(?:avx|sse|evex|ssse|erms|generic|unaligned|chk).*$")
ALIASES = {"memcpy": "memmove", "mempcpy": "memmove"}

Count = collections.namedtuple("Count", "instructions calls functions")


def stop(text, status=2):
    print(f"counts.py: {text}" if status == 2 else text)
    sys.exit(status)


def plain_name(name):
    """A function's name without its version, its recursion, its file's number and the kind of processor it is for."""
    name = re.sub(r"'\d+$|@.*$|^__omp_offloading_[0-9a-f]+_[0-9a-f]+_", "", name)
    variant = VARIANT.match(name)
    name = variant[1] if variant else name
    return ALIASES.get(name, name)


def is_own(path, program):
    """Our objects: the program, the library, device images, which libomptarget loads from files of its own, and ???: jumps
    into other objects of which valgrind does not know that they are just that."""
    name = pathlib.Path(path).name
    return name in (program.name, "???") or name.startswith(("libupsweep", "tmpfile_"))


def read_dump(path, program):
    """What the calls of one case cost in our objects, per call, and which functions of others they called."""
    functions, calls = collections.Counter(), collections.Counter()
    here = callee_object = function = callee = ""
    inclusive = False
    for line in path.read_text().splitlines():
        key, _, value = line.partition("=")
        if key == "ob":
            here = value
        elif key == "fn":
            function, callee_object = value, ""
        elif key == "cob":
            callee_object = value
        elif key == "cfn":
            callee = value
        elif key == "calls":
            if is_own(here, program) and not is_own(callee_object or here, program):
                calls[plain_name(callee)] += int(value.split()[0])
            callee_object, inclusive = "", True
        elif line[:1].isdigit() or line[:1] in "+-*":
            cost = line.split()[1:]  # none: 0
            if cost and not inclusive and is_own(here, program):
                functions[plain_name(function)] += int(cost[0])
            inclusive = False
    return Count(functions.total() / CALLS, {name: count / CALLS for name, count in calls.items()},
                 {name: count / CALLS for name, count in functions.items()})


def environment(level):
    own = {name: text for name, text in os.environ.items() if not name.startswith(("USW_", "OMP_", "KMP_"))}
    return own | {"OMP_NUM_THREADS": "1", "OMP_TEAMS_THREAD_LIMIT": "1", "OMP_WAIT_POLICY": "passive",
                  "CUDA_VISIBLE_DEVICES": "", "USW_HOST_ISA": level}


def count(program, place, level, cases):
    """Name of each case -> its count."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "counts"
        # The function runs twice for each case: numbers of calls, which valgrind takes all the time, begin at a dump.
        watched = [f"--{option}=counted_calls" for option in ("toggle-collect", "dump-after")]
        watched += ["--toggle-collect=run_stub"]  # launches on the x86_64 device, in a thread of the library's
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--compress-strings=no",
                   "--compress-pos=no", *watched, str(program), "--place", place, *cases]
        done = subprocess.run(command, text=True, capture_output=True, env=environment(level))
        if done.returncode:
            lines = [line for line in done.stderr.splitlines() if not line.startswith("==")]
            stop(f"{program.name} ended with {done.returncode}: {' '.join(lines[-3:])}")
        if level not in done.stdout.split():
            stop(f"skipped: valgrind's processor has no level {level}, it ran {done.stdout.strip()}", 77)
        dumps = [pathlib.Path(f"{out}.{2 * k}") for k in range(1, len(cases) + 1)]
        if not all(dump.exists() for dump in dumps):
            stop(f"valgrind wrote {sum(dump.exists() for dump in dumps)} counts of {len(cases)}")
        return {case: read_dump(dump, program) for case, dump in zip(cases, dumps)}


def context_of(program, level):
    done = subprocess.run([str(program), "--context"], text=True, capture_output=True, env=environment(level))
    if done.returncode:
        stop(f"{program.name} --context ended with {done.returncode}: {done.stderr.strip()}")
    context = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    context["compiler"] = re.match(r"\w+ [\d.]+", context["compiler"])[0]
    return context


def cases_of(suite, program):
    """Names of the suite's calls, and of its functions where it has instructions per item."""
    if "lengths" not in suite:
        return suite["calls"], []
    listed = subprocess.run([str(program), "--list"], text=True, capture_output=True, check=True).stdout.split()
    functions = [name for name in listed if name.split(".")[1] in suite["types"]
                 and name.split(".")[0] in suite.get("functions", name)]
    return [case_of(suite, name, n) for name in functions for n in suite["lengths"]], functions


def case_of(suite, name, n):
    return ".".join(["reduce", name, str(n), *suite.get("strategy", "").split()])


def per_item(few, many, items):
    def difference(a, b):
        return {name: (b.get(name, 0) - a.get(name, 0)) / items for name in a.keys() | b.keys()}
    return Count((many.instructions - few.instructions) / items, difference(few.calls, many.calls),
                 difference(few.functions, many.functions))


def measure(suite, program):
    cases, functions = cases_of(suite, program)
    counts = count(program, suite["place"], suite["level"], cases)
    if not functions:
        return counts, "call"
    few, many = suite["lengths"]
    return {name: per_item(counts[case_of(suite, name, few)], counts[case_of(suite, name, many)], many - few)
            for name in functions}, "item"


def stored(count):
    entry = {"instructions": round(count.instructions, 4)}
    calls = {name: round(times, 4) for name, times in sorted(count.calls.items()) if round(times, 4)}
    return entry | ({"calls": calls} if calls else {})


def write(path, name, counts, context):
    """The suite takes its place beside the others that were counted with the same compiler."""
    known = {name: context[name] for name in ("compiler", "flags")}
    versions = {"valgrind": subprocess.run(["valgrind", "--version"], text=True, capture_output=True).stdout.strip(),
                "libc": " ".join(platform.libc_ver()), "date": datetime.date.today().isoformat()}
    document = json.loads(path.read_text()) if path.exists() else {"context": {}, "suites": {}}
    if {key: document["context"].get(key) for key in known} != known:
        if document["suites"]:
            print(f"another compiler or other flags: {', '.join(document['suites'])} have to be written again")
        document["suites"] = {}
    document["context"] = known | versions
    document["suites"][name] = {case: stored(count) for case, count in counts.items()}
    document["suites"] = dict(sorted(document["suites"].items()))
    text = json.dumps(document, indent=1)
    text = re.sub(r"\{\s+(\"instructions\"[^{}]*(?:\{[^{}]*\})?)\s*\}",
                  lambda match: "{" + re.sub(r"\s+", " ", match[1]).strip() + "}", text)
    path.write_text(text + "\n")
    print(f"{len(counts)} cases of {name} are in {path.name}")


def changes(now, then, unit):
    """(is it worse, what it is) for a case against the baseline."""
    before, after = then["instructions"], now.instructions
    text = f"{after:.6g} instructions per {unit}, {before:.6g} in the baseline ({100 * (after / before - 1):+.1f} %)"
    if after > before * MOST_RATIO and after - before > MOST_MORE[unit]:
        most = sorted((item for item in now.functions.items() if item[1] > 0), key=lambda item: -item[1])[:FUNCTIONS_SHOWN]
        yield True, f"{text}; most in {', '.join(f'{name} {count:.6g}' for name, count in most)}"
    elif before > after * MOST_RATIO and before - after > MOST_MORE[unit]:
        yield False, text
    calls = then.get("calls", {})
    for name in sorted(now.calls.keys() | calls.keys()):
        more = now.calls.get(name, 0) - calls.get(name, 0)
        if abs(more) > MOST_MORE_CALLS[unit]:
            yield more > 0, (f"calls {name} {now.calls.get(name, 0):.4g} times per {unit}, "
                             f"{calls.get(name, 0):.4g} in the baseline")


def compare(counts, baseline, unit):
    worse = better = 0
    for case, now in counts.items():
        if case not in baseline:
            worse += 1
            print(f"NEW {case}: not in the baseline; write it by --write")
            continue
        for is_worse, text in changes(now, baseline[case], unit):
            worse, better = worse + is_worse, better + (not is_worse)
            print(f"{'WORSE' if is_worse else 'better'} {case}: {text}")
    for case in baseline.keys() - counts.keys():
        worse += 1
        print(f"GONE {case}: in the baseline only")
    print(f"{len(counts)} cases, {worse} worse, {better} better than the baseline")
    if better:
        print("better ones are not guarded before the baseline has them: refresh it by --write")
    return 1 if worse else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite")
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--baseline", type=pathlib.Path, default=BASELINE)
    parser.add_argument("--cases", type=pathlib.Path, default=HERE / "cases.json")
    arguments = parser.parse_args()
    suite = json.loads(arguments.cases.read_text()).get(arguments.suite)
    if not suite:
        stop(f"{arguments.cases.name} has no suite {arguments.suite}")
    if not shutil.which("valgrind"):
        stop("skipped: no valgrind, which counts instructions", 77)
    context = context_of(arguments.program, suite["level"])
    if suite["place"] not in context["places"].split():
        stop(f"skipped: there is no {suite['place']} here", 77)
    if not arguments.write:
        document = json.loads(arguments.baseline.read_text())
        for what in ("compiler", "flags"):
            if document["context"][what] != context[what]:
                stop(f"skipped: the baseline's {what}: {document['context'][what]}; here: {context[what]}", 77)
    counts, unit = measure(suite, arguments.program.absolute())
    if arguments.write:
        return write(arguments.baseline, arguments.suite, counts, context)
    return compare(counts, document["suites"].get(arguments.suite, {}), unit)


if __name__ == "__main__":
    sys.exit(main())
