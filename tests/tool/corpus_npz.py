"""Odd and wrong .npz archives: names, duplicates, compression, headers of the zip format. NumPy's reader gives the same
answers, but where the tool asks which member is meant, or compares sizes."""

import io
import struct
import warnings
import zipfile

from harness import npy

A, B = npy("f32", [1, 2, 4]), npy("f32", [3, 5])
WIDE = npy("f64", [20])


def archive(*members, method=zipfile.ZIP_STORED, comment=b"", **more):
    """The members are (name, data), in their order; a name may come twice."""
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", method, **more) as file:
        warnings.simplefilter("ignore")  # of names that come twice
        file.comment = comment
        for name, data in members:
            file.writestr(name, data)
    return buffer.getvalue()


def streamed(method):
    """Sizes behind the data, as a pipe makes them."""
    class Pipe(io.RawIOBase):
        data = b""

        def writable(self):
            return True

        def write(self, data):
            self.data += bytes(data)
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", method) as file:
        with file.open("a.npy", "w") as member:
            member.write(A)
    return pipe.data


def zip64():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file, file.open("a.npy", "w", force_zip64=True) as member:
        member.write(A)
    return buffer.getvalue()


def named(name):
    """A name of any bytes."""
    return archive(("x" * (len(name) - 4) + ".npy", A)).replace(b"x" * (len(name) - 4) + b".npy", name)


def central(data, offset, form, value):
    """A number of the first member's entry in the directory at the end."""
    data = bytearray(data)
    struct.pack_into(form, data, data.index(b"PK\1\2") + offset, value)
    return bytes(data)


def good():
    f32 = ["--type=f32", "{}"]
    methods = {"stored": zipfile.ZIP_STORED, "deflated": zipfile.ZIP_DEFLATED}
    for name, method in methods.items():
        one, two = archive(("a.npy", A), method=method), archive(("a.npy", A), ("b.npy", B), method=method)
        yield f"one_{name}", one, f32, 7
        yield f"streamed_{name}", streamed(method), f32, 7
        for file, member, answer in (("a", "a", 7), ("b", "b", 8), ("full", "b.npy", 8)):
            yield f"member_{file}_{name}", two, [f"--member={member}", "{}"], answer
        yield f"merged_{name}", two, ["--merge", "{}"], 15
        yield f"each_{name}", two, [], {"a.npy": 7, "b.npy": 8}
        twice = archive(("a.npy", A), ("b.npy", B), ("a.npy", WIDE), method=method)
        yield f"twice_{name}", twice, [], {"b.npy": 8, "a.npy": 20}
        yield f"twice_member_{name}", twice, ["--member=a", "{}"], 20
        yield f"twice_full_{name}", twice, ["--member=a.npy", "{}"], 20
        alone = archive(("a.npy", A), ("a.npy", B), method=method)
        yield f"twice_alone_{name}", alone, f32, 8
        yield f"twice_merged_{name}", alone, ["--merge", "{}"], 8
        thrice = archive(*[("a.npy", npy("f32", [k])) for k in range(9)], ("b.npy", B), method=method)
        yield f"many_times_{name}", thrice, ["--merge", "{}"], 16
        yield f"endings_{name}", archive(("a.npy", A), ("a.npy.npy", B), method=method), ["--member=a.npy", "{}"], 7
        yield f"endings_last_{name}", archive(("a.npy.npy", B), ("a.npy", A), method=method), ["--member=a.npy", "{}"], 7
        yield f"endings_first_{name}", archive(("a", B), ("a.npy", A), method=method), ["--member=a", "{}"], 8
        yield f"no_ending_{name}", archive(("a", A), ("b.npy", B), method=method), f32, 8
        yield f"types_{name}", archive(("a.npy", A), ("w.npy", WIDE), method=method), [], {"a.npy": 7, "w.npy": 20}
        yield f"other_{name}", archive(("a.txt", b"1"), ("a.npy", A), ("npy", b"2"), (".npy", B), method=method), f32, 7
    yield "many", archive(*[(f"arr_{k}.npy", npy("f32", [k])) for k in range(300)]), ["--merge", "{}"], 44850
    yield "many_each", archive(*[(f"arr_{k}.npy", npy("f32", [k])) for k in range(30)]), [], \
        {f"arr_{k}.npy": k for k in range(30)}
    for k, name in enumerate(("folder/a.npy", "a b.npy", "-.npy", "../a.npy", "/a.npy", "a:b.npy", "\u03b1\u03b2.npy", "a'\".npy",
                              "A.NPY.npy", "n" * 60000 + ".npy", "a\\b.npy", "*.npy", "a,b.npy", "1.npy")):
        data = archive((name, A), ("other.npy", B))
        yield f"name{k}", archive((name, A)), f32, 7
        if len(name) < 1000:
            yield f"named{k}", data, [f"--member={name[:-4]}", "{}"], 7
    yield "control", named(b"a\n\x1b.npy"), f32, 7
    yield "latin", named(b"\xe9\xff.npy"), f32, 7
    yield "folder", archive(("a.npy/", b""), ("a.npy/b.npy", A)), f32, 7
    yield "comment", archive(("a.npy", A), comment=b"PK\5\6 is no end" * 9), f32, 7
    yield "zip64", zip64(), f32, 7
    yield "version2", archive(("a.npy", npy("f32", [7], version=2))), f32, 7
    yield "version3", archive(("a.npy", npy("f32", [7], version=3))), f32, 7
    yield "big_endian", archive(("a.npy", npy("f32", [7], order=">"))), f32, 7
    yield "fortran", archive(("a.npy", npy("f32", [1, 2, 4, 0], (2, 2), fortran=True))), f32, 7
    yield "scalar", archive(("a.npy", npy("f32", [7], ()))), f32, 7
    yield "nothing", archive(("a.npy", npy("f32", [], (0,)))), f32, 0
    yield "nothing_and_more", archive(("e.npy", npy("f32", [], (0, 2))), ("a.npy", A)), [], {"e.npy": 0, "a.npy": 7}
    yield "long", archive(("a.npy", npy("f32", [7], (1,), descr="'<f4'").replace(b"(1,), } ", b"(1L,), }"))), f32, 7
    yield "large", archive(("a.npy", npy("u8", b"\1" * 100000)), method=zipfile.ZIP_DEFLATED), ["--type=u8", "{}"], 100000
    yield "fast", archive(("a.npy", A), method=zipfile.ZIP_DEFLATED, compresslevel=1), f32, 7
    yield "two_files", archive(("a.npy", A)), ["--type=f32", "{}", "{}"], 14
    yield "two_files_merged", archive(("a.npy", A), ("b.npy", B)), ["--merge", "{}", "{}"], 30
    yield "two_files_member", archive(("a.npy", A), ("b.npy", B)), ["--member=a", "{}", "{}"], 14


