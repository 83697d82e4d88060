#!/usr/bin/env python3
"""Files that are odd, and files that are wrong, in every format that `usw reduce` reads, each with its right answer.

usage: corpus.py USW FORMATS [MAKE_HDF5_CORPUS]

A case is (name, bytes of the file or its path or None, arguments, answer): the answer is the sum of the elements, a dictionary of the
sums of members, or the words of the one line that says what is wrong, with exit code 2. In arguments {} is the file."""

import concurrent.futures
import json
import os
import sys
import time

import corpus_hdf5
import corpus_npy
import corpus_npz
import corpus_raw
from harness import Bench

LEAST = 60  # of each format, good ones and bad ones


def run(bench, files, arguments):
    """{} of the arguments is all of the files."""
    words = [words for text in arguments or ["{}"] for words in (files if text == "{}" else [text])]
    return bench.run("--op=sum", "--format=json", *words)


def value_of(text):
    """The sum that the JSON has, those of its members, or what was printed."""
    try:
        found = json.loads(text)
        if "members" in found:
            return {each["sources"][0].rpartition(":")[2]: each["results"]["sum"]["value"] for each in found["members"]}
        return found["results"]["sum"]["value"]
    except (ValueError, KeyError):
        return text


def check(bench, label, answer, got):
    if not isinstance(answer, tuple):
        bench.check(got.returncode == 0 and value_of(got.stdout) == answer,
                    f"{label}: expected {answer}, got {got.returncode}, {got.stdout}, {got.stderr}")
        return
    lines = got.stderr.decode(errors="replace").splitlines()
    bench.check(got.returncode == 2 and not got.stdout and len(lines) == 1 and all(word in lines[0] for word in answer),
                f"{label}: expected one line with {answer} and exit code 2, got {got.returncode}, {got.stdout}, {lines}")


def open_pipe(pipe, reader):
    """The end that writes, once the other one is open; None where the reader ended before."""
    while not reader.done():
        try:
            return os.fdopen(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK), "wb")
        except OSError:
            time.sleep(0.005)
    return None


def growing(bench, pool):
    """A file that grows after it was looked at: the pipe before it is opened, and read, when all files have been."""
    for more, answer in (([], 15), (["--shape=3"], ("growing: ", "more data than its shape says"))):
        file, pipe = bench.write("growing", b"\1\2\4"), bench.root / "pipe"
        os.mkfifo(pipe)
        got = pool.submit(run, bench, [], ["--type=u8", *more, str(pipe), file])
        end = open_pipe(pipe, got)
        if end:
            with open(file, "ab") as grows:
                grows.write(b"\10")
            with end:
                end.write(b"\0\0\0")
        check(bench, f"a growing file {more}", answer, got.result())
        os.unlink(pipe)


def together(cases):
    """Lists of cases: good ones of one type and without further options are one, whose sums add up."""
    lists = {}
    for case in cases:
        name, _, arguments, answer = case
        is_plain = not isinstance(answer, (tuple, list, dict)) and len(arguments) == 2 and arguments[0].startswith("--type=")
        lists.setdefault(arguments[0] if is_plain and arguments[1] == "{}" else name, []).append(case)
    return list(lists.values())


def run_all(bench, pool, form, cases):
    files = {name: bench.write(f"{name}.{form}", data) if isinstance(data, bytes) else data for name, data, *_ in cases}
    lists = together(cases)
    runs = pool.map(lambda some: run(bench, [files[name] for name, *_ in some], some[0][2]), lists)
    for some, got in zip(lists, runs):
        total = sum(answer for *_, answer in some) if len(some) > 1 else None
        if total is not None and got.returncode == 0 and value_of(got.stdout) == total:
            bench.checks += len(some)
            continue
        for name, _, arguments, answer in some:  # which of them is it?
            one = got if len(some) == 1 else run(bench, [files[name]], arguments)
            check(bench, f"{form} {name} {arguments}", answer, one)
        if total is not None:
            bench.check(False, f"{form}: {[name for name, *_ in some]} together: expected {total}, got {got}")


def main(program, built, make=None):
    bench = Bench(program)
    os.environ["USW_THREADS"] = "1"  # starting threads takes longer than these files
    corpora = {"npy": corpus_npy.cases(), "raw": corpus_raw.cases(bench.root)}
    if "npz" in built.split():
        corpora["npz"] = corpus_npz.cases()
    if make:
        corpora["h5"] = corpus_hdf5.cases(bench.root, make)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for form, cases in corpora.items():
            cases = list(cases)
            good = sum(not isinstance(answer, tuple) for *_, answer in cases)
            bench.check(min(good, len(cases) - good) >= LEAST, f"{form}: {good} good files of {len(cases)}")
            names = [name for name, *_ in cases]
            bench.equal([], [name for name in names if names.count(name) > 1], f"{form}: names that come twice")
            run_all(bench, pool, form, cases)
            print(f"{form}: {good} good, {len(cases) - good} bad")
        growing(bench, pool)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
