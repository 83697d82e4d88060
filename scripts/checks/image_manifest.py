#!/usr/bin/env python3
"""Checks the device images in the library against the rows of kernels.def.

For every image: each (row, type) has its entries, none too many. For NVIDIA images: no entry is
trivial (clang can compile a bare region to nothing without a word), no entry spills, and all
fit in the registers that a launch may ask for. For AMD images: no bare entry spills.

usage: image_manifest.py BUILD_FOLDER [--rows FILE] [--only NAME] [--source FILE] [--drop FLAG]

--only looks at one kernel; --source at a file in its place; --drop compiles without one flag."""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_ENTRIES = 600
MAX_BARE_REGISTERS = 255
MIN_INSTRUCTIONS = 30
NVPTX = "nvptx64-nvidia-cuda"
ROW = re.compile(r"^USW_ROW\(\s*(\w+)\s*,\s*\w+\s*,\s*\w+\s*,([^)]*)\)", re.MULTILINE)
ENTRY = re.compile(r"__omp_offloading_\w+_l\d+")


def kernels(path):
    """Names of kernels: sum_f64, sum_f32, ..."""
    return [f"{name}_{kind.strip()}" for name, kinds in ROW.findall(path.read_text())
            for kind in kinds.split(",")]


def run(command):
    done = subprocess.run(command, text=True, capture_output=True)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stderr}")
    return done.stdout + done.stderr


def ends(symbol, kernel, form):
    """Whether a symbol is the entry of one kernel's region."""
    return re.search(rf"_{kernel}_{form}_l\d+$", symbol) is not None


class Image:
    """One device image, taken out of the library."""

    def __init__(self, library, arch, folder):
        self.arch = arch
        self.path = pathlib.Path(folder) / f"{arch}.image"
        triple = {"x": "x86_64-pc-linux-gnu", "s": NVPTX}.get(
            arch[0], "amdgcn-amd-amdhsa")
        name = "" if arch == "x86_64" else f",arch={arch}"
        run(["clang-offload-packager-19", str(library),
             f"--image=file={self.path},triple={triple}{name}"])

    def entries(self):
        table = run(["llvm-readelf-19", "--symbols", "--wide", str(self.path)])
        functions = [line.split()[-1] for line in table.splitlines() if " FUNC " in line]
        return sorted({name for name in functions if ENTRY.fullmatch(name)})

    def problems(self, names, entries):
        forms = ["standard"] if self.arch == "x86_64" else ["bare", "standard"]
        for kernel in names:
            for form in forms:
                found = sum(ends(entry, kernel, form) for entry in entries)
                if found != 1:
                    yield f"{kernel}_{form}: {found} entries"
        if len(entries) > MAX_ENTRIES:
            yield f"{len(entries)} entries, at most {MAX_ENTRIES}"
        if self.arch.startswith("sm_"):
            yield from self.header_problems()

    def header_problems(self):
        """libomptarget of LLVM 19 and 20 loads ABI version 7 only."""
        header = self.path.read_bytes()[:52]
        flags = struct.unpack_from("<I", header, 48)[0]
        major = int(re.search(r"version (\d+)", run(["clang-offload-packager-19", "--version"]))[1])
        if major <= 20 and (header[8] != 7 or not flags & 0x400):
            yield f"ELF ABI version {header[8]}, flags {flags:#x}: the plugin refuses it"


def compile_for(kernel, command, arch, drop, folder):
    """Compile one kernel's source again, for one architecture: its PTX and ptxas' report.

    Not by -S: that leaves out the device runtime, and with it what inlining does to the code."""
    kept, skip = [], False
    for word in shlex.split(command):
        if skip or word == drop or word.startswith(("-fopenmp-targets=", "-Xopenmp-target=",
                                                    "--offload-arch=")):
            skip = False
        elif word in ("-o", "-MT", "-MF"):
            skip = True
        elif word != "-MD":
            kept.append(word)
    home = pathlib.Path(folder) / f"{kernel}.{arch}"
    home.mkdir()
    report = run([*kept, f"-fopenmp-targets={NVPTX}", f"-Xopenmp-target={NVPTX}",
                  f"--offload-arch={arch}", "--save-temps=obj", "-Xcuda-ptxas", "-v", "-o",
                  str(home / "kernel.o")])
    (ptx,) = home.glob(f"*{NVPTX}*.s")
    return ptx.read_text(), report


def bodies(ptx):
    """Name of each function or entry -> its text."""
    found = re.findall(r"\.(?:entry|func)[^;{]*?([\w$]+)\s*\([^{;]*\{\n(.*?)\n\}", ptx, re.DOTALL)
    # A function that returns a value names its result first: .func (.param ...) name(...)
    return dict(found)


def reachable(name, functions, seen):
    """The text of a function and of all that it calls."""
    if name in seen or name not in functions:
        return ""
    seen.add(name)
    text = functions[name]
    called = [word for word in functions if word != name and re.search(rf"\b{re.escape(word)}\b", text)]
    return text + "".join(reachable(word, functions, seen) for word in called)


