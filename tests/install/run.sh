#!/usr/bin/env bash
# Installs a build, moves the prefix, and builds and runs two programs that use it from there.
#
#   run.sh <build folder> <clang>
set -eu
build=$(realpath "$1")
clang=$2
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/first" >"$scratch/log" || {
  cat "$scratch/log"
  exit 1
}
prefix=$scratch/moved
mv "$scratch/first" "$prefix"
if grep -rIl "$scratch/first" "$prefix"; then
  echo "these files know the first prefix: not relocatable"
  exit 1
fi
pc=$(dirname "$(find "$prefix" -name upsweep.pc)")
lib=$(dirname "$pc")
if [ -n "$(find "$prefix" -name simt.h)" ]; then
  echo "ports/simt.h is for tests only and was installed"
  exit 1
fi

echo "gcc and libgomp, through pkg-config"
gcc -std=c17 -O2 -fopenmp "$here/gcc_pkgconfig/main.c" \
  $(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs upsweep) -Wl,-rpath,"$lib" -o "$scratch/gcc_user"
"$scratch/gcc_user"

echo "clang and a kernel, through find_package"
cmake -S "$here/clang_kernel" -B "$scratch/kernel" -G Ninja -DCMAKE_C_COMPILER="$clang" \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >"$scratch/log" 2>&1 &&
  cmake --build "$scratch/kernel" >>"$scratch/log" 2>&1 || {
  cat "$scratch/log"
  exit 1
}
grep 'Upsweep image .*: built' "$scratch/log" || true
"$scratch/kernel/clang_kernel"

if ! grep -q 'Upsweep image' "$scratch/log"; then
  exit 0
fi
echo "gcc asks for kernels: refused with the reason"
if cmake -S "$here/clang_kernel" -B "$scratch/refused" -G Ninja -DCMAKE_C_COMPILER=gcc \
  -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1; then
  echo "it was not refused"
  exit 1
fi
grep -q 'needs clang' "$scratch/log" || {
  cat "$scratch/log"
  exit 1
}
