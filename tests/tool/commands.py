#!/usr/bin/env python3
"""usw's other commands: version, help, info, explain, and programs beside it.

usage: commands.py USW [hwloc]      hwloc: the tool was built with it"""

import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree

from harness import Bench

PROGRAMS = ("bench", "selfcheck", "tune", "report")
NOT_INSTALLED = ("not installed: install the package upsweep-tools, or build with", "-DUSW_BUILD_PERF=ON")
ROOT = pathlib.Path(__file__).resolve().parents[2]


def version_and_help(bench):
    header = (ROOT / "include/upsweep/version.h").read_text().split()
    numbers = [header[header.index(f"USW_VERSION_{part}") + 1] for part in ("MAJOR", "MINOR", "PATCH")]
    bench.equal(f"usw (Upsweep) {'.'.join(numbers)}\n", bench.run(command="--version").stdout.decode(), "--version")
    text = bench.run(command="help").stdout.decode()
    for command in ("reduce", "scan", "info", "explain"):
        bench.check(f"\n  {command} " in text, f"help lists {command}")
        one = bench.run(command, command="help")
        bench.check(one.returncode == 0 and one.stdout.startswith(f"Usage: usw {command}".encode()), f"help {command}")
        bench.equal(one.stdout, bench.run("--help", command=command).stdout, f"{command} --help")
        if command != "info":
            row = re.search(r"--nan=POLICY(.*?)\n +--", re.sub(r"\n {20,}", " ", one.stdout.decode()), re.S).group(1)
            for heeds in ("sums", "products", "norms", "means", "minima", "maxima", "indices", "descriptions"):
                bench.check(heeds in row, f"{command} --help: --nan concerns {heeds}: {row}")
    for command in PROGRAMS:
        bench.check(f"\n  {command} " in text, f"help lists {command}")
        if f"{command} " in "".join(line for line in text.splitlines() if "(not installed)" in line):
            bench.fails(command, says=NOT_INSTALLED, command="help")
            continue
        one = bench.run(command, command="help")
        bench.check(one.returncode == 0 and f"sage: usw{'-' if command != 'report' else ' '}{command} ".encode() in one.stdout,
                    f"help {command}: {one}")


def info(bench):
    run = bench.run("--json", command="info")
    facts = json.loads(run.stdout)
    bench.check(facts["openmp_runtime"].startswith("/") and facts["host_threads"] >= 1, f"info: {facts}")
    has_gpu_images = "sm_" in facts["images"] or "gfx" in facts["images"]
    bench.equal(not has_gpu_images, any("USW_GPU_ARCHS=sm_90" in line for line in facts["missing"]), "no GPU image is said")
    bench.equal(not facts["driver_file"], any("libcuda.so.1 cannot be loaded" in line for line in facts["missing"]),
                "no driver is said")
    text = bench.run(command="info").stdout.decode()
    for line in facts["missing"]:
        bench.check(f"missing        {line}" in text, f"info: {line}")
    for device in facts["devices"]:
        bench.check(f"device {device['number']:<4}  {device['target']}, image {device['image']}" in text, f"{device}")
    shown = bench.run("--environment", command="info", environment={**os.environ, "USW_TEAMS": "17"}).stdout.decode()
    bench.check("USW_TEAMS=17\n" in shown and "USW_PLACE=" in shown, "info --environment")
    for rate, text in (("0", "off"), ("9", "one call in 9 runs twice")):
        shown = bench.run(command="info", environment={**os.environ, "USW_RECHECK": rate}).stdout.decode()
        bench.check(f"\nrecheck        {text}\n" in shown, f"info, USW_RECHECK={rate}")
    for pair in (("--environment", "--json"), ("--json", "--topology"), ("--topology=t.svg", "--json"), ("--environment", "--topology")):
        bench.fails(*pair, says="usw info: name one of --json, --environment and --topology", command="info")
    warned = bench.run(command="info", environment={**os.environ, "USW_WAIT": "never"})
    bench.check(warned.stderr.startswith(b"usw: warning: USW_WAIT=never is not"), "a bad environment value")
    if all(device["target"] == "x86_64" for device in facts["devices"]):  # OpenMP's, not emulated
        disabled = bench.run(command="info", environment={**os.environ, "OMP_TARGET_OFFLOAD": "disabled"}).stdout
        bench.check(b"devices        0\n" in disabled, "no device where offload is disabled")
        bench.check("x86_64" not in disabled.decode().split("images")[1].split("\n")[0]
                    or b"OMP_TARGET_OFFLOAD is disabled" in disabled, "why there is no device")


