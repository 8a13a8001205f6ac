"""Run the function that a rule names; see :func:`sentrep.runtime.job.call`."""

from sentrep.runtime.job import call

call(snakemake)
