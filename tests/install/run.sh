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

kernel_project() { # folder, compiler: configure and build the project in clang_kernel/
  cmake -S "$here/clang_kernel" -B "$scratch/$1" -G Ninja -DCMAKE_C_COMPILER="$2" \
    -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release >"$scratch/log" 2>&1 &&
    cmake --build "$scratch/$1" >>"$scratch/log" 2>&1
}

fail() {
  cat "$scratch/log"
  echo "$1"
  exit 1
}

echo "clang and a kernel, through find_package"
kernel_project clang "$clang" || fail "it did not build"
images=$(grep 'Upsweep image .*: built' "$scratch/log" || true)
echo "${images:-no images: host only}"
"$scratch/clang/clang_kernel"

if [ -n "$images" ]; then
  echo "gcc asks for kernels with images: refused with the reason"
  if kernel_project gcc gcc; then
    fail "it was not refused"
  fi
  grep -q 'needs clang' "$scratch/log" || fail "the reason is not given"
else
  echo "gcc and a kernel, without images"
  kernel_project gcc gcc || fail "it did not build"
  "$scratch/gcc/clang_kernel"
fi
