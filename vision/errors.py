"""What cannot be read, as a code with parameters: whoever shows it finds the words."""

from __future__ import annotations


class UnreadablePicture(Exception):
    """No field, no picture or no lens here; the code says why, the parameters what was seen instead."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(f"{code} {params}" if params else code)
        self.code, self.params = code, params
