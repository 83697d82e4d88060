"""The page: what the template report.html.j2 shows of each place, and its tables."""

import dataclasses
import json
import pathlib

from report_measurement import NOISE, PEER, length_text
from report_sentences import sentences

TEMPLATE = "report.html.j2"
MACHINE = (("", "device"), ("driver ", "driver"), ("host ", "host"), ("commit ", "commit"), ("", "date"))


@dataclasses.dataclass
class Table:
    summary: str
    head: list
    rows: list  # of lists of texts; a Mark is a text that stands out
    is_open: bool = False


class Mark(str):
    """A ratio that says that a peer is ahead."""


def rivals_table(place):
    rows = [[rival.name, str(rival.cells()), str(rival.ahead()), str(rival.level()), str(rival.behind()),
             f"{rival.median():.3f}"] for rival in place.rivals]
    return Table("Peers: how many cells, and the median ratio of times",
                 ["peer", "cells", "Upsweep ahead", "level", "behind", "median ratio"], rows, is_open=True)


def behind_table(place):
    rows = [[cell.own.name(), length_text(cell.n), f"{cell.own.median_us:.2f}",
             f"{cell.own.median_us / cell.peer.median_us:.3f}", cell.peer.competitor, f"{cell.peer.median_us:.2f}",
             cell.peer.form] for cell in place.behind]
    return Table(f"Where a peer is ahead: {len(rows)} cells, worst first",
                 ["kernel", "n", "Upsweep, us", "ratio", "peer", "its time, us", "its form"], rows)


def other_columns(cell, competitor):
    """Time and ratio of a competitor in a cell."""
    other, ratio = cell.best(competitor), cell.ratio(competitor)
    if not other:
        return ["", ""]
    text = f"{ratio:.3f}"
    return [f"{other.median_us:.2f}", Mark(text) if other.role == PEER and ratio > NOISE else text]


def cell_row(place, cell, others):
    share = place.share(cell)
    row = [cell.own.name(), length_text(cell.n), f"{cell.own.median_us:.2f}", f"{cell.own.gb_per_s:.4g}",
           f"{100 * share:.0f} %" if share > 0 else ""]
    return row + [text for other in others for text in other_columns(cell, other)]


def cells_table(place, series, summary):
    others = place.others()
    head = ["kernel", "n", "Upsweep, us", "GB/s", "share"]
    head += [text for other in others for text in (f"{other}, us", "ratio")]
    return Table(summary, head, [cell_row(place, cell, others) for one in series for cell in one.cells])


def tables(place):
    """Those that have rows."""
    found = (rivals_table(place), behind_table(place),
             cells_table(place, place.main, "The kernels of the plots: times in us, and ratios"),
             cells_table(place, place.series, f"All {len(place.series)} kernels and types: times in us, and ratios"))
    return [table for table in found if table.rows]


def machine(measurement):
    """The line below the title."""
    known = [(before, measurement.text(key)) for before, key in MACHINE]
    return "; ".join(before + text for before, text in known if text not in ("", "unknown"))


def context(measurement):
    """Names and values of the context, without the command, which stands alone."""
    return [(key, value if isinstance(value, str) else json.dumps(value, separators=(",", ":"), ensure_ascii=False))
            for key, value in measurement.context.items() if key != "command"]


def page(measurement, places, groups_of):
    """The page's HTML; groups_of(place) gives the place's groups of plots."""
    import jinja2  # here: usw-report says in a line of its own what is missing

    loader = jinja2.FileSystemLoader(pathlib.Path(__file__).resolve().parent)
    environment = jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined,
                                     trim_blocks=True, lstrip_blocks=True)
    shown = [{"name": place.name, "sentences": sentences(place), "groups": groups_of(place),
              "share_of": place.share_of, "tables": tables(place)} for place in places]
    return environment.get_template(TEMPLATE).render(
        device=measurement.text("device"), machine=machine(measurement), places=shown, is_mark=is_mark,
        has_plots=any(place["groups"] for place in shown), context=context(measurement),
        command=measurement.text("command"))


def is_mark(text):
    return isinstance(text, Mark)
