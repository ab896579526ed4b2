"""Path-traced pictures to train on: python -m vision.training.traced DIR FIRST COUNT [PIECES…].

With `aside` and style families in place of the pieces they are pictures to measure with, in the rooms kept aside.

The same tables as the fast renderer draws, with light that behaves as light does: Blender's Cycles (PyPI's `bpy`, only
for training) follows it through rooms that were photographed (the environment maps that come with Blender, CC0), over
glossy plastic, through clear pawns, and into a lens that is sharp at one distance only.

A scene is a height field with colors (`vision.simulate.scene`), so one mesh is the whole table. What is no height
field is added to it: clear pawns, the pips on the sides of dice, hands.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy
import cv2
import numpy as np
from mathutils import Matrix, Vector

from vision.fields import FIELDS, usual_field
from vision.pose import Pose
from vision.simulate import pieces
from vision.simulate.camera import random_pose
from vision.simulate.pieces import side_faces
from vision.simulate.render import Ball, Picture, develop, random_hand, render
from vision.simulate.scene import Map, Scene, Window, bare_table
from vision.simulate.style import (
    ASIDE,
    LAMPLIT,
    Color,
    Illumination,
    Lens,
    Rng,
    Style,
    lamplight,
    random_lens,
    random_light,
    random_style,
)
from vision.training.lived_in import careless, furnish, mirrored, worn
from vision.training.pictures import TRACED, write
from vision.training.positions import labels_of, random_layout
from vision.training.sample import Sample

ROOMS = Path(bpy.utils.resource_path("LOCAL")) / "datafiles" / "studiolights" / "world"
HELD_OUT_ROOMS = ("courtyard", "sunset")  # never trained in
# A round of pictures; what is hardest to read in a photograph comes most often.
ROUND = (
    *("planks, odd", "mushrooms", "tiles, odd", "planks", "dice, odd"),
    *("planks, odd", "mushrooms, odd", "trominoes", "planks, odd", "tiles", "mushrooms", "dice", "cards, odd"),
)
GAMES = ("planks", "mushrooms", "tiles", "dice", "single mushrooms", "trominoes", "cards")
SIZES = ((640, 480), (640, 480), (640, 480), (800, 600), (640, 480), (960, 540))  # a larger one costs as many small
SAMPLES = 3  # rays a pixel; the denoiser does the rest
BOUNCES = 3  # more light up corners that nobody reads
AROUND = 0.35  # cells around the markers that are followed too, where only the field is wanted
STEEP = 0.55  # a surface that rises faster shows the color of a piece's side, not of its top
FAR = 60.0  # how far the bare table goes on, in cells
LAMP_WATTS = 900.0  # of a lamp of power 1 at the usual distance
GLASS = 1.49  # how strongly acrylic bends light


def traced(
    rng: Rng,
    scene: Scene,
    pose: Pose,
    light: Illumination,
    style: Style,
    lens: Lens,
    balls: Sequence[Ball],
    room: str,
    whole: bool = False,
) -> Picture:
    """The picture that a camera takes of a scene in a room; unless all of it is wanted, only the field with its markers
    is followed ray by ray, as that is all that is trained on."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    _table(rng, scene)
    _pawns(scene)
    _side_pips(scene, style)
    _hands(balls)
    _light(rng, light, (scene.field.columns / 2, scene.field.rows / 2), room)
    _camera(rng, pose)
    window = (slice(0, pose.size[1]), slice(0, pose.size[0])) if whole else _busy(pose)
    color = _distorted(_rendered(pose.size, window), pose)
    bright = np.percentile(cv2.cvtColor(color[window], cv2.COLOR_BGR2GRAY), 92)
    color *= np.float32(rng.uniform(0.22, 0.75) / max(bright, 1e-4))
    hidden = render(rng, scene, pose, light, style, lens, balls).blocked  # things in the way hide the same in both
    return Picture(develop(rng, color, lens), hidden)


# --- what stands there


def _material(name: str) -> tuple[Any, Any, Any]:
    """A new material: itself, its node tree and its surface."""
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    tree = material.node_tree
    return material, tree, tree.nodes["Principled BSDF"]


