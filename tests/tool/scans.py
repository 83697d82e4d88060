#!/usr/bin/env python3
"""Results of `usw scan` over every type and format, against Python's own arithmetic.

usage: scans.py USW FORMATS [MAKE_HDF5]      FORMATS: "npz", if the tool was built with it"""

import fractions
import io
import itertools
import json
import math
import os
import subprocess
import sys
import zipfile

from harness import TYPES, Bench, npy, pack, read_npy
from values import numbers

N = 3000  # several buffers of 4 KiB of all types but those of a byte


def wrapped(tag, value):
    """A sum or a product of integers, which have 64 bits."""
    value %= 2**64
    return value - 2**64 if tag[0] == "i" and value >= 2**63 else value


def combining(name, tag):
    """(what combines two values, what a value is before that, the identity) of an operation."""
    is_integer = tag[0] in "iu"
    bits = 8 * int(TYPES[tag][1][1:])
    low, high = (0, 2**bits - 1) if tag[0] == "u" else (-2**(bits - 1), 2**(bits - 1) - 1) if is_integer else (-math.inf, math.inf)
    return {"sum": (lambda a, b: wrapped(tag, a + b) if is_integer else a + b, lambda v: v, 0),
            "prod": (lambda a, b: wrapped(tag, a * b) if is_integer else a * b, lambda v: v, 1),
            "min": (min, lambda v: v, high), "max": (max, lambda v: v, low),
            "bit_and": (lambda a, b: a & b, lambda v: v, -1 if tag[0] == "i" else high),
            "bit_or": (lambda a, b: a | b, lambda v: v, 0), "bit_xor": (lambda a, b: a ^ b, lambda v: v, 0),
            "all": (lambda a, b: a and b, bool, True), "any": (lambda a, b: a or b, bool, False),
            "count": (lambda a, b: a + b, lambda v: int(v != 0), 0)}[name]


def expected_of(name, tag, values, exclusive, reverse, initial=None):
    combine, convert, identity = combining(name, tag)
    first = identity if initial is None else initial
    turned = [convert(v) for v in (values[::-1] if reverse else values)]
    found = list(itertools.accumulate(turned, combine, initial=first))
    found = found[:-1] if exclusive else found[1:]
    return found[::-1] if reverse else found


def result_kind(name, tag):
    """NumPy's kind of the results."""
    if name in ("sum", "prod"):
        return {"i": "i8", "u": "u8"}.get(tag[0], "f4" if tag == "f16" else TYPES[tag][1])
    return {"all": "b1", "any": "b1", "count": "u8", "argmin": "i8", "argmax": "i8"}.get(name, TYPES[tag][1])


