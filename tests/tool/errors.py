#!/usr/bin/env python3
"""Every bad input of `usw` gives its one line and exit code 2.

usage: errors.py USW FORMATS [MAKE_HDF5]"""

import io
import os
import subprocess
import sys
import zipfile

from harness import Bench, npy, pack


def bad_files(bench):
    good = npy("f32", [1, 2, 3, 4], (2, 2))
    files = {
        "cut_header.npy": (good[:20], "ends inside its .npy header"),
        "cut_data.npy": (good[:-5], "truncated: 5 of 16 bytes are missing"),
        "long.npy": (good + b"123", "3 bytes behind its data"),
        "empty.npy": (b"", "ends inside its .npy header"),
        "text.npy": (b"1 2 3 4 5 6 7 8 9 10\n", "no .npy file"),
        "version.npy": (good[:6] + b"\x09" + good[7:], "version is 9"),
        "records.npy": (npy("f32", [1], descr="[('a', '<f4')]"), "records"),
        "strings.npy": (npy("f32", [1], descr="'<U1'"), "'<U1' has no reductions"),
        "quad.npy": (npy("f32", [1], descr="'<f16'"), "'<f16' has no reductions"),
        "void.npy": (npy("f32", [1], descr="'|V2'"), ("has no reductions", "--type bf16")),
        "no_shape.npy": (good.replace(b"'shape'", b"'shade'"), "key 'shade'"),
        "shape.npy": (good.replace(b"(2, 2)", b"(2,-2)"), "no count"),
        "huge.npy": (npy("f32", [1], (2**40, 2**40)), "larger than any file"),
        "header.npy": (b"\x93NUMPY\x02\x00\xff\xff\xff\x7f" + good[10:], "too long"),
    }
    for name, (data, says) in files.items():
        says = (says,) if isinstance(says, str) else says
        bench.fails(bench.write(name, data), says=(f"usw reduce: {bench.root / name}: ", *says))
    ints = bench.write("ints.npy", npy("i32", [1, 2]))
    bench.fails(ints, "--type=f32", says=("ints.npy: ", "elements are i32, --type says f32"))
    bench.fails(ints, "--shape=3", says=("ints.npy: ", "--shape"))
    bench.fails(ints, "--offset=4", says=("ints.npy: ", "--offset is for raw data"))
    bench.fails(ints, "--member=a", says=("ints.npy: ", "no .npz file"))
    bench.fails(ints, "--dataset=a", says=("ints.npy: ", "no HDF5 file"))
    bench.fails(ints, bench.write("good.npy", good), says=("good.npy: ", "elements are f32, those of", "are i32"))
    fortran = bench.write("fortran.npy", npy("i32", [1, 2, 3, 4], (2, 2), fortran=True))
    bench.fails("--op=argmax", fortran, ints, says=("fortran.npy: ", "Fortran order"))
    bench.check(bench.run("--op=sum", fortran, ints).returncode == 0, "a sum in Fortran order over two files")


def bad_raw(bench):
    raw = bench.write("x.raw", pack("f32", range(6)))
    bench.fails(raw, says=("x.raw: ", "raw data needs --type"))
    bench.fails("-t", "f64", bench.write("odd.raw", b"1234567"), says=("odd.raw: ", "truncated", "no multiple of 8"))
    bench.fails("-t", "f32", "--shape=2x4", raw, says=("x.raw: ", "24 bytes", "--shape", "32"))
    bench.fails("-t", "f32", "--shape=2x2", raw, says=("x.raw: ", "24 bytes", "--shape", "16"))
    bench.fails("-t", "f32", "--offset=100", raw, says=("x.raw: ", "--offset says 100"))
    bench.fails("-t", "f32", "--offset=2", raw, says=("x.raw: ", "truncated"))
    bench.fails("-t", "f32", "--shape=4294967296x4294967296", raw, says=("x.raw: ", "larger than any file"))
    bench.fails("-t", "f32", bench.root / "none.raw", says=("none.raw: ", "No such file"))
    bench.fails("-t", "f32", bench.root, says=(str(bench.root), "is a directory"))
    bench.fails("-t", "f32", "none*.raw", says=("none*.raw: ", "no file has such a name"))
    bench.fails("-t", "f32", "-", stdin=b"12345", says=("-: ", "truncated"))
    bench.fails("-t", "f32", "--shape=2", "-", stdin=b"1234", says=("-: ", "truncated: 1 of 2 elements are missing"))
    bench.fails("-t", "f32", "--shape=1", "-", stdin=b"12345678", says=("-: ", "more data than its shape"))
    bench.fails("-t", "f32", "--offset=9", "-", stdin=b"1234", says=("-: ", "before --offset"))
    if os.geteuid() != 0:
        os.chmod(raw, 0)
        bench.fails("-t", "f32", raw, says=("x.raw: ", "Permission denied"))


