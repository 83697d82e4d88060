#!/usr/bin/env python3
"""Prints what `usw-bench --suite breadth --json FILE` measured as Markdown: a table, then the cells behind CUB.

usage: breadth_table.py FILE.json [--peak GB_PER_S]

Upsweep and its peers were called in turns; times are medians of microseconds to a value that the host can read. A ratio
is Upsweep's time by the peer's best: below 1 Upsweep is ahead. Cells more than 3 % behind are marked with **bold**.
"""

import argparse
import json
import sys

PEAKS_GB_PER_S = {"H200": 4800, "H100 80GB HBM3": 3350, "H100 PCIe": 2039, "A100-SXM4-80GB": 2039}
OWN = ("auto", "tree", "host_finish", "clause", "tree_atomic", "atomic", "multipass", "host")
NOISE = 1.03


def cells(results):
    """The best form of every competitor, by kernel, type and n, in the order of the file."""
    table = {}
    for entry in results:
        best = table.setdefault((entry["kernel"], entry["type"], int(entry["n"])), {})
        name = "usw" if entry["competitor"] in OWN else entry["competitor"]
        if name not in best or entry["median_us"] < best[name]["median_us"]:
            best[name] = entry
    return table


def length(n):
    power = n.bit_length() - 1
    return f"2^{power}" if n == 1 << power and n >= 1024 else str(n)


def row(key, best, peers, peak):
    kernel, kind, n = key
    own = best["usw"]
    columns = [kernel, kind, length(n), f"{own['median_us']:.2f}"]
    for name in peers:
        if name not in best:
            columns += ["", ""]
            continue
        ratio = own["median_us"] / best[name]["median_us"]
        mark = "**" if ratio > NOISE else ""
        columns += [f"{best[name]['median_us']:.2f}", f"{mark}{ratio:.3f}{mark}"]
    columns.append(f"{own['gb_per_s']:.0f}")
    if peak:
        columns.append(f"{100 * own['gb_per_s'] / peak:.0f} %")
    return columns


def print_rows(rows):
    for columns in rows:
        print("| " + " | ".join(columns) + " |")


def print_table(table, peers, peak):
    heading = ["function", "type", "n", "usw, us"]
    for name in peers:
        heading += [f"{name}, us", "ratio"]
    heading += ["GB/s"] + (["of peak"] if peak else [])
    print_rows([heading, ["---"] * len(heading)])
    print_rows(row(key, best, peers, peak) for key, best in table.items() if "usw" in best)


def print_behind(table, peer):
    """Every cell where the peer is faster beyond noise, worst first; then a summary by length."""
    ratios = {key: best["usw"]["median_us"] / best[peer]["median_us"]
              for key, best in table.items() if peer in best and "usw" in best}
    if not ratios:
        return
    behind = sorted((key for key in ratios if ratios[key] > NOISE), key=ratios.get, reverse=True)
    print(f"\n{len(behind)} of {len(ratios)} cells are more than {NOISE - 1:.0%} behind {peer}"
          f"{':' if behind else '.'}\n")
    for kernel, kind, n in behind:
        print(f"- {kernel} {kind}, n = {length(n)}: {ratios[kernel, kind, n]:.3f}")
    print()
    for n in sorted({key[2] for key in ratios}):
        here = sorted(value for key, value in ratios.items() if key[2] == n)
        print(f"n = {length(n)}: {len(here)} cells, ratio to {peer} {here[0]:.3f} to {here[-1]:.3f}, "
              f"median {here[len(here) // 2]:.3f}")


def main():
    parser = argparse.ArgumentParser(description="Markdown of a breadth measurement")
    parser.add_argument("file")
    parser.add_argument("--peak", type=float, help="peak of the memory, GB/s; known for some devices")
    arguments = parser.parse_args()
    try:
        with open(arguments.file) as stream:
            measured = json.load(stream)
        context, table = measured["context"], cells(measured["results"])
    except (OSError, ValueError, KeyError) as error:
        print(f"breadth_table.py: {arguments.file}: {error}", file=sys.stderr)
        return 2
    peak = arguments.peak or next((peak for name, peak in PEAKS_GB_PER_S.items() if name in context["device"]), None)
    peers = [name for name in ("cub", "cub+copy", "cublas", "libomp")
             if any(name in best for best in table.values())]
    wrong = sum(entry["wrong_results"] for entry in measured["results"])
    versions = "".join(f", {version}" for version in context.get("peers", []))
    print(f"{context['device']}, driver {context['driver']}{versions}, {context['date']}, commit {context['commit']}; "
          f"{len(table)} cells, {wrong} wrong results.\n\n    {context['command']}\n")
    print_table(table, peers, peak)
    for name in peers:
        print_behind(table, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
