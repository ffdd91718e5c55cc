"""Subtitles: cues end with sentences, speakers and silences, and have times."""

import pytest
from trivium_client import Word, to_srt, to_vtt

WORDS = [
    Word(text="Hello", start=0, end=0.4, speaker_id="speaker_0"),
    Word(text="<there>.", start=0.5, end=0.9, speaker_id="speaker_0"),
    Word(text="Hi", start=1.2, end=1.5, speaker_id="speaker_1"),
    Word(text="again", start=3661.0405, end=3661.5, speaker_id="speaker_1"),
]


def test_srt() -> None:
    assert to_srt(WORDS) == (
        "1\n00:00:00,000 --> 00:00:00,900\nspeaker_0: Hello <there>.\n\n"
        "2\n00:00:01,200 --> 00:00:01,500\nspeaker_1: Hi\n\n"
        "3\n01:01:01,041 --> 01:01:01,500\nspeaker_1: again\n"
    )
    assert to_srt([]) == ""


def test_vtt() -> None:
    assert to_vtt(WORDS[:3]) == (
        "WEBVTT\n\n00:00:00.000 --> 00:00:00.900\n<v speaker_0>Hello &lt;there&gt;.\n\n"
        "00:00:01.200 --> 00:00:01.500\n<v speaker_1>Hi\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "a\n\n2\n00:00:09,000 --> 00:00:10,000\nanother cue",
        "a\u2028\u2028\x0b\x85\x0c\x1e00:00:09,000 ---> 00:00:10,000",
        "STYLE\n::cue { color: red }\x9b31m\x1b[2J",
    ],
)
def test_what_was_said_cannot_begin_a_cue(text: str) -> None:
    for speaker, said in ((None, text), (f"{text}>", "a")):
        words = [Word(text=said, start=0, end=1, speaker_id=speaker)]
        srt, vtt = to_srt(words), to_vtt(words)
        assert (srt.count("-->"), vtt.count("-->")) == (1, 1)
        assert (srt.count("\n"), vtt.count("\n")) == (3, 4)
        assert not any(ord(one) < 10 or 10 < ord(one) < 32 or 126 < ord(one) < 160 for one in srt)
        assert vtt.count("<") + vtt.count(">") == (1 if speaker is None else 3)
