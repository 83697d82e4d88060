"""The table of agreement with NumPy: made by running both, over dtypes, layouts, NaNs, infinities and nothing.

usage: agreement.py [PAGE]    prints the table, or writes it into the page between its marks
"""

import pathlib
import re
import sys
import warnings

import numpy as np
import upsweep
from support import COMPLEXES, INTEGERS, sample

PAGE = pathlib.Path(__file__).resolve().parents[3] / "scripts/docs/pages/reference/numpy.md"
MARKS = "<!-- table of agreement: lib/python/tests/agreement.py -->\n", "<!-- end of the table -->\n"
COLUMNS = ("bool", "integers", "float16", "float32, float64", "complex", "NaN", "infinity", "no elements")


class Answer:
    """What a function gave: a value or the kind of an error, and whether it warned."""

    def __init__(self, function, x):
        with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
            warnings.simplefilter("always")
            try:
                self.value, self.error = function(x), None
            except (ArithmeticError, NotImplementedError, TypeError, ValueError) as problem:
                self.value, self.error = None, problem
        self.warned = any(re.search("slice|All-NaN", str(each.message)) for each in caught)


def _alike(ours, theirs, x):
    """Whether two values are the same but for rounding, which grows with the number and the size of the elements."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    if ours.shape != theirs.shape or theirs.dtype.kind not in "fc":
        return ours.shape == theirs.shape and bool(np.all(ours == theirs))
    coarse = max(np.finfo(each.dtype).eps for each in (ours, theirs) if each.dtype.kind in "fc")
    ours, theirs, elements = (np.asarray(each, np.complex128) for each in (ours, theirs, x))
    with np.errstate(all="ignore"):
        sizes = [np.sum(np.abs(elements), where=np.isfinite(elements)), 1e-300, *np.abs(theirs[np.isfinite(theirs)])]
        return all(np.all((mine == other) | (np.isnan(mine) & np.isnan(other))
                          | (np.abs(mine - other) <= 8 * coarse * np.max(sizes)))
                   for mine, other in ((ours.real, theirs.real), (ours.imag, theirs.imag)))


def relation(ours, theirs, x):
    """What the page's legend has for a pair of answers; a dtype: the same value in this one, not in NumPy's."""
    if ours.error or theirs.error:
        if ours.error and theirs.error:
            return "error"
        return "refused" if ours.error else "more"
    if not _alike(ours.value, theirs.value, x) or ours.warned != theirs.warned:
        return "differs"
    same = np.asarray(ours.value).dtype == np.asarray(theirs.value).dtype
    return "same" if same else str(np.asarray(ours.value).dtype)


def layouts(x):
    """An array of 1-D elements in other shapes and strides: whole, reversed, a cut, matrices, a block, 0-d."""
    yield from (x, x[::-1], x[1:50:3], x[:1].reshape(()), x[:1])
    matrix = x[:60].reshape(6, 10)
    yield from (matrix, matrix.T, matrix[::-1, ::2], matrix[1:4, 2:7], np.asfortranarray(matrix))
    yield from (x[:60].reshape(3, 4, 5).transpose(2, 0, 1), np.broadcast_to(x[:5], (4, 5)))
    if x.dtype.itemsize > 1:
        yield x.astype(x.dtype.newbyteorder())


def _special(values):
    for dtype in (np.float32, np.float64):
        yield from (np.array(each, dtype) for each in values)


def _of(dtype):
    x = sample(dtype, 64)
    x.setflags(write=False)
    return x if x.dtype.kind in "iub" else (x / 4).astype(x.dtype)


def samples(column):
    """The arrays of a column."""
    dtypes = {"bool": ["bool"], "integers": INTEGERS, "float16": ["float16"], "complex": COMPLEXES,
              "float32, float64": ["float32", "float64"]}
    nan, inf = np.nan, np.inf
    if column in dtypes:
        for dtype in dtypes[column]:
            yield from layouts(_of(dtype))
    elif column == "NaN":
        yield from _special([[1, nan, 2, nan, -3], [nan, 1], [nan, nan], nan])
    elif column == "infinity":
        yield from _special([[1, inf], [-inf, 2], [inf, -inf], [0.0, -0.0, inf]])
    else:
        for dtype in ("int32", "float32", "float64"):
            yield from (np.empty(0, dtype), np.empty((3, 0, 2), dtype))


def _mask(x):
    return np.arange(np.size(x)).reshape(np.shape(x)) % 3 != 1


def rows_of(*functions):
    """The functions along the last axis, which a single number gets."""
    return tuple(lambda x, of=of: of(np.atleast_1d(x), axis=-1) for of in functions)


def _weighted(function):
    return lambda x, axis: function(x, axis=axis, weights=np.arange(1, x.shape[axis] + 1))


ROWS = {  # what NumPy's users write: (ours, NumPy's), both called with an array
    "sum(x)": (upsweep.sum, np.sum),
    "sum(x, dtype=float64)": (lambda x: upsweep.sum(x, dtype="f8"), lambda x: np.sum(x, dtype="f8")),
    "sum(x, dtype=int32)": (lambda x: upsweep.sum(x, dtype="i4"), lambda x: np.sum(x, dtype="i4")),
    "sum(x, initial=3)": (lambda x: upsweep.sum(x, initial=3), lambda x: np.sum(x, initial=3)),
    "sum(x, where=mask)": (lambda x: upsweep.sum(x, where=_mask(x)), lambda x: np.sum(x, where=_mask(x))),
    "prod(x)": (upsweep.prod, np.prod),
    "min(x)": (upsweep.min, np.min),
    "max(x)": (upsweep.max, np.max),
    "min(x, initial=0)": (lambda x: upsweep.min(x, initial=0), lambda x: np.min(x, initial=0)),
    "max(x, initial=0, where=mask)": (lambda x: upsweep.max(x, initial=0, where=_mask(x)),
                                      lambda x: np.max(x, initial=0, where=_mask(x))),
    "ptp(x)": (upsweep.ptp, np.ptp),
    "argmin(x)": (upsweep.argmin, np.argmin),
    "argmax(x)": (upsweep.argmax, np.argmax),
    "all(x)": (upsweep.all, np.all),
    "any(x)": (upsweep.any, np.any),
    "count_nonzero(x)": (upsweep.count, np.count_nonzero),
    "mean(x)": (upsweep.mean, np.mean),
    "mean(x, where=mask)": (lambda x: upsweep.mean(x, where=_mask(x)), lambda x: np.mean(x, where=_mask(x))),
    "var(x)": (upsweep.var, np.var),
    "var(x, ddof=1)": (lambda x: upsweep.var(x, ddof=1), lambda x: np.var(x, ddof=1)),
    "std(x)": (upsweep.std, np.std),
    "average(x)": (upsweep.average, np.average),
    "average(x, weights=w)": (lambda x: upsweep.average(x, weights=1 + _mask(x)),
                              lambda x: np.average(x, weights=1 + _mask(x))),
    "nansum(x)": (upsweep.nansum, np.nansum),
    "nanprod(x)": (upsweep.nanprod, np.nanprod),
    "nanmin(x)": (upsweep.nanmin, np.nanmin),
    "nanmax(x)": (upsweep.nanmax, np.nanmax),
    "nanmean(x)": (upsweep.nanmean, np.nanmean),
    "nanvar(x)": (upsweep.nanvar, np.nanvar),
    "nanstd(x)": (upsweep.nanstd, np.nanstd),
    "nanargmin(x)": (upsweep.nanargmin, np.nanargmin),
    "nanargmax(x)": (upsweep.nanargmax, np.nanargmax),
    **{f"{name}(x, axis=-1)": rows_of(getattr(upsweep, name.replace("_nonzero", "")), getattr(np, name)) for name in (
        "sum", "prod", "min", "argmax", "ptp", "all", "count_nonzero", "mean", "std", "nansum", "nanmax", "nanvar",
        "nanargmin")},
    "average(x, axis=-1, weights=w)": rows_of(_weighted(upsweep.average), _weighted(np.average)),
    "sum(x, axis=(0, 1), keepdims=True)": tuple(lambda x, of=of: of(x, axis=(0, 1), keepdims=True)
                                                for of in (upsweep.sum, np.sum)),
    "mean(x, axis=0, where=mask)": tuple(lambda x, of=of: of(np.atleast_1d(x), axis=0, where=_mask(np.atleast_1d(x)))
                                         for of in (upsweep.mean, np.mean)),
    **{f"{name}(x.ravel())": (lambda x, of=getattr(upsweep, name): of(np.ravel(x)),
                              lambda x, of=getattr(np, name): of(np.ravel(x)))
       for name in ("cumsum", "cumprod", "nancumsum", "nancumprod")},
    "maximum.accumulate(x.ravel())": (lambda x: upsweep.cummax(np.ravel(x)),
                                      lambda x: np.maximum.accumulate(np.ravel(x))),
    "minimum.accumulate(x.ravel())": (lambda x: upsweep.cummin(np.ravel(x)),
                                      lambda x: np.minimum.accumulate(np.ravel(x))),
    "vdot(x, x)": (lambda x: (upsweep.dotc if np.iscomplexobj(x) else upsweep.dot)(x, x), lambda x: np.vdot(x, x)),
    "linalg.norm(x.ravel())": (upsweep.norm2, lambda x: np.linalg.norm(np.ravel(x))),
    "linalg.norm(x, axis=-1)": rows_of(upsweep.norm2, np.linalg.norm),
}


def cell(ours, theirs, column):
    """The relations over all arrays of a column."""
    found = {relation(Answer(ours, x), Answer(theirs, x), x) for x in samples(column)}
    return "differs" if "differs" in found else ", ".join(sorted(found))


def table():
    """Its lines."""
    lines = ["| numpy. | " + " | ".join(COLUMNS) + " |", "|---|" + "---|" * len(COLUMNS)]
    for name, (ours, theirs) in ROWS.items():
        cells = [cell(ours, theirs, column) for column in COLUMNS]
        lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def parts_of(page):
    """The text before the table, the table, the text behind it."""
    before, _, rest = page.read_text().partition(MARKS[0])
    inside, _, behind = rest.partition(MARKS[1])
    return before, inside.strip("\n") + "\n", behind


if __name__ == "__main__":
    if len(sys.argv) > 1:
        written = pathlib.Path(sys.argv[1])
        head, _, tail = parts_of(written)
        written.write_text(f"{head}{MARKS[0]}\n{table()}\n{MARKS[1]}{tail}")
    else:
        print(table(), end="")
