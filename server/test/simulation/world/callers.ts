// The callers: each acts for itself and remembers what it asked and what it was answered.
import fc from 'fast-check';
import { hostile } from '../../../../e2e/fuzz-values.ts';
import { pick } from './plan.ts';
import type { CallerKind, Plan } from './plan.ts';
import type { Life } from './scheduler.ts';
import { burst, drain } from './shared/rush.ts';
import { adminToken } from './world.ts';
import type { Answer, Ask, Body, World } from './world.ts';

/** One thing that a caller wants, however often it asks for it. */
export interface Wish {
  id: string;
  kind:
    | 'search'
    | 'cached'
    | 'extract'
    | 'transcribe'
    | 'topup'
    | 'refund'
    | 'adjust'
    | 'balance'
    | 'change'
    | 'upload'
    | 'other';
  caller: CallerKind;
  account: number;
  /** The `Idempotency-Key` of all tries; absent, there is one try. */
  key?: string;
  amount?: number;
  /** Of a search or an extraction that names no provider of its own: `engine_a`. */
  provider?: string;
  /** The request that is refunded. */
  of?: string;
  /** What an operator changes. */
  change?: Change;
  /** Its key does not work any more. */
  isForbidden?: boolean;
  /** It is sent with this key, and not with the usual one of its account. */
  secret?: string;
  tries: Try[];
  /** An upload that its caller has asked to delete. */
  isDeleted?: boolean;
  /** What is transcribed, if it was uploaded before. */
  upload?: { id: string; audio_url: string };
  /** A transcription in OpenAI's shape, with its recording. */
  isForm?: boolean;
  /** Of a transcription. */
  jobId?: string;
  job?: Answer;
}

/** What an operator asks for. */
export interface Change {
  path: string;
  method: 'POST' | 'PATCH' | 'DELETE';
  body?: object;
  /** Searches of the account are allowed from then on, or not. */
  allowsSearch?: boolean;
  /** The cap of the capped key from then on. */
  cap?: number;
}

export interface Try {
  calledAt: number;
  returnedAt: number;
  answer?: Answer;
}

export interface Tenant {
  accountId: string;
  key: string;
  keyId: string;
  /** Another key of the account, with a daily cap. */
  capped: { key: string; keyId: string };
}

interface Caller {
  world: World;
  life: Life;
  kind: CallerKind;
  /** Its place among all callers. */
  at: number;
  account: number;
  tenant: Tenant;
  wishes: Wish[];
  isOver: () => boolean;
}

/** Starts all callers of the plan; each ends its last wish after `isOver`. */
export function startCallers(
  world: World,
  plan: Plan,
  tenants: readonly Tenant[],
  wishes: Wish[],
  isOver: () => boolean,
): { running: () => number } {
  let running = 0;
  for (const [at, kind] of plan.callers.entries()) {
    const life = world.makeLife(`${kind} ${at}`);
    const account = at % 3 === 2 ? 1 : 0;
    const caller = {
      world,
      life,
      kind,
      at,
      account,
      tenant: tenants[account] as Tenant,
      wishes,
      isOver,
    };
    running += 1;
    world.scheduler.after(world.random() * 1000, life, () => {
      void act(caller).finally(() => {
        running -= 1;
      });
    });
  }
  return { running: () => running };
}

/** How many answers of each account are asked for again. */
const replays = 3;

/**
 * After a night one caller of each account asks again for what was answered before, if it is still
 * stored, then for something new, and reads the balance, in which nothing is held.
 */
export function startMorning(
  world: World,
  tenants: readonly Tenant[],
  wishes: Wish[],
  isStored: boolean,
): { running: () => number } {
  let running = tenants.length;
  for (const [account, tenant] of tenants.entries()) {
    const life = world.makeLife(`morning ${account}`);
    const caller: Caller = {
      ...{ world, life, kind: 'morning', at: account, account, tenant, wishes },
      isOver: () => true,
    };
    const work = async () => {
      const answered = wishes.filter(
        (one) => one.account === account && one.key !== undefined && answeredTry(one),
      );
      for (const wish of isStored ? answered.slice(0, replays) : []) await insist(caller, wish);
      await insist(caller, keyed(begin(caller, 'search')));
      await turns.reader(caller);
    };
    world.scheduler.after(0, life, () => {
      void work().finally(() => {
        running -= 1;
      });
    });
  }
  return { running: () => running };
}

