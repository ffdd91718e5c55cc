// The metadata of a response, and iteration over the pages of a list.
import { describe, expect, test } from 'bun:test';
import { createAdminClient } from './admin.ts';
import { createClient } from './client.ts';
import { ApiError } from './errors.ts';
import { envelope, found, startStubGateway } from './stub-gateway.ts';
import type { StubGateway } from './stub-gateway.ts';

const clientOf = ({ url }: StubGateway) => createClient({ url, api_key: 'sk_live_test' });
const adminOf = ({ url }: StubGateway) => createAdminClient({ url, admin_token: 'operator' });
const refused = () => envelope(400, { type: 'invalid_request', message: 'No.' });
const page = (ids: readonly string[], next: string | null) => () =>
  Response.json({ transfers: ids.map((id) => ({ id })), next_cursor: next });

async function idsIn(list: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  return ids;
}

describe('withResponse', () => {
  test('returns the body with the request id, the status and whether it was replayed', async () => {
    const answers = [{}, { 'idempotent-replayed': 'true' }].map(
      (more) => () => Response.json(found, { headers: { 'x-request-id': 'req_7', ...more } }),
    );
    await using gateway = startStubGateway(answers);
    const { search } = clientOf(gateway);
    const first = await search({ query: 'x' }).withResponse();
    expect(first).toMatchObject({ data: found, request_id: 'req_7', status: 200, replayed: false });
    expect(first.headers.get('content-type')).toContain('application/json');
    expect((await search({ query: 'x' }).withResponse()).replayed).toBe(true);
  });

  test('sends one request, even if the outcome is read several times', async () => {
    await using gateway = startStubGateway([() => Response.json(found)]);
    const sent = clientOf(gateway).search({ query: 'x' });
    const [body, { data }] = await Promise.all([sent, sent.withResponse()]);
    expect(data).toBe(body);
    expect(gateway.requests).toHaveLength(1);
  });

  test('rejects like the call, and leaves no unhandled rejection', async () => {
    await using gateway = startStubGateway([refused]);
    const program = `
      import { createAdminClient, createClient } from '${import.meta.dir}/index.ts';
      process.on('unhandledRejection', () => process.exit(9));
      const options = { url: '${gateway.url}', api_key: 'k', admin_token: 't' };
      const search = createClient(options).search({ query: 'x' });
      await search.withResponse().catch((error) => console.log(error.status));
      const list = createAdminClient(options).transfers.list();
      try { for await (const _ of list) {} } catch (error) { console.log(error.status); }
      await new Promise((resolve) => setImmediate(resolve));`;
    const run = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' });
    expect(await new Response(run.stdout).text()).toBe('400\n400\n');
    expect(await run.exited).toBe(0);
  });
});

describe('a list', () => {
  test('is its first page when awaited, and every item when iterated over', async () => {
    const pages = [page(['a', 'b'], 'second'), page([], 'third'), page(['c'], null)];
    await using gateway = startStubGateway([...pages, ...pages]);
    const { transfers } = adminOf(gateway);
    expect(await idsIn(transfers.list({ kind: 'topup', limit: 2 }))).toEqual(['a', 'b', 'c']);
    expect(gateway.requests.map(({ path }) => path)).toEqual([
      '/admin/v1/transfers?kind=topup&limit=2',
      '/admin/v1/transfers?kind=topup&limit=2&cursor=second',
      '/admin/v1/transfers?kind=topup&limit=2&cursor=third',
    ]);
    expect((await transfers.list()).next_cursor).toBe('second');
    expect(gateway.requests).toHaveLength(4);
  });

  test('starts at the given cursor, and requests only the needed pages', async () => {
    await using gateway = startStubGateway([page(['a', 'b'], 'next')]);
    for await (const { id } of adminOf(gateway).transfers.list({ cursor: 'here' })) {
      expect(id).toBe('a');
      break;
    }
    expect(gateway.requests.map(({ path }) => path)).toEqual(['/admin/v1/transfers?cursor=here']);
  });

  test('of keys has one page', async () => {
    await using gateway = startStubGateway([() => Response.json({ keys: [{ id: 'k' }] })]);
    expect(await idsIn(adminOf(gateway).keys.list('acct_1'))).toEqual(['k']);
  });

  test('throws from the iteration when a later page fails', async () => {
    await using gateway = startStubGateway([page(['a'], 'second'), refused]);
    const seen: string[] = [];
    const iterated = (async () => {
      for await (const { id } of adminOf(gateway).transfers.list()) seen.push(id);
    })();
    expect(await iterated.catch((error: unknown) => error)).toBeInstanceOf(ApiError);
    expect(seen).toEqual(['a']);
  });

  test('whose cursor points back to the same page ends with an error', async () => {
    await using gateway = startStubGateway([page(['a'], 'same')]);
    expect(idsIn(adminOf(gateway).transfers.list())).rejects.toThrow('does not end');
  });
});

describe('a response that is not from a gateway', () => {
  test.each<[string, BodyInit]>([
    ['a page', '<html>Sign in</html>'],
    ['nothing', ''],
    ['null', 'null'],
    ['a number', '5'],
    ['a list', '[]'],
    ['another object', '{"id":1}'],
    ['lists of another type', JSON.stringify({ ...found, results: 'none' })],
    [
      'an object that inherits',
      '{"__proto__":{"id":"x","provider":"x","warnings":[],"results":[]}}',
    ],
  ])('is refused: %s', async (_what, body) => {
    await using gateway = startStubGateway([() => new Response(body)]);
    const error = await clientOf(gateway)
      .search({ query: 'x' })
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ApiError', type: 'unknown', status: 200 });
    expect(gateway.requests).toHaveLength(1);
  });
});