def _image(name: str, colors: Map) -> Any:
    """A picture for a surface, from colors in linear light (blue, green, red) with north up."""
    rows, columns = colors.shape[:2]
    pixels = np.ones((rows, columns, 4), np.float32)
    pixels[..., :3] = colors[::-1, :, ::-1] if colors.ndim == 3 else colors[::-1, :, None]
    image = bpy.data.images.new(name, columns, rows, float_buffer=True)
    image.colorspace_settings.name = "Non-Color"  # light is linear already
    image.pixels.foreach_set(pixels.ravel())
    return image


def _texture(tree: Any, image: Any, extension: str = "EXTEND") -> Any:
    node = tree.nodes.new("ShaderNodeTexImage")
    node.image, node.extension = image, extension
    return node


def _mesh(name: str, points: Map, quads: Any, uv: Map | None, material: Any) -> Any:
    """An object made of quads; `uv` is per point."""
    mesh = bpy.data.meshes.new(name)
    mesh.vertices.add(len(points))
    mesh.vertices.foreach_set("co", np.ascontiguousarray(points, np.float32).ravel())
    quads = np.ascontiguousarray(quads, np.int32)
    mesh.loops.add(quads.size)
    mesh.loops.foreach_set("vertex_index", quads.ravel())
    mesh.polygons.add(len(quads))
    mesh.polygons.foreach_set("loop_start", np.arange(0, quads.size, 4, dtype=np.int32))
    if uv is not None:
        layer = mesh.uv_layers.new(name="uv")
        layer.data.foreach_set("uv", np.ascontiguousarray(uv[quads.ravel()], np.float32).ravel())
    mesh.update(calc_edges=True)
    mesh.materials.append(material)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def _table(rng: Rng, scene: Scene) -> None:
    rows, columns = scene.height.shape
    x = scene.west + (np.arange(columns) + 0.5) / scene.ppu
    y = scene.north - (np.arange(rows) + 0.5) / scene.ppu
    xs, ys = np.meshgrid(x, y)
    points = np.stack([xs, ys, scene.height], axis=-1).reshape(-1, 3)
    uv = np.stack(
        [(np.arange(columns) + 0.5) / columns + 0 * ys, 1 - (np.arange(rows)[:, None] + 0.5) / rows + 0 * xs], -1
    )
    number = np.arange(rows * columns, dtype=np.int32).reshape(rows, columns)
    quads = np.stack([number[1:, :-1], number[1:, 1:], number[:-1, 1:], number[:-1, :-1]], axis=-1).reshape(-1, 4)
    material, tree, surface = _material("table")
    top, side = (_texture(tree, _image(name, getattr(scene, name))) for name in ("albedo", "side"))
    geometry, split, steep = (tree.nodes.new(f"ShaderNode{kind}") for kind in ("NewGeometry", "SeparateXYZ", "Math"))
    steep.operation, steep.inputs[1].default_value = "LESS_THAN", STEEP
    tree.links.new(split.inputs[0], geometry.outputs["True Normal"])
    tree.links.new(steep.inputs[0], split.outputs["Z"])
    mix = tree.nodes.new("ShaderNodeMix")
    mix.data_type = "RGBA"
    tree.links.new(mix.inputs["Factor"], steep.outputs[0])
    tree.links.new(mix.inputs["A"], top.outputs["Color"])
    tree.links.new(mix.inputs["B"], side.outputs["Color"])
    tree.links.new(surface.inputs["Base Color"], mix.outputs["Result"])
    shiny = np.clip(scene.gloss * float(rng.uniform(0.6, 1.5)), 0, 1)
    rough = np.clip(float(rng.uniform(0.6, 0.9)) - shiny * float(rng.uniform(0.35, 0.75)), 0.04, 0.95)
    tree.links.new(
        surface.inputs["Roughness"], _texture(tree, _image("rough", rough.astype(np.float32))).outputs["Color"]
    )
    surface.inputs["Specular IOR Level"].default_value = float(rng.uniform(0.3, 0.8))
    _roughen(rng, tree, surface)
    ground = _mesh("table", points, quads, uv.reshape(-1, 2), material)
    ground.data.shade_smooth()
    ground.data.set_sharp_from_angle(angle=0.7)
    _far_table(rng, scene)


