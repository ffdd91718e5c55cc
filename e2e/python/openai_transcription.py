"""OpenAI's own client for Python calls the transcription of a gateway; prints what it got as JSON."""

import json
import sys

from openai import APIStatusError, OpenAI

url, key, path = sys.argv[1:4]
client = OpenAI(api_key=key, base_url=f"{url}/v1", max_retries=0)


def transcribe(**options):
    with open(path, "rb") as file:
        return client.audio.transcriptions.create(file=file, **options)


def refused(**options):
    try:
        transcribe(**options)
    except APIStatusError as error:
        return [error.status_code, error.type, error.param, error.code]
    return "it was not refused"


def repeat():
    with open(path, "rb") as file:
        answer = client.audio.transcriptions.with_raw_response.create(
            file=file, model="stt_b", extra_headers={"Idempotency-Key": "python"}
        )
    return [answer.headers["x-trivium-job-id"], answer.headers.get("idempotent-replayed")]


verbose = transcribe(
    model="deepgram",
    response_format="verbose_json",
    timestamp_granularities=["word", "segment"],
)
raw = client.audio.transcriptions.with_raw_response.create(
    file=open(path, "rb"), model="stt_c", prompt="Harbor Point"
)
print(
    json.dumps(
        {
            "json": transcribe(model="whisper-1").text,
            "text": transcribe(model="stt_a", response_format="text"),
            "srt": transcribe(model="stt_b", response_format="srt"),
            "vtt": transcribe(model="stt_b", response_format="vtt"),
            "words": [word.word for word in verbose.words],
            "segments": [segment.text for segment in verbose.segments],
            "verbose": [verbose.language, verbose.duration],
            "warnings": json.loads(raw.headers["x-trivium-warnings"]),
            "models": [model.id for model in client.models.list()],
            "repeats": [repeat(), repeat()],
            "stream": refused(model="whisper-1", stream=True),
            "unknown": refused(model="gpt-9"),
        }
    )
)
