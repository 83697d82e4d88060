#!/usr/bin/env python3
"""The manual page and the completions have every option of every command, and every word that an option takes.

usage: manual.py USW PAGE        beside PAGE lie usw.bash, _usw and usw.fish"""

import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys

from harness import Bench

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALWAYS = {"help", "usage"}  # of every command, by the parser of options
COMPLETE = """compopt() { :; }
. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _usw; printf '%s\\n' "${COMPREPLY[@]}\""""


def completed(folder, *words):
    """What bash offers for the last word; it takes "=" for a word."""
    run = subprocess.run(["bash", "--norc", "-c", COMPLETE, "bash", folder / "usw.bash", "usw", *words],
                         capture_output=True, text=True, check=True, cwd=folder)
    return set(run.stdout.split())


def commands(bench, program):
    """Names of commands: those of `usw help` that are installed, and the programs beside usw."""
    beside = (pathlib.Path(program).parent / "../libexec/upsweep").glob("usw-*")
    listed = re.findall(r"^  (\w+) .*(?<!\(not installed\))$", bench.run(command="help").stdout.decode(), re.M)
    return sorted({*listed, *(path.name.removeprefix("usw-") for path in beside)})


def parts(page):
    """The commands of the page that are commands of a command: "bench ladder"."""
    return [name.lower() for name in re.findall(r"^\.SH OPTIONS OF (\S+ \S+)$", page, re.M)]


def options_of(bench, command):
    name, *more = command.split()
    run = bench.run(*more, "--help", command=name)
    bench.check(run.returncode == 0, f"{command} --help: {run.stderr.decode()}")
    return set(re.findall(r"^ {2,6}(?:-\S, +)?--([a-z][\w-]*)", run.stdout.decode(), re.M))


def section(text, begin, end):
    found = re.search(rf"{begin}(.*?){end}", text, re.M | re.S)
    return found.group(1) if found else ""


def zsh_part(folder, command):
    return section((folder / "_usw").read_text(), rf'^    "{command}"\)\n      _arguments', r"^      ;;$")


def check_options(bench, folder, page, command):
    expected = options_of(bench, command)
    of_page = section(page, rf"^\.SH OPTIONS OF {command.upper()}$", r"^\.SH")
    of_fish = re.findall(rf"'__usw_is {command}(?: -- [^']*)?'.* -l (\S+)", (folder / "usw.fish").read_text())
    for place, found in {
        "manual page": set(re.findall(r"\\fB--([\w-]+)", of_page)) | ALWAYS,
        "bash": {word.strip("-=") for word in completed(folder, *command.split(), "--")},
        "zsh": set(re.findall(r"--([a-z][\w-]*)", zsh_part(folder, command))),
        "fish": set(of_fish),
    }.items():
        bench.check(expected <= found, f"{place} of {command}: no {sorted(expected - found)}")
    return expected


def words_of(bench, option):
    """The words that a message about a wrong value names."""
    message = bench.run(f"--{option}=@", "x").stderr.decode()
    return set(re.findall(r"[a-z_0-9]+", message.split(f"--{option} takes: ")[1])) - {"or"}


def rows(name, pattern):
    return set(re.findall(rf"^  ROW\((\w+),{pattern}", (ROOT / "include/upsweep" / name).read_text(), re.M))


def check_words(bench, folder, page):
    functions = rows("functions.def", ".*")
    operations = rows("functions.def", r" +\w+, +1,") | {"mean", "var", "std"}
    run = bench.run(f"--op={','.join(operations)}", "no.npy")
    bench.check(b"no.npy" in run.stderr, f"an operation of the test is none: {run.stderr.decode()}")
    types = rows("types.def", ".*")
    expected = {"op": operations, "type": types} | {option: words_of(bench, option) for option in (
        "accuracy", "format", "input", "nan", "place", "progress", "strategy")}
    zsh, fish = zsh_part(folder, "reduce"), (folder / "usw.fish").read_text()
    for option, words in expected.items():
        bench.equal(words, completed(folder, "reduce", f"--{option}", "="), f"bash: --{option}=")
        bench.equal(words, completed(folder, "reduce", f"--{option}", ""), f"bash: --{option} ")
        for shell, text in (("zsh", section(zsh, rf"--{option}=", "$")),
                            ("fish", section(fish, rf"'__usw_is reduce'[^\n]* -l {option} ", "$"))):
            bench.check(words <= set(re.findall(r"\w+", text)), f"{shell}: --{option}: {text}")
    bench.equal(operations | functions, completed(folder, "explain", "-o", ""), "bash: explain -o")
    table = section(page, r"^\.SH OPERATIONS\n\.nf\n", r"^\.fi")
    bench.equal(operations, {line.split()[0] for line in table.splitlines()}, "operations of the manual page")
    bench.check(types <= set(re.findall(r"\w+", section(page, r"^\.SH TYPES$", r"^\.SH"))), "types of the manual page")


def check_bash(bench, folder):
    for words, expected in ((("reduce", "--op", "=", "s"), {"sum", "std"}),
                            (("reduce", "-o", "sum,mi"), {"sum,min", "sum,minmax"}),
                            (("reduce", "--na"), {"--nan="}), (("reduce", "_"), {"_usw"}), (("explain", "_"), set()),
                            (("reduce", "--offset", "="), set()), (("info", "--topology", "=", "_"), {"_usw"}),
                            (("exp",), {"explain"}), (("scan", "--op", "=", "arg"), {"argmin", "argmax"}),
                            (("scan", "--op", "m"), {"min", "max"}), (("scan", "--ini"), {"--initial="})):
        bench.equal(expected, completed(folder, *words), f"bash: {words}")


def check_shells(bench, folder):
    """zsh and fish read their files; fish completes."""
    fish = f"{folder}/usw.fish"
    complete = f"source '{fish}'; complete -C 'usw reduce --op=s'"
    for command, expected in ((["zsh", "-n", f"{folder}/_usw"], set()), (["fish", "--no-execute", fish], set()),
                              (["fish", "-c", complete], {"--op=sum", "--op=std"})):
        if not shutil.which(command[0]):
            print(f"not checked: {' '.join(command)}: no {command[0]}")
            continue
        run = subprocess.run(command, capture_output=True, text=True, check=False,
                             env=os.environ | {"HOME": str(bench.root)})
        bench.check(run.returncode == 0 and not run.stderr, f"{command}: {run.stderr}")
        bench.equal(expected, {line.split("\t")[0] for line in run.stdout.splitlines()}, f"{command}")


def main(program, page):
    bench = Bench(str(pathlib.Path(program).resolve()))
    folder = pathlib.Path(page).resolve().parent
    page = pathlib.Path(page).read_text().replace("\\-", "-")
    names = commands(bench, bench.program)
    bench.check(set(names) >= {"reduce", "scan", "info", "explain"}, f"commands: {names}")
    check = functools.partial(check_options, bench, folder, page)
    options = set().union(*map(check, names + parts(page)))
    if "bench" in names:  # the page tells of it wherever it is built
        none = set(re.findall(r"(?<![\w-])--([a-z][\w-]*)", page)) - options - {"version"}
        bench.check(not none, f"options of the manual page that no command has: {none}")
    bench.check(not re.search(r"@\w+", page), "lines of the template are left in the manual page")
    check_words(bench, folder, page)
    check_bash(bench, folder)
    check_shells(bench, folder)
    if shutil.which("man") and shutil.which("groff"):
        lint = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", folder / "usw.1"],
                              capture_output=True, text=True, check=False)
        bench.check(not lint.stderr, f"man --warnings: {lint.stderr}")
    else:
        print("not checked: man --warnings: no man")
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
