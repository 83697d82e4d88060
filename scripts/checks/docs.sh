#!/usr/bin/env bash
# Checks that Doxygen takes headers and pages without a warning, and that every function has its place in the result.
#
#   docs.sh DOXYGEN DOXYFILE FOLDER_OF_PROGRAMS
#
# Exits 77 where Doxygen is missing.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v "$1" >/dev/null; then
  echo "doxygen is not installed"
  exit 77
fi
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
scripts/docs/build.sh "$1" "$2" "$3" "$output"

missing=0
for name in $(sed -n 's/^ *ROW(\([a-z0-9_]*\),.*/usw_\1/p' include/upsweep/functions.def) \
  $(sed -n 's/^USW_API.*[ *]\(usw_[a-z0-9_]*\)(.*/\1/p' include/upsweep/*.h); do
  if ! grep -qs ">$name<" "$output"/html/group__*.html; then
    echo "$name is in no group"
    missing=$((missing + 1))
  fi
done
if grep -l '<!-- table' -r "$output/html" || [ $missing != 0 ]; then
  exit 1
fi
echo "$(find "$output/html" -name '*.html' | wc -l) pages"
