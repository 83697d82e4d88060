#!/usr/bin/env python3
"""Writes kernels by chance, as a C file for fuzz_kernels.c: legal ones, each beside a plain loop of the same meaning.

usage: kernels.py FILE FIRST COUNT [SEED]      kernels number FIRST to FIRST + COUNT - 1 of the seed's

A kernel is a list of combinations: a reducer, a condition, an index of a span, a value. The two texts that are made of
it have nothing in common but expressions of 64-bit words; the loop combines by C's operators, written out here."""

import pathlib
import random
import sys

C_TYPES = {"b": "int8_t", "B": "uint8_t", "h": "int16_t", "H": "uint16_t", "i": "int32_t", "I": "uint32_t",
           "l": "int64_t", "L": "uint64_t", "f": "float", "d": "double"}
WHOLE = "bBhHiIlL"
BITS = {"b": 8, "B": 8, "h": 16, "H": 16, "i": 32, "I": 32, "l": 64, "L": 64}

# operator: (letters of types, the loop's expression of a and b, identity by type)
OPERATORS = {
    "USW_PLUS": (WHOLE + "fd", "sum"), "USW_MULTIPLIES": (WHOLE + "fd", "product"),
    "USW_MINIMUM": (WHOLE + "fd", "a < b ? a : b"), "USW_MAXIMUM": (WHOLE + "fd", "a > b ? a : b"),
    "USW_BIT_AND": (WHOLE, "a & b"), "USW_BIT_OR": (WHOLE, "a | b"), "USW_BIT_XOR": (WHOLE, "a ^ b"),
    "USW_LOGICAL_AND": (WHOLE, "(a != 0) & (b != 0)"), "USW_LOGICAL_OR": (WHOLE, "(a != 0) | (b != 0)"),
}
SHORTHANDS = {"USW_PLUS": "add", "USW_MULTIPLIES": "multiply", "USW_BIT_AND": "and", "USW_BIT_OR": "or",
              "USW_BIT_XOR": "xor"}
LOWEST = {8: "INT8_MIN", 16: "INT16_MIN", 32: "INT32_MIN", 64: "INT64_MIN"}
BYTES = {"usw_cf64_t": 16, "padded_t": 16, "triple_t": 12, "int8_t": 1, "uint8_t": 1, "int16_t": 2, "uint16_t": 2,
         "float": 4, "int32_t": 4, "uint32_t": 4}

# operators of the user's: type, operator, identity (None: none), value from words e and f, members to compare, original
OWN = (
    ("map_t", "map_then", "map_one()", "map_of((uint32_t)({e}) * 2 + 1, (uint32_t)({f}))", ("a", "b"), "{{3, 5}}"),
    ("padded_t", "padded_add", "padded_zero()", "padded_of((uint8_t)({e}), {f})", ("low", "high"), "{{250, 7}}"),
    ("triple_t", "triple_join", "triple_least()", "triple_of((int32_t)({e}), (int32_t)({f}), (int32_t)({e}))",
     ("a", "b", "c"), "{{1000, -1000, 77}}"),
    ("small_t", "small_join", "small_none()", "small_of((uint8_t)({e}), (uint8_t)({f}), (uint8_t)({e} >> 8))",
     ("bits[0]", "bits[1]", "bits[2]"), "{{{{1, 2, 3}}}}"),
    ("int32_t", "earlier", None, "(int32_t)({e})", ("",), "123"),
    ("double", "nearer", None, "(double)NARROW({e}, 5000)", ("",), "4000"),
)


