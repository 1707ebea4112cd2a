"""Tests of the command: some views are right, and a wrong one is shown with its seed."""

from terrain3d.view.window.viewport import Viewport
from tests.views import __main__


def test_some_views_are_right_and_a_wrong_one_is_shown(base, capsys, monkeypatch):
    monkeypatch.setattr(__main__, "open_offscreen", lambda *_size: base)
    monkeypatch.setattr(base, "destroy", lambda: None)
    assert __main__.main(["--views", "25", "--seed", "7"]) == 0
    assert "25 views, 100 points" in capsys.readouterr().out
    monkeypatch.setattr(Viewport, "from_window", lambda _viewport, x, y: (x, y))
    assert __main__.main(["--views", "50", "--seed", "7"]) == 1
    assert "--seed 7" in capsys.readouterr().err
