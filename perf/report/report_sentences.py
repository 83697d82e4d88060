"""The three facts at the top of a place: how fast, against whom, where behind. Plain text, which the template
escapes."""

import statistics

from report_facts import OF_BEST
from report_measurement import NOISE, length_text

NOISE_TEXT = f"{100 * (NOISE - 1):.0f} %"
MOST_BEHIND = 3  # cells that are named


def sentences(place):
    """One text for each fact that the place has."""
    return [text for text in (how_fast(place), against_whom(place), where_behind(place)) if text]


def at(entry):
    return f"{entry.name()} at n = {length_text(entry.n)}"


def how_fast(place):
    if not place.cells:
        return "Nothing of Upsweep was measured here."
    owns = [cell.own for cell in place.cells]
    fastest = max(owns, key=lambda own: own.gb_per_s)
    shortest = min(owns, key=lambda own: own.median_us)
    texts = [f"Upsweep reads up to {fastest.gb_per_s:.4g} GB/s ({at(fastest)})."] if fastest.gb_per_s > 0 else []
    if place.share_of != OF_BEST:
        texts += shares(place)
    texts.append(f"Its shortest call takes {shortest.median_us:.3g} us from the call to a value that the host can read "
                 f"({at(shortest)}).")
    return " ".join(texts)


def shares(place):
    """Shares at the largest n of each series."""
    cells = [series.longest() for series in place.series]
    known = [(place.share(cell), cell) for cell in cells if place.share(cell) > 0]
    if len(known) == 1:
        return [f"That is {100 * known[0][0]:.0f} % {place.share_of}."]
    if not known:
        return []
    least, cell = min(known, key=lambda pair: pair[0])
    median = statistics.median(share for share, _ in known)
    return [f"At the largest n the median of its {len(known)} kernels and types reaches {100 * median:.0f} % "
            f"{place.share_of}, the least {100 * least:.0f} % ({at(cell.own)})."]


def against_whom(place):
    fastest = place.all
    if not fastest.cells():
        return "There is no peer in this file: nothing else computed the same."
    medians = ", ".join(f"{rival.name} {rival.median():.2f}" for rival in place.rivals)
    return (f"Against the fastest peer of each of {fastest.cells()} cells (kernel, type and length) it is ahead in "
            f"{fastest.ahead()}, level within {NOISE_TEXT} in {fastest.level()} and behind in {fastest.behind()}. "
            f"Its time by theirs, in the median cell: {medians}; below 1 Upsweep is faster.")


def where_behind(place):
    if not place.behind:
        return f"No peer is ahead by more than {NOISE_TEXT} anywhere." if place.all.cells() else ""
    worst = ", ".join(f"{at(cell.own)} ({cell.own.median_us / cell.peer.median_us:.2f} times the time of "
                      f"{cell.peer.competitor})" for cell in place.behind[:MOST_BEHIND])
    lengths = ", ".join(f"{length.behind} of {length.cells} at {length_text(length.n)}" for length in place.lengths)
    return f"It is furthest behind in {worst}. Cells behind, by length: {lengths}."
