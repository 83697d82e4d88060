"""The completions of usw for bash, zsh and fish, from its commands."""

import collections

BASH = """\
# Completion of usw for bash, made from its help texts.
_usw() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local options="" words="" prefix="" is_list="" takes_files=""
  COMPREPLY=()
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "@commands@ --help --version" -- "$current"))
    return
  fi
  # "--op=sum,m" reaches us as "--op" "=" "sum,m".
  if [ "$current" = "=" ]; then
    current=""
    previous+="="
  elif [ "$previous" = "=" ]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}=
  fi
  case "$COMP_CWORD $command ${COMP_WORDS[2]}" in
    "2 "*) ;;
@parts@  esac
  case "$command" in
@options@    help) options="@built_in@" ;;
  esac
  if [ -n "$words" ]; then
    case "$is_list$current" in
      yes*,*) prefix=${current%,*}, ;;
    esac
    COMPREPLY=($(compgen -P "$prefix" -W "$words" -- "${current#"$prefix"}"))
    return
  fi
  COMPREPLY=($(compgen -W "$options" -- "$current"))
  case "${COMPREPLY[0]-}" in
    *=) compopt -o nospace ;;
  esac
  if [ -n "$takes_files" ] && [ "${current#-}" = "$current" ]; then
    compopt -o filenames
    COMPREPLY+=($(compgen -f -- "$current"))
  fi
}
complete -F _usw usw
"""

ZSH = """\
#compdef usw
# Completion of usw for zsh, made from its help texts.
_usw() {
  local -a commands=(
@commands@  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  local command=$words[1]
  case "$CURRENT $command $words[2]" in
    "2 "*) ;;
@parts@  esac
  case $command in
@options@  esac
}
_usw "$@"
"""

FISH = """\
# Completion of usw for fish, made from its help texts.

# The words that can come next in a list, which commas separate; "word\\tmeaning" each.
function __usw_words
    set -l begin (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '.*,')
    for word in $argv
        echo -e "$begin$word"
    end
end

# __usw_is COMMAND [WORD] [-- WORD ...]: whether the command is that one, and none of the last words comes next.
function __usw_is
    set -l others
    if set -l at (contains -i -- -- $argv)
        set others $argv[$at..-1]
        set -e argv[$at..-1]
    end
    set -l words (commandline -opc)
    set -l next (math 2 + (count $argv))
    set -l begin $words[2..(math $next - 1)]
    test "$begin" = "$argv"; and not contains -- "$words[$next]" $others
end

complete -c usw -f
complete -c usw -n 'test (count (commandline -opc)) = 1' -l help -d 'List the commands'
complete -c usw -n 'test (count (commandline -opc)) = 1' -l version -d 'Print the version'
@lines@"""


def filled(template, **texts):
    for key, text in texts.items():
        template = template.replace(f"@{key}@", text)
    return template


def parts_of(command, commands):
    """Second words of commands that begin with this one: ladder, of bench."""
    return [other.name.split()[1] for other in commands if other.name.startswith(f"{command.name} ")]


def names_of(commands):
    """Commands of one word with their meanings."""
    return {command.name: command.meaning for command in commands if " " not in command.name} | \
        {"help": "Prints the help of a command"}


# ---- bash ----

def bash_keys(option):
    """The word before the option's value."""
    keys = [f"--{option.name}="]
    if not option.is_optional:
        keys += [f"--{option.name}", *([f"-{option.letter}"] if option.letter else [])]
    return " | ".join(keys)


def bash_value(option):
    """What completes the option's value."""
    if option.words:
        return f' {"is_list=yes " if option.is_list else ""}words="{" ".join(option.words)}" ;;'
    if option.takes_file:
        return """
          compopt -o filenames
          COMPREPLY=($(compgen -f -- "$current"))
          return
          ;;"""
    return " return ;;"


def bash_command(command, commands):
    words = parts_of(command, commands) + [f"--{option.name}{'=' if option.argument and not option.is_optional else ''}"
                                           for option in command.options]
    keys = collections.defaultdict(list)
    for option in command.options:
        if option.argument:
            keys[bash_value(option)].append(bash_keys(option))
    values = "".join(f"        {' | '.join(names)}){value}\n" for value, names in keys.items())
    files = "      takes_files=yes\n" if command.takes_files else ""
    cases = f'      case "$previous" in\n{values}      esac\n' if values else ""
    return f'    "{command.name}")\n      options="{" ".join(words)}"\n{files}{cases}      ;;\n'


