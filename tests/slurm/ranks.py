#!/usr/bin/env python3
"""The job script of ranks under a Slurm of the test's own: a program over two nodes, by srun and by each library's mpiexec.

usage: ranks.py SCRIPT MPIEXEC:PROGRAM..."""

import pathlib
import subprocess
import sys

from cluster import Cluster, hindrance

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tool"))
from harness import Bench  # noqa: E402

JOB_SECONDS = 60
LINE = "4 ranks: -0x1.e844c6dd84271p+18"
# Two nodes that are one machine share no memory: Open MPI takes it for granted that ranks of one machine are of one node.
OPEN_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_btl": "tcp,self",
            "OMPI_MCA_btl_tcp_if_include": "lo"}
OPTIONS = ("--nodes=2", "--ntasks-per-node=2", "--cpus-per-task=1", "--gres=none", "--output=out.txt")


def submit(cluster, script, what, launch, program):
    """A job of a folder of its own."""
    folder = cluster.folder / what
    folder.mkdir()
    return cluster.submit(script, *OPTIONS, environment={**OPEN_MPI, **launch}, folder=folder, program=program)


def has_pmi2(cluster):
    return "pmi2" in cluster.run("srun", "--mpi=list").stdout


def is_mpich(mpiexec):
    return "HYDRA" in subprocess.run([mpiexec, "--version"], capture_output=True, text=True, check=False).stdout


def main():
    script, programs = pathlib.Path(sys.argv[1]), [one.split(":") for one in sys.argv[2:]]
    why = hindrance()
    if why:
        print(why)
        return 77
    bench = Bench("ranks")
    with Cluster(["n1", "n2"], 4) as cluster:
        jobs = {f"mpiexec-{k}": ({"LAUNCH": mpiexec}, [program]) for k, (mpiexec, program) in enumerate(programs)}
        if has_pmi2(cluster):
            jobs |= {f"srun-{k}": ({"MPI": "pmi2"}, [program]) for k, (mpiexec, program) in enumerate(programs)
                     if is_mpich(mpiexec)}
        jobs["nothing"] = ({}, [])
        numbers = {what: submit(cluster, script, what, *job) for what, job in jobs.items()}
        for what, number in numbers.items():
            codes = cluster.wait(number, JOB_SECONDS)
            output = (cluster.folder / what / "out.txt").read_text()
            if what == "nothing":
                bench.check(codes == ["FAILED 2:0"] and output.startswith("usage:"), f"without a program: {codes}\n{output}")
            else:
                bench.check(codes == ["COMPLETED 0:0"], f"{what}: {codes}\n{output}")
                bench.check(output.splitlines().count(LINE) == 1, f"{what}: no line '{LINE}' in:\n{output}")
    return bench.report()


if __name__ == "__main__":
    sys.exit(main())
