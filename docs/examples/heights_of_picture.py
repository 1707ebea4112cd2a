"""Makes a map of the brightness of a picture."""

from pathlib import Path

import numpy as np
from PIL import Image

from terrain3d import TileMap


def heights_of(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture if picture.mode.startswith("I") else picture.convert("L"))


row, col = np.mgrid[0:64, 0:96]  # in place of a picture of your own
hill = 32768 + 32767 * np.sin(row / 20) * np.cos(col / 30)
Image.fromarray(hill.astype(np.uint16)).save("hill.png")

tilemap = TileMap.from_heights(heights_of(Path("hill.png")), levels=9, size=(32, 48))
print(tilemap.to_text())
