"""Call the function that a Snakemake rule names; see :func:`sentrep.runtime.job.call`."""

from sentrep.runtime.job import call, end

call(snakemake)
end()