def trivial(name, form, functions):
    text = reachable(name, functions, set())
    count = len(re.findall(r"^\s+(?:@!?%\w+ )?[a-z][\w.]*[^:\n]*;", text, re.MULTILINE))
    if count <= MIN_INSTRUCTIONS:
        return f"{count} instructions"
    if form == "bare":
        for word in ("ld.global", "shfl."):
            if word not in text:
                return f"no {word}"
    return None


def assembled(report):
    """Entry -> (registers, bytes spilled), as ptxas reports them."""
    facts = {}
    for part in report.split("Compiling entry function")[1:]:
        name = re.search(r"'(\w+)'", part)[1]
        spills = sum(int(n) for n in re.findall(r"(\d+) bytes spill", part))
        facts[name] = (int(re.search(r"Used (\d+) registers", part)[1]), spills)
    return facts


def nvidia_kernel(kernel, command, arch, drop, folder):
    """Rows (entry, registers) and problems of one kernel on one architecture."""
    ptx, report = compile_for(kernel, command, arch, drop, folder)
    functions, facts = bodies(ptx), assembled(report)
    rows, problems = [], []
    for form in ("bare", "standard"):
        names = [name for name in facts if ends(name, kernel, form)]
        if len(names) != 1:
            problems.append(f"{kernel}_{form}: {len(names)} entries")
            continue
        registers, spilled = facts[names[0]]
        rows.append((f"{kernel}_{form}", registers, spilled))
        reason = trivial(names[0], form, functions)
        if reason:
            problems.append(f"{kernel}_{form} is trivial: {reason}")
        if spilled:
            problems.append(f"{kernel}_{form} spills {spilled} bytes")
        if form == "bare" and registers > MAX_BARE_REGISTERS:
            problems.append(f"{kernel}_{form} takes {registers} registers")
    return rows, problems


def amd_rows(image):
    """(entry, registers, spills) from the notes in an AMD image."""
    notes = run(["llvm-readelf-19", "--notes", str(image.path)])
    rows = []
    for part in notes.split("  - .")[1:]:
        name = re.search(r"\.name:\s+(\w+)", part)
        fact = {key: int(value) for key, value in
                re.findall(r"\.(vgpr_count|vgpr_spill_count|sgpr_spill_count):\s+(\d+)", part)}
        if name and "vgpr_count" in fact and ENTRY.fullmatch(name[1]):
            short = re.sub(r"^__omp_offloading_[0-9a-f]+_[0-9a-f]+_|_l\d+$", "", name[1])
            rows.append((short, fact["vgpr_count"], fact.get("vgpr_spill_count", 0)))
    return rows


def images_of(library):
    text = run(["llvm-objdump-19", "--offloading", str(library)])
    return [arch or "x86_64" for arch in re.findall(r"^arch[ ]*(\S*)$", text, re.MULTILINE)]


def kernel_commands(build, source):
    """Kernel -> the command that compiled it; or a file of one's own, compiled as kernels are."""
    entries = [entry for entry in json.loads((build / "compile_commands.json").read_text())
               if "/upsweep_kernels.dir/" in entry["command"]]
    if source:
        return {source.stem: entries[0]["command"].replace(entries[0]["file"], str(source))}
    return {pathlib.Path(entry["file"]).stem: entry["command"] for entry in entries}


def check_image(image, names, arguments, folder):
    entries = image.entries()
    problems = list(image.problems(names, entries))
    rows = []
    if image.arch.startswith("sm_"):
        commands = kernel_commands(arguments.build, arguments.source)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = [pool.submit(nvidia_kernel, name, commands[name], image.arch, arguments.drop,
                                folder) for name in names if name in commands]
            for job in jobs:
                rows += job.result()[0]
                problems += job.result()[1]
    elif image.arch.startswith("gfx"):
        rows = amd_rows(image)
        problems += [f"{name} spills {spills} registers" for name, _, spills in rows
                     if spills and name.endswith("_bare")]
    print(f"image {image.arch}: {len(entries)} entries, {image.path.stat().st_size} bytes")
    for name, registers, spills in rows:
        print(f"  {name:28} {registers:4} registers {spills:4} spilled")
    for problem in problems:
        print(f"  PROBLEM {problem}")
    return len(problems)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--rows", type=pathlib.Path, default=ROOT / "offload/kernels.def")
    parser.add_argument("--only")
    parser.add_argument("--source", type=pathlib.Path)
    parser.add_argument("--drop")
    arguments = parser.parse_args()
    library = arguments.build / "libupsweep.so"
    names = [name for name in kernels(arguments.rows) if arguments.only in (None, name)]
    if arguments.source:
        names = [arguments.source.stem]
    archs = images_of(library)
    if not archs:
        print("the library holds no device image")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        failures = sum(check_image(Image(library, arch, folder), names, arguments, folder)
                       for arch in archs)
    print(f"{len(names)} kernels, {len(archs)} images, {failures} problems")
    return 1 if failures or not names else 0


if __name__ == "__main__":
    sys.exit(main())
