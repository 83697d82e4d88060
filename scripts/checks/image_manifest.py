#!/usr/bin/env python3
"""Checks the device images in the library against the rows of kernels.def, from their machine code.

Every image: each (row, type) has exactly its entries, and no entry belongs to no row. GPU images: no
entry is trivial (clang can compile a bare region to nothing without a word), none spills, a bare entry
has no frame, and entries and bytes are within the budget. NVIDIA images: bare entries load and shuffle, and a thread has
enough bytes of loads in flight, without which no kernel reaches the memory's speed.

usage: image_manifest.py BUILD_FOLDER [--gpu-sample] [--families TYPES] [--rows FILE] [--source FILE [--drop FLAG]]

--gpu-sample asks of GPU images only what the quick tier builds: the first type of most rows, all sums, and the kernels for all
types. --families: kernels along axes and of scans are there of these types alone ("f64,f32").
--source builds a library of one file as kernels are built, without the flag that --drop names, and
checks that one instead. Exit status: 0, 1 with problems, 2 when it could not look, 77 without images."""

import argparse
import collections
import json
import pathlib
import re
import shlex
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_ENTRIES = 1900  # 1300 of one result and along axes, 600 of scans
MAX_IMAGE_BYTES = 48 << 20
MAX_BARE_REGISTERS = 255  # with 256 threads a team of more does not launch
MIN_INSTRUCTIONS = 200  # the smallest bare entry has 600: its loops and its tree
# Loads of a thread that are under way at once. The engine asks for 64 bytes (engine/policy.h; describe.h for less); ptxas may put
# the first use before the last load.
MIN_BYTES_IN_FLIGHT = 48
FEWER_IN_FLIGHT, MIN_OF_FEWER = re.compile(r"(axes_)?describe_(?!.64_)|axes_|(segment_)?scan_|runs_|select_|marks_|window_sweep_|reducer_batch_"), 16
# Accurate sums, kernels along axes and scans have no clause: on a GPU nothing is left of their standard entries.
EMPTY = re.compile(r"(axes|scan|segment|runs|select)_\w+_standard|\w+_(compensated|reproducible)_\w+_standard|(window_sweep|reducer_batch)_standard")
LARGEST_SHOWN = 5
NVPTX = "nvptx64-nvidia-cuda"
ROW = re.compile(r"^USW_ENTRY(?:_OF_NUMBERS)?\(\s*(\w+)\s*,\s*\w+\s*,\s*\w+\s*,([^)]*)\)", re.MULTILINE)
SINGLE = re.compile(r"^USW_SINGLE\(\s*(\w+)\s*,\s*\w+(?:\s*,\s*(\w+))?\)", re.MULTILINE)
ENTRY = re.compile(r"__omp_offloading_[0-9a-f]+_[0-9a-f]+_(\w+)_l\d+")
FORMS = ("bare", "standard")

# From .nv.info: attributes of a symbol, and the one format that has a payload.
PAYLOAD, FRAME_BYTES, STACK_BYTES, REGISTERS = 0x04, 0x11, 0x12, 0x2F
# From sm_70 on an instruction is two words. The low 9 bits say which, the next 3 its operands' form.
OPCODE_BITS = 0x1FF
LOAD_GLOBAL, LOAD_LOCAL, SHUFFLE, PADDING = 0x181, 0x183, 0x189, 0x118
LEAVES = (0x147, 0x14D)  # a jump, the end
ALWAYS_SHIFT, ALWAYS_BITS, ALWAYS = 12, 15, 7  # the predicate that is always true
# How a load treats the cache, in the second word. ptxas marks the last load of a spilled register.
CACHE_SHIFT, CACHE_BITS, LAST_USE = 20, 7, 3
# There, too: a load's width, the barrier that tells when it is done, and those that an instruction waits for.
WIDTH_SHIFT, WIDTHS = 9, (1, 1, 2, 2, 4, 8, 16, 16)
BARRIER_SHIFT, BARRIERS, WAIT_SHIFT = 46, 6, 52

Section = collections.namedtuple("Section", "name type offset size link info")
Symbol = collections.namedtuple("Symbol", "name kind section size")
# The kernels along axes and of scans in the sample of the quick tier (UpsweepKernels.cmake).
SAMPLE_OF_FAMILIES = "axes_sum", "axes_argmax", "axes_dot", "scan_sum", "scan_max", "scan_argmax", \
    "segment_scan_sum", "segment_scan_argmax"
