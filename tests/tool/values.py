#!/usr/bin/env python3
"""Results of `usw reduce` over every type and format, against Python's own arithmetic.

usage: values.py USW FORMATS [MAKE_HDF5]      FORMATS: "npz hdf5", as far as the tool was built with them"""

import io
import itertools
import json
import math
import os
import struct
import subprocess
import sys
import zipfile

from harness import TYPES, Bench, npy, pack, read_npy


IS_QUICK = os.environ.get("USW_TEST_TIER") == "quick"
KINDS = (["f64"], ["i64"], ["i64"], ["f64"]) if IS_QUICK else (["f64", "i64"],)  # of values, by turns: each with either order


def numbers(tag, n=1000):
    """Elements whose sums are exact in every type."""
    if tag == "b8":
        return [k % 3 != 0 for k in range(n)]
    if tag in ("cf32", "cf64"):
        return [complex(k % 7 - 3, (k % 5 - 2) / 4) for k in range(n)]
    if tag[0] == "u":
        return [k * 37 % 101 for k in range(n)]
    if tag[0] == "i":
        return [k * 37 % 101 - 50 for k in range(n)]
    return [(k * 37 % 101 - 50) / 4 for k in range(n)]


def check_ordered(bench, label, results, values):
    mean = sum(values) / len(values)
    variance = sum((v - mean) ** 2 for v in values) / len(values)
    bench.equal(sum(values), results["sum"]["value"], f"{label} sum")
    bench.equal(min(values), results["min"]["value"], f"{label} min")
    bench.equal({"minimum": min(values), "maximum": max(values)}, results["minmax"], f"{label} minmax")
    bench.equal({"value": min(values), "index": values.index(min(values))}, results["argmin"], f"{label} argmin")
    bench.equal({"value": max(values), "index": values.index(max(values))}, results["argmax"], f"{label} argmax")
    bench.equal(sum(v != 0 for v in values), results["count"]["value"], f"{label} count")
    for name, expected in (("mean", mean), ("var", variance), ("std", math.sqrt(variance))):
        bench.check(math.isclose(expected, results[name]["value"], rel_tol=1e-12), f"{label} {name}")
    describe = results["describe"]
    bench.equal((len(values), min(values), values.index(max(values))),
                (describe["count"], describe["minimum"], describe["maximum_index"]), f"{label} describe")


ORDERED = "sum,min,minmax,argmin,argmax,count,mean,var,std,describe"


def every_type(bench):
    for tag in [*TYPES, "bf16"]:
        values = numbers(tag)
        raw = bench.write(f"{tag}.raw", pack(tag, values))
        if tag == "b8":
            results = bench.results("--op=any,all,count", "-t", tag, raw)
            bench.equal((True, False, sum(values)), tuple(results[k]["value"] for k in ("any", "all", "count")), tag)
        elif tag.startswith("c"):
            results = bench.results("--op=sum,norm_inf,count", "-t", tag, raw)
            total = sum(values)
            bench.equal([total.real, total.imag], results["sum"]["value"], f"{tag} sum")
            bench.equal(sum(v != 0 for v in values), results["count"]["value"], f"{tag} count")
            bench.check(math.isclose(max(map(abs, values)), results["norm_inf"]["value"], rel_tol=1e-6), f"{tag} norm")
        else:
            check_ordered(bench, f"{tag} raw", bench.results(f"--op={ORDERED}", "-t", tag, raw), values)
        if tag in TYPES and not tag.startswith("c") and tag != "b8":
            for order in "<>":
                file = bench.write(f"{tag}{order}.npy", npy(tag, values, order=order))
                check_ordered(bench, f"{tag}{order} npy", bench.results(f"--op={ORDERED}", file), values)
    wide = bench.results("--op=sum", "-t", "u64", bench.write("wide.raw", pack("u64", [2**64 - 1, 7])))
    bench.equal(6, wide["sum"]["value"], "u64 sum wraps")
    bench.equal(2**63 - 1, bench.results("--op=max", "-t", "i64", bench.write("max.raw", pack("i64", [2**63 - 1])))
                ["max"]["value"], "i64 max keeps its digits")
    bits = bench.results("--op=bit_and,bit_or,bit_xor", "-t", "u8", bench.write("bits.raw", bytes([12, 10, 14])))
    bench.equal([8, 14, 8], [bits[k]["value"] for k in ("bit_and", "bit_or", "bit_xor")], "bits")


