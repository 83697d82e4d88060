#!/usr/bin/env bash
# Runs a test on the GPU under one of compute-sanitizer's tools.
#
#   sanitize.sh [--must-report] memcheck|racecheck|synccheck|initcheck PROGRAM [arguments]
#
# Exit status: 0 when the tool reports nothing and the program succeeds, 1 otherwise, 77 without the tool or without a
# GPU. With --must-report: 0 when the tool reports something, whatever becomes of the program.
#
# What the tool found is read from its summary: --error-exitcode does not promise anything about racecheck's warnings, and
# a tool that ended early has no summary at all.
set -eu

must_report=no
if [ "${1-}" = --must-report ]; then
  must_report=yes
  shift
fi
tool=$1
shift

find_sanitizer() {
  local folder
  command -v compute-sanitizer && return
  for folder in "${CUDA_PATH-}" "${CUDA_HOME-}" /usr/local/cuda; do
    if [ -x "$folder/bin/compute-sanitizer" ]; then
      echo "$folder/bin/compute-sanitizer"
      return
    fi
  done
}

# The report, cut in the middle where it is long, then what is wrong with it.
fail() {
  if [ "$(wc -l <"$log")" -gt 40 ]; then
    head -n 25 "$log"
    echo "[...]"
    tail -n 12 "$log"
  else
    cat "$log"
  fi
  echo "sanitize.sh: $*"
  exit 1
}

sanitizer=$(find_sanitizer)
if [ -z "$sanitizer" ]; then
  echo "skipped: there is no compute-sanitizer here"
  exit 77
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'fail "$tool was ended from outside, perhaps after its time"' TERM
status=0
"$sanitizer" --tool "$tool" --error-exitcode 1 --target-processes all "$@" >"$log" 2>&1 </dev/null || status=$?

# A test that finds no GPU is skipped only if it finds none without the tool either.
if grep -q '^skipped: ' "$log"; then
  alone=0
  "$@" >/dev/null 2>&1 </dev/null || alone=$?
  if [ $alone = 77 ]; then
    grep -m 1 '^skipped: ' "$log"
    exit 77
  fi
  fail "the test finds no GPU under $tool, and finds it without"
fi

summary='ERROR SUMMARY: [0-9]+ errors?'
if [ "$tool" = racecheck ]; then
  summary='RACECHECK SUMMARY: [0-9]+ hazards?'
fi
found=$(grep -oE "^=+ $summary" "$log" | grep -oE '[0-9]+' | paste -sd+ -)
if [ -z "$found" ]; then
  fail "$tool ended without a summary (exit status $status)"
fi
found=$((found))
if [ $must_report = yes ]; then
  [ $found -gt 0 ] || fail "$tool reports nothing, and this program is wrong"
  grep -E -m 1 '^=+ (Error|Warning|Invalid|Program hit)' "$log" || true
elif [ $found -gt 0 ]; then
  fail "$tool reports $found"
elif [ $status != 0 ]; then
  fail "$tool reports nothing, and the exit status is $status"
fi
grep -E "^=+ $summary" "$log"
