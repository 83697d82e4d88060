"""How all plots look, and their files. Colors are Okabe and Ito's, which people who do not see red or green can tell
apart; shapes of points differ as well."""

import logging
import re

FONT = "DejaVu Sans"
INCH = 100  # units of length of the plots in one inch
SETTINGS = {"svg.fonttype": "none", "svg.hashsalt": "upsweep", "font.family": [FONT], "font.size": 9.5,
            "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 10.5, "axes.grid": True,
            "grid.color": "#bbbbbb", "grid.linewidth": 0.5, "grid.linestyle": ":", "axes.axisbelow": True,
            "legend.frameon": False, "legend.fontsize": 9, "savefig.facecolor": "white"}


def load():
    """Matplotlib with the plots' settings and without its notes about font caches; ImportError where it is missing."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    import matplotlib

    matplotlib.rcParams.update(SETTINGS)


def figure(width, height):
    from matplotlib.figure import Figure

    return Figure(figsize=(width / INCH, height / INCH), layout="constrained")


def plain(text):
    """Text in which Matplotlib finds no formula."""
    return text.replace("$", r"\$")


def save(drawing, path):
    """Into a .png or .svg file, the same bytes every time."""
    if path.suffix == ".svg":
        drawing.savefig(path, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    else:
        drawing.savefig(path, format="png", dpi=1.5 * INCH)


def number_axis(axis, ticks, texts=None):
    """Ticks at these values only, as plain numbers."""
    from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

    axis.set_major_locator(FixedLocator(ticks))
    axis.set_major_formatter(FixedFormatter(texts or [f"{tick:g}" for tick in ticks]))
    axis.set_minor_locator(NullLocator())


def legend_below(axes, columns, points):
    """A legend that starts so many points below the axes."""
    from matplotlib.transforms import ScaledTranslation

    below = axes.transAxes + ScaledTranslation(0, -points / 72, axes.figure.dpi_scale_trans)
    axes.legend(loc="upper center", bbox_to_anchor=(0.46, 0), bbox_transform=below, ncol=columns, handlelength=3,
                columnspacing=1.2)


def powers(base, least, most):
    """Powers of the base from the largest up to `least` to the smallest from `most` on."""
    value, found = 1.0, []
    while value > least:
        value /= base
    while value * base <= least:
        value *= base
    while not found or found[-1] < most:
        found.append(value)
        value *= base
    return found


def inline(svg, number):
    """A drawing's SVG as a part of a page: names differ from those of other drawings, black is the page's ink, white is
    its paper."""
    svg = svg[svg.index("<svg"):]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\1c{number}-", svg)
    svg = re.sub(r"#000000|(?<=[ :])black\b", "currentColor", svg)
    return re.sub(r"fill: ?#ffffff", "fill: none", svg).replace(f"'{FONT}'", "sans-serif").strip()
