"""The simulated table: which games its players play, how they move and how they cheat."""
