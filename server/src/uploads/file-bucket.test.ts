// Stores that do not speak S3 as they should: every operation ends with an error that repeats
// nothing of what the store said.
import { afterAll, describe, expect, test } from 'bun:test';
import { openFileBucket } from './file-bucket.ts';
import { FilesUnavailable } from './file-store.ts';

const secret = 'secret-of-the-bucket-4711';
const mib = 1024 * 1024;
const bytes = new Uint8Array(1000).fill(7);
let answer: (request: Request) => Response | Promise<Response>;
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: async (request) => {
    await request.arrayBuffer();
    return answer(request);
  },
});
afterAll(() => server.stop(true));
const files = openFileBucket(
  {
    endpoint: server.url.origin,
    bucket: 'recordings',
    prefix: 'trivium/',
    access_key_id: 'access-of-the-bucket-4711',
    secret_access_key: secret,
  },
  { answerMs: 300, partMs: 300 },
);

test('a signed address has the region of the bucket, and the token of its session', () => {
  const access = { access_key_id: 'access', secret_access_key: 'secret' };
  const settings = { bucket: 'recordings', prefix: '', ...access };
  const { sign } = openFileBucket({ ...settings, region: 'eu-test-1', session_token: 'token-1' });
  expect(sign?.('upl_1', 60)).toMatch(/eu-test-1.*token-1|token-1.*eu-test-1/);
});

const error = (code: string, message = 'no') =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
const never = Promise.withResolvers<Response>();
const liars: [string, (request: Request) => Response | Promise<Response>][] = [
  ['answers errors with status 200', () => new Response(error('InternalError'))],
  ['is never available', () => new Response(error('SlowDown'), { status: 503 })],
  ['never answers', () => never.promise],
  ['answers nonsense', () => new Response('<<<&', { status: 500 })],
  [
    'repeats credentials',
    ({ headers }) =>
      new Response(error(secret, `${secret} ${headers.get('authorization')}`), { status: 403 }),
  ],
];

describe.each(liars)('a store that %s', (_name, lie) => {
  test.each([1000, 6 * mib])('stores no file of %d bytes', async (size) => {
    answer = lie;
    const failure = await failureOf(async () => {
      const writer = await files.create('upl_1', 'audio/wav');
      await writer.write(new Uint8Array(size));
      await writer.finish();
    });
    expect(failure.message).not.toContain('4711');
  });

  test('fails or finds nothing when it is asked', async () => {
    answer = lie;
    const found = await files.find('upl_1').catch((trouble: unknown) => trouble);
    if (found instanceof Error) {
      expect(found).toBeInstanceOf(FilesUnavailable);
      expect(found.message).not.toContain('4711');
    }
    const listed = await Array.fromAsync(files.list()).catch((trouble: unknown) => trouble);
    if (listed instanceof Error) expect(listed.message).not.toContain('4711');
    else expect((listed as unknown[]).flat()).toEqual([]);
  });
});

test('files are listed in pages', async () => {
  const page = (name: string, hasMore: boolean) =>
    new Response(`<?xml version="1.0"?><ListBucketResult><IsTruncated>${hasMore}</IsTruncated>
      <Contents><Key>trivium/${name}</Key><LastModified>2026-11-15T12:00:00.000Z</LastModified>
      </Contents></ListBucketResult>`);
  answer = ({ url }) =>
    /start-after=.*upl_1/.test(url) ? page('upl_2', false) : page('upl_1', true);
  const modifiedAt = Date.UTC(2026, 10, 15, 12);
  const listed = (await Array.fromAsync(files.list())).flat();
  expect(listed).toEqual(['upl_1', 'upl_2'].map((name) => ({ name, modifiedAt })));
});

describe('a store that sends', () => {
  const head = (size: number) => (request: Request) =>
    request.method === 'HEAD'
      ? new Response(null, { headers: { 'content-length': String(size) } })
      : new Response(bytes);

  test.each([
    ['less than it has', 2000],
    ['more than it has', 500],
  ])('%s is noticed', async (_name, size) => {
    answer = head(size);
    const found = await files.find('upl_1');
    expect(found?.bytes).toBe(size);
    await failureOf(async () => new Response(found?.stream()).bytes());
  });

  test('the whole file for a part of it is noticed', async () => {
    answer = head(1000);
    const found = await files.find('upl_1');
    await failureOf(async () => new Response(found?.read(10, 20)).bytes());
  });

  test('what it has is read', async () => {
    answer = head(1000);
    const found = await files.find('upl_1');
    expect(await new Response(found?.stream()).bytes()).toEqual(bytes);
  });
});

describe('uploads in parts that were not completed', () => {
  const list = (uploads: string, more = false) =>
    `<ListMultipartUploadsResult>${uploads}<IsTruncated>${more}</IsTruncated>` +
    '</ListMultipartUploadsResult>';
  const one = (key: string, id = 'id', at = '2026-01-01T00:00:00.000Z') =>
    `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${at}</Initiated></Upload>`;

  test('are listed in pages and aborted by signed requests', async () => {
    const asked: string[] = [];
    answer = ({ method, url, headers }) => {
      expect(headers.get('authorization')).toStartWith('AWS4-HMAC-SHA256 Credential=access-of');
      const { pathname, searchParams } = new URL(url);
      asked.push(`${method} ${pathname} ${searchParams.get('key-marker')}`);
      if (method === 'DELETE') return new Response(null, { status: 204 });
      const isFirst = !searchParams.has('key-marker');
      return new Response(
        isFirst ? list(one('trivium/a&amp;b'), true) : list(one('trivium/c') + one('other/d')),
      );
    };
    const found = (await Array.fromAsync(files.listUnfinished?.() ?? [])).flat();
    expect(found.map(({ name }) => name)).toEqual(['a&b', 'c']);
    for (const unfinished of found) await unfinished.delete();
    expect(asked).toEqual([
      'GET /recordings null',
      'GET /recordings trivium/a&b',
      'DELETE /recordings/trivium/a%26b null',
      'DELETE /recordings/trivium/c null',
    ]);
  });

  test.each([
    ['no list', 'hello'],
    ['an error', error('AccessDenied')],
    ['an upload without a time', list(one('trivium/a', 'id', 'yesterday'))],
    ['an upload without an id', list(one('trivium/a').replaceAll('UploadId', 'Id'))],
    ['an upload without a key', list(one('trivium/a').replaceAll('Key', 'Name'))],
    ['an upload without an end', list('<Upload>'.repeat(300_000))],
    ['the same page for ever', list(one('trivium/a'), true)],
  ])('with %s as the answer end in time', async (what, text) => {
    answer = () => new Response(text);
    const pages = await Array.fromAsync(files.listUnfinished?.() ?? []);
    expect(pages.length).toBeLessThanOrEqual(20);
    expect(pages.flat().length > 0).toBe(what === 'the same page for ever');
  });

  test('are not listed by a store that cannot; the error repeats nothing', async () => {
    answer = () => new Response(error('NotImplemented', secret), { status: 501 });
    const failure = await Array.fromAsync(files.listUnfinished?.() ?? []).catch(
      (trouble: unknown) => trouble as Error,
    );
    expect(failure).toBeInstanceOf(Error);
    expect((failure as Error).message).toBe('the bucket answered 501');
  });
});

async function failureOf(work: () => Promise<unknown>): Promise<Error> {
  const failure = await work().then(
    () => undefined,
    (trouble: unknown) => trouble,
  );
  expect(failure).toBeInstanceOf(FilesUnavailable);
  return failure as Error;
}
