"""Passes warnings to the caller. They say how a request was adjusted for its provider."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from .models import ExtractResponse, RequestWarning, SearchResponse, TranscriptionAccepted

ToolName = Literal["search", "extract", "transcription"]


@dataclass(frozen=True)
class WarningContext:
    tool: ToolName
    id: str
    """The id of the answer that carries the warning."""
    provider: str


OnWarning = Callable[[RequestWarning, WarningContext], None]


def report(
    on_warning: OnWarning | None,
    tool: ToolName,
    answer: SearchResponse | ExtractResponse | TranscriptionAccepted,
) -> None:
    if on_warning is None:
        return
    for warning in answer.warnings:
        on_warning(warning, WarningContext(tool, answer.id, answer.provider))
