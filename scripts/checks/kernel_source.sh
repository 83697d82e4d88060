#!/usr/bin/env bash
# The readable files of some kernels (scripts/docs/kernel_source.py): that the host's compile, by themselves and with the
# same sum; that a GPU's has the finish, and the kernel of another form nothing of it. The arguments are the compiler and the
# folder of the kernels.
set -eu -o pipefail
cd "$(dirname "$0")/../.."
compiler=$1
folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

write() { # kernel, place
  scripts/docs/kernel_source.py --compiler "$compiler" --kernel "$1" --place "$2" --source "$folder/{}.c" \
    --output "$scratch/{}.c"
}

fail() {
  echo "$*"
  exit 1
}

for kernel in sum_f64 min_f32 argmin_i64 dot_reproducible_f64; do
  write $kernel host
  "$compiler" -std=c17 -Wno-everything -fsyntax-only "$scratch/$kernel.host.c"
done
cat >"$scratch/main.c" <<'END'
#include "sum_f64.host.c"
int main(void) {
  double x[1000], sum = 0, result;
  const uint64_t arguments[] = {(uint64_t)(uintptr_t)x};
  const ptrdiff_t strides[] = {1};
  for (int i = 0; i < 1000; i++)
    sum += x[i] = i;
  sum_f64_host(0, 1000, arguments, strides, 0, &result);
  return result != sum;
}
END
"$compiler" -std=c17 -Wno-everything -o "$scratch/main" "$scratch/main.c"
"$scratch/main" || fail "sum_f64.host.c sums wrongly"

write sum_f64 simt
grep -q 'sum_f64_finish_team(' "$scratch/sum_f64.simt.c" || fail "sum_f64.simt.c has no finish"
! grep -q '_Generic\|sum_f64_end_trial' "$scratch/sum_f64.simt.c" || fail "sum_f64.simt.c has what it does not use"
write dot_reproducible_f64 simt
grep -q 'dot_reproducible_f64_end_trial' "$scratch/dot_reproducible_f64.simt.c" || fail "a reproducible dot has no trials"
