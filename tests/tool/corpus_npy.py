"""Odd and wrong .npy files. NumPy's own reader gives the same answers, but for what follows the data, type letters of
the platform, and the number of versions."""

import struct

from harness import TYPES, pack

USUAL = {"descr": "'<f4'", "fortran_order": "False", "shape": "(3,)"}
VALUES = [1, 2, 4]


def file_of(header, data, version=(1, 0)):
    header = header if isinstance(header, bytes) else header.encode()
    return b"\x93NUMPY" + bytes(version) + struct.pack("<H" if version[0] == 1 else "<I", len(header)) + header + data


def header_of(colon=": ", comma=", ", end=", }\n", quote="'", order=("descr", "fortran_order", "shape"), **values):
    values = {**USUAL, **values}
    return "{" + comma.join(f"{quote}{key}{quote}{colon}{values[key]}" for key in order) + end


THREE = pack("f32", VALUES)


def odd_headers():
    """(name, header, versions): three floats of the sum 7."""
    for name, shape in {
            "long": "(3L,)", "long_apart": "(3 L,)", "long_hex": "(0x3L,)", "long_brackets": "((3L,))"}.items():
        yield name, header_of(shape=shape), (1, 2)
    shapes = {"space": "( 3 , )", "tab": "(\t3\t,\t)", "newline": "(\n3\n,\n)", "return": "(3,\r\n)", "feed": "(\f3,)",
              "comment": "(3, # rows\n)", "continued": "(3,\\\n)", "hex": "(0x3,)", "octal": "(0o3,)", "binary": "(0b11,)",
              "plus": "(+3,)", "brackets": "((3,))", "brackets_inside": "((3),)", "two": "(1, 3)", "two_comma": "(3, 1,)",
              "tight": "(3,)", "many": "(" + "1," * 30 + "3)", "underscore": "(0x0_3,)", "apart": "(+ 3,)"}
    for name, shape in shapes.items():
        yield name, header_of(shape=shape), (1, 3)
    for name, text in {"quotes": '"<f4"', "triple": "'''<f4'''", "raw_text": "r'<f4'", "unicode": "u'<f4'", "joined": "'<' 'f4'",
                       "escape": "'\\x3cf4'", "native": "'=f4'", "bare": "'f4'", "none": "'|f4'", "letter": "'<f'",
                       "name": "'float32'", "brackets": "('<f4')"}.items():
        yield f"type_{name}", header_of(descr=text), (1,)
    forms = {"colon": {"colon": " : "}, "no_blank": {"colon": ":", "comma": ","}, "wide": {"colon": "\t:\n "},
             "double": {"quote": '"'}, "no_comma": {"end": "}\n"}, "no_newline": {"end": "}"}, "padded": {"end": "}" + " " * 70 + "\n"},
             "tail": {"end": ",}\n# the end"}, "false": {"fortran_order": "(False)"}, "true": {"fortran_order": "True"}}
    for name, form in forms.items():
        yield name, header_of(**form), (1, 2, 3)
    for k, order in enumerate((("shape", "descr", "fortran_order"), ("fortran_order", "shape", "descr"),
                               ("shape", "fortran_order", "descr"), ("descr", "shape", "fortran_order"))):
        yield f"order{k}", header_of(order=order), (1,)
    yield "first_blank", "  " + header_of(), (1,)
    yield "first_line", "\n" + header_of(), (1,)
    yield "first_comment", "# a comment\n" + header_of(), (1,)
    yield "in_brackets", "(" + header_of() + ")", (1,)
    yield "twice", header_of(end=", 'shape': (3,)}", shape="(9,)"), (1,)
    yield "long_header", header_of(end=" " * 9000 + "}\n"), (1, 2)


def odd_types():
    for tag in ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"):
        for order in "<>":
            yield f"{tag}{'le' if order == '<' else 'be'}", header_of(descr=f"'{order}{TYPES[tag][1]}'"), pack(tag, VALUES, order), tag
    for name, letter, tag in (("short", ">h", "i16"), ("int8", "int8", "i8"), ("uint64", "uint64", "u64"), ("half", ">e", "f16"), ("byte", "b", "i8"), ("unsigned", ">H", "u16")):
        yield name, header_of(descr=f"'{letter}'"), pack(tag, VALUES, ">" if letter[0] == ">" else "<"), tag


def good():
    for name, header, versions in odd_headers():
        for version in versions:
            yield f"{name}_v{version}", file_of(header, THREE, (version, 0)), ["--type=f32", "{}"], 7
    for name, header, data, tag in odd_types():
        yield f"type_{name}", file_of(header, data), [f"--type={tag}", "{}"], 7
    yield "nothing", file_of(header_of(shape="(0,)"), b""), [], 0
    yield "nothing_large", file_of(header_of(shape="(0, 9223372036854775807)"), b""), [], 0
    yield "zeros", file_of(header_of(shape="(00,)"), b""), [], 0
    yield "scalar", file_of(header_of(shape="()"), pack("f32", [7])), [], 7
    yield "fortran", file_of(header_of(shape="(3, 1)", fortran_order="True"), THREE), [], 7
    yield "bfloat", file_of(header_of(descr="'|V2'"), pack("bf16", VALUES)), ["--type=bf16", "{}"], 7
    yield "complex", file_of(header_of(descr="'>c16'", shape="(1,)"), pack("cf64", [3 - 1j], ">")), [], [3, -1]


