"""Read captioned images: Karpathy's split of COCO and image features, or the made-up sample."""

from pathlib import Path
from typing import Any

from sentrep.evaluation.retrieval.readers import prepare
from sentrep.io.files import read_json
from sentrep.runtime.job import log, run
from sentrep.sources.archives import SourceFiles


def main(snakemake: Any) -> None:
    """Write the folder of captions and features; the input is a source's manifest, or a folder of made-up files."""
    params = snakemake.params
    given = Path(snakemake.input[0])
    made_up = given.is_dir()
    members = SourceFiles.of(sorted(given.iterdir())) if made_up else SourceFiles(given)
    source = "made-up scenes" if made_up else read_json(given)["version"]
    with members.guard():
        meta = prepare(
            members,
            snakemake.output[0],
            dimension=params.dimension,
            captions_per_image=params.captions_per_image,
            provenance={"sample": made_up, "source": source},
        )
    log.info("%s: images %s", source, meta["images"])


if __name__ == "__main__":
    run(main, snakemake)
