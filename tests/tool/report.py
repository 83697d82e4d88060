#!/usr/bin/env python3
"""`usw report` of a suite: the page and its plots, of a measurement made here and of ones written by hand.

usage: report.py USW"""

import html.parser
import json
import os
import pathlib
import re
import sys
import xml.etree.ElementTree

from harness import REPORT_PACKAGES, Bench, lacks_report_packages

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


def report(bench, *arguments, **more):
    return bench.run(*arguments, command="report", **more)


def makes(bench, file, folder, *options):
    """The page of a run that has to succeed without a word."""
    run = report(bench, file, folder, *options)
    bench.check(run.returncode == 0 and not run.stdout and not run.stderr, f"{folder}: {run.stderr.decode()}")
    return page(bench, folder)


def page(bench, folder):
    """The page, checked: it needs no other file, and what names things in it is unique."""
    text = (bench.root / folder / "report.html").read_text()
    read = Page(text)
    bench.equal([], read.wrong, f"{folder}: tags")
    bench.equal([], [link for link in read.links if not link.startswith("#")], f"{folder}: links to elsewhere")
    names = re.findall(r"\bid=[\"']([^\"']+)", text)
    bench.equal(len(names), len(set(names)), f"{folder}: names that are there twice")
    used = set(re.findall(r"href=[\"']#([^\"']+)", text)) | set(re.findall(r"url\(#([^)]+)\)", text))
    bench.check(used <= set(names), f"{folder}: names that are not there: {used - set(names)}")
    for svg in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        xml.etree.ElementTree.fromstring(svg)
    return text, read


def plots(bench, text, folder, names):
    """Each plot is in the page and is two files."""
    for ending in ("png", "svg"):
        there = sorted(path.stem for path in (bench.root / folder).glob(f"*.{ending}"))
        bench.equal(sorted(names), there, f"{folder}: {ending} files")
    bench.equal(len(names), text.count("<svg"), f"{folder}: plots in the page")
    for name in names:
        data = (bench.root / folder / f"{name}.png").read_bytes()
        bench.check(data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 3000, f"{name}: {len(data)} bytes")
        xml.etree.ElementTree.parse(bench.root / folder / f"{name}.svg")


def measured_here(bench):
    """Numbers of the page are those of the file."""
    run = bench.run("--place=host", "--kernels=sum,min", "--types=f64,f32", "--n=1,2^10,2^16", "--strategies=auto",
                    "--repetitions=11", "--json=host.json", command="bench")
    bench.check(run.returncode == 0, f"{run.stderr.decode()}")
    text, read = makes(bench, "host.json", "report")
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
LENGTHS, PEERS = (1, 1 << 10, 1 << 20, 1 << 28), ("cub", "cub+copy", "cublas", "plain_clause")


def time_of(competitor, n):
    latency, rate = TIMES[competitor]
    return latency + n * 8e-3 / rate


def entry(kernel, kind, n, like, **more):
    """A result as that competitor would have it, with changes."""
    time = time_of(like, n)
    made = {"place": "gpu", "kernel": kernel, "type": kind, "n": n, "competitor": like, "peer": like != "auto",
            "repetitions": 11, "median_us": time, "first_quartile_us": 0.9 * time, "third_quartile_us": 1.1 * time,
            "gb_per_s": n * 8e-3 / time, "wrong_results": 0}
    return {**made, **more}


def save(bench, name, results, **context):
    context = {"device": "A <b> & 'co\"", "driver": "1", "command": "usw-bench --n <all>", **context}
    return bench.write(name, json.dumps({"context": context, "results": results}).encode())


def has(bench, read, *texts):
    for words in texts:
        bench.check(words in read.text(), f"no '{words}' in {read.text()[:1500]}")


def written_by_hand(bench):
    """A GPU with all peers; text that has to be escaped; two places and an application's suite."""
    results = [entry(kernel, kind, n, competitor) for kernel in ("sum", "argmin", "de<scribe>")
               for kind in ("f64", "f32", "i8") for n in LENGTHS for competitor in TIMES]
    results += [entry("dot", "f64", 1 << 20, competitor, place="host") for competitor in ("auto", "cublas")]
    results += [{**entry("x_1", "", 5, "auto", suite="apps"), "type": ""}]
    text, read = makes(bench, save(bench, "gpu.json", results), "gpu")
    bench.check("A <b> & 'co\"" in read.text() and "usw-bench --n <all>" in read.text(), "escaped texts")
    bench.check("<b>" not in text and "<all>" not in text and "de<scribe>" not in text, "texts that are not escaped")
    has(bench, read, "Place: gpu", "Place: host", "Against the fastest peer of each of 36 cells",
        "it is ahead in 0, level within 3 % in 9 and behind in 27", "of a plain read of the same bytes",
        "furthest behind in sum f64 at n = 1 (1.25 times the time of cub)", "9 of 9 at 1, 9 of 9 at 2^10",
        "0 of 9 at 2^28", "cub 1.23", "Against peers", "Speed of long calls")
    bench.equal(27, sum(row[4:5] == ["cub"] for row in read.rows), "rows of cells behind")
    bench.check(["cub", "36", "0", "9", "27"] in [row[:5] for row in read.rows], "the row of cub")
    behind = sum(time_of("auto", n) > 1.03 * time_of(peer, n) for n in LENGTHS for peer in PEERS)
    bench.equal((6 + 9) * behind, text.count('<td class="behind">'), "marked ratios of 6 main and of all 9 series")
    bench.check(any(row[:2] == ["apps x_1", "5"] for row in read.rows), "an application's row")


