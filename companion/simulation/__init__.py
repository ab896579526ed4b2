"""What a player at the simulated table knows: how positions lie, what to play, what is against the rules."""
