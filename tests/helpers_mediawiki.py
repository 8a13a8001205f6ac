"""Pages and exports in MediaWiki's format, for the tests of readers of articles."""

from xml.sax.saxutils import escape

PROSE = "Salt is a mineral that people eat and trade. It is mined in many places of the world, and sea water has it."
MORE = "The second paragraph says more about the matter of salt. It is long enough to count as a running text, too."


def page(title: str, text: str, ns: int | None = None, extra: str = "") -> str:
    space = "" if ns is None else f"<ns>{ns}</ns>"
    return (
        f"<page><title>{escape(title)}</title>{space}<id>1</id>{extra}<revision><id>2</id>"
        f'<contributor><username>Me</username></contributor><comment>no text</comment><text xml:space="preserve">'
        f"{escape(text)}</text></revision></page>\n"
    )


def export(*content: str, version: str = "0.10", namespaces: str = "") -> bytes:
    info = f"<siteinfo><sitename>Wikipedia</sitename><namespaces>{namespaces}</namespaces></siteinfo>"
    root = f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-{version}/" version="{version}" xml:lang="en">'
    return f"{root}{info}{''.join(content)}</mediawiki>".encode()
