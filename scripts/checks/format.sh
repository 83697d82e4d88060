#!/usr/bin/env bash
# Checks that every C file is laid out as .clang-format says. Exits 77 without clang-format 19:
# other majors lay out code differently.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v clang-format-19 >/dev/null; then
  echo "clang-format-19 is not installed"
  exit 77
fi
find include lib offload tests perf -name '*.[ch]' -print0 |
  xargs -0 clang-format-19 --dry-run -Werror
