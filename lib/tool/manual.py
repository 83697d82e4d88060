#!/usr/bin/env python3
"""Writes the manual page of usw and its completions for bash, zsh and fish from the help texts of the program.

usage: manual.py USW INCLUDE_FOLDER TEMPLATE OUTPUT_FOLDER        TEMPLATE is usw.1.in

Lines of the template: "@options COMMAND@" begins the section of a command, which is left out where its program is not
built; "@end@" ends the last one. "@operations@" is the table of operations, "@types CLASS ...@" the types of these
classes."""

import pathlib
import re
import sys

sys.dont_write_bytecode = True  # nothing is written into the source tree

import completions  # noqa: E402
from help_text import Program  # noqa: E402

ALWAYS = ("help", "usage")  # options of every command; the template has them


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", r"\\&", text)


def bold_options(text):
    return re.sub(r"(?<!\S)(\\-\\-[a-z](?:\w|\\-)*)", r"\\fB\1\\fR", text)


def page_option(option):
    letter = f"\\fB\\-{option.letter}\\fR, " if option.letter else ""
    argument = f"=\\fI{escaped(option.argument)}\\fR" if option.argument else ""
    if option.is_optional:
        argument = f"[{argument}]"
    return f".TP\n{letter}\\fB\\-\\-{escaped(option.name)}\\fR{argument}\n{bold_options(escaped(option.text))}\n"


def page_options(command):
    text, group = f".SH OPTIONS OF {escaped(command.name.upper())}\n", ""
    for option in command.options:
        if option.name in ALWAYS:
            continue
        if option.group != group:
            group = option.group
            text += f".SS {escaped(group)}\n"
        text += page_option(option)
    return text


def page(template, program, commands):
    """The manual page: the template with its lines filled in."""
    width = max(map(len, program.operations))
    operations = "".join(f"{name:{width}}  {escaped(meaning)}\n" for name, meaning in program.operations.items())
    template = template.replace("@operations@\n", f".nf\n{operations}.fi\n")
    template = re.sub(r"@types ([A-Z ]+)@", lambda match: " ".join(
        tag for tag, kind in program.types.items() if kind in match.group(1).split()), template)
    begin, *sections = re.split(r"^@(?:options ([^@]+)|end)@\n", template, flags=re.M)
    built = {command.name: command for command in commands}
    for name, text in zip(sections[::2], sections[1::2]):
        if name in built:
            begin += page_options(built[name]) + text
        elif name is None:
            begin += text
    return begin


def main(usw, include, template, output):
    program = Program(usw, include)
    text = pathlib.Path(template).read_text(encoding="utf-8")
    commands = [command for command in map(program.command, re.findall(r"^@options ([^@]+)@$", text, re.M)) if command]
    files = {"usw.1": page(text, program, commands), "usw.bash": completions.bash(program, commands),
             "_usw": completions.zsh(program, commands), "usw.fish": completions.fish(program, commands)}
    for name, content in files.items():
        (pathlib.Path(output) / name).write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
