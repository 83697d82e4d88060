#!/usr/bin/env python3
"""The manual page, --help and the completion name the same options, operations, types and words.

usage: manual.py USW FOLDER        FOLDER has usw.1, usw.bash"""

import pathlib
import re
import subprocess
import sys

from harness import Bench

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALWAYS = {"--help", "--usage"}  # of every command, by the parser of options


def page_options(page, command):
    section = re.search(rf"\.SH OPTIONS OF {command.upper()}\n(.*?)\n\.SH", page, re.S).group(1)
    names = [line for line in section.splitlines() if line.startswith((".B ", ".BR ", ".BI "))]
    return set(re.findall(r"--[a-z][a-z-]*", "\n".join(names)))


def listed(bench, option, text):
    """The words that a message about a wrong value names."""
    run = bench.run(f"--{option}=@", "x")
    return set(re.findall(r"[a-z_0-9]+", run.stderr.decode().split(f"--{option} takes: ")[1])) == set(text.split())


def rows(name):
    return re.findall(r"^  ROW\((\w+),", (ROOT / "include/upsweep" / name).read_text(), re.M)


def main(program, folder):
    bench = Bench(program)
    raw = (pathlib.Path(folder) / "usw.1").read_text()
    page = raw.replace("\\-", "-")
    completion = (pathlib.Path(folder) / "usw.bash").read_text()
    for command in ("reduce", "info", "explain"):
        help_text = bench.run("--help", command=command).stdout.decode()
        parser = set(re.findall(r"^ +(?:-[\w?], )?(--[a-z-]+)", help_text, re.M))
        bench.check(parser >= ALWAYS and len(parser) > 3, f"{command} --help: {parser}")
        bench.equal(parser - ALWAYS, page_options(page, command), f"manual page, {command}")
        line = re.search(rf"^    {command}\) words=\"(.*?)\"", completion, re.M | re.S).group(1)
        bench.equal(parser, set(re.findall(r"--[a-z][a-z-]*", line)), f"completion, {command}")
    operations = set(rows("functions.def")) - {"dot", "dotc"} | {"mean", "var", "std"}
    section = re.search(r"\.SH OPERATIONS\n\.nf\n(.*?)\.fi", page, re.S).group(1)
    bench.equal(operations, {line.split()[0] for line in section.splitlines()}, "operations of the manual page")
    words = re.search(r"--op \| -o\)\s+words=\"(.*?)\"", completion, re.S).group(1)
    bench.equal(operations, set(words.split()), "operations of the completion")
    types = set(rows("types.def"))
    section = re.search(r"\.SH TYPES\n(.*?)\.SH", page, re.S).group(1)
    bench.equal(types, set(re.findall(r"\b(?:b?c?[iuf]\d+|b8)\b", section)), "types of the manual page")
    bench.equal(types, set(re.search(r"-t\) words=\"(.*?)\"", completion).group(1).split()), "types of the completion")
    for option, text in (("nan", "propagate or ignore"), ("format", "text json or csv"),
                         ("accuracy", "repeatable fast compensated reproducible or exact"),
                         ("strategy", "auto host tree host_finish clause tree_atomic atomic or multipass")):
        bench.check(listed(bench, option, text), f"words of --{option}")
        for word in set(text.split()) - {"or"}:
            bench.check(re.search(rf"--{option}\b.*\b{word}\b", completion), f"completion of --{option}: {word}")
    lint = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", f"{folder}/usw.1"],
                          capture_output=True, check=False) if pathlib.Path("/usr/bin/groff").exists() else None
    bench.check(not lint or not lint.stderr, f"groff: {lint and lint.stderr.decode()}")
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
