"""Run the command-line interface as ``python -m sentrep``."""

import sys

from sentrep.cli import main

sys.exit(main())