def bad_words(bench):
    file = bench.write("f.npy", npy("f32", [1, 2]))
    flags = bench.write("b.npy", npy("b8", [True]))
    for option, value in (("shape", "10xten"), ("shape", ""), ("shape", "1x"), ("shape", "-1"), ("offset", "x"),
                          ("type", "float"), ("place", "moon"), ("place", "device:x"), ("strategy", "magic"),
                          ("accuracy", "best"), ("fold", "0"), ("fold", "61"), ("nan", "maybe"), ("format", "xml"), ("progress", "yes"),
                          ("input", "csv"), ("buffer", "5"), ("recheck", "0"), ("recheck", "often")):
        bench.fails(f"--{option}={value}", file, says=(f"usw reduce: {value}: ", f"--{option}"))
    bench.fails("--op=sum,median", file, says=("median: is not what --op takes: sum, prod, min, max, ", "var or std"))
    for none in ("", ",", ",,"):
        bench.fails(f"--op={none}", file, says=(f"usw reduce: {none}: ", "--op"))
    bench.fails("--op=a\nb\x1b[2J", file, says=("usw reduce: a?b?[2J: ", "--op"))
    bench.fails(bench.root / "no\nfile", says="no?file: No such file")
    bench.fails("--n=1\n2", says="1?2: ", command="explain")
    bench.fails("--op=dot", file, says=("dot: is not what --op takes: sum, ", "std"))
    bench.fails("--op=bit_or", file, says=("bit_or", "of f32", "it takes i8, i16, i32, i64, u8, u16, u32 and u64"))
    bench.fails("--op=sum", flags, says=("sum", "of b8", "it takes i8", "cf64"))
    bench.fails("--strategy=tree", file, says="the host has only USW_STRATEGY_HOST, not USW_STRATEGY_TREE")
    bench.fails("--op=prod", "--accuracy=compensated", file, says=("prod", "USW_COMPENSATED"))
    bench.fails("--op=mean", "--accuracy=exact", file, says=("mean", "USW_EXACT takes several sweeps"))
    bench.fails("--op=sum", "--fold=6", file, says="options.fold is 6, which goes with USW_REPRODUCIBLE only")
    bench.fails("--place=device:77", file, says="there is no device 77")
    bench.fails("--devices=63", "--op=sum", file, says="options.devices names device 63")
    for devices in ("64", "1,", "", "gpu", "-1"):
        bench.fails(f"--devices={devices}", file, says="is not what --devices takes")
    bench.fails("--devices=0", "--place=device:0", file, says="--devices: has the places")
    bench.fails("--devices=0", "--axis=0", file, says="--devices: devices share the elements of one result")
    bench.fails("--unknown", file, says="--unknown")
    for byte in (b"-\x01", b"-\xfe", b"-\xff", b"-\xffx"):
        bench.fails(byte, file, says="usw reduce: ")
        bench.fails(file, byte, says="usw scan: ", command="scan")
        bench.fails(byte, says="usw explain: ", command="explain")
    for words in (("--op", "--type", b"-\xff"), ("--op", "--", b"-\xff"), (b"-s\xff",)):
        bench.fails(*words, says="usw explain: ", command="explain")
    bench.fails("--member", b"-\xff", file, says="f.npy: ")
    bench.fails(says="no FILE")
    bench.fails("x", says="--help", command="info")
    bench.fails("--n=ten", says=("ten", "--n"), command="explain")
    bench.fails("--op=sum", says="--n is missing", command="explain")
    bench.fails("--op=nothing", "-n", "1", says=("nothing", "dot, dotc, sum, "), command="explain")
    bench.fails("--op=sum", "--type=b8", "-n", "1", says=("no sum of b8: it takes i8", "cf64"), command="explain")
    bench.fails("--op=prod", "--accuracy=reproducible", "-n", "1", says=("prod_f64", "USW_REPRODUCIBLE"), command="explain")
    bench.fails(says="there is no such command", command="frobnicate")
    full = subprocess.run([bench.program, "reduce", file], stdout=open("/dev/full", "wb"),
                          stderr=subprocess.PIPE, check=False)
    bench.check(full.returncode == 1 and b"could not be written" in full.stderr, "a full disk")


