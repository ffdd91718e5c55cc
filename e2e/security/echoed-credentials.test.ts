// Providers that echo their credential in every field and encoding: it appears in no response, no
// log line and no file of the store.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { typedName } from '@trivium/contract';
import { providers } from '../../server/src/providers/registry.ts';
import { fixtureNames, readFixture } from '../../server/test/fixtures.ts';
import { startGatewayProcess } from '../harness.ts';
import type { GatewayProcess } from '../harness.ts';
import { startUpstream } from '../upstream.ts';
import type { Received, Upstream } from '../upstream.ts';
import { vendorSettings } from '../vendor-settings.ts';
import { waitFor } from '../wait-for.ts';

const first = 'sk-echo/4711+ABCdef==0123456789';
const second = 'second-credential-0123456789abcdef';
const adminToken = 'operator-token-of-this-test-0123456789';
/** Few enough failures that no circuit opens. */
const casesOfAProduct = 3;

type Recorded = { status: number; body: unknown };
type Fixture = { asked: object; keyless?: true; received: Recorded[]; delivered?: unknown[] };
type Answer = (request: Received) => Recorded;

const everything = Object.values(providers).map(({ id, ...products }) => ({
  id,
  vendor: typedName(id),
  tools: (['search', 'extract', 'transcribe'] as const).filter((tool) => products[tool]),
}));

function fixturesOf(vendor: string, tool: string): Fixture[] {
  return fixtureNames(`${vendor}.${tool}.`)
    .map((name) => readFixture(name) as Fixture)
    .filter(({ keyless, received }) => !keyless && received.length > 0);
}

/** Successful answers, refusals, and a 200 with an unreadable body. */
function casesOf(vendor: string, tool: string): { asked: object; received: Recorded[] }[] {
  const all = fixturesOf(vendor, tool);
  const good = all.filter(({ received }) => received.every(({ status }) => status < 300));
  const refused = all.filter(({ received }) => received[0] && received[0].status >= 400);
  const chosen = [...good.slice(0, casesOfAProduct), ...refused.slice(0, casesOfAProduct)];
  const [{ asked } = { asked: {} }] = chosen;
  const unreadable = { status: 200, body: { message: 'no answer', data: 'none', results: 'none' } };
  return [...chosen, { asked, received: [unreadable] }];
}

