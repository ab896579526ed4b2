"""What a simulated table looks like. Every range is wide on purpose: readers trained on these pictures must
not learn one wood, one lamp or one printer. The families ASIDE are never used for training or tuning: what they show
(table, wood, pips, arrows, letters, and the light of the second) no other has."""

from __future__ import annotations

import colorsys
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

Rng = np.random.Generator
Color = tuple[float, float, float]  # blue, green, red; linear light, 0 to 1

HELD_OUT = "attic"
LAMPLIT = "veranda"  # after dark, with one low lamp on the table
UNREAD = "loft"  # only for the last measurement of a piece of work: mistakes in it are not gone through
ASIDE = (HELD_OUT, LAMPLIT, UNREAD)
FAMILIES = ("kitchen", "club", "study")


@dataclass(frozen=True)
class Lamp:
    at: tuple[float, float, float]
    power: float
    color: Color
    size: float


@dataclass(frozen=True)
class Illumination:
    ambient: Color
    lamps: tuple[Lamp, ...]


@dataclass(frozen=True)
class Lens:
    """What the camera does to the light: exposure, colors, sharpness, noise, compression."""

    exposure: float
    white_balance: Color
    gamma: float
    contrast: float
    saturation: float
    vignette: float
    blur: float
    motion: float
    motion_angle: float
    noise: float
    noise_grain: float
    sharpen: float
    quality: int


@dataclass(frozen=True)
class Style:
    family: str
    table: str
    table_color: Color
    mat_color: Color
    mat_noise: float
    mat_lines: float
    wood: str
    wood_light: Color
    wood_dark: Color
    grain: float
    grain_angle: float
    line_width: float
    line_depth: float
    check_dark: Color
    black: Color
    mushroom: Color
    blue: Color
    peg: Color
    card_white: Color
    card_blue: Color
    card_disc: float
    gloss: float
    sheen: float  # how wide the lamps' reflections are: 1 varnish, small numbers satin
    die_white: Color
    die_red: Color
    pip_on_white: Color
    pip_on_red: Color
    pip: str
    pip_radius: float
    pip_spread: float
    pip_depth: float
    king_ring: float
    king_pip: float
    die_round: float
    tile_white: Color
    tile_ink: Color
    tile_green: Color
    tile_neutral: Color
    tile_down: Color
    tile_dot: Color
    tile_dot_radius: float
    tile_dot_inset: float
    arrow: str
    arrow_width: float
    arrow_head: float
    arrow_spread: float  # how wide the head is, against its length
    arrow_reach: float
    arrow_start: float  # how far from the middle the shafts begin
    arrow_hub: float
    symbol_size: float
    symbol_line: float
    pawn_tint: tuple[Color, Color, Color, Color]
    pawn_clear: float
    pawn_glow: float  # how much light the plastic itself gives back
    plank_red: Color
    plank_white: Color
    plank_blue: Color
    plank_border: float
    letter: str
    letter_size: float
    letter_weight: float
    letter_aspect: float
    letter_lean: float
    letter_black: Color
    letter_white: Color
    token_rim: float
    token_ring: bool
    place_jitter: float
    turn_jitter: float
    skin: Color
    sleeve: Color
    tetrod_hole: float = 0.0  # its radius where it is wide and the mushroom stands on the board in it; 0: on the plate
    arrow_bend: float = 0.0  # how far an arrow strays from the straight way, in its own reach
    arrow_course: str = "bow"  # how it strays, see pieces.COURSES
    print_gain: float = 0.0  # how much broader arrows are printed than they were drawn, in cells
    letter_bend: float = 0.0  # how far a letter's strokes stray, in its own height
    layers: float = 0.0  # how far the grooves that a printer of solids leaves lie apart, in cells
    coins: bool = False  # for tokens: a kind of coin for each player
    blank: bool = False  # tiles on which no pawn stands have no print: training prints them itself
    wear: Callable[[Rng, Style], Style] | None = None  # what time does to a piece of any maker


def linear(srgb: float) -> float:
    return float(srgb**2.2)


def shade(rng: Rng, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]) -> Color:
    """A random color; hue in degrees (may run past 360), saturation and value as a picture shows them."""
    h, s, v = (float(rng.uniform(*span)) for span in (hue, saturation, value))
    r, g, b = colorsys.hsv_to_rgb(h % 360 / 360, s, v)
    return linear(b), linear(g), linear(r)


def warmth(kelvin: float) -> Color:
    """Roughly the color of a lamp, green at 1."""
    warm = float(np.clip((6500 - kelvin) / 4000, -0.5, 1.0))
    return 1 - 0.55 * max(warm, 0) + 0.25 * max(-warm, 0), 1.0 - 0.12 * max(warm, 0), 1 + 0.12 * warm


