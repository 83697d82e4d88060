#!/usr/bin/env python3
"""usw's other commands: version, help, info, explain, and programs beside it.

usage: commands.py USW"""

import json
import os
import pathlib
import shutil
import sys

from harness import Bench

ROOT = pathlib.Path(__file__).resolve().parents[2]


def version_and_help(bench):
    header = (ROOT / "include/upsweep/version.h").read_text().split()
    numbers = [header[header.index(f"USW_VERSION_{part}") + 1] for part in ("MAJOR", "MINOR", "PATCH")]
    bench.equal(f"usw (Upsweep) {'.'.join(numbers)}\n", bench.run(command="--version").stdout.decode(), "--version")
    text = bench.run(command="help").stdout.decode()
    for command in ("reduce", "info", "explain"):
        bench.check(f"\n  {command} " in text, f"help lists {command}")
        one = bench.run(command, command="help")
        bench.check(one.returncode == 0 and one.stdout.startswith(f"Usage: usw {command}".encode()), f"help {command}")
        bench.equal(one.stdout, bench.run("--help", command=command).stdout, f"{command} --help")


def info(bench):
    run = bench.run("--json", command="info")
    facts = json.loads(run.stdout)
    bench.check(facts["openmp_runtime"].startswith("/") and facts["host_threads"] >= 1, f"info: {facts}")
    has_gpu_images = "sm_" in facts["images"] or "gfx" in facts["images"]
    bench.equal(not has_gpu_images, any("USW_GPU_ARCHS=sm_90" in line for line in facts["missing"]), "no GPU image is said")
    bench.equal(not facts["driver_file"], any("libcuda.so.1 cannot be loaded" in line for line in facts["missing"]),
                "no driver is said")
    text = bench.run(command="info").stdout.decode()
    for line in facts["missing"]:
        bench.check(f"missing        {line}" in text, f"info: {line}")
    for device in facts["devices"]:
        bench.check(f"device {device['number']:<4}  {device['target']}, image {device['image']}" in text, f"{device}")
    shown = bench.run("--environment", command="info", environment={**os.environ, "USW_TEAMS": "17"}).stdout.decode()
    bench.check("USW_TEAMS=17\n" in shown and "USW_PLACE=" in shown, "info --environment")
    warned = bench.run(command="info", environment={**os.environ, "USW_WAIT": "never"})
    bench.check(warned.stderr.startswith(b"usw: warning: USW_WAIT=never is not"), "a bad environment value")


def explain(bench):
    arguments = ["--op=sum", "--type=f32", "--n=2^20"]
    facts = json.loads(bench.run(*arguments, "--format=json", command="explain").stdout)
    bench.equal(("sum_f32", "host", "host", 4 << 20), tuple(facts[k] for k in ("kernel", "target", "strategy", "bytes")),
                "explain")
    bench.check(abs(facts["error_bound"] / (facts["chain_length"] * 2**-24) - 1) < 1e-12, "bound and chain")
    text = bench.run(*arguments, command="explain").stdout.decode()
    bench.check(f"longest chain  {facts['chain_length']} operations\n" in text, f"explain: {text}")
    exact = bench.run("--op=dot", "--type=i32", "-n", "64M", command="explain").stdout.decode()
    bench.check("dot_i32" in exact and "the result is exact" in exact, f"explain: {exact}")
    equal = [bench.run("-n", n, command="explain").stdout for n in ("1048576", "2^20", "1M", "1024K")]
    bench.check(len(set(equal)) == 1, "ways to write a number")


def beside(bench):
    """usw X runs libexec/upsweep/usw-X of its own prefix, whatever the current folder."""
    for folder in ("bin", "libexec/upsweep"):
        (bench.root / folder).mkdir(parents=True)
    shutil.copy(bench.program, bench.root / "bin/usw")
    script = bench.root / "libexec/upsweep/usw-hello"
    script.write_text('#!/bin/sh\necho "hello $*"\nexit 7\n')
    script.chmod(0o755)
    bench.program = str(bench.root / "bin/usw")
    run = bench.run("a", "b", command="hello")
    bench.equal((7, b"hello a b\n"), (run.returncode, run.stdout), "usw hello")
    script.chmod(0o644)
    bench.fails(says=("usw-hello", "Permission denied"), command="hello")
    bench.fails(says="there is no such command", command="../upsweep/usw-hello")


def main(program):
    bench = Bench(program)
    version_and_help(bench)
    info(bench)
    explain(bench)
    beside(bench)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
