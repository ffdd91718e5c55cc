// Looking up a submission in a vendor's records ends, whatever the vendor answers, and never leaves
// the vendor's own host.
import { expect, test } from 'bun:test';
import { providers } from '../src/providers/registry.ts';
import type { WireRequest } from '../src/providers/shared/wire-request.ts';
import type { Attempt } from '../src/providers/shared/transcribe-product.ts';

const submittedAt = new Date('2026-11-15T12:00:00Z');
const attempt: Attempt = {
  audio_url: 'https://recordings.example/interview.wav',
  ask: { model: 'any', timestamps: 'word' },
  options: {},
  token: 'job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d.1',
  callback: { url: 'https://gateway.example/callbacks', secret: 's' },
  submitted_at: submittedAt,
  extras: { DEEPGRAM_PROJECT_ID: 'p' },
};
/** More than any look-up needs. */
const manySteps = 1000;

/** The requests until the look-up ends; `answer` is the vendor. */
function asked(
  provider: 'stt_a' | 'stt_b',
  answer: (wire: WireRequest, step: number) => unknown,
): WireRequest[] {
  const product = providers[provider].transcribe;
  const wires: WireRequest[] = [];
  let step = product?.toLookup?.(attempt);
  while (step?.kind === 'ask' && wires.length < manySteps) {
    wires.push(step.wire);
    const body = answer(step.wire, wires.length);
    const reply = { status: 200, headers: new Headers(), text: '', body };
    step = product?.fromLookup?.(reply, step.state, attempt, submittedAt);
  }
  return wires;
}

const made = { id: 'other', created: '2026-11-15T12:00:01', audio_url: null };
const listings = (wires: readonly WireRequest[]) =>
  wires.filter(({ path }) => path === '/v2/transcript');

test('a listing that names the same older page again is followed once', () => {
  const prevUrl = 'https://api.assemblyai.com/v2/transcript?before_id=again';
  const wires = asked('stt_a', ({ path }) =>
    path === '/v2/transcript' ? { page_details: { prev_url: prevUrl }, transcripts: [made] } : made,
  );
  expect(listings(wires)).toHaveLength(2);
});

test('an endless listing is followed for a few pages', () => {
  const wires = asked('stt_a', ({ path }, step) => {
    const prevUrl = `https://api.assemblyai.com/v2/transcript?before_id=page${step}`;
    return path === '/v2/transcript'
      ? { page_details: { prev_url: prevUrl }, transcripts: [made] }
      : made;
  });
  expect(listings(wires)).toHaveLength(11);
  expect(wires.length).toBeLessThan(manySteps);
});

test.each([
  'https://attacker.example/steal?before_id=x1',
  '//attacker.example/steal?before_id=x1',
  'file:///etc/passwd?before_id=x1',
  'not an address',
  'https://api.assemblyai.com/v2/transcript?before_id=../../x',
  `https://api.assemblyai.com/v2/transcript?before_id=${'x'.repeat(101)}`,
])('an older page at %p is requested from the vendor itself, or not at all', (prevUrl) => {
  const wires = asked('stt_a', ({ path }) =>
    path === '/v2/transcript' ? { page_details: { prev_url: prevUrl }, transcripts: [made] } : made,
  );
  for (const { path, host, query } of wires) {
    expect(path).toMatch(/^\/v2\/transcript(?:\/other)?$/);
    expect(host).toBeUndefined();
    expect([undefined, 'x1']).toContain(query?.['before_id'] as string | undefined);
  }
  expect(listings(wires).length).toBeLessThanOrEqual(2);
});

test('an endless request log is followed for a few pages, and unreadable rows are ignored', () => {
  const row = { request_id: 'r', path: '/v1/listen?tag=%E0%A4%A', response: null };
  const requests = Array.from({ length: 1000 }, () => row);
  const wires = asked('stt_b', () => ({ requests }));
  expect(wires).toHaveLength(20);
});
