"""Read untrusted XML: elements with their attributes, text and line.

Files that declare entities or defaults of attributes are refused, as are files with too many
elements or values, or too deep nesting. Nothing that a file refers to is fetched.
"""

from dataclasses import dataclass, field
from xml.parsers import expat

from terrain3d.core.errors import MapFileError
from terrain3d.mapfile.json_text import MAX_DEPTH

MAX_NODES = 2**18
"""Limit on the elements of a file."""

MAX_VALUES = 2**20
"""Limit on the attributes of a file, and on the numbers in their lists."""

_BUFFER = 2**16


@dataclass(slots=True)
class XmlElement:
    """One element of a file."""

    name: str
    attributes: dict[str, str]
    line: int
    children: list["XmlElement"] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text of the element, without that of its children."""
        return "".join(self.texts)


def parse(data: bytes) -> XmlElement:
    """Return the outermost element; `MapFileError` if it is not XML, or breaks a limit."""
    return _Builder().build(data)


class _Builder:
    def __init__(self) -> None:
        self._parser = parser = expat.ParserCreate()
        self._open: list[XmlElement] = []
        self._root: XmlElement | None = None
        self._count = self._n_values = 0
        parser.buffer_text, parser.buffer_size = True, _BUFFER
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._add_text
        parser.StartDoctypeDeclHandler = self._refuse_declarations
        parser.EntityDeclHandler = self._refuse_entity
        parser.SkippedEntityHandler = self._refuse_entity
        parser.ExternalEntityRefHandler = self._refuse_entity

    def build(self, data: bytes) -> XmlElement:
        # Counted before they are parsed: all attributes of one element are handed over at once.
        if data.count(b"=") > MAX_VALUES:
            raise self._error(f"holds more than {MAX_VALUES} attributes")
        try:
            self._parser.Parse(data, True)
        except expat.ExpatError as error:
            text = expat.errors.messages[error.code]
            raise MapFileError(f"is not XML: {text}", line=error.lineno) from None
        except (LookupError, ValueError) as error:
            if isinstance(error, MapFileError):
                raise
            raise self._error(f"is in an encoding that cannot be read: {error}") from None
        assert self._root is not None  # expat refuses a text without any element
        return self._root

    def _error(self, problem: str) -> MapFileError:
        return MapFileError(problem, line=self._parser.CurrentLineNumber)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MAX_NODES:
            raise self._error(f"holds more than {MAX_NODES} elements")
        if len(self._open) >= MAX_DEPTH:
            raise self._error(f"is nested deeper than {MAX_DEPTH}")
        self._n_values += sum(value.count(",") for value in attributes.values())
        if self._n_values > MAX_VALUES:
            raise self._error(f"holds more than {MAX_VALUES} numbers in attributes")
        node = XmlElement(name, attributes, self._parser.CurrentLineNumber)
        if self._open:
            self._open[-1].children.append(node)
        else:
            self._root = node
        self._open.append(node)

    def _end(self, _name: str) -> None:
        self._open.pop()

    def _add_text(self, text: str) -> None:
        self._open[-1].texts.append(text)

    def _refuse_declarations(
        self, _name: str, _system: str | None, _public: str | None, has_own: bool
    ) -> None:
        if has_own:  # the name of a DTD alone, as in old files, is allowed: it is not fetched
            raise self._error("declares entities or attributes, which is refused")

    def _refuse_entity(self, *_what: object) -> int:
        raise self._error("uses declared entities, which is refused")