def _roughen(rng: Rng, tree: Any, surface: Any) -> None:
    """Nothing is quite flat: fibers, brushed varnish, an orange peel in plastic."""
    noise, bump = tree.nodes.new("ShaderNodeTexNoise"), tree.nodes.new("ShaderNodeBump")
    where = tree.nodes.new("ShaderNodeTexCoord")
    tree.links.new(noise.inputs["Vector"], where.outputs["Object"])
    noise.inputs["Scale"].default_value = float(np.exp(rng.uniform(np.log(4), np.log(60))))
    bump.inputs["Strength"].default_value = float(rng.uniform(0.0, 0.25))
    bump.inputs["Distance"].default_value = 0.02
    tree.links.new(bump.inputs["Height"], noise.outputs[0])
    tree.links.new(surface.inputs["Normal"], bump.outputs[0])


def _far_table(rng: Rng, scene: Scene) -> None:
    """What lies around the scene: the table goes on, mirrored."""
    rows, columns = scene.height.shape
    wide, high = columns / scene.ppu, rows / scene.ppu
    corners = np.array([[-FAR, -FAR], [FAR, -FAR], [FAR, FAR], [-FAR, FAR]])
    points = np.concatenate([corners, np.full((4, 1), -0.01)], axis=1)
    uv = (corners - [scene.west, scene.north - high]) / [wide, high]
    material, tree, surface = _material("ground")
    tree.links.new(surface.inputs["Base Color"], _texture(tree, _image("ground", scene.ground), "MIRROR").outputs[0])
    surface.inputs["Roughness"].default_value = float(rng.uniform(0.25, 0.9))
    _roughen(rng, tree, surface)
    _mesh("ground", points, np.array([[0, 1, 2, 3]]), uv, material)


def _prism(name: str, outline: Map, low: float, high: float, material: Any) -> Any:
    """An upright body over an outline, counter-clockwise."""
    mesh = bpy.data.meshes.new(name)
    n = len(outline)
    points = [(*p, low) for p in outline] + [(*p, high) for p in outline]
    sides = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
    mesh.from_pydata(points, [], [tuple(range(n))[::-1], tuple(range(n, 2 * n)), *sides])
    mesh.update()
    mesh.materials.append(material)
    body = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(body)
    bevel = body.modifiers.new("edge", "BEVEL")
    bevel.width, bevel.segments, bevel.limit_method = 0.02, 2, "ANGLE"
    return body


