"""What a measurement says of one place: series of cells, rivals, shares, lengths. Sentences, tables and plots show
it."""

import dataclasses
import statistics

from report_measurement import NOISE, PEER, PEER_PART, REFERENCE

# Series that readers look for first: kernel and type.
WANTED = (("sum", "f64"), ("sum", "f32"), ("dot", "f64"), ("min", "f64"), ("argmin", "f64"), ("describe", "f64"))
MOST_MAIN = 6  # series that are drawn over n
OF_READ = "of the rate of a plain read of the same bytes"
OF_PEAK = "of the memory's peak rate"
OF_BEST = "of the highest rate in this file"


class Series:
    """Cells of one kernel and type that have an entry of Upsweep's, by length."""

    def __init__(self, cells):
        self.cells = cells
        self.first = cells[0].own
        self.position = min(cell.entries[0].position for cell in cells)

    def name(self):
        return self.first.name()

    def longest(self):
        return self.cells[-1]

    def up_to(self, longest):
        return [cell for cell in self.cells if cell.n <= longest]


@dataclasses.dataclass
class Rival:
    """Upsweep against one peer, or against the fastest peer of each cell, over the cells that have both."""

    name: str
    ratios: list  # Upsweep's time by the peer's, a number for each cell

    def cells(self):
        return len(self.ratios)

    def ahead(self):
        return sum(ratio < 1 / NOISE for ratio in self.ratios)

    def behind(self):
        return sum(ratio > NOISE for ratio in self.ratios)

    def level(self):
        return self.cells() - self.ahead() - self.behind()

    def median(self):
        return statistics.median(self.ratios)


@dataclasses.dataclass
class Length:
    """Cells of one length that have a peer, and how many of them are behind."""

    n: int
    cells: int = 0
    behind: int = 0


class Place:
    """All facts of one place."""

    def __init__(self, measurement, name):
        self.measurement, self.name = measurement, name
        self.series = find_series(measurement, name)
        self.cells = [cell for series in self.series for cell in series.cells]
        self.main = find_main(self.series)
        self.best_gb_per_s = max((cell.own.gb_per_s for cell in self.cells), default=0)
        self.share_of = self._share_of()
        self.rivals = [Rival(peer, [cell.ratio(peer) for cell in self.cells if cell.best(peer)])
                       for peer in self._competitors(PEER)]
        self.all = Rival("", [cell.own.median_us / cell.peer.median_us for cell in self.cells if cell.peer])
        self.lengths = self._lengths()
        self.behind = measurement.behind(name)

    def share(self, cell):
        """Upsweep's share in a cell, 1 being all of it; 0 where it is unknown."""
        if self.share_of == OF_READ:
            read = cell.best("read")
            return read.median_us / cell.own.median_us if read else 0
        whole = self.measurement.peak_gb_per_s() if self.share_of == OF_PEAK else self.best_gb_per_s
        return cell.own.gb_per_s / whole if whole > 0 else 0

    def others(self):
        """Competitors other than Upsweep, in the order of the tables."""
        return self._competitors(REFERENCE, PEER, PEER_PART)

    def _competitors(self, *roles):
        """In the order of the series."""
        return list(dict.fromkeys(entry.competitor for cell in self.cells for entry in cell.entries
                                  if entry.role in roles))

    def _share_of(self):
        if any(cell.best("read") for cell in self.cells):
            return OF_READ
        return OF_PEAK if self.name != "host" and self.measurement.peak_gb_per_s() > 0 else OF_BEST

    def _lengths(self):
        lengths = {}
        for cell in self.cells:
            if cell.peer:
                length = lengths.setdefault(cell.n, Length(cell.n))
                length.cells += 1
                length.behind += cell.is_behind()
        return [lengths[n] for n in sorted(lengths)]


def find_series(measurement, place):
    """In the order of the file."""
    groups = {}
    for cell in measurement.cells:
        if cell.place == place and cell.own:
            groups.setdefault(cell.own.key()[:-1], []).append(cell)
    return sorted(map(Series, groups.values()), key=lambda series: series.position)


def find_main(series):
    """The wanted series, then others until there are enough; each over two lengths at least."""
    long = [one for one in series if len(one.cells) >= 2]
    wanted = [one for key in WANTED for one in long if (one.first.kernel, one.first.type) == key]
    return (wanted + [one for one in long if one not in wanted])[:MOST_MAIN]
