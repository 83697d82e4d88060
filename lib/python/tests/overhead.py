"""What a call costs beside NumPy's: prints the table of README.md, medians in microseconds.

usage: overhead.py"""

import statistics
import timeit
import unittest.mock

import numpy as np
import upsweep
from upsweep import _call, _fast

REPEATS, CALLS = 31, 2000
ROWS = (("sum", upsweep.sum, np.sum), ("max", upsweep.max, np.max), ("argmin", upsweep.argmin, np.argmin),
        ("var", upsweep.var, np.var), ("nansum", upsweep.nansum, np.nansum))


def median(function, x):
    return statistics.median(timeit.repeat(lambda: function(x), number=CALLS, repeat=REPEATS)) / CALLS * 1e6


def by_ctypes(name, x):
    """A call without the extension."""
    if name not in _fast.NUMBERS:
        return None
    with unittest.mock.patch("upsweep._fast.reduce", _fast._nothing):
        return median(lambda y: _call.reduce(name, (y,)), x)


def main():
    print("| | n, float64 | NumPy | Upsweep | Upsweep by ctypes |\n|---|---|---|---|---|")
    for name, ours, theirs in ROWS:
        for n in (1, 10, 1000):
            x = np.arange(float(n))
            slow = by_ctypes(name, x)
            times = [median(theirs, x), median(ours, x), slow]
            print(f"| `{name}` | {n} | {' | '.join(f'{time:.2f}' if time else '' for time in times)} |")


if __name__ == "__main__":
    main()
