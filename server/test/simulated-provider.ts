// A speech provider for simulations, on AssemblyAI's wire: accepts, refuses, drops and fails as
// chance has it, and remembers.
import type { Outgoing, Sent } from '../src/platform/http.ts';

export interface SimulatedProvider {
  send: (outgoing: Outgoing) => Sent;
  /** Tokens of what was accepted, one entry for each acceptance. */
  accepted: () => { token: string; succeeds: boolean }[];
  /** From now on everything works. */
  calm: () => void;
}

interface Transcript {
  id: string;
  token: string;
  webhook_url: string;
  audio_url: string;
  created: number;
  ready_at: number;
  succeeds: boolean;
}

const page_size = 200;

export function simulateProvider(chance: () => number, now: () => number): SimulatedProvider {
  const made: Transcript[] = [];
  let calm = false;
  const accept = (body: { webhook_url: string; audio_url: string }): Transcript => {
    const [, token = ''] = /(job_[0-9a-f-]{36}\.\d+)\./.exec(body.webhook_url) ?? [];
    const transcript = {
      ...body,
      id: `t${made.length}`,
      token,
      created: now(),
      ready_at: now() + chance() * 60_000,
      succeeds: chance() < 0.8,
    };
    made.push(transcript);
    return transcript;
  };
  const submit = (outgoing: Outgoing): Sent => {
    const roll = calm ? 1 : chance();
    const body = JSON.parse(String(outgoing.body)) as { webhook_url: string; audio_url: string };
    if (roll < 0.1) return { ok: false, failure: 'unreachable', message: 'refused' };
    if (roll < 0.2) return answer(429, { error: 'Too Many Requests' });
    if (roll < 0.25) return answer(400, { error: 'bad audio' });
    if (roll < 0.35) return { ok: false, failure: 'uncertain', message: 'reset' };
    if (roll < 0.4) return answer(500, { error: 'Server error' });
    const { id } = accept(body);
    if (roll < 0.5) return { ok: false, failure: 'timed_out', message: 'no answer' };
    if (roll < 0.55) return answer(502, 'bad gateway');
    if (roll < 0.6) return answer(200, '{"id":');
    return answer(200, { id, status: 'queued' });
  };
  const ask = (url: URL): Sent => {
    if (!calm && chance() < 0.2) return answer(503, '');
    const [, id] = /\/v2\/transcript\/(.+)$/.exec(url.pathname) ?? [];
    if (id === undefined) return answer(200, listing(made));
    const found = made.find((one) => one.id === id);
    if (!found) return answer(400, { error: 'Transcript lookup error, transcript id not found' });
    return answer(200, describe(found, now()));
  };
  return {
    send: (outgoing) =>
      outgoing.method === 'POST' ? submit(outgoing) : ask(new URL(outgoing.url)),
    accepted: () => made.map(({ token, succeeds }) => ({ token, succeeds })),
    calm: () => {
      calm = true;
    },
  };
}

function answer(status: number, body: unknown): Sent {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { ok: true, status, headers: new Headers(), text };
}

function listing(made: readonly Transcript[]): object {
  const transcripts = made
    .toReversed()
    .slice(0, page_size)
    .map(({ id, audio_url, created }) => ({
      id,
      audio_url,
      created: new Date(created).toISOString().replace('Z', ''),
    }));
  return { page_details: { prev_url: null }, transcripts };
}

function describe({ id, webhook_url, ready_at, succeeds }: Transcript, now: number): object {
  const status = now < ready_at ? 'processing' : succeeds ? 'completed' : 'error';
  return {
    id,
    webhook_url,
    status,
    error: status === 'error' ? 'Server error' : null,
    text: status === 'completed' ? 'hello' : null,
    audio_duration: 60,
    words: [],
  };
}