def full_disk(bench):
    """Standard output that cannot be written, of every command that prints."""
    for command in ("info", "info --json", "info --environment", "explain -n 10", "explain -n 10 -f json", "explain --scan -n 10",
                    "explain --parts=host,host -n 10", "version", "help"):
        words = command.split()
        name = f"usw {words[0]}" if words[0] in ("info", "explain") else "usw"
        with open("/dev/full", "wb") as full:
            run = subprocess.run([bench.program, *words], stdout=full, stderr=subprocess.PIPE, check=False)
        bench.equal((1, f"{name}: the results could not be written\n".encode()), (run.returncode, run.stderr), f"{command} > /dev/full")


def described(bench, **variables):
    """`usw info` of a machine that a variable describes to hwloc: its JSON and its lines."""
    environment = {**os.environ, **variables}
    facts = json.loads(bench.run("--json", command="info", environment=environment).stdout)["topology"]
    return facts, bench.run(command="info", environment=environment).stdout.decode()


NODE = 'nodeset="0x1" complete_nodeset="0x1"'
BOTH, FIRST, SECOND = (f'os_index="{k}" cpuset="{mask}" complete_cpuset="{mask}" {NODE}'
                       for k, mask in ((0, "0x3"), (0, "0x1"), (1, "0x2")))
# Two cores, of which this process may use one, and a GPU.
MACHINE = f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
  <object type="Machine" {BOTH} allowed_cpuset="0x1" allowed_nodeset="0x1" gp_index="1">
    <object type="Package" {BOTH} gp_index="2">
      <object type="NUMANode" {BOTH} gp_index="3" local_memory="68719476736">
      </object>
      <object type="Core" {FIRST} gp_index="4">
        <object type="PU" {FIRST} gp_index="5"/>
      </object>
      <object type="Core" {SECOND} gp_index="6">
        <object type="PU" {SECOND} gp_index="7"/>
      </object>
    </object>
    <object type="Bridge" gp_index="8" bridge_type="0-1" depth="0" bridge_pci="0000:[00-ff]">
      <object type="PCIDev" gp_index="9" pci_busid="0000:81:00.0" pci_type="0302 [10de:2330] [10de:16c1] a1" pci_link_speed="0.0">
        <info name="PCIDevice" value="GH100"/>
        <object type="OSDev" gp_index="10" name="card1" osdev_type="1"/>
      </object>
    </object>
  </object>
