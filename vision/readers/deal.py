"""Deals things of which there is one each to those that claim them, at the least cost."""

from __future__ import annotations

import numpy as np

from vision.fields import Floats

DEALS = 8  # after which rows and columns hardly tell each other anything new


def assign(cost: Floats) -> list[int]:
    """The cheapest way to give each row a column of its own (rows ≤ columns): shortest augmenting paths."""
    rows, columns = cost.shape
    row_price, column_price = np.zeros(rows + 1), np.zeros(columns + 1)
    holder = np.zeros(columns + 1, dtype=np.intp)  # which row (from 1) holds a column
    for row in range(1, rows + 1):
        holder[0] = row
        column = 0
        least = np.full(columns + 1, np.inf)
        came_from = np.zeros(columns + 1, dtype=np.intp)
        used = np.zeros(columns + 1, dtype=bool)
        while holder[column]:
            used[column] = True
            at = holder[column]
            reduced = cost[at - 1] - row_price[at] - column_price[1:]
            better = ~used[1:] & (reduced < least[1:])
            least[1:][better] = reduced[better]
            came_from[1:][better] = column
            column = 1 + int(np.argmin(np.where(used[1:], np.inf, least[1:])))
            step = least[column]
            row_price[holder[used]] += step
            column_price[used] -= step
            least[~used] -= step
        while column:
            previous = came_from[column]
            holder[column] = holder[previous]
            column = int(previous)
    result = [0] * rows
    for column in range(1, columns + 1):
        if holder[column]:
            result[holder[column] - 1] = column - 1
    return result


def left_by_others(own: Floats, other: Floats) -> Floats:
    """How much of each column is left for each row after what the other rows claim of it, where every column is one
    row's at most, and a row may be something else as likely as `other`. Rows and columns tell each other so a few times
    over, as in a sum over all deals (belief propagation)."""
    left = np.ones_like(own)
    for _ in range(DEALS):
        free = own * left
        claims = own / np.maximum(other + free.sum(axis=1, keepdims=True) - free, 1e-9)
        left = np.sqrt(left / (1 + claims.sum(axis=0) - claims))  # half of the way, lest it swing
    return left
