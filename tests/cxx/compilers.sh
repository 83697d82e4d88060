#!/usr/bin/env bash
# Compiles the C++ tests as users do: g++ and clang++, C++17 and C++20, with and without exceptions, warnings being
# errors; runs them on the host. Then looks at what must not compile, and at the message that the user gets.
#
#   compilers.sh <build folder> <clang>
set -eu
build=$1
clang=$2
here=$(dirname "$(realpath "$0")")
root=$here/../..
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
found=$(for name in g++ "${clang/clang/clang++}"; do command -v "$name" || true; done)
[ -n "$found" ] || { echo "no C++ compiler" && exit 77; }

compile() { # COMPILER FLAGS...
  "$@" -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I"$root/include" -I"$root/tests"
}

refused() { # MESSAGE CODE COMPILER FLAGS...
  local message=$1 code=$2
  shift 2
  echo "refused: $code"
  printf '#include <vector>\n#include <upsweep/upsweep.hpp>\nint main() { %s }\n' "$code" >"$folder/refused.cpp"
  if compile "$@" -fsyntax-only "$folder/refused.cpp" 2>"$folder/log"; then
    echo "it compiles"
    exit 1
  fi
  grep -qE "$message" "$folder/log" || { cat "$folder/log"; echo "without saying '$message'"; exit 1; }
}

for compiler in $found; do
  printf '#include <upsweep/upsweep.hpp>\n#include <upsweep/upsweep.hpp>\n' |
    compile "$compiler" -std=c++17 -fsyntax-only -x c++ -
  for flags in -std=c++17 -std=c++20 "-std=c++17 -fno-exceptions"; do
    echo "$(basename "$compiler") $flags"
    for test in functions axes segments parts scans; do
      compile "$compiler" $flags -c "$here/$test.cpp" -o "$folder/$test.o"
      "$compiler" "$folder/$test.o" -o "$folder/$test" "$build/tests/libusw_test_shared.a" \
        -L"$build" -lupsweep -Wl,-rpath,"$build" -lm -ldl
      "$folder/$test"
    done
  done
  refused 'hand over a status' 'return int(usw::sum(std::vector<int>(3)));' "$compiler" -std=c++17 -fno-exceptions
  refused 'no matching function' 'usw::min(std::vector<std::complex<float>>(3));' "$compiler" -std=c++17
  refused 'no matching function' 'usw::bit_and(std::vector<double>(3));' "$compiler" -std=c++17
  refused 'same type of elements' 'usw::dot(std::vector<double>(3), std::vector<float>(3));' "$compiler" -std=c++17
  refused 'no matching function' 'usw::sum(std::vector<double>(3), 0);' "$compiler" -std=c++17
  refused 'no matching (function|constructor)' 'double x[6]; usw::view<double>(x, {2, 3}, {1});' "$compiler" -std=c++17
  refused 'at most eight dimensions' 'double x[2]; usw::view<double> v(x, {1, 1, 1, 1, 1, 1, 1, 1, 2});' "$compiler" -std=c++17
  refused 'at most eight dimensions' 'double x[2]; usw::view v(x, {1, 1, 1, 1, 1, 1, 1, 1, 2}, {1, 1, 1, 1, 1, 1, 1, 1, 1});' \
    "$compiler" -std=c++17
  refused 'no matching function' 'double x[6]; float s[3]; usw::sum(usw::view<double>(x, {2, 3}), 0, s);' \
    "$compiler" -std=c++17
  refused 'no matching function' 'double x[6]; usw::sum(usw::view<double>(x, {6}), usw::segments(std::vector<int>(3)));' \
    "$compiler" -std=c++17
  refused 'integers of 32 or 64 bits' 'usw::segments s(std::vector<short>(3));' "$compiler" -std=c++17
  refused 'no matching function' 'std::vector<int> v(3); usw::sum(usw::parts(v), usw::segments(v));' "$compiler" -std=c++17
  refused 'same type of elements' 'usw::parts p(std::vector<int>(3), std::vector<float>(3));' "$compiler" -std=c++17
  refused 'must both be parts' 'std::vector<int> v(3); usw::dot(usw::parts(v), v);' "$compiler" -std=c++17
  refused 'must have the same type' 'usw::segments s(std::vector<int>(3), std::vector<unsigned>(3));' "$compiler" -std=c++17
  refused 'no matching function' 'usw::scan_inclusive<USW_NORM2>(std::vector<double>(3));' "$compiler" -std=c++17
  refused 'no matching function' 'float s[3]; usw::scan_inclusive(std::vector<double>(3), s);' "$compiler" -std=c++17
  refused 'no matching function' 'const double s[3] = {}; usw::scan_inclusive(std::vector<double>(3), s);' \
    "$compiler" -std=c++17
  refused 'no matching function' 'usw::scan_exclusive<USW_COUNT>(std::vector<double>(3), 1);' "$compiler" -std=c++17
  refused 'no matching function' 'usw::reduce_by_key(std::vector<double>(3), std::vector<double>(3));' "$compiler" -std=c++17
  refused 'both be views' 'double x[6]; usw::dot(usw::view<double>(x, {6}), x);' "$compiler" -std=c++17
done