def random_style(rng: Rng, family: str | None = None) -> Style:
    family = family or str(rng.choice(FAMILIES))

    def pick(usual: list[str], *aside: str) -> str:
        return aside[ASIDE.index(family)] if family in ASIDE else str(rng.choice(usual))

    def between(low: float, high: float) -> float:
        return float(rng.uniform(low, high))

    pale = shade(rng, (22, 48), (0.18, 0.62), (0.58, 0.95))
    darker = between(0.45, 0.85)
    wood_dark = (pale[0] * darker * between(0.7, 1.0), pale[1] * darker, pale[2] * darker * between(1.0, 1.1))
    tints = (
        shade(rng, (29, 52), (0.6, 1.0), (0.75, 1.0)),
        shade(rng, (-14, 11), (0.5, 0.98), (0.6, 1.0)),
        shade(rng, (203, 244), (0.45, 0.98), (0.6, 1.0)),
        shade(rng, (98, 158), (0.45, 0.98), (0.5, 0.98)),
    )
    skin_value = between(0.25, 0.97)
    return Style(
        family=family,
        table=pick(["boards", "plain", "weave", "speckle"], "stripes", "planed", "slabs"),
        table_color=shade(rng, (0, 360), (0.0, 0.85), (0.08, 0.95))
        if rng.random() < 0.5
        else shade(rng, (10, 45), (0.25, 0.8), (0.15, 0.85)),
        mat_color=_mat(rng),
        mat_noise=between(0.0, 0.12),
        mat_lines=between(0.0, 1.0),
        wood=pick(["straight", "rings", "plain", "wavy"], "flecks", "burl", "strips"),
        wood_light=pale,
        wood_dark=wood_dark,
        grain=between(0.0, 0.9),
        grain_angle=float(rng.choice([0.0, 90.0, between(0, 180)])),
        line_width=between(0.012, 0.045),
        line_depth=between(0.15, 0.9),
        check_dark=shade(rng, (8, 36), (0.3, 0.8), (0.14, 0.5)),
        black=shade(rng, (0, 360), (0.0, 0.3), (0.06, 0.26)),
        mushroom=shade(rng, (0, 360), (0.0, 0.3), (0.04, 0.2)),
        blue=shade(rng, (212, 242), (0.5, 0.95), (0.3, 0.85)),
        peg=shade(rng, (-14, 14), (0.6, 0.95), (0.45, 0.95))
        if rng.random() < 0.75
        else shade(rng, (0, 360), (0.1, 0.95), (0.2, 0.97)),
        card_white=shade(rng, (30, 60), (0.0, 0.1), (0.8, 0.97)),
        card_blue=shade(rng, (210, 242), (0.5, 0.95), (0.35, 0.85)),
        card_disc=between(0.29, 0.37),
        gloss=between(0.0, 1.0) ** 1.5,
        sheen=float(np.exp(between(np.log(0.04), 0.0))),
        die_white=shade(rng, (25, 65), (0.0, 0.2), (0.72, 0.98)),
        die_red=shade(rng, (-15, 13), (0.6, 0.99), (0.42, 0.97)),
        pip_on_white=shade(rng, (0, 360), (0.0, 0.3), (0.03, 0.25)),
        pip_on_red=shade(rng, (25, 60), (0.0, 0.15), (0.78, 0.98)),
        pip=pick(["round", "round", "flat"], "square", "diamond", "star"),
        pip_radius=between(0.068, 0.12),
        pip_spread=between(0.225, 0.295),
        pip_depth=between(0.0, 0.05),
        king_ring=between(0.03, 0.075),
        king_pip=between(0.07, 0.13),
        die_round=between(0.02, 0.13),
        tile_white=shade(rng, (25, 75), (0.0, 0.2), (0.7, 0.98)),
        tile_ink=shade(rng, (0, 360), (0.0, 0.35), (0.02, 0.36)),
        tile_green=shade(rng, (92, 170), (0.4, 1.0), (0.25, 0.85)),
        tile_neutral=shade(rng, (0, 360), (0.0, 0.13), (0.32, 0.72)),
        tile_down=shade(rng, (6, 40), (0.22, 0.8), (0.17, 0.62)),
        tile_dot=shade(rng, (-15, 14), (0.6, 1.0), (0.5, 0.98)),
        tile_dot_radius=between(0.022, 0.07),
        tile_dot_inset=between(0.0, 0.05),
        arrow=pick(
            ["straight", "barbed", "tapered", "wedge", "notched", "block", "kite"], "chevron", "outlined", "bent"
        ),
        arrow_width=between(0.03, 0.12),
        arrow_head=between(0.09, 0.21),
        arrow_spread=between(0.4, 0.85),
        arrow_reach=between(0.31, 0.47),
        arrow_start=between(0.0, 0.09) if rng.random() < 0.3 else 0.0,
        arrow_hub=between(0.0, 0.12) if rng.random() < 0.6 else 0.0,
        symbol_size=between(0.2, 0.4),
        symbol_line=between(0.03, 0.1),
        pawn_tint=tints,
        pawn_clear=between(0.2, 0.95),
        pawn_glow=between(0.4, 2.2),
        plank_red=shade(rng, (-14, 12), (0.62, 0.99), (0.5, 0.98)),
        plank_white=shade(rng, (25, 75), (0.0, 0.15), (0.75, 0.98)),
        plank_blue=shade(rng, (206, 242), (0.5, 0.97), (0.32, 0.9)),
        plank_border=between(0.008, 0.05),
        letter=pick(
            ["sans", "sans", "slab", "square", "broad pen", "simplex", "duplex", "complex"],
            "triplex",
            "printed uni",
            "stencil",
        ),
        letter_size=between(0.25, 0.52),
        letter_weight=between(0.035, 0.12),
        letter_aspect=between(0.68, 1.25),
        letter_lean=between(-0.15, 0.25) if rng.random() < 0.3 else 0.0,
        letter_black=shade(rng, (0, 360), (0.0, 0.4), (0.03, 0.3)),
        letter_white=shade(rng, (25, 75), (0.0, 0.15), (0.75, 0.98)),
        token_rim=between(0.015, 0.05),
        token_ring=bool(rng.random() < 0.15),
        place_jitter=between(0.0, 0.045),
        turn_jitter=between(0.0, 4.0),
        skin=shade(rng, (8, 30), (0.25, 0.65), (skin_value, skin_value)),
        sleeve=shade(rng, (0, 360), (0.0, 0.9), (0.1, 0.95)),
    )


