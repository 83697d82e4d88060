#!/bin/bash
# Compiles user kernels and the typed functions as users without offload do: gcc and clang, C11 and
# C++17, with -ffast-math too, warnings (strict ones: nobody's own flags may find any in a kernel) being errors; links them with the library and runs them on the host.
# In the quick tier (USW_TEST_TIER=quick in the environment) gcc alone, and fewer files.
# usage: compilers.sh BUILD_FOLDER CLANG
set -eu
build=$1
clang=$2
tests=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

try() { # try SOURCE COMPILER FLAGS...
  local file=$1 program
  shift
  program=$folder/$(basename "$file")
  echo "$(basename "$1") ${*:2} $(basename "$file")"
  "$@" -O2 -Wall -Wextra -Wpedantic -Wconversion -Werror -Wno-unknown-pragmas \
    -I"$tests/../include" -I"$tests/../offload/include" -I"$tests" -c "$file" -o "$program.o"
  "$1" "$program.o" -o "$program" "$build/tests/libusw_test_shared.a" -L"$build" -lupsweep \
    -Wl,-rpath,"$build" -lm -ldl
  "$program"
}

if [ "${USW_TEST_TIER-}" = quick ]; then
  try "$tests/api/user_kernel.c" gcc -std=c17 -ffast-math
  try "$tests/api/spans.c" gcc -std=c11
  try "$tests/api/halves.c" gcc -std=c11
  try "$tests/seeds/shorthands.c" gcc -std=c17
  try "$tests/api/ordered.c" g++ -std=c++17 -x c++
  try "$tests/api/standard_types.c" gcc -std=c11 -Wcast-qual
  try "$tests/api/standard_types.c" "$clang" -std=c17 -Wcast-qual -funsigned-char
  exit
fi
for compiler in gcc "$clang"; do
  if command -v "$compiler" > /dev/null; then
    try "$tests/api/user_kernel.c" "$compiler" -std=c11
    try "$tests/api/user_kernel.c" "$compiler" -std=c17 -ffast-math -Wno-nan-infinity-disabled
    try "$tests/api/user_sizes.c" "$compiler" -std=c11
    try "$tests/api/spans.c" "$compiler" -std=c11
    try "$tests/api/large_spans.c" "$compiler" -std=c11
    try "$tests/api/ordered.c" "$compiler" -std=c17
    try "$tests/api/halves.c" "$compiler" -std=c11
    try "$tests/api/halves.c" "$compiler" -std=c17 -O3
    try "$tests/api/accurate_kernels.c" "$compiler" -std=c11
    try "$tests/seeds/shorthands.c" "$compiler" -std=c17
    try "$tests/api/typed.c" "$compiler" -std=c11
    try "$tests/api/standard_types.c" "$compiler" -std=c11 -Wcast-qual
    try "$tests/api/standard_types.c" "$compiler" -std=c17 -Wcast-qual -funsigned-char
  fi
done
for compiler in g++ "${clang/clang/clang++}"; do
  if command -v "$compiler" > /dev/null; then
    try "$tests/api/user_kernel.c" "$compiler" -std=c++17 -x c++
    try "$tests/api/spans.c" "$compiler" -std=c++17 -x c++
    try "$tests/api/ordered.c" "$compiler" -std=c++17 -x c++
    try "$tests/api/halves.c" "$compiler" -std=c++17 -x c++
    try "$tests/api/accurate_kernels.c" "$compiler" -std=c++17 -x c++
    try "$tests/seeds/shorthands.c" "$compiler" -std=c++17 -x c++
    try "$tests/api/typed_cxx.cpp" "$compiler" -std=c++17
  fi
done
