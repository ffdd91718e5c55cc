// The same requests on SQLite and on PostgreSQL: callers must not see which one it is. Where they get
// different answers, one of them is wrong.
import { type Random, seededRandom } from '../seeded-random.ts';
import type { Tenant } from './callers/caller.ts';
import { hostileBy } from './callers/hostile.ts';
import { adminToken } from './environment.ts';
import { engineAnswer, engineQuestion } from './engines.ts';
import type { Answer, Ask, Body } from './network.ts';
import { openOutside } from './outside.ts';
import { pick, planOf } from './plan.ts';
import type { Template } from './template.ts';
import { makeWorld, type World } from './world.ts';

/** What a step knows: who asks, and what was answered before. */
interface Known {
  tenant: Tenant;
  random: Random;
  /** Its number, which names it in what it asks for. */
  at: number;
  answers: readonly Body[];
}

type Step = (known: Known) => Ask;

const admin = (path: string, body?: object): Ask => ({
  ...{ path: `/admin/v1${path}`, key: adminToken },
  ...(body ? { body } : {}),
});

/** What an engine does is in the words of the question. */
const moods = ['fine', 'fine', 'fine', 'refused', 'broken', 'dear', 'free', 'odd'];
const amounts = [0.001, 0.01, 0.5, 3];

function search({ random, at }: Known, more: object = {}): object {
  return { query: `${pick(random, moods)} ${at}`, provider: 'engine_a', ...more };
}

function keyed(key: string): { headers: Record<string, string> } {
  return { headers: { 'idempotency-key': key } };
}

const steps: readonly Step[] = [
  (known) => ({ path: '/v1/search', key: known.tenant.key, body: search(known) }),
  (known) => ({ path: '/v1/search', key: known.tenant.capped.key, body: search(known) }),
  ({ tenant, random }) => ({
    ...{ path: '/v1/search', key: tenant.key, ...keyed(`again ${Math.floor(random() * 3)}`) },
    body: { query: `fine again ${Math.floor(random() * 2)}`, provider: 'engine_a' },
  }),
  (known) => ({
    ...{ path: '/v1/search', key: known.tenant.key, body: search(known) },
    headers: { 'x-trivium-tags': `team=${pick(known.random, ['red', 'blue'])}` },
  }),
  (known) => ({
    ...{ path: '/v1/search', key: known.tenant.key },
    body: search(known, {
      provider: 'fusion',
      provider_options: { fusion: { providers: ['engine_a', 'engine_c', 'engine_f'] } },
    }),
  }),
  ({ tenant, random }) => ({
    ...{ path: '/v1/search', key: tenant.key, headers: { 'x-trivium-cache': '60' } },
    body: { query: `fine cached ${Math.floor(random() * 3)}` },
  }),
  ({ tenant, random, at }) => ({
    ...{ path: '/v1/extract', key: tenant.key, ...(random() < 0.5 ? keyed(`pages ${at}`) : {}) },
    body: {
      provider: 'engine_a',
      urls: Array.from(
        { length: 1 + Math.floor(random() * 12) },
        (_, page) => `https://example.org/${at}/${page}`,
      ),
    },
  }),
  ({ tenant, random, at }) => ({
    ...{ path: '/v1/transcriptions', key: tenant.key, ...keyed(`recording ${at}`) },
    body: {
      audio_url: `https://example.org/fine-${at}.wav`,
      provider: pick(random, ['stt_a', 'stt_b', 'stt_c']),
    },
  }),
  ({ tenant, random, at }) =>
    admin(`/accounts/${tenant.accountId}/topups`, {
      ...{ amount_usd: pick(random, amounts), reason: `paid ${at}` },
    }),
  ({ tenant, random, at }) =>
    admin(`/accounts/${tenant.accountId}/adjustments`, {
      ...{ amount_usd: -pick(random, amounts), reason: `taken ${at}` },
    }),
  ({ tenant, random, answers }) =>
    admin(`/accounts/${tenant.accountId}/refunds`, {
      request_id: requestIn(pick(random, answers)),
      ...{ amount_usd: pick(random, [0.001, 0.007, 0.05]), reason: 'back' },
    }),
  ({ tenant, random }) =>
    admin(`/accounts/${tenant.accountId}/budgets`, {
      ...{ tag: 'team', value: pick(random, ['red', 'blue']) },
      daily_cap_usd: pick(random, [null, 0, 0.01, 0.05]),
    }),
  ({ tenant, random }) => ({
    ...admin(`/keys/${tenant.capped.keyId}`, { daily_cap_usd: pick(random, [0, 0.02, 0.5]) }),
    method: 'PATCH',
  }),
  ({ tenant, random }) => ({
    ...admin(`/accounts/${tenant.accountId}`, {
      providers: random() < 0.7 ? null : ['stt_a', 'stt_b', 'stt_c'],
      requests_per_minute: random() < 0.7 ? null : 2,
    }),
    method: 'PATCH',
  }),
  ({ tenant, at }) => admin(`/accounts/${tenant.accountId}/keys`, { name: `made ${at}` }),
  ({ random, answers }) => ({
    ...admin(`/keys/${String(pick(random, answers)?.['id'] ?? 'none')}`),
    method: 'DELETE',
  }),
  ({ tenant, random, answers }) => {
    const found = answers.filter((one) => Array.isArray(one['results']));
    const { id = 'none', results } = found.length > 0 ? pick(random, found) : {};
    const [first] = (results ?? []) as { id?: string }[];
    const body = { search_id: id, [pick(random, ['cited', 'rejected'])]: [first?.id ?? 'none'] };
    return { path: '/v1/feedback', key: tenant.key, body };
  },
  ({ tenant, random }) => ({ ...hostileBy(random), key: tenant.key }),
];