def _pawns(scene: Scene) -> None:
    """Clear bodies: light is bent by them, and their shadows are tinted."""
    if scene.glass is None or scene.glass_tint is None:
        return
    outlines, _ = cv2.findContours((scene.glass > 0).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    for n, outline in enumerate(outlines):
        smooth = cv2.approxPolyDP(outline, 0.6, True)[:, 0, :].astype(np.float64)
        if len(smooth) < 4:
            continue
        column, row = (int(v) for v in outline[:, 0, :].mean(axis=0))
        tint = scene.glass_tint[row, column]
        places = np.stack(
            [scene.west + (smooth[:, 0] + 0.5) / scene.ppu, scene.north - (smooth[:, 1] + 0.5) / scene.ppu], -1
        )
        if np.cross(np.roll(places, -1, 0) - places, places - places.mean(0)).sum() > 0:
            places = places[::-1]
        _prism(f"pawn {n}", places, 0.072, 0.37, _glass(f"glass {n}", (float(tint[0]), float(tint[1]), float(tint[2]))))


def _glass(name: str, tint: Color) -> Any:
    material, tree, surface = _material(name)
    color = (tint[2], tint[1], tint[0], 1.0)
    surface.inputs["Base Color"].default_value = color
    surface.inputs["Transmission Weight"].default_value = 1.0
    surface.inputs["Roughness"].default_value = 0.03
    surface.inputs["IOR"].default_value = GLASS
    shadow, mix, path = (tree.nodes.new(f"ShaderNode{k}") for k in ("BsdfTransparent", "MixShader", "LightPath"))
    shadow.inputs[0].default_value = color
    tree.links.new(mix.inputs[0], path.outputs["Is Shadow Ray"])
    tree.links.new(mix.inputs[1], surface.outputs[0])
    tree.links.new(mix.inputs[2], shadow.outputs[0])
    tree.links.new(tree.nodes["Material Output"].inputs["Surface"], mix.outputs[0])
    return material


def _side_pips(scene: Scene, style: Style) -> None:
    """Pips on the sides of dice: sheets just before the walls, clear but for the ink."""
    if not scene.dice:
        return
    faces = side_faces(style)
    inks = {}
    for red in (False, True):
        ink = style.pip_on_red if red else style.pip_on_white
        for face in range(len(faces)):
            material, tree, surface = _material(f"pips {face} {red}")
            surface.inputs["Base Color"].default_value = (ink[2], ink[1], ink[0], 1.0)
            tree.links.new(
                surface.inputs["Alpha"], _texture(tree, _image(f"face {face}", faces[face]), "CLIP").outputs[0]
            )
            inks[face, red] = material
    for n, die in enumerate(scene.dice):
        turn = np.radians(die.turn)
        out, low, high = die.side / 2 + 1.6 / scene.ppu, die.base, die.base + die.side
        for face, angle in zip(die.faces, (np.pi, 0.0, -np.pi / 2, np.pi / 2), strict=True):
            away = np.array([np.cos(turn + angle), np.sin(turn + angle)])
            along = np.array([-away[1], away[0]]) * die.side / 2
            middle = np.array([die.x, die.y]) + away * out
            a, b = middle - along, middle + along
            points = np.array([[*a, low], [*b, low], [*b, high], [*a, high]])
            uv = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
            _mesh(f"side {n} {face}", points, np.array([[0, 1, 2, 3]]), uv, inks[face, die.red])


def _hands(balls: Sequence[Ball]) -> None:
    """Limbs: balls that melt into one skin, and into one sleeve."""
    for color in sorted({ball.color for ball in balls}):
        some = [ball for ball in balls if ball.color == color]
        material, _, surface = _material(f"limb {color}")
        surface.inputs["Base Color"].default_value = (color[2], color[1], color[0], 1.0)
        surface.inputs["Roughness"].default_value = 0.5
        bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3, radius=1.0)
        sphere = bpy.context.object
        shape = np.array([v.co for v in sphere.data.vertices])
        faces = np.array([list(p.vertices) for p in sphere.data.polygons])
        bpy.data.objects.remove(sphere)
        points = np.concatenate([shape * ball.radius + np.array(ball.at) for ball in some])
        triangles = np.concatenate([faces + k * len(shape) for k in range(len(some))])
        mesh = bpy.data.meshes.new("limb")
        mesh.from_pydata(points.tolist(), [], triangles.tolist())
        mesh.materials.append(material)
        limb = bpy.data.objects.new("limb", mesh)
        bpy.context.scene.collection.objects.link(limb)
        melt = limb.modifiers.new("melt", "REMESH")
        melt.mode, melt.voxel_size, melt.use_smooth_shade = "VOXEL", min(0.07, 0.5 * min(b.radius for b in some)), True
        smooth = limb.modifiers.new("smooth", "SMOOTH")
        smooth.iterations = 4


# --- light and camera


def _light(rng: Rng, light: Illumination, middle: tuple[float, float], room: str) -> None:
    world = bpy.data.worlds.new("room")
    bpy.context.scene.world = world
    world.use_nodes = True
    world.cycles.sampling_method, world.cycles.sample_map_resolution = "MANUAL", 256  # by itself it takes seconds
    tree = world.node_tree
    walls, turn, where = (tree.nodes.new(f"ShaderNode{kind}") for kind in ("TexEnvironment", "Mapping", "TexCoord"))
    walls.image = bpy.data.images.load(str(ROOMS / f"{room}.exr"))
    turn.inputs["Rotation"].default_value = (0.0, 0.0, float(rng.uniform(0, 2 * np.pi)))
    tree.links.new(turn.inputs[0], where.outputs["Generated"])
    tree.links.new(walls.inputs[0], turn.outputs[0])
    tree.links.new(tree.nodes["Background"].inputs[0], walls.outputs[0])
    tree.nodes["Background"].inputs[1].default_value = float(rng.uniform(0.3, 1.2))
    for n, lamp in enumerate(light.lamps if rng.random() < 0.85 else ()):
        made = bpy.data.lights.new(f"lamp {n}", "AREA")
        made.shape, made.size = "DISK", max(lamp.size, 0.4)
        away = sum((a - b) ** 2 for a, b in zip(lamp.at, (*middle, 0.0), strict=True))
        made.energy = LAMP_WATTS * lamp.power * away / 150.0
        made.color = lamp.color[::-1]
        thing = bpy.data.objects.new(f"lamp {n}", made)
        thing.location = lamp.at
        down = np.array([middle[0] - lamp.at[0], middle[1] - lamp.at[1], -lamp.at[2]])
        thing.rotation_euler = _towards(down)
        bpy.context.scene.collection.objects.link(thing)


