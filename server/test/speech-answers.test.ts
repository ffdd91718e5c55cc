// What speech providers answer: what the status of a submission means, which error a failed job has, and
// that looking up a submission ends and stays on the host of the vendor.
import { describe, test } from 'bun:test';
import { providers } from '../src/providers/registry.ts';
import type { WireRequest } from '../src/providers/shared/wire-request.ts';
import type { Attempt } from '../src/providers/shared/transcribe-product.ts';
import { providerNames, type TranscriberId, transcriberIds, typedName } from '@trivium/contract';
import type { Failure, Submission } from '../src/transcription/core/submission.ts';
import { fixtureNames, readFixture } from './fixtures.ts';
import { expect, proves } from '../../e2e/proves.ts';

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

type Report = { kind: string; failure?: Failure };

const cases: [TranscriberId, Failure['type'][]][] = [
  ['stt_a', ['audio_unreachable', 'provider_error', 'result_lost']],
  ['stt_b', ['audio_unreachable', 'provider_error', 'result_lost']],
  ['stt_c', ['audio_unreachable', 'provider_error']],
];

test.each(cases)('the error of %s has its neutral id', (by, types) => {
  const failures = fixtureNames(`${typedName(by)}.transcribe.`).flatMap((file) =>
    (readFixture(file).answered as Report[]).flatMap(({ failure }) => failure ?? []),
  );
  for (const { message } of failures) {
    expect(message).toStartWith(`${by} `);
    expect(message).not.toContain(providerNames[by]);
  }
  expect([...new Set(failures.map(({ type }) => type))].toSorted()).toEqual(types);
});

type Table = Record<'refused' | 'failed' | 'unknown', readonly number[]> & { accepted: object };

const serverErrors = [500, 501, 502, 503, 504, 520, 529];
const notAnAnswer = [301, 302, 304];

const tables: Record<TranscriberId, Table> = {
  stt_a: {
    refused: [429],
    failed: [400, 401, 402, 403, 404, 413, 422],
    unknown: [408, ...serverErrors, ...notAnAnswer],
    accepted: { id: 'given', status: 'queued' },
  },
  stt_b: {
    refused: [429],
    failed: [400, 401, 402, 403, 404, 411, 413, 414, 415, 422],
    unknown: [408, 499, ...serverErrors, ...notAnAnswer],
    accepted: { request_id: 'given' },
  },
  stt_c: {
    refused: [429],
    failed: [400, 401, 402, 403, 404, 422],
    unknown: [408, 409, ...serverErrors, ...notAnAnswer],
    accepted: { message: 'accepted', request_id: 'r', transcription_id: 'given' },
  },
};

function outcomeOf(id: TranscriberId, status: number, text: string, headers = {}): Submission {
  const { transcribe } = providers[id];
  if (!transcribe) throw new Error(`${id} transcribes nothing`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return transcribe.fromSubmit({ status, headers: new Headers(headers), text, body }, attempt);
}

describe.each([...transcriberIds])('%s', (id) => {
  const table = tables[id];
  const statuses = (['refused', 'failed', 'unknown'] as const).flatMap((kind) =>
    table[kind].map((status): [number, string] => [status, kind]),
  );

  test.each(statuses)('a submission answered with %i is %s, whatever the body', (status, kind) => {
    proves('jobs.submit.status-table', () => {
      for (const text of ['', '<html>', '{}', JSON.stringify(table.accepted)]) {
        expect(outcomeOf(id, status, text).kind).toBe(kind as Submission['kind']);
      }
    });
  });

  test.each([200, 201, 202])(
    'a submission answered with %i is accepted under the id in the answer',
    (ok) => {
      const outcome = outcomeOf(id, ok, JSON.stringify(table.accepted));
      expect(outcome).toEqual({ kind: 'accepted', provider_job_id: 'given' });
    },
  );

  test('an unreadable success may be a success, so it is looked up', () => {
    for (const text of ['', '<html>', '{}', '{"id":', 'null', '[]']) {
      expect(outcomeOf(id, 200, text).kind).toBe('unknown');
    }
  });

  test('a Retry-After is honoured, and a failure keeps the status', () => {
    const busy = outcomeOf(id, 429, '{}', { 'retry-after': '7' });
    expect(busy).toMatchObject({ kind: 'refused', retry_after_ms: 7000 });
    const failed = outcomeOf(id, 402, '{}');
    expect(failed).toMatchObject({ kind: 'failed', failure: { provider_status: 402 } });
  });
});
