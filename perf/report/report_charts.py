"""Plots of a place: times over n, short calls, shares, ratios to peers. Each is written as .png and .svg; the page gets
them in groups."""

import dataclasses
import math
import re
import statistics

from report_figure import figure, inline, legend_below, number_axis, plain, powers, save
from report_measurement import NOISE, OWN, length_text

SHORT_N = 1 << 16  # the largest n of a short call
MOST_SHORT = 3  # plots of short calls
MOST_RIVALS = 8  # peers that have a plot
MOST_LABELS = 8  # along an axis of lengths
ORANGE, SKY, GREEN, YELLOW = "#E69F00", "#56B4E9", "#009E73", "#F0E442"
BLUE, RED, PURPLE, GRAY, BLACK = "#0072B2", "#D55E00", "#CC79A7", "#7F7F7F", "#000000"
SOLID, DASHED, DOTTED, MIXED = "-", (0, (6, 3)), (0, (1.5, 2)), (0, (6, 2, 1.5, 2))


@dataclasses.dataclass
class Style:
    """How a competitor is drawn."""

    color: str
    marker: str
    is_filled: bool = True
    line: object = SOLID


OWN_STYLE = Style(BLUE, "o")
STYLES = {"read": Style(BLACK, "x", line=DASHED),
          "copy": Style(BLACK, "+", line=DOTTED),
          "cuda_read": Style(GRAY, "x", line=DASHED),
          "cub": Style(ORANGE, "^"),
          "cub_graph": Style(ORANGE, "s", False, DASHED),
          "cub+copy": Style(RED, "^", False),
          "cub_gpu_only": Style(GRAY, "^", False, MIXED),
          "cub_run_to_run": Style(YELLOW, "D"),
          "cub_gpu_to_gpu": Style(GREEN, "D", False, MIXED),
          "cublas": Style(GREEN, "s"),
          "babelstream": Style(SKY, "s", False),
          "plain_clause": Style(PURPLE, "v"),
          "shaped_clause": Style(PURPLE, "v", False, MIXED),
          "library": Style(RED, "D"),
          "prototype": Style(SKY, "P"),
          "serial": Style(GRAY, "o", False, DASHED),
          "libomp": Style(PURPLE, "v"),
          "libgomp": Style(ORANGE, "^"),
          "openblas": Style(GREEN, "s"),
          "tbb": Style(SKY, "s", False)}
OTHER_STYLES = (Style(ORANGE, "P"), Style(GREEN, "X"), Style(RED, "h"), Style(SKY, "<"), Style(PURPLE, ">"))
# Classes of types: title, letters that their names start with, style.
CLASSES = (("integers", "iu", Style(BLUE, "s", False)),
           ("f32, f64", "f", Style(ORANGE, "o")),
           ("f16, bf16", "", Style(RED, "^")),
           ("complex", "c", Style(GREEN, "D")),
           ("bool, other", "", Style(PURPLE, "v")))
HALVES = ("f16", "bf16")


@dataclasses.dataclass
class Group:
    """A kind of plots on the page."""

    title: str
    how_to_read: str
    svgs: list


TIME = ("Time by length",
        "Time of one call over the number of elements, on logarithmic scales: lower is better. Launch and wait set "
        "the flat part on the left, memory bandwidth the straight part on the right.")
SMALL = ("Short calls",
         "Time of one call up to n = 2^16: lower is better. Bars reach from the first to the third quartile.")
SHARES = ("Speed of long calls",
          "Each point is a kernel and a type at its largest n: further right is better. Shapes and colors tell the "
          "class of the type.")
RATIOS = ("Against peers",
          "Each point is a kernel and a type: Upsweep's time by that of the peer's fastest form. Upsweep is faster "
          "below 1, or left of 1 in rows of kernels. Over n, squares are medians; red triangles are more than "
          f"{100 * (NOISE - 1):.0f} % behind.")


class Charts:
    """Draws the plots of places into a folder."""

    def __init__(self, folder):
        self.folder, self.count = folder, 0

    def groups(self, place):
        """The groups of a place that have plots; their files are written."""
        short = [series for series in place.main if len(series.up_to(SHORT_N)) >= 2][:MOST_SHORT]
        drawings = (
            (TIME, [(f"time-{series.name()}", draw_times(place, series)) for series in place.main]),
            (SMALL, [(f"short-{series.name()}", draw_short(place, series)) for series in short]),
            (SHARES, [("share", draw_shares(place))]),
            (RATIOS, [(f"against {rival.name}", draw_rival(place, rival.name)) for rival in drawn_rivals(place)]))
        groups = [Group(*texts, [self._add(place, name, drawing) for name, drawing in named if drawing])
                  for texts, named in drawings]
        return [group for group in groups if group.svgs]

    def _add(self, place, name, drawing):
        """Writes a drawing's files; its SVG for the page."""
        self.count += 1
        path = self.folder / (re.sub(r"[^A-Za-z0-9_+-]", "_", f"{place.name}-{name}") + ".svg")
        save(drawing, path)
        save(drawing, path.with_suffix(".png"))
        return inline(path.read_text(encoding="utf-8"), self.count)


