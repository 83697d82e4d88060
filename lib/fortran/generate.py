#!/usr/bin/env python3
"""Writes the Fortran module from the C headers, which the C preprocessor expands.

usage: generate.py C_COMPILER INCLUDE_FOLDER TEMPLATE OUTPUT"""

import pathlib
import re
import subprocess
import sys

# The element types of C that Fortran has.
ELEMENTS = {
    "int8_t": "integer(c_int8_t)", "int16_t": "integer(c_int16_t)", "int32_t": "integer(c_int32_t)",
    "int64_t": "integer(c_int64_t)", "float": "real(c_float)", "double": "real(c_double)",
    "usw_cf32_t": "complex(c_float_complex)", "usw_cf64_t": "complex(c_double_complex)",
    "usw_b8_t": "logical(c_bool)",
}
# Members of structures: unsigned integers are read as signed ones of their size.
MEMBERS = ELEMENTS | {f"u{name}": fortran for name, fortran in ELEMENTS.items() if name.startswith("int")}
MEMBERS |= {"size_t": "integer(c_size_t)", "ptrdiff_t": "integer(c_intptr_t)", "int": "integer(c_int)"}
POINTER = "type(c_ptr)"
NOTHING = {"integer": "0", "real": "0", "complex": "(0, 0)", "logical": ".false.", "type": "c_null_ptr"}
# Structures that users fill or read, by the start of their names; the members that are the module's own.
STRUCTURES = re.compile(r"usw_(options|report|array|part|located|extremes|describe)(_\w+)?$")
OWN = ("size", "report")
# Structures of C that Fortran's types of these names hold.
HELD = {"usw_segments": "c_segments", "usw_request": "c_request"}
RANKS = range(2, 16)
RANKS_WITH_DIM = range(1, 5)  # a procedure each: more cost users compile time, at every `use upsweep`
SCANS = {"cumsum": "sum", "cumprod": "prod", "cummin": "min", "cummax": "max"}

LISTS = """
#include <upsweep/axes.h>
#include <upsweep/options.h>
#include <upsweep/parts.h>
#include <upsweep/plan.h>
#include <upsweep/segments.h>
#include <upsweep/status.h>
#include <upsweep/types.h>
#define MEMBER(tag, CODE, code, type, value, sum, real, key, class, name, RESULT, GROUP) \\
  USW_HAS_##GROUP##_##class(@M|name|tag|USW_RESULT_##RESULT(tag)@)
#define FUNCTION(name, OPERATION, streams, RESULT, GROUP, what, ...) \\
  @F|name|OPERATION|streams|what@ USW_TYPES(MEMBER, name, RESULT, GROUP)
#define TYPE(tag, CODE, code, type, value, sum, real, key, class, ...) @T|tag|CODE|type@
USW_TYPES(TYPE, )
USW_FUNCTIONS(FUNCTION, )
"""


class Headers:
    """What the generator needs to know of the headers."""

    def __init__(self, compiler, include):
        command = [compiler, "-E", "-P", "-x", "c", "-std=c17", "-I", include, "-"]
        text = subprocess.run(command, input=LISTS, text=True, capture_output=True, check=True).stdout
        text = re.sub(r"\s+", " ", text)
        rows = [[field.strip() for field in row.split("|")] for row in re.findall(r"@([FMT]\|[^@]*)@", text)]
        self.types = {tag: (code, c_type) for _, tag, code, c_type in (row for row in rows if row[0] == "T")
                      if c_type in ELEMENTS}
        self.functions = {row[1]: (row[2], int(row[3]), row[4].strip('"')) for row in rows if row[0] == "F"}
        self.members = [row[1:] for row in rows if row[0] == "M" and row[2] in self.types]
        self.enums = {name: re.findall(r"(USW_\w+) = (\d+)", body)
                      for name, body in re.findall(r"typedef enum (\w+) \{([^{}]*)\}", text)}
        self.structures = {name: body for body, name in re.findall(r"typedef struct \w* ?\{([^{}]*)\} (\w+)_t;", text)}
        self.aliases = {name: c_type for c_type, name in re.findall(r"typedef ([a-z]\w*) (usw_\w+_t);", text)}

    def plain(self, c_type):
        """The type behind the names that types.h gives it."""
        while c_type in self.aliases and c_type not in ELEMENTS:
            c_type = self.aliases[c_type]
        return c_type

    def member_type(self, c_type):
        """The Fortran type of a structure's member, or None."""
        if c_type.endswith("*"):
            return POINTER
        if c_type.removesuffix("_t") in self.enums:
            return "integer(c_int)"
        return MEMBERS.get(self.plain(c_type))


