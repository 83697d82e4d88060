#!/usr/bin/env python3
"""The job script under a Slurm of the test's own: what it leaves, what it says of failures, its exit status.

usage: jobs.py USW USW_BENCH SCRIPTS"""

import importlib.util
import json
import os
import pathlib
import shutil
import signal
import sys
import tarfile
import time

from cluster import POLL_SECONDS, Cluster, hindrance

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tool"))
from harness import Bench  # noqa: E402

TINY = {"PLACES": "host", "SUITE": "breadth", "LADDER": "1000",
        "BENCH_OPTIONS": "--kernels sum,min --types f64 --n 2^10,2^16 --repetitions 5 --peers off"}
JOB_SECONDS = 60
HAS_PAGES = importlib.util.find_spec("jinja2") is not None
FILES = ("bench-breadth-host.json", "bench-breadth-host.log", "environment.txt", "facts.txt", "info.log",
         "ladder-host.csv", "ladder-host.log", "lscpu.txt", "steps.tsv",
         *(["bench-breadth-host-report/report.html"] if HAS_PAGES else []))


def place_programs(root, usw, usw_bench, scripts):
    report = scripts.parent / "perf/report/usw-report"
    for name, program in (("bin/usw", usw), ("libexec/upsweep/usw-bench", usw_bench),
                          ("libexec/upsweep/usw-report", report)):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).symlink_to(program)


def place_scripts(folder, scripts):
    folder.mkdir(parents=True)
    for name in ("upsweep-suite.sbatch", "collect"):
        shutil.copy(scripts / "slurm" / name, folder)


def make_bundle(root, usw, usw_bench, scripts):
    """A folder of a bundle's layout, around programs of the build tree."""
    place_programs(root, usw, usw_bench, scripts)
    place_scripts(root / "slurm", scripts)
    shutil.copy(scripts / "bundle_run", root / "run")
    (root / "tests.list").write_text("tool.version\tquick\t-\tbin/usw --version\n")
    with tarfile.open(root.with_suffix(".tar.xz"), "w:xz") as archive:
        archive.add(root, root.name)


def make_prefix(root, usw, usw_bench, scripts):
    """An installation's."""
    place_programs(root, usw, usw_bench, scripts)
    place_scripts(root / "share/upsweep/slurm", scripts)


def steps_of(run):
    """{step: how it went}"""
    lines = [line.split("\t") for line in (run / "steps.tsv").read_text().splitlines()]
    return {line[0]: line[1] for line in lines[1:]}


def facts_of(run):
    return dict(line.split(": ", 1) for line in (run / "facts.txt").read_text().splitlines())


class Jobs:
    """Jobs that were submitted, and what became of them."""

    def __init__(self, bench, cluster, script):
        self.bench, self.cluster, self.script = bench, cluster, script

    def submit(self, name, *options, script=None, **variables):
        """Submits a job that works in a folder of its own; (id, folder)."""
        folder = self.bench.root / name
        folder.mkdir()
        job = self.cluster.submit(script or self.script, "--cpus-per-task=1", *options, folder=folder,
                                  environment={**TINY, **variables})
        return job, folder

    def ends(self, job, *codes):
        """Waits for a job; says what it printed where it ended another way."""
        job, folder = job
        found = self.cluster.wait(job, JOB_SECONDS)
        output = "\n".join(path.read_text() for path in sorted(folder.glob("*.out")))
        self.bench.check(found == sorted(codes), f"{folder.name} ended as {found}, not as {codes}:\n{output}")
        return output

    def runs(self, job, *names):
        """The folders of a job's results, whose names have to be those."""
        results = job[1] / f"upsweep-{job[0]}"
        self.bench.equal(sorted(names), sorted(path.name for path in results.glob("*-*/")), f"runs of {job[1].name}")
        report = (results / "report.txt").read_text() if (results / "report.txt").exists() else ""
        self.bench.check((results / "index.html").exists(), f"{job[1].name}: no index.html")
        return [results / name for name in names], report


def one_node(jobs, job, node):
    """Every step of a bundle's run, and its files."""
    jobs.ends(job, "COMPLETED 0:0")
    (run,), report = jobs.runs(job, f"{node}-{job[0]}")
    check, equal = jobs.bench.check, jobs.bench.equal
    equal({"info": "ok", "peers": "skipped", "tests": "ok", "selfcheck-host": "skipped", "bench-breadth-host": "ok",
           "report-breadth-host": "ok" if HAS_PAGES else "skipped", "ladder-host": "ok", "end": "ok"}, steps_of(run), "steps of a bundle")
    for name in FILES:
        check((run / name).stat().st_size > 0, f"{name} is empty")
    results = json.loads((run / "bench-breadth-host.json").read_text())["results"]
    equal([("sum", 1024), ("sum", 65536), ("min", 1024), ("min", 65536)],
          [(entry["kernel"], entry["n"]) for entry in results], "measured cells")
    facts = facts_of(run)
    equal((node, job[0], "1", "test"), tuple(facts[k] for k in ("node", "job", "host_threads", "partition")), "facts")
    check("SLURM_JOB_ID=" + job[0] in (run / "environment.txt").read_text(), "environment.txt lacks the job")
    check("tool.version" in (run / "tests.log").read_text(), "tests.log lacks the test")
    check("Nothing: every step passed" in report and "sum f64, n = 2^16" in report, f"report:\n{report}")


