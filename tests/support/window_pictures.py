"""What the window shows: a drawn frame as an array, and the color at a place of the map."""

from contextlib import contextmanager

import numpy as np
from panda3d.core import GeomNode, GeomVertexReader, NodePath, Point2, Point3, WindowProperties

from terrain3d import KINDS
from terrain3d.look.orbit import OrbitView
from terrain3d.view import Labels3D, OrbitCamera3D, Terrain3D

SAND = [kind for kind in KINDS if kind.name == "sand"]


@contextmanager
def enlarged(base, size_px=(640, 360)):
    """Replace the window of tests, 160 x 90 pixels, by one of 640 x 360, or of a size."""
    small = tuple(base.win.get_size())
    _open_window(base, size_px)
    yield
    _open_window(base, small)


def _open_window(base, size_px):
    properties, gsg = WindowProperties(size=size_px), base.win.get_gsg()
    base.win.remove_all_display_regions()  # else the camera keeps pointers to them
    base.open_main_window(props=properties, gsg=gsg, keepCamera=True)


def shown_from(tree, tilemap, *view, **options):
    """Show a map, seen by the values of an `OrbitView`; give its terrain and the camera."""
    terrain = tree.root.add_child(Terrain3D(tilemap, **options))
    camera = tree.root.add_child(OrbitCamera3D(target=terrain))
    camera.look(OrbitView(*view))
    return terrain, camera


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


def vertices(np_, column):
    """List a column of all vertices of a node and of those below it."""
    rows = []
    for geom in np_.node().get_geoms() if isinstance(np_.node(), GeomNode) else ():
        reader = GeomVertexReader(geom.get_vertex_data(), column)
        while not reader.is_at_end():
            rows.append([*reader.get_data4()])
    return rows + [row for child in np_.children for row in vertices(child, column)]


def is_drawn(np_):
    return not all(part.is_hidden() for part in np_.children)


def drawn(np_):
    """Copy the marks below a node, which its own bounds leave out, in its coordinates."""
    copies = NodePath("marks")
    for mark in np_.find_all_matches("**/+PGItem"):
        mark.node().get_state_def(0).copy_to(copies).set_mat(mark.get_mat(np_))
    return copies


def in_window(base, terrain, point):
    """Give where a point of the map's coordinates is seen: (x, y), in -1..1 inside the window."""
    place = Point2()
    is_seen = base.camLens.project(base.cam.get_relative_point(terrain.np, Point3(*point)), place)
    assert is_seen or max(abs(place.x), abs(place.y)) > 1
    return place.x, place.y


def pixel(base, terrain, point):
    """Give the (row, column) of a picture where a point of the map is seen, from the lowest row."""
    x, y = in_window(base, terrain, point)
    width, height = base.win.get_x_size(), base.win.get_y_size()
    return int((y + 1) / 2 * height), int((x + 1) / 2 * width)


def color_at(base, terrain, image, point, reach=2):
    """Give the mean color of a picture around a point in the map's coordinates."""
    row, col = pixel(base, terrain, point)
    near = image[row - reach : row + reach + 1, col - reach : col + reach + 1]
    return near.mean(axis=(0, 1))


MARGIN = 0.2  # of the height of a glyph's quad: around its outline there is nothing


def seen_boxes(base, tree, only=None):
    """Give the box in pixels of each text, or of each of some labels: (left, top, right, bottom).

    Texts that are not drawn, or partly behind the camera, have none.
    """
    width, height = base.win.get_x_size(), base.win.get_y_size()
    boxes = []
    for labels in tree.labels if only is None else [only]:
        if not isinstance(labels, Labels3D) or not is_drawn(labels.np):
            continue
        corners = []
        for x, y, z, _ in vertices(drawn(labels.np).find("**/+GeomNode"), "vertex"):
            place = Point2(np.inf, np.inf)
            point = base.cam.get_relative_point(labels.np, Point3(x, y, z))
            if point.y > 0:
                base.camLens.project(point, place)
            corners.append(((place.x + 1) / 2 * width, (1 - place.y) / 2 * height))
        owner, quads = labels._lettering.owner, np.reshape(corners, (-1, 4, 2))
        for number in range(len(labels.texts)):
            part = quads[owner == number]
            if np.isfinite(part).all() and np.ptp(part.reshape(-1, 2), axis=0).any():
                low, high = part.min(axis=(0, 1)), part.max(axis=(0, 1))
                edge = MARGIN * np.ptp(part[0, :, 1])
                boxes.append((*(low + edge), *(high - edge)))
    return boxes


def overlap(one, other):
    wide, high = (min(one[i + 2], other[i + 2]) - max(one[i], other[i]) for i in (0, 1))
    return wide > 1 and high > 1
