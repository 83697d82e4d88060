"""The options of `usw` and its commands, read from what they print for --help: argp's layout, or argparse's."""

import dataclasses
import os
import pathlib
import re
import subprocess
import textwrap

ENVIRONMENT = {
    "ARGP_HELP_FMT": "rmargin=1000", "COLUMNS": "1000", "LC_ALL": "C",  # every option on one line, in English
    "OMP_TARGET_OFFLOAD": "DISABLED", "ASAN_OPTIONS": "detect_leaks=0",  # no look at devices, no sanitizer's report
}
OPTION = re.compile(r" {2,6}(?:-(\S), +)?--([a-z][\w-]*)(?:(\[?)[= ](\S+?)\]?)?(?: {2,}(\S.*))?")
DOCUMENTED = re.compile(r"  ([a-z]\w*) {2,}(\S.*)")
HEADING = re.compile(r" (\S.*):")
# "a, b or c" or "a,b,c" at the beginning of a text or of a part of it, up to the end of the part.
WORD = r"[a-z][\w:-]*"
ENUMERATION = re.compile(rf"(?:^|[:;] )({WORD}(?:(?:, ?| or ){WORD})+)(?=[:;]|, separated|\.?$)")


@dataclasses.dataclass
class Option:
    letter: str  # "" without one
    name: str
    argument: str  # "" without one
    is_optional: bool  # the argument
    text: str
    group: str  # the heading above it
    words: dict = dataclasses.field(default_factory=dict)  # that it takes, with their meanings

    @property
    def is_list(self):
        return self.argument == "LIST" or "separated by commas" in self.text

    @property
    def takes_file(self):
        return "FILE" in self.argument

    @property
    def summary(self):
        return clause(self.text)


@dataclasses.dataclass
class Command:
    name: str  # "reduce", "bench ladder"
    meaning: str
    options: list
    documented: dict  # words with their meanings, which are no options
    takes_files: bool


def clause(text):
    """The first part of a text, in one short line."""
    return textwrap.shorten(re.split(r"[.;](?:\s|$)", text)[0], 90, placeholder=" ...")


def enumerated(option):
    """The words that the option's argument or text lists; one in capitals, as in device:N, stands for others."""
    match = ENUMERATION.search(option.text)
    if match:
        words = re.split(r", ?| or ", match.group(1))
    else:
        words = option.argument.split("|") if "|" in option.argument else []
    return {word: "" for word in words if not re.search("[A-Z]", word)}


def usage_lines(lines):
    """How many lines of a help text say how the command is called."""
    count = 1
    while count < len(lines) and lines[count].startswith("  ") and not OPTION.fullmatch(lines[count]):
        count += 1
    return count


def parse(name, text):
    lines = text.splitlines()
    usage, lines = lines[:usage_lines(lines)], lines[usage_lines(lines):]
    meaning = re.split(r"\n\n|\n  |: ", "\n".join(lines).strip("\n"))[0].replace("\n", " ")
    takes_files = any("FILE" in re.sub(r"\[[^]]*\]", "", line) for line in usage)
    command = Command(name, clause(meaning), [], {}, takes_files)
    group, row = "", None
    for line in lines:
        if match := OPTION.fullmatch(line):
            letter, option, bracket, argument, meaning = (part or "" for part in match.groups())
            row = Option(letter, option, argument, bool(bracket), meaning, group)
            command.options.append(row)
        elif row and line.startswith(" " * 8):
            row.text += f" {line.strip()}"
        else:
            row = None
            if match := DOCUMENTED.fullmatch(line):
                command.documented[match.group(1)] = match.group(2)
            elif match := HEADING.fullmatch(line):
                group = match.group(1)
    named = {option.name for option in command.options}
    if "help" not in named:  # no list of options by argp: the text has options wherever it names one
        command.options += [Option("", option, "", False, "", "")
                            for option in sorted(set(re.findall(r"(?<![\w-])--([a-z][a-z-]*)", text)) - named)]
    return command


def rows(include, name, pattern):
    text = (pathlib.Path(include) / "upsweep" / name).read_text(encoding="utf-8")
    return re.findall(rf"^  ROW\({pattern}", text, re.M)


class Program:
    """The program, its commands and the words that their options take."""

    def __init__(self, path, include):
        self.path = path
        self.types = dict(rows(include, "types.def", r"(\w+),.*?(\w+), +__VA_ARGS__"))  # with their classes
        self.functions = dict(rows(include, "functions.def", r'(\w+),.*?"(.*?)"'))
        self.built_in = parse("", self.help_of("")).documented
        self.operations = parse("reduce", self.help_of("reduce")).documented

    def help_of(self, name):
        """The text, or None where the command's program is not built."""
        run = subprocess.run([self.path, *name.split(), "--help"], capture_output=True, encoding="utf-8", check=False,
                             env=os.environ | ENVIRONMENT)
        if run.returncode and re.search("no such command|not installed", run.stderr):
            return None
        if run.returncode:
            raise SystemExit(f"{self.path} {name} --help: exit status {run.returncode}\n{run.stderr}")
        return run.stdout

    def command(self, name):
        text = self.help_of(name)
        if text is None:
            return None
        command = parse(name, text)
        types = dict.fromkeys(self.types, "")
        known = {"op": command.documented or self.operations | self.functions, "type": types, "types": types,
                 "functions": self.functions, "kernels": self.functions}
        for option in command.options:
            option.words = enumerated(option) or known.get(option.name, {})
        return command