def code_of(operation):
    """Fortran does not tell USW_DOT from usw_dot."""
    return operation.replace("USW_", "USW_OP_")


def constants(headers):
    for enum, values in headers.enums.items():
        for name, value in values:
            name = code_of(name) if enum == "usw_operation" else name
            yield f"  integer(c_int), parameter, public :: {name} = {value}"


def structure(headers, name, body):
    """A derived type, or nothing if Fortran lacks the type of a member."""
    lines = []
    for declaration in filter(None, (part.strip() for part in body.split(";"))):
        c_type, names = re.match(r"((?:const )?\w+(?: \*)?) ?(.*)", declaration).groups()
        fortran = headers.member_type(c_type.removeprefix("const "))
        if fortran is None:
            return []
        for member, count in re.findall(r"(\w+)(?:\[(\w+)\])?", names):
            access = ", private" if member in OWN else ""
            extent = f"({count})" if count else ""
            nothing = "-1" if member.endswith("index") else NOTHING[fortran.split("(")[0]]
            lines.append(f"    {fortran}{access} :: {member}{extent} = {nothing}")
    heading = f"  type, bind(c) :: {HELD[name]}" if name in HELD else f"  type, bind(c), public :: {name}"
    return [heading, *lines, "  end type"]


def structures(headers):
    for name, body in headers.structures.items():
        if STRUCTURES.match(name) or name in HELD:
            yield from structure(headers, name, body)


def interfaces(headers):
    for name, (_, _, what) in headers.functions.items():
        specifics = [f"{name}_{tag}" for owner, tag, _ in headers.members if owner == name]
        yield f"  ! {what[0].upper()}{what[1:]}."
        yield f"  public :: usw_{name}"
        yield f"  interface usw_{name}"
        for specific in specifics:
            along = [f"{specific}_along_{rank}" for rank in RANKS_WITH_DIM]
            yield f"    procedure {', '.join([specific, *along])}"
            yield f"    procedure {specific}_of_segments"
        yield "  end interface"
    for name, running in SCANS.items():
        yield f"  ! For each element {headers.functions[running][2]} of those up to it."
        yield f"  public :: usw_{name}"
        yield f"  interface usw_{name}"
        for owner, tag, result in headers.members:
            if owner == running:
                in_place = [f"{name}_{tag}_in_place"] * is_in_place(headers, tag, result)
                yield f"    procedure {', '.join([f'{name}_{tag}', *in_place])}"
        yield "  end interface"


def is_in_place(headers, tag, result):
    """Whether results of a scan can take the place of the elements."""
    return headers.plain(result) == headers.types[tag][1]


def finder(tag, c_type):
    """Finds the elements of an array; those that one stride does not reach are copied."""
    fortran = ELEMENTS[c_type]
    yield f"""\
  function find_{tag}(x, copy) result(found)
    {fortran}, intent(in), target :: x(..)
    {fortran}, allocatable, target, intent(inout) :: copy(:)
    type(stream) :: found
    found = stream(c_null_ptr, max(size(x, kind=c_size_t), 0_c_size_t), 1) ! gfortran: -1 for a constructor without elements
    if (found%n == 0) return
    if (is_contiguous(x)) then
      found%first = c_loc(x)
      return
    end if
    select rank (x)
    rank (1)
      found%first = c_loc(x(1))
      found%stride = bytes_between(c_loc(x(1)), c_loc(x(2))) / (storage_size(x) / 8)
      if (found%stride * (storage_size(x) / 8) == bytes_between(c_loc(x(1)), c_loc(x(2)))) return
      found%stride = 1 ! a member of structures
      copy = pack(x, .true.)"""
    for rank in RANKS:
        yield f"    rank ({rank})\n      copy = pack(x, .true.)"
    yield """\
    end select
    found%first = c_loc(copy)
  end function
"""


def describer(tag, code, c_type):
    """Describes an array to C; one whose elements are not whole elements apart, members of structures, is copied."""
    fortran = ELEMENTS[c_type]
    yield f"""\
  function array_{tag}(x, copy) result(array)
    {fortran}, intent(in), target :: x(..)
    {fortran}, allocatable, target, intent(inout) :: copy(:)
    type(usw_array) :: array
    select rank (x)"""
    for rank in RANKS_WITH_DIM:
        first = ", ".join(["1"] * rank)
        yield f"    rank ({rank})"
        yield f"      array = described(USW_{code}, shape(x, kind=c_size_t))"
        yield "      if (size(x, kind=c_size_t) == 0) return"
        yield f"      array%data = c_loc(x({first}))"
        for dim in range(1, rank + 1):
            at = ", ".join("2" if d == dim else "1" for d in range(1, rank + 1))
            yield f"      if (size(x, {dim}, kind=c_size_t) > 1) call step(array, {dim}, c_loc(x({at})), storage_size(x) / 8)"
        yield "      if (array%rank >= 0) return"
        yield "      copy = pack(x, .true.)"
        yield f"      array = described(USW_{code}, shape(x, kind=c_size_t))"
    yield """\
    end select
    array%data = c_loc(copy)
  end function
"""


