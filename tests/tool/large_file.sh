#!/usr/bin/env bash
# `usw reduce` and `usw scan` over a raw file much larger than their memory: right sums, and the rate of `usw reduce` beside that of `cat`.
#
#   large_file.sh USW FILE_MIB MEMORY_MIB [RUNS]      no RUNS: no rates
#   large_file.sh build/host/bin/usw 3072 1024 9           three times its memory, and rates
#
# The file goes to a folder of $TMPDIR. The limit is a limit of the address space (ulimit -v), which is stricter than
# one of the resident memory; the largest resident memory is printed. Rates: usw and cat take turns, the page cache is
# warm; with the right to drop it, then once more with a cold one. The script fails where the sum is wrong, and, with
# RUNS, where the best rate is below 80 % of cat's.
set -eu
usw=$1 file_mib=$2 memory_mib=$3 runs=${4-0}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
file=$folder/large.f32

# Floats -255.5 to 255.5 in turn, which cancel; one element of each MiB is larger by 1024. Every sum on the way is exact.
python3 - "$file" "$file_mib" <<'PYTHON'
import array, sys
block = array.array("f", [k % 512 - 255.5 for k in range(1 << 18)])
block[12345] += 1024
with open(sys.argv[1], "wb") as out:
    for _ in range(int(sys.argv[2])):
        block.tofile(out)
PYTHON
expected=$((1024 * file_mib))
result=$(ulimit -v $((memory_mib * 1024)) && "$usw" reduce -o sum,max,argmax -t f32 "$file")
echo "$result"
python3 - "$expected" $result <<'PYTHON'
import sys
expected, got = sys.argv[1], sys.argv[2:]
right = got == ["sum", expected, "max", "825.5", "argmax", "825.5", "at", "12345"]
print("right" if right else f"wrong: the sum is {expected}, the maximum 825.5 at 12345")
sys.exit(0 if right else 1)
PYTHON
mkfifo "$folder/sums.npy"
tail -c 4 "$folder/sums.npy" >"$folder/last" &
(ulimit -v $((memory_mib * 1024)) && "$usw" scan -t f32 --output "$folder/sums.npy" "$file")
wait
python3 - "$expected" "$folder/last" <<'PYTHON'
import struct, sys
got = struct.unpack("<f", open(sys.argv[2], "rb").read())[0]
print(f"last running sum {got:.0f}")
sys.exit(0 if got == int(sys.argv[1]) else f"wrong: it is {sys.argv[1]}")
PYTHON
[ "$runs" -gt 0 ] || exit 0

python3 - "$usw" "$file" "$runs" "$memory_mib" <<'PYTHON'
import os, resource, subprocess, sys, time
usw, file, runs, limit = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) << 20
commands = {"cat": ["cat", file], "usw": [usw, "reduce", "-o", "sum", "-t", "f32", file]}


def seconds(name):
    start = time.monotonic()
    subprocess.run(commands[name], stdout=subprocess.DEVNULL, check=True,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    return time.monotonic() - start


def compare(label, prepare, count):
    times = {name: [] for name in commands}
    for _ in range(count):
        for name in commands:
            prepare()
            times[name].append(seconds(name))
    size = os.path.getsize(file) / 1e9
    best = {name: min(t) for name, t in times.items()}
    middle = {name: sorted(t)[len(t) // 2] for name, t in times.items()}
    print(f"{label}: " + ", ".join(f"{n} {size / best[n]:.2f} GB/s (median {size / middle[n]:.2f})" for n in commands)
          + f"; usw / cat: best {best['cat'] / best['usw']:.2f}, median {middle['cat'] / middle['usw']:.2f}")
    return best["cat"] / best["usw"]


def drop():
    with open("/proc/sys/vm/drop_caches", "w") as caches:
        caches.write("1")


os.sync()
share = compare("warm", lambda: None, runs)
if os.access("/proc/sys/vm/drop_caches", os.W_OK):
    compare("cold", drop, 3)
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
print(f"largest resident memory {usage.ru_maxrss / 1024:.0f} MiB")
sys.exit(0 if share >= 0.8 else "below 80 % of cat")
PYTHON
