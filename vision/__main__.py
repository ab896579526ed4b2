"""A small runner for development: python -m vision read IMAGE… [--game ID] [--corners …] [--debug DIR]."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np

from vision.fields import FIELD_OF_GAME
from vision.overlay import overlay
from vision.picture import BadPictureError, open_picture
from vision.pose import NoFieldError
from vision.reading import read_picture


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m vision")
    commands = parser.add_subparsers(required=True)
    read = commands.add_parser("read")
    read.add_argument("images", nargs="+")
    read.add_argument("--game", choices=sorted(FIELD_OF_GAME))
    read.add_argument("--corners")
    read.add_argument("--debug", type=Path)
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    corners = None
    if arguments.corners:
        corners = np.array([float(number) for number in arguments.corners.split(",")]).reshape(4, 2)
    failed = False
    for file in arguments.images:
        try:
            image = open_picture(Path(file))
            reading = read_picture(image, arguments.game, corners)
        except (BadPictureError, NoFieldError) as error:
            print(f"{file}: {error}", file=sys.stderr)
            failed = True
            continue
        print(json.dumps({"file": file, **reading.as_json()}), flush=True)
        if arguments.debug:
            arguments.debug.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(arguments.debug / f"{Path(file).stem}.png"), overlay(image, reading))
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