LARGEST = "reducer_set"  # not in the sample
FAMILY = re.compile(r"(axes|scan|segment)_")
NOT_IN_SAMPLE = re.compile(r"(axes|scan|segment)_|nan[a-z0-9]*_")
SCANS = ROOT / "offload/scans.def"

Fact = collections.namedtuple("Fact", "name registers frame_bytes instructions missing spilled in_flight_bytes")


def stop(text):
    print(f"image_manifest.py: {text}", file=sys.stderr)
    sys.exit(2)


def run(command):
    try:
        done = subprocess.run(command, text=True, capture_output=True)
    except OSError as error:
        stop(f"{command[0]}: {error.strerror}")
    if done.returncode:
        stop(f"{command[0]} failed: {done.stderr.strip()}")
    return done.stdout


def kernels(path, sample=False, families=None):
    """Names of kernels: sum_f64, sum_f32, ... A USW_SAME line adds none. families: the types of kernels along axes and of scans; None: all."""
    text = path.read_text() + SCANS.read_text()
    rows = [(name, [kind.strip() for kind in kinds.split(",")]) for name, kinds in ROW.findall(text)]
    return [f"{kernel}_{kind}" for name, kinds in rows for kind in kinds
            for kernel in ([name, f"segment_{name}"] if name.startswith("scan_") else [name, f"axes_{name}"])
            if families is None or kind in families or not FAMILY.match(kernel)
            if not sample or kernel == "sum" or kind == kinds[0] and (
                kernel in SAMPLE_OF_FAMILIES or not NOT_IN_SAMPLE.match(kernel))
            ] + [name for name, kind in SINGLE.findall(text) if not sample or kind in ("", "u64") and name != LARGEST]


class Elf:
    """The sections and symbols of a 64-bit little-endian ELF file."""

    TABLES = (2, 11)  # SHT_SYMTAB, SHT_DYNSYM
    FUNCTION = 2

    def __init__(self, data):
        self.data = data
        start, = struct.unpack_from("<Q", data, 40)
        step, count, names = struct.unpack_from("<HHH", data, 58)
        raw = [struct.unpack_from("<II16xQQII", data, start + i * step) for i in range(count)]
        self.sections = [Section(self.text(raw[names][2] + name), *rest) for name, *rest in raw]

    def text(self, offset):
        return self.data[offset:self.data.index(b"\0", offset)].decode()

    def content(self, section):
        return self.data[section.offset:section.offset + section.size]

    def symbols(self, table):
        strings = self.sections[table.link].offset
        return [Symbol(self.text(strings + name), info & 15, section, size) for name, info, section, size
                in struct.iter_unpack("<IBxH8xQ", self.content(table))]

    def functions(self):
        """Name of each function -> its size; a function may stand in both tables."""
        return {symbol.name: symbol.size for table in self.sections if table.type in self.TABLES
                for symbol in self.symbols(table) if symbol.kind == self.FUNCTION}


class Image:
    """One device image, taken out of the library."""

    def __init__(self, library, arch, folder):
        self.arch = arch
        self.path = pathlib.Path(folder) / f"{arch}.image"
        triple = {"x": "x86_64-pc-linux-gnu", "s": NVPTX}.get(arch[0], "amdgcn-amd-amdhsa")
        name = "" if arch == "x86_64" else f",arch={arch}"
        run(["clang-offload-packager-19", str(library),
             f"--image=file={self.path},triple={triple}{name}"])
        self.elf = Elf(self.path.read_bytes())
        self.entries = {name: size for name, size in self.elf.functions().items()
                        if ENTRY.fullmatch(name)}

    def manifest_problems(self, names):
        forms = ("standard",) if self.arch == "x86_64" else FORMS
        found = collections.Counter(ENTRY.fullmatch(entry)[1] for entry in self.entries)
        for kernel in names:
            for form in forms:
                if found[f"{kernel}_{form}"] != 1:
                    yield f"{kernel}_{form}: {found[f'{kernel}_{form}']} entries"
        for name in sorted(found.keys() - {f"{kernel}_{form}" for kernel in names for form in FORMS}):
            yield f"{name}: an entry of no row"
        if len(self.entries) > MAX_ENTRIES:
            yield f"{len(self.entries)} entries, at most {MAX_ENTRIES}"

    def facts(self):
        if self.arch.startswith("sm_"):
            return nvidia_facts(self)
        return amd_facts(self)

    def header_problems(self):
        """libomptarget of LLVM 19 and 20 loads ABI version 7 only."""
        abi, flags = self.elf.data[8], struct.unpack_from("<I", self.elf.data, 48)[0]
        major = int(re.search(r"version (\d+)", run(["clang-offload-packager-19", "--version"]))[1])
        if major <= 20 and (abi != 7 or not flags & 0x400):
            yield f"ELF ABI version {abi}, flags {flags:#x}: the plugin refuses it"


