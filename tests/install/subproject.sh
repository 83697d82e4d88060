#!/usr/bin/env bash
# Upsweep as a part of another project's build, shared and static. Only with `build` the library is built and programs run, by
# add_subdirectory, find_package and pkg-config --static; else the project is configured, and its own files compiled.
#
#   subproject.sh <clang> [build]
set -eu
clang=$1
here=$(dirname "$(realpath "$0")")
source=$(realpath "$here/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  cat "$scratch/log"
  echo "$1"
  exit 1
}

configure() { # FOLDER ARGUMENTS...
  cmake -S "$here/subproject" -B "$scratch/$1" -G Ninja -DSOURCE="$source" -DCMAKE_C_COMPILER=gcc -DUSW_HOST_DEVICE=OFF \
    -DUSW_GPU_ARCHS= "${@:2}" >"$scratch/log" 2>&1
}

check() { # FOLDER LIBRARY
  echo "$1: $2"
  ninja -C "$scratch/$1" -t targets all >"$scratch/targets"
  grep -q "^_deps/.*/$2: " "$scratch/targets" || fail "$2 is not built"
  if grep -E '(api_errors|usw-bench|bin/usw|usw_doc_tables)' "$scratch/targets"; then
    fail "another project gets tests, tools, benchmarks or documentation"
  fi
  if grep -E 'not asked for|not built' "$scratch/log"; then
    fail "another project is told of what nobody asked for"
  fi
  ninja -C "$scratch/$1" sum kernels -n >"$scratch/log" || fail "its graph is wrong"
  ninja -C "$scratch/$1" $(grep -oE "^CMakeFiles/[^ ]*[.]c[.]o" "$scratch/targets") >"$scratch/log" || fail "its files do not compile"
}

configure shared || fail "it is not configured"
check shared 'libupsweep[.]so'
configure static -DBUILD_SHARED_LIBS=OFF || fail "it is not configured"
check static 'libupsweep[.]a'
if configure refused -DUSW_STATIC=ON -DUSW_HOST_DEVICE=ON -DCMAKE_C_COMPILER="$clang"; then
  fail "a static library with images was not refused"
fi
tr -s '\n ' ' ' <"$scratch/log" | grep -qE 'USW_STATIC is for the host alone: add -DUSW_HOST_DEVICE=OFF|cannot be built' ||
  fail "without saying what to do"
[ "${2-}" = build ] || exit 0

ninja -C "$scratch/static" sum kernels >"$scratch/log" || fail "it did not build"
"$scratch/static/sum"
"$scratch/static/kernels"
echo "the static library, installed"
cmake "$scratch/static" -DUSW_INSTALL=ON >"$scratch/log"
cmake --install "$scratch/static" --prefix "$scratch/prefix" >"$scratch/log" || fail "it is not installed"
cmake -S "$here/programs" -B "$scratch/found" -G Ninja -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_C_COMPILER=gcc -DLANGUAGES=C \
  -DEXAMPLES="$source/tests/examples" >"$scratch/log" 2>&1 && ninja -C "$scratch/found" >"$scratch/log" 2>&1 || fail "find_package"
"$scratch/found/sum"
PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name upsweep.pc)")
export PKG_CONFIG_PATH
gcc -std=c17 "$source/tests/examples/sum.c" $(pkg-config --static --cflags --libs upsweep) -o "$scratch/program" \
  >"$scratch/log" 2>&1 || fail "pkg-config --static"
"$scratch/program"
