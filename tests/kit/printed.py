"""A printed kit on the simulated table: pages are rendered, cut along their lines, and laid before a camera.

Paper is not as white and ink not as black as a screen shows them. What cannot be printed (pegs, mushrooms, clear pawns)
is stood in for as the kit says.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from resvg_py import svg_to_bytes

from companion.games import game, game_ids
from companion.kit.book import Kit, kit_of, kit_pdf
from companion.kit.mats import mat_field
from companion.kit.parts import NET, SIDE, VALUES, pips_of
from companion.kit.sheets import Format, Page, Placed
from tests.parts import lacking
from vision.codes import PIPS
from vision.pose import Image, Pose
from vision.simulate import pieces
from vision.simulate.layout import Layout
from vision.simulate.render import render
from vision.simulate.scene import Die, Map, Patch, Scene, bare_table, box
from vision.simulate.style import Illumination, Lens, Rng, Style

DPI = 150
MM = DPI / 25.4  # pixels
USUAL = Format()
INK, PAPER = 0.03, 0.82  # how much light black and white give back


def rendered(pdf: Path, first: int, last: int, dpi: int = DPI) -> list[Image]:
    """Pages as pictures, by poppler."""
    folder = pdf.parent / f"pages-{first}-{last}-{dpi}"
    folder.mkdir(exist_ok=True)
    command = ["pdftoppm", "-r", str(dpi), "-f", str(first), "-l", str(last), "-png", str(pdf), str(folder / "p")]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        lacking("pdftoppm is not installed (poppler-utils)")
    return [np.asarray(cv2.imread(str(file)), np.uint8) for file in sorted(folder.glob("*.png"))]


@dataclass(frozen=True)
class Cut:
    """A thing that was cut out: its colors in linear light, how much of each pixel belongs to it, pixels to a cell."""

    colors: Map
    mask: Map
    ppu: float

    def enlarged(self, times: float) -> Cut:
        return Cut(self.colors, self.mask, self.ppu / times)

    def turned(self, quarters: int) -> Cut:
        """Counter-clockwise."""
        return Cut(np.rot90(self.colors, quarters).copy(), np.rot90(self.mask, quarters).copy(), self.ppu)

    def on(self, patch: Patch) -> tuple[Map, Map]:
        """As it lies around the middle of a patch: its signed distance and its colors."""
        high, wide = self.mask.shape
        shape = np.broadcast_shapes(patch.u.shape, patch.v.shape)
        x = np.ascontiguousarray(np.broadcast_to(patch.u * self.ppu + wide / 2 - 0.5, shape), np.float32)
        y = np.ascontiguousarray(np.broadcast_to(high / 2 - 0.5 - patch.v * self.ppu, shape), np.float32)
        share = max(1.0, self.ppu / patch.scene.ppu)  # finer than the scene: smoothed, as a coarser map sees it
        colors = cv2.GaussianBlur(self.colors, (0, 0), share / 2) if share > 1.2 else self.colors
        mask = cv2.remap(self.mask, x, y, cv2.INTER_LINEAR, borderValue=0)
        covered = (mask > 0.5).astype(np.uint8)
        out, within = (cv2.distanceTransform(one, cv2.DIST_L2, 3) for one in (1 - covered, covered))
        distance = np.where(covered, np.minimum(0.5 - mask, 0.5 - within), np.maximum(0.5 - mask, out - 0.5))
        painted = cv2.remap(colors, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(distance / patch.scene.ppu, np.float32), painted


def linear(image: Image) -> Map:
    return np.asarray(INK + (PAPER - INK) * (image.astype(np.float32) / 255) ** 2.2, np.float32)


class PrintedKit:
    """The kit of all games, printed and cut out."""

    def __init__(self, folder: Path, wanted: Format = USUAL) -> None:
        games = [game(id) for id in game_ids()]
        self.wanted, self.ppu = wanted, wanted.cell * MM
        self.kit: Kit = kit_of(games, wanted)
        self.pdf = folder / "kit.pdf"
        self.pdf.write_bytes(kit_pdf(games, self.kit, wanted))

    def _pages(self, code: str) -> list[tuple[Page, Image]]:
        pages = next(sheets.pages for sheets in self.kit.sheets if sheets.code == code)
        first = next(n for n, page in enumerate(self.kit.pages) if page is pages[0])
        return list(zip(pages, rendered(self.pdf, first + 1, first + len(pages)), strict=True))

    def mat(self, field: str) -> Cut:
        """The sheets of a mat cut at their edges and glued together, each on the one before."""
        whole: Map | None = None
        for page, image in self._pages(f"mat.{field}"):
            assert page.trim is not None
            x, y, width, height = (round(value * MM) for value in page.trim)
            left, top = (round(value * MM) for value in page.at)
            piece = image[y : y + height, x : x + width]
            if whole is None:
                size = mat_field(field)
                shape = (round((size.rows + 3.1) * self.ppu), round((size.columns + 3.1) * self.ppu), 3)
                whole = np.full(shape, 255, np.uint8)
            part = whole[top : top + height, left : left + width]
            part[:] = piece[: part.shape[0], : part.shape[1]]
        assert whole is not None
        return Cut(linear(np.asarray(whole, np.uint8)), np.ones(whole.shape[:2], np.float32), self.ppu)

    def parts(self, code: str) -> list[tuple[Placed, Cut]]:
        return [(placed, self._cut(placed, image)) for page, image in self._pages(code) for placed in page.parts]

    def _cut(self, placed: Placed, image: Image) -> Cut:
        """Cut out along its lines; a part that lies turned on the page is turned back."""
        part, found = placed.part, placed.box
        x, y = found.x * MM, found.y * MM
        wide, high = round(found.width * MM), round(found.height * MM)
        shift = np.array([[1, 0, x], [0, 1, y]])
        piece = cv2.warpAffine(image, shift, (wide, high), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP)
        if placed.turn:
            piece = np.rot90(piece, placed.turn).copy()
            wide, high = high, wide
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {part.width:g} {part.height:g}" width="{wide}" '
            f'height="{high}"><rect width="100%" height="100%"/><path d="{part.cut}" fill="#fff" fill-rule="evenodd"/>'
            "</svg>"
        )
        drawn = cv2.imdecode(np.frombuffer(svg_to_bytes(svg_string=svg), np.uint8), cv2.IMREAD_GRAYSCALE)
        return Cut(linear(np.asarray(piece, np.uint8)), np.asarray(drawn[:high, :wide], np.float32) / 255, self.ppu)

    # --- pieces by what they are

    thick: float | None = None  # how thick the card is on which pieces are glued; None: as thick as the wooden ones
    mushroom_high, peg_high, pawn_high = 0.35, 0.5, 0.3
    size = 1.0  # of what stands in for pegs, mushrooms and pawns, against what the page says
    film = 0.5  # how dense ink is on film

    def thickness(self, kind: str) -> float:
        wooden = {"tromino": 0.15, "tetrod": 0.12, "blocker": 0.12, "tile": 0.07, "plank": 0.07}
        return wooden[kind] if self.thick is None else self.thick

    @cached_property
    def plates(self) -> dict[str, list[Cut]]:
        found: dict[str, list[Cut]] = {}
        for placed, cut in [*self.parts("plates"), *self.parts("pierced")]:
            found.setdefault(placed.part.kind, []).append(cut)
        return found

    @cached_property
    def stand_ins(self) -> dict[str, list[Cut]]:
        found: dict[str, list[Cut]] = {}
        for placed, cut in self.parts("standins"):
            found.setdefault(placed.part.kind, []).append(cut)
        return found

    def stand_in(self, kind: str, number: int = 0) -> Cut:
        return self.stand_ins[kind][number].enlarged(self.size)

    def pawn(self, name: str) -> Cut:
        return self.stand_in("pawn", ("square1", "square2", "round1", "round2").index(name))

    @cached_property
    def _tiles(self) -> list[Cut]:
        """In the order of the game's material, then their backs."""
        both = self.parts("tiles")
        return [cut for placed, cut in both if placed.part.back] + [cut for placed, cut in both if not placed.part.back]

    def tile(self, code: str) -> Cut:
        names = [name for name, number in game("trippples").material.pieces.items() for _ in range(number)]
        turned = 2 if code.endswith("~") else 0
        return self._tiles[names.index(code.removesuffix("~")) if code != "down" else -1].turned(turned)

    @cached_property
    def faces(self) -> list[tuple[str, Cut]]:
        """The cards' faces: Blue's are on the fronts."""
        return [("b" if placed.part.back else "w", cut) for placed, cut in self.parts("cards")]

    @cached_property
    def _planks(self) -> list[Cut]:
        return [cut for _, cut in self.parts("planks")]

    def plank(self, colors: str) -> Cut:
        models = [
            name for name, number in game("plank").material.pieces.items() if ":" not in name for _ in range(number)
        ]
        if colors in models:
            return self._planks[models.index(colors)]
        return self._planks[models.index(colors[::-1])].turned(2)

    @cached_property
    def _tokens(self) -> list[Cut]:
        return [cut for _, cut in self.parts("tokens")]

    def token(self, owner: str, color: str) -> Cut:
        names = [name for name, number in game("plank").material.pieces.items() if ":" in name for _ in range(number)]
        return self._tokens[names.index(f"{owner}:{color}")]

    @cached_property
    def dice(self) -> dict[str, Cut]:
        """The faces of folded dice by the camera's codes: each as it looks when it is on top."""
        found: dict[str, Cut] = {}
        for placed, cut in self.parts("dice"):
            side = SIDE / 100 * self.ppu
            is_red = cut.colors[cut.mask > 0.5].mean(axis=0)[2] > 2 * cut.colors[cut.mask > 0.5].mean(axis=0)[0]
            for place, (normal, _, _) in NET.items():
                x, y = place[0] * side, place[1] * side
                face = cv2.warpAffine(
                    cut.colors,
                    np.array([[1, 0, x], [0, 1, y]]),
                    (round(side), round(side)),
                    flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                )
                one = Cut(np.asarray(face, np.float32), np.ones(face.shape[:2], np.float32), self.ppu)
                color = "r" if is_red else "w"
                if placed.part.kind == "king":
                    found[f"{color}K"] = one
                    continue
                for quarters in range(4):
                    pips = {_turned(pip, quarters) for pip in pips_of(place)}
                    value = str(VALUES[normal])
                    name = next(name for name, at in PIPS.items() if name[0] == value and set(at) == pips)
                    found.setdefault(f"{color}{name}", one.turned(quarters))
        return found


