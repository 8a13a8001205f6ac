"""Parse command-line arguments, report errors in one line, and suggest the closest known option for an unknown one."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from sentrep.errors import nearest


def count(text: str) -> int:
    """Return the whole number that an argument contains, which must be at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found {text}")
    return int(text)


class Parser(argparse.ArgumentParser):
    """A command-line argument parser whose options may depend on other arguments.

    Attributes:
        prepare: function that may add options to the parser. It is called before parsing, with the parser and the list
            of arguments.
    """

    prepare: Callable[[Parser, list[str]], None] | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **{"allow_abbrev": False, **options})

    def parse_known_args(self, args: Iterable[str] | None = None, namespace: Any = None) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Parse known arguments, and exit with an error message if an option is unknown.

        If the parser has a positional argument ``paths`` that takes a list, positional arguments that follow an option
        are appended to this list.
        """
        words = list(sys.argv[1:] if args is None else args)
        if self.prepare is not None:
            self.prepare(self, words)
        found, rest = super().parse_known_args(words, namespace)
        for word in rest:
            if word.startswith("-") and word != "-":
                self.error(f"unknown option {word}: {nearest(word.partition('=')[0], sorted(self.known_options()))}")
        if rest and isinstance(getattr(found, "paths", None), list):
            found.paths += rest  # argparse does not add positional arguments that follow an option to the list
            rest = []
        return found, rest

    def known_options(self) -> set[str]:
        """Return the names of all options of the parser, such as ``--seed``."""
        return set(self._option_string_actions)

    def error(self, message: str) -> NoReturn:
        """Print the message as one line on standard error, and exit with status 1."""
        self.exit(1, f"error: {message} ({self.prog} --help shows the options)\n")