</topology>
"""


def topology(bench, has_hwloc):
    facts, text = described(bench)
    if not has_hwloc:
        bench.check(facts is None and "built without hwloc" in text, f"no hwloc: {facts}, {text}")
        return
    allowed = len(os.sched_getaffinity(0))
    bench.check(facts["is_this_machine"] and facts["hardware_threads"] >= facts["allowed_hardware_threads"] >= allowed,
                f"this machine: {facts}")
    bench.equal(allowed, facts["bound_hardware_threads"], "binding")
    facts, text = described(bench, HWLOC_SYNTHETIC="package:2 numa:2 core:4 pu:2")
    bench.equal((2, 16, 32, 32), tuple(facts[k] for k in ("packages", "cores", "hardware_threads",
                                                          "allowed_hardware_threads")), "synthetic")
    bench.equal([(k, 2**30, 8) for k in range(4)],
                [(n["number"], n["memory_bytes"], n["hardware_threads"]) for n in facts["numa_nodes"]], "synthetic nodes")
    bench.check(not facts["is_this_machine"] and "bound_hardware_threads" not in facts, "a description has no binding")
    bench.check("\ntopology       2 packages, 4 NUMA nodes, 16 cores, 32 hardware threads; described to hwloc, not this "
                "machine\n  allowed      32 hardware threads\n  NUMA node 0  1 GiB, 8 hardware threads\n" in text, text)
    facts, text = described(bench, HWLOC_SYNTHETIC="l3:2(size=33554432) l2:4(size=1310720) l1d:1(size=32768) core:1 pu:2")
    bench.equal([("L3", 33554432, 2, 8), ("L2", 1310720, 8, 2), ("L1d", 32768, 8, 2)],
                [tuple(c[k] for k in ("name", "bytes", "count", "hardware_threads")) for c in facts["caches"]], "caches")
    bench.check("\n  cache L2     8 of 1.2 MiB, each of 2 hardware threads\n" in text, text)
    facts, text = described(bench, HWLOC_XMLFILE=bench.write("machine.xml", MACHINE.encode()))
    bench.equal((1, 2, 2, 1), tuple(facts[k] for k in ("packages", "cores", "hardware_threads",
                                                       "allowed_hardware_threads")), "a restricted machine")
    bench.equal([{"address": "0000:81:00.0", "kind": "GPU", "model": "GH100", "near_hardware_threads": 2,
                  "near": "", "names": ["card1"]}], facts["pci_devices"], "devices")
    bench.check("\n  NUMA node 0  64 GiB, 2 hardware threads\n" in text and
                "\n  GPU          0000:81:00.0, GH100, card1\n" in text and
                "\n  allowed      1 hardware thread\n" in text, text)


def marked_threads(bench, has_hwloc):
    """`usw info --topology`: hwloc's lstopo draws the machine, with the threads of a large call marked."""
    if not has_hwloc:
        bench.fails("--topology", says="built without hwloc", command="info")
        return
    nowhere = {**os.environ, "PATH": "/nowhere"}
    bench.fails("--topology", says="lstopo is not on the PATH", command="info", environment=nowhere)
    if not shutil.which("lstopo"):
        print("no lstopo: its drawings are not tested")
        return
    environment = {**os.environ, "HWLOC_SYNTHETIC": "package:2 numa:2 l3:1 core:2 pu:2", "OMP_NUM_THREADS": "8"}
    text = bench.run("--topology", command="info", environment=environment).stdout.decode()
    bench.check(re.search(r"PU P#8\n *Misc thread 4: chunks 128-159\n *PU P#9\n", text), f"marks in the text: {text}")
    bench.check("\nA large call: 256 chunks, by 8 threads (as many as OpenMP" in text, f"its call: {text}")
    drawing = bench.write("machine.svg", b"of another day")
    bench.run(f"--topology={drawing}", command="info", environment=environment)
    root = xml.etree.ElementTree.parse(drawing).getroot()
    words = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    bench.equal([f"thread {k}: chunks {32 * k}-{32 * k + 31}" for k in range(8)],
                [w for w in words if w.startswith("thread")], "marks in the drawing")
    bench.check(any(w.startswith("A large call") for w in words), f"a legend: {words}")
    machine = {**os.environ, "HWLOC_XMLFILE": bench.write("machine.xml", MACHINE.encode())}
    text = bench.run("--topology", command="info", environment=machine).stdout.decode()
    bench.check("PU P#1\n" in text and "PCI 81:00.0" in text, f"a described machine, with what is not allowed: {text}")
    wrong = bench.run("--topology=/nowhere/a.svg", command="info")
    bench.check(wrong.returncode == 2 and b"/nowhere/a.svg: lstopo failed\n" in wrong.stderr, f"a bad file: {wrong}")