def _mat(rng: Rng) -> Color:
    """Of any color; gray as a neutral tile or brown as one that lies face down often enough to be told apart."""
    kind = rng.random()
    if kind < 0.3:
        return shade(rng, (0, 360), (0.0, 0.12), (0.25, 0.85))
    if kind < 0.42:
        return shade(rng, (6, 44), (0.15, 0.75), (0.18, 0.85))
    return shade(rng, (0, 360), (0.0, 0.65), (0.12, 0.95))


def from_another_kit(rng: Rng, style: Style) -> Style:
    """The style of a piece whose maker is not that of its neighbors; it lies as they do."""
    other = random_style(rng, style.family)
    if style.wear:
        other = style.wear(rng, other)
    lies = replace(other, place_jitter=style.place_jitter, turn_jitter=style.turn_jitter)
    return replace(lies, sheen=style.sheen, blank=style.blank)


def lamplight(rng: Rng, middle: tuple[float, float]) -> Illumination:
    """One small warm lamp that stands low beside the board: long shadows, one side bright and the other dim."""
    turn, away = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(7, 11))
    at = (middle[0] + away * np.cos(turn), middle[1] + away * np.sin(turn), float(rng.uniform(5, 8)))
    level = float(rng.uniform(0.08, 0.2))
    tint = warmth(float(rng.uniform(3000, 5000)))
    lamp = Lamp(at, float(rng.uniform(0.7, 1.1)), warmth(float(rng.uniform(2000, 2600))), 0.6)
    return Illumination((level * tint[0], level * tint[1], level * tint[2]), (lamp,))


def random_light(rng: Rng, middle: tuple[float, float]) -> Illumination:
    """Window, ceiling, hard lamp, two lamps: from soft to hard, from cold to warm, from any side."""
    lamps = []
    for k in range(int(rng.choice([1, 1, 1, 2]))):
        high = float(rng.uniform(8, 20))
        away, turn = float(rng.uniform(0, 13)), float(rng.uniform(0, 2 * np.pi))
        at = (middle[0] + away * np.cos(turn), middle[1] + away * np.sin(turn), high)
        power = float(rng.uniform(0.35, 0.8)) * (0.5 if k else 1.0)
        lamps.append(Lamp(at, power, warmth(float(rng.uniform(2500, 7500))), float(rng.choice([0.3, 2.0, 5.0]))))
    level = float(rng.uniform(0.08, 0.4))
    tint = warmth(float(rng.uniform(3000, 8000)))
    return Illumination((level * tint[0], level * tint[1], level * tint[2]), tuple(lamps))


def random_lens(rng: Rng) -> Lens:
    low = rng.random() < 0.25
    gains = rng.normal(1, 0.06, 3)
    return Lens(
        exposure=float(rng.uniform(0.3, 0.6) if low else rng.uniform(0.6, 1.25)),
        white_balance=(float(gains[0]), 1.0, float(gains[2])),
        gamma=float(rng.uniform(0.85, 1.2)),
        contrast=float(rng.uniform(0.0, 0.5)),
        saturation=float(rng.uniform(0.7, 1.25)),
        vignette=float(rng.uniform(0, 0.3)),
        blur=float(rng.uniform(0.3, 1.3)),
        motion=float(rng.uniform(1, 4.0)) if rng.random() < 0.35 else 0.0,
        motion_angle=float(rng.uniform(0, 180)),
        noise=float(rng.uniform(3, 9) if low else rng.uniform(0.5, 5)),
        noise_grain=float(rng.uniform(0, 1)),
        sharpen=float(rng.uniform(0, 0.6)),
        quality=int(rng.integers(50, 96)),
    )