def npy_forms(bench):
    values = numbers("f64", 24)
    for version in (1, 2, 3):
        file = bench.write(f"v{version}.npy", npy("f64", values, (4, 6), version=version))
        bench.equal(sum(values), bench.results("--op=sum", file)["sum"]["value"], f"version {version}")
    file = bench.write("big_complex.npy", npy("cf64", numbers("cf64"), order=">"))
    total = sum(numbers("cf64"))
    bench.equal([total.real, total.imag], bench.results("--op=sum", file)["sum"]["value"], "big-endian complex")
    file = bench.write("bf16.npy", npy("u16", [0x3F80, 0x4000], descr="'<V2'"))
    bench.equal(3, bench.results("--op=sum", "--type=bf16", file)["sum"]["value"], "bfloat16 in .npy")
    # Rows 0..2, columns 0..3 hold 10 * row + column; the file has the columns one after the other.
    fortran = [10 * row + column for column in range(4) for row in range(3)]
    fortran[fortran.index(21)] = 99
    file = bench.write("fortran.npy", npy("i32", fortran, (3, 4), fortran=True))
    results = bench.results("--op=argmax,argmin,sum", file)
    bench.equal({"value": 99, "index": 9, "position": [2, 1]}, results["argmax"], "Fortran order")
    bench.equal(sum(fortran), results["sum"]["value"], "Fortran order sum")
    file = bench.write("c.npy", npy("i32", [10 * r + c for r in range(3) for c in range(4)], (3, 4)))
    bench.equal({"value": 23, "index": 11, "position": [2, 3]}, bench.results("--op=argmax", file)["argmax"], "C order")
    results = bench.results("--op=sum,min,argmin", bench.write("empty.npy", npy("f32", [], (0, 3))))
    bench.equal({"sum": {"value": 0}, "min": {"value": "inf"}, "argmin": {"value": "inf", "index": -1}}, results, "empty")
    bench.equal(7, bench.results("--op=sum", bench.write("scalar.npy", npy("i8", [7], ())))["sum"]["value"], "scalar")


