#!/usr/bin/env python3
"""`usw reduce` and `usw scan` on every device give what they give on the host, by every strategy.

usage: device.py USW"""

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


def main(program):
    bench = Bench(program)
    devices = json.loads(bench.run("--json", command="info").stdout)["devices"]
    if not devices:
        print("there is no device that the library can use")
        return 77
    n = 3_000_000  # several buffers of a device
    for tag, operations in (("f64", "sum,min,argmax,minmax,count,any"), ("i16", "sum,argmin,bit_xor,all"),
                            ("f16", "max,count"), ("cf32", "sum,count")):
        values = [(k * 37 % 101 - 50) * (1 + 1j if tag == "cf32" else 1) for k in range(n)]
        file = bench.write(f"{tag}.raw", pack(tag, values))
        expected = bench.results(f"--op={operations}", "-t", tag, file)
        for target in {device["target"]: device["number"] for device in reversed(devices)}.items():
            for strategy in ("auto", "tree", "host_finish", "clause", "multipass"):
                got = bench.results(f"--op={operations}", "-t", tag, f"--place=device:{target[1]}",
                                    f"--strategy={strategy}", "--work-group-load=2", "--accuracy=fast", file)
                bench.equal(expected, got, f"{tag} on {target[0]} by {strategy}")
        numbers = ",".join(str(device["number"]) for device in devices)
        got = bench.results(f"--op={operations}", "-t", tag, f"--devices={numbers}", file)
        bench.equal(expected, got, f"{tag} on all devices")
        offsets = bench.write("offsets.npy", npy("i32", [0, 0, 5, 7, 1000, 2_000_000, n]))
        expected = bench.results(f"--op={operations}", "--segments", offsets, "-t", tag, file)
        for device in devices:
            got = bench.results(f"--op={operations}", "--segments", offsets, f"--place=device:{device['number']}", "-t", tag,
                                file)
            bench.equal(expected, got, f"segments of {tag} on {device['target']}")
        keys = bench.write("keys.npy", npy("u8", [k // 900_000 for k in range(n)]))
        expected = bench.results(f"--op={operations}", "--keys", keys, "-t", tag, file)
        for device in devices:
            got = bench.results(f"--op={operations}", "--keys", keys, f"--place=device:{device['number']}", "-t", tag, file)
            bench.equal(expected, got, f"runs of {tag} on {device['target']}")
        shaped = ("-t", tag, "-s", "60x50x1000", file)
        for axes in ("0", "1,-1", "0,2"):
            expected = bench.results(f"--op={operations}", "--axis", axes, *shaped)
            for device in devices:
                got = bench.results(f"--op={operations}", "--axis", axes, f"--place=device:{device['number']}", *shaped)
                bench.equal(expected, got, f"{tag} along {axes} on {device['target']}")
    scans(bench, devices)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
