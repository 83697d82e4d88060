"""Writes the modules of the package that follow from the library's headers: _tables.py and _functions.py.

usage: generate.py <prefix>/include/upsweep FOLDER
"""

import csv
import pathlib
import pprint
import re
import sys
import textwrap

DTYPE_NAMES = {"i": "int", "u": "uint", "f": "float", "bf": "bfloat", "cf": "complex", "b": "bool"}


def text_of(folder, name):
    """A header without its comments."""
    return re.sub(r"/\*.*?\*/", "", (folder / name).read_text(), flags=re.DOTALL)


def rows(folder, name):
    """The columns of every ROW(...) of a .def file."""
    lines = re.findall(r"^\s*ROW\((.*)", text_of(folder, name), flags=re.MULTILINE)
    return [[column.strip() for column in columns] for columns in csv.reader(lines, skipinitialspace=True)]


def version(folder):
    """(major, minor, patch) of the headers."""
    text = text_of(folder, "version.h")
    return tuple(int(re.search(rf"USW_VERSION_{part} (\d+)", text)[1]) for part in ("MAJOR", "MINOR", "PATCH"))


def enumeration(folder, header, name):
    """The words of an enum and their values: USW_STRATEGY_TREE of usw_strategy is "tree"."""
    body = re.search(rf"typedef enum usw_{name} {{(.*?)}}", text_of(folder, header), flags=re.DOTALL)[1]
    words = {}
    for constant, value in re.findall(r"USW_(\w+) = (\d+)", body):
        parts = [part for part in constant.lower().split("_") if part != name]
        words["_".join(parts)] = int(value)
    return words


def structure(folder, header, name):
    """The members of a structure: (name, C type, number of elements or 0)."""
    text = text_of(folder, header)
    constants = dict(re.findall(r"#define (USW_\w+) (\d+)", text))
    body = re.search(rf"typedef struct {name} {{(.*?)}}", text, flags=re.DOTALL)[1]
    members = re.findall(r"([\w\s]+[\s*])(\w+)(?:\[(\w+)\])?;", body)
    return [(member, kind.strip(), int(constants.get(count, count or 0))) for kind, member, count in members]


def tables(folder):
    """Everything that _tables.py holds, by name."""
    types = {row[0]: row for row in rows(folder, "types.def")}
    operations = {row[0]: int(row[2]) for row in rows(folder, "operators.def")}
    header = text_of(folder, "types.h")
    operations.update((name, int(code)) for name, code in re.findall(r"USW_(\w+) = (\d+)", header))
    members = re.findall(r"#define USW_HAS_([A-Z]+)_([A-Z]+)\(\.\.\.\) __VA_ARGS__", header)
    functions = {}
    for name, operation, streams, result, group, what, *_ in rows(folder, "functions.def"):
        tags = tuple(tag for tag, row in types.items() if (group, row[8]) in members)
        functions[name] = (operations[operation], int(streams), result, tags, what)
    return {
        "VERSION": version(folder),
        "TYPES": {tag: (int(row[2]), row[4], row[5], row[6]) for tag, row in types.items()},
        "FUNCTIONS": functions,
        "PLACES": enumeration(folder, "options.h", "place"),
        "STRATEGIES": enumeration(folder, "options.h", "strategy"),
        "ACCURACIES": enumeration(folder, "options.h", "accuracy"),
        "NANS": enumeration(folder, "options.h", "nan"),
        "OPTIONS": structure(folder, "options.h", "usw_options"),
        "RECORD": structure(folder, "options.h", "usw_report"),
        "ARRAY": structure(folder, "axes.h", "usw_array_t"),
        "SEGMENTS": structure(folder, "segments.h", "usw_segments_t"),
        "PART": structure(folder, "parts.h", "usw_part"),
        "REQUEST": structure(folder, "plan.h", "usw_request"),
    }


TABLES_HEAD = '''"""Codes and structures of the library's headers. Generated: see generate.py.

TYPES      tag: (code, value type, sum type, real type)
FUNCTIONS  name: (code of the operation, streams, kind of the result, tags of the types it has, what it is)
OPTIONS    members of usw_options_t: (name, C type, number of elements or 0); RECORD, ARRAY,
           SEGMENTS, PART and REQUEST likewise
"""

import enum


class Status(enum.IntEnum):
    """What calls of the library return, by the names of usw_status_t."""

{statuses}


'''

FUNCTIONS_HEAD = '''"""The reductions, one function each. Generated: see generate.py."""

from __future__ import annotations

from typing import Any, Sequence

from ._along import Axis, along
from ._call import Array, Report, reduce
from ._fast import along as short_along, reduce as short
from ._keywords import accumulate, extreme, locate, logical
from ._results import Describe, Extremes
from ._segments import Segments

'''

