// A finished transcript in the formats of OpenAI's transcription.
import type { Transcript } from '@trivium/contract';
import { cuesOf, toSrt, toVtt } from '@trivium/sdk';
import type { AskedTranscription } from './request.ts';

interface FormattedAnswer {
  type: string;
  text: string;
}

const json = 'application/json';
const plain = 'text/plain; charset=utf-8';

export function formatTranscript(
  transcript: Transcript,
  { format, granularities }: Pick<AskedTranscription, 'format' | 'granularities'>,
): FormattedAnswer {
  const { text, words = [] } = transcript;
  switch (format) {
    case 'json':
      return { type: json, text: JSON.stringify({ text, ...usageOf(transcript) }) };
    case 'verbose_json':
      return { type: json, text: JSON.stringify(verbose(transcript, granularities)) };
    case 'text':
      return { type: plain, text: `${text}\n` };
    case 'srt':
      return { type: plain, text: toSrt(words) };
    case 'vtt':
      return { type: plain, text: toVtt(words) };
  }
}

function verbose(transcript: Transcript, granularities: readonly string[]): object {
  const { text, language, duration_seconds, words = [] } = transcript;
  return {
    task: 'transcribe',
    language: languageName(language),
    duration: duration_seconds ?? words.at(-1)?.end ?? 0,
    text,
    ...(granularities.includes('segment') ? { segments: segmentsOf(transcript) } : {}),
    ...(granularities.includes('word')
      ? { words: words.map((word) => ({ word: word.text, start: word.start, end: word.end })) }
      : {}),
    ...usageOf(transcript),
  };
}

/** The values of Whisper's decoder that no provider reports are those of a certain segment. */
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

function usageOf({ duration_seconds: seconds }: Transcript): object {
  return seconds === undefined ? {} : { usage: { type: 'duration', seconds: Math.ceil(seconds) } };
}

const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

/** OpenAI writes the English name of the language, in small letters. */
function languageName(tag: string | undefined): string {
  const [base = ''] = (tag ?? '').split('-');
  return base === '' ? '' : (names.of(base) ?? base).toLowerCase();
}
