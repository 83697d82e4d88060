#!/usr/bin/env bash
# Sees image_manifest.py fail: on kernels that are not in the image, on entries that no row asked for,
# on bare regions compiled without the flag whose absence loses them, on regions that spill, and on loads that wait for each
# other.
#
#   image_manifest_fails.sh <build folder>
set -eu
here=$(dirname "$0")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

look() { # arguments of the check, which must fail
  local status=0
  "$here/image_manifest.py" "$@" >"$scratch/out" 2>&1 || status=$?
  if [ $status != 1 ]; then
    cat "$scratch/out"
    [ $status = 77 ] && exit 77
    echo "exit status $status, not 1: $*"
    exit 1
  fi
}

expect() { # one of the problems that the last look saw
  if ! grep -qE "PROBLEM $1" "$scratch/out"; then
    cat "$scratch/out"
    echo "the check did not see: $1"
    exit 1
  fi
  echo "seen: $(grep -Em1 "PROBLEM $1" "$scratch/out")"
}

echo 'USW_ENTRY(nothing, reduce, PLUS, f64)' >"$scratch/rows"
look "$1" --rows "$scratch/rows"
expect 'nothing_f64_standard: 0 entries'
expect '[a-z0-9_]+: an entry of no row'
if grep -q nvptx64 "$1/build.ninja"; then
  echo 'USW_ENTRY(trap, reduce, PLUS, lost, idle)' >"$scratch/rows"
  look "$1" --rows "$scratch/rows" --source "$here/bare_region_trap.c" --drop=-fopenmp-cuda-mode
  expect 'trap_lost_bare is trivial: [0-9] instructions'
  expect 'trap_lost_bare is trivial: no load'
  expect 'trap_idle_bare is trivial: no shuffle'
  echo 'USW_ENTRY(trap, reduce, PLUS, many, array, slow)' >"$scratch/rows"
  look "$1" --rows "$scratch/rows" --source "$here/spilling_regions.c"
  expect 'trap_many_bare spills: a frame of [0-9]+ bytes'
  expect 'trap_many_standard spills: a frame of [0-9]+ bytes'
  expect 'trap_array_bare keeps an array in local memory: a frame of [0-9]+ bytes'
  expect 'trap_slow_bare has 8 bytes of loads in flight, at least 48'
fi
