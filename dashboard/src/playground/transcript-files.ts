// A transcript as files: plain text with its speakers, and subtitles.
import { toSrt, toVtt } from '@trivium/sdk';
import type { Transcript, Word } from '@trivium/contract';
import { clockTime } from '../format.ts';

interface Turn {
  speaker: string | undefined;
  words: Word[];
}

interface TranscriptFile {
  title: string;
  name: string;
  type: string;
  text: () => string;
}

/** Subtitles need the times of the words. */
export function filesOf(transcript: Transcript): TranscriptFile[] {
  const words = transcript.words ?? [];
  const text = { title: 'Text', name: 'transcript.txt', type: 'text/plain' };
  if (words.length === 0) return [{ ...text, text: () => `${transcript.text}\n` }];
  return [
    { ...text, text: () => plainText(words) },
    { title: 'SRT', name: 'transcript.srt', type: 'text/plain', text: () => toSrt(words) },
    { title: 'VTT', name: 'transcript.vtt', type: 'text/vtt', text: () => toVtt(words) },
  ];
}

export function turnsOf(words: readonly Word[]): Turn[] {
  const turns: Turn[] = [];
  for (const word of words) {
    const last = turns.at(-1);
    if (last && last.speaker === word.speaker_id) last.words.push(word);
    else turns.push({ speaker: word.speaker_id, words: [word] });
  }
  return turns;
}

export function numberOf(speaker: string): number {
  return Number(speaker.replace(/\D/g, ''));
}

export function nameOf(speaker: string): string {
  return `Speaker ${numberOf(speaker) + 1}`;
}

function plainText(words: readonly Word[]): string {
  const lines = turnsOf(words).map(({ speaker, words: said }) => {
    const text = said.map((word) => word.text).join(' ');
    const time = clockTime(said[0]?.start ?? 0);
    return speaker === undefined ? text : `${nameOf(speaker)} (${time}): ${text}`;
  });
  return `${lines.join('\n\n')}\n`;
}
