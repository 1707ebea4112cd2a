"""Configuration of the documentation site.

Build it with `python -m sphinx -W -n -b html docs build/docs`.
"""

import ast
import importlib
import inspect
import re
import sys
from pathlib import Path

from docutils import nodes
from numpy.typing import ArrayLike
from sphinx import addnodes
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.typing import stringify_annotation

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
autodoc_preserve_defaults = True  # a default as written, not the text of its value
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True
default_role = "code"  # single backticks in docstrings mark code

PUBLIC = (
    "ai",
    "ai.movers",
    "ai.view",
    "terrain3d",
    "terrain3d.editor",
    "terrain3d.formats",
    "terrain3d.view",
)


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


def exported_constants(package: str) -> dict[str, str]:
    """Return the first sentence on each constant that a package exports; "" where there is none.

    Autosummary leaves out those that a package imports.
    """
    module = importlib.import_module(package)
    homes = {name: (package, name) for name in module.__all__}
    for statement in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(statement, ast.ImportFrom):
            for alias in statement.names:
                homes[alias.asname or alias.name] = statement.module, alias.name
    texts = {}
    for name in sorted(module.__all__):
        if not callable(getattr(module, name)):
            home, original = homes[name]
            comments = ModuleAnalyzer.for_module(home).find_attr_docs()
            sentence = " ".join(comments.get(("", original), [])).partition(". ")[0]
            texts[name] = sentence.strip().removesuffix(".")
    return texts


DOCUMENTED = documented_names()
_ARRAY_LIKE = stringify_annotation(ArrayLike, "smart")
_ARRAY = re.compile(r"~numpy\.ndarray\[tuple\[[^]]*\], ~numpy\.dtype\[([^]]*)\]\]")
autosummary_context = {
    "constants": {package: exported_constants(package) for package in PUBLIC},
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


def name_array_types(_app, _what, _name, _object, _options, signature, result) -> tuple:
    """Write `ArrayLike` and `NDArray[...]`, as in the source, for the types that they stand for."""
    return tuple(
        text and _ARRAY.sub(r"NDArray[\1]", text.replace(_ARRAY_LIKE, "ArrayLike"))
        for text in (signature, result)
    )


def keep_colons(_app, what, _name, _object, _options, lines) -> None:
    """Keep napoleon from reading "Several units: ..." below an attribute as a type."""
    if what in {"attribute", "data", "property"} and lines:
        lines[:0] = ["..", ""]


def setup(app) -> None:
    """Connect the events."""
    app.connect("doctree-read", link_types)
    app.connect("autodoc-process-signature", name_array_types)
    app.connect("autodoc-process-docstring", keep_colons, priority=400)
