"""Subtitles: cues end with sentences, speakers and silences, and have times."""

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
