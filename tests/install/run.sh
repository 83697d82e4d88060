#!/usr/bin/env bash
# Installs a build, moves the prefix, looks for what would tie it to its place, and uses it from there.
#
#   run.sh <build folder> <clang>
set -eu
build=$(realpath "$1")
clang=$2
here=$(dirname "$(realpath "$0")")
source=$(realpath "$here/../..")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

quietly() {
  "$@" >"$scratch/log" 2>&1 || {
    cat "$scratch/log"
    exit 1
  }
}

quietly cmake --install "$build" --prefix "$scratch/first"
(cd "$scratch/first" && find . ! -type d | sort) >"$scratch/whole"
prefix=$scratch/moved
mv "$scratch/first" "$prefix"
before="(^|[^[:print:]]|[[:space:]\"'=:;(,]|-[IL])" # a source in /upsweep is not the end of share/upsweep
for folder in "$scratch/first" "$build" "$source"; do
  if LC_ALL=C grep -rlaE "$before$(sed 's/[][\.*^$+?(){}|]/\\&/g' <<<"$folder")(/|[^[:alnum:]_.-]|\$)" "$prefix"; then
    echo "these files know $folder: not relocatable"
    exit 1
  fi
done
if [ -n "$(find "$prefix" -name simt.h)" ]; then
  echo "ports/simt.h is for tests only and was installed"
  exit 1
fi

# Every file belongs to one of the components that become packages.
for component in runtime development tools fortran mpi mpi_fortran doc; do
  quietly cmake --install "$build" --prefix "$scratch/parts" --component "$component"
done
(cd "$scratch/parts" && find . ! -type d | sort) >"$scratch/by_component"
if ! diff "$scratch/whole" "$scratch/by_component"; then
  echo "these files belong to no component"
  exit 1
fi

"$here/consumers.sh" "$prefix" "$clang"