FUNCTION = '''
def {name}({signature}, axis: Axis = None, *, keepdims: bool = False, segments: Segments = None,{keywords}
{indent} place: str | None = None, device: int | None = None,
{indent} strategy: str | None = None, accuracy: str | None = None, nan: str | None = None, teams: int = 0,
{indent} work_group_load: int = 0, report: Report | None = None, fold: int = 0,
{indent} devices: str | Sequence[int] | None = None) -> {result}:
    """{what}.

    Parameters
    ----------
    {inputs} : array or Parts
        {arguments}
{parameters}    place : {{"auto", "host", "device"}}, optional
        Where to run. "auto" is where the data is, "device" the first GPU, else OpenMP device 0.
    device : int, optional
        OpenMP device number; implies place="device".
    strategy : {{"auto", {strategies}}}, optional
        How to run.
    accuracy : {{{accuracies}}}, optional
        What the result promises beyond being right.
    nan : {{{nans}}}, optional
        What a NaN does. "ignore" passes over it.
    teams : int, optional
        Teams to launch, 0 to 65535. 0 is the library's choice.
    work_group_load : int, optional
        Of "multipass": most partials that are left for the host. 0 is 256.
    report : Report, optional
        Filled with what ran.
    fold : int, optional
        Bins of 40 binary digits that accuracy="reproducible" keeps, at most 60. 0 is 3 for doubles, 2 for floats.
    devices : "all" or sequence of int, optional
        GPUs, or OpenMP devices by number, that share the elements of arrays in host memory; each gets its part over
        its own link. For one result, and not beside place and device.

    Returns
    -------
    {kind}
        {returns}

    Raises
    ------
    TypeError
        Not an array, or of a dtype that the library does not know.
    numpy.exceptions.AxisError
        An axis that the array does not have. Of NumPy before 1.25 it is numpy.AxisError.
    ValueError
        Shapes or dtypes that do not fit, an axis given twice, offsets that fall or leave x, or device memory that would
        have to be copied.{refused}
    Error
        What the library refused, with its status and text.

    Notes
    -----
    {meaning}

    Examples
    --------
    >>> import numpy, upsweep
    {example}
    """
    if ({given}
            and place is None and device is None and strategy is None and accuracy is None and nan is None
            and report is None and not (teams or work_group_load or fold or devices is not None)):  # "is" would take 0.1 us more
        if axis is None and not keepdims{and_no_out}:
            found = short({number}, {inputs})
        else:
            found = short_along({number}, axis, keepdims, {out_or_none}, {inputs})
        if found is not None:
            return found
    return {call}
'''

AXIS = '''    axis : int or tuple of int, optional
        Which axes are reduced; negative ones count from the last. None: all.
    keepdims : bool, optional
        Reduced axes stay, with one element.
    segments : array of int, pair of them, or int, optional
        One result for each segment of x, which has one dimension then; instead of axis, keepdims and where. Offsets,
        one more than segments: segment k is x[offsets[k]:offsets[k + 1]]. (begins, ends): it is x[begins[k]:ends[k]].
        A number: each segment has so many elements. int32, uint32, int64 and uint64 are read in place, other integers
        converted. Offsets are in the same memory as x.
'''
OUT = '''    out : array, optional
        Where the results go: a NumPy array, or contiguous device memory of their dtype, apart from x, where x is in
        device memory.
'''
MASK = '''    where : array of bool, optional
        Which elements count; broadcast to the shape of x. Host memory only. The elements are copied.
'''
WHERE = MASK + '''    initial : scalar, optional
        Combined into the result{initial}.
'''
DTYPE = '''    dtype : dtype, optional
        Of the result. Elements are converted, by a copy, where the sum could not be converted instead: from an integer
        to a floating number, to a wider floating number, from a complex to a real one. None: the usual dtype, or that
        of out, if out is a NumPy array of another integer dtype, or, for x in host memory, of a wider floating or
        complex dtype.
'''
EMPTY = "\n        No elements, and no initial."

