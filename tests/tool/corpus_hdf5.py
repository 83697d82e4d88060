"""Odd and wrong HDF5 files: those that make_hdf5_corpus.c writes, and damaged ones made of them."""

import json
import pathlib
import subprocess


def written(root, make):
    """Cases from the lines of the program: name, arguments, answer."""
    (root / "text.txt").write_text("no HDF5 file")
    lines = subprocess.run([make], cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()
    for name, arguments, answer in (line.split("\t") for line in lines):
        says = tuple(answer.split("|")) if name.startswith("bad") else json.loads(answer)
        yield name, str(root / f"{name}.h5"), arguments.split(), says


def damaged(root):
    whole = (root / "layout_contiguous.h5").read_bytes()
    for length in sorted({*range(9, len(whole), max(1, len(whole) // 12)), len(whole) - 1}):
        yield f"bad_cut{length}", whole[:length], [], ("truncated, locked, or no HDF5 file",)
    yield "bad_empty", b"", ["--input=hdf5", "{}"], ("truncated, locked, or no HDF5 file",)
    yield "bad_text", b"hello", [], ("truncated, locked, or no HDF5 file",)
    yield "bad_signature", whole[:7] + b"\r" + whole[8:], [], ("truncated, locked, or no HDF5 file",)
    yield "bad_version", whole[:8] + b"\x63" + whole[9:], [], ("truncated, locked, or no HDF5 file",)
    for name in ("checked", "deflated"):
        data = bytearray((root / f"layout_{name}.h5").read_bytes())
        for k in range(1, 9):  # the last chunk is at the end
            data[-k] ^= 0x5a
        yield f"bad_{name}", bytes(data), [], (":x: ", "damaged")
    for name, more, says in (("type", "--type=f32", "elements are f64, --type says f32"), ("shape", "--shape=4", "--shape"),
                             ("dimensions", "--shape=3x1", "--shape"), ("member", "--member=x", "no .npz file"),
                             ("offset", "--offset=8", "--offset is for raw data"), ("as_npy", "--input=npy", "no .npy file"),
                             ("as_npz", "--input=npz", "no .npz file"), ("operation", "--op=bit_or", "f64")):
        yield f"bad_option_{name}", whole, [more, "{}"], (says,)
    yield "bad_second", (root / "type_f32.h5").read_bytes(), [str(root / "layout_compact.h5"), "{}"], ("elements are f32",)


def good(root):
    for name, more in (("type", "--type=f64"), ("shape", "--shape=3"), ("merge", "--merge"), ("input", "--input=hdf5"),
                       ("dataset", "--dataset=x"), ("path", "--dataset=/x"), ("buffer", "--buffer=4k")):
        yield f"option_{name}", (root / "layout_chunks.h5").read_bytes(), [more, "{}"], 7
    yield "no_name", None, ["--input=hdf5", str(pathlib.Path(root) / "file_block.h5")], 7


def cases(root, make):
    yield from written(root, make)
    yield from good(root)
    yield from damaged(root)
