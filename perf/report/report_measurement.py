"""A file of `usw bench --json`, read: entries, sorted into cells. A cell holds the competitors of one place, suite,
kernel, type and n. The roles and the choice of Upsweep's own entry are those of perf/measure/measurement.c."""

import dataclasses
import itertools
import json
import math

REFERENCES = ("read", "copy", "cuda_read")  # a plain read or a copy of the same bytes: no reduction
PARTS = ("cub_gpu_only",)  # computes the same, but its time ends on the device
DEAR = ("compensated", "reproducible", "exact")  # levels of accuracy above the default
# Peak rates of memories by the device's name, for a file that does not have it.
PEAKS_GB_PER_S = {"H200": 4800, "H100 80GB HBM3": 3350, "H100 PCIe": 2039, "A100-SXM4-80GB": 2039}
NOISE = 1.03  # two times within this factor are level
OWN, REFERENCE, PEER, PEER_PART = "own", "reference", "peer", "peer part"
LEAST_TIME_US = 1e-6  # nothing is faster than a picosecond
MOST_N = 2**63


class BadFile(Exception):
    """A file that is no measurement; its text is one line."""


@dataclasses.dataclass
class Entry:
    """One competitor in one cell. A text that the file lacks is "". Times in microseconds."""

    place: str
    suite: str
    kernel: str
    type: str
    n: int
    competitor: str
    form: str
    accuracy: str
    role: str
    median_us: float
    first_quartile_us: float
    third_quartile_us: float
    gb_per_s: float
    position: int  # in the file

    def key(self):
        return self.place, self.suite, self.kernel, self.type, self.n

    def name(self):
        """The kernel and its type; its suite as well where that is not the library's own functions."""
        return " ".join(part for part in (self.untyped_name(), self.type) if part)

    def untyped_name(self):
        return self.kernel if self.suite == "functions" else f"{self.suite} {self.kernel}"


class Cell:
    """Entries of one key, in the order of the file."""

    def __init__(self, entries):
        self.entries = entries
        self.n, self.place = entries[0].n, entries[0].place
        self.own = self._own()
        peers = [entry for entry in entries if entry.role == PEER]
        self.peer = min(peers, key=lambda entry: entry.median_us, default=None)  # the fastest form of the fastest one

    def best(self, competitor):
        """The competitor's fastest entry, or None."""
        entries = [entry for entry in self.entries if entry.competitor == competitor]
        return min(entries, key=lambda entry: entry.median_us, default=None)

    def ratio(self, competitor):
        """Upsweep's time by that of the competitor's fastest form; None without the competitor."""
        other = self.best(competitor)
        return self.own.median_us / other.median_us if other else None

    def is_behind(self):
        return bool(self.own and self.peer) and self.own.median_us > NOISE * self.peer.median_us

    def _own(self):
        """What a caller without options gets: `auto` at the default accuracy, or else the fastest of Upsweep's own
        whose accuracy costs no more. None where there is no such entry."""
        entries = [entry for entry in self.entries if entry.role == OWN and entry.accuracy not in DEAR]
        return min(entries, key=lambda entry: (entry.competitor != "auto" or entry.accuracy == "fast", entry.median_us),
                   default=None)


class Measurement:
    """The context, and the cells by place, suite, kernel, type and n."""

    def __init__(self, context, entries):
        self.context = context
        entries = sorted(entries, key=lambda entry: (*entry.key(), entry.position))
        self.cells = [Cell(list(group)) for _, group in itertools.groupby(entries, Entry.key)]

    def places(self):
        return list(dict.fromkeys(cell.place for cell in self.cells))

    def behind(self, place):
        """Cells of a place where a peer is ahead beyond noise, worst first."""
        cells = [cell for cell in self.cells if cell.place == place and cell.is_behind()]
        return sorted(cells, key=lambda cell: (-cell.own.median_us / cell.peer.median_us, cell.own.position))

    def text(self, key):
        """A text of the context, "" where it has none."""
        value = self.context.get(key)
        return value if isinstance(value, str) else ""

    def peak_gb_per_s(self):
        """The peak rate of the device's memory: from the context, or by the device's name; 0 where it is unknown."""
        peak = self.context.get("peak_gb_per_s")
        if is_number(peak) and peak > 0:
            return peak
        return next((peak for name, peak in PEAKS_GB_PER_S.items() if name in self.text("device")), 0)