def drawn_rivals(place):
    """Peers that have a plot: none where all cells that have peers are of length 0."""
    return place.rivals[:MOST_RIVALS] if place.lengths and place.lengths[-1].n > 0 else []


def draw_rival(place, peer):
    """Over n; by kernel where no kernel has several lengths."""
    return draw_ratios(place, peer) if place.main else draw_ratio_rows(place, peer)


# ---- axes ----

def length_axis(axes, lengths):
    """An axis of lengths; labels at powers of two where there are any, as many as have room."""
    axes.set_xscale("log", base=2)
    apart = math.log2(lengths[-1] / lengths[0]) / MOST_LABELS
    twos = [n for n in lengths if n & (n - 1) == 0]
    labeled = twos if twos and twos[-1] > 1 else lengths
    kept = labeled[:1]
    for n in labeled[1:]:
        if math.log2(n / kept[-1]) >= apart:
            kept.append(n)
    number_axis(axes.xaxis, kept, [length_text(n) for n in kept])
    axes.set_xlim(lengths[0] / 1.6, lengths[-1] * 1.6)


def decade_axis(axes, values):
    """A logarithmic axis of whole decades."""
    axes.set_yscale("log")
    ticks = powers(10, min(values), max(values))
    number_axis(axes.yaxis, ticks)
    axes.set_ylim(ticks[0], max(ticks[-1], 10 * ticks[0]))


def ratio_range(ratios):
    """From 1/2 to 2 at least."""
    return min(0.5, min(ratios) / 1.1), max(2, max(ratios) * 1.1)


def ratio_axis(axis, limits):
    """Ticks of a logarithmic axis of ratios."""
    base = 4 if limits[0] < 0.1 or limits[1] > 64 else 2
    number_axis(axis, [tick for tick in powers(base, *limits) if limits[0] <= tick <= limits[1]])


def marks(style, size):
    """Matplotlib's words for the points of a style."""
    return {"marker": style.marker, "markersize": size, "color": style.color, "markeredgecolor": style.color,
            "markerfacecolor": style.color if style.is_filled else "none"}


# ---- times over n ----

def style_of(place, competitor):
    names = [rival.name for rival in place.rivals if rival.name not in STYLES]
    if competitor in STYLES or competitor not in names:
        return STYLES.get(competitor, OTHER_STYLES[0])
    return OTHER_STYLES[names.index(competitor) % len(OTHER_STYLES)]


def curves(place, cells):
    """(title, style, entries by length) of Upsweep and of each other competitor, in the order of the cells."""
    found = {None: [cell.own for cell in cells]}
    for cell in cells:
        for entry in cell.entries:
            if entry.role != OWN and entry.competitor not in found:
                found[entry.competitor] = [best for best in (other.best(entry.competitor) for other in cells) if best]
    return [(name or "Upsweep", style_of(place, name) if name else OWN_STYLE, entries)
            for name, entries in found.items()]


def is_wide(cells):
    """Whether a linear scale would hide the short times."""
    times = [entry.median_us for cell in cells for entry in cell.entries]
    return max(times) > 20 * min(times)


def shown_times(entry):
    return entry.first_quartile_us, entry.median_us, entry.third_quartile_us


def draw_cells(place, series, cells, has_quartiles, is_logarithmic):
    """Times of all competitors over n, Upsweep on top."""
    shown = curves(place, cells)
    drawing = figure(480, 330 + 17 * math.ceil(len(shown) / 3))
    axes = drawing.add_subplot()
    for position, (title, style, entries) in enumerate(shown):
        lengths, order = [entry.n for entry in entries], 10 if position == 0 else 3
        if has_quartiles:
            axes.vlines(lengths, [entry.first_quartile_us for entry in entries],
                        [entry.third_quartile_us for entry in entries], color=style.color, linewidth=1, zorder=2)
        axes.plot(lengths, [entry.median_us for entry in entries], linestyle=style.line, label=plain(title),
                  zorder=order, linewidth=2.2 if position == 0 else 1.2, **marks(style, 5))
    length_axis(axes, [cell.n for cell in cells])
    if is_logarithmic:
        decade_axis(axes, [time for _, _, entries in shown for entry in entries for time in shown_times(entry)])
    else:
        axes.set_ylim(bottom=0)
    axes.set_title(plain(f"{series.name()}: us over n"))
    legend_below(axes, columns=3, points=16)
    return drawing


