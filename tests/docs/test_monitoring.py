"""docs/examples: the dashboard and the alert rules ask for figures that there are, and are well-formed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import Counter, Gauge, Histogram
from prometheus_client.parser import text_string_to_metric_families

from service import metrics
from service.app import create_app
from service.config import Settings
from service.operations import health
from service.runtime import Runtime
from service.web.schemas.codes import HOUSE
from tests.paths import DOCS
from tests.tables import migrate

FOLDER = DOCS / "examples"
RULES = yaml.safe_load((FOLDER / "prometheus-alerts.yaml").read_text())
ALERTS = [rule for group in RULES["groups"] for rule in group["rules"]]
BOARD = json.loads((FOLDER / "grafana-dashboard.json").read_text())
TARGETS = [target for panel in BOARD["panels"] for target in panel["targets"]]
EXPRESSIONS = [*(rule["expr"] for rule in ALERTS), *(target["expr"] for target in TARGETS)]
OF_PROMETHEUS = {"job", "instance"}
"""Labels that Prometheus adds to every series."""
SELECTOR = re.compile(r"\b(cloche_\w+|up)\b\s*(?:\{([^}]*)\})?")
FUNCTIONS = {"by", "histogram_quantile", "increase", "max", "min", "rate", "sum", "topk"}
TEMPLATE = re.compile(r"\{\{(.*?)\}\}")
DURATION = re.compile(r"[1-9][0-9]*[smh]")


@pytest.fixture(scope="module")
def series(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, set[str]]:
    """The labels of every series that a house exports, by its name."""
    folder = tmp_path_factory.mktemp("house")
    url = f"sqlite:///{folder / 'house.sqlite3'}"
    migrate(url)
    house = Runtime.open(Settings(database=url, data=folder))
    found: dict[str, set[str]] = {"up": set()}
    for metric in vars(metrics).values():
        match metric:
            case Histogram():
                for ending in ("bucket", "sum", "count"):
                    more = {"le"} if ending == "bucket" else set()
                    found[f"{metric._name}_{ending}"] = {*metric._labelnames, *more}
            case Counter():
                found[f"{metric._name}_total"] = set(metric._labelnames)
            case Gauge():
                found[metric._name] = set(metric._labelnames)
    for family in health.registry(house).collect():
        found[family.name] = set(getattr(family, "_labelnames", ()))
    served = text_string_to_metric_families(create_app(house=house).test_client().get("/metrics").text)
    house.close()
    for family in served:  # what it answers is among them
        for sample in family.samples:
            if sample.name.startswith("cloche_") and not sample.name.endswith("_created"):
                assert set(sample.labels) <= found[sample.name], sample.name
    return found


def labels_of(matchers: str) -> Iterator[tuple[str, str, str]]:
    """The label, the operator and the value of each matcher between braces."""
    for part in filter(None, matchers.split(", ")):
        found = re.fullmatch(r'(\w+)(=|!=|=~|!~)"([^"]*)"', part)
        assert found is not None, part
        yield found[1], found[2], found[3]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_it_asks_for_what_the_house_exports(series: Mapping[str, set[str]], expression: str) -> None:
    selectors = list(SELECTOR.finditer(expression))
    assert selectors
    known = set(OF_PROMETHEUS)
    for selector in selectors:
        name, labels = selector[1], dict.fromkeys(label for label, *_ in labels_of(selector[2] or ""))
        assert name in series
        assert set(labels) <= series[name] | OF_PROMETHEUS
        assert 'job="cloche"' in (selector[2] or ""), "another job may have figures of the same name"
        known |= series[name]
    for grouped in re.findall(r"\bby \(([^)]*)\)", expression):
        assert set(grouped.split(", ")) <= known
    for open_, close in ("()", "{}", "[]"):
        assert expression.count(open_) == expression.count(close)
    words = set(re.findall(r"\b([a-z_]+)\s*\(", expression))
    assert words <= FUNCTIONS
    for counter in re.findall(r"cloche_\w+_(?:total|bucket)", expression):
        assert re.search(rf"(?:rate|increase)\({counter}", expression), "a counter alone says nothing"


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_the_codes_that_it_names_exist(expression: str) -> None:
    for selector in SELECTOR.finditer(expression):
        for label, operator, value in labels_of(selector[2] or ""):
            if label == "code":
                assert set(value.split("|") if operator == "=~" else [value]) <= HOUSE
            if label == "state":
                assert value in {"computing", "waiting"}
            if label == "status":
                re.compile(value)


@pytest.mark.parametrize("rule", ALERTS, ids=lambda rule: rule["alert"])
def test_an_alert_has_what_prometheus_wants(rule: dict[str, Any], series: Mapping[str, set[str]]) -> None:
    assert set(rule) - {"for"} == {"alert", "expr", "labels", "annotations"}
    assert re.fullmatch(r"Cloche[A-Za-z]+", rule["alert"])
    assert DURATION.fullmatch(rule.get("for", "1m"))
    assert rule["labels"].keys() == {"severity"}
    assert rule["labels"]["severity"] in ("warning", "critical")
    assert rule["annotations"].keys() == {"summary", "description"}
    assert re.search(r" (?:[<>]|==) ", rule["expr"]), "without a comparison it would always fire"
    for text in rule["annotations"].values():
        for inside in TEMPLATE.findall(text):
            used = re.fullmatch(r" \$(?:value(?: \| humanize\w*)?|labels\.(\w+)) ", inside)
            assert used is not None, inside
            if used[1] is not None:  # a label that the expression has not summed away
                grouped = re.findall(r"\bby \(([^)]*)\)", rule["expr"])
                kept = {label for group in grouped for label in group.split(", ")}
                assert used[1] in (kept if grouped else OF_PROMETHEUS)


def test_the_rules_are_a_file_of_prometheus() -> None:
    assert set(RULES) == {"groups"}
    for group in RULES["groups"]:
        assert set(group) == {"name", "rules"}
    names = [rule["alert"] for rule in ALERTS]
    assert len(set(names)) == len(names) >= 8


def test_the_dashboard_can_be_imported() -> None:
    [asked] = BOARD["__inputs"]
    assert (asked["type"], asked["pluginId"]) == ("datasource", "prometheus")
    assert {"title", "uid", "schemaVersion", "time", "panels"} <= BOARD.keys()
    panels = BOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) >= 10
    for panel in panels:
        assert panel["type"] in ("stat", "timeseries")
        assert panel["title"]
        letters = [target["refId"] for target in panel["targets"]]
        assert letters == sorted(set(letters))
        for part in (panel, *panel["targets"]):
            assert part["datasource"] == {"type": "prometheus", "uid": f"${{{asked['name']}}}"}
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        assert at["x"] + at["w"] <= 24
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & taken, panel["title"]
        taken |= cells


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target["expr"])
def test_a_legend_names_labels_that_are_there(target: dict[str, str]) -> None:
    grouped = re.findall(r"\bby \(([^)]*)\)", target["expr"])
    kept = {label for group in grouped for label in group.split(", ")}
    assert set(TEMPLATE.findall(target["legendFormat"])) <= kept


def test_the_page_names_both_files() -> None:
    page = Path(DOCS / "operating.md").read_text()
    for name in ("grafana-dashboard.json", "prometheus-alerts.yaml"):
        assert f"(examples/{name})" in page