const escapeAll = (text: string) =>
  [...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const spellings = [
  (key: string) => JSON.stringify(key).slice(1, -1),
  (key: string) =>
    JSON.stringify(key).slice(1, -1).replaceAll('/', '\\/').replaceAll('+', '\\u002B'),
  escapeAll,
  encodeURIComponent,
  (key: string) => Buffer.from(`user:${key}`).toString('base64'),
];

/** Keeps the words that decide how an answer is parsed; adds credentials everywhere else. */
function echoing(body: unknown): string {
  let count = 0;
  const spelled = () => spellings[(count += 1) % spellings.length]?.(count % 2 ? first : second);
  const text = JSON.stringify(body, (_name, value: unknown) => {
    if (typeof value === 'string' && /^https?:/.test(value)) return `${value}?key=<ECHO>`;
    if (typeof value === 'string' && value.includes(' ')) return `${value} <ECHO>`;
    const object = typeof value === 'object' && value !== null && !Array.isArray(value);
    return object ? { ...value, 'echo <ECHO>': 'the credential was <ECHO>' } : value;
  });
  return text.replaceAll('<ECHO>', () => spelled() ?? '');
}

let answer: Answer = () => ({ status: 404, body: {} });
let upstream: Upstream;
let gateway: GatewayProcess;
const responses: string[] = [];

beforeAll(async () => {
  upstream = startUpstream((request) => {
    const { status, body } = answer(request);
    const text = body === '' ? first : echoing(body);
    const headers = { 'content-type': 'application/json', 'x-echo': `${first} ${second}` };
    return new Response(text, { status, headers });
  });
  const settings = Object.entries(vendorSettings(upstream.url)).map(([name, value]) =>
    name.endsWith('_API_KEY') ? [name, `${first},${second}`] : [name, value],
  );
  gateway = await startGatewayProcess({
    env: {
      ...(Object.fromEntries(settings) as Record<string, string>),
      TRIVIUM_SANDBOX: 'off',
      TRIVIUM_ADMIN_TOKEN: adminToken,
      TRIVIUM_PUBLIC_URL: 'https://gateway.example',
      LOG_LEVEL: 'trace',
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream[Symbol.asyncDispose]();
});

/** The credentials in a text, in any encoding and as a client decodes it. */
function leaks(text: string): string[] {
  const read = [text, text.replace(/\\u00(..)/g, (_all, hex: string) => `%${hex}`)];
  const plain = read.map((one) =>
    one
      .replace(/%([0-9a-f]{2})/gi, (_all, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      .replaceAll('\\/', '/'),
  );
  const base64 = (key: string) => Buffer.from(`user:${key}`).toString('base64').slice(8, -6);
  const secrets = [first, second, base64(first), base64(second)];
  return secrets.filter((secret) => [...read, ...plain].some((one) => one.includes(secret)));
}

async function ask(path: string, body: object, headers: Record<string, string> = {}) {
  const response = await gateway.post(path, body, headers);
  responses.push(response.text + JSON.stringify([...response.headers]));
  expect(leaks(responses.at(-1) ?? '')).toEqual([]);
  return response;
}

/** Returns the answers in order, then repeats the last one. */
function replay(received: readonly Recorded[]): void {
  let at = 0;
  answer = () => received[Math.min(at++, received.length - 1)] ?? { status: 500, body: {} };
}

for (const { id, vendor, tools } of everything) {
  for (const tool of tools.filter((one) => one !== 'transcribe')) {
    test(`${id} redacts an echoed credential in ${tool}`, async () => {
      const cases = casesOf(vendor, tool);
      expect(cases.length).toBeGreaterThan(2);
      let redacted = 0;
      for (const { asked, received } of cases) {
        replay(received);
        const before = upstream.received.length;
        const { text } = await ask(`/v1/${tool}`, { ...asked, provider: id });
        if (upstream.received.length > before && text.includes('[redacted]')) redacted += 1;
      }
      expect(redacted).toBeGreaterThan(1);
      await ask(`/admin/v1/providers/${id}/check`, {}, { authorization: `Bearer ${adminToken}` });
    });
  }
}

const audio = { audio_url: 'https://files.example.org/rec/9f1.mp3' };
const ends = {
  assemblyai: { status: 'error', id: 'a1', error: 'Download error, unable to download it.' },
  deepgram: { err_code: 'REMOTE_CONTENT_ERROR', err_msg: 'The remote server said no.' },
};

describe('a speech provider that echoes its credential', () => {
  const jobOf = async (id: string) => (await gateway.get(`/v1/jobs/${id}`)).body as Job;
  type Job = { status: string; error?: { message: string } };
  const untilFailed = async (id: string) => {
    const read = async () => {
      const job = await jobOf(id);
      expect(leaks(JSON.stringify(job))).toEqual([]);
      return job;
    };
    const job = await waitFor(read, {
      what: `${id} fails`,
      until: ({ status }) => status === 'failed',
    });
    expect(job.error?.message).toContain('[redacted]');
  };
  const submit = async (provider: string) => {
    const submitted = await ask('/v1/transcriptions', { ...audio, provider });
    return (submitted.body as { id: string }).id;
  };

  for (const { id, vendor, tools } of everything) {
    if (!tools.includes('transcribe')) continue;
    test(`${id} in a refusal`, async () => {
      const body =
        vendor === 'elevenlabs'
          ? {
              detail: {
                type: 'validation_error',
                code: 'invalid_parameters',
                message: 'It is bad.',
              },
            }
          : { error: 'It is bad.', err_code: 'Bad Request', err_msg: 'It is bad.' };
      replay([{ status: 400, body }]);
      await untilFailed(await submit(id));
      await ask(`/admin/v1/providers/${id}/check`, {}, { authorization: `Bearer ${adminToken}` });
    });
  }
  test('in the answer to a poll', async () => {
    answer = ({ method }) => ({
      status: 200,
      body: method === 'POST' ? { id: 'a1', status: 'queued' } : ends.assemblyai,
    });
    await untilFailed(await submit('stt_a'));
  });
  test('in a callback', async () => {
    let callback = '';
    answer = ({ query }) => {
      callback = query.get('callback') ?? callback;
      return { status: 200, body: { request_id: 'r1' } };
    };
    const id = await submit('stt_b');
    await waitFor(() => callback, { what: 'the vendor has the address for its callback' });
    const body = echoing({ ...ends.deepgram, request_id: 'r1' });
    await fetch(gateway.url + new URL(callback).pathname, { method: 'POST', body });
    await untilFailed(id);
  });
});

test('neither the log nor the store contains a credential', async () => {
  expect(responses.some((text) => text.includes('[redacted]'))).toBe(true);
  await gateway.stop();
  expect(leaks(gateway.output())).toEqual([]);
  const files = readdirSync(gateway.data_dir, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFileSync(join(file.parentPath, file.name), 'latin1'));
  expect(texts.join('').length).toBeGreaterThan(100_000);
  expect(leaks(texts.join('\n'))).toEqual([]);
  expect(texts.join('')).toContain('[redacted]');
});
