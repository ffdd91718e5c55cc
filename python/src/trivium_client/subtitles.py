"""Subtitles from timed words, in the two formats that players read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .models import Word

_MOST_CHARACTERS = 80
_MOST_SECONDS = 6
_MOST_SILENCE = 1
_BREAKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_ARROW = "-->"
_SENTENCE_END = re.compile(r"[.!?…。！？]\Z")


@dataclass
class Cue:
    """One subtitle with its times and its speaker."""

    start: float
    end: float
    text: str
    speaker_id: str | None


def to_srt(words: Sequence[Word]) -> str:
    """Subtitles in the SRT format."""
    blocks = []
    for number, cue in enumerate(cues_of(words), 1):
        said = cue.text if cue.speaker_id is None else f"{cue.speaker_id}: {cue.text}"
        # The format has no escapes, and players take a line with this arrow as times.
        text = _one_line(said).replace(_ARROW, "→")
        blocks.append(f"{number}\n{_stamp(cue.start, ',')} --> {_stamp(cue.end, ',')}\n{text}\n")
    return "\n".join(blocks)


def to_vtt(words: Sequence[Word]) -> str:
    """Subtitles in the WebVTT format."""
    blocks = ["WEBVTT\n"]
    for cue in cues_of(words):
        said = _escaped(cue.text)
        text = said if cue.speaker_id is None else f"<v {_escaped(cue.speaker_id)}>{said}"
        blocks.append(f"{_stamp(cue.start, '.')} --> {_stamp(cue.end, '.')}\n{text}\n")
    return "\n".join(blocks)


def _one_line(text: str) -> str:
    """A line break in the text could end its cue and begin another one."""
    return _BREAKS.sub(" ", text).strip()


def _escaped(text: str) -> str:
    line = _one_line(text).replace("&", "&amp;")
    return line.replace("<", "&lt;").replace(">", "&gt;")


def cues_of(words: Sequence[Word]) -> list[Cue]:
    """A cue ends with a full line, a sentence or a speaker, or after a silence."""
    cues: list[Cue] = []
    for word in words:
        if cues and _belongs(cues[-1], word):
            cues[-1].text += f" {word.text}"
            cues[-1].end = max(cues[-1].end, word.end)
        else:
            cues.append(Cue(word.start, word.end, word.text, word.speaker_id))
    return cues


def _belongs(cue: Cue, word: Word) -> bool:
    return (
        cue.speaker_id == word.speaker_id
        and len(cue.text) + 1 + len(word.text) <= _MOST_CHARACTERS
        and word.end - cue.start <= _MOST_SECONDS
        and word.start - cue.end <= _MOST_SILENCE
        and _SENTENCE_END.search(cue.text) is None
    )


def _stamp(seconds: float, mark: str) -> str:
    ms = int(seconds * 1000 + 0.5)
    hours, minutes, rest = ms // 3_600_000, ms // 60_000 % 60, ms // 1000 % 60
    return f"{hours:02}:{minutes:02}:{rest:02}{mark}{ms % 1000:03}"
