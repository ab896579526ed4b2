"""Letters of a set that was learned are compared with those that were shown, whichever way round they lie.

A square's print is sampled in rings around its middle as black on white, so that its colors tell nothing; two squares
are as alike as their rings agree after the best of all turns. What no letter lies on is known in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.fields import Floats
from vision.ink import black_on_white
from vision.patches import CUTS, SIDE, Patches

RADII = np.linspace(0.03, 0.27, 10)  # in cells: within the rim of a token
ANGLES = 2 * np.pi * np.arange(48) / 48
ROUND = 0.6  # how much of what is the same all around is left out: rims and shine say little of letters
OFF = 1.3  # pixels: a token lies so far from where its square's middle was taken to be
SHIFTS = tuple((OFF * x, OFF * y) for y in (-1, 0, 1) for x in (-1, 0, 1))
# How much likeness with what was shown says, as a logarithm, of a letter and of there being a token: there are several
# letters to be like, so a bare square is a bit more like one of them than like the bare ones shown. How strong a print
# is tells a token from a bare square as well. Chosen on four sets of the benchmark's family, of seeds not its own.
LETTERS_SAY, TOKENS_SAY, MORE_ALIKE, STRENGTH_SAYS, MOST_SAID = 22.0, 16.0, 0.11, 10.0, 8.0
FAINTEST = 2.0  # levels of gray: what is weaker is noise

Letters = tuple[tuple[str, str, float], ...]
Signs = npt.NDArray[np.float32]  # square, ring, angle; each square's are of length 1


def signs_of(patches: Patches, shift: tuple[float, float] = (0.0, 0.0)) -> tuple[Signs, npt.NDArray[np.float32]]:
    """What is printed on each square, and how strongly."""
    inked = black_on_white("planks", patches)[:, 2]
    middle, ppu = (SIDE - 1) / 2, CUTS["planks"].ppu
    x, y = (
        (middle + by + ppu * RADII[:, None] * way).astype(np.float32)
        for by, way in zip(shift, (np.cos(ANGLES), np.sin(ANGLES)), strict=True)
    )
    out = np.empty((len(patches), len(RADII), len(ANGLES)), np.float32)
    for n, patch in enumerate(inked):
        out[n] = cv2.remap(patch, x, y, cv2.INTER_LINEAR)
    out -= out.mean(axis=(1, 2), keepdims=True)
    out -= ROUND * out.mean(axis=2, keepdims=True)
    strong = np.sqrt((out * out).mean(axis=(1, 2))).astype(np.float32)
    out *= np.sqrt(RADII).astype(np.float32)[None, :, None]
    return out / (np.linalg.norm(out, axis=(1, 2), keepdims=True) + np.float32(1e-6)), strong


def alike(patches: Patches, known: Signs) -> Floats:
    """How much each square is like each of those that are known: 1 where they are the same but for a turn."""
    ways = np.fft.rfft(known, axis=2).conj()
    best = np.full((len(patches), len(known)), -1.0)
    for shift in SHIFTS:
        seen = np.fft.rfft(signs_of(patches, shift)[0], axis=2)
        turned = np.fft.irfft(np.einsum("nrf,mrf->nmf", seen, ways), n=len(ANGLES), axis=2)
        np.maximum(best, turned.max(axis=2), out=best)
    return best


def shown_by(patches: Patches, owners: Sequence[str]) -> Letters:
    """Squares as they are kept: whose token lies there, or ".", its print as text with a byte a number, and how strong
    that is."""
    signs, strong = signs_of(patches)
    texts = [np.round(127 * one / max(float(np.abs(one).max()), 1e-6)).astype(np.int8).tobytes().hex() for one in signs]
    return tuple((owner, text, round(float(by), 2)) for owner, text, by in zip(owners, texts, strong, strict=True))


@lru_cache(maxsize=4)
def _shown(texts: tuple[str, ...]) -> Signs:
    signs = np.array([np.frombuffer(bytes.fromhex(text), np.int8) for text in texts], np.float32)
    signs /= np.linalg.norm(signs, axis=1, keepdims=True) + np.float32(1e-6)
    return signs.reshape(-1, len(RADII), len(ANGLES))


def said_by(
    letters: Letters, patches: Patches, owners: Sequence[str]
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """By the squares that were shown, with their owners or "." and their print: how much each square is like the
    letters of each owner, and like a token rather than none, as logarithms; 0 where nothing was shown to tell that."""
    likeness = alike(patches, _shown(tuple(text for _, text, _ in letters)))
    of = np.array([owner for owner, _, _ in letters])
    shown = {owner: likeness[:, of == owner].max(axis=1) for owner in set(of.tolist())}
    tokens = [shown[owner] for owner in owners if owner in shown]
    if not tokens:
        return np.zeros((len(patches), len(owners)), np.float32), np.zeros(len(patches), np.float32)
    middling = np.median(tokens, axis=0)
    letter = LETTERS_SAY * np.stack([shown.get(owner, middling) for owner in owners], axis=1)
    if "." not in shown:
        return letter.astype(np.float32), np.zeros(len(patches), np.float32)
    strong = np.log(np.maximum([by for _, _, by in letters], FAINTEST))
    between = (np.percentile(strong[of == "."], 90) + np.percentile(strong[of != "."], 10)) / 2
    there = TOKENS_SAY * (np.max(tokens, axis=0) - shown["."] - MORE_ALIKE)
    there += STRENGTH_SAYS * (np.log(np.maximum(signs_of(patches)[1], FAINTEST)) - between)
    return letter.astype(np.float32), np.clip(there, -MOST_SAID, MOST_SAID).astype(np.float32)
