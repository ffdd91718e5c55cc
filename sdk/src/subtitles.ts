// Subtitles from timed words, in the two formats that players read.
import type { Word } from '@trivium/contract';

export interface Cue {
  start: number;
  end: number;
  text: string;
  speaker_id?: string | undefined;
}

export function toSrt(words: readonly Word[]): string {
  const blocks = cuesOf(words).map((cue, index) => {
    const said = cue.speaker_id === undefined ? cue.text : `${cue.speaker_id}: ${cue.text}`;
    // The format has no escapes, and players take any line with this arrow as the times of a cue.
    const text = oneLine(said).replaceAll('-->', '→');
    return `${index + 1}\n${timestamp(cue.start, ',')} --> ${timestamp(cue.end, ',')}\n${text}\n`;
  });
  return blocks.join('\n');
}

export function toVtt(words: readonly Word[]): string {
  const blocks = cuesOf(words).map((cue) => {
    const said = escaped(cue.text);
    const text = cue.speaker_id === undefined ? said : `<v ${escaped(cue.speaker_id)}>${said}`;
    return `${timestamp(cue.start, '.')} --> ${timestamp(cue.end, '.')}\n${text}\n`;
  });
  return ['WEBVTT\n', ...blocks].join('\n');
}

/** A line break in the text could end its cue and begin another one. */
function oneLine(text: string): string {
  return text.replaceAll(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
}

function escaped(text: string): string {
  const line = oneLine(text).replaceAll('&', '&amp;');
  return line.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A cue ends when the line is full, a sentence ends, the speaker changes, or after a silence. */
export function cuesOf(words: readonly Word[]): Cue[] {
  const cues: Cue[] = [];
  for (const word of words) {
    const last = cues.at(-1);
    if (last !== undefined && fitsCue(last, word)) {
      last.text += ` ${word.text}`;
      last.end = Math.max(last.end, word.end);
    } else {
      const { text, start, end, speaker_id } = word;
      cues.push({ text, start, end, speaker_id });
    }
  }
  return cues;
}

const maxCueChars = 80;
const maxCueSeconds = 6;
const maxSilenceSeconds = 1;

function fitsCue(cue: Cue, word: Word): boolean {
  return (
    cue.speaker_id === word.speaker_id &&
    cue.text.length + 1 + word.text.length <= maxCueChars &&
    word.end - cue.start <= maxCueSeconds &&
    word.start - cue.end <= maxSilenceSeconds &&
    !/[.!?…。！？]$/.test(cue.text)
  );
}

function timestamp(seconds: number, mark: ',' | '.'): string {
  const ms = Math.round(seconds * 1000);
  const part = (value: number, digits: number) => String(value).padStart(digits, '0');
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60];
  const clock = [hours, minutes, Math.floor(ms / 1000) % 60].map((value) => part(value, 2));
  return `${clock.join(':')}${mark}${part(ms % 1000, 3)}`;
}