def _towards(way: Map) -> tuple[float, float, float]:
    angles = Vector(way.tolist()).to_track_quat("-Z", "Y").to_euler()
    return float(angles.x), float(angles.y), float(angles.z)


def _camera(rng: Rng, pose: Pose) -> None:
    wide, _ = pose.size
    camera = bpy.data.cameras.new("camera")
    camera.sensor_fit, camera.sensor_width = "HORIZONTAL", 36.0
    camera.lens = float(pose.matrix[0, 0]) / wide * 36.0
    camera.clip_end = 500.0
    thing = bpy.data.objects.new("camera", camera)
    world = np.eye(4)
    world[:3, :3] = pose.rotation.T @ np.diag([1.0, -1.0, -1.0])  # Blender looks along −z, with y up
    world[:3, 3] = pose.eye
    thing.matrix_world = Matrix(world.tolist())
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing
    if rng.random() < 0.6:  # a cell is about three centimeters; the lens of a webcam is small
        camera.dof.use_dof = True
        away = float(np.linalg.norm(pose.eye - [pose.field.columns / 2, pose.field.rows / 2, 0]))
        camera.dof.focus_distance = away * float(rng.uniform(0.85, 1.15))
        camera.dof.aperture_fstop = camera.lens / 1000.0 / (away * float(rng.uniform(0.0005, 0.004)))


def _busy(pose: Pose) -> Window:
    """The part of the picture with the field and its markers."""
    outer = np.concatenate([pose.field.marker_corners(marker) for marker in pose.field.markers])
    low, high = outer.min(axis=0)[:2] - AROUND, outer.max(axis=0)[:2] + AROUND
    pixels = pose.project(np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (0, 0.8)]))
    left, top = np.clip(np.floor(pixels.min(axis=0)), 0, None).astype(int)
    right, bottom = np.minimum(np.ceil(pixels.max(axis=0)), pose.size).astype(int)
    return slice(int(top), int(bottom)), slice(int(left), int(right))


def _rendered(size: tuple[int, int], window: Window) -> Map:
    """The light that comes in, linear, blue first; around the window, what comes in on average within."""
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device, scene.cycles.samples = "CPU", SAMPLES
    scene.cycles.use_denoising, scene.cycles.denoiser = True, "OPENIMAGEDENOISE"
    scene.cycles.denoising_prefilter = "FAST"
    scene.cycles.max_bounces, scene.cycles.transmission_bounces, scene.cycles.transparent_max_bounces = BOUNCES, 6, 8
    scene.cycles.caustics_refractive = scene.cycles.caustics_reflective = False
    scene.render.threads_mode, scene.render.threads = "FIXED", 1
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.resolution_percentage = 100
    wide, high = size
    render = scene.render
    render.use_border, render.use_crop_to_border = True, False
    render.border_min_x, render.border_max_x = window[1].start / wide, window[1].stop / wide
    render.border_min_y, render.border_max_y = 1 - window[0].stop / high, 1 - window[0].start / high
    scene.view_settings.view_transform = "Raw"
    settings = scene.render.image_settings
    settings.file_format, settings.color_depth = "OPEN_EXR", "16"
    file = Path(bpy.app.tempdir) / "traced.exr"
    scene.render.filepath = str(file)
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(str(file))
    image.colorspace_settings.name = "Non-Color"
    pixels = np.empty(size[0] * size[1] * 4, np.float32)
    image.pixels.foreach_get(pixels)
    color = np.ascontiguousarray(pixels.reshape(high, wide, 4)[::-1, :, 2::-1])
    around = np.ones((high, wide), bool)
    around[window] = False
    color[around] = color[window].mean(axis=(0, 1))
    return color


