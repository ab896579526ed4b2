"""The camera's pose from markers and from corners, on pictures of the project's own table."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.errors import UnreadablePicture
from vision.fields import FIELDS, usual_field
from vision.finding import find_field
from vision.pose import Image, Marker, Pose, find_markers, pose_from_corners, pose_from_markers
from vision.simulate.camera import look_at
from vision.simulate.render import render
from vision.simulate.scene import bare_table
from vision.simulate.style import random_lens, random_light, random_style


def picture(pose: Pose, seed: int = 0) -> Image:
    rng = np.random.default_rng(seed)
    style = random_style(rng)
    scene = bare_table(rng, pose.field, style, 40)
    light = random_light(rng, (pose.field.columns / 2, pose.field.rows / 2))
    image = render(rng, scene, pose, light, style, random_lens(np.random.default_rng(3))).image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: f"{field.name} {field.markers[0]}")
def test_every_field_is_found_by_its_markers(field) -> None:
    azimuth = 80.0 if field.name == "planks" else 10.0
    true = look_at(field, (960, 540), 60, 25, azimuth, 2, 0.9)
    gray = picture(true)
    markers = find_markers(gray)
    assert sorted(marker.id for marker in markers) == list(field.markers)
    pose = pose_from_markers(markers, gray)
    assert pose.field == field
    assert np.abs(pose.corners - true.corners).max() < 0.05 * true.cell_pixels
    assert pose.tilt == pytest.approx(true.tilt, abs=2)


@pytest.mark.parametrize("tilt", [0, 20, 40])
@pytest.mark.parametrize("hfov", [50, 75])
def test_focal_length_and_planes_above_the_mat(tilt: float, hfov: float) -> None:
    """From exact corners the tops of dice are found to a hundredth of a cell, whatever the lens."""
    field = usual_field("faces")
    true = look_at(field, (1280, 720), hfov, tilt, 30, 0, 0.9)
    markers = [Marker(m, true.project(field.marker_corners(m))) for m in field.markers]
    pose = pose_from_markers(markers, np.zeros((720, 1280), np.uint8))
    top = field.corners + np.array([0, 0, 0.72])
    # Straight from above the focal length cannot be seen, and hardly matters.
    assert np.abs(pose.project(top) - true.project(top)).max() < (0.012 if tilt else 0.09) * true.cell_pixels


def test_two_markers_are_enough() -> None:
    field = usual_field("seven")
    true = look_at(field, (1280, 720), 62, 30, 15, 0, 0.9)
    for pair in ((0, 1), (0, 2), (1, 3), (2, 3)):
        markers = [Marker(m, true.project(field.marker_corners(m))) for m in pair]
        pose = pose_from_markers(markers, np.zeros((720, 1280), np.uint8))
        assert np.abs(pose.corners - true.corners).max() < 0.05 * true.cell_pixels


def test_pose_from_the_surface_corners() -> None:
    field = usual_field("seven")
    true = look_at(field, (1280, 720), 58, 32, -20, 0, 0.9)
    pose = pose_from_corners(true.corners, field, (1280, 720))
    above = field.corners + np.array([0, 0, 0.5])
    assert np.abs(pose.project(above) - true.project(above)).max() < 0.05 * true.cell_pixels


def test_corners_that_no_camera_could_see_are_refused() -> None:
    field = usual_field("seven")
    corners = look_at(field, (1280, 720), 58, 32, -20, 0, 0.9).corners
    with pytest.raises(UnreadablePicture, match="no-pose"):  # from below
        pose_from_corners(corners[::-1], field, (1280, 720))
    with pytest.raises(UnreadablePicture, match="corners-no-outline"):
        pose_from_corners(corners[[0, 2, 1, 3]], field, (1280, 720))


def test_what_is_seen_is_said_when_there_is_no_field() -> None:
    gray = np.zeros((480, 640), np.uint8)
    with pytest.raises(UnreadablePicture, match="no-markers"):
        pose_from_markers(find_markers(gray), gray)
    one = Marker(0, np.zeros((4, 2)))
    with pytest.raises(UnreadablePicture, match="one-marker"):
        pose_from_markers([one], gray)
    with pytest.raises(UnreadablePicture, match=r"stray-markers.*0, 5"):
        pose_from_markers([one, Marker(5, np.zeros((4, 2)))], gray)


def test_plane_homography_agrees_with_projection() -> None:
    true = look_at(usual_field("tiles"), (1280, 720), 58, 32, -20, 0, 0.9)
    x, y, w = true.plane(0.07) @ np.array([3.0, 2.0, 1.0])
    assert np.allclose([x / w, y / w], true.project(np.array([[3.0, 2.0, 0.07]]))[0])


def covered(pose: Pose, gray: Image, markers: tuple[int, ...], share: float = 1.0) -> Image:
    """The picture with something lying on these markers, or on a share of each from the west."""
    out = gray.copy()
    for marker in markers:
        corners = pose.field.marker_corners(marker)
        low, high = corners.min(axis=0) - 0.2, corners.max(axis=0) + 0.2
        east = low[0] + share * (high[0] - low[0])
        quad = np.array([[low[0], high[1], 0], [east, high[1], 0], [east, low[1], 0], [low[0], low[1], 0]])
        cv2.fillConvexPoly(out, np.round(pose.project(quad)).astype(np.int32), 90)
    return out


@pytest.mark.parametrize("share", [1.0, 0.3])
def test_one_marker_finds_the_others_or_the_lines(share: float) -> None:
    """Nothing but the board's lines is left in the first picture; in the second there are parts of markers."""
    true = look_at(usual_field("faces"), (1280, 720), 62, 20, 15, 0, 0.9)
    gray = covered(true, picture(true), (4, 5, 7), share)
    assert [marker.id for marker in find_markers(gray)] == [6]
    found = find_field(gray)
    assert np.abs(found.pose.corners - true.corners).max() < 0.1 * true.cell_pixels
    assert len(found.markers) == (1 if share == 1 else 4)
    assert not found.mirrored


def test_one_marker_without_anything_that_bears_it_out_is_refused() -> None:
    true = look_at(usual_field("planks"), (1280, 720), 62, 20, 80, 0, 0.9)
    with pytest.raises(UnreadablePicture, match="one-marker"):
        find_field(covered(true, picture(true), (12, 13, 15)))


def test_small_markers_whose_white_spills_over_the_black_are_found() -> None:
    """Too bright a picture: bits between white ones are a pixel or two wide, and gray."""
    true = look_at(usual_field("seven"), (640, 480), 60, 25, 30, 2, 0.6)
    light = cv2.GaussianBlur((picture(true) / 255.0) ** 2.2, (0, 0), 0.7)
    spilled = np.asarray(255 * np.clip(light * 3.2, 0, 1) ** (1 / 2.2), np.uint8)
    assert len(find_markers(spilled)) == 4
