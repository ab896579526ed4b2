"""The operating system's folders for a user's data and configuration."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


def home(kind: str, platform: str = sys.platform, environment: Mapping[str, str] = os.environ) -> str:
    """The user's folder for `data` or `config`."""
    user = os.path.expanduser("~")
    if platform == "win32":
        name = {"data": "LOCALAPPDATA", "config": "APPDATA"}[kind]
        return os.path.join(environment.get(name) or os.path.join(user, "AppData"), "Board Companion")
    if platform == "darwin":
        return os.path.join(user, "Library", "Application Support", "Board Companion")
    name, usual = {"data": ("XDG_DATA_HOME", ".local/share"), "config": ("XDG_CONFIG_HOME", ".config")}[kind]
    return os.path.join(environment.get(name) or os.path.join(user, usual), "board-companion")


def settings_file() -> str:
    return os.path.join(home("config"), "settings.toml")
