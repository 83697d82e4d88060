#!/usr/bin/env python3
"""Documents: README and CONTRIBUTING keep their size; the files, options, functions and tests that documents name exist; links
between documents lead somewhere.

usage: documents.py [--build FOLDER] [DOCUMENT...]     these alone; with a build, options of usw are those of its --help, too

A file is one of this tree: by its path, or by its name alone. An option, `--x`, stands in a source of this tree or is one of
another program's (OTHERS). A function, macro or variable, usw_x or USW_X, stands in a source; a test in a CMake file of tests."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SIZES = {"README.md": 6000, "CONTRIBUTING.md": 6000}  # bytes
CODE = {".c", ".h", ".def", ".py", ".sh", ".cmake", ".cpp", ".hpp", ".f90", ".txt", ".in", ".json", ".sbatch", ".toml", ""}
AREAS = "api|bench|cases|check|cxx|device|gpu|install|ladder|openmp_backend|perf|sanitizer|selfcheck|simt|slurm|tool|unit"
TAGS = re.compile(r"_(?:[iu](?:8|16|32|64)|b?f16|f32|f64|cf32|cf64|b8)$")
GIVEN = {"example.c", "main.c", "data.h5", "program.c", "bench.c", "K.c"}  # what a reader may call a file of his own
MADE = {"layers.svg", "walk.svg"}  # by scripts/docs/pictures.py
OTHERS = {"--nodelist", "--gres", "--partition", "--account", "--exclusive", "--gpus", "--export", "--cpus-per-task",
          "--array", "--nodes", "--ntasks", "--offload-arch",
          "--plot"}  # of a recorded command, from before usw report


def listed():
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True,
                           check=True).stdout
    return [pathlib.Path(name) for name in names.decode().split("\0") if name and (ROOT / name).is_file()]


class Tree:
    """What there is to be named."""

    def __init__(self):
        self.files = listed()
        self.paths = {str(path) for path in self.files} | {str(parent) for path in self.files for parent in path.parents}
        self.names = {path.name for path in self.files}
        code = [path for path in self.files if path.suffix in CODE and "baselines" not in path.parts]
        texts = {path: (ROOT / path).read_text(errors="ignore") for path in code}
        self.words = set(re.findall(r"\w+", "\n".join(texts.values())))
        self.options = set(re.findall(r"--[a-z][a-z0-9-]*", "\n".join(texts.values())))
        for text in texts.values():  # tables of struct argp_option
            self.options |= {f"--{name}" for name in re.findall(r'^\s*\{"([a-z][a-z0-9-]+)", ', text, re.MULTILINE)}
        self.tests = "\n".join(text for path, text in texts.items()
                               if path.name == "CMakeLists.txt" or path.suffix == ".cmake")

    def has_path(self, name):
        name = name.rstrip("/")
        if name in self.paths:
            return True
        pattern = re.sub(r"\\\*|<[a-z_]+>|X", "[^/]*", re.escape(name))
        return pattern != re.escape(name) and any(re.fullmatch(pattern, path) for path in self.paths)

    def has_word(self, word):
        if word in self.words or TAGS.sub("", word) in self.words or word.endswith("_"):
            return True
        return any(known.startswith(word) for known in self.words) or TAGS.sub("", word).removeprefix("usw_") in self.words

    def has_test(self, name):
        stem = name.removeprefix("sanitizer.").rstrip("*.")
        return stem in self.tests or ("." in stem and stem.rpartition(".")[0] in self.tests and stem.count(".") > 1)


def anchors(text):
    """The names that headings have as targets of links."""
    heads = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def link_problems(path, text):
    prose = re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL))
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        file, _, anchor = target.partition("#")
        if re.match(r"\w+:", target) or target in MADE:
            continue
        place = (ROOT / path).parent / file if file else ROOT / path
        if file.startswith("/"):
            place = ROOT / file.lstrip("/")
        if not place.exists():
            yield f"a link leads nowhere: {target}"
        elif anchor and place.suffix == ".md" and anchor not in anchors(place.read_text()):
            yield f"a link leads to no heading: {target}"
    for target in re.findall(r"^```\{literalinclude\} (\S+)$", text, re.MULTILINE):
        if not (ROOT / target.lstrip("/")).exists():
            yield f"an included file is not there: {target}"


def code_of(text):
    """What stands as code in a document: words between backticks, fenced blocks, indented blocks."""
    fences = re.findall(r"^```(?!\{)[^\n]*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return [*re.findall(r"`([^`\n]+)`", rest), *re.findall(r"^ {4} *(\S.*)$", rest, re.MULTILINE), *fences]


def name_problems(text, tree):
    code = "\n".join(code_of(text))
    for name in sorted(set(re.findall(r"(?<![\w/.-])((?:include|lib|offload|tests|perf|scripts)/[\w./*<>-]*[\w*>/])", code))):
        if not tree.has_path(name) and not re.match(r"lib/(pkgconfig|libupsweep)|perf/usw-", name):
            yield f"there is no {name}"
    for name in sorted(set(re.findall(r"(?<![\w/.*{}$<-])([a-z][\w-]*\.(?:c|h|def|hpp|cmake|sh|py|sbatch))(?![\w.*])", code))):
        if name not in tree.names and name not in GIVEN:
            yield f"there is no file named {name}"
    for option in sorted(set(re.findall(r"(?<![\w-])(--[a-z][a-z0-9-]+)", code))):
        if option not in tree.options and option not in OTHERS:
            yield f"no program here has the option {option}"
    for word in sorted(set(re.findall(r"\b(?:usw|USW)_\w+", text))):
        if not tree.has_word(word):
            yield f"there is no {word}"
    words = "\n".join(re.findall(r"`([^`\n]+)`", text))
    for name in sorted(set(re.findall(rf"(?<![\w./-])((?:{AREAS})\.[a-z_0-9.*]+[a-z_0-9*])(?![\w(/])", words))):
        if not tree.has_test(name) and name not in tree.names and not name.endswith(".csv"):
            yield f"there is no test {name}"


def tool_options(build):
    """{command of usw: its options}, as its --help has them."""
    programs = {command: [build / "bin/usw", command] for command in ("reduce", "scan", "info", "explain")}
    programs.update({command: [build / f"perf/usw-{command}"] for command in ("bench", "selfcheck")})
    options = {}
    for command, program in programs.items():
        if program[0].exists():
            pages = [[], *([["ladder"], ["staging"], ["calls"]] if command == "bench" else [])]
            text = "".join(subprocess.run([*program, *page, "--help"], capture_output=True, text=True, check=True).stdout
                           for page in pages)
            options[command] = set(re.findall(r"--[a-z][a-z0-9-]*", text)) | {"--help"}
    return options


def command_problems(text, options):
    """Options in lines of `usw COMMAND ...` that the command does not have."""
    lines = "\n".join(code_of(text)).replace("\\\n", " ").splitlines()
    for line in lines:
        for command, rest in re.findall(r"(?:^|[ /])usw[ -](\w+)\b([^|;&]*)", re.sub(r"\s#.*", "", line)):
            for option in re.findall(r"(?<=\s)--[a-z][a-z0-9-]*", rest):
                if option not in options.get(command, {option}) | OTHERS:
                    yield f"usw {command} has no option {option}"


def documents(tree):
    for path in tree.files:
        if path.suffix == ".md" and path.name != "CHANGELOG.md":
            yield path


def main(arguments):
    options = {}
    if arguments[:1] == ["--build"]:
        options, arguments = tool_options(pathlib.Path(arguments[1])), arguments[2:]
    tree, found = Tree(), []
    for path in map(pathlib.Path, arguments) if arguments else documents(tree):
        text = (ROOT / path).read_text()
        size = len(text.encode())
        if size > SIZES.get(str(path), size):
            found.append(f"{path}: {size} bytes, at most {SIZES[str(path)]}")
        problems = [*link_problems(path, text), *name_problems(text, tree), *command_problems(text, options)]
        found += [f"{path}: {problem}" for problem in problems]
    print("\n".join(found) or "sizes, names and links are right")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