def near(bench):
    """A GPU below the second of two packages."""
    sets = [f'cpuset="{mask}" complete_cpuset="{mask}" nodeset="{nodes}" complete_nodeset="{nodes}"'
            for mask, nodes in (("0x3", "0x3"), ("0x1", "0x1"), ("0x2", "0x2"))]
    gpu = MACHINE[MACHINE.index('    <object type="Bridge"'):MACHINE.rindex("  </object>\n</topology>")]
    packages = "".join(f"""    <object type="Package" os_index="{k}" {sets[k + 1]} gp_index="{20 + k}">
      <object type="NUMANode" os_index="{k}" {sets[k + 1]} gp_index="{30 + k}" local_memory="1073741824"/>
      <object type="PU" os_index="{k}" {sets[k + 1]} gp_index="{40 + k}"/>
{gpu if k else ""}    </object>
""" for k in range(2))
    text = f"""{MACHINE[:MACHINE.index("  <object")]}  <object type="Machine" {sets[0]} allowed_cpuset="0x3" \
allowed_nodeset="0x3" gp_index="1">
{packages}  </object>
</topology>
"""
    facts, text = described(bench, HWLOC_XMLFILE=bench.write("two.xml", text.encode()))
    bench.equal(["near NUMA node 1, package 1"], [device["near"] for device in facts["pci_devices"]], "a GPU's node")
    bench.check("GH100, card1; near NUMA node 1, package 1\n" in text, f"a GPU's node: {text}")


def shares(bench):
    """Calls with many results, and scans."""
    def facts(*arguments):
        return json.loads(bench.run(*arguments, "--format=json", command="explain").stdout)

    rows = facts("--axis=-1", "--shape=1000x300")
    bench.equal(("sum_f64", "host", 300000, 1000, 8 * 300000, "inner", "a result", 1000, 300),
                tuple(rows[k] for k in ("kernel", "place", "elements", "results", "bytes", "axes", "share", "shares",
                                        "share_elements")), "rows")
    bench.equal(["outer", "all", "middle", "several", "none"],
                [facts("--axis", axes, "--shape", shape)["axes"] for axes, shape in
                 (("0", "9x8"), ("0,1", "9x8"), ("1", "9x8x7"), ("0,2", "9x8x7"), ("1", "9x1"))], "axes")
    path = facts("--segments=1000", "-n", "2^20", "--op=dot", "--type=f32")
    bench.equal(("dot_f32", "a block of the path", 128, 8192, 1000),
                tuple(path[k] for k in ("kernel", "share", "shares", "share_elements", "results")), "segments")
    scan = facts("--scan", "-n", "2^20", "--op=max", "--type=i32")
    bench.equal(("scan_max_i32", "a chunk", 16, 8 << 20), tuple(scan[k] for k in ("kernel", "share", "shares", "bytes")),
                "a scan")
    runs = facts("--by-key=i32", "--segments=1000", "-n", "2^20", "--type=f32")
    bench.equal(("sum_f32", "a block of the path", 1000, 8 << 20),
                tuple(runs[k] for k in ("kernel", "share", "results", "bytes")), "by key")
    bench.equal(1 << 20, facts("--by-key=u8", "-n", "2^20")["results"], "by key, a run for each element")
    kept = facts("--select", "-n", "2^20", "--type=f64")
    bench.equal(("a chunk", 1 << 20, 17 << 20), tuple(kept[k] for k in ("share", "results", "bytes")), "a selection")
    bench.equal(["asked for host, any size: host, chunks of 64 KiB", ""], [rows["tuning_entry"], scan["tuning_entry"]], "tuning entries")
    text = bench.run("--axis=1", "--shape=1000x300", command="explain").stdout.decode()
    bench.check("\ntuning entry   asked for host, any size: host, chunks of 64 KiB\n" in text, f"the tuning entry: {text}")
    bench.check("reduced axes   inner\nshares         1000: each a result, at most 300 elements\n" in text, f"text: {text}")
    for arguments, why in ((("--axis=0",), b"--axis: the array has no shape"),
                           (("--shape=3x4", "-n", "4"), b"--shape: goes with --axis"),
                           (("--axis=0", "--shape=4", "-n", "4"), b"leave out --n"),
                           (("--axis=2", "--shape=3x4"), b"there is no axis 2: the shape has 2 dimensions"),
                           (("--scan", "--segments=3", "-n", "4"), b"name one of --axis, --segments, --by-key, "),
                           (("--scan", "--parts=host", "-n", "4"), b"name one of --axis, --segments, --by-key, "),
                           (("--parts=host", "--place=device:0", "-n", "4"), b"--place: --parts has the places"),
                           (("--parts=host",), b"--n is missing"),
                           (("--parts=host,", "-n", "4"), b"host,: is not what --parts takes"),
                           (("--parts=" + 65 * "host,", "-n", "4"), b"is not what --parts takes"),
                           (("--select", "--by-key=i32", "-n", "4"), b"name one of --axis, --segments, --by-key, "),
                           (("--by-key=f32", "-n", "4"), b"are no integers"),
                           (("--by-key=i32", "--segments=5", "-n", "4"), b"4 elements are not in 5 runs"),
                           (("--scan",), b"--n is missing"), (("--scan", "--staging", "-n", "4"), b"are not staged"),
                           (("--segments=x", "-n", "4"), b"x: is not what --segments takes")):
        refused = bench.run(*arguments, command="explain")
        bench.check(refused.returncode == 2 and why in refused.stderr, f"{arguments}: {refused}")


