#!/usr/bin/env bash
# Makes the documentation as HTML, from the pages in scripts/docs/pages and the comments of the headers. Any warning of Doxygen's
# or Sphinx's is a failure, links that lead nowhere among them.
#
#   build.sh DOXYGEN SPHINX DOXYFILE FOLDER_OF_PROGRAMS OUTPUT
#
# OUTPUT/html/index.html is its first page.
set -eu
doxygen=$1 sphinx=$2 doxyfile=$3 programs=$4 output=$5
here=$(dirname "$(realpath "$0")")
mkdir -p "$output"
rm -rf "$output/xml" "$output/html" "$output/pages"
python3 "$here/fill.py" "$programs" --out "$output/pages" "$here/pages"
python3 -B "$here/pictures.py" "$output/pages/internals"

# Comments refer to pages and their sections by labels: Doxygen gets a page of each name, with its title.
awk 'match($0, /^\([a-z_]+\)=$/) { label = substr($0, 2, length($0) - 3); next }
     label && sub(/^#+ /, "") { printf "/** @page %s %s */\n", label, $0 }
     { label = "" }' "$output"/pages/*.md "$output"/pages/*/*.md >"$output/labels.h"
version=$(sed -n 's/^PROJECT_NUMBER *= *//p' "$doxyfile")
"$doxygen" - <<CONFIGURATION
@INCLUDE               = "$doxyfile"
INPUT                 += "$output/labels.h"
OUTPUT_DIRECTORY       = "$output"
CONFIGURATION
# "@param x, y": one name of two, which Sphinx takes as one word only.
sed -i -z 's|</parametername>\n<parametername[^>]*>|,|g' "$output"/xml/group__*.xml
# Breathe loses spaces at the start of a line of code: scripts/docs/entries.py turns these marks (U+E000) back.
sed -i ':a; s|\(<codeline><highlight class="normal">\(\xee\x80\x80\)*\)<sp/>|\1\xee\x80\x80|; ta' "$output"/xml/group__*.xml
PYTHONDONTWRITEBYTECODE=1 USW_DOCS_XML="$output/xml" USW_VERSION=$version \
  "$sphinx" -q -W --keep-going -j 2 -b html -c "$here" -d "$output/doctrees" "$output/pages" "$output/html"
