"""The notebook of the documentation runs and shows a picture of each answer."""

import xml.etree.ElementTree as ET
from pathlib import Path

from tests.support.selection import import_or_skip

nbformat, nbclient = import_or_skip("nbformat"), import_or_skip("nbclient")
import_or_skip("ipykernel")

NOTEBOOK = Path(__file__).parents[2] / "docs" / "examples" / "first_steps.ipynb"


def test_the_notebook_runs_and_shows_pictures(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)
    metadata = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources=metadata
    ).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    pictures = [output.data["text/html"] for output in outputs if "text/html" in output.data]
    assert len(pictures) == 6
    titles = [ET.fromstring(picture)[0].text for picture in pictures]
    first_words = ["14 x", "Path of", "Reach of", "CostField of", "A*, heuristic", "SquadPlan of"]
    assert [" ".join(title.split()[:2]) for title in titles] == first_words
    assert "array([[" in outputs[-1].data["text/plain"]
