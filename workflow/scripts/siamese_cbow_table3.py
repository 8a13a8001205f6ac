"""Write Table 3 of the Siamese CBOW paper: seconds to encode and compare all pairs."""

from typing import Any

from sentrep.job import run


def main(snakemake: Any) -> None:
    """Build the table from the timings; `params.models` names them in order."""
    from sentrep.evaluation.frames import read_csv
    from sentrep.files import read_json
    from sentrep.results.reported import read_reported
    from sentrep.results.siamese_cbow import build_table3
    from sentrep.results.tables import write_table

    models = snakemake.params.models
    files = zip(models, snakemake.input.timings, strict=True)
    table, data = build_table3(
        {model["id"]: read_csv(path, ["presentation", "seconds"]) for model, path in files},
        read_reported(snakemake.input.reported),
        read_json(snakemake.input.description),
        models,
        snakemake.params.preset,
    )
    write_table(table, data, dict(snakemake.output.items()))


run(main, snakemake)
