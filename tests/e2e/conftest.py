"""A virtual screen for every test that asks for one."""

from collections.abc import Iterator

import pytest

from tests.support.desktop import require_tools, screen


@pytest.fixture
def display() -> Iterator[str]:
    require_tools()
    with screen() as name:
        yield name
