"""The turns behind a look at Pegs, and at its solitaire.

Draws and discards are not seen, and the cards of a turn may come all at once, over one another. Which cards were laid
is told by the squares that show a player's face, and by how the marks on them lie: a card lies askew as a whole.
"""

from companion.referee.pegs.open_cards import gone_on, left_open
from companion.referee.pegs.turns import candidate_turns, several_turns

__all__ = ["candidate_turns", "gone_on", "left_open", "several_turns"]
