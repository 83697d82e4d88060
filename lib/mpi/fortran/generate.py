#!/usr/bin/env python3
"""Writes the Fortran module upsweep_mpi from the C headers, which the C preprocessor expands.

usage: generate.py C_COMPILER INCLUDE_FOLDER TEMPLATE HAS_F08 OUTPUT

HAS_F08 is ON where the MPI library has the module mpi_f08: procedures take its type(MPI_Comm), too."""

import importlib.util
import pathlib
import re
import sys
import textwrap

_of_upsweep = pathlib.Path(__file__).resolve().parents[2] / "fortran" / "generate.py"
_spec = importlib.util.spec_from_file_location("generate_upsweep", _of_upsweep)
base = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(base)

PROCEDURE = re.compile(r"^  (subroutine|function) (\w+_int)\(([^)]*)\)( result\(value\))?\n((?:    [^\n]*::[^\n]*\n)+)",
                       re.MULTILINE)

# Forms by operation, as calls.c names them.
FORMS = {"reduce": "REDUCE", "scan": "SCAN", "exscan": "EXSCAN", "iallreduce": "IALLREDUCE", "allreduce_init": "INIT"}
REQUESTS = ("iallreduce", "allreduce_init")


def function(headers, name, tag, result):
    """One specific function over an array of one kind, for integers as communicators."""
    operation, streams, _ = headers.functions[name]
    code, c_type = headers.types[tag]
    body = headers.structures.get(result.removesuffix("_t"))
    fortran = f"type({result.removesuffix('_t')})" if body else base.MEMBERS[headers.plain(result)]
    inputs = ("x", "y")[:streams]
    with_y = f", find_{tag}(y, copy_of_y)" if streams == 2 else ""
    yield f"  function {name}_{tag}_int({', '.join(inputs)}, comm, options, report, stat) result(value)"
    for x in inputs:
        yield f"    {base.ELEMENTS[c_type]}, intent(in), target :: {x}(..)"
    yield "    integer, intent(in) :: comm"
    yield "    type(usw_options), optional, intent(in) :: options"
    yield "    type(usw_report), optional, intent(out) :: report"
    yield "    integer(c_int), optional, intent(out) :: stat"
    yield f"    {fortran}, target :: value"
    for x in inputs:
        yield f"    {base.ELEMENTS[c_type]}, allocatable, target :: copy_of_{x}(:)"
    if not body:
        yield f"    value = {base.NOTHING[fortran.split('(')[0]]}"
    yield f"    call run(\"usw_mpi_{name}\", ALLREDUCE, {base.code_of(f'USW_{operation}')}, USW_{code}, &"
    yield f"      find_{tag}(x, copy_of_x), c_loc(value), comm, options, report, stat{with_y})"
    yield from base.count_from(body, "+")
    yield "  end function\n"


def fortran_result(headers, result):
    """Fortran's type of a result of C, its end in names of procedures, and C's members if it is a structure."""
    structure = result.removesuffix("_t")
    if structure in headers.structures:
        return f"type({structure})", structure.split("_")[1], headers.structures[structure]
    fortran = base.MEMBERS[headers.plain(result)]
    return fortran, next(tag for tag, (_, c_type) in headers.types.items() if base.ELEMENTS[c_type] == fortran), None


def results(headers):
    """The types of results of each type of elements, and their operations."""
    found = {}
    for name, tag, result in headers.members:
        found.setdefault((tag, fortran_result(headers, result)), []).append(base.code_of(f"USW_{headers.functions[name][0]}"))
    return found.items()


def arguments_of(form, operations):
    """The names of a form's arguments, and the arrays among them."""
    has_pair = form in REQUESTS and "USW_OP_DOT" in operations
    behind = ["request", "options", *["y"] * has_pair] if form in REQUESTS else ["options", "report"]
    return ["operation", "x", "value", *["root"] * (form == "reduce"), "comm", *behind, "stat"], "xy"[:1 + has_pair]


def declared(form, names, elements, fortran):
    """Their declarations."""
    waits = ", asynchronous" * (form in REQUESTS)
    for name, kind in [("operation", "integer(c_int), intent(in) :: operation"),
                       ("x", f"{elements}, intent(in), target :: x(..)"),
                       ("y", f"{elements}, optional, intent(in), target :: y(..)"),
                       ("value", f"{fortran}, intent(inout), target{waits} :: value"),
                       ("root", "integer, intent(in) :: root"),
                       ("comm", "integer, intent(in) :: comm"),
                       ("request", "type(usw_mpi_request), intent(inout) :: request"),
                       ("options", "type(usw_options), optional, intent(in) :: options"),
                       ("report", "type(usw_report), optional, intent(out) :: report"),
                       ("stat", "integer(c_int), optional, intent(out) :: stat")]:
        if name in names:
            yield f"    {kind}"


