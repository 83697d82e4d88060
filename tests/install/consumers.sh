#!/usr/bin/env bash
# Builds and runs the installed examples: C, C++, Fortran, a kernel, Python; by pkg-config and by find_package.
#
#   consumers.sh <prefix> <clang>
set -eu
prefix=$(realpath "$1")
clang=$2
here=$(dirname "$(realpath "$0")")
cuda=$(realpath -m "$here/../../.tools/cuda") # where scripts/dependencies puts them, if this system has none
[ -x "$cuda/bin/ptxas" ] || cuda=""
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name upsweep.pc)")
export PKG_CONFIG_PATH
lib=$(dirname "$(find "$prefix" -name libupsweep.so)")
has_fortran=$(find "$prefix" -name upsweep-fortran.pc)
examples=$prefix/share/upsweep/examples
has_tools=$(find "$prefix" -path '*/bin/usw')

fail() {
  cat "$scratch/log"
  echo "$1"
  exit 1
}

by_pkg_config() { # PACKAGE SOURCE COMPILER FLAGS...
  local package=$1 source=$2
  shift 2
  echo "pkg-config: $* $source"
  "$@" -O2 "$examples/$source" $(pkg-config --cflags --libs "$package") -Wl,-rpath,"$lib" -o "$scratch/program" \
    >"$scratch/log" 2>&1 || fail "it did not build"
  "$scratch/program"
}

project() { # SOURCE FOLDER ARGUMENTS...: configure and build a project
  local source=$1 folder=$2
  shift 2
  cmake -S "$source" -B "$scratch/$folder" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release \
    -DUSW_CUDA_PATH="$cuda" "$@" >"$scratch/log" 2>&1 && cmake --build "$scratch/$folder" >>"$scratch/log" 2>&1
}

refused() { # REASON SOURCE FOLDER ARGUMENTS...
  local reason=$1
  shift
  echo "refused: ${*:3}"
  if project "$@"; then
    echo "it was not refused"
    exit 1
  fi
  tr -s '\n ' ' ' <"$scratch/log" | grep -q "$reason" || fail "without saying '$reason'"
}

programs() {
  by_pkg_config upsweep mixed.c gcc -std=c17 -fopenmp
  by_pkg_config upsweep sum.c gcc -std=c11
  by_pkg_config upsweep sum.c "$clang" -std=c17
  by_pkg_config upsweep batch.c gcc -std=c17
  by_pkg_config upsweep sum.cpp g++ -std=c++17
  if command -v mpicc >/dev/null; then
    by_pkg_config upsweep ranks.c mpicc -std=c17 # as one rank
  fi
  local languages="C;CXX" components="runtime;development"
  if [ -n "$has_fortran" ] && command -v gfortran >/dev/null; then
    by_pkg_config upsweep-fortran sum.f90 gfortran
    refused 'Fortran among its languages' "$here/programs" no_fortran -DCOMPONENTS=Fortran
    languages="$languages;Fortran"
    components="$components;Fortran"
  else
    refused 'the Fortran module of Upsweep is not installed' "$here/programs" no_module -DCOMPONENTS=Fortran
  fi
  if [ -n "$has_tools" ]; then
    components="$components;tools"
    local file
    for file in man/man1/usw.1 bash-completion/completions/usw zsh/site-functions/_usw fish/vendor_completions.d/usw.fish; do
      [ -s "$prefix/share/$file" ] || { echo "share/$file is not installed" && exit 1; }
    done
    if [ -e "$prefix/libexec/upsweep/usw-bench" ]; then
      echo "usw bench ladder"
      "$has_tools" bench ladder 1000 --place host --repetitions 1 >"$scratch/log" 2>&1 || fail "it did not run"
      echo "usw tune"
      "$has_tools" tune --help >"$scratch/log" 2>&1 || fail "it did not run"
    fi
    if [ -e "$prefix/libexec/upsweep/usw-selfcheck" ]; then
      echo "usw selfcheck"
      "$has_tools" selfcheck --quick --place host --types f64 >"$scratch/log" 2>&1 || fail "it did not run"
    fi
  else
    refused 'the tools of Upsweep are not installed' "$here/programs" no_tools -DCOMPONENTS=tools
  fi
  echo "find_package: $languages with $components"
  project "$here/programs" programs -DEXAMPLES="$examples" "-DLANGUAGES=$languages" "-DCOMPONENTS=$components" -DCMAKE_C_COMPILER=gcc \
    -DCMAKE_CXX_COMPILER=g++ || fail "it did not build"
  ctest --test-dir "$scratch/programs" --output-on-failure --no-tests=error >"$scratch/log" || fail "it did not run"
}

