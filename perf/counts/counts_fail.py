#!/usr/bin/env python3
"""Sees counts.py fail: against a baseline with fewer instructions, with fewer calls of others, without a case, with a case
more. And sees it tell what is better, and skip where the compiler is another one.

usage: counts_fail.py PROGRAM"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BASELINE = HERE.parent / "baselines/counts-x86_64.json"
SUITE = "calls"


def run(program, document, folder):
    baseline = pathlib.Path(folder) / "baseline.json"
    baseline.write_text(json.dumps(document))
    done = subprocess.run([HERE / "counts.py", SUITE, program, "--baseline", baseline], text=True, capture_output=True)
    return done.returncode, done.stdout + done.stderr


def expect(status, texts, got):
    missing = [text for text in texts if text not in got[1]]
    if got[0] == 77 and status != 77:
        print(got[1].strip())
        sys.exit(77)
    if got[0] != status or missing:
        print(f"exit status {got[0]}, not {status}; not seen: {missing}\n{got[1]}")
        sys.exit(1)
    print(f"seen: {', '.join(texts)}")


def main(program):
    document = json.loads(BASELINE.read_text())
    cases = document["suites"][SUITE]
    cases["typed.sum.f64.1"]["instructions"] *= 0.8
    cases["report.sum.f64.1"]["calls"]["clock_gettime"] -= 1
    cases["strided.sum.f64.1"]["instructions"] *= 1.2
    cases["elsewhere"] = cases.pop("set.sum.f64.1")
    with tempfile.TemporaryDirectory() as folder:
        expect(1, ["WORSE typed.sum.f64.1: ", "WORSE report.sum.f64.1: calls clock_gettime", "better strided.sum.f64.1: ",
                   "NEW set.sum.f64.1", "GONE elsewhere", "4 worse, 1 better"], run(program, document, folder))
        document["context"]["compiler"] = "another 1.0"
        expect(77, ["the baseline's compiler: another 1.0; here: "], run(program, document, folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