def bad_axes(bench):
    file = bench.write("a.npy", npy("f32", range(6), (2, 3)))
    for value in ("", "x", "1,", ",1", "1.5", "0;1", "100", "--1"):
        bench.fails(f"--axis={value}", file, says=(f"usw reduce: {value}: ", "--axis takes", "0,-1"))
    for axis in ("2", "-3", "0,5"):
        wrong = axis.split(",")[-1]
        bench.fails("--axis", axis, file, says=("a.npy: ", f"has no axis {wrong}: its shape is 2x3, --axis takes -2 to 1"))
    for axes, twice in (("0,0", 0), ("0,-2", 0), ("-1,0,1", 1)):
        bench.fails("--axis", axes, file, says=("a.npy: ", f"--axis names axis {twice} of its 2 twice: name it once"))
        bench.fails("--axis", axes, "--shape=2x3", says=f"usw explain: --axis: axis {twice} is named twice: name it once", command="explain")
    bench.fails("--axis=0", bench.write("one.npy", npy("f32", [1], ())), says=("one.npy: ", "leave out --axis"))
    nine = bench.write("nine.npy", npy("u8", [1], (1,) * 9))
    bench.fails("--axis=0", nine, says=("nine.npy: ", "has 9 dimensions, --axis takes at most 8"))
    bench.fails("--axis=0", file, file, says=("a.npy: ", "here are 2: run usw reduce once for each"))
    bench.fails("--axis=0", "-t", "u8", "-", stdin=b"1234", says=("-: ", "name its shape by --shape"))
    bench.fails("--axis=0", "--op=sum", "--accuracy=exact", file, says=("sum: ", "USW_EXACT"))
    large = bench.root / "large.raw"
    with open(large, "wb") as sparse:
        sparse.truncate(1 << 43)
    bench.fails("--axis=1", "-t", "u8", f"--shape=8x{1 << 40}", large,
                says=("large.raw: ", f"takes its {1 << 43} bytes into memory as a whole", "take a smaller part"))
    large.unlink()
    bench.fails("--output=sums.txt", "--op=sum", file, says=("sums.txt: ", "--output takes", ".npy file"))
    bench.fails("--output=s.npy", file, says=("--output: ", "name it by --op"))
    bench.fails("--output=s.npy", "--op=sum,min", file, says=("--output: ", "name it by --op"))
    bench.fails("--output=s.npy", "--op=sum", "-f", "json", file, says=("--output: ", "leave out --format"))
    for operation in ("minmax", "describe"):
        bench.fails("--output=s.npy", f"--op={operation}", "--axis=0", file, says=(f"{operation}: ", "several numbers", "name min"))
    run = bench.run("--output=none/s.npy", "--op=sum", file)
    bench.equal((1, b"usw reduce: none/s.npy: No such file or directory\n"), (run.returncode, run.stderr), "no such folder")
    (bench.root / "full.npy").symlink_to("/dev/full")
    run = bench.run("--output=full.npy", "--op=sum", file)
    bench.equal((1, b"usw reduce: full.npy: No space left on device\n"), (run.returncode, run.stderr), "a full disk")
    bench.check(not (bench.root / "s.npy").exists(), "a file was written")


def bad_segments(bench):
    file = bench.write("s.npy", npy("f32", range(6)))
    good = bench.write("good.npy", npy("i32", [0, 2, 6]))
    for name, data, says in (
            ("none.npy", None, "No such file"), ("text.npy", b"0 2 6 and no array", "no .npy file"),
            ("cut.npy", npy("i64", [0, 2, 6])[:-4], "truncated"), ("f64.npy", npy("f64", [0, 2, 6]), "its elements are f64, --segments takes"),
            ("i16.npy", npy("i16", [0, 2, 6]), "i32, u32, i64 or u64"), ("matrix.npy", npy("i32", [0, 2], (1, 2)), "has 2 dimensions"),
            ("empty.npy", npy("i32", []), "one offset more than segments"),
            ("falls.npy", npy("i32", [0, 4, 3, 6]), "segment 1 begins at item 4 and ends at 3"),
            ("leaves.npy", npy("u64", [0, 2, 7]), "segment 1 ends at item 7, but there are 6 items"),
            ("large.npy", npy("u64", [0, 2**64 - 1, 7]), f"segment 0 ends at item {2**64 - 1}")):
        if data is not None:
            bench.write(name, data)
        bench.fails("--op=sum,max", f"--segments={name}", file, says=(f"usw reduce: {name}: ", says))
    bench.fails("--segments", good, "--axis=0", file, says=("--segments: ", "leave out --axis"))
    bench.fails("--segments", good, file, file, says=("s.npy: ", "--segments reduces one array, here are 2"))
    bench.fails("--segments", good, bench.write("one.npy", npy("f32", [1], ())), says=("one.npy: is one number", "one dimension"))
    matrix = bench.write("a.npy", npy("f32", range(6), (2, 3)))
    bench.fails("--segments", good, matrix, says=("a.npy: its shape is 2x3", "one dimension"))
    bench.fails("--segments", good, "--op=sum", "--accuracy=exact", file, says=("sum: ", "USW_EXACT"))
    bench.fails("--segments", good, "--output=s.npy", "--op=minmax", file, says=("minmax: ", "several numbers"))
    bench.fails("--segments", good, "-t", "u8", "-", stdin=b"1234", says=("good.npy: ", "but there are 4 items"))


