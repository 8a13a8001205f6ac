"""Find the sentences of a pool that are nearest to each query, for one model."""

from typing import Any

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.encoding import encode, encode_in_blocks
from sentrep.evaluation.nearest import lines_at, nearest, neighbour_rows, read_lines
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device
from sentrep.runtime.job import log, run


def main(snakemake: Any) -> None:
    """Write the nearest sentences of all queries."""
    params = snakemake.params
    encoder = load_encoder(snakemake.input.model)
    encoder.use(resolve_device(params.device))
    pool = snakemake.input.pool
    queries = encode(encoder, params.queries, "unit", "queries").vectors
    found = nearest(queries, encode_in_blocks(encoder, read_lines(pool), "pool"), params.neighbours)
    log.info("%d sentences, %d without a known word", found.pool, found.zeros)
    texts = lines_at(pool, found.places.ravel())
    rows = neighbour_rows(params.queries, found, texts, params.identity)
    write_csv(snakemake.output[0], rows, float_format="%.6f")


if __name__ == "__main__":
    run(main, snakemake)
