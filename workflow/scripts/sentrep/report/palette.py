"""Colours of the report, light and dark, and what may stand on what.

Every pair of :data:`TEXT_PAIRS` has a contrast of at least 4.5 to 1 and every pair of :data:`GRAPHIC_PAIRS` of at
least 3 to 1 (WCAG 2.2, success criteria 1.4.3 and 1.4.11, level AA), in both schemes.
"""

from __future__ import annotations

# name -> (light, dark)
COLOURS: dict[str, tuple[str, str]] = {
    "paper": ("#ffffff", "#15181c"),
    "surface": ("#f5f5f2", "#1e2227"),
    "hover": ("#eef3f9", "#232a32"),
    "ink": ("#1b1e22", "#e6e8ea"),
    "muted": ("#595f66", "#a6adb5"),
    "line": ("#dcdddb", "#363c43"),
    "control": ("#85898e", "#79818a"),
    "accent": ("#0b57a4", "#8dbcf5"),
    "good": ("#1a6b3a", "#86d3a3"),
    "good-soft": ("#e8f3ec", "#17301f"),
    "bad": ("#a02c1c", "#ffab9a"),
    "bad-soft": ("#fbebe7", "#3a1b16"),
    "open": ("#5c5433", "#d3c99c"),
    "open-soft": ("#f3f0e2", "#2d2a1c"),
    "sample": ("#7a4300", "#ffc98a"),
    "sample-soft": ("#fff1dc", "#38260f"),
}
# Okabe and Ito's, darkened or lightened until they can be seen: lines, then text.
SERIES: dict[str, tuple[str, str]] = {
    "blue": ("#0072b2", "#58b0e3"),
    "vermilion": ("#d55e00", "#f08a4b"),
    "green": ("#009068", "#35c296"),
    "orange": ("#c98500", "#e9a93a"),
    "pink": ("#c0659a", "#de9bc3"),
    "sky": ("#3c9bd0", "#8ccbf2"),
    "yellow": ("#9c8e00", "#d6c850"),
    "grey": ("#777777", "#a0a4a8"),
}
SERIES_TEXT: dict[str, tuple[str, str]] = {
    "blue": ("#0067a3", "#58b0e3"),
    "vermilion": ("#b04a00", "#f08a4b"),
    "green": ("#00765a", "#35c296"),
    "orange": ("#8a5e00", "#e9a93a"),
    "pink": ("#a14c7e", "#de9bc3"),
    "sky": ("#1e739f", "#8ccbf2"),
    "yellow": ("#716700", "#d6c850"),
    "grey": ("#666666", "#a0a4a8"),
}
TEXT_PAIRS = [
    *[(text, ground) for text in ("ink", "muted", "accent") for ground in ("paper", "surface", "hover")],
    *[(name, f"{name}-soft") for name in ("good", "bad", "open", "sample")],
    *[(name, "paper") for name in ("good", "bad", "open", "sample")],
    *[(f"text-{name}", "paper") for name in SERIES_TEXT],
]
GRAPHIC_PAIRS = [("control", "paper"), ("accent", "paper"), *[(f"series-{name}", "paper") for name in SERIES]]


def variables() -> dict[str, tuple[str, str]]:
    """Return every colour by the name of its CSS variable, without the hyphens in front: (light, dark)."""
    return {
        **COLOURS,
        **{f"series-{name}": value for name, value in SERIES.items()},
        **{f"text-{name}": value for name, value in SERIES_TEXT.items()},
    }


def stylesheet() -> str:
    """Return the CSS that gives every variable its value in either scheme; paper is always light."""

    def block(place: int) -> str:
        return " ".join(f"--{name}: {value[place]};" for name, value in variables().items())

    return (
        f":root {{ color-scheme: light dark; {block(0)} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {block(1)} }} }}\n"
    )


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours ``#rrggbb``, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
