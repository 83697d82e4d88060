#!/usr/bin/env python3
"""usw bench --from FILE --report FOLDER: the page and its plots, of a measurement made here and of ones written by hand.

usage: report.py USW"""

import html.parser
import json
import os
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree

from harness import Bench

VOID = {"meta", "br", "hr", "link", "img", "input"}
OPTIONAL = {"li", "p", "td", "th", "tr"}  # whose end may be left out


class Page(html.parser.HTMLParser):
    """The text of a page outside of plots, its tables, and tags that do not fit together."""

    def __init__(self, text):
        super().__init__()
        self.open, self.wrong, self.texts, self.rows, self.links = [], [], [], [], []
        self.feed(text)
        self.wrong += [tag for tag in self.open if tag not in OPTIONAL]

    def handle_starttag(self, tag, attributes):
        self.links += [value for key, value in attributes if key in ("src", "href") and tag != "use"]
        if tag in VOID:
            return
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL:
            self.open.pop()
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        if "svg" in self.open or "style" in self.open:
            return
        self.texts.append(data)
        inside = [tag for tag in self.open if tag in ("td", "th", "table")]
        if inside and inside[-1] in ("td", "th"):
            self.rows[-1][-1] += data.strip()

    def text(self):
        return " ".join(" ".join(self.texts).split())


def report(bench, file, folder="report", **more):
    return bench.run("--from", file, "--report", folder, command="bench", **more)


def page(bench, folder="report"):
    """The page, checked: it stands alone, and what names things in it is unique."""
    text = (bench.root / folder / "report.html").read_text()
    read = Page(text)
    bench.equal([], read.wrong, f"{folder}: tags")
    bench.equal([], [link for link in read.links if not link.startswith("#")], f"{folder}: links to elsewhere")
    names = re.findall(r"\bid=[\"']([^\"']+)", text)
    bench.equal(len(names), len(set(names)), f"{folder}: names that are there twice")
    bench.check(set(re.findall(r"href=[\"']#([^\"']+)", text)) <= set(names), f"{folder}: references")
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        xml.etree.ElementTree.fromstring(svg)
    bench.check(not list((bench.root / folder).glob("*.svg")), f"{folder}: SVG files are left over")
    return text, read


def plots(bench, text, folder, names):
    if not shutil.which("gnuplot"):
        return
    there = sorted(path.stem for path in (bench.root / folder).glob("*.png"))
    bench.equal(sorted(names), there, f"{folder}: plots")
    bench.equal(len(names), text.count("<svg"), f"{folder}: plots in the page")
    for path in (bench.root / folder).glob("*.png"):
        data = path.read_bytes()
        bench.check(data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 3000, f"{path.name}: {len(data)} bytes")


def measured_here(bench):
    """Numbers of the page are those of the file."""
    run = bench.run("--place=host", "--kernels=sum,min", "--types=f64,f32", "--n=1,2^10,2^16", "--strategies=auto", "--repetitions=11",
                    "--json=host.json", command="bench")
    bench.check(run.returncode == 0, f"{run.stderr.decode()}")
    run = report(bench, "host.json")
    says = [] if shutil.which("gnuplot") else ["no gnuplot"]
    bench.check(run.returncode == 0 and len(run.stderr.splitlines()) == len(says), run.stderr.decode())
    text, read = page(bench)
    results = json.loads((bench.root / "host.json").read_text())["results"]
    names = ["host-share"] + [f"host-{kind}-{kernel}_{tag}" for kind in ("time", "short") for kernel in ("sum", "min")
                              for tag in ("f64", "f32") if kind == "time" or (kernel, tag) != ("min", "f32")]
    peers = {row["competitor"] for row in results if row["peer"]} - {"read", "copy"}
    plots(bench, text, "report", names + [f"host-against_{peer}" for peer in sorted(peers)])
    for n, shown in ((1, "1"), (1024, "2^10"), (65536, "2^16")):
        own = min(row["median_us"] for row in results if row["kernel"] == "sum" and row["type"] == "f64" and
                  row["n"] == n and row["competitor"] == "auto")
        rows = [row for row in read.rows if row[:2] == ["sum f64", shown] and row[2] == f"{own:.2f}"]
        bench.check(len(rows) >= 2, f"sum f64, n = {n}: {own:.2f} is in {len(rows)} rows")
    fastest = max(row["gb_per_s"] for row in results if not row["peer"] and row["competitor"] == "auto")
    bench.check(f"reads up to {fastest:.4g} GB/s" in read.text(), f"{fastest}: {read.text()[:400]}")


TIMES = {"read": (9, 4600), "auto": (10, 4400), "copy": (9, 2300), "cub": (8, 4450), "cub+copy": (20, 4400),
         "cub_gpu_only": (4, 4480), "cublas": (25, 4300), "plain_clause": (30, 800)}


