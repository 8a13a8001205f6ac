"""Helpers for the tests of the report: a folder of results, and an HTML parser that records errors in a page."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

from conftest import ROOT

NOVELS = ROOT / "results" / "published" / "novels"
CLAIMS = ROOT / "tests" / "data" / "claims.csv"
VOID = {"meta", "input", "br", "link", "img", "col", "hr"}
DELTAS = (
    "preset,paper,table,row,column,metric,reported,model,ours,sd,low,high,difference,class,note\n"
    "x,cbos,1,2012 MSRpar,CBOS,pearson,.4530,cbos,0.3358,,0.31,0.36,-0.1172,differs,\n"
    "x,cbos,1,2012 MSRvid,CBOS,pearson,.7254,cbos,0.7371,,0.71,0.76,0.0117,within interval,\n"
    "x,siamese_cbow,2,2014 images,FastSent,pearson,.74,,,,,,,no value,\n"
)
RULES = {
    "store": ["fetch"],
    "train": ["store", "train"],
    "score": ["fetch", "train"],
    "values": ["score"],
    "table": ["values"],
}


def results_folder(target: Path) -> Path:
    """Copy published results and add all files for optional parts of the report."""
    shutil.copytree(NOVELS, target, ignore=shutil.ignore_patterns("report.html"))
    shutil.copyfile(CLAIMS, target / "claims.csv")
    (target / "deltas.csv").write_text(DELTAS)
    record = json.loads((target / "provenance.json").read_text(encoding="utf-8"))
    (target / "provenance.json").write_text(json.dumps({**record, "rules": RULES}), encoding="utf-8")
    return target


class Page(HTMLParser):
    """The elements and texts of a page, as needed by the tests; ``faults`` lists errors such as wrong nesting."""

    def __init__(self, text: str):
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.stack: list[str] = []
        self.faults: list[str] = []
        self.headings: list[tuple[int, str]] = []
        self.texts: dict[int, str] = {}  # by the index of the element in ``elements``
        self.open: list[int] = []
        self.ancestors: dict[int, list[int]] = {}  # indices of the elements that enclose each element
        self.feed(text)
        self.close()
        self.faults += [f"never closed: {tag}" for tag in self.stack]

    def handle_starttag(self, tag, attrs):
        self.ancestors[len(self.elements)] = list(self.open)
        self.elements.append((tag, dict(attrs)))
        names = [name for name, _ in attrs]
        self.faults += [f"{tag} has {name} twice" for name in names if names.count(name) > 1]
        if tag not in VOID:
            self.stack.append(tag)
            self.open.append(len(self.elements) - 1)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        if not self.stack or self.stack[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.stack[-1:]}")
            return
        self.stack.pop()
        self.open.pop()

    def handle_data(self, data):
        for place in self.open:
            self.texts[place] = self.texts.get(place, "") + data

    def all(self, *tags: str) -> list[dict[str, str]]:
        return [attributes for tag, attributes in self.elements if tag in tags]

    def text_of(self, tag: str) -> list[str]:
        return [self.texts.get(place, "").strip() for place, (name, _) in enumerate(self.elements) if name == tag]

    def within(self, identity: str) -> str:
        """Return the text of the element with this id."""
        place = next(place for place, (_, a) in enumerate(self.elements) if a.get("id") == identity)
        return re.sub(r"\s+", " ", self.texts.get(place, ""))


def colours(text):
    """Return the variables of the stylesheet in the light and the dark scheme."""
    light, dark = re.findall(r":root \{([^}]*)\}", text)[:2]
    return [dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block)) for block in (light, dark)]
