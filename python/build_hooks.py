"""What a build adds to the sources: the project's URLs, and the blocking clients."""

import os
import re
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class ProjectUrls(MetadataHookInterface):
    """None if the sources have no public address."""

    def update(self, metadata: dict[str, object]) -> None:
        home = os.environ.get("TRIVIUM_SOURCES", "")
        pages = {"Homepage": "", "Documentation": "/tree/main/docs", "Changelog": "/blob/main/CHANGELOG.md"}
        metadata["urls"] = {name: home + path for name, path in pages.items()} if home else {}


class BlockingClients(BuildHookInterface):
    """Writes `_client.py` and `_admin.py` from `_async_client.py` and `_async_admin.py`."""

    def initialize(self, version: str, build_data: dict[str, object]) -> None:
        package = Path(self.root, "src", "trivium_client")
        for name in ("client", "admin"):
            source = (package / f"_async_{name}.py").read_text("utf-8")
            # Another build may be reading the file.
            draft = package / f"_{name}.py.{os.getpid()}"
            draft.write_text(f"# Written by build_hooks.py from _async_{name}.py.\n{blocking(source)}", "utf-8")
            draft.replace(package / f"_{name}.py")


PHRASES = [
    # A blocking list is its first page, and reads the others when it is iterated over.
    (r"\bAsyncPages\[(\w+), \w+\]", r"\1"),
    (r"\bAsyncPages\b", "read_pages"),
    (r"(The|operator's) async client", r"\1 blocking client"),
    (r"It runs on asyncio and trio\.", "It may be shared between threads."),
    (
        r"If the wait is cancelled, for example by Ctrl-C, the job continues, and\n +a warning .* names it\.",
        "Ctrl-C raises WaitInterrupted, which names the job.",
    ),
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(?=[A-Z])", ""),
    (r"(?<=\bfrom \._)async(?= )", "sync"),
    (r"(?<=\bfrom \._)async_", ""),
]


def blocking(source: str) -> str:
    """Converts a module of async functions into one of plain functions."""
    for pattern, text in PHRASES:
        source = re.sub(pattern, text, source)
    return source