def parts(bench):
    """Calls of parts."""
    facts = json.loads(bench.run("--parts=host,host,host", "-n", "1000", "--format=json", command="explain").stdout)
    bench.equal([("host", turn, "called", n, "host", n / 1000) for turn, n in enumerate((320, 320, 360))],
                [tuple(part[k] for k in ("place", "turn", "path", "elements", "strategy", "share"))
                 for part in facts["parts"]], "parts")
    bench.equal("sum_f64", facts["kernel"], "the kernel of parts")
    text = bench.run("--parts=host,host", "-n", "2^20", "--accuracy=exact", command="explain").stdout.decode()
    bench.check(text.count("  called  ") == 2 and "50.0 %" in text, f"parts: {text}")
    missing = bench.run("--parts=host,device:4711", "-n", "4", command="explain")
    bench.check(missing.returncode != 0 and b"part 2 of 2: " in missing.stderr, f"a part at no place: {missing}")


def explain(bench):
    arguments = ["--op=sum", "--type=f32", "--n=2^20"]
    facts = json.loads(bench.run(*arguments, "--format=json", command="explain").stdout)
    bench.equal(("sum_f32", "host", "host", 4 << 20), tuple(facts[k] for k in ("kernel", "target", "strategy", "bytes")),
                "explain")
    bench.equal("host", facts["place"], "the place, as --place takes it")
    bench.check(facts["tuning_entry"].startswith("asked for host, ") and "chunks of " in facts["tuning_entry"],
                f"a tuning entry in words: {facts['tuning_entry']}")
    bench.check(abs(facts["error_bound"] / (facts["chain_length"] * 2**-24) - 1) < 1e-12, "bound and chain")
    text = bench.run(*arguments, command="explain").stdout.decode()
    bench.check(f"longest chain  {facts['chain_length']} operations\n" in text, f"explain: {text}")
    exact = bench.run("--op=dot", "--type=i32", "-n", "64M", command="explain").stdout.decode()
    bench.check("dot_i32" in exact and exact.count("everywhere     0: the result is exact\n") == 5, f"explain: {exact}")
    levels = {level["accuracy"]: level for level in facts["levels"]}
    bench.equal(["fast", "repeatable", "compensated", "reproducible", "exact"], list(levels), "levels")
    bench.equal(("repeatable", facts["error_bound"]), (facts["accuracy"], levels["repeatable"]["error_bound"]), "the level")
    bench.equal(["not promised", "every run here", "every run here", "everywhere", "everywhere"],
                [level["same_bits"] for level in levels.values()], "same bits")
    bench.equal(("sum_reproducible_f32", 2**-20, "the largest |x[i]|", 2**-24),
                tuple(levels["reproducible"][k] for k in ("kernel", "error_bound", "error_relative_to", "result_bound")),
                "reproducible")
    bench.equal(("sum_exact_f32", 0, 2**-24),
                tuple(levels["exact"][k] for k in ("kernel", "error_bound", "result_bound")), "exact")
    folded = bench.run("--op=sum", "-n", "9", "--accuracy=reproducible", "--fold=5", command="explain").stdout.decode()
    bench.check("sweeps         at most 2 over the elements" in folded and
                "* reproducible  sum_exact_f64              everywhere     6.16e-48 times the largest |x[i]|" in folded,
                f"two passes: {folded}")
    line = "* repeatable    sum_f32                    every run here"
    bench.check(line in text and "  reproducible  sum_reproducible_f32       everywhere     9.54e-07 times the largest |x[i]| "
                "and 5.96e-08 times the result\n" in text, f"levels: {text}")
    product = bench.run("--op=prod", "-n", "9", command="explain").stdout.decode()
    bench.check("  compensated   prod_f64: its operators round" in product, f"levels of a product: {product}")
    described = bench.run("--op=describe", "-n", "9", "--accuracy=reproducible", command="explain").stdout.decode()
    bench.check("* reproducible  describe_reproducible_f64  everywhere     8.27e-25 times the largest |x[i]| and 1.11e-16 "
                "times the result (of the mean)\n" in described, f"levels of a description: {described}")
    bench.equal(0, facts["recheck"], "no recheck")
    bench.check("recheck" not in text, "no recheck, as text")
    again = bench.run("--op=count", "-n", "4M", "--recheck=100", command="explain").stdout.decode()
    bench.check("one call in 100 runs again: in 255 chunks\n" in again, f"another way: {again}")
    again = json.loads(bench.run(*arguments, "--format=json", command="explain",
                                 environment={**os.environ, "USW_RECHECK": "7"}).stdout)
    bench.equal((7, "host", facts["chunks"]), tuple(again[k] for k in ("recheck", "recheck_strategy", "recheck_chunks")),
                "the same way")
    threads = json.loads(bench.run("-n", "2^20", "--format=json", command="explain",
                                   environment={**os.environ, "USW_THREADS": "1"}).stdout)
    bench.equal((1, "as many as USW_THREADS", 1, ""), tuple(threads[k] for k in ("threads", "threads_reason", "nodes",
                                                                               "topology")), "threads")
    equal = [bench.run("-n", n, command="explain").stdout for n in ("1048576", "2^20", "1M", "1024K")]
    bench.check(len(set(equal)) == 1, "ways to write a number")


