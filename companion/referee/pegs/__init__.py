"""The turns behind a look at Pegs, and at its solitaire.

Draws and discards are not seen, and the cards of a turn may come all at once, over one another. What matters next is
which face is on top of each square, where pegs are, and which cards can still be had. So of the cards that a look
shows it is kept what shows of each, by how marks lie together, and the set of those that it may be; a line of play
names one of them, and another where a later look rules that one out. A card that others cover wholly is left out.

`cards` finds the cards from the topmost down, `in_turns` an order of turns that the rules allow, `patterns` which card
each can be, and `open_cards` keeps a line of play in agreement with all looks.
"""

from companion.referee.pegs.open_cards import gone_on, left_open
from companion.referee.pegs.turns import candidate_turns, several_turns

__all__ = ["candidate_turns", "gone_on", "left_open", "several_turns"]