def draw_times(place, series):
    cells = [cell for cell in series.cells if cell.n > 0]
    return draw_cells(place, series, cells, has_quartiles=False, is_logarithmic=True) if cells else None


def draw_short(place, series):
    cells = [cell for cell in series.up_to(SHORT_N) if cell.n > 0]
    return draw_cells(place, series, cells, has_quartiles=True, is_logarithmic=is_wide(cells)) if cells else None


# ---- a row for each kernel ----

def class_of(kind):
    if kind in HALVES:
        return 2
    return next((number for number, (_, letters, _) in enumerate(CLASSES) if kind and kind[0] in letters), 4)


def draw_rows(points, title):
    """A drawing with a row for each kernel; points are (kernel, type, value). None without points."""
    if not points:
        return None
    names = list(dict.fromkeys(name for name, _, _ in points))
    classes = sorted({class_of(kind) for _, kind, _ in points})
    drawing = figure(720, 110 + 20 * len(names))
    axes = drawing.add_subplot()
    for number in classes:
        label, _, style = CLASSES[number]
        aside = 0.14 * (number - 2) if len(classes) > 1 else 0
        here = [(value, names.index(name) + aside) for name, kind, value in points if class_of(kind) == number]
        axes.plot(*zip(*here), linestyle="none", label=label, **marks(style, 4.5))
    number_axis(axes.yaxis, range(len(names)), [plain(name) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_title(plain(title))
    if len(classes) > 1:
        legend_below(axes, columns=len(classes), points=18)
    return drawing


def row_points(place, value_of):
    """(kernel, type, value) of each series at its largest n, where there is a value."""
    found = [(series, value_of(series.longest())) for series in place.series]
    return [(series.first.untyped_name(), series.first.type, value) for series, value in found if value]


def draw_shares(place):
    points = row_points(place, lambda cell: 100 * place.share(cell))
    drawing = draw_rows(points, f"% {place.share_of}")
    if drawing:
        axes = drawing.axes[0]
        axes.axvline(100, color=BLACK, linewidth=1, linestyle=DASHED, zorder=1)
        axes.set_xlim(0, max(102, 1.02 * max(value for _, _, value in points)))
    return drawing


def draw_ratio_rows(place, peer):
    points = row_points(place, lambda cell: cell.ratio(peer))
    drawing = draw_rows(points, f"Upsweep's time by that of {peer}, at the largest n")
    if drawing:
        axes, limits = drawing.axes[0], ratio_range([value for _, _, value in points])
        axes.axvline(1, color=BLACK, linewidth=1, linestyle=DASHED, zorder=1)
        axes.set_xscale("log", base=2)
        ratio_axis(axes.xaxis, limits)
        axes.set_xlim(*limits)
    return drawing


# ---- ratios over n ----

def ratio_points(place, peer):
    """(n, n moved aside a little so that points of different kernels do not hide each other, ratio) of each cell."""
    return [(cell.n, cell.n * 2 ** (0.7 * (number % 16 / 15 - 0.5)), cell.ratio(peer))
            for number, series in enumerate(place.series) for cell in series.cells if cell.n > 0 and cell.best(peer)]


def draw_ratios(place, peer):
    points = ratio_points(place, peer)
    if not points:
        return None
    drawing = figure(480, 360)
    axes = drawing.add_subplot()
    axes.axhline(1, color=BLACK, linewidth=0.8)
    for is_behind, style, size in ((False, Style(SKY, "o"), 2.2), (True, Style(RED, "^"), 3.2)):
        here = [(aside, ratio) for _, aside, ratio in points if (ratio > NOISE) == is_behind]
        if here:
            axes.plot(*zip(*here), linestyle="none", **marks(style, size))
    lengths = sorted({n for n, _, _ in points})
    axes.plot(lengths, [statistics.median(ratio for m, _, ratio in points if m == n) for n in lengths],
              linewidth=1.3, **marks(Style(BLACK, "s"), 4.5))
    length_axis(axes, [length.n for length in place.lengths if length.n])
    limits = ratio_range([ratio for _, _, ratio in points])
    axes.set_yscale("log", base=2)
    ratio_axis(axes.yaxis, limits)
    axes.set_ylim(*limits)
    axes.set_title(plain(f"Upsweep's time by that of {peer}, over n"))
    return drawing
