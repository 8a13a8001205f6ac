"""Test the report in Debian's Chromium at three widths, in both colour schemes, with mouse and keyboard."""

import shutil

import pytest
from playwright.sync_api import sync_playwright

from helpers_report import NOVELS, results_folder
from sentrep.report.page import write_report

pytestmark = pytest.mark.slow
VIEWS = [(width, scheme) for width in (400, 800, 1400) for scheme in ("light", "dark")]
TABLE = "siamese-cbow-table1"
# Find elements that are wider than the page and not inside a scrollable box.
OUTSIDE = """
() => [...document.querySelectorAll('main *, header *, nav *')].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && box.right > innerWidth + 1 && !element.closest('.scroll, .unseen')
    && getComputedStyle(element).visibility !== 'hidden';
}).map(element => element.tagName + '.' + element.className).slice(0, 5)
"""
# Find scrollable boxes, and return the id of their table and whether they scroll vertically.
SCROLLING = """
() => [...document.querySelectorAll('body *')].filter(element => element.checkVisibility()
  && /auto|scroll/.test(getComputedStyle(element).overflow)
  && (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight)
).map(element => [element.querySelector('table')?.id || element.tagName,
  getComputedStyle(element).overflowY !== 'hidden' && element.scrollHeight > element.clientHeight])
"""
# Even the short versions of these tables are wider than a screen of 800 or 400 pixels.
WIDE = {
    1400: {"sentrep-table1"},
    800: {"sentrep-table1", "siamese-cbow-table1", "cbos-table1"},
    400: {
        *("sentrep-table1", "siamese-cbow-table1", "cbos-table1"),
        *("weighted-aggregation-table1", "quick-thoughts-table1"),
    },
}
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
        pytest.skip("no chromium on PATH; install it with `apt-get install chromium`")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=binary, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def opened(browser, report):
    """Return a function that opens the report; any console message or network request makes the test fail."""
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
    """Return the number at the start of a cell; ".4379†" and "−.0940" contain numbers."""
    return float(text.replace("−", "-").split()[0].rstrip("†‡"))


@pytest.mark.parametrize(("scheme", "colour"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(21, 24, 28)")])
def test_figures_follow_the_colour_scheme(browser, scheme, colour):
    page = browser.new_page(color_scheme=scheme)
    page.goto((NOVELS / "siamese_cbow/sets.svg").as_uri())
    assert page.evaluate("getComputedStyle(document.querySelector('path')).fill") == colour
    page.close()


@pytest.mark.parametrize(("width", "scheme"), VIEWS)
def test_nothing_scrolls_sideways(opened, width, scheme):
    page = opened(width, scheme)
    for _ in range(2):
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(OUTSIDE) == []
        page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true; })")


@pytest.mark.parametrize("width", WIDE)
def test_nothing_scrolls_inside_the_page_but_wide_tables(opened, width):
    page = opened(width)
    scrolling = page.evaluate(SCROLLING)
    assert {name for name, _ in scrolling} <= WIDE[width]
    assert not any(up_and_down for _, up_and_down in scrolling)
    assert page.evaluate("document.documentElement.scrollHeight") < 32_000


@pytest.mark.parametrize("width", WIDE)
def test_the_first_screen_has_findings_and_the_figure(opened, width):
    page = opened(width)
    assert page.locator(".findings").bounding_box()["y"] < 300
    assert page.locator("#means").bounding_box()["y"] < 900
    tracks = page.locator("#means > .dots .track")
    assert tracks.count() >= 3
    assert all(track.bounding_box()["width"] > 200 for track in tracks.all())
    assert page.locator("#means > .dots .value").first.is_visible()


def test_the_papers_own_model_is_seen_without_scrolling(opened):
    page = opened(400)
    for table, name in (("siamese-cbow-table1", "Siamese CBOW"), ("cbos-table1", "CBOS")):
        header = page.locator(f"#{table} thead th:not(.stub)").first
        assert " ".join(header.inner_text().split()) == name
        box = header.bounding_box()
        assert box["x"] + box["width"] < 400


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
    header = page.locator(f"#{TABLE} thead th:not(.stub)").first
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
    # the last row of a section is its mean, whatever the order
    assert page.evaluate(
        "[...document.querySelectorAll('tr.summary')].every(row => !row.nextElementSibling?.matches(':not(.summary)'))"
    )


def test_sorting_by_keyboard(opened):
    page = opened()
    page.evaluate("document.querySelector('#deltas-counts').closest('.scroll').focus()")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.closest('th').getAttribute('aria-sort')") == "ascending"
    names = page.evaluate("[...document.querySelectorAll('#deltas-counts tbody th')].map(th => th.innerText)")
    assert names == sorted(names, key=str.casefold)
    assert len(names) > 1
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    (numbers,) = column(page, "deltas-counts", 1)
    assert numbers == sorted(numbers, key=number, reverse=True)
    assert ", descending" in page.locator("#announcer").inner_text()


def test_skip_link_is_first_and_leads_to_the_results(opened):
    page = opened(390)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_link_unfolds_a_claim(opened):
    page = opened(400)
    assert page.locator(".claim:visible").count() == 0
    page.evaluate("location.hash = '#claim-speed'")
    page.wait_for_function("document.querySelector('#claim-speed').open")
    assert page.locator("#claim-speed dl").is_visible()
    assert page.locator(".claims[open]").count() == 1


def test_the_whole_of_a_brief_table_unfolds(opened):
    page = opened(400)
    assert not page.locator(f"#{TABLE}-whole").is_visible()
    page.locator(f"#{TABLE}-part .fold summary").click()
    assert page.locator(f"#{TABLE}-whole").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400


def test_works_without_scripts(opened):
    page = opened(390, scripts=False)
    assert page.locator("#means").is_visible()
    assert page.locator("th button").count() == 0
    page.locator(".claims summary").first.click()
    assert page.locator(".claim").first.is_visible()