def few_cells(bench):
    """One cell; n = 0; a cell without Upsweep; lengths that are no powers of two; quartiles on the wrong side."""
    text, read = makes(bench, save(bench, "lone.json", [entry("sum", "f64", 1 << 20, "auto")]), "lone")
    has(bench, read, "There is no peer in this file")
    plots(bench, text, "lone", ["gpu-share"])
    makes(bench, save(bench, "nothing.json", [entry("sum", "f64", 0, "auto"), entry("sum", "f64", 0, "cub"),
                                              entry("min", "f64", 4, "cub")]), "nothing")
    text, read = makes(bench, save(bench, "peer.json", [entry("sum", "f64", 4, "cub")]), "peer")
    has(bench, read, "Nothing of Upsweep was measured here")
    plots(bench, text, "peer", [])
    odd = [entry("sum", "f64", n, competitor, first_quartile_us=1000) for n in (0, 3, 1000) for competitor in TIMES]
    text, read = makes(bench, save(bench, "odd.json", odd), "odd")
    plots(bench, text, "odd", ["gpu-share", "gpu-time-sum_f64", "gpu-short-sum_f64"] + [
        f"gpu-against_{peer}" for peer in PEERS])
    sums = [entry(kernel, "f64", 1 << 20, competitor) for kernel in ("sum", "min") for competitor in ("auto", "cub")]
    text, read = makes(bench, save(bench, "rows.json", sums), "rows")
    plots(bench, text, "rows", ["gpu-share", "gpu-against_cub"])


def own_entries(bench):
    """Of Upsweep's own entries the page shows `auto` at the default accuracy, or else the fastest."""
    results = [entry("sum", "f64", 8, "auto", accuracy=accuracy, median_us=time)
               for accuracy, time in (("repeatable", 20), ("fast", 10), ("exact", 5))]
    results += [entry(kernel, "f64", 8, "auto", competitor=name, median_us=time)
                for kernel, name, time in (("sum", "tree", 15), ("min", "tree", 7), ("min", "atomic", 6))]
    results += [entry("max", "f64", 8, "auto", accuracy="exact")]
    _, read = makes(bench, save(bench, "own.json", results), "own", "--no-plots")
    bench.equal([["sum f64", "8", "20.00"], ["min f64", "8", "6.00"]],
                [row[:3] for row in read.rows if row and row[0].endswith("f64")], "rows of Upsweep")


def shares(bench):
    """Without the read kernel shares are of the memory's peak, or of the highest rate."""
    fast = [entry("sum", "f64", 1 << 20, "auto", gb_per_s=2400), entry("min", "f64", 1 << 20, "auto", gb_per_s=1200)]
    for name, context, place, words, share in (
            ("known", {"device": "NVIDIA H200"}, "gpu", "of the memory's peak rate", "25 %"),
            ("said", {"peak_gb_per_s": 3000}, "gpu", "of the memory's peak rate", "40 %"),
            ("unknown", {}, "gpu", "of the highest rate in this file", "50 %"),
            ("on_host", {"device": "NVIDIA H200"}, "host", "of the highest rate in this file", "50 %")):
        file = save(bench, f"{name}.json", [{**row, "place": place} for row in fast], **context)
        _, read = makes(bench, file, name, "--no-plots")
        has(bench, read, f"Share: {words}")
        found = [[row[0], row[4]] for row in read.rows if len(row) == 5]
        bench.check(["min f64", share] in found, f"{name}: {found}")


def odd_texts(bench):
    """Letters that neither HTML nor SVG can hold, and signs of formulas, do no harm."""
    results = [entry("a$b$\x01\x1b\ud800", "f64", n, name) for n in (1, 1024) for name in ("auto", "cub")]
    results += [entry("sum", "f64", n, "cub", competitor="$x_1$") for n in (1, 1024)]
    text, read = makes(bench, save(bench, "texts.json", results, command="a\x00b"), "texts")
    bench.check("a$b$? f64: us over n" in text and "ab" in read.text(), "cleaned texts")
    bench.check(not re.search("[\x00-\x08\x0b-\x1f]", text), "control characters")


