// A transcription that a speech vendor accepted. Its id encodes everything, so that it is found
// even after a restart.
import type { ReceivedFile } from '../received-file.ts';
import type { World } from '../world.ts';
import { hear } from './recordings.ts';
import type { Recording } from './recordings.ts';

export type Work = {
  recording: string;
  model: string;
  diarize: boolean;
  language: string | null;
  /** Each channel is transcribed separately; the first speaker is on the first channel. */
  split?: boolean;
  failing: boolean;
  /** When it was accepted, in milliseconds. */
  at: number;
  /** Makes the ids of equal requests unique. */
  number: number;
};

type SpeechSpeed = {
  /**
   * How long every recording takes. By default, a minute of audio takes about one second, and an
   * hour about three.
   */
  processing_ms?: number | undefined;
  /** The pause before a failed callback is retried. */
  retry_every_ms: number;
};

/** What a vendor accepted, for tests that count submissions and compare the bytes. */
export type Accepted = {
  mount: string;
  /** Null when the submission carried the file. */
  audio_url: string | null;
  token: string;
  at: string;
  file: ReceivedFile | null;
};

export function paceOf(world: World): SpeechSpeed {
  return world.memory<SpeechSpeed>('speech speed', () => ({ retry_every_ms: retryEveryMs }));
}

/** Callbacks that wait for a retry; each runs once, however often it is called. */
export function retriesIn(world: World): Set<() => Promise<void>> {
  return world.memory('speech retries', () => new Set<() => Promise<void>>());
}

export function acceptedIn(world: World): Accepted[] {
  return world.memory<Accepted[]>('speech accepted', () => []);
}

export function nextNumber(world: World): number {
  const counter = world.memory('speech counter', () => ({ count: 0 }));
  counter.count += 1;
  return counter.count;
}

export function idOf(work: Work): string {
  const { recording, model, diarize, language, split = false, failing, at, number } = work;
  const flags = [diarize ? 1 : 0, language ?? '', failing ? 1 : 0];
  const parts = [recording, model, ...flags, at, number, split ? 1 : 0];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Undefined for an unknown id. */
export function workOf(id: string): Work | undefined {
  try {
    const parts = JSON.parse(Buffer.from(id, 'base64url').toString()) as unknown;
    if (!Array.isArray(parts) || parts.length < 7 || parts.length > 8) return undefined;
    const [recording, model, diarize, language, failing, at, number, split] = parts as unknown[];
    if (typeof at !== 'number') return undefined;
    return {
      recording: String(recording),
      model: String(model),
      diarize: diarize === 1,
      language: language === '' ? null : String(language),
      split: split === 1,
      failing: failing === 1,
      at,
      number: Number(number),
    };
  } catch {
    return undefined;
  }
}

export function processingMs(world: World, work: Work): number {
  const recording = hear(work.recording);
  const duration = recording.kind === 'audio' ? recording.duration : 0;
  return paceOf(world).processing_ms ?? Math.min(maxMs, leastMs + duration * msPerSecond);
}

/** `queued` for a moment, then `running`, then finished. */
export function stageOf(world: World, work: Work): 'queued' | 'running' | 'over' {
  const neededMs = processingMs(world, work);
  const passedMs = world.now().getTime() - work.at;
  if (passedMs >= neededMs) return 'over';
  return passedMs < neededMs / 4 ? 'queued' : 'running';
}

/** The result of the work, or the reason for its failure. */
export function outcomeOf(work: Work): Recording | { kind: 'failed' } {
  return work.failing ? { kind: 'failed' } : hear(work.recording);
}

/** The speech on each of the two channels of a split recording. */
export function channelsOf(heard: Extract<Recording, { kind: 'audio' }>) {
  return [0, 1].map((channel) => {
    const words = heard.words.filter(({ speaker }) => speaker === channel);
    return { channel, words, text: words.map(({ text }) => text).join(' ') };
  });
}

const retryEveryMs = 500;
const leastMs = 600;
const msPerSecond = 8;
const maxMs = 3000;