ranks() { # libupsweep_mpi and its Fortran module, as two ranks
  if [ ! -e "$prefix/include/upsweep/mpi.h" ]; then
    refused 'libupsweep_mpi is not installed' "$here/programs" no_mpi -DCOMPONENTS=mpi
    return
  fi
  local kind sum='of 2 ranks: .*(-0x1.e844c6dd84271p\+18|bits C11E844C6DD84271)' languages=C components=mpi
  kind=$(pkg-config --variable=mpi upsweep-mpi)
  local mpiexec=mpiexec.$kind mpicc=mpicc.$kind mpifort=mpifort.$kind
  command -v "$mpicc" >/dev/null || mpiexec=mpiexec mpicc=mpicc mpifort=mpifort
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  mpi_program upsweep-mpi mpi_sum.c "$mpicc" -std=c17
  if [ -n "$(find "$prefix" -name upsweep-mpi-fortran.pc)" ]; then
    mpi_program upsweep-mpi-fortran mpi_sum.f90 "$mpifort"
    languages="C;Fortran"
    components="mpi;mpi_fortran"
  fi
  echo "find_package: $languages with $components"
  project "$here/programs" mpi -DEXAMPLES="$examples" "-DLANGUAGES=$languages" "-DCOMPONENTS=$components" -DLAUNCHER="$(command -v "$mpiexec")" ||
    fail "it did not build"
  timeout 100 ctest --test-dir "$scratch/mpi" --output-on-failure --no-tests=error >"$scratch/log" || fail "it did not run"
  refused 'Upsweep::mpi needs a project with C among its languages' "$here/programs" no_c -DCOMPONENTS=mpi -DLANGUAGES=CXX
  local other
  for other in mpicc.mpich mpicc.openmpi; do
    if [ $other != "mpicc.$kind" ] && command -v $other >/dev/null; then
      refused "was built for $kind, and FindMPI finds" "$here/programs" $other -DCOMPONENTS=mpi -DLANGUAGES=C -DMPI_C_COMPILER=$other
    fi
  done
}

mpi_program() { # PACKAGE SOURCE COMPILER FLAGS...
  local package=$1 source=$2
  shift 2
  echo "pkg-config: $* $source"
  "$@" -O2 "$examples/$source" $(pkg-config --cflags --libs "$package") -Wl,-rpath,"$lib" -o "$scratch/program" \
    >"$scratch/log" 2>&1 || fail "it did not build"
  timeout 60 "$mpiexec" -n 2 "$scratch/program" >"$scratch/log" 2>&1 || fail "it did not run"
  grep -qE "$sum" "$scratch/log" || fail "another sum"
}

kernel() {
  echo "find_package: $clang and a kernel"
  project "$examples/project" clang -DCMAKE_C_COMPILER="$clang" || fail "it did not build"
  local images
  images=$(grep 'Upsweep image .*: built' "$scratch/log" || true)
  echo "${images:-no images: host only}"
  "$scratch/clang/kernel"
  "$scratch/clang/gpu_data"
  if grep 'not asked for' "$scratch/log"; then
    fail "a project is told of images that nobody asked for"
  fi
  echo "find_package: $clang and a kernel, without GPU images"
  project "$examples/project" no_gpu -DCMAKE_C_COMPILER="$clang" -DUSW_GPU_ARCHS= || fail "it did not build"
  "$scratch/no_gpu/kernel"
  "$scratch/no_gpu/gpu_data"
  echo "pkg-config: $clang and a kernel"
  "$clang" -std=c17 -O2 "$examples/project/kernel.c" $(pkg-config --define-variable=cuda_path="$scratch/clang/usw_cuda" \
    --cflags --libs upsweep-kernels) -Wl,-rpath,"$lib" -o "$scratch/program" >"$scratch/log" 2>&1 || fail "it did not build"
  "$scratch/program"
  if [ -n "$images" ]; then
    refused 'needs clang .*: configure with -DCMAKE_C_COMPILER=clang-' "$examples/project" gcc -DCMAKE_C_COMPILER=gcc
    project "$here/programs" told "-DCOMPONENTS=" -DEXAMPLES="$examples" -DLANGUAGES=C -DCMAKE_C_COMPILER=gcc || fail "it did not build"
    grep -q 'Upsweep::kernels needs clang .*: configure with -DCMAKE_C_COMPILER=clang-' "$scratch/log" ||
      fail "find_package without components does not tell that there are no kernels"
    refused 'kernel links Upsweep::kernels. Upsweep::kernels needs clang .*: configure with' "$here/programs" links \
      "-DCOMPONENTS=" -DKERNEL=ON -DEXAMPLES="$examples" -DLANGUAGES=C -DCMAKE_C_COMPILER=gcc
  else
    echo "find_package: gcc and a kernel, without images"
    project "$examples/project" gcc -DCMAKE_C_COMPILER=gcc || fail "it did not build"
    "$scratch/gcc/kernel"
  fi
}

programs
ranks
kernel
if [ -x "$here/python.sh" ]; then
  "$here/python.sh" "$prefix" || [ $? = 77 ]
fi
