// Work that a speech vendor has accepted. Its id says everything about it, so that it is found
// even after a restart.
import type { World } from '../world.ts';
import { hear } from './recordings.ts';
import type { Recording } from './recordings.ts';

export type Work = {
  recording: string;
  model: string;
  diarize: boolean;
  language: string | null;
  failing: boolean;
  /** When it was accepted, in milliseconds. */
  at: number;
  /** Makes ids of equal requests different. */
  number: number;
};

export type Pace = {
  /**
   * How long any recording takes; without it a minute of audio takes about a second, an hour
   * three.
   */
  processing_ms?: number | undefined;
  /** The pause before a failed delivery is repeated. */
  retry_every_ms: number;
};

/** What a vendor accepted, for tests that count. */
export type Accepted = { mount: string; audio_url: string; token: string; at: string };

export function paceOf(world: World): Pace {
  return world.memory<Pace>('speech pace', () => ({ retry_every_ms: RETRY_EVERY_MS }));
}

/** Deliveries that wait to be tried again; each runs once, however often it is called. */
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
  const { recording, model, diarize, language, failing, at, number } = work;
  const parts = [recording, model, diarize ? 1 : 0, language ?? '', failing ? 1 : 0, at, number];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Undefined for an id that is none of ours. */
export function workOf(id: string): Work | undefined {
  try {
    const parts = JSON.parse(Buffer.from(id, 'base64url').toString()) as unknown;
    if (!Array.isArray(parts) || parts.length !== 7) return undefined;
    const [recording, model, diarize, language, failing, at, number] = parts as unknown[];
    if (typeof at !== 'number') return undefined;
    return {
      recording: String(recording),
      model: String(model),
      diarize: diarize === 1,
      language: language === '' ? null : String(language),
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
  return paceOf(world).processing_ms ?? Math.min(MOST_MS, LEAST_MS + duration * MS_PER_SECOND);
}

/** `queued` for a moment, then `running`, then over. */
export function stageOf(world: World, work: Work): 'queued' | 'running' | 'over' {
  const needed_ms = processingMs(world, work);
  const passed_ms = world.now().getTime() - work.at;
  if (passed_ms >= needed_ms) return 'over';
  return passed_ms < needed_ms / 4 ? 'queued' : 'running';
}

/** What comes of the work, or the reason why nothing does. */
export function outcomeOf(work: Work): Recording | { kind: 'failed' } {
  return work.failing ? { kind: 'failed' } : hear(work.recording);
}

const RETRY_EVERY_MS = 500;
const LEAST_MS = 600;
const MS_PER_SECOND = 8;
const MOST_MS = 3000;
