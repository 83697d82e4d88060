"""Seeds of the fuzzers: inputs that are right or nearly so, from which libFuzzer starts."""

import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tool"))

import corpus_npy  # noqa: E402
import corpus_npz  # noqa: E402
import corpus_raw  # noqa: E402

MOST_BYTES = 3000  # of a seed: long ones make all executions slow


def of_files(folder):
    """The files of the corpus behind the bytes that stand for a command line: none, or a type."""
    for form, cases in (("npy", corpus_npy.cases()), ("npz", corpus_npz.cases()), ("raw", corpus_raw.cases(folder))):
        for name, data, *_ in cases:
            if isinstance(data, bytes):
                yield f"{form}_{name}", (b"\1\7\0\0" if form == "raw" else b"\0\xff\0\0") + data


def by_chance(kind):
    """Any bytes, the same in every run: decisions of the fuzzers that take their input as such (input.h)."""
    source = random.Random(kind)
    for number in range(60):
        yield f"chance{number}", source.randbytes(source.choice((20, 60, 150, 400)))


def write(kind, folder):
    """Files in the folder; returns how many."""
    for name, data in of_files(folder) if kind == "files" else by_chance(kind):
        if len(data) < MOST_BYTES:
            (folder / name).write_bytes(data)
    return len(list(folder.iterdir()))