def bad_headers():
    """(name, header, words of the message)"""
    for name, shape, says in (
            ("number", "(3)", "shape (3"), ("bare", "3", "no tuple"), ("list", "[3]", "no tuple"), ("none", "None", "no tuple"),
            ("text", "'3'", "no tuple"), ("negative", "(-3,)", "no count"), ("fraction", "(3.0,)", "no whole number"),
            ("power", "(3e0,)", "no whole number"), ("imaginary", "(3j,)", "no whole number"), ("truth", "(True,)", "no count"),
            ("nested", "((3,),)", "no count"), ("word", "('3',)", "no count"), ("comma", "(,)", "no value starts"),
            ("commas", "(3,,)", "no value starts"), ("no_comma", "(3 1)", ", or ) is missing"), ("sum", "(1+2,)", ", or ) is missing"),
            ("zero_first", "(03,)", "zero before"), ("open", "(3,", "no value starts"), ("small_l", "(3l,)", "no whole number"),
            ("long_number", "(3L)", "no tuple"), ("wraps", "(18446744073709551619,)", "larger than any file"),
            ("wraps_hex", "(0x10000000000000003,)", "larger than any file"), ("wraps_all", "(4294967296, 4294967297)", "larger"),
            ("wraps_three", "(2097152, 2097152, 4194304)", "larger"), ("wraps_empty", "(18446744073709551616, 0)", "larger"),
            ("signed", "(9223372036854775808,)", "larger"), ("bytes", "(4611686018427387904,)", "larger"),
            ("unknown", "(18446744073709551615,)", "larger"), ("many", "(" + "1," * 33 + ")", "more than 32 dimensions"),
            ("signs", "(--3,)", "digit is missing"), ("base", "(0x,)", "digit is missing"), ("underscores", "(0__3,)", "no whole number"),
            ("deep", "(" * 50 + "3" + ")" * 50, "nested too deeply"), ("name", "(n,)", "no value starts"), ("brace", "(3,}", "no value")):
        yield f"shape_{name}", header_of(shape=shape), says
    for name, text, says in (
            ("records", "[('a', '<f4'), ('b c', '<i4')]", "records"), ("array", "('<f4', (2,))", "are arrays"),
            ("object", "'|O'", "Python objects"), ("text", "'<U1'", "'<U1' has no reductions"), ("date", "'<M8[s]'", "no reductions"),
            ("quad", "'<f16'", "no reductions"), ("void", "'|V2'", "--type bf16"), ("wraps", "'<f4294967300'", "no reductions"),
            ("blank", "' <f4'", "no reductions"), ("more", "'<f4x'", "no reductions"), ("nothing", "''", "no reductions"),
            ("none", "None", "type None has no"), ("bytes", "b'<f4'", "no reductions"), ("number", "4", "type 4 has no"),
            ("orders", "'<<f4'", "no reductions"), ("lines", "'''<\nf4'''", "no reductions"), ("large", "'<i16'", "no reductions"),
            ("open", "'<f4", ", or } is missing"), ("half_quote", "'<f4\"", ", or } is missing")):
        yield f"type_{name}", header_of(descr=text), says
    for name, order in (("number", "0"), ("none", "None"), ("text", "'False'")):
        yield f"order_{name}", header_of(fortran_order=order), "neither True nor False"
    yield "order_small", header_of(fortran_order="false"), "no value starts"
    yield "order_longer", header_of(fortran_order="Falsehood"), "no value starts"
    for name, header, says in (
            ("commas", header_of(end=",,}"), "no value starts"), ("key", header_of(end=", 'x': 1}"), "key 'x'"),
            ("key_bytes", header_of().replace("'shape'", "b'shape'"), "key b'shape'"), ("key_number", "{1: 2}", "key 1"),
            ("no_colon", header_of(colon=" "), ": is missing at its byte 14"), ("more", header_of() + "1", "follows its end"),
            ("semicolon", header_of(end="};"), "follows its end"), ("no_end", header_of(end=""), "is missing"),
            ("list", "[" + header_of() + "]", "no dictionary"), ("set", "{'descr', 'shape'}", ": is missing"), ("empty", "", "no value"),
            ("no_keys", "{}", "no descr"), ("zero", header_of() + "\0", "zero byte"), ("no_type", header_of(order=("shape",)), "no descr"),
            ("no_shape", header_of(order=("descr", "fortran_order")), "no shape"),
            ("no_order", header_of(order=("descr", "shape")), "no fortran_order"), ("text", "'descr'", "no dictionary")):
        yield f"header_{name}", header, says


def bad():
    for name, header, says in bad_headers():
        yield f"bad_{name}", file_of(header, THREE), [], (".npy: ", says)
    header = header_of()
    yield "bad_long_v3", file_of(header_of(shape="(3L,)"), THREE, (3, 0)), [], ("no whole number",)
    for major, minor in ((0, 1), (1, 1), (2, 1), (3, 1), (4, 0), (255, 255)):
        yield f"bad_version{major}_{minor}", file_of(header, THREE, (major, minor)), [], (f"version is {major}.{minor}",)
    whole = file_of(header, THREE)
    for length in (0, 1, 5, 7, 9, 10, len(whole) - 13):
        yield f"bad_cut{length}", whole[:length], [], ("ends inside its .npy header",)
    for length in (1, 4, 12):
        yield f"bad_data{length}", whole[:-length], [], (f"{length} of 12 bytes are missing",)
    yield "bad_more", whole + b"1", [], ("1 bytes behind its data",)
    yield "bad_magic", b"\x92" + whole[1:], [], ("no .npy file",)
    yield "bad_header_length", b"\x93NUMPY\2\0\xff\xff\xff\xff" + header.encode(), [], ("too long",)
    yield "bad_type", whole, ["--type=f64", "{}"], ("elements are f32, --type says f64",)
    yield "bad_shape", whole, ["--shape=4", "{}"], ("--shape",)


def cases():
    yield from good()
    yield from bad()
