#!/usr/bin/env python3
"""The collector, over results that are made up: slower nodes, wrong results, failed steps, files that are none.

usage: collect.py COLLECT"""

import ast
import html.parser
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tool"))
from harness import Bench  # noqa: E402

OLDEST_PYTHON = (3, 6)
LENGTHS = (1 << 10, 1 << 20, 1 << 28)
TIMES_US = {1 << 10: 8.0, 1 << 20: 12.0, 1 << 28: 480.0}
VOID = {"meta", "br"}


class Page(html.parser.HTMLParser):
    """Checks that elements are closed in their order; keeps links and text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.links, self.text, self.is_sound = [], [], "", True
        self.feed(text)
        self.is_sound = self.is_sound and not self.open

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        self.links += [value for name, value in attributes if name == "href"]

    def handle_endtag(self, tag):
        self.is_sound = bool(self.open) and self.open.pop() == tag and self.is_sound

    def handle_data(self, data):
        self.text += data


def entry(kernel, n, time, competitor="auto", wrong=0):
    return {"place": "gpu", "suite": "functions", "kernel": kernel, "type": "f64", "n": n, "bytes": 8 * n,
            "competitor": competitor, "peer": competitor != "auto", "repetitions": 5, "first_quartile_us": time,
            "median_us": time, "third_quartile_us": time, "gb_per_s": 8 * n / time * 1e-3, "wrong_results": wrong}


def make_run(results, name, factors=None, wrong=0, failed=None, driver="580.1", kernels=("sum", "dot")):
    """A run of that name, NODE-JOB, whose times are multiplied by a factor for some lengths."""
    folder = results / name
    folder.mkdir(parents=True)
    node = name.split("-")[0]
    (folder / "facts.txt").write_text(f"node: {node}\njob: 1\nprocessor: Some <CPU>\ngpu: Some GPU\n"
                                      f"gpu_uuid: GPU-{node}0123456789\ndriver: {driver}\nsystem: Linux 6\n")
    steps = [("info", "ok", "0", "1", ""), ("bench-functions-gpu", "ok", "0", "30", "")]
    steps += [(failed, "failed", "3", "2", "usw: no <such> thing")] if failed else []
    steps += [("peers", "skipped", "77", "0", "no nvcc"), ("end", "failed" if failed else "ok", "-", "33", "")]
    (folder / "steps.tsv").write_text("\n".join("\t".join(step) for step in
                                                [("step", "how", "status", "seconds", "text"), *steps]) + "\n")
    entries = []
    for kernel in kernels:
        for n in LENGTHS:
            time = TIMES_US[n] * (factors or {}).get(n, 1)
            entries += [entry(kernel, n, time, wrong=wrong), entry(kernel, n, 0.9 * time, "read"),
                        entry(kernel, n, 1.25 * time, "cub")]
            wrong = 0
    context = {"device": "Some GPU", "driver": driver, "commit": "abc", "command": "usw-bench --suite functions"}
    (folder / "bench-functions-gpu.json").write_text(json.dumps({"context": context, "results": entries}))
    (folder / "ladder-gpu.csv").write_text("# place: gpu\nrung,title,gb_per_s,is_best,wrong_results\n"
                                           "0,interleaved,1300.0,1,0\n4,unrolled,3800.5,1,0\n4,unrolled,3700.0,0,0\n")
    return folder


class Collector:
    def __init__(self, bench):
        self.bench, self.cases = bench, 0

    def results(self):
        self.cases += 1
        return self.bench.root / f"results-{self.cases}"

    def report(self, results, *options, code=0, output=None):
        """The report as text and as a page, once the exit status is right."""
        output = output or results
        run = self.bench.run(*options, command=str(results))
        self.bench.check(run.returncode == code, f"{results.name}: exit status {run.returncode}, expected {code}: "
                                                 f"{run.stdout.decode()}{run.stderr.decode()}")
        text = (output / "report.txt").read_text()
        self.bench.equal(text, run.stdout.decode(), f"{results.name}: printed")
        page = Page((output / "index.html").read_text())
        self.bench.check(page.is_sound, f"{results.name}: elements of index.html: {page.open}")
        for link in page.links:
            self.bench.check((output / link).exists(), f"{results.name}: a link to {link}")
        return text, page

    def has(self, text, *words):
        for word in words:
            self.bench.check(word in text, f"no '{word}' in:\n{text}")


def one_node(collector):
    results = collector.results()
    make_run(results, "a-1")
    text, page = collector.report(results)
    collector.has(text, "1 run on 1 node", "Nothing: every step passed", "functions sum f64, n = 2^28", "480.00", "90 %",
                  "cub", "600.00", "0.80", "3800.5", "skipped: peers: no nvcc")
    collector.has(page.text, "Some <CPU>", "All 6 cells")
    collector.bench.check("slower" not in text and "3700" not in text, f"one node is compared:\n{text}")
    elsewhere = collector.bench.root / "elsewhere"
    same, _ = collector.report(results / "a-1", "--output", str(elsewhere), output=elsewhere)
    collector.bench.equal(text, same, "a single run, reported elsewhere")


def slower_node(collector):
    """Of four nodes one is slow at 2^28, and one at a single cell only. Runs of one node count once."""
    results = collector.results()
    make_run(results, "a-1")
    make_run(results, "a-2", {1 << 28: 1.02})
    make_run(results, "b-1", {1 << 28: 1.01})
    make_run(results, "c-1", {1 << 28: 1.12})
    make_run(results, "d-1", driver="580.2")
    text, _ = collector.report(results)
    collector.has(text, "5 runs on 4 nodes", "! c GPU-c0123456 is slower than the others at n = 2^28: +11 % (median of 2 cells)",
                  "Cells beyond 5 %: 2 of 24", "drivers differ: 580.1, 580.2", "537.60 *+11 %")
    collector.bench.equal(1, text.count("is slower than"), "slower nodes")
    collector.report(results, "--strict", code=1)
    text, _ = collector.report(results, "--strict", "--limit", "20")
    collector.bench.check("is slower than" not in text, f"slower than by 20 %:\n{text}")


def two_nodes(collector):
    """With two, each is compared with the other: the slow one stands out by all that it is slower."""
    results = collector.results()
    make_run(results, "a-1", {1 << 20: 1.06})
    make_run(results, "b-1")
    text, _ = collector.report(results)
    collector.has(text, "! a GPU-a0123456 is slower than the others at n = 2^20: +6 %")


def not_right(collector):
    results = collector.results()
    make_run(results, "a-1", wrong=3)
    make_run(results, "b-1", failed="selfcheck-gpu")
    broken = make_run(results, "c-1")
    (broken / "bench-functions-gpu.json").write_text('{"context": {')
    text, page = collector.report(results, code=1)
    collector.has(text, "a-1: bench-functions-gpu.json: 3 wrong results of functions sum f64, n = 2^10, by auto",
                  "b-1: selfcheck-gpu failed (exit status 3): usw: no <such> thing",
                  "c-1: bench-functions-gpu.json cannot be read")
    collector.has(page.text, "usw: no <such> thing")
    for what, change in (("cut off", lambda run: (run / "steps.tsv").write_text("step\thow\tstatus\tseconds\ttext\n")),
                         ("no facts", lambda run: (run / "facts.txt").unlink()),
                         ("a list", lambda run: (run / "bench-functions-gpu.json").write_text("[]")),
                         ("no rungs", lambda run: (run / "ladder-gpu.csv").write_text("a,b\n1,2\n")),
                         ("wrong rung", lambda run: (run / "ladder-gpu.csv").write_text(
                             "rung,title,gb_per_s,is_best,wrong_results\n0,zero,1,1,2\n")),
                         ("no results", lambda run: (run / "bench-functions-gpu.json").write_text(
                             '{"context": {}, "results": []}'))):
        results = collector.results()
        change(make_run(results, "a-1"))
        text, _ = collector.report(results, code=1)
        collector.has(text, "! a-1: ")


def plots(collector):
    """Pages that `usw report FILE FOLDER` makes are linked; where it cannot, the report stands without."""
    results = collector.results()
    make_run(results, "a-1")
    fake = collector.bench.root / "usw"
    fake.write_text('#!/bin/sh\n[ "$1 $#" = "report 3" ] && [ -s "$2" ] && mkdir "$3" && echo plots >"$3/report.html"\n')
    fake.chmod(0o755)
    _, page = collector.report(results, "--usw", f"env {fake}")
    collector.bench.check(any(link.endswith("report/report.html") for link in page.links), f"links: {page.links}")
    shutil.rmtree(results / "a-1/bench-functions-gpu-report")
    _, page = collector.report(results, "--usw", "false")
    collector.bench.check(not any(link.endswith("report.html") for link in page.links), f"links: {page.links}")


def clocks(collector):
    """What held the GPU back is in the report."""
    results = collector.results()
    path = make_run(results, "a-1") / "bench-functions-gpu.json"
    measured = json.loads(path.read_text())
    measured["context"]["clocks"] = {"sm_mhz": 1200, "sm_most_mhz": 1980, "temperature_c": 86, "power_w": 310.4,
                                     "held_back_by": ["heat"]}
    path.write_text(json.dumps(measured))
    text, _ = collector.report(results)
    collector.has(text, "SM 1200 of 1980 MHz, power 310 W, 86 degrees, held back by heat")


def main(program):
    bench = Bench(str(pathlib.Path(program).resolve()))
    try:
        ast.parse(pathlib.Path(program).read_text(), feature_version=OLDEST_PYTHON)
    except SyntaxError as error:
        bench.check(False, f"not Python {OLDEST_PYTHON}: {error}")
    collector = Collector(bench)
    one_node(collector)
    slower_node(collector)
    two_nodes(collector)
    not_right(collector)
    plots(collector)
    clocks(collector)
    run = bench.run(command=str(bench.root / "nowhere"))
    bench.check(run.returncode == 2 and not run.stdout and b"no folder with steps.tsv" in run.stderr, f"nowhere: {run}")
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
