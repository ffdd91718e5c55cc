// The packed SDK in every supported environment: Node, Bun, Deno, a browser, and a type checker.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { providerIds, type UsageReport } from '@trivium/contract';
import type { Browser } from 'playwright-core';
import { browserTest, hasBrowser, launchChromium, openContext, visit } from '../browser/visit.ts';
import { Webhook } from 'standardwebhooks';
import { freePort } from '../free-port.ts';
import { sharedGateway } from '../harness.ts';
import { makeWav } from '../uploads/recordings.ts';
import { packSdk, root } from './packed-sdk.ts';
import type { PackedSdk } from './packed-sdk.ts';

let sdk: PackedSdk;
let browser: Browser | undefined;
// A site whose origin may use the gateway, and one whose origin may not.
const site = serveSite();
const otherSite = serveSite();
const gateway = sharedGateway({ env: { TRIVIUM_CORS_ORIGINS: site.url.origin } });

beforeAll(async () => {
  [sdk, browser] = await Promise.all([packSdk(), hasBrowser ? launchChromium() : undefined]);
  for (const name of ['ai', 'zod']) {
    await symlink(join(root, 'node_modules', name), join(sdk.project, 'node_modules', name));
  }
  await writeFile(join(sdk.project, 'program.mjs'), program);
  await writeFile(join(sdk.project, 'program.cjs'), commonJsProgram);
});
afterAll(async () => {
  await Promise.all([sdk.remove(), browser?.close(), site.stop(true), otherSite.stop(true)]);
  closing.stop(true);
});

function openNewContext() {
  if (browser === undefined) throw new Error('The browser exists only while tests run.');
  return openContext(browser);
}

const signedAt = new Date('2026-11-16T12:00:00Z');
const webhook = {
  secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  body: '{"type":"job.completed"}',
  now_ms: signedAt.getTime(),
  headers: {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(signedAt.getTime() / 1000),
    'webhook-signature': '',
  },
};
webhook.headers['webhook-signature'] = new Webhook(webhook.secret).sign(
  'msg_1',
  signedAt,
  webhook.body,
);

const uploadBytes = 2000;
const wav = Buffer.from(makeWav(uploadBytes)).toString('base64');

