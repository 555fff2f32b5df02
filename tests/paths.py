"""The paths of things in the checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
VECTORS = ROOT / "tests" / "vectors"
"""The published test vectors."""
