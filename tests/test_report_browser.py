"""The report in a browser: Debian's Chromium, two widths, both colour schemes, by mouse and by keyboard."""

import pytest

from helpers_chromium import Chromium, find_chromium
from helpers_report import results_folder
from sentrep.report.build import write_report
from sentrep.report.folder import published

pytestmark = pytest.mark.slow
VIEWS = [(width, scheme) for width in (390, 1280) for scheme in ("light", "dark")]
# Elements that are wider than the page and stand in no box that scrolls.
OUTSIDE = """
[...document.querySelectorAll('main *, header *, nav *')].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && box.right > innerWidth + 1 && !element.closest('.scroll, .drawing.full, .unseen')
    && getComputedStyle(element).visibility !== 'hidden';
}).map(element => element.tagName + '.' + element.className).slice(0, 5)
"""
COLUMN = """
(identity, column) => [...document.getElementById(identity).tBodies].map(body =>
  [...body.rows].filter(row => !row.matches('.section, .summary')).map(row => row.cells[column].dataset.sort))
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    write_report(published(results_folder(folder / "published")), folder / "report.html")
    return folder / "report.html"


@pytest.fixture(scope="module")
def browser():
    binary = find_chromium()
    if binary is None:
        pytest.skip("no chromium on PATH; `apt-get install chromium` brings it")
    with Chromium(binary) as chromium:
        yield chromium


def column(browser, table: str, number: int) -> list[list[str]]:
    return browser.value(f"({COLUMN})('{table}', {number})")


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_nothing_scrolls_sideways_and_nothing_complains(browser, report, width, scheme):
    browser.open(report, width, 900, scheme)
    assert browser.value("innerWidth") == width
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value(OUTSIDE) == []
    browser.value("document.querySelectorAll('details').forEach(part => { part.open = true; })")
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value(OUTSIDE) == []
    assert browser.complaints() == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_scheme(browser, report, scheme):
    browser.open(report, 1280, 900, scheme)
    ground = browser.value("getComputedStyle(document.body).backgroundColor")
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"}[scheme]
    figure = "document.querySelector('figure svg path')"  # the figure's ground comes first
    assert browser.value(f"getComputedStyle({figure}).fill") == ground
    browser.open(report, 1280, 900, scheme, media="print")
    assert browser.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert browser.value("getComputedStyle(document.querySelector('nav')).display") == "none"


def test_sorting_by_mouse(browser, report):
    browser.open(report, 1280, 900)
    table = "results-siamese-cbow-table1"
    header = f"document.querySelector('#{table} thead tr:last-child th')"
    before = column(browser, table, 1)
    assert len(before) > 4 and sum(map(len, before)) > 19
    states = []
    for _ in range(3):
        browser.value(f"{header}.querySelector('button').click()")
        states.append((browser.value(f"{header}.getAttribute('aria-sort')"), column(browser, table, 1)))
    for (state, shown), (expected, sign) in zip(states, [("descending", -1), ("ascending", 1)], strict=False):
        assert state == expected
        for section, original in zip(shown, before, strict=True):
            filled = sorted((key for key in original if key), key=lambda key: sign * float(key))
            assert section == filled + [""] * (len(original) - len(filled))
    assert states[2] == ("none", before)
    assert browser.value("document.getElementById('announcer').textContent") == "Order as printed"
    # the last line of a section is its mean, in every order
    lasts = (
        "[...document.querySelectorAll('tr.summary')].every(row => !row.nextElementSibling?.matches(':not(.summary)'))"
    )
    assert browser.value(lasts)


def test_sorting_by_keyboard(browser, report):
    browser.open(report, 1280, 900)
    browser.value("document.querySelector('#averages').closest('.scroll').focus()")
    browser.press("Tab")
    browser.press("Enter", "\r")
    assert browser.value("document.activeElement.closest('th').getAttribute('aria-sort')") == "ascending"
    names = browser.value("[...document.querySelectorAll('#averages tbody th')].map(th => th.dataset.sort)")
    assert names == sorted(names)
    assert browser.value("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    browser.press("Tab")
    browser.press(" ", " ")
    (ours,) = column(browser, "averages", 1)
    assert ours == sorted(ours, key=float, reverse=True)
    assert "Sorted by ours, descending" in browser.value("document.getElementById('announcer').textContent")


def test_skip_link_is_first_and_leads_to_the_results(browser, report):
    browser.open(report, 390, 844)
    browser.press("Tab")
    assert browser.value("document.activeElement.className") == "skip"
    assert browser.value("document.activeElement.getBoundingClientRect().top") >= 0
    browser.press("Enter", "\r")
    assert browser.value("document.activeElement.id") == "main"


def test_claims_are_filtered(browser, report):
    browser.open(report, 390, 844)
    shown = "[...document.querySelectorAll('#claims .claim')].filter(claim => claim.offsetParent).length"
    assert browser.value(shown) == 5
    browser.value("document.querySelector('[name=verdict][value=holds]').click()")
    assert browser.value(shown) == 2
    browser.value("document.querySelector('[name=paper][value=siamese_cbow]').click()")
    assert browser.value(shown) == 1
    assert browser.value("document.querySelector('#claims output').textContent") == "1 shown"
    browser.value("location.hash = '#claim-speed'")  # filtered out: a link to it takes the filter off
    browser.wait(f"{shown} === 5")


def test_one_group_of_columns_can_be_chosen(browser, report):
    browser.open(report, 390, 844)
    table = "results-siamese-cbow-table1"
    browser.value(
        f"(select => {{ select.selectedIndex = 2; select.dispatchEvent(new Event('change')); }})"
        f"(document.getElementById('{table}-columns'))"
    )
    cells = f"[...document.querySelectorAll('#{table} {{}}')].filter(cell => cell.offsetParent)"
    visible = cells + ".map(cell => cell.innerText.trim())"
    assert browser.value(visible.format("thead [scope=colgroup]")) == ["w2v CBOW"]
    assert (
        len(browser.value(visible.format("tbody:first-of-type tr:nth-child(2) > *"))) == 4
    )  # the set, ours, reported, difference
    assert browser.value(f"document.getElementById('{table}').offsetWidth") < 700


def test_a_small_drawing_can_be_seen_in_its_size(browser, report):
    browser.open(report, 390, 844)
    width = "document.querySelector('figure svg').getBoundingClientRect().width"
    assert browser.value(width) < 390
    browser.value("document.querySelector('figure button.size').click()")
    assert browser.value(width) > 390
    assert browser.value("document.documentElement.scrollWidth") <= 390


def test_works_without_scripts(browser, report):
    browser.ask("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser.open(report, 390, 844)
        assert browser.value("document.querySelectorAll('th button').length") == 0
        assert browser.value("document.documentElement.scrollWidth") <= 390
        dead = "[...document.querySelectorAll('main form, main select')].filter(element => element.offsetParent).length"
        assert browser.value(dead) == 0
    finally:
        browser.ask("Emulation.setScriptExecutionDisabled", value=False)