/** The same in every runtime: each function once, the warnings, an error, the states of a job. */
const tour = `
async function tour({ createClient, InvalidRequestError, toSrt, verifyWebhook }, url, apiKey) {
  const warned = [];
  const onWarning = ({ param }) => warned.push(param);
  const trivium = createClient({ url, apiKey, onWarning });
  const found = await trivium.search({ query: 'solar energy storage', maxResults: 2, offset: 1 });
  const named = await trivium.search({ query: 'wind', provider: 'tavily' });
  const sent = [];
  const bytes = Uint8Array.from(atob('${wav}'), (letter) => letter.charCodeAt(0));
  const recording = new Blob([bytes]).stream();
  const upload = await trivium.uploads.create(recording, { onProgress: (n) => sent.push(n) });
  await trivium.uploads.delete(upload.id);
  const { results: pages } = await trivium.extract({ urls: [found.results[0].url] });
  const audio_url = 'https://recordings.example/interview.wav';
  const { id } = await trivium.transcribe({ audio_url });
  const seen = [];
  const onProgress = ({ status }) => seen.push(status);
  const { result } = await trivium.jobs.wait(id, { onProgress, pollMs: 50 });
  const job = await trivium.jobs.get(id);
  const { balance_usd } = await trivium.balance();
  const { providers } = await trivium.providers();
  const refused = await trivium.search({ query: '' }).catch((error) => error);
  const once = { idempotencyKey: crypto.randomUUID() };
  const first = await trivium.search({ query: 'wind' }, once).withResponse();
  const again = await trivium.search({ query: 'wind' }, once).withResponse();
  const event = await verifyWebhook(${JSON.stringify(webhook)});
  return {
    provider: found.provider,
    named: named.provider,
    sent: [sent.at(-1), upload.bytes],
    warned,
    pages: pages.length,
    last_seen: seen.at(-1),
    same_job: job.result.text === result.text,
    subtitled: toSrt(result.words).startsWith('1\\n00:00:0'),
    spent: balance_usd < 10,
    providers: providers.length,
    refused: [refused instanceof InvalidRequestError, refused.status, refused.type],
    replayed: [first.replayed, again.replayed, first.request_id !== again.request_id],
    event: event.payload,
  };
}`;
const body = `${tour}
const failures = {};
for (const [name, url] of Object.entries(JSON.parse(process.env.BROKEN))) {
  const broken = sdk.createClient({ url, max_retries: 0 });
  failures[name] = await broken.balance().catch(({ failure }) => failure);
}
// Without options, address and key are those of the environment.
console.log(JSON.stringify({ ...(await tour(sdk)), failures }));
`;
const program = `import * as sdk from '@trivium/sdk';
${body}`;
const commonJsProgram = `const sdk = require('@trivium/sdk');
(async () => {${body}})();
`;
const toured = {
  provider: 'engine_a',
  named: 'engine_c',
  sent: [uploadBytes, uploadBytes],
  warned: ['offset'],
  pages: 1,
  last_seen: 'completed',
  same_job: true,
  subtitled: true,
  spent: true,
  providers: providerIds.length,
  refused: [true, 400, 'invalid_request'],
  replayed: [false, true, true],
  event: { type: 'job.completed' },
};
const hosts = '127.0.0.1,no-such-host.invalid';
/** A server that closes every connection. */
const closing = Bun.listen({
  hostname: '127.0.0.1',
  port: 0,
  socket: { open: (socket) => void socket.end(), data: () => {} },
});
const broken = () => ({
  refused: `http://127.0.0.1:${freePort()}`,
  dns: 'http://no-such-host.invalid',
  // A server that does not speak TLS.
  tls: gateway().url.replace('http:', 'https:'),
  closed: `http://127.0.0.1:${closing.port}`,
});
const reaching = () => ({ TRIVIUM_URL: gateway().url, TRIVIUM_API_KEY: gateway().key });
const deno = join(root, 'node_modules', 'deno', 'bin.cjs');

test.concurrent.each([
  ['Node', ['node', 'program.mjs']],
  // As in Node 20, where `require` loads no ES modules.
  ['Node with require', ['node', '--no-experimental-require-module', 'program.cjs']],
  ['Bun', [process.execPath, 'program.mjs']],
  [
    'Deno',
    ['node', deno, 'run', '--no-remote', '--allow-env', `--allow-net=${hosts}`, 'program.mjs'],
  ],
])('%s runs the installed package against a gateway', async (_name, runtime) => {
  const BROKEN = JSON.stringify(broken());
  const env = {
    ...reaching(),
    BROKEN,
    DENO_DIR: join(sdk.project, 'deno'),
    DENO_NO_UPDATE_CHECK: '1',
  };
  const printed = await sdk.run(runtime, env);
  const failures = { refused: 'refused', dns: 'dns', tls: 'tls', closed: 'closed' };
  expect(JSON.parse(printed)).toEqual({ ...toured, failures });
});

browserTest('a browser runs it on a page of another origin that the operator allows', async () => {
  await using ada = await visit(await openNewContext());
  expect(await tourIn(ada.page, site.url.origin)).toEqual(toured);
  // The one refusal in the program is intended; browsers log each.
  expect(ada.complaints.filter((line) => !line.includes('status of 400'))).toEqual([]);
});

browserTest('a browser blocks a page of any other origin', async () => {
  await using eve = await visit(await openNewContext());
  const keptOut = await tourIn(eve.page, otherSite.url.origin).catch(String);
  expect(keptOut).toContain('cannot be reached');
});

