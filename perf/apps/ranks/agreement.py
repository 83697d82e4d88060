"""How many digits of cg's residuals are those of one rank, from a file that ranks.py wrote."""

import math

ALL_DIGITS = 17  # which tell a double from all others


def digits(value, reference):
    """Leading decimal digits that agree."""
    if value == reference:
        return ALL_DIGITS
    return max(0, min(ALL_DIGITS - 1, -math.log10(abs(value - reference) / abs(reference))))


def agreement(measured):
    """{(version, ranks): digits after each iteration}, of the first MPI library."""
    first = measured["histories"][0]["mpi"]
    residuals = {(entry["version"], entry["ranks"]): [float.fromhex(text) for text in entry["residuals"].split()]
                 for entry in measured["histories"] if entry["mpi"] == first}
    return {(version, ranks): list(map(digits, history, residuals[version, 1])) for (version, ranks), history in residuals.items()}
