// A finished transcript in the formats of OpenAI's transcription API.
import type { Transcript } from '@trivium/contract';
import { cuesOf, toSrt, toVtt } from '@trivium/sdk';
import type { AskedTranscription } from './request.ts';

const json = 'application/json';
const plain = 'text/plain; charset=utf-8';

export function formatTranscript(
  transcript: Transcript,
  { format, granularities }: Pick<AskedTranscription, 'format' | 'granularities'>,
) {
  const { text, words = [] } = transcript;
  switch (format) {
    case 'json':
      return { type: json, text: JSON.stringify({ text, ...usageOf(transcript) }) };
    case 'verbose_json':
      return { type: json, text: JSON.stringify(verbose(transcript, granularities)) };
    case 'diarized_json':
      return { type: json, text: JSON.stringify(diarized(transcript)) };
    case 'text':
      return { type: plain, text: `${text}\n` };
    case 'srt':
      return { type: plain, text: toSrt(words) };
    case 'vtt':
      return { type: plain, text: toVtt(words) };
  }
}

function verbose(transcript: Transcript, granularities: readonly string[]): object {
  const { text, language, words = [] } = transcript;
  return {
    task: 'transcribe',
    language: languageName(language),
    duration: durationOf(transcript),
    text,
    ...(granularities.includes('segment') ? { segments: segmentsOf(transcript) } : {}),
    ...(granularities.includes('word')
      ? { words: words.map((word) => ({ word: word.text, start: word.start, end: word.end })) }
      : {}),
    ...usageOf(transcript),
  };
}

function diarized(transcript: Transcript): object {
  const { text, words = [] } = transcript;
  return {
    task: 'transcribe',
    duration: durationOf(transcript),
    text,
    segments: turnsOf(words)
      .flatMap(([speaker, spoken]) =>
        cuesOf(spoken).map(({ start, end, text: said }) => ({ speaker, start, end, text: said })),
      )
      .map((segment, at) => ({ type: 'transcript.text.segment', id: `seg_${at}`, ...segment })),
    ...usageOf(transcript),
  };
}

type Words = NonNullable<Transcript['words']>;

/** Groups the words by speaker: A, B, … in the order in which they first speak. */
function turnsOf(words: Words): [speaker: string, words: Words][] {
  const labels = new Map<string, string>();
  const turns: [string, Words][] = [];
  for (const word of words) {
    const id = word.speaker_id ?? '';
    const label = labels.get(id) ?? speakerLabel(labels.size);
    labels.set(id, label);
    const last = turns.at(-1);
    if (last?.[0] === label) last[1].push(word);
    else turns.push([label, [word]]);
  }
  return turns;
}

/** A to Z, then A1 to Z1 and so on. */
function speakerLabel(index: number): string {
  const letter = String.fromCodePoint(65 + (index % 26));
  return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`;
}

/** No provider reports the values of Whisper: these are of a certain segment. */
function segmentsOf({ words = [] }: Transcript): object[] {
  return cuesOf(words).map(({ start, end, text }, id) => ({
    id,
    seek: Math.round(start * seeksPerSecond),
    start,
    end,
    text,
    tokens: [],
    temperature: 0,
    avg_logprob: 0,
    compression_ratio: 1,
    no_speech_prob: 0,
  }));
}

const seeksPerSecond = 100;

function durationOf({ duration_seconds, words = [] }: Transcript): number {
  return duration_seconds ?? words.at(-1)?.end ?? 0;
}

function usageOf({ duration_seconds: seconds }: Transcript): object {
  return seconds === undefined ? {} : { usage: { type: 'duration', seconds: Math.ceil(seconds) } };
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** OpenAI uses the English name of the language, in lower case. */
function languageName(tag: string | undefined): string {
  const [base = ''] = (tag ?? '').split('-');
  return base === '' ? '' : (names.of(base) ?? base).toLowerCase();
}
