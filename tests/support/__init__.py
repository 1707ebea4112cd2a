"""Helpers of the tests: small maps, slow plain references, windows, and where files are."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT.parent / "shared" / "data"
"""Files of other programs; tests that read them are extra and run where the folder exists."""