def is_number(value):
    try:
        return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # an integer that no double holds
        return False


def clean(value):
    """Without control characters, which neither HTML nor SVG can hold, in all texts."""
    if isinstance(value, str):
        value = value.encode("utf-8", "replace").decode()
        return "".join(letter for letter in value if letter >= " " and letter != "\x7f" or letter in "\n\t")
    if isinstance(value, list):
        return [clean(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    return value


class Reader:
    """Reads one result; a wrong value ends with a BadFile that names the result and the key."""

    def __init__(self, result, position):
        self.result, self.position = result, position
        if not isinstance(result, dict):
            self.refuse("result", "no object")

    def refuse(self, key, what):
        raise BadFile(f"result {self.position + 1}: '{key}' is {what}")

    def text(self, key, needed=False):
        value = self.result.get(key)
        if isinstance(value, str) and (value or not needed):
            return value
        if needed or key in self.result:
            self.refuse(key, "no text" if key in self.result else "missing")
        return ""

    def number(self, key, least, otherwise=None):
        """A number of at least `least`; `otherwise` where there is none. Without `otherwise` the number is needed."""
        value = self.result.get(key)
        if is_number(value) and value >= least:
            return value
        if otherwise is None or key in self.result:
            is_one = isinstance(value, (int, float)) and not isinstance(value, bool)
            self.refuse(key, "missing" if key not in self.result else "out of range" if is_one else "no number")
        return otherwise

    def length(self):
        n = self.number("n", 0)
        if n >= MOST_N or n != int(n):
            self.refuse("n", "no length")
        return int(n)

    def role(self):
        peer = self.result.get("peer")
        if not isinstance(peer, bool):
            self.refuse("peer", "neither true nor false" if "peer" in self.result else "missing")
        competitor = self.text("competitor", needed=True)
        return REFERENCE if competitor in REFERENCES else PEER_PART if competitor in PARTS else PEER if peer else OWN

    def entry(self):
        median = self.number("median_us", LEAST_TIME_US)
        if self.number("wrong_results", 0) > 0:
            self.refuse("wrong_results", "not 0: what computes wrong results has no times")
        return Entry(place=self.text("place", needed=True), suite=self.text("suite") or "functions",
                     kernel=self.text("kernel", needed=True), type=self.text("type"), n=self.length(),
                     competitor=self.text("competitor", needed=True), form=self.text("form"),
                     accuracy=self.text("accuracy"), role=self.role(), median_us=median,
                     first_quartile_us=self.number("first_quartile_us", LEAST_TIME_US, median),
                     third_quartile_us=self.number("third_quartile_us", LEAST_TIME_US, median),
                     gb_per_s=self.number("gb_per_s", 0, 0), position=self.position)


def read_measurement(text):
    """The measurement in a file's text; BadFile where it is none."""
    try:
        root = clean(json.loads(text))
    except (ValueError, RecursionError):
        raise BadFile("is no JSON") from None
    context, results = (root.get("context"), root.get("results")) if isinstance(root, dict) else (None, None)
    if not isinstance(context, dict) or not isinstance(results, list):
        raise BadFile("not a file of `usw bench --json`: it lacks 'context' or 'results'")
    if any(isinstance(result, dict) and "rung" in result for result in results):
        raise BadFile("is JSON of a ladder: the CSV of `usw bench ladder --csv` can be drawn")
    if not results:
        raise BadFile("has no results")
    return Measurement(context, [Reader(result, position).entry() for position, result in enumerate(results)])


def length_text(n):
    """2^20, 1000: powers of two from 2^10 on as powers."""
    return f"2^{n.bit_length() - 1}" if n >= 1024 and n & (n - 1) == 0 else str(n)
