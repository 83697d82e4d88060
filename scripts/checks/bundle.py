#!/usr/bin/env python3
"""Checks tests over ranks of a bundle: how they are listed, and that bundle_run starts them by the MPI library that is there; and that it takes
the newer C++ library, the bundle's or the machine's.

    bundle.py BUILD_FOLDER C_COMPILER [KIND PROGRAM]...

KIND is mpich or openmpi, PROGRAM a program of the build's tests over ranks for it; their mpiexec are on the PATH."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ("awk bash cat cut dirname env grep head id ldd ln mkdir mktemp readlink rm sed sh sort tail timeout tr").split()
failures = 0


def check(is_right, what):
    global failures
    if not is_right:
        failures += 1
        print(f"bundle.py: {what}")


def listed(build, scratch):
    """The lines of the tests over ranks, by bundle_tests.py."""
    listing = scratch / "tests.json"
    listing.write_text(subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout)
    command = [SOURCE / "scripts/checks/bundle_tests.py", "--only", "mpi", listing, SOURCE, build]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    names = {test["name"] for test in json.loads(listing.read_text())["tests"]}
    check({line.split("\t")[0] for line in lines} <= names, "a test that ctest does not have")
    return lines


def check_list(lines, kinds):
    commands = [line.split("\t")[3] for line in lines]
    for command in commands:
        check(re.fullmatch(r"mpiexec[.](mpich|openmpi) -n \d+ tests/mpi_\w+ --ranks \d+( --place device:\w+)?", command), f"listed: {command}")
    check(not any("tsan" in command for command in commands), "a program under ThreadSanitizer is listed")
    for kind in kinds:
        check(any(command.startswith(f"mpiexec.{kind} -n 3 ") for command in commands), f"no test of {kind} with three ranks is listed")


def make_bundle(scratch, lines, build, programs):
    """A folder of a bundle's layout with some programs of the build and their tests."""
    root = scratch / "bundle"
    (root / "tests").mkdir(parents=True)
    shutil.copy(SOURCE / "scripts/bundle_run", root / "run")
    for program in programs:
        shutil.copy(program, root / "tests")
    own = {f"tests/{pathlib.Path(program).name}" for program in programs}
    (root / "tests.list").write_text("".join(f"{line}\n" for line in lines if own & set(line.split("\t")[3].split())))
    (root / "lib").mkdir()
    for library in pathlib.Path(build).glob("libupsweep*.so.*"):
        (root / "lib" / library.name).symlink_to(library)
    return root


def run(root, path):
    """Ends, and the line of each test."""
    environment = {**os.environ, "PATH": path, "TMPDIR": str(root.parent)}
    done = subprocess.run([root / "run", "--test", "mpi"], env=environment, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    return done.returncode, [line for line in lines if line.startswith(("pass", "skip", "FAIL"))], done.stdout + done.stderr


def tools_only(scratch, name):
    """A PATH without an mpiexec."""
    folder = scratch / name / "bin"
    folder.mkdir(parents=True)
    for tool in TOOLS:
        found = shutil.which(tool)
        if found:
            (folder / tool).symlink_to(found)
    return folder


def put_mpiexec(folder, version):
    script = folder / "mpiexec"
    script.write_text(f"#!/bin/sh\necho '{version}'\n")
    script.chmod(0o755)


def check_names(scratch, root):
    """A library with MPICH's ABI, whose name is libmpi.so.12, below the prefix of its launcher."""
    folder = tools_only(scratch, "compatible")
    mpich = shutil.which("mpiexec.mpich")
    library = next(pathlib.Path("/usr/lib").glob("*/libmpich.so.12"), None)
    if not (mpich and library):
        return
    (folder / "mpiexec").write_text(f'#!/bin/sh\nexec {mpich} "$@"\n')
    (folder / "mpiexec").chmod(0o755)
    (folder.parent / "lib").mkdir()
    (folder.parent / "lib/libmpi.so.12").symlink_to(library)
    ends, output = run(root, str(folder))[1:]
    passed = [end for end in ends if end.startswith("pass")]
    links = list(scratch.glob("upsweep-mpi-*/libmpich.so.12"))
    check(passed and links and links[0].resolve() == library.resolve(), f"a library with MPICH's ABI:\n{output}")


def check_newer(root):
    """Whether the machine's C++ library comes first depends on the bundle's."""
    for version, is_older in (("1", True), ("999", False)):
        (root / "lib/libstdc++.so.6").write_text(f"GLIBCXX_3.4.{version}\n")
        environment = {**os.environ, "TMPDIR": str(root.parent)}
        done = subprocess.run([root / "run", "printenv", "LD_LIBRARY_PATH"], env=environment, capture_output=True, text=True, check=False)
        first = pathlib.Path(done.stdout.split(":")[0]) / "libstdc++.so.6"
        check(first.is_symlink() == is_older and first.exists(), f"beside a C++ library 3.4.{version}: {done.stdout}{done.stderr}")
    (root / "lib/libstdc++.so.6").unlink()


def main(build, compiler, *pairs):
    kinds, programs = pairs[::2], pairs[1::2]
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        lines = listed(build, scratch)
        check_list(lines, kinds)
        root = make_bundle(scratch, lines, build, programs)
        code, ends, output = run(root, os.environ["PATH"])
        check(code == 0 and len(ends) >= 2 * len(kinds) and all(end.startswith("pass") for end in ends), f"with MPI:\n{output}")

        check_newer(root)
        none = tools_only(scratch, "none")
        code, ends, output = run(root, str(none))
        check(code != 0 and ends and all(re.match(r"skip  \S+: no mpiexec of \w+ on the PATH$", end) for end in ends), f"without MPI:\n{output}")
        put_mpiexec(none, "some launcher 1.0")
        code, ends, output = run(root, str(none))
        check(ends and all(end.endswith("is of another MPI library") for end in ends), f"another MPI library:\n{output}")

        other = tools_only(scratch, "other")
        put_mpiexec(other, "HYDRA build details:")
        (other.parent / "lib").mkdir()
        subprocess.run([compiler, "-shared", "-nostdlib", "-xc", "/dev/null", "-o", other.parent / "lib/libmpi.so.12"], check=True)
        code, ends, output = run(root, str(other))
        of_mpich = [end for end in ends if "_mpich" in end or kinds[0] == "mpich"]
        check("mpich" not in kinds or (of_mpich and all("does not fit: undefined symbol" in end for end in of_mpich)),
              f"an MPI library without functions:\n{output}")
        if "mpich" in kinds:
            check_names(scratch, root)
    return failures != 0


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
