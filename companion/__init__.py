"""The rules of seven board games, the referee, and the commands built on them."""

__version__ = "0.1.0"