def bad_keys(bench):
    file = bench.write("s.npy", npy("f32", range(6)))
    good = bench.write("good.npy", npy("i32", [1, 1, 2, 2, 2, 3]))
    for name, data, says in (
            ("none.npy", None, "No such file"), ("text.npy", b"1 2 and no array", "no .npy file"),
            ("f64.npy", npy("f64", range(6)), ("its elements are f64, --keys takes i8 to i64", "number the keys")),
            ("b8.npy", npy("b8", [True] * 6), "its elements are b8"), ("matrix.npy", npy("i32", range(6), (2, 3)), "has 2 dimensions"),
            ("few.npy", npy("i32", range(5)), ("has 5 keys", "s.npy has 6 elements: --keys takes one for each"))):
        if data is not None:
            bench.write(name, data)
        bench.fails("--op=sum,max", f"--keys={name}", file, says=(f"usw reduce: {name}: ", *((says,) if isinstance(says, str) else says)))
    bench.fails("--keys", good, "-t", "u8", "-", stdin=b"1234", says=("good.npy: has 6 keys", "- has 4 elements"))
    bench.fails("--keys", good, "--axis=0", file, says=("--keys: ", "leave out --axis"))
    bench.fails("--keys", good, "--segments", good, file, says=("--keys: ", "leave out --segments"))
    bench.fails("--keys", good, file, file, says=("s.npy: ", "--keys reduces one array, here are 2"))
    bench.fails("--keys", good, bench.write("a.npy", npy("f32", range(6), (2, 3))), says=("a.npy: its shape is 2x3", "--keys"))
    bench.fails("--keys", good, "--op=sum", "--accuracy=exact", file, says=("sum: ", "USW_EXACT"))
    bench.fails("--unique-out=u.npy", file, says=("--unique-out: ", "name the keys by --keys"))
    bench.fails("--keys", good, "--unique-out=u.txt", file, says=("u.txt: ", "--unique-out takes", ".npy file"))
    bench.fails("--keys", good, "--unique-out=u.npy", "--output=u.npy", "--op=sum", file, says=("--unique-out: ", "name another one"))
    run = bench.run("--keys", good, "--unique-out=none/u.npy", "--op=sum", file)
    bench.equal((1, b"", b"usw reduce: none/u.npy: No such file or directory\n"), (run.returncode, run.stdout, run.stderr), "no such folder")