def failing(jobs, job):
    """A place that there is not: its steps fail, the others go on."""
    output = jobs.ends(job, "FAILED 1:0")
    (run,), report = jobs.runs(job, *[path.name for path in (job[1] / f"upsweep-{job[0]}").glob("*-*/")])
    steps = steps_of(run)
    jobs.bench.equal(("failed", "ok", "ok", "failed"), tuple(steps[name] for name in (
        "bench-breadth-moon", "bench-breadth-host", "ladder-host", "end")), "steps of a failing job")
    for text, what in ((output, "the job's output"), (report, "the report")):
        jobs.bench.check("bench-breadth-moon" in text and "moon" in text.replace("-moon", ""), f"{what} lacks the failure")


def array(jobs, job):
    jobs.ends(job, "COMPLETED 0:0", "COMPLETED 0:0")
    results = job[1] / f"upsweep-{job[0]}"
    names = sorted(path.name for path in results.glob("*-*/"))
    jobs.bench.equal([f"{job[0]}_0", f"{job[0]}_1"], sorted(name.split("-")[1] for name in names), "tasks of the array")
    runs, report = jobs.runs(job, *names)
    for run in runs:
        jobs.bench.equal("ok", steps_of(run).get("end"), f"end of {run.name}")
    jobs.bench.check(report.startswith("Upsweep's suite: 2 runs"), f"report:\n{report}")


def two_nodes(jobs, job):
    jobs.ends(job, "COMPLETED 0:0")
    runs, report = jobs.runs(job, f"node1-{job[0]}", f"node2-{job[0]}")
    for run in runs:
        jobs.bench.equal(("ok", "skipped"), (steps_of(run).get("end"), steps_of(run).get("tests")), f"steps of {run.name}")
    jobs.bench.check("2 runs on 2 nodes" in report and "Cells beyond 5 %" in report, f"report:\n{report}")


def told_to_stop(jobs, job):
    """A signal in the middle of a step on both nodes, as before the end of the job's time."""
    results = job[1] / f"upsweep-{job[0]}"
    end = time.monotonic() + JOB_SECONDS
    while len(list(results.glob("*/bench-breadth-host.log"))) < 2 and time.monotonic() < end:
        time.sleep(POLL_SECONDS)
    jobs.cluster.run("scancel", "--batch", "--signal=TERM", job[0])
    jobs.ends(job, "FAILED 1:0")
    runs, report = jobs.runs(job, f"node1-{job[0]}", f"node2-{job[0]}")
    for run in runs:
        steps = steps_of(run)
        jobs.bench.equal(("ok", "cut", "cut", "failed"), tuple(steps.get(name) for name in (
            "info", "bench-breadth-host", "ladder-host", "end")), f"steps of {run.name}, told to stop")
    jobs.bench.equal(2, report.count("bench-breadth-host cut"), f"cut steps in the report:\n{report}")


def main(usw, usw_bench, scripts):
    why_not = hindrance()
    if why_not:
        print(why_not)
        return 77
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("told to stop"))  # the daemons first
    bench = Bench(usw)
    bundle, prefix, scripts = bench.root / "bundle", bench.root / "prefix", pathlib.Path(scripts)
    make_bundle(bundle, usw, usw_bench, scripts)
    make_prefix(prefix, usw, usw_bench, scripts)
    with Cluster(["node1", "node2"], len(os.sched_getaffinity(0))) as cluster:
        jobs = Jobs(bench, cluster, bundle / "slurm/upsweep-suite.sbatch")
        # All are in the queue at once: each takes the GPU of a node or two.
        stopped = jobs.submit("stopped", "--nodes=2", BENCH_OPTIONS="--kernels sum --types f64 --n 2^24 --repetitions 5000")
        one = jobs.submit("one", "--nodelist=node1", PEERS="build", TESTS="quick")
        fails = jobs.submit("fails", PLACES="moon host", UPSWEEP=str(prefix))
        nothing = jobs.submit("nothing", UPSWEEP=str(bench.root))
        tasks = jobs.submit("array", "--array=0-1", UPSWEEP=str(bundle.with_suffix(".tar.xz")))
        both = jobs.submit("both", "--nodes=2", TESTS="quick",
                           script=prefix / "share/upsweep/slurm/upsweep-suite.sbatch")
        told_to_stop(jobs, stopped)
        one_node(jobs, one, "node1")
        failing(jobs, fails)
        bench.check("is neither a bundle" in jobs.ends(nothing, "FAILED 2:0"), "nothing to run: not said")
        array(jobs, tasks)
        two_nodes(jobs, both)
        if bench.failures:
            print(cluster.logs())
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