def entry(kernel, kind, n, competitor, **more):
    latency, rate = TIMES[competitor]
    time = latency + n * 8e-3 / rate
    made = {"place": "gpu", "kernel": kernel, "type": kind, "n": n, "competitor": competitor, "peer": competitor != "auto",
            "repetitions": 11, "median_us": time, "first_quartile_us": 0.9 * time, "third_quartile_us": 1.1 * time,
            "gb_per_s": n * 8e-3 / time, "wrong_results": 0}
    return {**made, **more}


def save(bench, name, results, **context):
    context = {"device": "A <b> & 'co\"", "driver": "1", "command": "usw-bench --n <all>", **context}
    return bench.write(name, json.dumps({"context": context, "results": results}).encode())


def written_by_hand(bench):
    """A GPU with all peers; text that has to be escaped; two places and an application's suite."""
    results = [entry(kernel, kind, n, competitor) for kernel in ("sum", "argmin", "de<scribe>") for kind in ("f64", "f32", "i8")
               for n in (1, 1 << 10, 1 << 20, 1 << 28) for competitor in TIMES]
    results += [entry("dot", "f64", 1 << 20, "auto", place="host"), entry("dot", "f64", 1 << 20, "cublas", place="host")]
    results += [{**entry("x_1", "", 5, "auto", suite="apps"), "type": ""}]
    bench.equal(0, report(bench, save(bench, "gpu.json", results), "gpu").returncode, "a GPU's file")
    text, read = page(bench, "gpu")
    bench.check("A <b> & 'co\"" in read.text() and "usw-bench --n <all>" in read.text(), "escaped texts")
    bench.check("<b>" not in text and "<all>" not in text and "de<scribe>" not in text, "texts that are not escaped")
    for words in ("Place: gpu", "Place: host", "Against the fastest peer of each of 36 cells",
                  "it is ahead in 0, level within 3 % in 9 and behind in 27", "of a plain read of the same bytes",
                  "furthest behind in sum f64 at n = 1 (1.25 times the time of cub)", "9 of 9 at 1, 9 of 9 at 2^10",
                  "0 of 9 at 2^28", "cub 1.23"):
        bench.check(words in read.text(), f"no '{words}' in {read.text()[:1500]}")
    bench.equal(27, sum(row[4:5] == ["cub"] for row in read.rows), "rows of cells behind")
    lone = save(bench, "lone.json", [entry("sum", "f64", 1 << 20, "auto")])
    bench.equal(0, report(bench, lone, "lone").returncode, "one cell")
    text, read = page(bench, "lone")
    bench.check("There is no peer in this file" in read.text(), read.text()[:300])
    plots(bench, text, "lone", ["gpu-share"])
    nothing = save(bench, "nothing.json", [entry("sum", "f64", 0, "auto"), entry("sum", "f64", 0, "cub"),
                                           entry("min", "f64", 4, "cub")])
    bench.equal(0, report(bench, nothing, "nothing").returncode, "n = 0, and a cell without Upsweep")
    page(bench, "nothing")


def no_gnuplot(bench):
    """The page is there without plots, and says so."""
    run = report(bench, "host.json", "plain", environment={**os.environ, "PATH": str(bench.root)})
    lines = run.stderr.decode().splitlines()
    bench.check(run.returncode == 0 and len(lines) == 1 and "no gnuplot" in lines[0], f"{run.returncode}, {lines}")
    text, read = page(bench, "plain")
    bench.check("There are no plots" in read.text() and "<svg" not in text and len(read.rows) > 20, read.text()[:300])
    bench.equal(["report.html"], [path.name for path in (bench.root / "plain").iterdir()], "files")


def errors(bench):
    bench.fails("--from", "none.json", "--report", "x", says="none.json: cannot be read", command="bench")
    bench.fails("--from", save(bench, "wrong.json", [entry("sum", "f64", 1, "auto", wrong_results=1)]), "--report", "x",
                says="'wrong_results' is not 0", command="bench")
    bench.fails("--from", "host.json", "--report", "host.json", says="host.json", code=1, command="bench")
    bench.fails("--from", "host.json", "--report", "no/x", says="no/x", code=1, command="bench")
    bench.check(not (bench.root / "x").exists(), "a folder of a bad file")
    for arguments in (("--from", "host.json"), ("--from",), ("--from", "host.json", "--moon", "x")):
        run = bench.run(*arguments, command="bench")
        bench.check(run.returncode == 2 and run.stderr.startswith(b"usage: usw bench --from"), f"{arguments}")


def main(program):
    bench = Bench(str(pathlib.Path(program).resolve()))
    for test in (measured_here, written_by_hand, no_gnuplot, errors):
        test(bench)
    if not shutil.which("gnuplot"):
        print("no gnuplot: plots were not looked at")
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
