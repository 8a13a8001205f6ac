"""The report in Debian's Chromium: two widths, both colour schemes, by mouse and by keyboard."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

from helpers_report import results_folder
from sentrep.report.page import write_report

pytestmark = pytest.mark.slow
VIEWS = [(width, scheme) for width in (390, 1280) for scheme in ("light", "dark")]
TABLE = "siamese-cbow-table1"
# Elements that are wider than the page and stand in no box that scrolls.
OUTSIDE = """
() => [...document.querySelectorAll('main *, header *, nav *')].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && box.right > innerWidth + 1 && !element.closest('.scroll, .drawing.full, .unseen')
    && getComputedStyle(element).visibility !== 'hidden';
}).map(element => element.tagName + '.' + element.className).slice(0, 5)
"""
COLUMN = """
([identity, column]) => [...document.getElementById(identity).tBodies].map(body =>
  [...body.rows].filter(row => !row.matches('.section, .summary')).map(row => row.cells[column].innerText))
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser")
    write_report(results_folder(folder / "published"), folder / "report.html")
    return (folder / "report.html").as_uri()


@pytest.fixture(scope="module")
def browser():
    names = ("chromium", "chromium-browser", "google-chrome")
    binary = next((path for name in names if (path := shutil.which(name))), None)
    if binary is None:
        pytest.skip("no chromium on PATH; `apt-get install chromium` brings it")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=binary, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser, report):
    """Return a function that opens the report; console messages and requests end the test with a failure."""
    complaints, pages = [], []

    def open_page(width=1280, scheme="light", scripts=True):
        options = {"color_scheme": scheme, "reduced_motion": "reduce", "java_script_enabled": scripts}
        page = browser.new_page(viewport={"width": width, "height": 900}, **options)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: complaints.append(request.url) if request.url != report else None)
        page.goto(report)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()
    assert complaints == []


def column(page, table, number):
    return page.evaluate(COLUMN, [table, number])


def number(text):
    """The number that a cell begins with: ".4379†" and "−.0940" are numbers."""
    return float(text.replace("−", "-").split()[0].rstrip("†‡"))


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_nothing_scrolls_sideways(opened, width, scheme):
    page = opened(width, scheme)
    for _ in range(2):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(OUTSIDE) == []
        page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_follow_the_scheme(opened, scheme):
    page = opened(scheme=scheme)
    background = "getComputedStyle(document.body).backgroundColor"
    ground = page.evaluate(background)
    assert ground == {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 28)"}[scheme]
    page.emulate_media(media="print")
    assert page.evaluate(background) == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()


def test_sorting_by_mouse(opened):
    page = opened()
    header = page.locator(f"#{TABLE} thead tr").last.locator("th").first
    before = column(page, TABLE, 1)
    assert len(before) > 4
    assert sum(map(len, before)) > 19
    for state, sign in (("descending", -1), ("ascending", 1)):
        header.locator("button").click()
        assert header.get_attribute("aria-sort") == state
        for section, original in zip(column(page, TABLE, 1), before, strict=True):
            filled = [text for text in section if text]
            assert [number(text) for text in filled] == sorted(map(number, filled), key=lambda value: sign * value)
            assert section[len(filled) :] == [""] * (len(original) - len(filled))
            assert sorted(section) == sorted(original)
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "none"
    assert column(page, TABLE, 1) == before
    assert page.locator("#announcer").inner_text() == "Order as in the paper"
    # the last row of a section is its mean, in every order
    assert page.evaluate(
        "[...document.querySelectorAll('tr.summary')].every(row => !row.nextElementSibling?.matches(':not(.summary)'))"
    )


def test_sorting_by_keyboard(opened):
    page = opened()
    page.evaluate("document.querySelector('#means').closest('.scroll').focus()")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')") == "ascending"
    names = page.evaluate(
        "[...document.querySelectorAll('#means tbody th')].map(th => th.firstChild.textContent.trim())"
    )
    assert names == sorted(names, key=str.casefold)
    assert len(names) > 4
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    (ours,) = column(page, "means", 1)
    assert ours == sorted(ours, key=number, reverse=True)
    assert "Sorted by ours, descending" in page.locator("#announcer").inner_text()


def test_skip_link_is_first_and_leads_to_the_results(opened):
    page = opened(390)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_claims_are_filtered(opened):
    page = opened(390)
    shown = page.locator("#claims .claim:visible")
    assert shown.count() == 6
    page.locator("[name=verdict][value=holds]").check(force=True)
    assert shown.count() == 2
    page.locator("[name=paper][value=siamese_cbow]").check(force=True)
    assert shown.count() == 1
    assert page.locator("#claims output").inner_text() == "1 shown"
    page.evaluate("location.hash = '#claim-speed'")  # hidden by the filter: a link to it resets the filter
    page.wait_for_function("document.querySelectorAll('#claims .claim:not([hidden])').length === 6")


def test_one_group_of_columns_can_be_chosen(opened):
    page = opened(390)
    page.locator(f"#{TABLE}-columns").select_option(label="w2v skip-gram")
    assert page.locator(f"#{TABLE} thead [scope=colgroup]:visible").all_inner_texts() == ["w2v skip-gram"]
    row = page.locator(f"#{TABLE} tbody:first-of-type tr:nth-child(2) > *:visible")
    assert row.count() == 4  # the set, ours, published, difference
    assert page.locator(f"#{TABLE}").bounding_box()["width"] < 700


def test_a_small_drawing_can_be_shown_in_full_size(opened):
    page = opened(390)
    drawing = page.locator("figure svg").first
    assert drawing.bounding_box()["width"] < 390
    page.locator("figure button.size").first.click()
    assert drawing.bounding_box()["width"] > 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_works_without_scripts(opened):
    page = opened(390, scripts=False)
    assert page.locator("#means").is_visible()
    assert page.locator("th button, select").count() == 0
    assert not page.locator("main form").first.is_visible()