/** Read again and again, and all of them in the end. */
const reports: readonly Step[] = [
  ...['/v1/balance', '/v1/usage', '/v1/jobs', '/v1/providers', '/v1/models'].map(
    (path): Step =>
      ({ tenant }) => ({ path, key: tenant.key }),
  ),
  ...['', '/keys', '/budgets'].map(
    (place): Step =>
      ({ tenant }) =>
        admin(`/accounts/${tenant.accountId}${place}`),
  ),
  ...[
    ...['/accounts', '/transfers?limit=200', '/requests?limit=200', '/requests/errors', '/usage'],
    ...['/jobs', '/overview', '/activity', '/incidents', '/cache', '/audit?limit=200'],
    ...['/webhooks', '/webhooks/deliveries', '/scorecard', '/usage?group_by=tag:team'],
  ].map(
    (path): Step =>
      () =>
        admin(path),
  ),
];

const stepCount = 60;
const reportShare = 0.25;
/** A step is over by then, and its settlement booked. */
const stepMs = 4000;
/** Jobs have ended, and events have arrived. */
const endMs = 180_000;

/** Where the answers of the two differ, in words. */
export async function compareStores(
  seed: number,
  [one, other]: readonly [Template, Template],
): Promise<string[]> {
  const [first, second] = [await playSoon(seed, one), await playSoon(seed, other)];
  return first.flatMap((words, at) => {
    const others = second[at] ?? 'nothing';
    return words === others ? [] : [describeDifference(words, others)];
  });
}

/** The request, and the words around the first difference. */
function describeDifference(words: string, others: string): string {
  const at = [...words].findIndex((letter, place) => letter !== others[place]);
  const from = Math.max(0, (at < 0 ? words.length : at) - 150);
  const part = (text: string) => text.slice(from, from + 300);
  const [asked = ''] = words.split('\n');
  return `${asked.slice(0, 200)}\n  ${part(words)}\n  but on the other store\n  ${part(others)}`;
}

