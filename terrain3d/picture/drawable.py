"""What maps and answers share: a picture as SVG, in a notebook and in matplotlib."""

import html
from abc import abstractmethod
from typing import TYPE_CHECKING

from terrain3d.picture.picture import Picture
from terrain3d.picture.plot import draw_plot
from terrain3d.picture.svg import draw_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Drawable:
    """Something that has a picture, which notebooks show."""

    __slots__ = ()

    @abstractmethod
    def picture(self) -> Picture | None:
        """Return the picture; None if there is nothing to draw."""

    def to_svg(self) -> str:
        """Return the picture as an SVG document.

        Raises
        ------
        ValueError
            There is nothing to draw.
        """
        return draw_svg(self._some_picture())

    def plot(self, ax: "Axes | None" = None) -> "Axes":
        """Draw the picture into matplotlib axes, the current ones if not given; return them.

        Raises
        ------
        ModuleNotFoundError
            matplotlib is not installed.
        ValueError
            There is nothing to draw.
        """
        return draw_plot(self._some_picture(), ax)

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the picture, else the text of `repr`."""
        picture = self.picture()
        return f"<pre>{html.escape(repr(self))}</pre>" if picture is None else draw_svg(picture)

    def _some_picture(self) -> Picture:
        picture = self.picture()
        if picture is None:
            raise ValueError(f"there is nothing to draw: {self!r}")
        return picture
