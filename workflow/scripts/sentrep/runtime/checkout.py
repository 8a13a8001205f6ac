"""Make workflow scripts import the library from their own checkout."""

from __future__ import annotations

import os

from sentrep.errors import SentrepError
from sentrep.io.project import WORKFLOW


def use_this_checkout() -> None:
    """Put the library of this checkout first in PYTHONPATH, so that all processes started later import this library.

    Snakemake adds a script's folder to the import path after the installed packages. Without this function, an
    installed copy of the library from another checkout would be imported instead.

    Raises:
        SentrepError: the path of the checkout contains a colon, which separates the entries of PYTHONPATH.
    """
    before, ours = os.environ.get("PYTHONPATH"), str(WORKFLOW / "scripts")
    if os.pathsep in ours:
        raise SentrepError(
            WORKFLOW.parent,
            expected=f"a path without '{os.pathsep}', which separates the paths in PYTHONPATH",
            found=f"a path that contains '{os.pathsep}'",
            remedy=f"rename or move the checkout so that its path contains no '{os.pathsep}'",
        )
    os.environ["PYTHONPATH"] = os.pathsep.join([ours, *([before] if before else [])])
