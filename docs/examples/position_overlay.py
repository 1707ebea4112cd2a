"""Rate every tile as a post for an archer, and draw twelve posts by that rating."""

import numpy as np
from direct.showbase.ShowBase import ShowBase

from ai import MoveProfile, Navigation, cover, height_over_neighbors, scatter
from terrain3d import landscape
from terrain3d.view import OrbitCamera3D, Terrain3D, TileOverlay3D, attach

EAST_DEG = -90
EXITS = [(19, 0), (19, 19)]
COLORS = [(0.25, 0.45, 0.95), (0.95, 0.8, 0.25), (0.95, 0.3, 0.2)]  # poor, fair, good

tilemap, profile = landscape(20, 20, seed=3), MoveProfile()
nav = Navigation(tilemap)


def rate_posts():
    """Return how good a post each surface is, >= 0: high, covered from the east, near an exit."""
    height = np.maximum(0, height_over_neighbors(tilemap))
    distance = nav.cost_field(EXITS, profile).cost
    return (height + 4 * cover(tilemap, EAST_DEG)) * 10 / (10 + distance)  # 0 without a way


def show_ratings(*_):
    rating = rate_posts()
    good = np.argwhere(rating > 0)
    levels = np.digitize(rating[rating > 0], np.quantile(rating[rating > 0], [0.4, 0.8]))
    for number, overlay in enumerate(overlays):
        overlay.show(good[levels == number][:, -2:].tolist())
    drawn = scatter(nav, 12, np.random.default_rng(7), profile, spacing_tiles=2, weights=rating)
    posts.show(drawn.points.values(), ["!"] * len(drawn))


base = ShowBase()
terrain = attach(base).root.add_child(Terrain3D(tilemap))
terrain.add_child(OrbitCamera3D(target=terrain))
overlays = [terrain.add_child(TileOverlay3D()) for _ in COLORS]
for overlay, color in zip(overlays, COLORS, strict=True):
    overlay.color = color
posts = terrain.add_child(TileOverlay3D())
posts.color, posts.shows_labels = (0.85, 0.2, 0.9), True
tilemap.changed.connect(show_ratings)
show_ratings()
base.run()
