"""Make the scripts of a run import the library of the checkout they belong to."""

from __future__ import annotations

import os

from sentrep.io.project import WORKFLOW


def use_this_checkout() -> None:
    """Put this checkout's library before installed packages for all processes started from here on.

    Snakemake puts a script's folder behind the installed packages, so a library installed from another checkout would
    be imported instead.
    """
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(WORKFLOW / "scripts"), *([before] if before else [])])
