"""`cloche bench --page`: how soon the page is ready in a browser, and what proofs take there."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click

from benchmarks import browser, results
from benchmarks.browser import BrowserFigures, CantMeasure
from benchmarks.load import report
from benchmarks.page import page
from cloche.commands.errors import REFUSED, CommandError
from cloche.operate.child import ended_well, house
from service.page import Page

PAGE, BENCH = "performance.md", "performance.json"


def run(docs: Path, write: bool, as_json: bool, out: Path | None, strict: bool) -> None:
    """Measure the built page at a new house, and print or write what was found."""
    found = _measured()
    try:
        if out is not None:
            out.write_text(found.text(), encoding="utf-8")
        if write:
            _write(docs, found)
    except OSError as error:
        raise CommandError("cant_write", f"{error.filename}: {error.strerror}.") from None
    for line in [found.text().rstrip()] if as_json else browser.lines(found):
        click.echo(line)
    if strict and found.over:
        sys.exit(REFUSED)


def _measured() -> BrowserFigures:
    built = Page.built()
    if built is None:
        raise CommandError("no_page", "The page is not built here: `make page` builds it with Node.js.")
    sizes = browser.sizes(built.folder, built.digests)
    with (
        ended_well(),
        tempfile.TemporaryDirectory(prefix="cloche-page-", ignore_cleanup_errors=True) as folder,
    ):
        try:
            browser.tools()
            with house(Path(folder)) as url:
                return browser.measure(url, Path(folder), sizes)
        except CantMeasure as fault:
            raise CommandError("cant_measure", f"{fault}.") from None


def _write(docs: Path, found: BrowserFigures) -> None:
    """Write the figures, and the page with them and the other published figures."""
    whole = results.read((docs / BENCH).read_text(encoding="utf-8"))
    texts = {
        browser.DATA: found.text(),
        PAGE: page(whole, report.published(docs), browser.section(found)),
    }
    for name, text in texts.items():
        (docs / name).write_text(text, encoding="utf-8")
        click.echo(f"docs/{name}: {(docs / name).stat().st_size} bytes.", err=True)