describe('the example', () => {
  const example = (path: string) => join(root, 'examples', path);

  test.concurrent('agent answers with its sources and its cost', async () => {
    await addExample('agent');
    const printed = await sdk.run(['node', 'agent/agent.mjs'], reaching());
    expect(printed).toMatch(/^- .+: https:\/\//m);
    expect(printed).toMatch(/^1 tool call\(s\), 0\.\d+ USD$/m);
  });

  test.concurrent('transcription-archive transcribes a folder, and pays once', async () => {
    await addExample('transcription-archive');
    const recordings = join(sdk.project, 'recordings');
    await mkdir(recordings);
    for (const seed of [1, 2]) {
      await writeFile(join(recordings, `talk-${seed}.wav`), makeWav(uploadBytes, seed));
    }
    await writeFile(join(recordings, 'notes.md'), '# Notes');
    const command = ['node', 'transcription-archive/archive.mjs', 'recordings', 'archive'];
    expect(await sdk.run(command, reaching())).toMatch(/^talk-2\.wav: .* USD$/m);
    const files = [...new Bun.Glob('*').scanSync(join(sdk.project, 'archive'))].toSorted();
    const made = [1, 2].flatMap((seed) =>
      ['json', 'srt', 'txt'].map((end) => `talk-${seed}.${end}`),
    );
    expect(files).toEqual(made);
    const tagged = '/v1/usage?by=tag:program&format=json';
    const used = async () => {
      const { usage } = (await gateway().get(tagged)).body as UsageReport;
      return usage.find(({ group }) => group === 'transcription-archive');
    };
    const paid = await used();
    expect(paid?.cost_usd).toBeGreaterThan(0);
    const again = await sdk.run(command, reaching());
    expect(again.match(/already there/g)).toHaveLength(2);
    expect((await used())?.cost_usd).toBe(paid?.cost_usd ?? 0);
  });

  test.concurrent('webhook-receiver handles an event of the gateway once', async () => {
    await addExample('webhook-receiver');
    const { secret } = webhook;
    const child = Bun.spawn(['node', 'webhook-receiver/receiver.mjs'], {
      cwd: sdk.project,
      env: { PATH: process.env['PATH'], PORT: '0', WEBHOOK_SECRET: secret },
      stdout: 'pipe',
      stderr: 'inherit',
    });
    try {
      const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      const [url = ''] = /http:\S+/.exec((await lines.read()).value ?? '') ?? [];
      const send = (headers: Record<string, string>, body: string) =>
        fetch(url, { method: 'POST', headers, body });
      const body = JSON.stringify({ type: 'job.completed', data: { id: 'job_1' } });
      const at = new Date();
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
      };
      const statuses = [
        (await send(headers, body)).status,
        (await send(headers, body)).status,
        (await send(headers, '{}')).status,
        (await send({}, body)).status,
      ];
      expect(statuses).toEqual([204, 204, 401, 401]);
      child.kill();
      let said = '';
      for (let part = await lines.read(); !part.done; part = await lines.read()) said += part.value;
      expect(said).toBe('job job_1 completed: \n');
    } finally {
      child.kill();
      await child.exited;
    }
  });

  /** A program is copied, so that it finds the installed package and none of this project. */
  async function addExample(name: string): Promise<void> {
    await cp(example(name), join(sdk.project, name), { recursive: true });
  }
});

test.concurrent('the installed command searches under Node', async () => {
  const command = join('node_modules', '.bin', 'trivium');
  const printed = await sdk.run([command, 'search', 'solar'], reaching());
  expect(JSON.parse(printed)).toMatchObject({ provider: 'engine_a' });
});

test.concurrent('under Node the installed command times out despite garbage collection', async () => {
  const silent = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Promise<Response>(() => {}),
  });
  const collecting = 'data:text/javascript,setInterval(() => gc(), 50).unref()';
  const node = ['node', '--expose-gc', '--import', collecting];
  const command = join('node_modules', '@trivium', 'sdk', 'cli.js');
  const health = [...node, command, 'health', '--url', silent.url.origin];
  expect(await sdk.run(health).catch(String)).toContain('no response within');
  await silent.stop(true);
});

test.concurrent('the installed command runs no script of the surrounding project', async () => {
  await mkdir(join(sdk.project, 'scripts'));
  await writeFile(join(sdk.project, 'scripts', 'run.mjs'), "process.stdout.write('started');");
  const command = join('node_modules', '.bin', 'trivium');
  const refused = await sdk.run([command, 'serve']).catch(String);
  expect(refused).toContain('Only the client is installed here.');
});