def extents_of_results(rank):
    """Of the array of results along one dimension of an array x."""
    return [f"extent_of_result(shape(x, kind=c_size_t), dim, {k})" for k in range(1, rank)]


def procedure_along(headers, name, tag, result, rank):
    """One specific function with a dimension."""
    operation, streams, _ = headers.functions[name]
    _, c_type = headers.types[tag]
    body = headers.structures.get(result.removesuffix("_t"))
    fortran = f"type({result.removesuffix('_t')})" if body else MEMBERS[headers.plain(result)]
    inputs = ("x", "y")[:streams]
    specific = f"{name}_{tag}_along_{rank}"
    yield f"  function {specific}({', '.join(inputs)}, dim, options, report, stat) result(value)"
    for x in inputs:
        yield f"    {ELEMENTS[c_type]}, intent(in), target :: {x}({', '.join([':'] * rank)})"
        yield f"    {ELEMENTS[c_type]}, allocatable, target :: copy_of_{x}(:)"
    yield "    integer, intent(in) :: dim"
    yield "    type(usw_options), optional, intent(in) :: options"
    yield "    type(usw_report), optional, intent(out) :: report"
    yield "    integer(c_int), optional, intent(out) :: stat"
    extents = ", &\n      ".join(extents_of_results(rank))
    yield f"    {fortran}, target :: value{f'({extents})' if extents else ''}"
    if not body:
        yield f"    value = {NOTHING[fortran.split('(')[0]]}"
    if rank > 1:
        yield "    if (size(value, kind=c_size_t) == 0 .and. dim >= 1 .and. dim <= rank(x)) then"
        yield "      if (present(stat)) stat = USW_OK"
        yield "      return"
        yield "    end if"
    with_y = f", array_{tag}(y, copy_of_y)" if streams == 2 else ""
    yield f"    call run_along(\"usw_{name}\", {code_of(f'USW_{operation}')}, array_{tag}(x, copy_of_x), dim, c_loc(value), &"
    yield f"      options, report, stat{with_y})"
    yield from count_from(body, "+")
    yield "  end function\n"


def count_from(body, sign):
    """Fortran's indices (+) or C's (-), of the members of a structure that are indices."""
    for index in re.findall(r"\b(\w*index)\b", body or ""):
        yield f"    value%{index} = value%{index} {sign} 1"


def procedure(headers, name, tag, result):
    """One specific function."""
    operation, streams, _ = headers.functions[name]
    code, c_type = headers.types[tag]
    body = headers.structures.get(result.removesuffix("_t"))
    plain = headers.plain(result)
    fortran = f"type({result.removesuffix('_t')})" if body else MEMBERS[plain]
    inputs = ("x", "y")[:streams]
    with_y = f", find_{tag}(y, copy_of_y)" if streams == 2 else ""
    yield f"  function {name}_{tag}({', '.join(inputs)}, options, report, stat) result(value)"
    for x in inputs:
        yield f"    {ELEMENTS[c_type]}, intent(in), target :: {x}(..)"
        yield f"    {ELEMENTS[c_type]}, allocatable, target :: copy_of_{x}(:)"
    yield "    type(usw_options), optional, intent(in) :: options"
    yield "    type(usw_report), optional, intent(out) :: report"
    yield "    integer(c_int), optional, intent(out) :: stat"
    yield f"    {fortran}, target :: value"
    if not body:
        yield f"    value = {NOTHING[fortran.split('(')[0]]}"
    yield f"    call run(\"usw_{name}\", {code_of(f'USW_{operation}')}, USW_{code}, find_{tag}(x, copy_of_x), c_loc(value), &"
    yield f"      options, report, stat{with_y})"
    yield from count_from(body, "+")
    yield "  end function\n"


