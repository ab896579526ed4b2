"""Exact answers and strong play: pure functions that know nothing of how anything is shown."""
