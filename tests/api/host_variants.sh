#!/usr/bin/env bash
# Every version of the host's kernels gives the same bits: the table of cases under each level of the
# processor family, and the hashes of all results compared; and accurate sums in user kernels, whose bits are known.
#   host_variants.sh CASES_PROGRAM ACCURATE_KERNELS_PROGRAM TYPES [arguments for CASES_PROGRAM]
#
# The functions that round run over all sizes, the others, whose oracle is exact, over the small ones. TYPES: "f64,f32,..." has those whose
# kernels have versions in the quick tier, where of other types sums alone have them; "all" has all.
set -eu
cases=$1
accurate=$2
of_types="--types $3"
[ "$3" != all ] || of_types=""
shift 3
rounded=sum,prod,norm1,norm2,dot,dotc,describe
loader=/lib64/ld-linux-x86-64.so.2

if [ ! -x $loader ]; then
  echo "skipped: the host's kernels have versions on x86-64 only"
  exit 77
fi
hash_of() { sed -n 's/.*hash of all results //p' "$1" | tr -d '\n'; } # of each level of accuracy
export OMP_WAIT_POLICY=passive # one thread does nearly all

log=$(mktemp)
trap 'rm -f "$log"' EXIT
expected=""
failures=0
for level in base v2 v3 v4; do
  if [ $level != base ] && ! $loader --help | grep -q "x86-64-$level (supported"; then
    echo "$level: left out, this processor does not have it"
    continue
  fi
  got=""
  for selection in "--only $rounded $of_types" "--quick $of_types" "--quick --only sum"; do
    if ! USW_HOST_ISA=$level "$cases" --place host --strategy host $selection "$@" >"$log" 2>&1; then
      cat "$log"
      failures=$((failures + 1))
    fi
    got="$got $(hash_of "$log")"
  done
  if ! USW_HOST_ISA=$level "$accurate" --place host >"$log" 2>&1; then
    cat "$log"
    failures=$((failures + 1))
  fi
  echo "$level:$got"
  expected=${expected:-$got}
  if [ "$got" != "$expected" ]; then
    echo "$level: other bits than the first level"
    failures=$((failures + 1))
  fi
done
if [ ${#expected} -lt 34 ]; then
  echo "no two hashes of 16 digits or more in '$expected'"
  failures=$((failures + 1))
fi
echo "$failures failures"
[ $failures -eq 0 ]