def procedure_of_segments(headers, name, tag, result):
    """One specific function of segments."""
    operation, streams, _ = headers.functions[name]
    code, c_type = headers.types[tag]
    body = headers.structures.get(result.removesuffix("_t"))
    fortran = f"type({result.removesuffix('_t')})" if body else MEMBERS[headers.plain(result)]
    inputs = ("x", "y")[:streams]
    with_y = f", find_{tag}(y, copy_of_y)" if streams == 2 else ""
    yield f"  function {name}_{tag}_of_segments({', '.join(inputs)}, segments, options, report, stat) result(value)"
    for x in inputs:
        yield f"    {ELEMENTS[c_type]}, intent(in), target :: {x}(:)"
        yield f"    {ELEMENTS[c_type]}, allocatable, target :: copy_of_{x}(:)"
    yield "    type(usw_segments), intent(in) :: segments"
    yield "    type(usw_options), optional, intent(in) :: options"
    yield "    type(usw_report), optional, intent(out) :: report"
    yield "    integer(c_int), optional, intent(out) :: stat"
    yield f"    {fortran}, target :: value(segments%for_c%count)"
    yield "    type(c_ptr) :: results"
    if not body:
        yield f"    value = {NOTHING[fortran.split('(')[0]]}"
    yield "    results = c_null_ptr"
    yield "    if (size(value) > 0) results = c_loc(value)"
    yield f"    call run_segments(\"usw_{name}\", {code_of(f'USW_{operation}')}, USW_{code}, find_{tag}(x, copy_of_x), segments, &"
    yield f"      results, options, report, stat{with_y})"
    yield from count_from(body, "+")
    yield "  end function\n"


def scan(headers, name, tag, result, in_place):
    """One specific subroutine of a scan."""
    operation = code_of(f"USW_{headers.functions[SCANS[name]][0]}")
    code, c_type = headers.types[tag]
    plain = headers.plain(result)
    out, out_tag = ("x", tag) if in_place else ("out", next(t for t, (_, c) in headers.types.items() if c == plain))
    specific = f"{name}_{tag}_in_place" if in_place else f"{name}_{tag}"
    arrays = "x" if in_place else "x, out"
    yield f"  subroutine {specific}({arrays}, exclusive, initial, options, report, stat)"
    if not in_place:
        yield f"    {ELEMENTS[c_type]}, intent(in), target :: x(:)"
        yield f"    {ELEMENTS[c_type]}, allocatable, target :: copy_of_x(:)"
    yield f"    {MEMBERS[plain]}, intent(inout), target :: {out}(:)"
    yield f"    {MEMBERS[plain]}, allocatable, target :: copy_of_{out}(:)"
    yield "    logical, optional, intent(in) :: exclusive"
    yield f"    {MEMBERS[plain]}, optional, intent(in), target :: initial"
    yield "    type(usw_options), optional, intent(in) :: options"
    yield "    type(usw_report), optional, intent(out) :: report"
    yield "    integer(c_int), optional, intent(out) :: stat"
    yield "    type(c_ptr) :: before"
    yield "    type(stream) :: to"
    yield "    before = c_null_ptr"
    yield "    if (present(initial)) before = c_loc(initial)"
    yield f"    to = find_{out_tag}({out}, copy_of_{out})"
    source = "to" if in_place else f"find_{tag}(x, copy_of_x)"
    yield f"    call run_scan(\"usw_{name}\", {operation}, USW_{code}, {source}, to, exclusive, before, options, report, stat)"
    yield f"    if (allocated(copy_of_{out})) {out} = copy_of_{out}"
    yield "  end subroutine\n"


def scans(headers):
    for name, running in SCANS.items():
        for owner, tag, result in headers.members:
            if owner != running:
                continue
            yield from scan(headers, name, tag, result, False)
            if is_in_place(headers, tag, result):
                yield from scan(headers, name, tag, result, True)


def procedures(headers):
    for tag, (code, c_type) in headers.types.items():
        yield from finder(tag, c_type)
        yield from describer(tag, code, c_type)
    for name, tag, result in headers.members:
        yield from procedure(headers, name, tag, result)
        for rank in RANKS_WITH_DIM:
            yield from procedure_along(headers, name, tag, result, rank)
        yield from procedure_of_segments(headers, name, tag, result)
    yield from scans(headers)


def main(compiler, include, template, output):
    headers = Headers(compiler, include)
    parts = {"CONSTANTS": constants, "TYPES": structures, "INTERFACES": interfaces, "PROCEDURES": procedures}
    text = pathlib.Path(template).read_text()
    for word, part in parts.items():
        lines = "\n".join(part(headers))
        if not lines:
            sys.exit(f"generate.py: nothing for @{word}@")
        text = text.replace(f"@{word}@", lines)
    pathlib.Path(output).write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(*sys.argv[1:])