def read_outputs(bench):
    """No file is written that is read, whatever its name, and no two outputs are one file."""
    files = {"d.npy": npy("f64", range(4)), "e.npy": npy("f64", range(4)), "k.npy": npy("i64", [1, 1, 2, 2]), "o.npy": npy("i64", [0, 4])}

    def refused(output, *arguments, says="is read, too: write the results to another file", stdin=None):
        for name, data in files.items():
            bench.write(name, data)
        with open(stdin or os.devnull, "rb") as source:
            run = subprocess.run([bench.program, "reduce", "--op=sum", *arguments], cwd=bench.root, stdin=source, capture_output=True,
                                 check=False)
        bench.equal((2, b"", f"usw reduce: {output}: {says}\n".encode()), (run.returncode, run.stdout, run.stderr), f"{arguments}")
        for name, data in files.items():
            bench.equal(data, (bench.root / name).read_bytes(), f"{name} is as it was")

    os.link(bench.write("d.npy", files["d.npy"]), bench.root / "hard.npy")
    (bench.root / "soft.npy").symlink_to("d.npy")
    (bench.root / "here").symlink_to(".")
    for output in ("d.npy", "./d.npy", "here/d.npy", "hard.npy", "soft.npy", str(bench.root / "d.npy")):
        refused(output, f"--output={output}", "d.npy")
        refused(output, f"--output={output}", "e.npy", "d.npy")
        refused(output, "--keys=k.npy", f"--unique-out={output}", "d.npy")
    refused("d.npy", "--output=d.npy", "--type=f64", "-", stdin=bench.root / "d.npy")
    refused("d.npy", "--output=d.npy", "--axis=0", "d.npy")
    refused("here/k.npy", "--output=here/k.npy", "--keys=k.npy", "d.npy")
    refused("k.npy", "--unique-out=k.npy", "--output=new.npy", "--keys=k.npy", "d.npy")
    refused("o.npy", "--output=o.npy", "--segments=o.npy", "d.npy")
    (bench.root / "later.npy").symlink_to("here/new.npy")  # which is not there yet
    for unique, output in (("new.npy", "new.npy"), ("./new.npy", "new.npy"), ("here/new.npy", str(bench.root / "new.npy")), ("later.npy", "new.npy"),
                           ("e.npy", "here/e.npy")):
        refused("--unique-out", "--keys=k.npy", f"--unique-out={unique}", f"--output={output}", "d.npy",
                says="is the file of --output, too: name another one")
    bench.check(not (bench.root / "new.npy").exists(), "a file was written")
    (bench.root / "other").mkdir()
    run = bench.run("--op=sum", "--keys=k.npy", "--unique-out=new.npy", "--output=other/new.npy", "d.npy")
    bench.equal((0, b""), (run.returncode, run.stderr), "one name in two folders")
    bench.check(all((bench.root / name).exists() for name in ("new.npy", "other/new.npy")), "both outputs are there")
    run = bench.run("--op=sum", "--output=e.npy", "d.npy")
    bench.equal(0, run.returncode, "a file that is there, and is not read, is written")


def bad_scans(bench):
    def fails(*arguments, says, **more):
        bench.fails(*arguments, says=says, command="scan", **more)

    file = bench.write("s.npy", npy("i32", range(6)))
    fails(says="usw scan: no FILE")
    for name in ("mean", "norm2", "minmax", "describe", "dot", "sum,max"):
        fails(f"--op={name}", file, says=(f"usw scan: {name}: is not what --op takes: sum, prod, ", "argmax"))
    for value in ("", "x", "1.5", "9223372036854775808", "1e3", " 1"):
        fails("--exclusive", f"--initial={value}", file, says=(f"usw scan: {value}: ", "--initial takes: a number of type i64"))
    floats = bench.write("f.npy", npy("f32", [1, 2]))
    for value in ("1e39", "1e999", "1x", "1+2i"):
        fails("--exclusive", "--op=max", f"--initial={value}", floats, says=(f"usw scan: {value}: ", "a number of type f32"))
    fails("--initial=1", file, says=("--initial: ", "goes with --exclusive: add it"))
    fails("--initial=1", "--exclusive", "--op=count", file, says=("--initial: ", "leave it out"))
    fails("--op=sum", bench.write("b.npy", npy("b8", [True])), says=("sum: ", "no scan by sum of b8: it takes i"))
    fails("--accuracy=reproducible", bench.write("f.npy", npy("f32", [1])), says=("sum: ", "USW_REPRODUCIBLE"))
    fails("--strategy=tree", file, says=("sum: ", "the host has only USW_STRATEGY_HOST"))
    fails("--place=device:77", file, says=("sum: ", "there is no device 77"))
    fails(bench.write("m.npy", npy("i32", range(6), (2, 3))), says=("m.npy: its shape is 2x3", "one dimension: save it flat"))
    fails(bench.write("one.npy", npy("i32", [1], ())), says=("one.npy: is one number", "one dimension"))
    fails(file, "f.npy", says=("f.npy: its elements are f32, those of", "are i32"))
    fails(file, "--format=xml", says="xml: is not what --format takes")
    fails(file, "--output=sums.txt", says=("sums.txt: ", "--output takes", ".npy file"))
    fails(file, "--output=o.npy", "-f", "csv", says=("--output: ", "leave out --format"))
    os.link(file, bench.root / "same.npy")
    fails(file, "--output=same.npy", says=("same.npy: is read, too: write the results to another file",))
    with open(file, "rb") as source:
        run = subprocess.run([bench.program, "scan", "-t", "i32", f"--output={file}", "-"], stdin=source, capture_output=True, check=False)
    bench.check(run.returncode == 2 and b"is read, too" in run.stderr, f"standard input is the output: {run}")
    bench.check((bench.root / "s.npy").read_bytes() == npy("i32", range(6)), "the input is as it was")
    for more in ((), ("--output=o.npy",), ("--output=o.npy", "--reverse")):
        fails("-t", "i32", "--buffer=4K", *more, "-", stdin=bytes(8193), says=("-: ", "truncated"))
    bench.check(not (bench.root / "o.npy").exists(), "a part of the results is left")
    for out, says in (("none/o.npy", b"No such file or directory"), ("full.npy", b"No space left on device")):
        run = bench.run(file, f"--output={out}", command="scan")
        bench.equal((1, b"usw scan: %s: %s\n" % (out.encode(), says)), (run.returncode, run.stderr), f"output {out}")
    large = bench.root / "large.raw"
    with open(large, "wb") as sparse:
        sparse.truncate(1 << 43)
    for option in ("--reverse", "--accuracy=compensated", "--op=argmin"):
        fails(option, "-t", "u8", large, says=("large.raw: ", f"takes its {1 << 43} bytes into memory as a whole"))
    large.unlink()