KEYWORDS = {  # the function's NumPy keywords: (signature, parameters, call before the options, refused besides)
    "SUM": ("where: Array | None = None, initial: Any = None, dtype: Any = None, ", WHERE.format(initial="") + DTYPE,
            "accumulate({name!r}, x, {along}, where, initial, dtype, ", ""),
    "ELEMENT": ("where: Array | None = None, initial: Any = None, ",
                WHERE.format(initial=". An array without elements needs it"),
                "extreme({name!r}, x, {along}, where, initial, ", EMPTY),
    "BOOL": ("where: Array | None = None, ", MASK, "logical({name!r}, x, {along}, where, ", ""),
    "LOCATED": ("", "", "locate({name!r}, x, {along}, ", "\n        No elements, or NaNs alone with nan=\"ignore\"."),
}
NO_KEYWORDS = ("", "", "reduce({name!r}, ({inputs},), {along}, ", "")
ARRAY = "With axis, keepdims, segments or out an array of them."
ARRAYS = {"LOCATED": "With axis, keepdims, segments or out an array of indices, counted along the reduced axes or in "
                     "each segment; -1 of segments without elements or of NaNs alone.",
          "EXTREMES": "With axis, keepdims or segments a tuple of arrays.",
          "DESCRIBE": "With axis, keepdims or segments a tuple of arrays; indices are counted along the reduced axes "
                      "or in each segment."}
SEVERAL = ("EXTREMES", "DESCRIBE")  # results of several members: no out
OPTION_NAMES = "place, device, strategy, accuracy, nan, teams, work_group_load, report, fold, devices"

EXAMPLES = {  # function: (expression, what it prints)
    "sum": ("print(upsweep.sum(numpy.arange(5)))", "10"),
    "prod": ("print(upsweep.prod(numpy.array([1.5, 2.0, 4.0])))", "12.0"),
    "min": ("print(upsweep.min(numpy.array([[3, 1], [2, 4]]), axis=1))", "[1 2]"),
    "max": ("print(upsweep.max(numpy.array([3, 1, 2]), initial=7))", "7"),
    "bit_and": ("print(upsweep.bit_and(numpy.array([7, 6])))", "6"),
    "bit_or": ("print(upsweep.bit_or(numpy.array([1, 6])))", "7"),
    "bit_xor": ("print(upsweep.bit_xor(numpy.array([7, 6])))", "1"),
    "all": ("upsweep.all(numpy.array([1.0, 0.0]))", "False"),
    "any": ("upsweep.any(numpy.array([1.0, 0.0]))", "True"),
    "count": ("upsweep.count(numpy.array([1.0, 0.0, -2.0]))", "2"),
    "argmin": ("place = upsweep.argmin(numpy.array([3.0, 1.0, 2.0])); print(place, place.value)", "1 1.0"),
    "argmax": ("place = upsweep.argmax(numpy.array([3.0, 1.0, 2.0])); print(place, place.value)", "0 3.0"),
    "minmax": ("least, most = upsweep.minmax(numpy.array([3, 1, 2])); print(least, most)", "1 3"),
    "norm1": ("print(upsweep.norm1(numpy.array([3.0, -4.0])))", "7.0"),
    "norm2": ("print(upsweep.norm2(numpy.array([3.0, -4.0])))", "5.0"),
    "norm_inf": ("print(upsweep.norm_inf(numpy.array([3.0, -4.0])))", "4.0"),
    "describe": ("upsweep.describe(numpy.array([1.0, 3.0])).variance", "1.0"),
    "dot": ("print(upsweep.dot(numpy.array([1.0, 2.0]), numpy.array([3.0, 4.0])))", "11.0"),
    "dotc": ("print(upsweep.dotc(numpy.array([1j, 2.0]), numpy.array([1j, 3.0])))", "(7+0j)"),
}

RESULTS = {  # kind: (annotation, meaning, type, returns)
    "SUM": ("Any",
            "Integers widen to 64 bits of the same signedness and wrap, halves widen to float32, booleans count as "
            "int64; other types keep theirs.", "scalar",
            "Of that type, or of dtype; of an empty array the identity, 0 or 1."),
    "ELEMENT": ("Any", "-0 is below +0; a NaN gives NaN unless nan=\"ignore\".", "scalar",
                "Of the array's dtype. Of NaNs alone a NaN, with nan=\"ignore\", too. Of an empty segment the "
                "identity: an infinity, or the last integer."),
    "REAL": ("Any", "Nothing over- or underflows on the way.", "scalar",
             "float64 for float64 and complex128, else float32; of an empty array 0."),
    "BOOL": ("Any", "A NaN is not zero; -0 is.", "bool", "Of an empty array True for all, False for any."),
    "COUNT": ("Any", "A NaN is not zero; -0 is.", "int", "Of an empty array 0."),
    "LOCATED": ("Any", "-0 is below +0; the first NaN wins unless nan=\"ignore\".", "Located",
                "The index, an int, counted in C order; its attribute value is the element."),
    "EXTREMES": ("Extremes", "-0 is below +0; a NaN gives NaN unless nan=\"ignore\".", "Extremes",
                 "(minimum, maximum); of an empty array the two identities."),
    "DESCRIBE": ("Describe", "The variance is the population's: divided by count.", "Describe",
                 "(count, mean, variance, minimum, maximum, minimum_index, maximum_index), indices counted "
                 "in C order; of an empty array 0, two NaNs, the identities and -1."),
}


