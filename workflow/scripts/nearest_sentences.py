"""Find the sentences in a pool that are nearest to each query sentence, according to the vectors of one model."""

from typing import Any

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.encoding import encode, encode_in_blocks
from sentrep.evaluation.nearest_sentences import nearest, neighbour_rows, read_lines, texts_at
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device
from sentrep.runtime.job import log


def main(
    *, model: str, pool: str, queries: list[str], neighbours: int, identity: dict[str, Any], device: str, rows: str
) -> None:
    """Write the sentences in a pool that are nearest to each query sentence.

    Args:
        model: folder of the model.
        pool: file of the sentences to search, one per line.
        queries: query sentences.
        neighbours: number of nearest sentences for each query.
        identity: preset, model and seed, which are repeated in every row of the output file.
        device: device to encode on.
        rows: file to write.
    """
    encoder = load_encoder(model)
    encoder.use(resolve_device(device))
    vectors = encode(encoder, queries, "unit", "queries").vectors
    found = nearest(vectors, encode_in_blocks(encoder, read_lines(pool), "pool"), neighbours)
    log.info("sentences in the pool: %d; sentences skipped because their vector is zero: %d", found.pool, found.zeros)
    texts = texts_at(read_lines(pool), found.places)
    write_csv(rows, neighbour_rows(queries, found, texts, identity), float_format="%.6f")
