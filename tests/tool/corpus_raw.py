"""Odd and wrong raw data: types, shapes and offsets that agree with the file, or do not."""

import pathlib

from harness import TYPES, pack

VALUES = [1, 2, 4]
PAGE = "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size"  # stat gives a page, and there is less to read
WITHOUT_SIZE = "/proc/sys/kernel/ostype"  # stat gives 0 bytes for files of /proc


def typed(tag, *more):
    return [f"--type={tag}", *more, "{}"]


def good():
    real = [tag for tag in [*TYPES, "bf16"] if tag[0] not in "cb" or tag == "bf16"]
    for tag in real:
        data = pack(tag, VALUES)
        yield f"plain_{tag}", data, typed(tag), 7
        yield f"offset_{tag}", b"header" + data, typed(tag, "--offset=6"), 7
        yield f"both_{tag}", b"\0" * 4097 + data, typed(tag, "--offset=4097", "--shape=1x3x1"), 7
    for tag in ("cf32", "cf64"):
        yield f"plain_{tag}", pack(tag, [3 - 1j]), typed(tag), [3, -1]
        yield f"shape_{tag}", b"1" + pack(tag, [3 - 1j, 1j]), typed(tag, "--shape=2x1", "--offset=1"), [3, 0]
    for name, offset in (("power", "2^3"), ("exponent", "0.8e1"), ("zero_first", "008")):
        yield f"offset_{name}", bytes(8) + pack("i16", VALUES), typed("i16", f"--offset={offset}"), 7
    yield "offset_k", bytes(4096) + pack("i16", VALUES), typed("i16", "--offset=4k"), 7
    yield "offset_is_all", bytes(8), typed("f64", "--offset=8"), 0
    yield "offset_is_all_but_one", bytes(8) + pack("u8", [7]), typed("u8", "--offset=8"), 7
    yield "empty", b"", typed("f64"), 0
    yield "empty_shape", b"", typed("f64", "--shape=0"), 0
    yield "empty_shape_large", b"", typed("f64", "--shape=0x18446744073709551615"), 0
    yield "empty_offset", b"", typed("f64", "--offset=0"), 0
    yield "named_raw", b"\x93NUMPY" + bytes(2), typed("u8", "--input=raw"), sum(b"\x93NUMPY")
    yield "zip_named_raw", b"PK\3\4", typed("u8", "--input=raw"), sum(b"PK\3\4")
    yield "almost_npy", b"\x93NUMPX", typed("u8"), sum(b"\x93NUMPX")
    yield "almost_hdf5", b"\x89HDF\r\n\n", typed("u8"), sum(b"\x89HDF\r\n\n")
    yield "twice", pack("i32", VALUES), ["--type=i32", "{}", "{}"], 14
    yield "with_nothing", pack("i32", VALUES), ["--type=i32", "{}", "/dev/null", "{}"], 14
    yield "last_shape_counts", pack("i32", VALUES), typed("i32", "--shape=9", "--shape=3"), 7
    text = pathlib.Path(WITHOUT_SIZE).read_bytes()
    yield "proc", None, ["--type=u8", WITHOUT_SIZE], sum(text)
    yield "proc_shape", None, ["--type=u8", f"--shape={len(text)}", WITHOUT_SIZE], sum(text)
    yield "proc_offset", None, ["--type=u8", "--offset=2", WITHOUT_SIZE], sum(text[2:])
    yield "proc_offset_is_all", None, ["--type=u8", f"--offset={len(text)}", WITHOUT_SIZE], 0
    yield "proc_and_file", b"\1\2\4", ["--type=u8", WITHOUT_SIZE, "{}"], sum(text) + 7
    if pathlib.Path(PAGE).exists():
        yield "page", None, ["--type=u8", PAGE], sum(pathlib.Path(PAGE).read_bytes())


def bad(root):
    for tag in ("i8", "b8", "u16", "bf16", "i32", "f32", "u64", "cf32", "cf64"):
        size = len(pack(tag, [1]))
        if size > 1:
            yield f"bad_cut_{tag}", bytes(3 * size - 1), typed(tag), ("truncated, or not of type", f"multiple of {size}")
            yield f"bad_offset_{tag}", bytes(3 * size), typed(tag, "--offset=1"), ("truncated, or not of type",)
        yield f"bad_more_{tag}", bytes(3 * size), typed(tag, "--shape=2"), (f"{3 * size} bytes of data", f"say {2 * size}")
        yield f"bad_less_{tag}", bytes(3 * size), typed(tag, "--shape=2x2"), (f"{3 * size} bytes of data", f"say {4 * size}")
    for name, offset in (("large", "100"), ("one", "13"), ("largest", "9223372036854775807")):
        yield f"bad_offset_{name}", bytes(12), typed("i32", f"--offset={offset}"), (f"--offset says {offset}",)
    for name, offset in (("minus", "-1"), ("wraps", "18446744073709551616"), ("signed", "9223372036854775808"), ("word", "x"),
                         ("fraction", "1.5"), ("nothing", "")):
        yield f"bad_offset_{name}", bytes(12), typed("i32", f"--offset={offset}"), ("--offset",)
    for name, shape in (("wraps", "4294967296x4294967296"), ("bytes", "4611686018427387904"), ("largest", "18446744073709551615")):
        yield f"bad_shape_{name}", bytes(12), typed("i32", f"--shape={shape}"), ("--shape is larger than any file",)
    for name, shape in (("minus", "-3"), ("too_large", "18446744073709551616"), ("comma", "3,1"), ("end", "3x"), ("start", "x3"),
                        ("nothing", ""), ("word", "three"), ("many", "x".join(["1"] * 33)), ("twice", "3xx1")):
        yield f"bad_shape_{name}", bytes(12), typed("i32", f"--shape={shape}"), ("--shape",)
    yield "bad_no_type", bytes(12), [], ("raw data needs --type",)
    yield "bad_no_type_empty", b"", [], ("raw data needs --type",)
    yield "bad_type", bytes(12), typed("i24"), ("--type",)
    yield "bad_member", bytes(12), typed("i32", "--member=a"), ("no .npz file",)
    yield "bad_dataset", bytes(12), typed("i32", "--dataset=a"), ("no HDF5 file",)
    yield "bad_as_npy", bytes(12), ["--input=npy", "{}"], ("no .npy file",)
    yield "bad_empty_shape", b"", typed("i32", "--shape=2"), ("2 of 2 elements are missing",)
    yield "bad_empty_offset", b"", typed("i32", "--offset=3"), ("ends 3 bytes before --offset",)
    yield "bad_proc_less", None, ["--type=u8", "--shape=5000", WITHOUT_SIZE], ("of 5000 elements are missing",)
    yield "bad_proc_more", None, ["--type=u8", "--shape=2", WITHOUT_SIZE], ("more data than its shape says",)
    yield "bad_proc_offset", None, ["--type=u8", "--offset=100", WITHOUT_SIZE], ("before --offset",)
    yield "bad_proc_cut", None, ["--type=cf64", WITHOUT_SIZE], ("bytes of an element of 16",)
    yield "bad_folder", None, ["--type=u8", str(root)], ("is a directory",)
    yield "bad_nothing", None, ["--type=u8", str(root / "none")], ("No such file",)
    yield "bad_second", bytes(12), ["--type=i64", "/dev/null", "{}"], ("truncated, or not of type i64",)


def cases(root):
    yield from good()
    yield from bad(root)