def scanned(bench, *arguments, **more):
    """(descr, values) that a run writes to a file."""
    out = bench.root / "out.npy"
    out.unlink(missing_ok=True)
    run = bench.run(*arguments, "--output=out.npy", command="scan", **more)
    if not bench.check((run.returncode, run.stdout, run.stderr) == (0, b"", b""), f"{arguments}: {run}"):
        return "", []
    descr, shape, values = read_npy(out)
    parts = 2 if descr[1:2] == "c" else 1
    bench.equal((len(values) // parts,), shape, f"shape, {arguments}")
    return descr, values


def operations_of(tag):
    if tag == "b8":
        return ("all", "any", "count")
    if tag[0] == "c":
        return ("sum", "count")
    return ("sum", "min", "max", "any", "count") + (("prod", "bit_and", "bit_or", "bit_xor") if tag[0] in "iu" else ())


def every_type(bench):
    """Each operation in buffers and at once, which --reverse is; of most types one way or the other."""
    ways = itertools.cycle((("--exclusive",), ("--reverse",), (), ("--exclusive", "--reverse")))
    for tag in TYPES:
        values = numbers(tag, N)
        file = bench.write(f"{tag}.npy", npy(tag, values, order=">" if tag in ("i16", "f64") else "<"))
        for name in operations_of(tag):
            for more in itertools.islice(ways, 4 if tag in ("i32", "f64") else 1):
                expected = expected_of(name, tag, values, "--exclusive" in more, "--reverse" in more)
                if tag[0] == "c" and name == "sum":
                    expected = [part for v in map(complex, expected) for part in (v.real, v.imag)]
                descr, found = scanned(bench, f"--op={name}", "--buffer=4K", *more, file)
                bench.check(expected == found, f"{name} of {tag} {more}: {expected[:9]}, {found[:9]}")
                bench.equal(result_kind(name, tag), descr[1:], f"type of {name} of {tag}")
    for tag in ("i32", "f32", "u8"):
        check_places(bench, tag, numbers(tag, N), bench.root / f"{tag}.npy")


def check_places(bench, tag, values, file):
    """argmin and argmax: the indices of the elements in the file."""
    for name, best in (("argmin", min), ("argmax", max)):
        running = list(itertools.accumulate(range(N), lambda a, b: a if best(values[a], values[b]) == values[a] else b))
        bench.equal(("<i8", running), scanned(bench, f"--op={name}", "--buffer=4K", file), f"{name} of {tag}")
        bench.equal([-1] + running[:-1], scanned(bench, f"--op={name}", "--exclusive", file)[1], f"{name} before, of {tag}")
        back = list(itertools.accumulate(reversed(range(N)), lambda a, b: a if best(values[a], values[b]) == values[a] else b))
        bench.equal(back[::-1], scanned(bench, f"--op={name}", "--reverse", file)[1], f"{name} of {tag} from the end")


def initial_values(bench):
    for tag, name, text, initial in (
            ("i32", "sum", "-7", -7), ("u16", "sum", "18446744073709551615", 2**64 - 1), ("i8", "min", "-128", -128),
            ("i8", "max", "127", 127), ("u32", "bit_xor", "4294967295", 2**32 - 1), ("f16", "sum", "0.25", 0.25),
            ("f16", "max", "1.5", 1.5), ("f32", "sum", "1e3", 1000), ("f64", "min", "-inf", -math.inf),
            ("b8", "all", "false", False), ("b8", "any", "1", True), ("i64", "prod", "0", 0)):
        values = numbers(tag, N)
        file = bench.write("x.npy", npy(tag, values))
        for more in ((), ("--reverse",)):
            expected = expected_of(name, tag, values, True, bool(more), initial)
            found = scanned(bench, f"--op={name}", "--exclusive", f"--initial={text}", "--buffer=4K", *more, file)[1]
            bench.check(expected == found, f"{name} of {tag} from {text} {more}: {expected[:5]}, {found[:5]}")
    file = bench.write("z.npy", npy("cf64", [1, 1j]))
    for text, parts in (("2", (2, 0)), ("-1e1-2.5i", (-10, -2.5)), ("3i", (0, 3))):
        bench.equal([*parts, parts[0] + 1, parts[1]], scanned(bench, "--exclusive", f"--initial={text}", file)[1], f"from {text}")


def sums(bench):
    """Sums that round: near the exact ones, the exact ones rounded once, of the same bits whatever the threads."""
    values = [math.sin(k) * 2.0 ** (k * 7 % 41 - 20) for k in range(N)]
    exact = list(itertools.accumulate(map(fractions.Fraction, values)))
    file = bench.write("rough.npy", npy("f64", values))
    bound = 2**-44 * max(map(abs, values))
    found = scanned(bench, "--buffer=4K", file)[1]
    bench.check(all(abs(fractions.Fraction(v) - e) <= bound for v, e in zip(found, exact)), "sums that round")
    for more in ((), ("--buffer=4K",)):
        bench.equal(list(map(float, exact)), scanned(bench, "--accuracy=compensated", *more, file)[1], f"compensated {more}")
    for threads in ("1", "2", "3"):
        again = scanned(bench, "--buffer=4K", file, environment={**os.environ, "USW_THREADS": threads})[1]
        bench.check(found == again, f"bits with {threads} threads")


def nans(bench):
    nan = math.nan
    values = [nan] * 1030 + [5.0] + [nan, 3.0, 4.0] * 400
    file = bench.write("nan.npy", npy("f32", values))
    for more in ((), ("--buffer=4K",)):
        found = scanned(bench, "--op=min", "--nan=ignore", *more, file)[1]
        bench.check(all(map(math.isnan, found[:1030])) and found[1030:1032] == [5, 5] and set(found[1032:]) == {3}, f"minima {more}")
        found = scanned(bench, "--op=sum", "--nan=ignore", *more, file)[1]
        bench.equal(([0] * 1030 + [5], 2805), (found[:1031], found[-1]), f"sums without NaN {more}")
        found = scanned(bench, "--op=max", *more, bench.write("later.npy", npy("f32", values[1030:1031] * 1100 + values)))[1]
        bench.check(found[:1100] == [5] * 1100 and all(map(math.isnan, found[1100:])), f"NaN stays {more}")


def formats(bench, built, make):
    values = numbers("i32", N)
    total = list(itertools.accumulate(values))
    raw = bench.write("x.raw", b"head" + pack("i32", values))
    arguments = ("-t", "i32", "--offset=4", "--buffer=4K")
    bench.equal(total, scanned(bench, *arguments, raw)[1], "raw")
    with open(raw, "rb") as data:
        content = data.read()
    for more in ((), ("--reverse",)):
        expected = expected_of("sum", "i32", values, False, bool(more))
        bench.equal(expected, scanned(bench, *arguments, *more, "-", stdin=content)[1], f"a pipe {more}")
    for k in range(3):
        bench.write(f"part{k}.npy", npy("i32", values[k * 1000:(k + 1) * 1000], order="<>"[k % 2]))
    bench.equal(total, scanned(bench, "--buffer=4K", "part*.npy")[1], "several files")
    for tag in ("f32", "i8"):
        bench.equal([], scanned(bench, bench.write("none.npy", npy(tag, [])))[1], "no elements")
    bench.equal([], scanned(bench, "--reverse", "--op=max", "-t", "u8", "-", stdin=b"")[1], "an empty pipe")
    if "npz" in built.split():
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
            for k in range(3):
                file.writestr(f"m{k}.npy", npy("i32", values[k * 1000:(k + 1) * 1000]))
        archive = bench.write("x.npz", buffer.getvalue())
        bench.equal(total, scanned(bench, "--merge", archive)[1], "members together")
        bench.equal(list(itertools.accumulate(values[1000:2000])), scanned(bench, "--member=m1", archive)[1], "a member")
    if make:
        file = str(bench.root / "data.h5")
        subprocess.run([make, file], check=True)
        bench.equal([1, 1, 2], scanned(bench, "--op=count", "--dataset=truth", file)[1], "HDF5")
        bench.fails("--dataset=cube", file, says=("data.h5:cube: its shape is 5x6x7", "save it flat"), command="scan")


def printed(bench):
    file = bench.write("a.npy", npy("f32", [3, 0, 1.5, 9]))
    text = bench.run(file, command="scan").stdout.decode()
    bench.equal("sum[0]             3\nsum[1]             3\nsum[2]             4.5\nsum[3]             13.5\n", text, "text")
    text = bench.run("--op=argmax", "--exclusive", file, command="scan").stdout.decode()
    bench.equal("argmax[0]          -inf\nargmax[1]          3 at 0\nargmax[2]          3 at 0\nargmax[3]          3 at 0\n", text,
                "text of indices")
    rows = bench.run("--op=count", "-f", "csv", file, command="scan").stdout.decode()
    bench.equal('operation,result,field,value\ncount,"0",value,1\ncount,"1",value,1\ncount,"2",value,2\ncount,"3",value,3\n', rows, "csv")
    many = bench.write("many.npy", npy("f32", numbers("f32", N)))
    facts = json.loads(bench.run("--op=max", "--buffer=4K", "-f", "json", many, command="scan").stdout)
    bench.equal(("f32", N, [N], "host", False), (*(facts[k] for k in ("type", "count", "shape", "place")), "axes" in facts), "json")
    bench.equal(list(itertools.accumulate(numbers("f32", N), max)), facts["results"]["max"]["value"], "json's values")


def main(program, built, make=None):
    bench = Bench(program)
    every_type(bench)
    initial_values(bench)
    sums(bench)
    nans(bench)
    formats(bench, built, make)
    printed(bench)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
