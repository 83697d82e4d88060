#!/usr/bin/env python3
"""Applies mutations of mutations.toml, one at a time, and asks the quick tests to notice.

    tests/mutations/run.py [--random N [--seed S]] [--list] [--check] [--report FILE] [NAME ...]

For each mutation: change the file, build what the expected test needs, run that test. If it passes, build everything and run
the quick tier up to the first failure. The file is put back in any case; after an interruption by the next run.
--check asks only whether every mutation still fits its file. Exit status: 0, or 1 where one survives or does not fit.
Without names and --random all run, which takes an hour or two."""

import argparse
import contextlib
import json
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
import tomllib
import xml.sax.saxutils as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRESETS = ("quick-asan", "quick")
SAVED = ROOT / "build/mutations"  # files as they were, while they are changed
SECONDS = 300  # of one test: some mutations hang


def listed():
    return tomllib.loads((ROOT / "tests/mutations/mutations.toml").read_text())["mutation"]


def misfits(mutations):
    """What is wrong with the list."""
    names = [mutation["name"] for mutation in mutations]
    yield from (f"{name} is listed twice" for name in sorted({name for name in names if names.count(name) > 1}))
    for mutation in mutations:
        count = (ROOT / mutation["file"]).read_text().count(mutation["before"])
        if count != 1:
            yield f"{mutation['name']}: {mutation['file']} has its text {count} times"
        if mutation["before"] == mutation["after"]:
            yield f"{mutation['name']} changes nothing"


def put_back():
    for saved in SAVED.rglob("*"):
        if saved.is_file():
            (ROOT / saved.relative_to(SAVED)).write_bytes(saved.read_bytes())
            saved.unlink()


@contextlib.contextmanager
def applied(mutation):
    path, saved = ROOT / mutation["file"], SAVED / mutation["file"]
    saved.parent.mkdir(parents=True, exist_ok=True)
    text = path.read_text()
    saved.write_text(text)
    try:
        path.write_text(text.replace(mutation["before"], mutation["after"]))
        yield
    finally:
        put_back()


def run(*command):
    """(exit status, output)"""
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace", stdin=subprocess.DEVNULL)
    return result.returncode, result.stdout


def configured(preset):
    folder = ROOT / "build" / preset
    if not (folder / "build.ninja").exists():
        status, output = run("cmake", "--preset", preset)
        if status:
            sys.exit(f"{output}\npreset {preset} cannot be configured")
    return folder


def targets_of(preset, pattern):
    """The build's files that the matching tests run; none: they need all of the build."""
    folder = configured(preset)
    listing = json.loads(run("ctest", "--test-dir", str(folder), "-R", f"^({pattern})$", "--show-only=json-v1")[1])
    words = [word for test in listing["tests"] for word in test.get("command", [])]
    names = {word.removeprefix(f"{folder}/") for word in words if word.startswith(f"{folder}/")}
    return sorted(name for name in names if re.search(r"(^|/)(tests|perf|bin)/[\w-]+$", name) or name.endswith((".so", "/usw.1")))


def build(preset, targets=()):
    """What is wrong, or None."""
    configured(preset)
    status, output = run("cmake", "--build", "--preset", preset, *(("--target", *targets) if targets else ()))
    errors = [line for line in output.splitlines() if re.search(r"error|FAILED|undefined", line)]
    return (errors or ["?"])[0] if status else None


def failed_test(preset, *arguments):
    """The first test that fails, or None."""
    status, output = run("ctest", "--preset", preset, "--timeout", str(SECONDS), "--stop-on-failure", "--no-tests=error",
                         *arguments)
    failed = re.findall(r"^\s*\d+ - (\S+) \(", output, re.MULTILINE)
    return (failed or ["?"])[0] if status else None


def killer(mutation):
    """(the test that notices, or None; why it did not build, or None)"""
    preset, _, pattern = mutation["kill"].partition(":")
    if pattern:
        why = build(preset, targets_of(preset, pattern))
        killed = not why and failed_test(preset, "-R", f"^({pattern})$")
        if why or killed:
            return killed and f"{preset}: {killed}", why
    for preset in PRESETS:
        why = build(preset)
        killed = not why and failed_test(preset, "--parallel", "2")
        if why or killed:
            return killed and f"{preset}: {killed}", why
    return None, None


def judge(mutation):
    """Whether the mutation is killed; prints a line."""
    started = time.monotonic()
    with applied(mutation):
        killed, why = killer(mutation)
    verdict = f"killed by {killed}" if killed else f"DOES NOT BUILD: {why}" if why else "SURVIVES"
    print(f"{time.monotonic() - started:6.0f} s  {mutation['name']}: {verdict}", flush=True)
    return bool(killed), verdict


def write_report(path, verdicts):
    """As CTest does, for scripts/checks/summary.py."""
    cases = "".join(
        f'<testcase name={xml.quoteattr("mutations." + name)} status="{"run" if killed else "fail"}">'
        + ("" if killed else f"<failure message={xml.quoteattr(verdict)}/>") + "</testcase>\n"
        for name, (killed, verdict) in verdicts.items())
    path.write_text(f"<testsuite>\n{cases}</testsuite>\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--random", type=int, metavar="N", help="N mutations by chance")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--list", action="store_true", help="print names and faults")
    parser.add_argument("--check", action="store_true", help="only ask whether every mutation fits its file")
    parser.add_argument("--report", type=pathlib.Path, help="JUnit's XML")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    put_back()
    mutations = listed()
    wrong = list(misfits(mutations))
    for line in wrong:
        print(line)
    if wrong or arguments.check:
        print(f"{len(mutations)} mutations, {len(wrong)} do not fit")
        return 1 if wrong or not mutations else 0
    if arguments.list:
        for mutation in mutations:
            print(f"{mutation['name']}: {mutation['fault']} [{mutation['kill']}]")
        return 0
    chosen = [mutation for mutation in mutations if mutation["name"] in arguments.names]
    if len(chosen) < len(arguments.names):
        sys.exit("no such mutation: " + " ".join(set(arguments.names) - {mutation["name"] for mutation in chosen}))
    if not arguments.names:
        chosen = [mutation for mutation in mutations if mutation["kill"] != "full"]
    if arguments.random:
        print(f"seed {arguments.seed}")
        chosen = random.Random(arguments.seed).sample(chosen, arguments.random)
    verdicts = {mutation["name"]: judge(mutation) for mutation in chosen}
    killed = sum(killed for killed, _ in verdicts.values())
    print(f"{killed} of {len(verdicts)} mutations killed")
    if arguments.report:
        write_report(arguments.report, verdicts)
    return 0 if killed == len(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
