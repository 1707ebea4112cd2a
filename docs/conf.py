"""Configuration of the documentation site.

Build it with `python -m sphinx -W -n -b html docs build/docs`.
"""

import importlib
import sys
from pathlib import Path

from docutils import nodes
from sphinx import addnodes

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "terrain3d and ai"
author = "The terrain3d-tactics authors"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
]
templates_path = ["_templates"]
html_theme = "furo"
html_title = project
myst_enable_extensions = ["html_image"]
myst_heading_anchors = 3

autosummary_ignore_module_all = False  # a page lists what its package exports
autosummary_imported_members = True
autodoc_typehints_format = "short"
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
default_role = "code"  # single backticks in docstrings mark code

PUBLIC = ("ai", "ai.movers", "terrain3d", "terrain3d.editor", "terrain3d.mapfile", "terrain3d.view")


def documented_names() -> dict[str, str]:
    """Return where each exported object is documented, by its short name and by its full ones."""
    names: dict[str, str] = {}
    for package in map(importlib.import_module, PUBLIC):
        for name in package.__all__:
            exported, place = getattr(package, name), f"{package.__name__}.{name}"
            if callable(exported):
                home = names.setdefault(f"{exported.__module__}.{name}", place)
                names[place] = home
                names.setdefault(name, home)
    return names


DOCUMENTED = documented_names()
autosummary_context = {
    "elsewhere": {place for place, home in DOCUMENTED.items() if place != home},
}


def link_types(app, doctree) -> None:
    """Link types in the API reference to public pages; leave all others as text."""
    if not app.env.docname.startswith("generated/"):
        return
    for reference in list(doctree.findall(addnodes.pending_xref)):
        if reference.get("refdomain") != "py" or reference.get("reftype") == "mod":
            continue
        place = DOCUMENTED.get(reference["reftarget"])
        if place is None:
            reference.replace_self(reference.children or nodes.Text(""))
        else:
            reference["reftarget"], reference["refspecific"] = place, False


def keep_colons(_app, what, _name, _object, _options, lines) -> None:
    """Keep napoleon from reading "Several units: ..." below an attribute as a type."""
    if what in {"attribute", "data", "property"} and lines:
        lines[:0] = ["..", ""]


def setup(app) -> None:
    """Connect the events."""
    app.connect("doctree-read", link_types)
    app.connect("autodoc-process-docstring", keep_colons, priority=400)
