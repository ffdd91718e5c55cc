// What each speech provider's answer to a submission means, status by status: whether it may be
// sent again, has failed, or must be looked up.
import { describe, test } from 'bun:test';
import { type TranscriberId, transcriberIds } from '@trivium/contract';
import { expect, proves } from '../../e2e/proves.ts';
import type { Submission } from '../src/transcription/core/submission.ts';
import { providers } from '../src/providers/registry.ts';
import type { Attempt } from '../src/providers/shared/transcribe-product.ts';

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

const attempt: Attempt = {
  audio_url: 'https://x.example/a.wav',
  ask: { model: 'any', timestamps: 'word' },
  options: {},
  token: 'job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d.1',
  callback: { url: 'https://gateway.example/callbacks/x', secret: 's' },
  submitted_at: new Date(0),
  extras: {},
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
