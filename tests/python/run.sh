#!/usr/bin/env bash
# Builds the Python package as a wheel, installs it into a scratch folder and runs its tests there.
#
#   run.sh LIBRARY CC [arguments for unittest]
#
# Exit status: 77 when no python3 here has what the package needs.
set -eu
here=$(dirname "$(realpath "$0")")
. "$here/wheel.sh"
library=$(realpath "$1")
compiler=$2
shift 2
usw_find_python || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
include=$(realpath "$here/../../include")

usw_build_wheel "$include/upsweep" "$scratch/wheels"
usw_check_platform "$scratch/wheels"
usw_install_wheel "$scratch/wheels" "$scratch/site"
export UPSWEEP_LIBRARY=$library UPSWEEP_TEST_CC=$compiler UPSWEEP_TEST_INCLUDE=$include
export PYTHONPATH=$scratch/site PYTHONDONTWRITEBYTECODE=1
cd "$scratch"
"$python" -m unittest discover --start-directory "$usw_package/tests" "$@"
echo "the example of README.md"
"$python" -m doctest "$usw_package/README.md"
