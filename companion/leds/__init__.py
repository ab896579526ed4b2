"""LEDs under or beside the board: what they show, and how it gets there."""
