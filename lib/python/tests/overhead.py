"""What a call costs beside NumPy's: prints the table of README.md, medians in microseconds.

usage: overhead.py"""

import statistics
import timeit

import numpy as np
import upsweep

REPEATS, CALLS = 31, 1000
ROWS = (("sum", upsweep.sum, np.sum), ("max", upsweep.max, np.max), ("argmin", upsweep.argmin, np.argmin),
        ("var", upsweep.var, np.var), ("nansum", upsweep.nansum, np.nansum))
ALONG = (("sum", upsweep.sum, np.sum), ("max", upsweep.max, np.max), ("argmax", upsweep.argmax, np.argmax),
         ("mean", upsweep.mean, np.mean), ("std", upsweep.std, np.std))


def medians(functions, x, **keywords):
    """Of functions that take turns."""
    times = [[] for _ in functions]
    for _ in range(REPEATS):
        for found, function in zip(times, functions):
            found.append(timeit.timeit(lambda: function(x, **keywords), number=CALLS))
    return [statistics.median(found) / CALLS * 1e6 for found in times]


def line(name, what, ours, theirs, x, **keywords):
    times = medians((theirs, ours), x, **keywords)
    print(f"| `{name}` | {what} | {times[0]:.2f} | {times[1]:.2f} |", flush=True)


def main():
    print("| | n, float64 | NumPy | Upsweep |\n|---|---|---|---|")
    for name, ours, theirs in ROWS:
        for n in (1, 10, 1000):
            line(name, n, ours, theirs, np.arange(float(n)))
    for name, ours, theirs in ALONG:
        line(f"{name}(axis=1)", "10 x 100", ours, theirs, np.arange(1000.0).reshape(10, 100), axis=1)


if __name__ == "__main__":
    main()