def bad_members():
    """(name, what a.npy is, words of the message)"""
    for length in (0, 1, 7, 9, len(A) - 13):
        yield f"cut{length}", A[:length], "ends inside its .npy header"
    for length in (1, 3, 4, 5, 12):
        yield f"short{length}", A[:-length], f"truncated: {length} of 12 bytes are missing"
    for length in (1, 4, 1000):
        yield f"more{length}", A + bytes(length), f"has {length} bytes behind its data"
    for name, data, says in (
            ("text", b"1, 2, 3, 4", "no .npy file"), ("records", npy("f32", [1], descr="[('a', '<f4')]"), "records"),
            ("objects", npy("f32", [1], descr="'|O'"), "Python objects"), ("strings", npy("f32", [1], descr="'<U1'"), "no reductions"),
            ("huge", npy("f32", [1], (2**40, 2**40)), "larger than any file"), ("version", A[:6] + b"\4" + A[7:], "version is 4.0"),
            ("wraps", A.replace(b"(3,), }" + b" " * 19, b"(18446744073709551619,), }"), "larger"), ("bare", A.replace(b"(3,)", b"(3) "), "no tuple"),
            ("half", A.replace(b"'<f4'", b"'<f4\""), "cannot be read"), ("zero", A.replace(b"  \n", b" \0\n"), "zero byte"),
            ("bfloat", npy("u16", [1], descr="'|V2'"), "--type bf16"), ("zip", archive(("b.npy", A)), "no .npy file")):
        yield name, data, says


