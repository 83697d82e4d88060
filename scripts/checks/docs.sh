#!/usr/bin/env bash
# Builds the documentation: Doxygen and Sphinx take headers and pages without a warning, so that every link within it leads
# somewhere; and every function has its place in the reference.
#
#   docs.sh DOXYGEN SPHINX DOXYFILE FOLDER_OF_PROGRAMS
#
# Exits 77 where Doxygen or Sphinx is missing.
set -eu
cd "$(dirname "$0")/../.."
for tool in "$1" "$2"; do
  if ! command -v "$tool" >/dev/null; then
    echo "$tool is not installed"
    exit 77
  fi
done
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
scripts/docs/build.sh "$1" "$2" "$3" "$4" "$output"

missing=0
cat "$output"/html/reference/api/*.html >"$output/reference"
for name in $(sed -n 's/^ *ROW(\([a-z0-9_]*\),.*/usw_\1/p' include/upsweep/functions.def) \
  $(sed -n 's/^USW_API.*[ *]\(usw_[a-z0-9_]*\)(.*/\1/p' include/upsweep/*.h lib/mpi/include/upsweep/mpi*.h); do
  if ! grep -q "class=\"pre\">$name<" "$output/reference"; then
    echo "$name is not in the reference"
    missing=$((missing + 1))
  fi
done
[ $missing = 0 ]
echo "$(find "$output/html" -name '*.html' | wc -l) pages"
