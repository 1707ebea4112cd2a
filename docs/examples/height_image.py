"""A map from a picture of heights: brighter is higher. Needs Pillow: pip install Pillow."""

from pathlib import Path

import numpy as np
from PIL import Image

from ai import Navigation, movers
from terrain3d import TileMap
from terrain3d.formats import HeightRules

picture = Path("heights.png")
if not picture.exists():  # replace it with a height map of your own
    row, col = np.mgrid[0:256, 0:256]
    heights = 0.5 + 0.25 * np.sin(row / 25) + 0.25 * np.cos(col / 40)
    Image.fromarray((heights * 255).astype(np.uint8)).save(picture)

rules = HeightRules(size=(32, 32), levels=9)  # 8 x 8 pixels become one tile
tilemap = TileMap.load(picture, heights=rules)
print(tilemap.to_text())

path = Navigation(tilemap).find_path((0, 0), (31, 31), movers.LIGHT_FOOT)
print(f"a path of {len(path.cells)} cells costs {path.cost}" if path else path.reason)
tilemap.save("heights.tmap")  # open it with: python main.py --map heights.tmap
