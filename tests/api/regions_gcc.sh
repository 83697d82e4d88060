#!/bin/bash
# Compiles regions.c by gcc, so that the caller's regions are libgomp's and the library's are libomp's, and runs it.
# usage: regions_gcc.sh BUILD_FOLDER PLACE
set -eu
build=$1
tests=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
command -v gcc > /dev/null || { echo "no gcc"; exit 77; }
gcc -std=c17 -O1 -fopenmp -I"$tests/../include" -I"$tests/../offload/include" -I"$tests" -c "$tests/api/regions.c" \
  -o "$folder/regions.o"
gcc -fopenmp "$folder/regions.o" -o "$folder/regions" "$build/tests/libusw_test_shared.a" -L"$build" -lupsweep \
  -Wl,-rpath,"$build" -lm -ldl
"$folder/regions" --place "$2"