def dtype_name(tag):
    """What NumPy calls a type: "float32" for f32, "complex64" for cf32."""
    letters, bits = re.fullmatch(r"([a-z]+)(\d+)", tag).groups()
    if letters == "b":
        return "bool"
    return DTYPE_NAMES[letters] + str(int(bits) * (2 if letters == "cf" else 1))


def paragraph(text, indent):
    """Text that follows so many columns, in lines of at most 120."""
    return textwrap.fill(text, 118 - indent, break_long_words=False).replace("\n", "\n" + " " * indent)


def words(table):
    """The words of an option, quoted."""
    return ", ".join(f'"{word}"' for word in table if word != "auto")


def signature_of(inputs):
    """Parameters with their types: "x: Array, y: Array"."""
    return ", ".join(f"{x}: Array" for x in inputs.split(", "))


def keywords_of(name, kind, streams):
    """The row of KEYWORDS of a function: sums of one array, extremes and indices have NumPy's keywords."""
    if streams == 2 or name.startswith("bit_"):
        return NO_KEYWORDS
    return KEYWORDS.get(kind, NO_KEYWORDS)


def function_source(number, name, row, options):
    """One function of _functions.py; its number is that of its row."""
    _, streams, kind, tags, what = row
    result, meaning, returns_type, returns = RESULTS[kind]
    signature, parameters, call, refused = keywords_of(name, kind, streams)
    if kind == "SUM" and "i64" not in tags:
        meaning = "The result has the dtype of the arrays."
    if kind == "LOCATED":
        what = "the lowest index of " + what.partition(" and ")[0]
    if kind == "ELEMENT" and "f64" not in tags:
        meaning = "Exact, whatever the order."
        returns = "Of the array's dtype; of an empty array the identity: all ones or 0."
    inputs = ", ".join(["x", "y"][:streams])
    names = list(map(dtype_name, tags)) + ["bool"] * ("b8" not in tags and (signature != "" or kind == "LOCATED"))
    dtypes = f"{'Of one shape and dtype: ' if streams == 2 else 'Of '}{', '.join(names)}."
    example, printed = EXAMPLES[name]
    out = "" if kind in SEVERAL else "out: Any = None, "
    selects = ", out, where" if "where" in signature else ", out" if out else ""
    along = f"along(x, axis, keepdims, segments{selects})"
    names_of_keywords = re.findall(r"(\w+):", "segments: " + signature)
    given = " and ".join(f"{keyword} is None" for keyword in names_of_keywords)
    keywords = [" " * (out != "") + out.rstrip()] + ([signature.rstrip()] if signature else [])
    return FUNCTION.format(
        number=number, given=given, and_no_out=" and out is None" if out else "", out_or_none="out" if out else "None",
        name=name, inputs=inputs, signature=signature_of(inputs),
        indent=" " * (len(name) + 4), result=result, what=what[0].upper() + what[1:],
        keywords=("\n" + " " * (len(name) + 5)).join(keywords), arguments=paragraph(dtypes, 8),
        parameters=AXIS + (OUT if out else "") + parameters, strategies=words(options["STRATEGIES"]),
        accuracies=words(options["ACCURACIES"]), nans=words(options["NANS"]), kind=returns_type,
        returns=paragraph(f"{returns} {ARRAYS.get(kind, ARRAY)}", 8), refused=refused,
        meaning=paragraph(meaning, 4), example=f">>> {example}\n    {printed}",
        call=(call.format(name=name, inputs=inputs, along=along).rstrip() + "\n" + " " * (call.index("(") + 12)
              + OPTION_NAMES + ")"))


def write_modules(folder, package):
    """Write both modules into the package's folder."""
    content = tables(folder)
    lines = [f"{name} = {pprint.pformat(value, width=110, sort_dicts=False)}\n" for name, value in content.items()]
    statuses = "\n".join(f"    {row[0]} = {int(row[1])}" for row in rows(folder, "status.def"))
    (package / "_tables.py").write_text(TABLES_HEAD.format(statuses=statuses) + "\n".join(lines))
    functions = content["FUNCTIONS"]
    exported = f"\n__all__ = {pprint.pformat(list(functions), width=110, compact=True)}\n"
    sources = [function_source(i, name, functions[name], content) for i, name in enumerate(functions)]
    (package / "_functions.py").write_text("\n".join([FUNCTIONS_HEAD.rstrip() + "\n" + exported, *sources]))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write_modules(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