def _distorted(color: Map, pose: Pose) -> Map:
    """As the lens bends it."""
    wide, high = pose.size
    grid = np.stack(np.meshgrid(np.arange(wide), np.arange(high)), axis=-1).reshape(-1, 1, 2).astype(np.float64)
    plain = cv2.undistortPoints(grid, pose.matrix, pose.distortion, P=pose.matrix).reshape(high, wide, 2)
    x, y = (np.ascontiguousarray(plain[..., k], np.float32) for k in (0, 1))
    return np.asarray(cv2.remap(color, x, y, cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE), np.float32)


# --- whole samples


def rooms() -> list[str]:
    """The rooms to train in."""
    return sorted(file.stem for file in ROOMS.glob("*.exr") if file.stem not in HELD_OUT_ROOMS)


def traced_sample(
    seed: int,
    name: str,
    size: tuple[int, int],
    hand: float = 0.25,
    family: str | None = None,
    room: str | None = None,
    whole: bool = False,
    blank: bool = False,
) -> Sample:
    """As `random_sample`, but path-traced."""
    rng = np.random.default_rng([seed, 2])
    style = replace(worn(rng, random_style(rng, family)), blank=blank)
    field = usual_field(labels_of(name).field)
    if field.surface > 0 and rng.random() < 0.15:
        field = next(f for f in FIELDS if f.name == field.name and f.surface == 0)
    pose = random_pose(rng, field, size)
    lit = lamplight if style.family == LAMPLIT else random_light
    light, lens = lit(rng, (field.columns / 2, field.rows / 2)), careless(rng, random_lens(rng))
    if style.family not in ASIDE:
        light = mirrored(rng, light, field, pose.eye)
    scene = bare_table(rng, field, style, float(np.clip(pose.cell_pixels * 1.1, 34, 56)))
    furnish(rng, scene)
    layout = random_layout(rng, name)
    pieces.lay(lambda _: rng, scene, layout, style)
    pieces.clutter(rng, scene, style, int(rng.integers(0, 7)))
    balls: list[Ball] = []
    in_the_way = bool(rng.random() < hand)
    if in_the_way and rng.random() < 0.3:
        pieces.clutter(rng, scene, style, 3 if layout.motley else 1, on_field=True)
    elif in_the_way:
        balls = random_hand(rng, scene, style, pose.eye)
    pieces.spots(rng, scene)
    picture = traced(rng, scene, pose, light, style, lens, balls, room or str(rng.choice(rooms())), whole)
    return Sample(picture.image, pose, layout, in_the_way, picture.blocked, blank)


def write_all(folder: Path, first: int, count: int, names: Sequence[str] = ROUND) -> None:
    """Pictures beside those of the fast renderer; the same numbers give the same pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        name, n = names[seed % len(names)], seed // len(names)
        blank = name.startswith("tiles") and n % 4 > 0
        sample = traced_sample(seed, name, SIZES[n % len(SIZES)], blank=blank)
        write(folder, TRACED + seed, sample)


def write_aside(folder: Path, first: int, count: int, families: Sequence[str]) -> None:
    """Whole pictures of what a game's own set shows, in style families and rooms that are never trained on."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed in range(first, first + count):
        name, n = GAMES[seed % len(GAMES)], seed // len(GAMES)
        family, room = families[n % len(families)], HELD_OUT_ROOMS[n // len(families) % len(HELD_OUT_ROOMS)]
        write(folder, TRACED + seed, traced_sample(seed, name, (640, 480), 0.2, family, room, whole=True), quality=88)


if __name__ == "__main__":
    where, begin, number, *what = sys.argv[1:]
    if what[:1] == ["aside"]:
        write_aside(Path(where), int(begin), int(number), what[1:])
    else:
        write_all(Path(where), int(begin), int(number), tuple(what) or ROUND)
