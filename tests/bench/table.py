"""The table that benchmarks print."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    what: str
    ours: str
    peer: str
    theirs: str
    ratio: float
    bar: str
    met: bool


def show(title: str, rows: list[Row]) -> bool:
    """Print the table; whether every bar is met."""
    head = ("", "ours", "peer", "theirs", "ratio", "bar", "")
    lines = [
        head,
        *((r.what, r.ours, r.peer, r.theirs, f"{r.ratio:.2f}", r.bar, "ok" if r.met else "MISSED") for r in rows),
    ]
    widths = [max(len(line[n]) for line in lines) for n in range(len(head))]
    print(f"\n{title}")
    for line in lines:
        print(
            "  " + "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip(), flush=True
        )
    return all(row.met for row in rows)
