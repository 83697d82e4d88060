#!/usr/bin/env bash
# Builds the Python wheel from an installed prefix, twice: it finds the prefix's library, then it holds the library.
#
#   python.sh PREFIX
#
# Runs the example of the package's README each time, and the installed example once. Exit status: 77 when no python3 here has what the package needs.
set -eu
here=$(dirname "$(realpath "$0")")
. "$here/../python/wheel.sh"
prefix=$(realpath "$1")
usw_find_python || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PYTHONDONTWRITEBYTECODE=1
library=$(find "$prefix" -name libupsweep.so)
include=$(find "$prefix" -path '*/include/upsweep' -type d)
cd "$scratch"

say_what_was_loaded() {
  "$python" -c 'import upsweep; print("  version", upsweep.__version__, "with", upsweep.info().library)'
}

echo "python: a wheel that finds the library on the loader's path"
usw_build_wheel "$include" "$scratch/pure"
usw_install_wheel "$scratch/pure" "$scratch/pure_site"
export PYTHONPATH=$scratch/pure_site
LD_LIBRARY_PATH=$(dirname "$library") say_what_was_loaded
LD_LIBRARY_PATH=$(dirname "$library") "$python" -m doctest "$usw_package/README.md"
if env -u LD_LIBRARY_PATH -u UPSWEEP_LIBRARY "$python" -c 'import upsweep' 2>"$scratch/message"; then
  echo "it was imported without a library"
  exit 1
fi
grep -q 'Set UPSWEEP_LIBRARY' "$scratch/message" || {
  cat "$scratch/message"
  echo "the message does not say what to do"
  exit 1
}

echo "python: a wheel that holds the library"
usw_build_wheel "$include" "$scratch/bundle" "$library"
usw_install_wheel "$scratch/bundle" "$scratch/bundle_site"
export PYTHONPATH=$scratch/bundle_site
say_what_was_loaded
"$python" -m doctest "$usw_package/README.md"
"$python" "$prefix/share/upsweep/examples/sum.py"
