#!/usr/bin/env bash
# Compiles the tests' kernels as C++, each file as far as errors go: the quick tier's part of the tests *_cxx.
#
#   kernels_as_cxx.sh C++_COMPILER
set -eu
compiler=$1
failures=0
for file in accurate_kernels axes_kernels collectives halves in_step scan_kernels segment_kernels spaces team_edges user_kernel; do
  "$compiler" -x c++ -std=c++17 -fsyntax-only -fopenmp -D_GNU_SOURCE -Wall -Wextra -Wno-missing-field-initializers \
    -Iinclude -Ioffload/include -Itests "tests/api/$file.c" || failures=$((failures + 1))
done
echo "$failures failures"
[ $failures -eq 0 ]
