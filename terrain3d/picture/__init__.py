"""Flat pictures of maps and of what is found on them, as SVG and in matplotlib."""

from terrain3d.picture.drawable import Drawable
from terrain3d.picture.picture import Line, Picture, flat_values

__all__ = ["Drawable", "Line", "Picture", "flat_values"]
