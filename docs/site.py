"""Define MkDocs hooks that include pages and published results from outside docs/ in the documentation site."""

from __future__ import annotations

import argparse
import itertools
import os
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from sentrep.cli import parser

ROOT = Path(__file__).parents[1]
PAGES = {"README.md": "index.md"} | {name: name for name in ("CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md")}
SHOWN = (
    "results/published/*",
    "results/published/*/**/*",
    "benchmarks/results/*",
    "workflow/sources.tsv",
    "CITATION.cff",
)
# On narrow screens, site.css shows each row of a table as a list of its cells if the rows contain more characters than
# fit into a line, on average, and if at least half of the filled cells contain words.
LINE = 45
SUFFIXES = {".md", ".csv", ".svg", ".tsv", ".cff", ".json", ".log", ".yaml"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add pages and result files from outside docs/ to the files of the site."""
    for source, target in PAGES.items():
        files.append(File.generated(config, target, abs_src_path=str(ROOT / source)))
    shown = {path for pattern in SHOWN for path in ROOT.glob(pattern) if path.is_file() and path.suffix in SUFFIXES}
    for path in sorted(shown):
        files.append(File.generated(config, path.relative_to(ROOT).as_posix(), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Adapt the repository's relative links to the site, and add the help of all commands to the page ``cli.md``."""
    if page.file.src_uri == "cli.md":
        return markdown + _commands()
    source = next((name for name, target in PAGES.items() if target == page.file.src_uri), f"docs/{page.file.src_uri}")
    if page.file.src_uri.startswith("results/"):
        source = page.file.src_uri
        markdown = _titled(markdown, Path(source))
    folder = (ROOT / source).parent

    def rewritten(match: re.Match[str]) -> str:
        target, anchor = match[1], match[2] or ""
        path = (folder / target).resolve()
        if not path.is_relative_to(ROOT):
            return match[0]
        inside = path.relative_to(ROOT).as_posix()
        place = PAGES.get(inside, inside.removeprefix("docs/"))
        if files.get_file_from_path(place) is None:
            return match[0]
        up = "../" * page.file.src_uri.count("/")
        return f"]({up}{place}{anchor})"

    return re.sub(r"\]\((?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?\)", rewritten, markdown)


def on_page_content(html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Remove Sphinx roles such as ``:class:`` before names, which are shown as code, and mark wide tables of text."""
    html = re.sub(r":(?:attr|class|data|func|meth|mod):(?=<code>)", "", html)
    html = re.sub(r"<table>.*?</table>", _stacked, html, flags=re.DOTALL)
    return f'<div class="verdicts">{html}</div>' if page.file.name == "claims" and "published" in page.url else html


def _stacked(table: re.Match[str]) -> str:
    """Mark a table as one to be stacked if its rows are too long for a narrow screen and consist mostly of words.

    Each cell of such a table names its column, because site.css hides the header on narrow screens.
    """
    names = re.findall(r"<th[^>]*>(.*?)</th>", table[0], flags=re.DOTALL)
    cells = [re.sub("<[^>]+>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", table[0], flags=re.DOTALL)]
    words = sum(re.search("[A-Za-z]{3}", cell) is not None for cell in cells)
    rows, filled = len(cells) / max(len(names), 1), sum(bool(cell) for cell in cells)
    if len(names) < 3 or sum(map(len, cells)) < LINE * rows or words < filled / 2:
        return table[0]
    columns = (re.sub("<[^>]+>", " ", name).strip().replace('"', "&quot;") for name in itertools.cycle(names))
    labelled = re.sub(r"<td", lambda _: f'<td data-column="{next(columns)}"', table[0])
    return f'<div class="stacked">{labelled}</div>'


def _titled(markdown: str, path: Path) -> str:
    """Turn the bold title of a published table into a heading, followed by a link to its run."""
    title, _, rest = markdown.partition("\n")
    if not title.startswith("**"):
        return markdown
    run = path.relative_to("results/published").parts[0]
    link = f"\n[The run {run}]({'../' * (len(path.parts) - 4)}README.md)\n" if len(path.parts) > 3 else ""
    return f"# {title.strip('* ')}\n{link}{rest}".replace(r"\<", "&lt;").replace(r"\>", "&gt;")


def _commands() -> str:
    """Return a Markdown section for each command, with its help text."""
    os.environ["COLUMNS"] = "100"  # width of the help text in columns
    # argparse has no public list of commands.
    (commands,) = (a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))  # noqa: SLF001
    helps = {name: command.format_help() for name, command in commands.choices.items()}
    return "".join(f"\n## sentrep {name}\n\n```text\n{text}```\n" for name, text in helps.items())
