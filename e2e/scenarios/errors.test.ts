// How requests fail before any provider: one envelope, the right status, all faults at once.
import { expect } from 'bun:test';
import { endpoints } from '../endpoints.ts';
import { sharedGateway } from '../harness.ts';
import { ErrorAnswer, InvalidRequest } from '../shapes.ts';
import { scenario } from '../verifies.ts';

const gateway = sharedGateway();

const MAX_BODY_BYTES = 1024 * 1024;

scenario(
  'an unknown path is a 404 in the envelope, and so is an endpoint without its version',
  ['choice.404.unknown-path', 'versioning.prefix', 'errors.envelope', 'errors.types'],
  async () => {
    for (const path of ['/v1/nothing', '/v2/search', '/search', '/extract', '/v1/search/more']) {
      const answer = await gateway().post(path, { query: 'x' });
      expect([path, answer.status]).toEqual([path, 404]);
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('not_found');
    }
  },
);

scenario('a wrong verb is a 405 that names the right one', ['choice.405.wrong-verb'], async () => {
  for (const endpoint of endpoints) {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (method === endpoint.method) continue;
      const answer = await gateway().ask(method, endpoint.path);
      expect([method, endpoint.path, answer.status]).toEqual([method, endpoint.path, 405]);
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('invalid_request');
      expect(answer.headers.get('allow')?.split(/,\s*/)).toContain(endpoint.method);
    }
  }
});

scenario(
  'a body of 1 MiB is read and one byte more is a 413, whether or not its length was announced',
  ['choice.413.body-too-large'],
  async () => {
    const largest = JSON.stringify({ query: '' }).padEnd(MAX_BODY_BYTES);
    for (const send of [(text: string) => text, inPieces]) {
      const read = await gateway().post('/v1/search', send(largest));
      expect(read.status).toBe(400);
      const refused = await gateway().post('/v1/search', send(`${largest} `));
      expect(refused.status).toBe(413);
      expect(ErrorAnswer.parse(refused.body).error.type).toBe('invalid_request');
    }
  },
);

scenario(
  'a body that is not a JSON object, or does not claim to be JSON, is a 400',
  ['choice.400.not-json', 'errors.search.400', 'errors.extract.400', 'errors.transcription.400'],
  async () => {
    for (const { path, method, body } of endpoints) {
      if (method === 'GET') continue;
      for (const text of ['', '{', '{"query":', 'query=x', '[]', 'null', '"text"', '7']) {
        const answer = await gateway().post(path, text);
        expect([path, text, answer.status]).toEqual([path, text, 400]);
        expect(ErrorAnswer.parse(answer.body).error.type).toBe('invalid_request');
      }
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', null]) {
        const answer = await gateway().post(path, JSON.stringify(body), { 'content-type': type });
        expect([path, type, answer.status]).toEqual([path, type, 400]);
        expect(ErrorAnswer.parse(answer.body).error.type).toBe('invalid_request');
      }
    }
  },
);

scenario(
  'a content type with a character set is still JSON',
  ['errors.search.200', 'conventions.answers-are-json'],
  async () => {
    const answer = await gateway().post(
      '/v1/search',
      { query: 'solar energy storage', provider: 'engine_a' },
      { 'content-type': 'application/json; charset=utf-8' },
    );
    expect(answer.status).toBe(200);
    const refused = await gateway().post('/v1/search', {});
    for (const { headers } of [answer, refused]) {
      expect(headers.get('content-type')).toMatch(/^application\/json\b/);
    }
  },
);

scenario(
  'all faults of a request are named together, each with its path, a code and a sentence',
  [
    'requests.issues.shape',
    'requests.issues.dotted-path',
    'requests.issues.all-at-once',
    'errors.detail-validation',
    'errors.message-is-for-people',
  ],
  async () => {
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
    const { issues } = InvalidRequest.parse(answer.body).error.detail;
    expect(issues.map(({ path }) => path).toSorted()).toEqual([
      'colour',
      'content.html',
      'content.snippets.max_per_result',
      'include_domains.1',
      'locale.country',
      'max_results',
      'mode',
      'query',
    ]);
    const snippets = issues.find(({ path }) => path === 'content.snippets.max_per_result');
    expect(snippets?.code).toBe('too_small');
  },
);

scenario(
  'a malformed job id is a 400 and an unknown one a 404',
  ['errors.jobs.400', 'errors.jobs.404', 'jobs.malformed-id', 'jobs.unknown-id'],
  async () => {
    const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';
    const malformed = [uuid, 'job_1', `job_${uuid.toUpperCase()}`, `job_${uuid}0`, `srch_${uuid}`];
    for (const id of malformed) {
      const answer = await gateway().get(`/v1/jobs/${id}`);
      expect([id, answer.status]).toEqual([id, 400]);
      expect(ErrorAnswer.parse(answer.body).error.type).toBe('invalid_request');
    }
    const unknown = await gateway().get(`/v1/jobs/job_${uuid}`);
    expect(unknown.status).toBe(404);
    expect(ErrorAnswer.parse(unknown.body).error.type).toBe('not_found');
  },
);

scenario(
  'every response carries a request id of its own, whatever became of the request',
  ['choice.request-id', 'surface.healthz'],
  async () => {
    const { ask, get, post } = gateway();
    const health = await get('/healthz', { authorization: null });
    expect(health.status).toBe(200);
    const answers = [
      health,
      await post('/v1/search', { query: 'solar energy storage', provider: 'engine_a' }),
      await post('/v1/search', {}),
      await post('/v1/search', {}, { authorization: null }),
      await post('/v1/search', ' '.repeat(MAX_BODY_BYTES + 1)),
      await get('/v1/nothing'),
      await ask('DELETE', '/v1/search'),
      await get('/openapi.json'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400, 401, 413, 404, 405, 200]);
    const ids = answers.map(({ headers }) => headers.get('x-request-id') ?? '');
    expect(ids).not.toContain('');
    expect(new Set(ids).size).toBe(ids.length);
  },
);

/** A stream has no length to announce, so it travels in chunks. */
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
