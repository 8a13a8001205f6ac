"""Claims: what the papers state, each with a computation over result files and a verdict.

``workflow/reported/claims.yaml`` names the statements. :mod:`sentrep.claims.reading` checks that file,
:mod:`sentrep.claims.catalogue` lists the computations, :mod:`sentrep.claims.verdicts` judges.
"""