function playSoon(seed: number, template: Template): Promise<string[]> {
  return new Promise((resolve, reject) => {
    setImmediate(() => {
      try {
        resolve(play(seed, template));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** What was asked and answered, in order. */
function play(seed: number, template: Template): string[] {
  const { shared, tenants, secrets } = template;
  shared?.restore();
  using world = makeWorld(seed, template.folder, {}, shared && { ...shared, gateways: 1 });
  const plan = { ...planOf(seed), faults: new Set<never>(), scene: 'usual' as const };
  openOutside(world, plan, secrets);
  answerByMood(world);
  const told: string[] = [];
  const words = namer();
  const life = world.makeLife('caller');
  const random = seededRandom(seed);
  const answers: Body[] = [];
  const askOne = async (step: Step, at: number) => {
    const tenant = pick(random, tenants);
    const request = step({ tenant, random, at, answers });
    const answer = await world.call(life, request);
    if (answer.kind === 'answer') answers.push({ ...answer.body, ...idOf(answer) });
    told.push(words(`${at} ${describe(request)}\n${describeAnswer(answer)}`));
  };
  let isOver = false;
  const work = async () => {
    await world.gateway.start();
    const beganAt = world.scheduler.now();
    const until = (ms: number) => world.sleep(life, beganAt + ms - world.scheduler.now());
    for (let at = 0; at < stepCount; at += 1) {
      await until((1 + at) * stepMs);
      await askOne(pick(random, random() < reportShare ? reports : steps), at);
    }
    await until((1 + stepCount) * stepMs + endMs);
    for (const [at, step] of reports.entries()) await askOne(step, stepCount + at);
    isOver = true;
  };
  world.scheduler.after(0, life, () => void work());
  world.scheduler.runUntil(3_600_000, () => isOver);
  if (!isOver) told.push('the callers never got an answer');
  world.shared?.close();
  return told;
}

/** Prices and failures follow from the question, so that both stores meet the same ones. */
function answerByMood(world: World): void {
  const { fetch } = world.outside;
  world.outside.fetch = async (life, url, init) => {
    const question = engineQuestion(new Headers(init.headers).get('host') ?? url.host, init);
    const mood = question?.subject.split(' ')[0] ?? 'fine';
    const answer = await fetch(life, url, init);
    const prices: Record<string, unknown> = { dear: 0.05, free: 0, odd: 'free' };
    if (mood === 'refused') return new Response('{}', { status: 500 });
    if (mood === 'broken') return new Response('{"results":', { status: 200 });
    if (!question || !(mood in prices)) return answer;
    return Response.json(engineAnswer(question, 0, prices[mood]).json);
  };
}

function idOf({ headers }: Extract<Answer, { kind: 'answer' }>): Body {
  return { request_id: headers.get('x-request-id') };
}

function requestIn(answer: Body | undefined): string {
  return String(answer?.['request_id'] ?? 'req_none');
}

function describe({ path, body, method = body === undefined ? 'GET' : 'POST' }: Ask): string {
  return `${method} ${path} ${JSON.stringify(body) ?? ''}`;
}

const told = ['x-trivium-cache', 'x-trivium-cost-usd', 'idempotent-replayed', 'retry-after'];

function describeAnswer(answer: Answer): string {
  if (answer.kind !== 'answer') return answer.kind;
  const { status, headers, text } = answer;
  const shown = told.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  return `${status} ${shown.join(', ')} ${text}`;
}

/** Ids get names by the order in which they appear; times, and what follows from them, are left out. */
function namer(): (words: string) => string {
  const names = new Map<string, string>();
  const nameOf = (id: string) => {
    const kind = id.split('_')[0];
    const name = names.get(id) ?? `${kind}-${names.size}`;
    names.set(id, name);
    return name;
  };
  return (words) =>
    words
      // The settings of a gateway at its start name its store.
      .replaceAll(/\{"public_url":.*?\},"created_at"/g, '{},"created_at"')
      // In a panel, calls end in any order.
      .replaceAll(/"attempts":\[[^\]]*\]/g, '')
      .replaceAll(/(retry-after: |"retry_after_s":)\d+/g, '$1')
      .replaceAll(/"(\w*(?:_ms|_at|since|uptime\w*|age\w*))":(?:\d+(?:\.\d+)?|"[^"]*")/g, '"$1":0')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
      .replaceAll(
        /(?:[a-z]{2,8}_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        nameOf,
      )
      .replaceAll(/[a-z]{2,8}_[0-9a-f]{32}/g, nameOf)
      .replaceAll(/sk_live_[\w-]+/g, nameOf);
}