def _turned(pip: tuple[int, int], quarters: int) -> tuple[int, int]:
    for _ in range(quarters):
        pip = -pip[1], pip[0]
    return pip


# --- laid on a scene


class Table:
    """A printed mat on a simulated table, and printed pieces on it."""

    def __init__(self, kit: PrintedKit, rng: Rng, field: str, style: Style, pose: Pose) -> None:
        self.kit, self.rng, self.style, self.pose = kit, rng, style, pose
        self.bare = bare_table(rng, mat_field(field), style, float(np.clip(pose.cell_pixels * 1.1, 36, 72)))
        middle = self.bare.field.columns / 2, self.bare.field.rows / 2
        patch = self.bare.patch(*middle, max(middle) + 2)
        distance, colors = kit.mat(field).on(patch)
        patch.paint(distance, colors, gloss=0.05)

    def photograph(self, layout: Layout, light: Illumination, lens: Lens) -> Image:
        return render(self.rng, self.laid(layout), self.pose, light, self.style, lens).image

    def laid(self, layout: Layout) -> Scene:
        """The mat with everything on it."""
        scene = self.bare.bare_copy()
        {"seven": self._seven, "faces": self._faces, "tiles": self._tiles, "planks": self._planks}[scene.field.name](
            scene, layout
        )
        return scene

    def _lay(
        self, scene: Scene, cut: Cut, x: float, y: float, thick: float, turn: float = 0.0, slip: float = 1.0
    ) -> None:
        """A piece of paper on something so thick, a little beside its place."""
        dx, dy, askew = self.rng.normal(0, (0.015 * slip, 0.015 * slip, 0.8 * slip))
        patch = scene.patch(x + dx, y + dy, max(cut.mask.shape) / cut.ppu * 0.75, turn + askew)
        distance, colors = cut.on(patch)
        inside = distance < 0
        base = float(np.median(scene.height[patch.window][inside])) if inside.any() else 0.0
        side = tuple(float(c) for c in np.median(colors[inside], axis=0))
        patch.raise_(distance, base + thick, colors, (side[0], side[1], side[2]), 0.05)

    def _seven(self, scene: Scene, layout: Layout) -> None:
        shown = {cell: layout.piece(code) for cell, code in layout.cells.items()}
        for plate in layout.plates:
            kind = shown[plate[0]].partition("+")[0]
            cut = _fitting(self.kit.plates[kind], plate, {cell: shown[cell].endswith("mushroom") for cell in plate})
            x, y = (float(np.mean([min(c[k] for c in plate), max(c[k] for c in plate)])) + 0.5 for k in (0, 1))
            self._lay(scene, cut, x, y, self.kit.thickness(kind))
        for n, card in enumerate(layout.cards):
            above = set().union(*(other.cells for other in layout.cards[n + 1 :]))
            holes = {cell: shown[cell].endswith("peg") for cell in card.cells if cell not in above}
            cut = _fitting([cut for face, cut in self.kit.faces if face == card.face], card.cells, holes)
            self._lay(scene, cut, card.at[0] + card.size[0] / 2, card.at[1] + card.size[1] / 2, 0.012)
        for (column, row), piece in shown.items():
            x, y = column + 0.5, row + 0.5
            if piece == "blocker":
                self._lay(scene, self.kit.plates["blocker"][0], x, y, self.kit.thickness("blocker"))
            if piece in ("blocker", "mushroom", "tetrod+mushroom"):
                self._stand(scene, self.kit.stand_in("mushroom"), x, y, self.kit.mushroom_high, (0.02, 0.02, 0.02))
            elif piece.endswith("peg"):
                self._stand(scene, self.kit.stand_in("peg"), x, y, self.kit.peg_high, (0.03, 0.03, 0.55))

    def _stand(self, scene: Scene, cut: Cut, x: float, y: float, top: float, side: Any) -> None:
        """A printed disc on a slice of something round that stands on the mat, or on what lies there."""
        dx, dy = self.rng.normal(0, 0.015, 2)
        patch = scene.patch(x + dx, y + dy, 0.4, float(self.rng.uniform(0, 360)))
        distance, colors = cut.on(patch)
        base = float(np.median(scene.height[patch.window][distance < 0]))
        patch.raise_(distance, base + top, colors, side, 0.1)

    def _faces(self, scene: Scene, layout: Layout) -> None:
        for (column, row), code in layout.cells.items():
            if code == layout.labels.empty:
                continue
            dx, dy, askew = self.rng.normal(0, (0.02, 0.02, 2.0))
            at = column + 0.5 + dx, row + 0.5 + dy
            patch = scene.patch(*at, 0.6, askew)
            distance = box(patch.u, patch.v, pieces.DIE_SIDE / 2, pieces.DIE_SIDE / 2, 0.01)
            _, colors = self.kit.dice[code].on(patch)
            is_red = code[0] == "r"
            side = (0.04, 0.03, 0.6) if is_red else (0.8, 0.8, 0.8)
            patch.raise_(distance, pieces.DIE_SIDE, colors, side, 0.05, 0.01)
            ring = [n for n in range(1, 7) if code[1] == "K" or n not in (int(code[1]), 7 - int(code[1]))]
            first = int(self.rng.choice(ring))
            second = int(self.rng.choice([n for n in ring if n not in (first, 7 - first)]))
            faces = (0, 0, 0, 0) if code[1] == "K" else (first, 7 - first, second, 7 - second)
            scene.dice.append(Die(at[0], at[1], askew, 0.0, pieces.DIE_SIDE, is_red, faces))
            scene.die_at[patch.window][distance < 3 / scene.ppu] = len(scene.dice)

    def _tiles(self, scene: Scene, layout: Layout) -> None:
        for (column, row), code in layout.cells.items():
            if code != layout.labels.empty:
                self._lay(scene, self.kit.tile(code), column + 0.5, row + 0.5, self.kit.thickness("tile"))
        for name, square in layout.visible.get("pawns", {}).items():
            self._film(scene, self.kit.pawn(name), ord(square[0]) - 96.5, int(square[1:]) - 0.5)

    def _film(self, scene: Scene, cut: Cut, x: float, y: float) -> None:
        """Printed film on a clear block: what lies under it is seen through its color."""
        if scene.glass is None:
            scene.glass = np.zeros(scene.height.shape, np.float32)
            scene.glass_tint = np.ones((*scene.height.shape, 3), np.float32)
            scene.glass_glow = np.ones(scene.height.shape, np.float32)
        assert scene.glass_tint is not None
        dx, dy, askew = self.rng.normal(0, (0.02, 0.02, 3.0))
        patch = scene.patch(x + dx, y + dy, 0.6, askew)
        distance, colors = cut.on(patch)
        tint = np.clip((colors - INK) / (PAPER - INK), 0.02, 1) ** self.kit.film
        scene.glass[patch.window][distance < 0] = self.kit.thickness("tile") + self.kit.pawn_high
        near = distance < 3 / scene.ppu
        scene.glass_tint[patch.window][near] = tint[near]

    def _planks(self, scene: Scene, layout: Layout) -> None:
        planks = layout.visible["planks"]
        x, y = float(self.rng.uniform(2.2, 3.8)), 0.2 + float(self.rng.uniform(0, 1)) * (12.6 - len(planks))
        for n, plank in enumerate(planks):
            self._lay(
                scene, self.kit.plank("".join(plank["colors"])), x, y + n * 1.01 + 0.5, self.kit.thickness("plank")
            )
        for n, plank in enumerate(planks):
            for k, token in enumerate(plank["tokens"]):
                if token != ".":
                    color = token[2:] or plank["colors"][k]
                    turn = float(self.rng.uniform(0, 360))
                    self._lay(scene, self.kit.token(token[0], color), x + k - 1, y + n * 1.01 + 0.5, 0.03, turn, 2.0)