def raw_forms(bench):
    values = numbers("f32", 300000)
    data = pack("f32", values)
    file = bench.write("big.raw", b"head" + data)
    expected = {"sum": {"value": sum(values)}, "argmax": {"value": 12.5, "index": values.index(12.5)}}
    for more in ([], ["--shape=300000"], ["--buffer=4K"], ["--buffer=64K"]):
        bench.equal(expected, bench.results("--op=sum,argmax", "-t", "f32", "--offset=4", *more, file), f"raw {more}")
    results = bench.results("--op=argmax", "-t", "f32", "--offset=4", "--shape=1000x300", file)
    bench.equal([expected["argmax"]["index"] // 300, expected["argmax"]["index"] % 300],
                results["argmax"]["position"], "position in a shape")
    bench.equal(expected, bench.results("--op=sum,argmax", "-t", "f32", "-", stdin=data), "standard input")
    bench.equal(expected, bench.results("--op=sum,argmax", "-t", "f32", "--offset=4", "-", stdin=b"head" + data),
                "standard input with an offset")
    bench.equal({"sum": {"value": 0}}, bench.results("--op=sum", "-t", "f32", bench.write("none.raw", b"")), "no bytes")
    # Booleans of a file may be any byte; the same data in pieces is the same data set, to the last bit.
    odd = bench.write("odd.raw", b"\0\2\4\xff" * 100)
    bench.equal({"count": {"value": 300}, "any": {"value": True}, "all": {"value": False}},
                bench.results("--op=count,any,all", "-t", "b8", odd), "b8")
    rough = [math.sin(k) for k in range(100000)]
    whole = bench.write("whole.raw", pack("f64", rough))
    for k in range(3):
        bench.write(f"part{k}.raw", pack("f64", rough[k * 33000:k * 33000 + 33000 if k < 2 else None]))
    expected = bench.results("--op=sum,argmin,norm2", "-t", "f64", "--buffer=64K", whole)
    for files in (["part*.raw"], [f"part{k}.raw" for k in range(3)]):
        bench.equal(expected, bench.results("--op=sum,argmin,norm2", "-t", "f64", "--buffer=64K", *files), f"{files}")
    nan = bench.write("nan.raw", pack("f64", [1, math.nan, 3]))
    bench.equal({"max": {"value": "nan"}, "argmax": {"value": "nan", "index": 1}},
                bench.results("--op=max,argmax", "-t", "f64", nan), "NaN")
    bench.equal({"max": {"value": 3}}, bench.results("--op=max", "--nan=ignore", "-t", "f64", nan), "NaN ignored")
    bench.equal({"sum": {"value": 4}, "mean": {"value": 2}},
                bench.results("--op=sum,mean", "--nan=ignore", "-t", "f64", nan), "sums without NaN")


def accuracies(bench):
    """At the upper levels: the exact sum, rounded once, from every cut of the data; and reproducible bits."""
    rough = [math.sin(k) * 2.0 ** (k * 7 % 61 - 30) for k in range(30000)]
    cancelling = [value for k in range(5000) for value in (1e13, round(math.cos(k) * 2**30) / 2**30, -1e13)]
    for name, values in (("rough", rough), ("cancelling", cancelling)):
        shuffled = sorted(values, key=lambda value: math.sin(value * 1e3))
        files = [bench.write(f"{name}_{k}.raw", pack("f64", v)) for k, v in enumerate((values, shuffled))]
        parts = [bench.write(f"{name}_part{k}.raw", pack("f64", values[k * 2999:(k + 1) * 2999 if k < 4 else None]))
                 for k in range(5)]
        exact = math.fsum(values)
        for accuracy in ("compensated", "reproducible"):
            found = []
            for more in ([files[0]], ["--buffer=4K", files[0]], ["--buffer=12K", files[0]], parts[::-1], [files[1]]):
                results = bench.results("--op=sum,norm1,norm2,mean,var", f"--accuracy={accuracy}", "-t", "f64", *more)
                if not bench.equal(exact, results.get("sum", {}).get("value"), f"{name}, {accuracy}, {more}"):
                    continue
                found.append(results)
                bench.equal(exact / len(values), results["mean"]["value"], f"mean, {name}, {accuracy}, {more}")
            for threads in ("1", "2", "3"):
                found.append(bench.results("--op=sum,norm1,norm2,mean,var", f"--accuracy={accuracy}", "-t", "f64", files[0],
                                           environment={**os.environ, "USW_THREADS": threads}))
            if accuracy == "reproducible":
                bench.check(len(found) == 8 and all(results == found[0] for results in found), f"bits, {name}: {found}")
        for more in (["--accuracy=exact", "--buffer=4K", files[0]], ["--accuracy=exact"] + parts[::-1],
                     ["--accuracy=reproducible", "--fold=9", files[1]]):
            results = bench.results("--op=sum,norm1,max", "-t", "f64", *more)
            bench.equal([exact, math.fsum(map(abs, values)), max(values)],
                        [results[k]["value"] for k in ("sum", "norm1", "max")] if results else [], f"{name}, {more}")
    usual = {json.dumps(bench.results("--op=sum", "-t", "f64", f"--buffer={size}", files[0])) for size in ("4K", "12K")}
    bench.check(len(usual) == 2, "data whose repeatable sums depend on the buffers")
    bench.fails("--op=prod", "--accuracy=reproducible", "-t", "f64", files[0], says=("prod", "USW_REPRODUCIBLE"))
    whole = bench.results("--op=sum,prod,max", "--accuracy=reproducible", "-t", "i32",
                          bench.write("ints.raw", pack("i32", [3, -4, 5])))
    bench.equal([4, -60, 5], [whole[k]["value"] for k in ("sum", "prod", "max")], "integers at any level")


def pipes(bench):
    """A pipe is opened once: who writes into it would see it closed."""
    values = numbers("f64", 30000)
    files = {"raw": bench.write("p.raw", b"head" + pack("f64", values)), "npy": bench.write("p.npy", npy("f64", values))}
    pipe = bench.root / "pipe"
    for form, more in (("raw", ["--offset=4", "-t", "f64"]), ("npy", ["--input=npy"])):
        for _ in range(5 if IS_QUICK else 25):
            os.mkfifo(pipe)
            with subprocess.Popen(["sh", "-c", 'exec cat "$1" >"$2"', "sh", files[form], pipe]) as writer:
                try:
                    got = bench.results("--op=sum", *more, pipe, timeout=20)
                    writer.wait(timeout=20)
                finally:
                    writer.kill()
            pipe.unlink()
            if not bench.equal(({"sum": {"value": sum(values)}}, 0), (got, writer.returncode), f"a pipe, {form}"):
                break


def archive(members, method):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return buffer.getvalue()


def npz(bench):
    a, b = numbers("f32", 200000), numbers("f32", 50)
    members = {"a.npy": npy("f32", a), "b.npy": npy("f32", b, order=">")}
    for name, method in (("stored", zipfile.ZIP_STORED), ("deflated", zipfile.ZIP_DEFLATED)):
        file = bench.write(f"{name}.npz", archive(members, method))
        bench.equal(sum(a), bench.results("--op=sum", "--member=a", file)["sum"]["value"], f"{name} member")
        bench.equal(sum(b), bench.results("--op=sum", "--member=b.npy", file)["sum"]["value"], f"{name} full name")
        bench.equal(sum(a) + sum(b), bench.results("--op=sum", "--merge", file)["sum"]["value"], f"{name}, merged")
    file = bench.write('"two".npz', archive({"c.npy": npy("i32", [4, -2]), "d,e.npy": npy("f32", [2.5])}, zipfile.ZIP_STORED))
    rows = "".join(f'"{bench.root}/""two"".npz:{row}\n' for row in ('c.npy",sum,value,2', 'd,e.npy",sum,value,2.5'))
    bench.equal("source,operation,field,value\n" + rows, bench.run("--op=sum", "-f", "csv", file).stdout.decode(), "csv of members")
    text = bench.run("--op=sum", file).stdout.decode()
    bench.equal(f"{file}:c.npy\nsum                2\n\n{file}:d,e.npy\nsum                2.5\n", text, "text of members")
    found = json.loads(bench.run("--op=sum", "-f", "json", file).stdout)["members"]
    bench.equal([("i32", 2), ("f32", 1)], [(each["type"], each["count"]) for each in found], "JSON of members")
    rows = rows.replace("sum,", 'sum,"",')
    bench.equal("source,operation,result,field,value\n" + rows,
                bench.run("--op=sum", "-f", "csv", "--axis=0", file).stdout.decode(), "csv of members along axes")
    bench.run("--op=max", "--axis=0", "--member=c", "--output=member.npy", file)
    bench.check((bench.root / "member.npy").read_bytes().endswith(b"\n\x04\0\0\0"), "a member's results in a file")


def hdf5(bench, make):
    file = str(bench.root / "data.h5")
    subprocess.run([make, file], check=True)
    grid = [(k * 37 % 101 - 50) / 4 for k in range(60 * 70)]
    for name in ("plain", "chunked", "packed", "group/big_endian"):
        for more in ([], ["--buffer=4K"]):
            results = bench.results("--op=sum,argmax", f"--dataset={name}", *more, file)
            index = grid.index(max(grid))
            bench.equal({"sum": {"value": sum(grid)},
                         "argmax": {"value": max(grid), "index": index, "position": [index // 70, index % 70]}},
                        results, f"hdf5 {name} {more}")
    cube = [k % 11 for k in range(5 * 6 * 7)]
    results = bench.results("--op=sum,argmax", "--dataset=cube", file)
    bench.equal((sum(cube), [0, 1, 3]), (results["sum"]["value"], results["argmax"]["position"]), "hdf5 cube")
    sums = bench.results("--op=sum", "--dataset=cube", "--axis=0,-1", file)["sum"]["value"]
    bench.equal([sum(v) for v in along(cube, (5, 6, 7), {0, 2}).values()], sums, "hdf5 cube along axes")
    bench.equal([60, -30], bench.results("--op=sum", "--dataset=complex", file)["sum"]["value"], "hdf5 complex")
    bench.equal(2, bench.results("--op=count", "--dataset=truth", file)["count"]["value"], "hdf5 bool")
    bench.equal(2.5, bench.results("--op=sum", "--dataset=half", file)["sum"]["value"], "hdf5 half")
    bench.equal(7, bench.results("--op=sum", "--dataset=scalar", file)["sum"]["value"], "hdf5 scalar")
    bench.equal(0, bench.results("--op=sum", "--dataset=nothing", file)["sum"]["value"], "hdf5 empty")
    for name, tag, expected in (("big_i32", "i32", 2**31 + 1 - 70000), ("narrow", "i16", 2), ("three_bytes", "i32", 2),
                                ("biased", "f64", 2.0**130), ("big_half", "f16", 4.75), ("big_bfloat", "bf16", 4.75),
                                ("bfloat", "bf16", 4.75), ("biased_half", "f32", 4.75), ("big_complex", "cf32", [4, 1])):
        got = bench.results("--op=sum", f"--dataset={name}", f"--type={tag}", file)
        bench.equal({"sum": {"value": expected}}, got, f"hdf5 {name}")
    only = str(bench.root / "only.h5")
    for name in ("one", "n" * 250, "group/" + "m" * 250):
        subprocess.run([make, only, name], check=True)
        bench.equal(sum(cube), bench.results("--op=sum", only)["sum"]["value"], f"the only dataset, {name}")


def along(values, shape, axes):
    """The items of each result, row-major, by position along the axes that stay."""
    items = {}
    for place, value in zip(itertools.product(*map(range, shape)), values):
        items.setdefault(tuple(p for d, p in enumerate(place) if d not in axes), []).append(value)
    return items


def in_fortran_order(values, shape):
    by_place = dict(zip(itertools.product(*map(range, shape)), values))
    return [by_place[place[::-1]] for place in itertools.product(*map(range, shape[::-1]))]


def axes_of_arrays(bench):
    shape = (3, 5, 7)
    some = ("0", {0}), ("1", {1}), ("-1", {2}), ("0,2", {0, 2}), ("-1,-3", {0, 2}), ("2,1", {1, 2}), ("0,1,2", {0, 1, 2})
    for (number, tag), fortran in itertools.product(enumerate(("f64", "i64", "f32", "u8")), (False, True)):
        values = numbers(tag, 105)
        file = bench.write("a.npy", npy(tag, in_fortran_order(values, shape) if fortran else values, shape, fortran=fortran))
        for said, axes in some[(number + fortran) % 2::2] if IS_QUICK else some:
            items = along(values, shape, axes)
            label = f"{tag}, axes {said}, Fortran order {fortran}"
            results = bench.results("--op=sum,argmax,count,mean,describe", "--axis", said, file)
            bench.equal([sum(v) for v in items.values()], results["sum"]["value"], f"sums of {label}")
            bench.equal([v.index(max(v)) for v in items.values()], results["argmax"]["index"], f"indices of {label}")
            bench.equal([max(v) for v in items.values()], results["describe"]["maximum"], f"maxima of {label}")
            for mean, v in zip(results["mean"]["value"], items.values()):
                bench.check(math.isclose(mean, sum(v) / len(v), rel_tol=1e-12), f"means of {label}")
    raw = bench.write("a.raw", pack("i32", range(6)))
    bench.equal([3, 12], bench.results("--op=sum", "-t", "i32", "-s", "2x3", "--axis=1", raw)["sum"]["value"], "raw")
    empty = bench.write("e.npy", npy("f64", [], (0, 2)))
    bench.equal([0, 0], bench.results("--op=sum", "--axis=0", empty)["sum"]["value"], "no items")
    none = bench.results("--op=sum,argmax,minmax,describe", "--axis=1", empty)
    some = bench.results("--op=sum,argmax,minmax,describe", "--axis=0", empty)
    bench.equal({name: dict.fromkeys(fields, []) for name, fields in some.items()}, none, "an empty array for each field of no results")
    bench.equal([], none["sum"]["value"], "no results")
    pairs = bench.write("z.npy", npy("cf64", [], (3, 0, 2)))
    bench.equal({"sum": {"value": []}}, bench.results("--op=sum", "--axis=0", pairs), "no results of complex numbers")
    pipe = bench.results("--op=max", "-t", "u8", "-s", "2x4", "--axis=1", "-", stdin=b"12345678")
    bench.equal([52, 56], pipe["max"]["value"], "a pipe")


def segments_of_arrays(bench):
    values, offsets = [k * 37 % 101 - 50 for k in range(5000)], [3, 3, 4, 9, 9, 9, 50, 60, 4000, 4999, 4999]
    pieces = [values[begin:end] for begin, end in zip(offsets, offsets[1:])]
    for (tag, order), kinds in zip(itertools.product(("i32", "u32", "i64", "u64"), "<>"), itertools.cycle(KINDS)):
        named = bench.write("offsets.npy", npy(tag, offsets, order=order))
        for kind in kinds:
            file = bench.write("data.npy", npy(kind, values, order=order))
            label = f"segments of {kind} by {order}{tag}"
            results = bench.results("--op=sum,argmax,count,mean,describe", "--segments", named, "--buffer=4K", file)
            bench.equal([sum(v) for v in pieces], results["sum"]["value"], f"sums of {label}")
            bench.equal([v.index(max(v)) if v else -1 for v in pieces], results["argmax"]["index"], f"indices of {label}")
            bench.equal([len(v) for v in pieces], results["describe"]["count"], f"counts of {label}")
            for mean, v in zip(results["mean"]["value"], pieces):
                bench.check(math.isclose(mean, sum(v) / len(v), rel_tol=1e-12) if v else mean == "nan",
                            f"means of {label}: {mean} of {v}")
    named = bench.write("few.npy", npy("i32", [0, 0, 2, 4]))
    for data in (b"1234", b"12345"):
        pipe = bench.results("--op=max", "-t", "u8", "--segments", named, "-", stdin=data)
        bench.equal([0, 50, 52], pipe["max"]["value"], "a pipe in segments")
    raw = bench.write("s.raw", pack("i32", range(6)))
    bench.equal([0, 1, 5], bench.results("--op=sum", "-t", "i32", "--segments", named, raw)["sum"]["value"], "raw in segments")
    nothing = bench.write("nothing.npy", npy("i64", [0, 0, 0]))
    for more in ([bench.write("e.npy", npy("f64", []))], ["-t", "f64", "-"]):
        results = bench.results("--op=sum", "--segments", nothing, *more, stdin=b"")
        bench.equal([0, 0], results["sum"]["value"], f"segments of no items, {more}")
    none = bench.write("none.npy", npy("i64", [2]))
    bench.equal({"value": []}, bench.results("--op=sum", "--segments", none, raw, "-ti32")["sum"], "no segments")


def segments_printed(bench):
    file = bench.write("a.npy", npy("i32", [4, -2, 9, -2, 3, 9]))
    named = bench.write("offsets.npy", npy("u64", [0, 3, 3, 6]))
    text = bench.run("--op=sum,argmax", "--segments", named, file).stdout.decode()
    bench.equal("sum[0]             11\nsum[1]             0\nsum[2]             10\nargmax[0]          9 at 2\n"
                "argmax[1]          -2147483648\nargmax[2]          9 at 2\n", text, "text of segments")
    rows = bench.run("--op=sum", "-f", "csv", "--segments", named, file).stdout.decode()
    bench.equal('operation,result,field,value\nsum,"0",value,11\nsum,"1",value,0\nsum,"2",value,10\n', rows, "csv of segments")
    facts = json.loads(bench.run("--op=sum", "-f", "json", "--segments", named, file).stdout)
    bench.equal((False, [3], 6), ("axes" in facts, facts["shape"], facts["count"]), "json of segments")
    for name, expected in (("sum", ("<i8", (3,), [11, 0, 10])), ("argmax", ("<i8", (3,), [2, -1, 2])),
                           ("max", ("<i4", (3,), [9, -2**31, 9]))):
        run = bench.run(f"--op={name}", "--segments", named, "--output=out.npy", file)
        bench.equal((0, b"", b""), (run.returncode, run.stdout, run.stderr), f"{name} of segments to a file")
        bench.equal(expected, read_npy(bench.root / "out.npy"), f"{name} of segments in a file")


def keys_of_arrays(bench):
    values = [k * 37 % 101 - 50 for k in range(5000)]
    lengths = [1, 3, 1, 500, 2, 4000, 1, 492]
    tags = "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"
    for (tag, order), kinds in zip(itertools.product(tags, "<>"), itertools.cycle(KINDS)):
        low = -2 ** (8 * int(TYPES[tag][1][1:]) - 1) if tag[0] == "i" else 2 ** (8 * int(TYPES[tag][1][1:])) - 1
        unique = [5, 3, 5, low, 7, 0, low, 1]
        keys = bench.write("keys.npy", npy(tag, [key for key, n in zip(unique, lengths) for _ in range(n)], order=order))
        begins = [sum(lengths[:k]) for k in range(len(lengths))]
        pieces = [values[begin:begin + n] for begin, n in zip(begins, lengths)]
        for kind in kinds:
            file = bench.write("data.npy", npy(kind, values, order=order))
            label = f"runs of {kind} by {order}{tag}"
            found = json.loads(bench.run("--op=sum,argmax,count,mean", "--keys", keys, "--buffer=4K", "-f", "json", file).stdout)
            results = found["results"]
            bench.equal((unique, [8], False), (found["keys"], found["shape"], "axes" in found), f"keys of {label}")
            bench.equal([sum(v) for v in pieces], results["sum"]["value"], f"sums of {label}")
            bench.equal([v.index(max(v)) for v in pieces], results["argmax"]["index"], f"indices of {label}")
            for mean, v in zip(results["mean"]["value"], pieces):
                bench.check(math.isclose(mean, sum(v) / len(v), rel_tol=1e-12), f"means of {label}")
    few = bench.write("few.npy", npy("u8", [9, 9, 2, 9]))
    bench.equal([50, 51, 52], bench.results("--op=max", "-t", "u8", "--keys", few, "-", stdin=b"1234")["max"]["value"], "a pipe")
    none = bench.write("none.npy", npy("i64", []))
    for more in ([bench.write("e.npy", npy("f64", []))], ["-t", "f64", "-"]):
        bench.equal({"value": []}, bench.results("--op=sum", "--keys", none, *more, stdin=b"")["sum"], f"no keys, {more}")


def keys_printed(bench):
    file = bench.write("a.npy", npy("f32", [4, -2, 9, -2, 3, 9]))
    keys = bench.write("keys.npy", npy("i16", [3, 3, -1, 7, 7, 3]))
    text = bench.run("--op=sum,argmax", "--keys", keys, file).stdout.decode()
    bench.equal("sum[3]             2\nsum[-1]            9\nsum[7]             1\nsum[3]             9\n"
                "argmax[3]          4 at 0\nargmax[-1]         9 at 0\nargmax[7]          3 at 1\nargmax[3]          9 at 0\n",
                text, "text of runs")
    rows = bench.run("--op=sum", "-f", "csv", "--keys", keys, file).stdout.decode()
    bench.equal('operation,result,field,value\nsum,"3",value,2\nsum,"-1",value,9\nsum,"7",value,1\nsum,"3",value,9\n', rows,
                "csv of runs")
    run = bench.run("--op=sum", "--keys", keys, "--output=out.npy", "--unique-out=unique.npy", file)
    bench.equal((0, b"", b""), (run.returncode, run.stdout, run.stderr), "runs to files")
    bench.equal(("<f4", (4,), [2, 9, 1, 9]), read_npy(bench.root / "out.npy"), "results of runs in a file")
    bench.equal(("<i2", (4,), [3, -1, 7, 3]), read_npy(bench.root / "unique.npy"), "keys of runs in a file")
    shown = bench.run("--op=max", "--keys", keys, "--unique-out=unique.npy", file).stdout.decode()
    bench.check(shown.startswith("max[3]             4\n"), f"keys in a file, results printed: {shown}")


def axes_printed(bench):
    file = bench.write("a.npy", npy("i32", [4, -2, 9, -2, 3, 9], (2, 3)))
    text = bench.run("--op=sum,argmax", "--axis=1", file).stdout.decode()
    bench.equal("sum[0]             11\nsum[1]             10\nargmax[0]          9 at 2\nargmax[1]          9 at 2\n", text,
                "text along axes")
    rows = bench.run("--op=argmin", "-f", "csv", "--axis=1", file).stdout.decode()
    bench.equal('operation,result,field,value\nargmin,"0",value,-2\nargmin,"0",index,1\nargmin,"1",value,-2\n'
                'argmin,"1",index,0\n', rows, "csv along axes")
    facts = json.loads(bench.run("--op=sum", "-f", "json", "--axis=-2", file).stdout)
    bench.equal(([0], [3], 6), (facts["axes"], facts["shape"], facts["count"]), "json along axes")


def axes_written(bench):
    file = bench.write("a.npy", npy("f32", [4, -2, 9, -2, 3, 9], (2, 3)))
    for name, axis, expected in (
            ("sum", "1", ("<f4", (2,), [11, 10])), ("min", "0", ("<f4", (3,), [-2, -2, 9])),
            ("argmin", "1", ("<i8", (2,), [1, 0])), ("count", "0", ("<u8", (3,), [2, 2, 2])),
            ("any", "0", ("|b1", (3,), [True] * 3)), ("mean", "0", ("<f8", (3,), [1, .5, 9])),
            ("var", "0", ("<f8", (3,), [9, 6.25, 0])), ("std", "0", ("<f8", (3,), [3, 2.5, 0])),
            ("sum", "0,1", ("<f4", (), [21]))):
        run = bench.run(f"--op={name}", "--axis", axis, "--output=out.npy", file)
        bench.equal((0, b"", b""), (run.returncode, run.stdout, run.stderr), f"{name} to a file")
        bench.equal(expected, read_npy(bench.root / "out.npy"), f"{name} along {axis} in a file")
    bench.equal(21, bench.results("--op=sum", bench.root / "out.npy")["sum"]["value"], "what was written is read")
    bench.run("--op=sum", "--output=one.npy", file)
    bench.equal(("<f4", (), [21]), read_npy(bench.root / "one.npy"), "one result in a file")
    pair = bench.write("z.npy", npy("cf64", [1 - 2j, 3, 1j, 1], (2, 2)))
    bench.run("--op=norm_inf", "--axis=1", "--output=norm.npy", pair)
    bench.equal(2, len(read_npy(bench.root / "norm.npy")[2]), "norms of complex numbers in a file")


def formats(bench):
    file = bench.write("out.npy", npy("i32", [4, -2, 9, -2], (2, 2)))
    text = bench.run("--op=sum,argmin,describe", file).stdout.decode()
    bench.check("sum                9\n" in text and "argmin             -2 at 1 (0,1)\n" in text
                and "describe.maximum   9 at 2 (1,0)\n" in text, f"text: {text}")
    rows = bench.run("--op=sum,argmin", "-f", "csv", file).stdout.decode()
    bench.equal('operation,field,value\nsum,value,9\nargmin,value,-2\nargmin,index,1\nargmin,position,"0,1"\n', rows, "csv")
    text = bench.run("--op=sum", bench.write("z.npy", npy("cf32", [1 - 2j]))).stdout.decode()
    bench.equal("sum                1-2i\n", text, "complex text")
    usual = bench.results(file)
    bench.equal(["sum", "min", "max", "mean", "std"], list(usual), "what is computed by default")
    bench.equal(["sum"], list(bench.results(bench.write("z.npy", npy("cf32", [1])))), "of complex numbers")
    bench.equal(["count", "all", "any"], list(bench.results(bench.write("b.npy", npy("b8", [True])))), "of booleans")
    once = bench.run("--op=sum,mean,sum", "--op=min,sum", "--format=json", file).stdout
    names = [name for name, _ in dict(json.loads(once, object_pairs_hook=list))["results"]]
    bench.equal(["sum", "mean", "min"], names, "repeated operations")
    shown = bench.run("--progress=on", "--op=sum", file)
    bench.check(shown.returncode == 0, "progress")


def main(program, built, make=None):
    os.environ["USW_THREADS"] = "1"  # starting threads takes longer than these files
    bench = Bench(program)
    every_type(bench)
    npy_forms(bench)
    raw_forms(bench)
    accuracies(bench)
    pipes(bench)
    formats(bench)
    axes_of_arrays(bench)
    segments_of_arrays(bench)
    segments_printed(bench)
    keys_of_arrays(bench)
    keys_printed(bench)
    axes_printed(bench)
    axes_written(bench)
    if "npz" in built.split():
        npz(bench)
    if make:
        hdf5(bench, make)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
