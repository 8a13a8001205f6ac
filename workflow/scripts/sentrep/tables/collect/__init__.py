"""Collectors: from the raw measurements of one table or figure to its values.

A value that has a published counterpart is at the published row, column and metric. What describes a measurement (the
number of test items, a dimension, the seconds of training) is a value too: of the item as a whole (no row, no column),
of a row, or of a system.
"""

NO_INTERVAL = "no interval: the bootstrap needs what single items gave"
