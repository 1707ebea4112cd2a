"""Small shadows: at their own size they take longer to draw than the pictures of tests."""

from terrain3d.look.settings import QUALITIES


def make_shadows_small() -> None:
    """Give all levels of quality shadows of a quarter of their size in this process."""
    for quality in QUALITIES.values():
        object.__setattr__(quality, "shadow_size", quality.shadow_size // 4)
