"""Convert captioned images, either Karpathy's split of COCO or synthetic images, into a data set for retrieval."""

from pathlib import Path

from sentrep.evaluation.retrieval.readers import prepare
from sentrep.io.files import read_json
from sentrep.runtime.job import log
from sentrep.sources.archives import SourceFiles


def main(source: str, dimension: int, captions_per_image: int, images: str) -> None:
    """Write a folder of captions and image features.

    Args:
        source: source manifest of the captioned images, or a folder with the captions and features of synthetic images.
        dimension: number of dimensions of the image features.
        captions_per_image: number of captions to keep for each image; additional captions are dropped.
        images: folder to write.
    """
    given = Path(source)
    synthetic = given.is_dir()
    members = SourceFiles.of(sorted(given.iterdir())) if synthetic else SourceFiles(given)
    version = "synthetic scenes" if synthetic else read_json(given)["version"]
    with members.guard():
        meta = prepare(
            members,
            images,
            dimension=dimension,
            captions_per_image=captions_per_image,
            provenance={"sample": synthetic, "source": version},
        )
    log.info("%s: number of images by split: %s", version, meta["images"])
