// Requests that fail before any provider is called: one envelope, one status, all errors at once.
import { test } from 'bun:test';
import manifest from '../../package.json' with { type: 'json' };
import { endpoints } from '../endpoints.ts';
import { sharedGateway } from '../harness.ts';
import { ErrorAnswer, InvalidRequest } from '../shapes.ts';
import { expect, proves } from '../proves.ts';

const gateway = sharedGateway();

const maxBodyBytes = 1024 * 1024;

test('an unknown path gives a 404, and so does an endpoint without its version', async () => {
  for (const path of ['/v1/nothing', '/v3/search', '/search', '/v1/search/more']) {
    const answer = await gateway().post(path, { query: 'x' });
    proves('choice.404.unknown-path', () => {
      expect([path, answer.status]).toEqual([path, 404]);
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('not_found');
    });
    proves(['errors.envelope', 'errors.types'], () =>
      expect(ErrorAnswer.safeParse(answer.body).error).toBeUndefined(),
    );
  }
  for (const { method, path, body } of endpoints) {
    expect(path).toStartWith('/v1/');
    const versioned = await gateway().ask(method, path, body, { authorization: null });
    const bare = await gateway().ask(method, path.slice('/v1'.length), body);
    proves('versioning.prefix', () =>
      expect([path, versioned.status, bare.status]).toEqual([path, 401, 404]),
    );
  }
});

test('a wrong method gives a 405 that names the allowed method', async () => {
  for (const endpoint of endpoints) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (method === endpoint.method) continue;
      const answer = await gateway().ask(method, endpoint.path);
      proves('choice.405.wrong-verb', () => {
        expect([method, endpoint.path, answer.status]).toEqual([method, endpoint.path, 405]);
        expect(ErrorAnswer.parse(answer.body).error.type).toBe('invalid_request');
        expect(answer.headers.get('allow')?.split(/,\s*/)).toContain(endpoint.method);
      });
    }
  }
});

test('a body of 1 MiB is read and one byte more gives a 413, also when chunked', async () => {
  const largest = JSON.stringify({ query: '' }).padEnd(maxBodyBytes);
  for (const send of [(text: string) => text, inPieces]) {
    const read = await gateway().post('/v1/search', send(largest));
    await proves('choice.413.body-too-large', async () => {
      expect(read.status).toBe(400);
      const refused = await gateway().post('/v1/search', send(`${largest} `));
      expect(refused.status).toBe(413);
      expect(ErrorAnswer.parse(refused.body).error.type).toBe('invalid_request');
    });
  }
});