def links(bench):
    """Three GPUs: NVLink between two of them, PCIe to the third one, which is below another bridge."""
    def gpu(k):
        return f"""        <object type="PCIDev" gp_index="{50 + k}" pci_busid="0000:8{k}:00.0" pci_type="0302 [10de:2330] [10de:16c1] a1" \
pci_link_speed="0.0">
          <object type="OSDev" gp_index="{60 + k}" name="nvml{k}" osdev_type="5"/>
        </object>
"""

    switch = f"""      <object type="Bridge" gp_index="70" bridge_type="1-1" depth="1" bridge_pci="0000:[80-82]" \
pci_busid="0000:7f:00.0" pci_type="0604 [10b5:8796] [10b5:8796] ab" pci_link_speed="0.0">
{gpu(0)}{gpu(1)}{gpu(2)}      </object>
"""
    start, end = MACHINE.index('      <object type="PCIDev"'), MACHINE.index("    </object>\n  </object>\n</topology>")
    other = """    <object type="Bridge" gp_index="71" bridge_type="0-1" depth="0" bridge_pci="0000:[00-ff]">
""" + gpu(3) + "    </object>\n"
    values = " ".join(str(0 if i == j else 150000 * (i + j == 1)) for i in range(3) for j in range(3)) + " "
    matrix = f"""  <distances2 type="OSDev" nbobjs="3" kind="9" name="NVLinkBandwidth" indexing="gp">
    <indexes length="9">60 61 62 </indexes>
    <u64values length="{len(values)}">{values}</u64values>
  </distances2>
</topology>"""
    text = (MACHINE[:start] + switch + MACHINE[end:]).replace("  </object>\n</topology>", other + "  </object>\n" + matrix)
    machine = bench.write("links.xml", text.encode())
    facts, text = described(bench, HWLOC_XMLFILE=machine)
    node = "PCIe, one NUMA node"
    bench.equal([(0, 1, "NVLink", 150000), (0, 2, "a PCIe switch", 0), (0, 3, node, 0), (1, 2, "a PCIe switch", 0),
                 (1, 3, node, 0), (2, 3, node, 0)],
                [(int(link["from"][6]), int(link["to"][6]), link["by"], link["mb_per_s"]) for link in facts["gpu_links"]],
                "links of GPUs")
    bench.check("\n  GPU link     0000:80:00.0 to 0000:81:00.0: NVLink, 150 GB/s\n" in text and
                "\n  GPU link     0000:80:00.0 to 0000:82:00.0: a PCIe switch\n" in text, f"links: {text}")
    if shutil.which("lstopo"):
        drawn = bench.run("--topology", command="info", environment={**os.environ, "HWLOC_XMLFILE": machine})
        for label in ("to 0000:81:00.0: NVLink, 150 GB/s", "to 0000:80:00.0: NVLink, 150 GB/s"):
            bench.check(label in drawn.stdout.decode(), f"{label}: {drawn}")