def bash(program, commands):
    parts = [command.name for command in commands if " " in command.name]
    return filled(BASH, commands=" ".join(names_of(commands)), built_in=" ".join(program.built_in),
                  parts="".join(f'    *" {name}") command="{name}" ;;\n' for name in parts),
                  options="".join(bash_command(command, commands) for command in commands))


# ---- zsh ----

def zsh_quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh_text(text):
    """A description between brackets."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def zsh_value(option):
    """The argument of an option: message and action."""
    if not option.argument:
        return ""
    action = " "
    if option.words:
        words = " ".join(f'"{word}[{zsh_text(meaning)}]"' if meaning else word
                         for word, meaning in option.words.items())
        action = f"_values {'-s , ' if option.is_list else ''}{option.name} {words}".replace(":", "\\:")
    elif option.takes_file:
        action = "_files"
    return f":{':' if option.is_optional else ''}{option.argument}:{action}"


def zsh_option(option):
    long = f"--{option.name}" + ("" if not option.argument else "=-" if option.is_optional else "=")
    text = f"[{zsh_text(option.summary)}]" if option.summary else ""
    rest = text + zsh_value(option)
    if not option.letter:
        return zsh_quote(long + rest)
    short = f"-{option.letter}" + ("+" if option.argument else "")
    return f"'(-{option.letter} --{option.name})'{{'{short}','{long}'}}{zsh_quote(rest)}"


def zsh_arguments(command, commands):
    specifications = [zsh_option(option) for option in command.options]
    parts = " ".join(parts_of(command, commands))
    if parts:
        specifications.append(f"'1:part:({parts})'")
    if command.takes_files:
        specifications.append("'*:FILE:_files'")
    lines = " \\\n        ".join(["_arguments -s", *specifications])
    return f'    "{command.name}")\n      {lines}\n      ;;\n'


def zsh_part(command):
    return f"""\
    *" {command.name}")
      command="{command.name}"
      shift words
      (( CURRENT-- ))
      ;;
"""


def zsh(program, commands):
    names = names_of(commands) | {"--help": "List the commands", "--version": "Print the version"}
    lines = [zsh_quote(name + ":" + meaning.replace(":", "\\:")) for name, meaning in names.items()]
    return filled(
        ZSH, commands="".join(f"    {line}\n" for line in lines),
        parts="".join(zsh_part(command) for command in commands if " " in command.name),
        options="".join(zsh_arguments(command, commands) for command in commands) +
        f"    help) _arguments '1:command:({' '.join(program.built_in)})' ;;\n")


# ---- fish ----

def fish_quote(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_value(option):
    """What completes the option's value. An optional one is not completed: fish would take the next word for it."""
    if not option.argument or option.is_optional:
        return ""
    if option.words:
        words = " ".join(f'"{word}\\t{meaning}"' if meaning else word for word, meaning in option.words.items())
        if option.is_list or any(option.words.values()):
            words = f"(__usw_words {words})"
        return f" -x -a {fish_quote(words)}"
    return " -r -F" if option.takes_file else " -x"


def fish_command(command, commands):
    parts = parts_of(command, commands)
    begin = f"complete -c usw -n '__usw_is {command.name}{' -- ' * bool(parts)}{' '.join(parts)}'"
    if parts:
        yield f"{begin} -a '{' '.join(parts)}'"
    if command.takes_files:
        yield f"{begin} -F"
    for option in command.options:
        letter = f" -s '{option.letter}'" if option.letter else ""
        text = f" -d {fish_quote(option.summary)}" if option.summary else ""
        yield f"{begin}{letter} -l {option.name}{fish_value(option)}{text}"


def fish(program, commands):
    lines = [f"complete -c usw -n 'test (count (commandline -opc)) = 1' -a {name} -d {fish_quote(meaning)}"
             for name, meaning in names_of(commands).items()]
    lines += [line for command in commands for line in fish_command(command, commands)]
    lines.append(f"complete -c usw -n '__usw_is help' -a '{' '.join(program.built_in)}'")
    return filled(FISH, lines="".join(f"{line}\n" for line in lines))
