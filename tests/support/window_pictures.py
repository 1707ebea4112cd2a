"""What the window shows: a drawn frame as an array, and the color at a place of the map."""

import numpy as np
from panda3d.core import Point2, Point3


def picture(base, tree, dt_s=0.0):
    """Let time pass and draw: (height, width, 3) values in 0..1 from the lowest row up."""
    tree.advance(dt_s)
    base.graphics_engine.render_frame()
    base.graphics_engine.render_frame()
    return pixels(base.win)


def picture_255(base, tree):
    """Draw: whole numbers in 0..255, otherwise as `picture`."""
    return np.rint(picture(base, tree) * 255).astype(int)


def pixels(output):
    """Give what a window or a buffer shows: values as of `picture`."""
    shot = output.get_screenshot()
    data = np.frombuffer(shot.get_ram_image_as("RGB"), np.uint8)
    return data.reshape(shot.get_y_size(), shot.get_x_size(), 3) / 255.0


def color_at(base, terrain, image, point, reach=2):
    """Give the mean color of a picture around a point in the map's coordinates."""
    place = Point2()
    assert base.camLens.project(base.cam.get_relative_point(terrain.np, Point3(*point)), place)
    height, width, _ = image.shape
    row, col = int((place.y + 1) / 2 * height), int((place.x + 1) / 2 * width)
    near = image[row - reach : row + reach + 1, col - reach : col + reach + 1]
    return near.mean(axis=(0, 1))
