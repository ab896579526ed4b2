"""The hall's pages and API: the desk, check-in, spectators, the wall, what is printed, and what tables report."""