def nvidia_attributes(elf):
    """Name of each symbol -> its attributes in .nv.info."""
    section, = (section for section in elf.sections if section.name == ".nv.info")
    table, = (table for table in elf.sections if table.name == ".symtab")
    names = [symbol.name for symbol in elf.symbols(table)]
    attributes, content, at = collections.defaultdict(dict), elf.content(section), 0
    while at < len(content):
        form, attribute, size = struct.unpack_from("<BBH", content, at)
        at += 4
        if form == PAYLOAD:
            if size == 8:
                symbol, value = struct.unpack_from("<II", content, at)
                attributes[names[symbol]][attribute] = value
            at += size
    return attributes


def nvidia_instructions(code):
    """Opcode -> how often it is there; and the loads that bring back a spilled register."""
    opcodes, reloads = collections.Counter(), 0
    for low, high in struct.iter_unpack("<QQ", code):
        opcodes[low & OPCODE_BITS] += 1
        if low & OPCODE_BITS == LOAD_LOCAL and high >> CACHE_SHIFT & CACHE_BITS == LAST_USE:
            reloads += 1
    return opcodes, reloads


def nvidia_in_flight(code):
    """Most bytes of global loads that are under way at once in a thread, in the order of the code: from each load to the
    first instruction that waits for its barrier."""
    waiting, most = [0] * BARRIERS, 0
    for low, high in struct.iter_unpack("<QQ", code):
        waiting = [0 if high >> WAIT_SHIFT + k & 1 else count for k, count in enumerate(waiting)]
        barrier = high >> BARRIER_SHIFT & 7
        if low & OPCODE_BITS == LOAD_GLOBAL and barrier < BARRIERS:
            waiting[barrier] += WIDTHS[high >> WIDTH_SHIFT & 7]
            most = max(most, sum(waiting))
        if low & OPCODE_BITS in LEAVES and low >> ALWAYS_SHIFT & ALWAYS_BITS == ALWAYS:
            waiting = [0] * BARRIERS
    return most


def nvidia_facts(image):
    attributes = nvidia_attributes(image.elf)
    code = {section.name: section for section in image.elf.sections}
    for entry in image.entries:
        known, name = attributes[entry], ENTRY.fullmatch(entry)[1]
        instructions = image.elf.content(code[f".text.{entry}"])
        opcodes, reloads = nvidia_instructions(instructions)
        in_flight = nvidia_in_flight(instructions) if name.endswith("_bare") else None
        if REGISTERS not in known or FRAME_BYTES not in known:
            stop(f"{image.arch}: .nv.info has no registers or no frame of {entry}")
        missing = [what for what, opcode in (("load", LOAD_GLOBAL), ("shuffle", SHUFFLE))
                   if name.endswith("_bare") and not opcodes[opcode]]
        frame_bytes = max(known[FRAME_BYTES], known.get(STACK_BYTES, 0))
        yield Fact(name, known[REGISTERS], frame_bytes, opcodes.total() - opcodes[PADDING], missing, reloads > 0, in_flight)


def amd_facts(image):
    """From the notes; the code's size stands for instructions, which have 4 or 8 bytes."""
    notes = run(["llvm-readelf-19", "--notes", str(image.path)])
    for part in re.split(r"^  - ", notes, flags=re.MULTILINE)[1:]:
        known = dict(re.findall(r"^\s*\.(\w+):\s+(\w+)$", part, re.MULTILINE))
        if known.get("name") in image.entries:
            name = ENTRY.fullmatch(known["name"])[1]
            frame_bytes = int(known["private_segment_fixed_size"])
            instructions = image.entries[known["name"]] // 8
            yield Fact(name, int(known["vgpr_count"]), frame_bytes, instructions, [],
                       known["vgpr_spill_count"] != "0", None)


