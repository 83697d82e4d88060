#!/usr/bin/env bash
# Makes the packages of a build, looks into them, and uses them unpacked below a folder of their own.
#
#   packages.sh <build folder> <clang>
set -eu
build=$(realpath "$1")
clang=$2
here=$(dirname "$(realpath "$0")")
if ! command -v dpkg-shlibdeps >/dev/null; then
  echo "no dpkg-dev: no packages for Debian"
  exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  echo "$1"
  exit 1
}

cpack --config "$build/CPackConfig.cmake" -B "$scratch/out" >log 2>&1 || {
  cat log
  exit 1
}
cd out
ls -s --block-size=1K ./*.deb ./*.tar.gz

field() { dpkg-deb -f "$1"_*.deb "$2"; }
soname=$(readelf -d "$build/libupsweep.so" | sed -n 's/.*SONAME.*\[libupsweep\.so\.\(.*\)\]/\1/p')
version=$(field libupsweep-dev Version)
runtime=libupsweep$soname
[ -f "$(echo "$runtime"_*.deb)" ] || fail "the library's package is not named after its soname, $soname"
runtime_pattern=$(echo "$runtime" | sed 's/\./\\./g')
field "$runtime" Depends | grep -q 'libc6' || fail "$runtime does not depend on the C library"
if readelf -d "$build/libupsweep.so" | grep -q 'NEEDED.*libomp'; then
  field "$runtime" Depends | grep -q 'libomp5-' || fail "$runtime does not depend on LLVM's OpenMP runtime"
fi
field libupsweep-dev Depends | grep -q "$runtime_pattern (= $version)" || fail "libupsweep-dev does not fit its library"
dpkg-deb --ctrl-tarfile "$runtime"_*.deb | tar -xO ./shlibs | grep -q "^libupsweep $soname $runtime_pattern" ||
  fail "$runtime tells other packages nothing of its soname"
for package in ./*.deb; do
  dpkg-deb -x "$package" "$scratch/root"
  dpkg-deb -c "$package" | awk '{ print $6 }' | grep -v '/$' >>"$scratch/contents"
done
[ -z "$(sort "$scratch/contents" | uniq -d)" ] || fail "two packages own the same file"
if [ -f "$(echo upsweep-tools_*.deb)" ]; then
  field upsweep-tools Depends | grep -q "$runtime_pattern" || fail "upsweep-tools does not depend on $runtime"
fi
if [ -f "$(echo libupsweep-mpi-dev_*.deb)" ]; then
  field libupsweep-mpi-dev Depends | grep -q 'libmpich\|libopenmpi' || fail "libupsweep-mpi-dev does not depend on its MPI library"
fi

echo "the packages for Debian, unpacked"
"$here/consumers.sh" "$scratch/root/usr" "$clang"

echo "the archive, unpacked"
mkdir "$scratch/archive"
tar -xzf ./*.tar.gz -C "$scratch/archive" --strip-components=1
(cd "$scratch/archive" && find . ! -type d | sort) >"$scratch/archive_files"
(cd "$scratch/root/usr" && find . ! -type d | sort) >"$scratch/package_files"
diff "$scratch/archive_files" "$scratch/package_files" || fail "archive and packages hold different files"