def typed(headers, form, tag, result, operations):
    """One specific subroutine of a form over ranks, whose value is of one type."""
    fortran, end, body = result
    code, c_type = headers.types[tag]
    elements = base.ELEMENTS[c_type]
    names, arrays = arguments_of(form, operations)
    listed = " &\n".join(textwrap.wrap(", ".join(operations), 100, initial_indent="      [", subsequent_indent="      "))
    yield f"  subroutine {form}_{tag}_to_{end}_int({', '.join(names)})"
    yield from declared(form, names, elements, fortran)
    yield from (f"    {elements}, allocatable, target :: copy_of_{x}(:)" for x in arrays)
    yield "    type(stream) :: from"
    if "y" in arrays:
        yield "    type(stream), allocatable :: with"
        yield f"    if (present(y)) with = find_{tag}(y, copy_of_y)"
    yield f"    from = find_{tag}(x, copy_of_x)"
    call = f"(\"usw_mpi_{form}\", {FORMS[form]}, operation, USW_{code}, from, c_loc(value), comm, &"
    if form in REQUESTS:
        are_copied = ", ".join(f"allocated(copy_of_{x})" for x in arrays)
        yield f"    call make_of_arrays{call}\n{listed}], &"
        yield f"      request, [{are_copied}], options, stat{', with' * ('y' in arrays)})"
        if has_index(result):
            yield f"    request%count_from_1 => {counter_of(result)}"
    else:
        yield from base.count_from(body, "-")  # where nothing is written it stays as it was
        yield f"    call run{call}\n      options, report, stat, {'root=root, ' * ('root' in names)}fitting= &\n{listed}])"
        yield from base.count_from(body, "+")
    yield "  end subroutine\n"


def of_parts(form):
    """One subroutine of a form over this rank's parts, whose value is at an address."""
    name = f"usw_mpi_{form.removesuffix('_init')}_parts{'_init' * form.endswith('_init')}"
    behind = ["request", "options"] if form in REQUESTS else ["options", "report"]
    own = ["root"] * (form == "reduce") + ["comm", *behind, "stat"]
    passed = "".join(f", {x}={x}" for x in ("root", "report", "request") if x in own)
    yield f"  subroutine {name}_int(operation, element_type, parts, value, {', '.join(own)})"
    yield "    integer(c_int), intent(in) :: operation, element_type"
    yield "    type(usw_part), intent(in) :: parts(:)"
    yield "    type(c_ptr), intent(in) :: value"
    yield from declared(form, own, "", "")
    yield f"    call run_parts(\"{name}\", {FORMS.get(form, 'ALLREDUCE')}, operation, element_type, parts, value, comm, &"
    yield f"      options, stat{passed})"
    yield "  end subroutine\n"


def has_index(result):
    return "index" in (result[2] or "")


def counter_of(result):
    return f"count_{result[0].removeprefix('type(usw_').removesuffix(')')}"


def counter(result):
    """Makes the indices of a result of C's those of Fortran, once a request has ended."""
    fortran, _, body = result
    yield f"  subroutine {counter_of(result)}(at)"
    yield "    type(c_ptr), intent(in) :: at"
    yield f"    {fortran}, pointer :: value"
    yield "    call c_f_pointer(at, value)"
    yield from base.count_from(body, "+")
    yield "  end subroutine\n"


def procedures(headers):
    for form in ("allreduce", *FORMS):
        yield from of_parts(form)
    for tag, (_, c_type) in headers.types.items():
        yield from base.finder(tag, c_type)
    for name, tag, result in headers.members:
        yield from function(headers, name, tag, result)
    for (tag, result), operations in results(headers):
        if has_index(result):
            yield from counter(result)
        for form in FORMS:
            yield from typed(headers, form, tag, result, operations)


def twin(match):
    """The same procedure for type(MPI_Comm), which calls that for integers."""
    kind, name, arguments, result, declarations = match.groups()
    names = re.findall(r"\w+", arguments)
    own = name.replace("_int", "_f08")
    kept = []
    for line in declarations.splitlines():
        attributes, declared = line.split(" :: ")
        members = [member for member in declared.split(", ") if member.split("(")[0] in (*names, "value")]
        if "comm" in members:
            kept.append("    type(MPI_Comm), intent(in) :: comm")
            members.remove("comm")
        if members:
            kept.append(f"{attributes} :: {', '.join(members)}")
    behind = names.index("comm") + 1
    passed = ", ".join([*names[:behind - 1], "comm%MPI_VAL", *(f"{argument}={argument}" for argument in names[behind:])])
    call = f"{'value =' if kind == 'function' else 'call'} {name}(&\n      {passed})"
    yield f"  {kind} {own}({', '.join(names)}){result or ''}"
    yield from kept
    yield f"    {call}"
    yield f"  end {kind}\n"


def interfaces(text, has_f08):
    """A generic name for each pair of procedures, or for those of all kinds."""
    generic = {}
    for match in PROCEDURE.finditer(text):
        name = match[2].removesuffix("_int")
        owner = name if name.startswith("usw_mpi_") else f"usw_mpi_{re.sub(r'_[a-z]+[0-9]+(_to_[a-z]+[0-9]*)?$', '', name)}"
        generic.setdefault(owner, []).append(name)
    for owner, names in generic.items():
        yield f"  public :: {owner}"
        yield f"  interface {owner}"
        for name in names:
            yield f"    procedure {name}_int{f', {name}_f08' * has_f08}"
        yield "  end interface"


def main(compiler, include, template, has_f08, output):
    headers = base.Headers(compiler, include)
    has_f08 = has_f08 == "ON"
    made = "\n".join(procedures(headers))
    if not headers.members:
        sys.exit("generate.py: no functions")
    text = pathlib.Path(template).read_text().replace("@PROCEDURES@", made + "\n@TWINS@")
    twins = "\n".join(line for match in PROCEDURE.finditer(text) for line in twin(match)) if has_f08 else ""
    text = text.replace("@TWINS@", twins).replace("@USE_F08@", "  use mpi_f08, only: MPI_Comm" if has_f08 else "")
    text = text.replace("@INTERFACES@", "\n".join(interfaces(text, has_f08)))
    pathlib.Path(output).write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    main(*sys.argv[1:])
