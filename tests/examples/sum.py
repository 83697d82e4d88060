"""NumPy arrays in, values out, from Python.

pip install ./lib/python    # of the repository
python3 sum.py"""

import numpy
import upsweep

x = numpy.arange(12, dtype=numpy.float64).reshape(4, 3)
total = upsweep.sum(x)
most = upsweep.argmax(x)
summary = upsweep.describe(x)
print(f"Python: sum {total}, largest at {most.index}, mean {summary.mean}")
assert (total, most.index, summary.mean) == (66.0, 11, 5.5)
