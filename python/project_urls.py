"""The project URLs of the wheel; none if the sources have no public address."""

import os

from hatchling.metadata.plugin.interface import MetadataHookInterface


class ProjectUrls(MetadataHookInterface):
    def update(self, metadata: dict[str, object]) -> None:
        home = os.environ.get("TRIVIUM_SOURCES", "")
        pages = {"Homepage": "", "Documentation": "/tree/main/docs", "Changelog": "/blob/main/CHANGELOG.md"}
        metadata["urls"] = {name: home + path for name, path in pages.items()} if home else {}