def bad_archives():
    one = archive(("a.npy", A))
    packed = archive(("a.npy", npy("f32", range(1000))), method=zipfile.ZIP_DEFLATED)
    for length in (1, 4, 10, 21, 22, 30, 60, len(one) // 2):
        yield f"cut{length}", one[:-length], ("truncated, or no .npz file",)
    for name, position in (("start", 40), ("middle", len(packed) // 2)):
        data = bytearray(packed)
        data[position] ^= 0x55
        yield f"packed_{name}", bytes(data), ("a.npy: ",)
    data = bytearray(one)
    data[one.index(A) + len(A) - 1] ^= 1
    yield "checksum", bytes(data), ("damaged",)
    yield "checksum_listed", central(one, 16, "<I", 1), ("damaged",)
    yield "method", central(one, 10, "<H", 77), ("a.npy: ", "cannot be read")
    yield "method_of_64", central(one, 10, "<H", 9), ("a.npy: ",)
    yield "encrypted", central(one, 8, "<H", 1), ("a.npy: ", "cannot be read")
    yield "size_small", central(one, 24, "<I", 20), ("a.npy: ",)
    yield "size_none", central(one, 24, "<I", 0), ("a.npy: ",)
    yield "size_large", central(one, 24, "<I", 2**31), ("a.npy: ",)
    yield "packed_size_small", central(one, 20, "<I", 20), ("a.npy: ",)
    yield "offset_near", central(one, 42, "<I", 5), ("a.npy: ",)
    yield "offset_far", central(one, 42, "<I", 2**31), ("npz",)
    yield "nothing", archive(), ("has no .npy member",)
    yield "others", archive(("a.txt", b"1"), ("npy", A), (".npy", A), ("a.NPY", A)), ("has no .npy member",)
    yield "folder", archive(("a.npy/", b"")), ("has no .npy member",)
    yield "empty", b"", ("truncated, or no .npz file",)
    yield "text", b"hello", ("truncated, or no .npz file",)
    yield "magic", b"PK\3\4", ("truncated, or no .npz file",)


def bad():
    for name, data, says in bad_members():
        yield f"bad_member_{name}", archive(("a.npy", data), method=zipfile.ZIP_DEFLATED), [], (".npz:a.npy: ", says)
    for name, data, says in bad_archives():
        yield f"bad_{name}", data, [], (".npz", *says)
    two, types = archive(("a.npy", A), ("b.npy", B)), archive(("a.npy", A), ("w.npy", WIDE))
    for name, member in (("none", "c"), ("part", "a.np"), ("nothing", ""), ("ending", ".npy"), ("more", "a.npy.npy"), ("case", "A"),
                         ("file", "b.npz"), ("folder", "x/a")):
        yield f"bad_choice_{name}", two, [f"--member={member}", "{}"], (f"has no member {member}; there are: a.npy, b.npy",)
    yield "bad_choice_of_none", archive(("a.txt", b"1")), ["--member=a", "{}"], (".npz: ", "has no member a")
    yield "bad_choice_of_many", archive(*[(f"array{k}.npy", A) for k in range(99)]), ["--member=a", "{}"], ("array9.npy, ", ", ...")
    yield "bad_merged", types, ["--merge", "{}"], ("w.npy: ", "elements are f64, those of", "f32")
    yield "bad_twice_merged", archive(("a.npy", WIDE), ("b.npy", B), ("a.npy", WIDE)), ["--merge", "{}"], ("elements are f64",)
    yield "bad_two_files", two, ["{}", "{}"], ("has 2 members", "--member", "--merge")
    yield "bad_two_kinds", two, ["--type=f32", "/dev/null", "{}"], ("has 2 members", "--member", "--merge")
    yield "bad_type", two, ["--type=f64", "{}"], ("a.npy: ", "elements are f32, --type says f64")
    yield "bad_type_second", types, ["--type=f32", "{}"], ("w.npy: ", "elements are f64, --type says f32")
    yield "bad_shape", two, ["--shape=3", "{}"], ("b.npy: ", "--shape")
    yield "bad_operation", archive(("a.npy", A), ("t.npy", npy("b8", [True]))), [], ("sum: ", "b8, the type of", "t.npy")
    yield "bad_second", archive(("a.npy", A), ("b.npy", B[:-1])), [], ("b.npy: ", "1 of 8 bytes are missing")
    yield "bad_dataset", two, ["--dataset=a", "{}"], ("no HDF5 file",)
    yield "bad_offset", two, ["--offset=1", "{}"], ("--offset is for raw data",)
    yield "bad_before", b"#!/bin/sh\n" + two, ["--input=npz", "{}"], ("no .npz file",)
    yield "bad_as_npy", two, ["--input=npy", "{}"], ("no .npy file",)
    yield "bad_as_hdf5", two, ["--input=hdf5", "{}"], ("HDF5",)
    yield "bad_text_member", archive(("a.txt", b"hello")), ["--member=a.txt", "{}"], (":a.txt: ", ".npy")


def cases():
    yield from good()
    yield from bad()