def same_bytes(bench):
    """The same file gives the same bytes."""
    makes(bench, "odd.json", "again")
    files = [{path.name: path.read_bytes() for path in (bench.root / folder).iterdir()} for folder in ("odd", "again")]
    bench.check(files[0] == files[1] and len(files[0]) > 5, "two runs differ")


def no_plots(bench):
    """The page is there without plots, and says so."""
    text, read = makes(bench, "host.json", "plain", "--no-plots")
    bench.check("There are no plots" in read.text() and "<svg" not in text and len(read.rows) > 20, read.text()[:300])
    bench.equal(["report.html"], [path.name for path in (bench.root / "plain").iterdir()], "files")


def missing_packages(bench):
    """One line that names the package, and no folder; without Matplotlib there is a page without plots."""
    for package in REPORT_PACKAGES:
        (bench.root / package).mkdir()
        bench.write(f"{package}/{package}.py", b"raise ImportError\n")
        environment = {**os.environ, "PYTHONPATH": str(bench.root / package)}
        run = report(bench, "host.json", "lacking", environment=environment)
        lines = run.stderr.decode().splitlines()
        says = len(lines) == 1 and f"python3-{package}" in lines[0]
        bench.check(run.returncode == 1 and says, f"{run.returncode}, {lines}")
        bench.check(not (bench.root / "lacking").exists(), f"a folder without {package}")
        run = report(bench, "host.json", f"no_{package}", "--no-plots", environment=environment)
        bench.equal(0 if package == "matplotlib" else 1, run.returncode, f"--no-plots without {package}")


def errors(bench):
    good = entry("sum", "f64", 1, "auto")
    for name, changes, says in (("wrong", {"wrong_results": 1}, "'wrong_results' is not 0"),
                                ("null", {"median_us": None}, "'median_us' is no number"),
                                ("zero", {"median_us": 0}, "'median_us' is out of range"),
                                ("huge", {"median_us": 10**400}, "'median_us' is out of range"),
                                ("nan", {"median_us": float("nan")}, "'median_us' is out of range"),
                                ("true", {"gb_per_s": True}, "'gb_per_s' is no number"),
                                ("half", {"n": 0.5}, "'n' is no length"),
                                ("long", {"n": 2**63}, "'n' is no length"),
                                ("peer", {"peer": 1}, "'peer' is neither true nor false"),
                                ("kernel", {"kernel": ""}, "'kernel' is no text"),
                                ("form", {"form": 7}, "'form' is no text")):
        file = save(bench, f"{name}.json", [good, {**good, **changes}])
        bench.fails(file, "x", says=(f"{name}.json: result 2: {says}",), command="report")
    for key in ("place", "kernel", "n", "competitor", "peer", "median_us", "wrong_results"):
        lacking = {name: value for name, value in good.items() if name != key}
        bench.fails(save(bench, "lacking.json", [lacking]), "x", says=f"result 1: '{key}' is missing", command="report")
    for name, data, says in (("empty", b'{"context": {}, "results": []}', "has no results"),
                             ("lists", b'{"context": [], "results": {}}', "lacks 'context' or 'results'"),
                             ("number", b'{"context": {}, "results": [7]}', "'result' is no object"),
                             ("cut", b'{"context": {}, "res', "is no JSON"),
                             ("deep", b'{"a":' + b"[" * 100000, "is no JSON"),
                             ("text", b"sum f64 12.5 us\n", "neither JSON"),
                             ("nothing", b"", "neither JSON"),
                             ("bytes", b"{\xff\xfe}", "is no text")):
        bench.fails(bench.write(f"{name}.json", data), "x", says=(f"{name}.json", says), command="report")
    bench.fails("none.json", "x", says="none.json: cannot be read", command="report")
    bench.check(not (bench.root / "x").exists(), "a folder of a bad file")
    bench.fails("host.json", "host.json", says="host.json: cannot be written", code=1, command="report")
    bench.fails("host.json", "no/x", says="no/x: cannot be written", code=1, command="report")
    (bench.root / "taken/report.html").mkdir(parents=True)
    bench.fails("host.json", "taken", "--no-plots", says="taken/report.html: cannot be written", code=1,
                command="report")
    for arguments in ((), ("host.json",), ("host.json", "x", "y"), ("host.json", "x", "--moon")):
        run = report(bench, *arguments)
        bench.check(run.returncode == 2 and run.stderr.startswith(b"usage: usw report"), f"{arguments}: {run.stderr}")
    run = report(bench, "--help")
    bench.check(run.returncode == 0 and b"--no-plots" in run.stdout and not run.stderr, "--help")


def main(program):
    reason = lacks_report_packages()
    if reason:
        print(reason)
        return 77
    bench = Bench(str(pathlib.Path(program).resolve()))
    for test in (measured_here, written_by_hand, few_cells, own_entries, shares, odd_texts, same_bytes, no_plots,
                 missing_packages, errors):
        test(bench)
    return bench.report()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