test.concurrent('the declarations compile under strict checking without any other package', async () => {
  await writeFile(
    join(sdk.project, 'typed.mts'),
    `import { createAdminClient, createClient, type SearchResponse } from '@trivium/sdk';
const trivium = createClient({ api_key: 'sk_live_x' });
export const found: Promise<SearchResponse> = trivium.search({ query: 'x', provider: 'fusion' });
export const replayed: Promise<boolean> = trivium
  .search({ query: 'x' })
  .withResponse()
  .then((response) => response.replayed);
export async function spent(): Promise<number> {
  let sum = 0;
  for await (const line of createAdminClient().transfers.list({ limit: 500 })) sum += line.amount_usd;
  return sum;
}
export const titles: Promise<(string | null)[]> = found.then((f) => f.results.map((r) => r.title));
const admin = createAdminClient();
// @ts-expect-error an engine that does not exist
void trivium.search({ query: 'x', provider: 'engine_z' });
void trivium.search({ query: 'x', provider: 'tavily', provider_options: { exa: { a: 1 } } });
void trivium.search({ query: 'x', maxResults: 2, safe_search: 'off' });
void trivium.transcribe({ audioUrl: 'x', provider: 'deepgram' });
// @ts-expect-error a vendor of another tool
void trivium.search({ query: 'x', provider: 'deepgram' });
// @ts-expect-error a misspelt parameter
void trivium.search({ query: 'x', maxResult: 2 });
// @ts-expect-error a value of the wrong type
void trivium.search({ query: 'x', maxResults: '2' });
// @ts-expect-error a misspelt option
void trivium.search({ query: 'x' }, { maxCost: 1 });
// @ts-expect-error a misspelt filter
void admin.requests.list({ acount_id: 'x' });
// @ts-expect-error a kind that does not exist
void admin.transfers.list({ kind: 'gift' });
// @ts-expect-error a filter of another list
void trivium.jobs.list({ kind: 'topup' });
// @ts-expect-error without the account that it needs
void admin.overview({ span: '7d' });
// @ts-expect-error a request of another tool
void trivium.estimate('extract', { query: 'x' });
`,
  );
  await writeFile(
    join(sdk.project, 'typed.cts'),
    `import sdk = require('@trivium/sdk');
export const found: Promise<sdk.SearchResponse> = sdk.createClient().search({
  query: 'x',
  maxResults: 2,
  provider: 'tavily',
});
// @ts-expect-error a filter that does not exist
void sdk.createAdminClient().requests.list({ acount_id: 'x' });
`,
  );
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false'];
  const target = ['--module', 'nodenext', '--target', 'es2023', '--lib', 'es2023,dom'];
  expect(await sdk.run(['node', tsc, ...flags, ...target, 'typed.mts', 'typed.cts'])).toBe('');
});

test('the package has no dependencies and contains no tests', async () => {
  const manifest = (await Bun.file(join(sdk.folder, 'package.json')).json()) as object;
  expect(Object.keys(manifest)).not.toContain('dependencies');
  const files = [...new Bun.Glob('**').scanSync({ cwd: sdk.folder })];
  expect(files.filter((file) => /test|stand-in/.test(file))).toEqual([]);
});

function serveSite() {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) =>
      new URL(request.url).pathname === '/sdk.js'
        ? new Response(Bun.file(join(sdk.folder, 'index.js')))
        : new Response('<!doctype html><link rel="icon" href="data:,">', {
            headers: { 'content-type': 'text/html' },
          }),
  });
}

async function tourIn(page: Awaited<ReturnType<typeof visit>>['page'], origin: string) {
  await page.goto(origin);
  const { url, key } = gateway();
  const given = JSON.stringify([url, key]);
  return page.evaluate(`(async () => {
    ${tour}
    return tour(await import('/sdk.js'), ...${given});
  })()`);
}
