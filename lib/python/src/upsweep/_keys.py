"""The argument keys: arrays whose runs of equal keys are told apart. It must not know functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import Operand, as_numbers, check_same_memory, operand


def keys_of(keys: Any, x: Operand) -> Operand:
    """Keys of the elements of x; of booleans their own kind."""
    if isinstance(keys, (list, tuple)) and not keys:
        keys = np.empty(0, np.int64)  # NumPy's would be floating numbers
    found = operand(keys)
    if as_numbers(found).tag[0] not in "iu":
        raise TypeError(f"keys have dtype {found.dtype or found.tag}: they are integers or bool")
    if found.shape != x.shape:
        raise ValueError(f"x has shape {x.shape}, keys have {found.shape}")
    check_same_memory("keys are", found, x)
    return found
