#!/bin/sh
# Runs the real nvlink beside this script, then gives its output the ELF header that libomptarget
# of LLVM 19 and 20 accepts. CUDA 13 writes ABI version 8 and keeps the SM number in bits 8..15 of
# e_flags; the older plugin wants ABI 7, the 64-bit addressing bit 0x400 and the SM number in the
# low byte. The code inside the image is the same.
set -u

"$(dirname "$0")/nvlink.real" "$@" || exit

output=
previous=
for argument in "$@"; do
  if [ "$previous" = -o ]; then
    output=$argument
  fi
  previous=$argument
done
if [ ! -s "$output" ]; then
  exit 0
fi

# Magic number, class, data, version, then at 7 the OS ABI, at 8 its version, at 48 e_flags.
osabi=$(od -An -v -tu1 -j7 -N1 "$output" | tr -d ' ')
abi_version=$(od -An -v -tu1 -j8 -N1 "$output" | tr -d ' ')
magic=$(od -An -v -tx1 -N4 "$output" | tr -d ' ')
if [ "$magic" != 7f454c46 ] || [ "$osabi" != 65 ] || [ "$abi_version" != 8 ]; then
  exit 0
fi

patch() { # offset, then bytes in octal escapes
  printf "$2" | dd of="$output" bs=1 seek="$1" conv=notrunc 2>/dev/null
}

sm=$(od -An -v -to1 -j49 -N1 "$output" | tr -d ' ')
patch 7 '\063\007' && patch 48 "\\$sm\\005\\$sm\\000"
