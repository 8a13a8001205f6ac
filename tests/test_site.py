"""Test how the documentation site changes tables."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

FILE = Path(__file__).parents[1] / "docs" / "site.py"
PAGE: Any = SimpleNamespace(file=SimpleNamespace(name="models"), url="models.html")


@pytest.fixture(scope="module")
def site() -> ModuleType:
    pytest.importorskip("mkdocs", reason="mkdocs is only installed for building the documentation")
    spec = importlib.util.spec_from_file_location("documentation_site", FILE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def rendered(site: ModuleType, header: list[str], *rows: list[str]) -> str:
    """Return the HTML of a page with a table."""
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    html = f"<table><tr>{''.join(f'<th>{name}</th>' for name in header)}</tr>{body}</table>"
    return str(site.on_page_content(html, page=PAGE, config=None, files=None))


def test_rows_of_words_become_lists_whose_cells_name_their_column(site: ModuleType) -> None:
    row = ["Siamese CBOW", "<code>siamese_cbow</code>", "the cosine of two averages, trained on pairs"]
    html = rendered(site, ["model", 'the "family"', "meaning"], row, row)
    assert html.startswith('<div class="stacked">')
    assert html.count('<td data-column="the &quot;family&quot;"><code>siamese_cbow</code>') == 2
    assert html.count('<td data-column="meaning">the cosine') == 2


@pytest.mark.parametrize(
    "rows",
    [
        [["model", "MSRpar", "MSRvid", "SMT"]] + [["Siamese CBOW", *[".4379 [.4100, .4600]"] * 3]] * 3,
        [["model", "family", "year"], ["Siamese CBOW", "averages", "2016"]],
        [["model", "meaning"], ["Siamese CBOW", "the cosine of two averages, trained on neighbouring sentences"]],
    ],
    ids=["numbers", "short rows", "two columns"],
)
def test_other_tables_do_not_change(site: ModuleType, rows: list[list[str]]) -> None:
    assert "stacked" not in rendered(site, *rows)
