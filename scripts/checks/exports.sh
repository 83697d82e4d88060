#!/usr/bin/env bash
# Checks that the shared library exports usw_* and nothing else.
#
#   exports.sh <libupsweep.so>
set -eu
symbols=$(nm -D --defined-only --format=posix "$1" | awk '$2 != "A" { sub("@.*", "", $1); print $1 }')
if [ -z "$symbols" ]; then
  echo "$1 exports nothing"
  exit 1
fi
if echo "$symbols" | grep -v '^usw_'; then
  echo "these symbols should be hidden"
  exit 1
fi
echo "$(echo "$symbols" | wc -l) symbols, all usw_*"
