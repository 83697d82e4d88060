#!/usr/bin/env python3
"""`usw reduce` and `usw scan` on every device give what they give on the host, by every strategy.

usage: device.py USW [TYPE ...]      the types of which devices have calls of many results, where they lack some"""

import json
import sys

from harness import Bench, npy, pack


def scans(bench, devices):
    """Of several buffers, and at once."""
    values = [k * 37 % 101 - 50 for k in range(30_000)]
    file = bench.write("scan.npy", npy("i32", values))
    for more in (["--op=sum", "--exclusive", "--initial=7"], ["--op=max"], ["--op=count"], ["--op=argmin"], ["--op=sum", "--reverse"]):
        expected = bench.results("--buffer=16K", *more, file, command="scan")
        for device in devices:
            got = bench.results("--buffer=16K", f"--place=device:{device['number']}", *more, file, command="scan")
            bench.check(expected == got, f"scan {more} on {device['target']}")


def parts_of_devices(bench, devices):
    """Staged parts in the order of the devices are those of options.devices, of which short calls have one; others are of equal length."""
    def elements(numbers, n):
        places = ",".join(f"device:{number}" for number in numbers)
        facts = json.loads(bench.run("--staging", "--parts", places, "-n", str(n), "--format=json", command="explain").stdout)
        return [part["elements"] for part in facts["parts"]]
    numbers = [device["number"] for device in devices]
    if len(numbers) > 1:
        bench.equal([1000], elements(numbers[:2], 1000), "a short call on devices")
        bench.equal([99968, 100032], elements(numbers[:2], 200_000), "a call on devices")
        bench.equal([448, 552], elements(numbers[1::-1], 1000), "parts of equal length")


def main(program, *types):
    bench = Bench(program)
    devices = json.loads(bench.run("--json", command="info").stdout)["devices"]
    if not devices:
        print("there is no device that the library can use")
        return 77
    # One of each kind: a process with a device takes long to start.
    firsts = list({device["target"]: device for device in reversed(devices)}.values())
    lasts = list({device["target"]: device for device in devices}.values())
    n = 200_000
    several = "--buffer=128K"  # of a device
    for tag, operations in (("f64", "sum,min,argmax,minmax,count,any"), ("i16", "sum,argmin,bit_xor,all"), ("i32", "sum,argmin,bit_xor,all"),
                            ("f16", "max,count"), ("cf32", "sum,count")):
        values = [(k * 37 % 101 - 50) * (1 + 1j if tag == "cf32" else 1) for k in range(n)]
        file = bench.write(f"{tag}.raw", pack(tag, values))
        expected = bench.results(several, f"--op={operations}", "-t", tag, file)
        for device in firsts:
            for strategy in ("auto", "tree", "host_finish", "clause", "multipass"):
                got = bench.results(several, f"--op={operations}", "-t", tag, f"--place=device:{device['number']}",
                                    f"--strategy={strategy}", "--work-group-load=2", "--accuracy=fast", file)
                bench.equal(expected, got, f"{tag} on {device['target']} by {strategy}")
        numbers = ",".join(str(device["number"]) for device in devices)
        got = bench.results(several, f"--op={operations}", "-t", tag, f"--devices={numbers}", file)
        bench.equal(expected, got, f"{tag} on all devices")
        if types and tag not in types:
            continue
        offsets = bench.write("offsets.npy", npy("i32", [0, 0, 5, 7, 1000, 150_000, n]))
        expected = bench.results(several, f"--op={operations}", "--segments", offsets, "-t", tag, file)
        for device in lasts:
            got = bench.results(several, f"--op={operations}", "--segments", offsets, f"--place=device:{device['number']}", "-t", tag,
                                file)
            bench.equal(expected, got, f"segments of {tag} on {device['target']}")
        keys = bench.write("keys.npy", npy("u8", [k // 60_000 for k in range(n)]))
        expected = bench.results(several, f"--op={operations}", "--keys", keys, "-t", tag, file)
        for device in firsts:
            got = bench.results(several, f"--op={operations}", "--keys", keys, f"--place=device:{device['number']}", "-t", tag, file)
            bench.equal(expected, got, f"runs of {tag} on {device['target']}")
        shaped = ("-t", tag, "-s", "40x50x100", file)
        for axes in ("0", "1,-1", "0,2"):
            expected = bench.results(several, f"--op={operations}", "--axis", axes, *shaped)
            for device in lasts:
                got = bench.results(several, f"--op={operations}", "--axis", axes, f"--place=device:{device['number']}", *shaped)
                bench.equal(expected, got, f"{tag} along {axes} on {device['target']}")
    scans(bench, firsts)
    parts_of_devices(bench, devices)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
