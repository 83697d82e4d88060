#!/usr/bin/env bash
# Makes the reference documentation as HTML; any warning of Doxygen's is a failure.
#
#   build.sh DOXYGEN DOXYFILE FOLDER_OF_PROGRAMS OUTPUT
#
# OUTPUT/html/index.html is its first page.
set -eu
doxygen=$1 doxyfile=$2 programs=$3 output=$4
here=$(dirname "$0")
rm -rf "$output"
mkdir -p "$output/pages"
python3 "$here/fill.py" "$programs" --out "$output/pages" "$here"/pages/*.md
"$doxygen" - <<CONFIGURATION
@INCLUDE               = "$doxyfile"
INPUT                 += "$output/pages"
OUTPUT_DIRECTORY       = "$output"
USE_MDFILE_AS_MAINPAGE = "$output/pages/main.md"
STRIP_FROM_PATH       += "$output/pages"
CONFIGURATION
rm -rf "$output/pages"
