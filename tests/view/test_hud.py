"""Text on the window: shown when there is some, inside the window, built only when it changes."""

import pytest

from terrain3d.view import Hud
from terrain3d.view.panel import Panel, crisp_font


@pytest.fixture
def hud(tree):
    return tree.root.add_child(Hud())


def panel(base, name):
    return base.render2d.find(f"**/{name}")


def corners(base, name):
    """Give a panel's (left, bottom, right, top) in -1..1."""
    low, high = panel(base, name).get_tight_bounds(base.render2d)
    return low.x, low.z, high.x, high.z


@pytest.mark.parametrize("name", ["tile", "unit", "status"])
def test_a_panel_is_there_while_it_has_text(base, tree, hud, name):
    tree.advance(0.0)
    assert panel(base, name).is_hidden()
    setattr(hud, f"{name}_text", "grass\nlevel 3")
    tree.advance(0.0)
    assert not panel(base, name).is_hidden()
    assert min(corners(base, name)) > -1
    assert max(corners(base, name)) < 1
    setattr(hud, f"{name}_text", "")
    tree.advance(0.0)
    assert panel(base, name).is_hidden()


def test_the_unit_moves_up_when_there_is_no_tile(base, tree, hud):
    hud.unit_text = "Mira"
    hud.tile_text = "grass\nlevel 3"
    tree.advance(0.0)
    assert corners(base, "unit")[3] < corners(base, "tile")[1]
    top = corners(base, "tile")[3]
    hud.tile_text = ""
    tree.advance(0.0)
    assert corners(base, "unit")[3] == pytest.approx(top, abs=1e-3)


@pytest.mark.parametrize("x", [-1.0, -0.5, 0.0, 0.9, 1.0])
@pytest.mark.parametrize("y", [-1.0, 0.0, 1.0])
def test_the_line_beside_the_pointer_stays_in_the_window(base, tree, hud, monkeypatch, x, y):
    monkeypatch.setattr(type(tree.pointer), "point", (x, y))
    hud.pointer_text = "climb 3 > 2 at (4, 7)"
    hud.pointer_kind = "refused"
    tree.advance(0.0)
    left, bottom, right, top = corners(base, "pointer")
    assert left >= -1 - 1e-3
    assert bottom >= -1 - 1e-3
    assert right <= 1 + 1e-3
    assert top <= 1 + 1e-3
    assert not (left < x < right and bottom < y < top)


def test_without_a_pointer_there_is_no_line(base, tree, hud):
    hud.pointer_text = "cost 7"
    tree.advance(0.0)
    assert panel(base, "pointer").is_hidden()


def test_an_unknown_kind_of_line_is_refused(hud):
    with pytest.raises(ValueError, match="pointer_kind must be one of"):
        hud.pointer_kind = "maybe"


def test_f1_shows_all_keys_and_hides_them(base, tree, hud):
    hud.keys = [("W A S D", "move"), ("Q / E", "turn")]
    tree.advance(0.0)
    assert panel(base, "help").is_hidden()
    assert not panel(base, "short").is_hidden()
    short_width = corners(base, "short")[2]
    hud.keys = []
    tree.advance(0.0)
    assert not panel(base, "short").is_hidden()  # F1 itself
    assert corners(base, "short")[2] < short_width
    base.messenger.send("f1")
    tree.advance(0.0)
    assert hud.is_help_open
    assert not panel(base, "help").is_hidden()
    assert panel(base, "short").is_hidden()
    base.messenger.send("f1")
    tree.advance(0.0)
    assert panel(base, "help").is_hidden()


def test_the_short_help_fits_the_window(base, tree, hud):
    hud.keys = [(f"Key {number}", "does something of some length") for number in range(20)]
    tree.advance(0.0)
    left, _, right, _ = corners(base, "short")
    assert left > -1
    assert right < 1


def test_the_same_text_is_not_built_again(base, tree, hud):
    hud.tile_text = "grass"
    tree.advance(0.0)
    before = panel(base, "tile").find("**/plate").node()
    hud.tile_text = "grass"
    hud.unit_text = "Mira"
    tree.advance(0.0)
    assert panel(base, "tile").find("**/plate").node() == before
    hud.tile_text = "sand"
    tree.advance(0.0)
    assert panel(base, "tile").find("**/plate").node() != before


def test_the_help_is_built_for_new_keys_and_windows_only(base, tree, hud, monkeypatch):
    hud.keys = [(f"Key {number}", "does something of some length") for number in range(20)]
    tree.advance(0.0)
    built = []
    build = Panel._build
    monkeypatch.setattr(Panel, "_build", lambda panel: built.append(panel.np.name) or build(panel))
    hud.tile_text = "grass"
    hud.pointer_kind = "refused"
    tree.advance(0.0)
    assert set(built) == {"tile", "pointer"}
    hud.keys = [("W", "move")]
    tree.advance(0.0)
    assert "short" in built
    assert panel(base, "short").get_tight_bounds()[1].x < 300


def test_fonts_are_made_anew_for_another_size_of_letters_only(hud, monkeypatch):
    fonts = []
    monkeypatch.setattr(
        "terrain3d.view.hud.crisp_font", lambda size: fonts.append(size) or crisp_font(size)
    )
    hud.status_text = "ready"
    hud._fit(1280, 720)
    hud._fit(1300, 720)
    assert len(fonts) == 1
    hud._fit(2560, 1440)
    assert len(fonts) == 2


def test_a_freed_hud_leaves_nothing(tree, traces):
    tree.advance(0.0)
    before = traces()
    hud = tree.root.add_child(Hud())
    hud.tile_text = "grass"
    tree.advance(0.0)
    assert traces() != before
    hud.queue_free()
    tree.advance(0.0)
    assert traces() == before
