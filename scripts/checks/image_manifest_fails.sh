#!/usr/bin/env bash
# Sees image_manifest.py fail: on a kernel that is not in the image, and on kernels compiled without
# the flag whose absence makes clang 19 compile bare regions to nothing.
#
#   image_manifest_fails.sh <build folder>
set -eu
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

expect() { # text, then arguments of the check
  local text=$1 status=0
  shift
  "$here/image_manifest.py" "$@" >"$scratch/out" 2>&1 || status=$?
  if [ $status = 77 ]; then
    cat "$scratch/out"
    exit 77
  fi
  if [ $status = 0 ] || ! grep -qE "$text" "$scratch/out"; then
    cat "$scratch/out"
    echo "the check did not see: $text"
    exit 1
  fi
  echo "seen: $(grep -Em1 "$text" "$scratch/out")"
}

echo 'USW_ROW(nothing, reduce, PLUS, f64)' >"$scratch/rows"
expect 'nothing_f64_standard: 0 entries' "$1" --rows "$scratch/rows"
if grep -q nvptx64 "$1/build.ninja"; then
  expect 'bare_region_trap_bare is trivial: [0-9]+ instructions' "$1" \
    --source "$here/bare_region_trap.c" --drop=-fopenmp-cuda-mode
fi