async function act(caller: Caller): Promise<void> {
  const { world, life, kind } = caller;
  while (!caller.isOver()) {
    if (kind !== 'morning') await turns[kind](caller);
    // Some come in bursts, some take their time.
    const pauseMs = world.random() < 0.3 ? world.random() * 20 : world.random() * 3000;
    await world.sleep(life, kind === 'occupier' ? 5 : pauseMs);
  }
}

const turns: Readonly<Record<Exclude<CallerKind, 'morning'>, (caller: Caller) => Promise<void>>> = {
  honest: async (caller) => {
    const wish = begin(caller, 'search');
    await ask(caller, wish, searchOf(wish));
  },
  retrying: (caller) => insist(caller, keyed(begin(caller, 'search'))),
  impatient: async (caller) => {
    const wish = begin(caller, 'search');
    const patienceMs = caller.world.random() * 600;
    if (caller.world.random() < 0.5) return insist(caller, keyed(wish), patienceMs);
    await ask(caller, wish, { ...searchOf(wish), patienceMs });
  },
  hostile: async (caller) => {
    const wish = begin(caller, 'other');
    await ask(caller, wish, hostileBy(caller.world.random));
  },
  cached: async (caller) => {
    const wish = begin(caller, 'cached');
    const query = `cached ${Math.floor(caller.world.random() * 4)}`;
    const headers = { 'x-trivium-cache': '20' };
    await ask(caller, wish, { path: '/v1/search', key: '', body: { query }, headers });
  },
  reader: async (caller) => {
    const wish = begin(caller, 'balance');
    await ask(caller, wish, { path: '/v1/balance', key: '' });
    if (caller.world.random() > 0.2) return;
    const path = pick(caller.world.random, ['/v1/usage', '/v1/jobs', '/v1/providers']);
    await ask(caller, begin(caller, 'other'), { path, key: '' });
  },
  agent: async (caller) => {
    const wish = begin(caller, 'search');
    const query = subjectOf(wish);
    if (caller.world.random() < 0.5) {
      const body = { query, max_results: 3 };
      return void (await ask(caller, wish, { path: '/compat/tavily/search', key: '', body }));
    }
    const call = { name: 'search', arguments: { query } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const headers = { accept: 'application/json, text/event-stream' };
    await ask(caller, wish, { path: '/mcp', key: '', body, headers });
  },
  capped: async (caller) => {
    const wish = begin(caller, 'search');
    wish.secret = caller.tenant.capped.key;
    if (caller.world.random() < 0.5) return insist(caller, keyed(wish));
    await ask(caller, wish, searchOf(wish));
  },
  manager: manage,
  extractor: async (caller) => {
    const wish = keyed(begin(caller, 'extract'));
    await insist(caller, wish);
  },
  burster: async (caller) => {
    const count = 2 + Math.floor(caller.world.random() * 10);
    const wishes = Array.from({ length: count }, () => begin(caller, 'search'));
    await Promise.all(wishes.map((wish) => ask(caller, wish, searchOf(wish))));
  },
  occupier: async (caller) => {
    const wish = begin(caller, 'search');
    // Each stays with one of them, so that all have a long queue of each account.
    wish.provider = engines[Math.floor(caller.at / 3) % 3] ?? 'engine_a';
    await ask(caller, wish, searchOf(wish));
  },
  rusher: (caller) => burst(inRush(caller)),
  drainer: (caller) => drain(inRush(caller)),
  submitter: (caller) => insist(caller, keyed(begin(caller, 'transcribe'))),
  waiter: async (caller) => {
    const wish = keyed(begin(caller, 'extract'));
    wish.provider = 'auto';
    await insist(caller, wish, caller.world.random() < 0.5 ? 20_000 : undefined);
  },
  transcriber: async (caller) => {
    const { world } = caller;
    const count = !world.shared && world.random() < 0.3 ? 4 : 1;
    const wishes = Array.from({ length: count }, () => keyed(begin(caller, 'transcribe')));
    await Promise.all(
      wishes.map(async (wish) => {
        await insist(caller, wish);
        await followJob(caller, wish);
      }),
    );
  },
  uploader: async (caller) => {
    const { world } = caller;
    const upload = await uploadOne(caller);
    if (!upload) return;
    if (world.random() < 0.2) return removeUpload(caller, upload);
    const wish = keyed(begin(caller, 'transcribe'));
    wish.upload = upload;
    await insist(caller, wish);
    await followJob(caller, wish);
  },
  openai: async (caller) => {
    const { world } = caller;
    if (world.random() < 0.2) {
      await ask(caller, begin(caller, 'other'), { path: '/v1/models', key: '' });
    }
    const wish = keyed(begin(caller, 'transcribe'));
    wish.isForm = true;
    await insist(caller, wish, world.random() < 0.4 ? 10_000 : undefined);
    const jobId = jobIdIn(wish.tries.at(-1)?.answer);
    if (jobId !== undefined) wish.jobId = jobId;
  },
  operator: async (caller) => {
    const { world, wishes } = caller;
    const wish = begin(caller, 'topup');
    if (world.random() < 0.2) return refundOne(caller, wish);
    if (world.random() < 0.5) {
      wish.amount = 1000 * (1 + Math.floor(world.random() * 60));
      return insist(caller, keyed(wish));
    }
    wish.kind = 'other';
    const path = pick(world.random, [
      `/admin/v1/overview`,
      `/admin/v1/requests?limit=5`,
      `/admin/v1/books`,
      `/admin/v1/transfers?limit=5`,
      `/admin/v1/jobs?limit=5`,
    ]);
    await ask(caller, wish, { path, key: adminToken });
    void wishes;
  },
};

/** What those in a rush do. */
function inRush(caller: Caller): Parameters<typeof burst>[0] {
  const { world, life, isOver } = caller;
  return {
    ...{ world, life, isOver },
    spend: async (kind, patienceMs) => {
      const wish = begin(caller, kind);
      const patience = patienceMs === undefined ? {} : { patienceMs };
      await ask(caller, wish, { ...requestOf(caller, wish), ...patience });
    },
    readBalance: () => ask(caller, begin(caller, 'balance'), { path: '/v1/balance', key: '' }),
    move: async (kind, amount) => {
      const wish = keyed(begin(caller, kind));
      wish.amount = amount;
      await insist(caller, wish);
      return wish.tries.at(-1)?.answer;
    },
  };
}

/** Changes what others rely on while they work, one thing at a time. */
async function manage(caller: Caller): Promise<void> {
  const { world, tenant } = caller;
  const { accountId, keyId, capped } = tenant;
  const roll = world.random();
  if (roll < 0.2) {
    const cap = pick(world.random, [0, 20_000, 50_000, 200_000]);
    const body = { daily_cap_usd: cap / 1_000_000 };
    const path = `/admin/v1/keys/${capped.keyId}`;
    return void (await change(caller, { path, method: 'PATCH', body, cap }));
  }
  if (roll < 0.4) {
    const allowsSearch = world.random() < 0.6;
    const body = { providers: allowsSearch ? null : ['stt_a', 'stt_b', 'stt_c'] };
    const path = `/admin/v1/accounts/${accountId}`;
    return void (await change(caller, { path, method: 'PATCH', body, allowsSearch }));
  }
  if (roll < 0.55) {
    const body = { overlap_hours: 1 };
    const path = `/admin/v1/keys/${keyId}/rotate`;
    const made = await change(caller, { path, method: 'POST', body });
    if (made) tenant.key = String(made['key']);
    return;
  }
  if (roll < 0.75) return makeAndRevoke(caller);
  const wish = begin(caller, 'adjust');
  wish.amount = -1000 * (1 + Math.floor(world.random() * 20));
  await insist(caller, keyed(wish));
}

/** A key works once it is made, and not once it is revoked. */
async function makeAndRevoke(caller: Caller): Promise<void> {
  const path = `/admin/v1/accounts/${caller.tenant.accountId}/keys`;
  const made = await change(caller, { path, method: 'POST', body: { name: 'for a while' } });
  if (!made) return;
  const use = async (kind: 'balance' | 'revoked') => {
    const wish = begin(caller, kind === 'balance' ? kind : 'other');
    wish.secret = String(made['key']);
    await ask(caller, wish, { path: '/v1/balance', key: '' });
    return wish;
  };
  await use('balance');
  const revoked = await change(caller, {
    path: `/admin/v1/keys/${String(made['id'])}`,
    method: 'DELETE',
  });
  if (!revoked) return;
  (await use('revoked')).isForbidden = true;
}

/** The answer, once the change is acknowledged. */
async function change(caller: Caller, made: Change): Promise<Body | undefined> {
  const wish = keyed(begin(caller, 'change'));
  wish.change = made;
  await insist(caller, wish);
  const answer = wish.tries.at(-1)?.answer;
  return answer?.kind === 'answer' && answer.status < 300 ? answer.body : undefined;
}

const engines = ['engine_a', 'engine_c', 'engine_f'];

/** Gives back what a search of this account has cost, once. */
async function refundOne(caller: Caller, wish: Wish): Promise<void> {
  const { wishes, account, world } = caller;
  const paid = wishes.filter(
    (one) =>
      one.kind === 'search' && one.account === account && costOf(one) > 0 && one.id !== wish.id,
  );
  const chosen = paid.length === 0 ? undefined : pick(world.random, paid);
  if (!chosen) {
    wish.kind = 'other';
    return;
  }
  wish.kind = 'refund';
  wish.amount = costOf(chosen);
  wish.of = requestIdOf(chosen);
  await insist(caller, keyed(wish));
}

function answeredTry({ tries }: Wish): Extract<Answer, { kind: 'answer' }> | undefined {
  const found = tries.find(
    ({ answer }) => answer?.kind === 'answer' && answer.status === 200,
  )?.answer;
  return found?.kind === 'answer' ? found : undefined;
}

function costOf(wish: Wish): number {
  const usage = answeredTry(wish)?.body['usage'] as { cost_usd?: number } | undefined;
  return Math.round((usage?.cost_usd ?? 0) * 1_000_000);
}

function requestIdOf(wish: Wish): string {
  return answeredTry(wish)?.headers.get('x-request-id') ?? '';
}

function begin({ kind, account, wishes }: Caller, what: Wish['kind']): Wish {
  const wish: Wish = { id: `w${wishes.length}`, kind: what, caller: kind, account, tries: [] };
  wishes.push(wish);
  return wish;
}

function keyed(wish: Wish): Wish {
  wish.key = `key-of-${wish.id}`;
  return wish;
}

async function ask(caller: Caller, wish: Wish, request: Ask): Promise<Answer> {
  const { world, life, tenant } = caller;
  const one: Try = { calledAt: world.scheduler.now(), returnedAt: Infinity };
  wish.tries.push(one);
  const key = request.key === '' ? (wish.secret ?? tenant.key) : request.key;
  const headers = { ...request.headers, ...(wish.key ? { 'idempotency-key': wish.key } : {}) };
  world.note(life.name, `${wish.id} ${request.path}`);
  const answer = await world.call(life, { ...request, key, headers });
  one.answer = answer;
  one.returnedAt = world.scheduler.now();
  world.note(life.name, `${wish.id} ${wordsOf(answer)}`);
  return answer;
}

function wordsOf(answer: Answer): string {
  if (answer.kind !== 'answer') return answer.kind;
  const { error, usage } = answer.body as { error?: { type?: string }; usage?: object };
  return `${answer.status} ${error?.type ?? JSON.stringify(usage ?? '')}`;
}

const maxTries = 40;
/** No request takes as long, so nothing can run under its key after this time. */
const longestRunMs = 900_000;

/** The same request under the same key until there is a final answer. */
async function insist(caller: Caller, wish: Wish, patienceMs?: number): Promise<void> {
  const { world, life } = caller;
  /** Since when each answer says that the key is taken. */
  let takenSince = Infinity;
  const mayTry = (count: number) =>
    takenSince === Infinity ? count < maxTries : world.scheduler.now() < takenSince + longestRunMs;
  for (let count = 0; mayTry(count); count += 1) {
    // After three attempts an impatient caller waits for the answer.
    const isHasty = patienceMs !== undefined && count < 3;
    const answer = await ask(caller, wish, {
      ...requestOf(caller, wish),
      ...(isHasty ? { patienceMs } : {}),
    });
    if (isFinal(answer) || isForbiddenToRepeat(answer)) return;
    const isTaken = answer.kind === 'answer' && answer.status === 409;
    takenSince = isTaken ? Math.min(takenSince, world.scheduler.now()) : Infinity;
    await world.sleep(life, 500 + world.random() * 1000 * Math.min(count + 1, 20));
  }
}

/** The answer tells OpenAI's clients that to repeat it does not help. */
function isForbiddenToRepeat(answer: Answer): boolean {
  return answer.kind === 'answer' && answer.headers.get('x-should-retry') === 'false';
}

/** The job that an answer is about. */
export function jobIdIn(answer: Answer | undefined): string | undefined {
  if (answer?.kind !== 'answer') return undefined;
  if (answer.status === 202) return String(answer.body['id']);
  return answer.headers.get('x-trivium-job-id') ?? undefined;
}

/** A 409 says that the first request is still running; 429 and 5xx that it did not run. */
export function isFinal(answer: Answer): boolean {
  return (
    answer.kind === 'answer' &&
    answer.status !== 409 &&
    answer.status < 500 &&
    answer.status !== 429
  );
}

function requestOf({ tenant }: Caller, wish: Wish): Ask {
  if (wish.change) {
    const { path, method, body } = wish.change;
    return { path, method, key: adminToken, ...(body ? { body } : {}) };
  }
  if (wish.kind === 'search') return searchOf(wish);
  if (wish.kind === 'extract') {
    const { provider = 'engine_a' } = wish;
    // The shortest limit that a caller can set: nearly all of the time is spent in queues.
    const limit = provider === 'auto' ? { timeout_ms: 1000 } : {};
    const body = { urls: [`https://example.org/${subjectOf(wish)}`], provider, ...limit };
    return { path: '/v1/extract', key: '', body };
  }
  if (wish.kind === 'topup' || wish.kind === 'adjust') {
    const body = { amount_usd: (wish.amount ?? 0) / 1_000_000, reason: wish.id };
    const place = wish.kind === 'topup' ? 'topups' : 'adjustments';
    return { path: `/admin/v1/accounts/${tenant.accountId}/${place}`, key: adminToken, body };
  }
  if (wish.kind === 'refund') {
    const body = {
      request_id: wish.of,
      amount_usd: (wish.amount ?? 0) / 1_000_000,
      reason: wish.id,
    };
    return { path: `/admin/v1/accounts/${tenant.accountId}/refunds`, key: adminToken, body };
  }
  const provider = ['stt_a', 'stt_b', 'stt_c'][Number(wish.id.slice(1)) % 3];
  const headers = { 'x-trivium-webhook': `https://hooks.example/${wish.id}` };
  if (wish.isForm) return formOf(wish, String(provider), headers);
  const audio = wish.upload?.audio_url ?? `https://example.org/${subjectOf(wish)}.wav`;
  return { path: '/v1/transcriptions', key: '', body: { audio_url: audio, provider }, headers };
}

function searchOf(wish: Wish): Ask {
  const { provider = 'engine_a' } = wish;
  return { path: '/v1/search', key: '', body: { query: subjectOf(wish), provider } };
}

/** Names a wish in what vendors and the request log see of it. */
export function subjectOf({ id, upload }: Pick<Wish, 'id' | 'upload'>): string {
  return upload?.id ?? `wish-${id}-`;
}

/** A minute of sound, one byte a sample. */
function recording(): Buffer {
  const rate = 100;
  const wav = Buffer.alloc(44 + 60 * rate);
  wav.write('RIFF', 0, 'latin1');
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(60 * rate, 40);
  return wav;
}

const partBytes = 2000;

function inParts(bytes: Buffer): Uint8Array[] {
  const count = Math.ceil(bytes.length / partBytes);
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * partBytes, (at + 1) * partBytes),
  );
}