def _fitting(cuts: list[Cut], cells: Any, holes: dict[Any, bool]) -> Cut:
    """The piece, and the way to turn it, that covers these cells and has its holes where they should be."""
    west, south = min(c for c, _ in cells), min(r for _, r in cells)
    wide, high = max(c for c, _ in cells) - west + 1, max(r for _, r in cells) - south + 1
    for cut in cuts:
        for quarters in range(4):
            one = cut.turned(quarters)
            rows, columns = (round(size / one.ppu + 0.03) for size in one.mask.shape)
            if (columns, rows) != (wide, high):
                continue

            def covers(cell: Any, dx: float, one: Cut = one) -> bool:
                x = (cell[0] - west + 0.5 + dx - wide / 2) * one.ppu + one.mask.shape[1] / 2
                y = one.mask.shape[0] / 2 - (cell[1] - south + 0.5 + dx - high / 2) * one.ppu
                return bool(one.mask[int(y), int(x)] > 0.5)

            whole = {(west + i, south + j) for i in range(wide) for j in range(high)}
            if all(covers(cell, 0.33) == (cell in cells) for cell in whole) and all(
                covers(cell, 0.0) != hole for cell, hole in holes.items()
            ):
                return one
    raise AssertionError(f"nothing in the kit covers {cells} with holes {holes}")
