#!/usr/bin/env python3
"""Writes one kernel as the compiler sees it: preprocessed, formatted, with nothing but what the kernel uses.

  kernel_source.py --kernel sum_f64 --place nvptx --source FILE --output FILE [--compiler C] [--values yes]

Places: nvptx, x86_64 (its target region), host (its loop over items), simt (the emulated GPU). Comments of the engine stay,
constants are replaced by their values, and definitions that the kernel does not reach are left out. Exit status: 77 where the
compiler cannot make the place's image.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OURS = (str(ROOT / "offload"), str(ROOT / "include"))
INCLUDES = ["-I" + str(ROOT / folder) for folder in ("include", "offload", "offload/include", "tests/simt")]
LANGUAGE = ["-std=c17", "-O3", "-DNDEBUG", "-D_GNU_SOURCE"]
DEVICE = ["-fopenmp", "-fopenmp-cuda-mode", "--offload-device-only", "-nogpulib"]
PLACES = {
    "nvptx": (DEVICE + ["-fopenmp-targets=nvptx64-nvidia-cuda", "--offload-arch=sm_90", '-DUSW_IMAGES="sm_90"'], "_team_body"),
    "x86_64": (["-fopenmp", "--offload-device-only", "-fopenmp-targets=x86_64-pc-linux-gnu", '-DUSW_IMAGES="x86_64"'],
               "_standard_body"),
    "host": (["-DUSW_NO_HOST_VARIANTS"], "_host"),
    "simt": (["-DUSW_PORT_SIMT"], "_team_body"),
}
GUARDS = {"nvptx": "defined(__NVPTX__)"}  # the host is compiled first, without what only the device has
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|^[ \t]*#[^\n]*|[A-Za-z_]\w*|\d[\w.+-]*|.', re.S | re.M)
NAME = re.compile(r"[A-Za-z_]\w*")
BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}  # what each adds to the depth


def preprocessed(arguments):
    """The lines of the compiler's output that come from this repository."""
    flags, _ = PLACES[arguments.place]
    run = subprocess.run([arguments.compiler, "-E", "-C", *LANGUAGE, *INCLUDES, *flags, *arguments.flag, arguments.source],
                         capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(run.stderr)
    lines, is_ours = [], False
    source = os.path.realpath(arguments.source)
    for line in run.stdout.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            path = os.path.realpath(marker[1])
            is_ours = path.startswith(OURS) or path == source
        elif is_ours:
            lines.append(line)
    return "\n".join(lines) + "\n"


def definitions(text):
    """The text's definitions, each with the comments before it: (text, tokens)."""
    found, tokens, depth, start = [], [], 0, 0
    for match in TOKEN.finditer(text):
        token = match[0]
        if token.lstrip().startswith("#"):  # a pragma between definitions
            if not [t for t in tokens if not t.startswith("/*")]:
                tokens, start = [], match.end()
            continue
        if not token.isspace():
            tokens.append(token)
        depth += BRACKETS.get(token, 0)
        if depth == 0 and (token == ";" or (token == "}" and is_function(tokens))):
            found.append((with_last_comment(text[start:match.end()].strip()), tokens))
            tokens, start = [], match.end()
    return found


LONGEST_COMMENT = 5  # lines; longer ones are those of whole files


def with_last_comment(text):
    """A definition with the comment that is its own: of those before it, the short one that ends on the line above."""
    begin = 0
    while comment := re.compile(r"/\*.*?\*/\s*", re.S).match(text, begin):
        last, begin = comment, comment.end()
    if begin == 0:
        return text
    is_its_own = last[0].count("\n", last[0].rindex("*/")) <= 1 and not last[0].startswith("/**<")
    return text[last.start():] if is_its_own and last[0].count("\n") <= LONGEST_COMMENT else text[begin:]


def is_function(tokens):
    code = [t for t in tokens if not t.startswith("/*")]
    return "(" in code and "=" not in code[:code.index("{")] and code[0] not in ("typedef", "enum", "struct", "union")


def without_attributes(code):
    """The tokens outside __attribute__((...))."""
    kept, skipped = [], 0
    for token in code:
        if token == "__attribute__":
            skipped = -1
        elif skipped:
            skipped = max(skipped, 0) + {"(": 1, ")": -1}.get(token, 0)
        else:
            kept.append(token)
    return kept


def enumerators(tokens):
    """The names of an enumeration's constants; none for another definition."""
    code = without_attributes([t for t in tokens if not t.startswith("/*")])
    if "enum" not in code[:2] or "{" not in code:
        return []
    depth, names, begins = 0, [], True
    for token in code[code.index("{") + 1:]:
        depth += {"(": 1, ")": -1}.get(token, 0)
        if begins and NAME.fullmatch(token):
            names.append(token)
        begins = token == "," and depth == 0
    return names


def names_of(tokens):
    """The names that a definition defines."""
    code = without_attributes([t for t in tokens if not t.startswith("/*")])
    if not code:
        return []
    if code[0] == "_Static_assert":
        return []
    if "enum" in code[:2] and "{" in code:
        outside = [t for t in code[:code.index("{")] + code[-2:-1] if NAME.fullmatch(t) and t not in ("typedef", "enum")]
        return enumerators(tokens) + outside
    if code[0] == "typedef":
        if "(" in code and "{" not in code:  # of a function
            return [code[code.index("*") + 1]] if "*" in code else [code[code.index("(") - 1]]
        before = code[:code.index("[")] if "[" in code and "{" not in code else code[:-1]
        return [before[-1]] + ([code[2]] if code[1] in ("struct", "union") and NAME.fullmatch(code[2]) else [])
    if code[0] in ("struct", "union") and len(code) > 2 and code[2] == "{":
        return [code[1]]
    for k, token in enumerate(code):
        if token in ("(", "=", "[", ";"):
            return [code[k - 1]]
    return []


def reached(found, root):
    """The definitions that the root needs, in their order."""
    by_name = {}
    for text, tokens in found:
        for name in names_of(tokens):
            by_name.setdefault(name, []).append((text, tokens))
    todo, wanted = [root], set()
    while todo:
        for text, tokens in by_name.pop(todo.pop(), []):
            if text not in wanted:
                wanted.add(text)
                todo.extend(token for token in tokens if NAME.fullmatch(token))
    return [(text, tokens) for text, tokens in found if text in wanted]


def compiled(arguments, after):
    """The LLVM code of the kernel's file with something behind it."""
    flags, _ = PLACES[arguments.place]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "probe.c"
        source.write_text(f'#include "{os.path.realpath(arguments.source)}"\n#if {GUARDS.get(arguments.place, "1")}\n'
                          f"#pragma omp begin declare target\n{after}#pragma omp end declare target\n#endif\n")
        run = subprocess.run([arguments.compiler, "-S", "-emit-llvm", "-O0", "-w", "-o", "-", *LANGUAGE, *INCLUDES, *flags,
                              *arguments.flag, str(source)], capture_output=True, text=True, check=False)
    if run.returncode:
        sys.exit(run.stderr)
    return run.stdout


def constants(arguments, found):
    """The values of the enumerators, by asking the compiler."""
    names = dict.fromkeys(name for _, tokens in found for name in enumerators(tokens))
    code = compiled(arguments, "".join(f"const long long usw_value_of_{n} = (long long)({n});\n" for n in names))
    return dict(re.findall(r"@usw_value_of_(\w+) = .*?\bi64 (-?\d+)", code))


def closing(text, start):
    """The index behind the bracket that closes the one at `start`."""
    depth = 0
    for match in TOKEN.finditer(text, start):
        depth += BRACKETS.get(match[0], 0)
        if depth == 0:
            return match.end()
    return len(text)


def selections(text):
    """The outermost _Generic selections of a text: (start, end, operand, [association])."""
    found, at = [], 0
    while (at := text.find("_Generic", at)) >= 0:
        start, at = at, closing(text, text.index("(", at))
        parts, begin, depth = [], text.index("(", start) + 1, 0
        for match in TOKEN.finditer(text, begin, at - 1):
            depth += BRACKETS.get(match[0], 0)
            if match[0] == "," and depth == 0:
                parts.append(text[begin:match.start()].strip())
                begin = match.end()
        parts.append(text[begin:at - 1].strip())
        found.append((start, at, parts[0], parts[1:]))
    return found


def resolved(arguments, used):
    """The definitions with what each _Generic selects, by asking the compiler in a function of the same parameters."""
    probes, places = "", []
    for number, (text, tokens) in enumerate(used):
        if "_Generic" not in tokens or not is_function([t for t in tokens if not t.startswith("/*")] + ["{"]):
            continue
        parameters = text[text.index("(", text.index(names_of(tokens)[0])):]
        parameters = parameters[:closing(parameters, 0)]
        for start, end, operand, associations in selections(text):
            indices = ", ".join(re.sub(r":.*", f": {k}", a, flags=re.S) for k, a in enumerate(associations))
            probes += (f"void usw_probe_{len(places)}{parameters} {{\n"
                       f'__asm__ volatile("" ::"i"(0x5e1ec700 + _Generic({operand}, {indices})));\n}}\n')
            places.append((number, start, end, associations))
    code = compiled(arguments, probes) if places else ""
    chosen = dict(re.findall(r"@usw_probe_(\d+)\(.*?asm sideeffect.*?\(i32 (\d+)\)", code, re.S))
    texts = [text for text, _ in used]
    for k, (number, start, end, associations) in reversed(list(enumerate(places))):
        association = associations[int(chosen[str(k)]) - 0x5e1ec700]
        texts[number] = texts[number][:start] + association.split(":", 1)[1].strip() + texts[number][end:]
    return [(text, tokens_of(text)) for text in texts]


def with_values(text, tokens, values):
    """An enumeration with the values of its constants."""
    names = [name for name in enumerators(tokens) if name in values]
    if not names or "typedef" in tokens:
        return text
    comment = re.match(r"/\*.*?\*/", text, re.S)
    return (comment[0] + "\n" if comment else "") + "enum {\n" + "".join(f"{name} = {values[name]},\n" for name in names) + "};"


def readable(text):
    text = re.sub(r"__attribute__\s*\(\((?:gnu_inline|always_inline|unused|noinline|, )*\)\)\s*", "", text)
    return re.sub(r"\b(?:static|extern) inline\s+", "static ", text)


CONSTANT = re.compile(r"\b(?:0x[0-9a-fA-F]+|\d+)[uUlL]*\b")


def value_of(condition, values):
    """1 or 0 where a condition is constant, else None: each side of && and || that is known counts."""
    for operator, decides in (("||", 1), ("&&", 0)):
        parts, begin, depth = [], 0, 0
        for match in TOKEN.finditer(condition):
            depth += {"(": 1, ")": -1}.get(match[0], 0)
            if depth == 0 and condition.startswith(operator, match.start()):
                parts.append(condition[begin:match.start()])
                begin = match.start() + 2
        if parts:
            known = [value_of(part, values) for part in [*parts, condition[begin:]]]
            return decides if decides in known else None if None in known else 1 - decides
    text = condition.strip()
    if text.startswith("(") and closing(text, 0) == len(text):
        return value_of(text[1:-1], values)
    text = NAME.sub(lambda name: values.get(name[0], name[0]), re.sub(r"\((?:int|uint32_t|size_t)\)", "", text))
    if NAME.search(CONSTANT.sub("", text)) or not re.fullmatch(r"[\w\s()<>=!+*/%-]+", text) or re.search(r"[^=<>!]=[^=]", text):
        return None
    try:
        return int(bool(eval(re.sub(r"!(?!=)", " not ", CONSTANT.sub(lambda c: c[0].rstrip("uUlL"), text)), {"__builtins__": {}})))
    except (SyntaxError, ZeroDivisionError, TypeError):
        return None


def statement_end(text, start):
    """The index behind the statement that begins at `start`."""
    begin = re.compile(r"\s*").match(text, start).end()
    if text.startswith("{", begin):
        return closing(text, begin)
    head = re.compile(r"(?:if|for|while)\s*(?=\()").match(text, begin)
    if head:
        end = statement_end(text, closing(text, head.end()))
        other = re.compile(r"\s*else\b").match(text, end)
        return statement_end(text, other.end()) if head[0].startswith("if") and other else end
    depth = 0
    for match in TOKEN.finditer(text, begin):
        depth += BRACKETS.get(match[0], 0)
        if match[0] == ";" and depth == 0:
            return match.end()
    return len(text)


def without_dead_branches(text, values):
    """A function without the branches whose conditions are constant."""
    at = 0
    while match := re.compile(r"\bif\s*(?=\()").search(text, at):
        at = match.end()
        end = closing(text, at)
        known = value_of(text[at + 1:end - 1], values)
        if known is None:
            continue
        then = statement_end(text, end)
        other = re.compile(r"\s*else\b").match(text, then)
        stop = statement_end(text, other.end()) if other else then
        kept = text[end:then] if known else text[other.end():stop] if other else ""
        if re.search(r"\belse\s*$", text[:match.start()]) and not kept:
            kept = ";"
        if re.search(r"\breturn\b[^;{}]*;\s*\}?$", kept) and "if" not in kept:  # nothing behind it is reached
            stop = block_end(text, stop)
        text, at = text[:match.start()] + kept + text[stop:], match.start()
    return text


def block_end(text, start):
    """The index of the bracket that closes the block around `start`."""
    depth = 0
    for match in TOKEN.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return match.start()
    return len(text)


def tokens_of(text):
    return [m[0] for m in TOKEN.finditer(text) if not m[0].isspace()]


def written(arguments):
    found = definitions(preprocessed(arguments))
    root = arguments.kernel + PLACES[arguments.place][1]
    if root not in [name for _, tokens in found for name in names_of(tokens)]:
        sys.exit(f"{arguments.kernel} has no {root}() for {arguments.place}")
    values = constants(arguments, found)
    found = [(text, tokens_of(text)) for text in (with_values(*definition, values) for definition in found)]
    used = reached(found, root)
    while any("_Generic" in tokens for _, tokens in used):  # what one selects may have others
        before, used = used, reached(resolved(arguments, used), root)
        if [text for text, _ in used] == [text for text, _ in before]:
            break
    used = [(text, tokens_of(text)) for text in (without_dead_branches(text, values) for text, _ in used)]
    parts = [readable(text) for text, _ in reached(used, root)]
    head = (f"/* The kernel {arguments.kernel} for {arguments.place}, written by scripts/docs/kernel_source.py: preprocessed,\n"
            f" * without what {root}() does not use. Not a part of the build. */\n#include <stddef.h>\n#include <stdint.h>\n\n")
    return head + "\n\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kernel", default=os.environ.get("KERNEL", "sum_f64"))
    parser.add_argument("--place", choices=PLACES, default=os.environ.get("PLACE", "nvptx"))
    parser.add_argument("--source", required=True, help="the kernel's file; {} stands for the kernel's name")
    parser.add_argument("--output", required=True, help="the file to write; {} stands for kernel and place")
    parser.add_argument("--compiler", default="clang-19")
    parser.add_argument("--formatter", default="clang-format-19")
    parser.add_argument("--flag", action="append", default=[], help="a further flag of the compiler's")
    arguments = parser.parse_args()
    arguments.source = arguments.source.format(arguments.kernel)
    output = pathlib.Path(arguments.output.format(f"{arguments.kernel}.{arguments.place}"))
    if not os.path.exists(arguments.source):
        sys.exit(f"there is no kernel {arguments.kernel}: {arguments.source} does not exist")
    text = subprocess.run([arguments.formatter, f"--style=file:{ROOT / '.clang-format'}", "--assume-filename=kernel.c"],
                          input=written(arguments), capture_output=True, text=True, check=True).stdout
    output.write_text(text)
    print(f"{output}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