/** And objects that are not a request: nested deep, with numbers out of range, for the prototype. */
const notJson = [
  ...['', '{', '{"query":', 'query=x', '[]', 'null', '"text"', '7', '\u0000'.repeat(100)],
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
  `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  '{"query":"a","max_results":1e999}',
  `{"query":"a","max_results":${'9'.repeat(1000)}}`,
  '{"query":"a","__proto__":{"max_results":3}}',
  '{"query":"a","constructor":{"prototype":{"a":1}}}',
  '{"query":"a"}{"query":"b"}',
  Buffer.from([0x22, 0xff, 0xfe, 0x22]).toString('latin1'),
];

test('a body that is not a JSON object, or has another content type, gives a 400', async () => {
  for (const { path, method, body } of endpoints) {
    if (method === 'GET') continue;
    for (const text of notJson) {
      const answer = await gateway().post(path, text);
      proves(
        [
          'choice.400.not-json',
          'errors.search.400',
          'errors.extract.400',
          'errors.transcription.400',
        ],
        () => {
          expect([path, text.slice(0, 20), answer.status]).toEqual([path, text.slice(0, 20), 400]);
          expect(ErrorAnswer.parse(answer.body).error.type).toBe('invalid_request');
        },
      );
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', null]) {
      const answer = await gateway().post(path, JSON.stringify(body), { 'content-type': type });
      proves('choice.400.not-json', () => {
        expect([path, type, answer.status]).toEqual([path, type, 400]);
        expect(ErrorAnswer.parse(answer.body).error.type).toBe('invalid_request');
      });
    }
  }
});

test('a content type with a character set is still JSON', async () => {
  const answer = await gateway().post(
    '/v1/search',
    { query: 'solar energy storage', provider: 'engine_a' },
    { 'content-type': 'application/json; charset=utf-8' },
  );
  proves('errors.search.200', () => expect(answer.status).toBe(200));
});

test('all errors of a request are reported together, each with its path', async () => {
  const answer = await gateway().post('/v1/search', {
    query: '',
    max_results: 101,
    mode: 'quick',
    include_domains: ['example.org', ''],
    content: { snippets: { max_per_result: 0 }, html: true },
    locale: { country: 'DEU' },
    colour: 'blue',
  });
  expect(answer.status).toBe(400);
  const { message, detail } = InvalidRequest.parse(answer.body).error;
  const { issues } = detail;
  proves('errors.message-is-for-people', () => {
    for (const text of [message, ...issues.map((issue) => issue.message)]) {
      expect(text).toMatch(/^[A-Z`"'\w].*\w+ \w+/s);
    }
  });
  proves(['requests.issues.shape', 'errors.detail-validation'], () => {
    for (const issue of issues) {
      expect(Object.keys(issue).toSorted()).toEqual(['code', 'message', 'path']);
    }
  });
  proves(['requests.issues.dotted-path', 'requests.issues.all-at-once'], () =>
    expect(issues.map(({ path }) => path).toSorted()).toEqual([
      'colour',
      'content.html',
      'content.snippets.max_per_result',
      'include_domains.1',
      'locale.country',
      'max_results',
      'mode',
      'query',
    ]),
  );
  const snippets = issues.find(({ path }) => path === 'content.snippets.max_per_result');
  expect(snippets?.code).toBe('too_small');
});

test('a malformed job id gives a 400 and an unknown one a 404', async () => {
  const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
  const malformed = [uuid, 'job_1', `job_${uuid.toUpperCase()}`, `job_${uuid}0`, `srch_${uuid}`];
  for (const id of malformed) {
    const answer = await gateway().get(`/v1/jobs/${id}`);
    proves(['errors.jobs.400', 'jobs.malformed-id'], () => {
      expect([id, answer.status]).toEqual([id, 400]);
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('invalid_request');
    });
  }
  const unknown = await gateway().get(`/v1/jobs/job_${uuid}`);
  proves(['errors.jobs.404', 'jobs.unknown-id'], () => {
    expect(unknown.status).toBe(404);
    expect(ErrorAnswer.parse(unknown.body).error.type).toBe('not_found');
  });
});

test('every response has a unique request id, with any status', async () => {
  const { ask, get, post } = gateway();
  const health = await get('/healthz', { authorization: null });
  proves('surface.healthz', () => {
    expect(health.status).toBe(200);
    expect(health.body).toEqual({ status: 'ok', version: manifest.version, mode: 'sandbox' });
  });
  const answers = [
    health,
    await post('/v1/search', { query: 'solar energy storage', provider: 'engine_a' }),
    await post('/v1/search', {}),
    await post('/v1/search', {}, { authorization: null }),
    await post('/v1/search', ' '.repeat(maxBodyBytes + 1)),
    await get('/v1/nothing'),
    await ask('DELETE', '/v1/search'),
    await get('/openapi.json'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 401, 413, 404, 405, 200]);
  const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
  proves('choice.request-id', () => {
    expect(ids).not.toContain('');
    expect(new Set(ids).size).toBe(ids.length);
  });
});

/** A stream has no known length, so it is sent in chunks. */
function inPieces(text: string): ReadableStream<Uint8Array> {
  const half = Math.floor(text.length / 2);
  return new ReadableStream({
    start(controller) {
      const encoder = new TextEncoder();
      controller.enqueue(encoder.encode(text.slice(0, half)));
      controller.enqueue(encoder.encode(text.slice(half)));
      controller.close();
    },
  });
}