def nodes(bench):
    """Threads and nodes of calls on a machine that is described."""
    environment = {**os.environ, "HWLOC_SYNTHETIC": "package:2 numa:4 core:8 pu:2", "OMP_NUM_THREADS": "24"}
    for n, chunks, threads, count, lie in (("2^26", 256, 24, 3, "of the node where they lie"),
                                           ("81920", 20, 20, 3, "in order")):
        text = bench.run("-n", n, command="explain", environment=environment).stdout.decode()
        reason = "as many as OpenMP" if threads == 24 else "one for each chunk"
        bench.check(f"\nchunks         {chunks}, by at most {threads} threads: {reason}\nNUMA nodes     {count} (hwloc "
                    in text and f"); chunks go to threads {lie}\n" in text, f"explain, {n}: {text}")


def beside(bench):
    """usw X runs libexec/upsweep/usw-X of its own prefix, whatever the current folder."""
    for folder in ("bin", "libexec/upsweep"):
        (bench.root / folder).mkdir(parents=True)
    shutil.copy(bench.program, bench.root / "bin/usw")
    script = bench.root / "libexec/upsweep/usw-hello"
    script.write_text('#!/bin/sh\necho "hello $*"\nexit 7\n')
    script.chmod(0o755)
    bench.program = str(bench.root / "bin/usw")
    run = bench.run("a", "b", command="hello")
    bench.equal((7, b"hello a b\n"), (run.returncode, run.stdout), "usw hello")
    script.chmod(0o644)
    bench.fails(says=("usw-hello", "Permission denied"), command="hello")
    bench.fails(says="there is no such command", command="../upsweep/usw-hello")
    help_text = bench.run(command="help").stdout.decode()
    for command in PROGRAMS:
        bench.check(re.search(rf"\n  {command} .* \(not installed\)\n", help_text), f"{command} is not installed")
        bench.fails(says=("usw: ", *NOT_INSTALLED), command=command)
        bench.fails(command, says=(f"usw: {command}: ", *NOT_INSTALLED), command="help")


def progress(bench):
    """A bar and the time left, on a terminal alone."""
    shown, terminal = pty.openpty()
    os.set_blocking(shown, False)
    arguments = [bench.program, "reduce", "--op=sum", "-t", "u8", "--shape=4096", "-"]
    runs = [subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=stderr)
            for stderr in (terminal, subprocess.PIPE)]
    time.sleep(1)  # a line is shown from the first quarter of a second on
    texts = [run.communicate(bytes(4096), timeout=60)[1] for run in runs]
    try:
        texts[0] = os.read(shown, 4096)
    except BlockingIOError:
        texts[0] = b""
    bench.check(re.search(rb"\[#{20}\] 100 % of 0[.]00 GiB, .* GB/s, 0:00 left", texts[0]), f"progress: {texts[0]}")
    bench.equal(b"", texts[1], "progress without a terminal")
    os.close(shown)
    os.close(terminal)


def main(program, built=""):
    bench = Bench(program)
    version_and_help(bench)
    info(bench)
    full_disk(bench)
    topology(bench, built == "hwloc")
    marked_threads(bench, built == "hwloc")
    if built == "hwloc":
        near(bench)
        links(bench)
        nodes(bench)
    explain(bench)
    parts(bench)
    shares(bench)
    progress(bench)
    beside(bench)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
