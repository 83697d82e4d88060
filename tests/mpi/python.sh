#!/usr/bin/env bash
# Runs python_ranks.py with the library that was built for the MPI library of mpi4py, and for RANKS = 0 python_loading.py.
#
#   python.sh RANKS LIBUPSWEEP {KIND LIBUPSWEEP_MPI MPIEXEC}...      KIND: mpich, openmpi
#
# Exit status: 77 when no python3 here has numpy and mpi4py, or no such library was built.
set -eu
here=$(dirname "$(realpath "$0")")
ranks=$1
library=$2
shift 2
python=""
for candidate in ${PYTHON-} python3 /usr/bin/python3; do
  if [ -z "$python" ] && kind=$("$candidate" -c "import numpy; from mpi4py import get_config, MPI; print(MPI.get_vendor()[0])" 2>/dev/null); then
    python=$candidate
  fi
done
if [ -z "$python" ]; then
  echo "no python3 with numpy and mpi4py: see scripts/dependencies"
  exit 77
fi
case $kind in
  "Open MPI") kind=openmpi ;;
  *) kind=mpich ;;
esac
mpiexec=""
other=""
while [ $# -gt 0 ]; do
  if [ "$1" = $kind ]; then
    export UPSWEEP_MPI_LIBRARY=$2
    mpiexec=$3
  else
    other=$2
  fi
  shift 3
done
if [ -z "$mpiexec" ]; then
  echo "mpi4py is for $kind, for which no libupsweep_mpi was built"
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$here/../../lib/python/src/upsweep" "$scratch"
"$python" -B "$here/../../lib/python/generate.py" "$here/../../include/upsweep" "$scratch/upsweep"
export UPSWEEP_LIBRARY=$library TEST_OTHER_LIBRARY=$other PYTHONPATH=$scratch PYTHONDONTWRITEBYTECODE=1
if [ "$ranks" = 0 ]; then
  "$python" "$here/python_loading.py"
else
  "$mpiexec" -n "$ranks" "$python" "$here/python_ranks.py" "$ranks"
fi
