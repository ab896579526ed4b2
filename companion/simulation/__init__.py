"""The player of the simulated table: his moves, his cheating, and the sources `sim:…`."""
