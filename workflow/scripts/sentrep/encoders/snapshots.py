"""Find the snapshots of a model: copies of the model that were saved during training."""

from __future__ import annotations

from pathlib import Path

from sentrep.errors import SentrepError


def snapshot_folders(directory: str | Path) -> list[tuple[Path, float]]:
    """Return the folder and the number of training epochs of each snapshot, sorted by the number of epochs.

    Args:
        directory: folder of the model, which contains its snapshots in ``snapshots/<epochs>/``.

    Raises:
        SentrepError: the name of a snapshot folder is not a number.
    """
    found = []
    for path in (Path(directory) / "snapshots").glob("*/"):
        try:
            found.append((path, float(path.name)))
        except ValueError:
            raise SentrepError(
                path,
                expected="a snapshot folder whose name is a number of epochs",
                found=f"the name '{path.name}'",
                remedy="remove this folder",
            ) from None
    return sorted(found, key=lambda item: item[1])