def entry_problems(fact):
    if EMPTY.fullmatch(fact.name):
        return
    if fact.instructions < MIN_INSTRUCTIONS:
        yield f"{fact.name} is trivial: {fact.instructions} instructions"
    for what in fact.missing:
        yield f"{fact.name} is trivial: no {what}"
    # OpenMP's clause needs the addresses of its variables: a standard entry may have a frame for them.
    # Kernels along axes with many addresses, and scans, are held to fewer registers (UpsweepKernels.cmake).
    if (fact.spilled or fact.frame_bytes and fact.name.endswith("_bare")) and not fact.name.startswith(("axes_", "scan_", "segment_", "runs_", "select_")):
        what = "spills" if fact.spilled else "keeps an array in local memory"
        yield f"{fact.name} {what}: a frame of {fact.frame_bytes} bytes"
    if fact.name.endswith("_bare") and fact.registers > MAX_BARE_REGISTERS:
        yield f"{fact.name} takes {fact.registers} registers, at most {MAX_BARE_REGISTERS}"
    least = MIN_OF_FEWER if FEWER_IN_FLIGHT.match(fact.name) else MIN_BYTES_IN_FLIGHT
    if fact.in_flight_bytes is not None and fact.in_flight_bytes < least:
        yield f"{fact.name} has {fact.in_flight_bytes} bytes of loads in flight, at least {least}"


def summary(facts):
    for form in FORMS:
        rows = sorted((fact for fact in facts if fact.name.endswith(f"_{form}")),
                      key=lambda fact: (-fact.registers, fact.name))
        if rows:
            least = min(rows, key=lambda fact: fact.instructions)
            shown = ", ".join(f"{fact.name} {fact.registers}" for fact in rows[:LARGEST_SHOWN])
            print(f"  {form}: most registers {shown}")
            print(f"  {form}: fewest instructions {least.name} {least.instructions}; "
                  f"{sum(fact.frame_bytes > 0 for fact in rows)} entries with a frame")
        in_flight = collections.Counter(fact.in_flight_bytes for fact in rows if fact.in_flight_bytes is not None)
        if in_flight:
            shown = ", ".join(f"{count} of {size}" for size, count in sorted(in_flight.items()))
            print(f"  {form}: bytes of loads in flight: {shown}")


def check_image(image, names):
    size = len(image.elf.data)
    print(f"image {image.arch}: {len(image.entries)} entries, {size} bytes")
    problems = list(image.manifest_problems(names))
    if image.arch != "x86_64":
        facts = list(image.facts())
        summary(facts)
        problems += [problem for fact in facts for problem in entry_problems(fact)]
        if len(facts) != len(image.entries):
            problems.append(f"{len(facts)} entries described of {len(image.entries)}")
        if size > MAX_IMAGE_BYTES:
            problems.append(f"{size} bytes, at most {MAX_IMAGE_BYTES}")
    if image.arch.startswith("sm_"):
        problems += image.header_problems()
    for problem in problems:
        print(f"  PROBLEM {problem}")
    return len(problems)


def build(folder, source, drop, library):
    """Build a library of one file, compiled and linked as kernels are."""
    commands = json.loads((folder / "compile_commands.json").read_text())
    entry = next(entry for entry in commands if "/upsweep_kernels.dir/" in entry["command"])
    words = shlex.split(entry["command"])
    words[words.index(entry["file"])] = str(source.resolve())
    words[words.index("-o") + 1] = str(library)
    run([word for word in words if word not in ("-c", drop)] + ["-shared"])


def images_of(library):
    text = run(["llvm-objdump-19", "--offloading", str(library)])
    return [arch or "x86_64" for arch in re.findall(r"^arch[ ]*(\S*)$", text, re.MULTILINE)]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--gpu-sample", action="store_true")
    parser.add_argument("--families", type=lambda text: text.split(","))
    parser.add_argument("--rows", type=pathlib.Path, default=ROOT / "offload/kernels.def")
    parser.add_argument("--source", type=pathlib.Path)
    parser.add_argument("--drop")
    arguments = parser.parse_args()
    library = arguments.build / "libupsweep.so"
    if not library.is_file():
        stop(f"{library}: no such file")
    names = kernels(arguments.rows, families=arguments.families)
    names_on_gpu = kernels(arguments.rows, arguments.gpu_sample, arguments.families)
    if not names:
        stop(f"{arguments.rows}: no rows")
    with tempfile.TemporaryDirectory() as folder:
        if arguments.source and images_of(library):
            library = pathlib.Path(folder) / "libsource.so"
            build(arguments.build, arguments.source, arguments.drop, library)
        archs = images_of(library)
        if not archs:
            print("the library holds no device image")
            return 77
        failures = sum(check_image(Image(library, arch, folder), names if arch == "x86_64" else names_on_gpu)
                       for arch in archs)
    print(f"{len(names)} kernels, {len(archs)} images, {failures} problems")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
