"""Run the command line: ``python -m sentrep``."""

import sys

from sentrep.cli import main

sys.exit(main())