const boundary = 'part-of-the-simulation';

function formOf(wish: Wish, model: string, headers: Record<string, string>): Ask {
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file =
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n` +
    'content-type: audio/wav\r\n\r\n';
  const form = Buffer.concat([
    Buffer.from(field('model', model) + field('prompt', subjectOf(wish)) + file),
    recording(),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return {
    ...{ path: '/v1/audio/transcriptions', key: '', parts: inParts(form) },
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
  };
}

const maxUploads = 5;

/** Uploads have no key: each try is another upload. */
async function uploadOne(caller: Caller): Promise<Wish['upload']> {
  const { world, life } = caller;
  for (let count = 0; count < maxUploads; count += 1) {
    const wish = begin(caller, 'upload');
    const headers = { 'content-type': 'audio/wav' };
    const patience = world.random() < 0.1 ? { patienceMs: world.random() * 1000 } : {};
    const request = { path: '/v1/uploads', key: '', parts: inParts(recording()), headers };
    const answer = await ask(caller, wish, { ...request, ...patience });
    if (answer.kind === 'answer' && answer.status === 201) {
      const { id, audio_url } = answer.body;
      return { id: String(id), audio_url: String(audio_url) };
    }
    if (answer.kind === 'answer' && answer.status === 402) return undefined;
    await world.sleep(life, 500 + world.random() * 3000);
  }
  return undefined;
}

async function removeUpload(caller: Caller, { id }: NonNullable<Wish['upload']>): Promise<void> {
  for (const wish of caller.wishes) {
    const isOf = ({ answer }: Try) => answer?.kind === 'answer' && answer.body['id'] === id;
    if (wish.kind === 'upload' && wish.tries.some(isOf)) wish.isDeleted = true;
  }
  const path = `/v1/uploads/${id}`;
  await ask(caller, begin(caller, 'other'), { path, key: '', method: 'DELETE' });
}

/** Asks until the job has ended; jobs have a deadline, so this ends. */
async function followJob(caller: Caller, wish: Wish): Promise<void> {
  const { world, life, tenant } = caller;
  const answer = wish.tries.at(-1)?.answer;
  if (answer?.kind !== 'answer' || answer.status !== 202) return;
  wish.jobId = String(answer.body['id']);
  for (;;) {
    await world.sleep(life, 2000 + world.random() * 8000);
    const job = await world.call(life, { path: `/v1/jobs/${wish.jobId}`, key: tenant.key });
    wish.job = job;
    if (job.kind !== 'answer') continue;
    const { status } = job.body;
    if (job.status !== 200 && job.status < 500) return;
    if (status === 'completed' || status === 'failed') {
      const { error } = job.body as { error?: { message?: string } };
      world.note(life.name, `${wish.id} ${wish.jobId} ${status} ${error?.message ?? ''}`);
      return;
    }
  }
}

const paths = ['/v1/search', '/v1/extract', '/v1/transcriptions', '/v1/jobs/job_x'];
const fields = [
  ...['max_results', 'provider', 'mode', 'include_domains', 'published_after', 'freshness'],
  ...['content', 'locale', 'category', 'provider_options', 'strict', 'urls', 'audio_url', 'tags'],
];

/** Something that is not valid, or hardly; what is searched for is always about the sun. */
function hostileBy(random: () => number): Ask {
  const [value] = fc.sample(hostile, { seed: Math.floor(random() * 2 ** 31), numRuns: 1 });
  const field = pick(random, fields);
  const body = pick<unknown>(random, [
    { query: 'solar', [field]: value },
    { query: 'solar', provider: 'engine_a', [field]: value },
    { query: typeof value === 'string' ? [value] : value },
    { urls: [value] },
    { audio_url: value, provider: 'stt_a' },
    [value],
    '{"query":',
    '['.repeat(2000),
  ]);
  return { path: pick(random, paths), key: '', body, method: 'POST' };
}