class Reducer:
    """A reducer by chance: its line in the list, and what the loop does with it."""

    def __init__(self, chance, name, is_ordered, small_spans):
        self.name, self.chance, self.is_accurate = name, chance, False
        self.is_span = chance.random() < (0.15 if is_ordered else 0.35)
        kind = chance.random()
        if is_ordered and kind < 0.6 and not self.is_span:
            self.take_own(OWN[0])
        elif kind < 0.25:
            self.take_own(chance.choice(OWN[1:]))
        elif kind < 0.4 and not is_ordered:
            self.take_accurate()
        else:
            self.take_known()
        self.extent = self.take_extent(small_spans or is_ordered) if self.is_span else 0
        self.is_fresh = self.identity is not None and chance.random() < 0.15

    def take_own(self, own):
        self.type, self.operator, self.identity, self.value, self.members, self.original = own
        self.original, self.shorthand = self.original.format(), None

    def take_accurate(self):
        kind = self.chance.choice(("float", "double", "usw_cf32_t", "usw_cf64_t"))
        self.type, self.is_accurate, self.shorthand = kind, True, "add"
        self.operator = self.chance.choice(("USW_PLUS_COMPENSATED", "USW_PLUS_REPRODUCIBLE"))
        self.identity, self.members, self.original = "0", ("",), "3"
        self.value = {"float": "(float)NARROW({e}, 8)", "double": "(double)NARROW({e}, 1000003)",
                      "usw_cf32_t": "cf32_of((float)NARROW({e}, 8), (float)NARROW({f}, 8))",
                      "usw_cf64_t": "cf64_of((double)NARROW({e}, 90001), (double)NARROW({f}, 90001))"}[kind]

    def take_known(self):
        self.operator = self.chance.choice(list(OPERATORS))
        letter = self.chance.choice(OPERATORS[self.operator][0])
        self.letter, self.type, self.members = letter, C_TYPES[letter], ("",)
        self.shorthand = SHORTHANDS.get(self.operator)
        is_logical = "LOGICAL" in self.operator
        factor = "3" if letter in WHOLE else "-1"
        self.original = "1" if is_logical else factor if self.operator == "USW_MULTIPLIES" else "5"
        unsigned = letter in "BHIL"
        bits = BITS.get(letter, 0)
        lowest = "0" if unsigned else LOWEST.get(bits, "-INFINITY")
        highest = ("U" if unsigned else "") + f"INT{bits}_MAX" if bits else "INFINITY"
        self.identity = {"USW_MULTIPLIES": "1", "USW_LOGICAL_AND": "1", "USW_BIT_AND": f"({self.type})~UINT64_C(0)",
                         "USW_MINIMUM": highest, "USW_MAXIMUM": lowest}.get(self.operator, "0")
        if letter in WHOLE:
            self.value = f"({self.type})({{e}})" if self.operator != "USW_MULTIPLIES" else f"({self.type})({{e}} | 1)"
            if is_logical:
                self.value = f"({self.type})({{e}} % 5 != 0)"
        elif self.operator == "USW_MULTIPLIES":
            self.value = f"({self.type})(({{e}}) & 1 ? 1 : -1)"
        elif self.operator == "USW_PLUS":
            self.value = f"({self.type})NARROW({{e}}, {8 if letter == 'f' else 1000003})"
        else:
            self.value = f"({self.type})NARROW({{e}}, 30011)"

    def take_extent(self, is_small):
        bytes_each = BYTES.get(self.type, 8) * (1 if self.identity else 2)  # a cell says whether it has a value
        if is_small:  # at most 256 bytes of cells, of which an accurate sum has large ones
            return self.chance.randint(1, 1 if self.is_accurate else max(1, 200 // bytes_each))
        if self.chance.random() < 0.4:
            return "dynamic"
        return self.chance.choice((1, 2, 7, 32, 33, 100, self.chance.randint(1, 700)))

    def line(self):
        """The entry of the list."""
        words = [self.type, self.name]
        if self.is_span:
            words.append("USW_DYNAMIC_EXTENT" if self.extent == "dynamic" else str(self.extent))
        words.append(self.operator)
        if self.value is not None and not self.operator.startswith("USW_") and self.identity:
            words.append(self.identity)
        if self.is_fresh:
            words.append("USW_INITIALIZE_TO_IDENTITY")
        return f"{'S' if self.is_span else 'R'}({', '.join(words)})"

    def count(self):
        """Elements of the variable in the loop's structure."""
        return 500 if self.extent == "dynamic" else self.extent or 1

    def joined(self, a, b):
        """The loop's expression of two values."""
        if not self.operator.startswith("USW_"):
            return f"{self.operator}({a}, {b})"
        if self.is_accurate or self.type in ("float", "double"):
            forms = {"USW_MULTIPLIES": "a * b", "USW_MINIMUM": "a < b ? a : b", "USW_MAXIMUM": "a > b ? a : b"}
            form = forms.get(self.operator, "a + b")
        else:
            form = OPERATORS[self.operator][1]
            form = {"sum": "WORD(a) + WORD(b)", "product": "WORD(a) * WORD(b)"}.get(form, form)
        return f"({self.type})(" + "".join({"a": f"({a})", "b": f"({b})"}.get(c, c) for c in form) + ")"


class Kernel:
    def __init__(self, number, seed):
        self.chance = chance = random.Random(f"{seed}/{number}")
        self.name = f"chance{number}"
        self.dimensions = chance.choice((1, 1, 1, 2, 3))
        self.is_ordered = chance.random() < 0.2
        self.in_step = not self.is_ordered and self.dimensions == 1 and chance.random() < 0.12
        self.no_index = self.dimensions == 1 and not self.in_step and chance.random() < 0.2
        letters = WHOLE + "fd"
        self.inputs = [chance.choice(letters) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4)))]
        room = 8 - len(self.inputs)
        outputs = chance.choice((0, 0, 0, 1, 2))
        self.outputs = [chance.choice(letters) for _ in range(outputs)][:room]
        if self.no_index and not self.inputs:
            self.inputs = ["i"]
        self.has_array, self.values = chance.random() < 0.3, chance.randint(0, 2)
        count = chance.choice((1, 1, 2, 2, 3, 4, 5, 8))
        self.reducers = [Reducer(chance, f"r{k}", self.is_ordered, self.in_step) for k in range(count)]
        self.body = [self.combination(r) for r in self.reducers]
        self.body += [self.combination(chance.choice(self.reducers)) for _ in range(chance.choice((0, 0, 1, 2)))]
        self.writes = [(k, chance.random() < 0.3, self.word(), self.word()) for k in range(len(self.outputs))]
        self.has_accuracy = chance.random() < 0.5

    def word(self, depth=2):
        """An expression of 64 bits."""
        chance = self.chance
        atoms = [f"WORD(x{k})" for k in range(len(self.inputs))] * 2
        if not self.no_index:
            atoms += [f"WORD({name})" for name in "kji"[3 - self.dimensions:]]
        atoms += [f"WORD(v{k})" for k in range(self.values)]
        if self.has_array and not self.no_index:
            atoms.append(f"WORD(table[(WORD(i) * {chance.randint(1, 9)} + 7) % {64}])")
        if depth == 0 or chance.random() < 0.2:
            return chance.choice(atoms) if atoms else str(chance.randint(1, 99))
        left, right = self.word(depth - 1), self.word(depth - 1)
        form = chance.choice(("({} + {})", "({} - {})", "({} * {})", "({} ^ {})", "({} + 3 * {})", "(({} >> 3) + {})"))
        return form.format(left, right)

    def combination(self, reducer):
        chance = self.chance
        condition = chance.choice((None, None, None, f"({self.word()}) % 3 != 0", f"({self.word()} & 3) == 1"))
        e, f = self.word(), self.word()
        return reducer, condition, self.word(), reducer.value.format(e=f"({e})", f=f"({f})")

    # ---- the kernel ----

    def definition(self):
        arguments = [f"IN({C_TYPES[t]}, x{k})" for k, t in enumerate(self.inputs)]
        arguments += ["ARRAY(int32_t, table)"] * self.has_array + [f"VALUE(int64_t, v{k})" for k in range(self.values)]
        if not arguments:
            arguments = ["VALUE(int64_t, v0)"]
            self.values = 1
        yield f"#define USW_KERNEL {self.name}"
        if self.dimensions > 1:
            yield f"#define USW_DIMENSIONS {self.dimensions}"
        for name, is_on in (("ORDERED", self.is_ordered), ("IN_STEP", self.in_step), ("NO_INDEX", self.no_index)):
            if is_on:
                yield f"#define USW_{name} 1"
        yield f"#define USW_ARGS(IN, ARRAY, VALUE) {' '.join(arguments)}"
        if self.outputs:
            yield f"#define USW_OUTPUTS(OUT) {' '.join(f'OUT({C_TYPES[t]}, y{k})' for k, t in enumerate(self.outputs))}"
        yield f"#define USW_REDUCERS(R, S) {' '.join(r.line() for r in self.reducers)}"
        yield "#include <upsweep/kernel.h>"
        indices = "" if self.no_index else ", ".join("kji"[3 - self.dimensions:])
        yield f"USW_VISIT({indices}) {{"
        for reducer, condition, index, value in self.body:
            extent = f"usw_extent_of({reducer.name})" if reducer.extent == "dynamic" else reducer.extent
            use = reducer.shorthand if reducer.shorthand and self.chance.random() < 0.5 else "combine"
            call = f"usw_{use}({reducer.name}, {value})"
            if reducer.is_span:
                call = f"usw_{use}_at({reducer.name}, ({index}) % {extent}, {value})"
            yield f"  if ({condition}) {call};" if condition else f"  {call};"
        for k, is_rare, condition, value in self.writes:
            write = f"usw_write(y{k}, {self.written(k, value)});"
            yield f"  if (({condition}) % 4 == 0) {write}" if is_rare else f"  {write}"
        yield "}"
        yield "#include <upsweep/kernel_end.h>"

    def written(self, k, value):
        letter = self.outputs[k]
        return f"({C_TYPES[letter]})({value})" if letter in WHOLE else f"({C_TYPES[letter]})NARROW({value}, 30011)"

    # ---- the loop ----

    def loop(self):
        yield f"static void serial_of_{self.name}(void *variables, const job_t *job) {{"
        yield f"  variables_of_{self.name} *r = variables;"
        yield "  const int32_t *table = job->array_on_host;"
        yield from (f"  const int64_t v{k} = job->value[{k}];" for k in range(self.values))
        yield from (f"  (void)v{k};" for k in range(self.values))
        yield "  (void)table, (void)r;"
        if self.dimensions == 1:
            yield "  for (size_t i = 0; i < job->n; i++) {"
            yield "    const ptrdiff_t element = (ptrdiff_t)i;"
        else:
            yield from self.space_loops()
        yield "    (void)element;"
        for k, letter in enumerate(self.inputs):
            kind = C_TYPES[letter]
            yield f"    const {kind} x{k} = ((const {kind} *)job->in_on_host[{k}])[element * job->stride[{k}]];"
            yield f"    (void)x{k};"
        for reducer, condition, index, value in self.body:
            at = ""
            if reducer.is_span:
                extent = f"job->extent[{reducer.name[1:]}]" if reducer.extent == "dynamic" else reducer.extent
                at = f"[({index}) % {extent}]"
            place = f"r->{reducer.name}{at}"
            statement = f"{place} = {reducer.joined(place, value)};"
            yield f"    if ({condition}) {statement}" if condition else f"    {statement}"
        for k, is_rare, condition, value in self.writes:
            kind, stream = C_TYPES[self.outputs[k]], len(self.inputs) + k
            place = f"(({kind} *)job->out_on_host[{k}])[element * job->stride[{stream}]]"
            statement = f"{place} = {self.written(k, value)};"
            yield f"    if (({condition}) % 4 == 0) {statement}" if is_rare else f"    {statement}"
        yield "  }"
        yield "}"

    def space_loops(self):
        yield "  const usw_space_t *s = &job->space;"
        counts = " * ".join(f"s->extent[{d}]" for d in range(self.dimensions))
        yield f"  for (size_t item = 0; item < {counts}; item++) {{"
        last = self.dimensions - 1
        yield f"    const ptrdiff_t i = s->start[{last}] + (ptrdiff_t)(item % s->extent[{last}]) * s->step[{last}];"
        row = f"item / s->extent[{last}]"
        if self.dimensions == 3:
            yield f"    const ptrdiff_t k = s->start[0] + (ptrdiff_t)({row} / s->extent[1]) * s->step[0];"
            row += " % s->extent[1]"
        yield f"    const ptrdiff_t j = s->start[{last - 1}] + (ptrdiff_t)({row}) * s->step[{last - 1}];"
        plane = "k * (ptrdiff_t)s->pitch[1] + " if self.dimensions == 3 else ""
        yield f"    const ptrdiff_t element = {plane}j * (ptrdiff_t)s->pitch[0] + i;"

    # ---- variables, and the call ----

    def variables(self):
        fields = " ".join(f"{r.type} {r.name}{f'[{r.count()}]' if r.is_span else ''};" for r in self.reducers)
        yield f"typedef struct {{ {fields} }} variables_of_{self.name};"
        yield f"_Static_assert(sizeof(variables_of_{self.name}) <= MOST_VARIABLES_BYTES, \"they fit\");"
        for what in ("start", "identities"):
            yield f"static void {what}_of_{self.name}(void *variables, const job_t *job) {{"
            yield f"  variables_of_{self.name} *r = variables;"
            yield "  (void)job, (void)r;"
            for reducer in self.reducers:
                value = reducer.original if what == "start" else reducer.identity
                if value is None:
                    continue
                cast = "" if not value.startswith("{") else f"({reducer.type})"
                element = f"[e] = {cast}{value}" if reducer.is_span else f" = {cast}{value}"
                count = reducer.count() if what == "start" else self.cells(reducer)
                each = f"for (int e = 0; e < {count}; e++) " if reducer.is_span else ""
                yield f"  {each}r->{reducer.name}{element};"
            yield "}"

    def fresh_ones(self):
        """Reducers whose list says that they begin with the identity: the loop does, too."""
        for reducer in self.reducers:
            if reducer.is_fresh:
                element = "[e]" if reducer.is_span else ""
                each = f"for (int e = 0; e < {self.cells(reducer)}; e++) " if reducer.is_span else ""
                yield f"  {each}r->{reducer.name}{element} = {reducer.identity};"

    def cells(self, reducer):
        return f"(int)job->extent[{reducer.name[1:]}]" if reducer.extent == "dynamic" else reducer.count()

    def difference(self):
        yield f"static const char *difference_of_{self.name}(const void *a, const void *b, const job_t *job) {{"
        yield f"  const variables_of_{self.name} *p = a, *q = b;"
        yield "  (void)job;"
        for reducer in self.reducers:
            element = "[e]" if reducer.is_span else ""
            for member in reducer.members:
                path = f"{reducer.name}{element}{'.' if member else ''}{member}"
                test = f"if (p->{path} != q->{path}) return \"{path}\";"
                yield f"  for (int e = 0; e < {reducer.count()}; e++) {test}" if reducer.is_span else f"  {test}"
        yield "  return NULL;"
        yield "}"

    def call(self):
        arguments = ["&job->space" if self.dimensions > 1 else "job->n"]
        arguments += [f"job->in[{k}]" for k in range(len(self.inputs))]
        arguments += ["job->array"] * self.has_array + [f"job->value[{k}]" for k in range(self.values)]
        arguments += [f"job->out[{k}]" for k in range(len(self.outputs))]
        for k, reducer in enumerate(self.reducers):
            arguments.append(f"r->{reducer.name}" if reducer.is_span else f"&r->{reducer.name}")
            if reducer.extent == "dynamic":
                arguments.append(f"job->extent[{k}]")
        text = ", ".join(arguments)
        yield f"static usw_status_t call_of_{self.name}(void *variables, const job_t *job, int is_fresh) {{"
        yield f"  variables_of_{self.name} *r = variables;"
        yield f"  if (job->plan) return {self.name}_plan_run({text}, job->plan);"
        yield f"  return is_fresh ? {self.name}_fresh({text}, job->options) : {self.name}({text}, job->options);"
        yield "}"

    def entry(self):
        extents = ", ".join("1" if r.extent == "dynamic" else "0" for r in self.reducers)
        has_all = int(all(r.identity for r in self.reducers))
        yield f"static const size_t extents_of_{self.name}[] = {{{extents}}};"
        name = self.name
        yield f"#define {name}_ENTRY {{\"{name}\", {self.dimensions}, {len(self.inputs)}, {len(self.outputs)}, " \
              f"{len(self.reducers)}, {has_all}, {int(self.is_ordered)}, {int(self.has_accuracy)}, " \
              f"\"{''.join(self.inputs + self.outputs)}\", extents_of_{self.name}, sizeof(variables_of_{self.name}), " \
              f"start_of_{name}, serial_of_{name}, call_of_{name}, identities_of_{name}, {name}_plan_create, " \
              f"difference_of_{self.name}}}"

    def text(self):
        yield from self.definition()
        yield from self.variables()
        loop = list(self.loop())
        at = next(k for k, line in enumerate(loop) if line.startswith("  (void)table"))
        yield from loop[:at + 1] + list(self.fresh_ones()) + loop[at + 1:]
        yield from self.difference()
        yield from self.call()
        yield from self.entry()
        yield ""


def main(file, first, count, seed="1"):
    kernels = [Kernel(number, seed) for number in range(int(first), int(first) + int(count))]
    lines = [f"/* Written by tests/fuzz/kernels.py: kernels {first} and following of seed {seed}. */",
             "#include \"fuzz/kernel_check.h\"", ""]
    for kernel in kernels:
        lines += kernel.text()
    entries = ", ".join(f"{kernel.name}_ENTRY" for kernel in kernels)
    lines.append(f"static const kernel_t kernels[] = {{{entries}}};")
    lines.append("__attribute__((constructor)) static void add(void) {")
    lines.append("  kernels_add(kernels, sizeof kernels / sizeof *kernels);\n}")
    pathlib.Path(file).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
