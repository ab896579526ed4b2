"""What a simulated table is built from; small and plain, so that it can be sent to the process that shows the table."""

from __future__ import annotations

from dataclasses import dataclass

from vision.codes import Labels


@dataclass(frozen=True)
class StagePlan:
    labels: Labels
    seats: int = 2  # how many sit at the table: hands come from their sides
    seed: int = 0
    family: str | None = None  # of styles; None: a friendly room
    size: tuple[int, int] = (1280, 720)
    pace: float = 1.0  # everything takes so many times less time