def archive(members, method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, data in members.items():
            file.writestr(name, data)
    return buffer.getvalue()


def bad_npz(bench):
    array = npy("f32", range(1000))
    good = archive({"a.npy": array, "readme.txt": b"hello"})
    stored = bytearray(archive({"a.npy": array}, zipfile.ZIP_STORED))
    stored[len(stored) // 2] ^= 1  # a bit of the data: the checksum knows
    files = {
        "cut.npz": (good[:-30], "truncated"),
        "text.npz": (b"hello", "no .npz file"),
        "nothing.npz": (archive({}), "no .npy member"),
        "other.npz": (archive({"readme.txt": b"hello"}), "no .npy member"),
        "short.npz": (archive({"a.npy": array[:-8]}), "truncated: 8 of 4000 bytes are missing"),
        "damaged.npz": (bytes(stored), "damaged"),
    }
    for name, (data, says) in files.items():
        bench.fails(bench.write(name, data), says=(name, says))
    mixed = bench.write("mixed.npz", archive({"a.npy": array, "b.npy": npy("f64", [1])}))
    bench.fails("--merge", mixed, says=("mixed.npz:b.npy: ", "elements are f64, those of", "are f32"))
    bench.fails(mixed, mixed, says=("mixed.npz: ", "has 2 members: beside other files, name one by --member", "--merge"))
    bench.fails("--output=s.npy", "--op=sum", mixed, says=("mixed.npz:a.npy: ", "has 2: name one by --member"))
    bench.fails("--axis=1", mixed, says=("mixed.npz:a.npy: ", "has no axis 1: its shape is 1000"))
    bench.fails(bench.write("two.npz", archive({"a.npy": array, "b.npy": array})), command="scan",
                says=("usw scan: ", "two.npz: has 2 members: name one by --member", "--merge"))
    bench.fails("--member=b", bench.write("good.npz", good), says=("good.npz: ", "has no member b"))


def bad_hdf5(bench, make):
    file = str(bench.root / "data.h5")
    subprocess.run([make, file], check=True)
    data = open(file, "rb").read()
    bench.fails(file, says=("data.h5: ", "datasets", "--dataset", "cube"))
    bench.fails("--dataset=none", file, says=("data.h5:none: ", "no such dataset"))
    bench.fails("--dataset=text", file, says=("data.h5:text: ", "no reductions"))
    bench.fails("--dataset=quad", file, says=("data.h5:quad: ", "floating-point numbers of 16 bytes"))
    bench.fails("--dataset=vax", file, says=("data.h5:vax: ", "VAX floating-point numbers of 4 bytes"))
    bench.fails("--dataset=group", file, says=("data.h5:group: ", "no such dataset"))
    bench.fails(bench.write("cut.h5", data[:len(data) // 2]), says=("cut.h5: ", "truncated"))
    bench.fails(bench.write("text.hdf5", b"hello"), says=("text.hdf5: ", "no HDF5 file"))


def main(program, built, make=None):
    bench = Bench(program)
    bad_files(bench)
    bad_raw(bench)
    bad_words(bench)
    bad_axes(bench)
    bad_segments(bench)
    bad_keys(bench)
    bad_scans(bench)
    read_outputs(bench)
    if "npz" in built.split():
        bad_npz(bench)
    if make:
        bad_hdf5(bench, make)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
