"""Writing YAML as people read it."""

from __future__ import annotations

from typing import Any

import yaml


class Dumper(yaml.SafeDumper):
    """Writes YAML without anchors, and indents lists."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write repeated data again instead of pointing to it."""
        return True

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:
        """Indent lists."""
        super().increase_indent(flow, indentless=False)
