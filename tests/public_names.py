"""List the public names of the packages: `python -m tests.public_names`.

One name a line, those of classes with their public attributes, so that two lists can be compared.
"""

import importlib
import inspect

PARTS = ("editor", "formats", "frozen", "picture", "program", "view")
PACKAGES = ("ai", "ai.movers", "ai.view", "terrain3d", *(f"terrain3d.{part}" for part in PARTS))
"""The modules whose names users import; all other modules are internal."""


def public_names():
    """Yield each public name of a package, then `Class.attribute` of what the class defines."""
    for package in PACKAGES:
        module = importlib.import_module(package)
        owners = {name: getattr(it, "__module__", package) for name, it in vars(module).items()}
        own = [name for name, owner in owners.items() if owner == package]
        names = getattr(module, "__all__", None) or own
        for name in sorted(name for name in names if not name.startswith("_")):
            yield f"{package}.{name}"
            value = getattr(module, name)
            if inspect.isclass(value):
                members = sorted(member for member in vars(value) if not member.startswith("_"))
                yield from (f"{package}.{name}.{member}" for member in members)


if __name__ == "__main__":
    print("\n".join(public_names()))
