"""Let the scripts of a run import the library of their own checkout."""

from __future__ import annotations

import os

from sentrep.errors import SentrepError
from sentrep.io.project import WORKFLOW


def use_this_checkout() -> None:
    """Put this checkout's library before installed packages for all processes started from here on.

    Snakemake adds a script's folder after the installed packages, so a library installed from another checkout would be
    imported instead.

    Raises:
        SentrepError: the path of the checkout cannot be used in PYTHONPATH.
    """
    before, ours = os.environ.get("PYTHONPATH"), str(WORKFLOW / "scripts")
    if os.pathsep in ours:
        raise SentrepError(
            WORKFLOW.parent,
            expected=f"a path without '{os.pathsep}', which separates the paths of PYTHONPATH",
            found="a path that contains it",
            remedy="rename the folder",
        )
    os.environ["PYTHONPATH"] = os.pathsep.join([ours, *([before] if before else [])])
