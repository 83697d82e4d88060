# Sourced: what the scripts print. Set `script` to the script's name before.

say() { echo "$script: $*"; }

# progress TEXT: how far a step is: one line that is rewritten on a terminal, elsewhere a line every 10 seconds.
# progress_end clears the terminal's line.
progress_next=$((SECONDS + 10))
progress() {
  if [ -t 1 ]; then
    printf '\r\033[K%s: %s' "$script" "$1"
  elif [ $SECONDS -ge $progress_next ]; then
    progress_next=$((SECONDS + 10))
    say "$1"
  fi
}
progress_end() {
  if [ -t 1 ]; then
    printf '\r\033[K'
  fi
}
