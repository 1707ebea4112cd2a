"""The font of all text, by language and by choice, and labels of any characters."""

import itertools

import numpy as np
import pytest

from ai import Board, Unit
from ai.view import Unit3D
from terrain3d import tr
from terrain3d.look.orbit import OrbitView
from terrain3d.view import Labels3D, TileOverlay3D, font, set_font
from terrain3d.view.scene import labels_3d
from tests.support.window_pictures import picture_255 as picture

IROHA = (
    "いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてあさきゆめみしゑひもせす"
)


@pytest.fixture
def japanese(translations):
    set_font(None)  # whatever tests before have set
    translations.set_language("ja")
    yield font.font_file()
    set_font(None)


def test_japanese_has_its_font_and_the_others_the_usual_one(japanese, translations):
    assert japanese.name == "NotoSansCJKjp-Regular.otf"
    translations.set_language("en")
    usual = font.font_file()
    assert "Plex" in usual.name
    set_font("IBM Plex Sans")
    translations.set_language("ja")
    assert font.font_file() == usual
    set_font(str(japanese))
    assert font.font_file() == japanese
    for wrong in ("No Such Family", __file__):
        with pytest.raises(ValueError, match=r"font must be a file of a font or an installed"):
            set_font(wrong)
    assert font.font_file() == japanese


def test_a_font_without_ordinary_letters_is_refused(tmp_path):
    before, file = font.font_file(), tmp_path / "symbols.ttf"
    file.write_bytes(before.read_bytes().replace(b"cmap", b"none", 1))  # its table of letters
    with pytest.raises(ValueError, match=r"must have English letters, .*symbols.* lacks 'abc"):
        set_font(file)
    assert font.font_file() == before


def test_without_its_font_all_is_english_with_one_warning(translations, monkeypatch):
    translations.set_language("ja")
    assert tr("Help") == "ヘルプ"
    font._installed.cache_clear()
    monkeypatch.setattr(font, "_OF_LANGUAGES", {"ja": ("no_such_package", "font.otf")})
    with pytest.warns(UserWarning, match=r"pip install terrain3d-tactics\[ja\]"):
        assert "Plex" in font.font_file().name
    assert (translations.language, tr("Help")) == ("en", "Help")
    assert "Plex" in font.font_file().name  # without a second warning


@pytest.fixture
def shown(base, tree, terrain, camera):
    """Return a function that shows a label, and gives the picture of it."""
    point = terrain.tilemap.surface_point((6, 8))
    camera.look(OrbitView(20.0, 50.0, 12.0, point))
    labels = terrain.add_child(Labels3D())
    labels.size = 1.5

    def show(text):
        labels.show([point], [text])
        return picture(base, tree)

    return show


@pytest.mark.usefixtures("large_window", "japanese")
def test_labels_show_any_text(terrain, shown):
    before, *pictures = [shown(text) for text in ("", "山", "川", "一", "Ωж")]
    for after in pictures:
        assert (abs(after - before).max(axis=2) > 40).sum() > 30
    assert all(not np.array_equal(a, b) for a, b in itertools.pairwise(pictures))
    overlay = terrain.add_child(TileOverlay3D())
    overlay.shows_labels = True
    overlay.show([(6, 8)], ["出撃位置"])
    assert overlay.labels == {(6, 8, 0): "出撃位置"}


@pytest.mark.usefixtures("translations")  # the language is English, its font has no Japanese
def test_labels_show_a_question_mark_for_what_the_font_does_not_have(shown):
    assert np.array_equal(shown("日a🙂"), shown("?a?"))
    assert not np.array_equal(shown("?a?"), shown("a"))
    for text in ("\0", "\u200b", " ", "\n", ""):
        assert np.array_equal(shown(text), shown(""))


def test_half_of_a_surrogate_pair_is_drawn_as_a_question_mark(tree, hud, terrain):
    hud.status_text, hud.keys = "pl\udcffain", [("\ud800", "b\udcffd")]
    unit = Board(terrain.tilemap).add(Unit("\ud800 bad", (6, 8)))
    figure = terrain.add_child(Unit3D(unit))
    figure.label = "\ud800 bad"
    tree.advance(0.1)
    hud.toggle_help()
    tree.advance(0.1)
    assert hud.status_text == "pl\udcffain"


@pytest.mark.usefixtures("japanese")
def test_a_full_alphabet_is_replaced_and_labels_keep_theirs(monkeypatch):
    monkeypatch.setattr(labels_3d, "_alphabets", {})
    first = labels_3d._alphabet(["12"])
    assert labels_3d._alphabet(["21"]) is first
    texture, glyphs = first.texture, dict(first.glyphs)
    signs = IROHA + "".join(map(chr, range(0x4E00, 0x4E00 + 300)))
    larger = labels_3d._alphabet([signs])
    assert larger is not first
    assert larger.page_px > first.page_px
    assert set(signs) | set("12") <= larger.glyphs.keys()
    assert larger.texture.get_x_size() == larger.page_px
    assert first.texture is not larger.texture
    assert first.texture == texture
    assert {sign: first.glyphs[sign] for sign in glyphs} == glyphs
    assert labels_3d._alphabet(["1山"]) is larger


def test_panels_are_drawn_anew_in_another_font(tree, japanese, hud):
    hud.status_text = "山があります"
    tree.advance(0.0)
    first = hud.boxes[-1]
    set_font("IBM Plex Sans")
    tree.advance(0.0)
    assert hud.boxes[-1] != first
    set_font(japanese)
    tree.advance(0.0)
    assert hud.boxes[-1] == first
