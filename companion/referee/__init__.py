"""From looks to verdicts: evidence, the explanations that compete, and the referee who decides between them."""

from companion.referee.explanations import Line, line_of
from companion.referee.referee import Referee
from companion.referee.verdicts import Verdict, VerdictKind, Wrong

__all__ = ["Line", "Referee", "Verdict", "VerdictKind", "Wrong", "line_of"]
