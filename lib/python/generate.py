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
    members = re.findall(r"([\w ]+[ *])(\w+)(?:\[(\w+)\])?;", body)
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
    }


TABLES_HEAD = '''"""Codes and structures of the library's headers. Generated: see generate.py.

TYPES      tag: (code, value type, sum type, real type)
FUNCTIONS  name: (code of the operation, streams, kind of the result, tags of the types it has, what it is)
OPTIONS    members of usw_options_t: (name, C type, number of elements or 0); RECORD likewise
"""

import enum


class Status(enum.IntEnum):
    """What calls of the library return, by the names of usw_status_t."""

{statuses}


'''

FUNCTIONS_HEAD = '''"""The reductions, one function each. Generated: see generate.py."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._call import Array, Report, reduce
from ._results import Describe, Extremes, Located

'''

FUNCTION = '''
def {name}({inputs}, *, place: str | None = None, device: int | None = None, strategy: str | None = None,
{indent} accuracy: str | None = None, nan: str | None = None, teams: int = 0, work_group_load: int = 0,
{indent} report: Report | None = None, fold: int = 0) -> {result}:
    """{what}.

    {meaning}

    Args:
        {arguments}
        place: "auto" (where the data is), "host" or "device".
        device: OpenMP device number; implies place="device".
        strategy: "auto", {strategies}.
        accuracy: {accuracies}.
        nan: {nans}: what a NaN does to extremes, indices and descriptions.
        teams: teams to launch, 0 to 65535; 0: the library's choice.
        work_group_load: of "multipass", most partials that are left for the host; 0: 256.
        report: filled with what ran.
        fold: bins of 40 binary digits that accuracy="reproducible" keeps, at most 60; 0: 3 of doubles, 2 of floats.

    Returns:
        {returns}

    Raises:
        TypeError: not an array, or of a dtype that the library does not know.
        ValueError: shapes or dtypes that do not fit, device memory that would have to be copied.
        Error: what the library refused, with its status and text.
    """
    return reduce({name!r}, ({names},), place, device, strategy, accuracy, nan, teams, work_group_load, report, fold)
'''

RESULTS = {  # kind: (annotation, meaning, returns)
    "SUM": ("np.number[Any]",
            "Integers widen to 64 bits of the same signedness and wrap, halves widen to float32; "
            "other types keep theirs.",
            "A NumPy scalar of that type; of an empty array the identity, 0 or 1."),
    "ELEMENT": ("np.number[Any]", "-0 is below +0; a NaN gives NaN unless nan=\"ignore\".",
                "A NumPy scalar of the array's dtype; of an empty array the identity: infinity or the extreme integer, "
                "all ones or 0."),
    "REAL": ("np.floating[Any]", "Nothing over- or underflows on the way.",
             "float64 for float64 and complex128, else float32; of an empty array 0."),
    "BOOL": ("bool", "A NaN is not zero; -0 is.", "A bool; of an empty array True for all, False for any."),
    "COUNT": ("int", "A NaN is not zero; -0 is.", "An int; of an empty array 0."),
    "LOCATED": ("Located", "-0 is below +0; the first NaN wins unless nan=\"ignore\".",
                "Located(value, index), the index counted in C order; of an empty array the identity and -1."),
    "EXTREMES": ("Extremes", "-0 is below +0; a NaN gives NaN unless nan=\"ignore\".",
                 "Extremes(minimum, maximum); of an empty array the two identities."),
    "DESCRIBE": ("Describe", "The variance is the population's: divided by count.",
                 "Describe(count, mean, variance, minimum, maximum, minimum_index, maximum_index), indices counted "
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


def function_source(name, row, options):
    """One function of _functions.py."""
    _, streams, kind, tags, what = row
    result, meaning, returns = RESULTS[kind]
    if kind == "SUM" and "i64" not in tags:
        meaning = "The result has the dtype of the arrays."
    if kind == "ELEMENT" and "f64" not in tags:
        meaning = "Exact, whatever the order."
    names = ["x", "y"][:streams]
    dtypes = ", ".join(map(dtype_name, tags))
    arguments = f"{', '.join(names)}: array{'s of one shape and dtype' if streams == 2 else ''} of {dtypes}."
    return FUNCTION.format(
        name=name, inputs=", ".join(f"{x}: Array" for x in names), indent=" " * (len(name) + 4), result=result,
        what=what[0].upper() + what[1:], meaning=paragraph(meaning, 4), arguments=paragraph(arguments, 12),
        returns=paragraph(returns, 8), names=", ".join(names), strategies=words(options["STRATEGIES"]),
        accuracies=words(options["ACCURACIES"]), nans=words(options["NANS"]))


def write_modules(folder, package):
    """Write both modules into the package's folder."""
    content = tables(folder)
    lines = [f"{name} = {pprint.pformat(value, width=110, sort_dicts=False)}\n" for name, value in content.items()]
    statuses = "\n".join(f"    {row[0]} = {int(row[1])}" for row in rows(folder, "status.def"))
    (package / "_tables.py").write_text(TABLES_HEAD.format(statuses=statuses) + "\n".join(lines))
    functions = content["FUNCTIONS"]
    exported = f"\n__all__ = {pprint.pformat(list(functions), width=110, compact=True)}\n"
    sources = [function_source(name, row, content) for name, row in functions.items()]
    (package / "_functions.py").write_text("\n".join([FUNCTIONS_HEAD.rstrip() + "\n" + exported, *sources]))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write_modules(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
