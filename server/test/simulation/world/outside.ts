// Everything that a gateway calls: search engines, three speech vendors who call back, and the
// receivers of webhooks. Each remembers what it saw.
import { createHmac } from 'node:crypto';
import { createCallbackSender } from '../callback-sender.ts';
import type { Outgoing } from '../../../src/platform/http-client.ts';
import type { VendorJob } from '../vendor-job.ts';
import { simulateVendors } from '../vendors.ts';
import { engineAnswer, engineQuestion, type EngineQuestion, isOther, owedFor } from './engines.ts';
import { bucketHost } from './files.ts';
import type { FaultKind, Plan } from './plan.ts';
import type { Life } from './scheduler.ts';
import { epochMs } from './machine.ts';
import { unreachable } from './network.ts';
import type { World } from './world.ts';

/** A call that a search engine took. */
export interface EngineCall {
  /** The words that name the caller's operation. */
  subject: string;
  /** It repeats a search of someone else, on an engine that no one has asked. */
  isShadow: boolean;
  /** In its answer. */
  serial: number;
  /** What it costs if it is served. */
  owed: number;
  at: number;
  /** It sent an answer that the gateway can use. */
  isServed: boolean;
  /** The answer reached a gateway that waited for it. */
  isDelivered: boolean;
  /** When the gateway stopped waiting: it was answered, had enough, or ended. */
  endedAt: number;
  /** When the process that called has ended. */
  gatewayEndedAt: number;
}

export interface Delivery {
  at: number;
  /** Of the event. */
  id: string;
  path: string;
  type: string;
  /** What it is about. */
  jobId: string;
  /** Whose secret signed it; -1 for none. */
  signer: number;
  status: number;
}

export interface Outside {
  engineCalls: EngineCall[];
  speechJobs: readonly VendorJob[];
  /** Recordings that a vendor refused. */
  refusedRecordings: readonly string[];
  deliveries: Delivery[];
  faults: readonly string[];
  /** From now on everything works. */
  calm: () => void;
}

const receiverHost = 'hooks.example';
const jobDeadlineMs = 120_000;

/** `secrets` sign webhooks, one for each account. */
export function openOutside(world: World, plan: Plan, secrets: readonly string[]): Outside {
  const { scheduler, random, incidents } = world;
  let isCalm = false;
  const can = (kind: FaultKind, share: number, lastsMs = () => 0): number | undefined => {
    if (isCalm || !plan.faults.has(kind) || random() >= share) return undefined;
    const ms = lastsMs();
    incidents.add(kind, { lastsMs: ms });
    return ms;
  };
  const engineCalls: EngineCall[] = [];
  const deliveries: Delivery[] = [];
  const refusedRecordings: string[] = [];
  const vendorNow = () => epochMs + scheduler.now();
  const callbacks = createCallbackSender(random, vendorNow, vendorNow() + jobDeadlineMs);
  const speech = simulateVendors(random, vendorNow, callbacks.plan);
  if (!plan.faults.has('vendor_breaks')) {
    speech.calm();
    callbacks.calm();
  }
  // Answers to a burst come together, so that several charges wait in the journal.
  const usualMs = () => (plan.faults.has('group_fails') ? 100 + random() * 4 : 5 + random() * 300);
  const engine = (life: Life, question: EngineQuestion): Reply => {
    const { subject, isSearch } = question;
    world.invariants.callsEngine(life, subject, isSearch);
    const serial = engineCalls.length;
    const call = beginCall(life, subject, serial, scheduler.now);
    call.isShadow = plan.hasShadows && isOther(question);
    engineCalls.push(call);
    if (plan.scene === 'overload' && !isCalm && isSearch) {
      call.isServed = true;
      call.owed = owedFor(question, undefined);
      return { ms: 12_000 + random() * 17_000, ...engineAnswer(question, serial), call };
    }
    if (can('vendor_refuses', 0.3) !== undefined) return { ...refusalBy(random()), call };
    if (can('vendor_breaks', 0.1) !== undefined)
      return { ms: random() * 500, error: 'ECONNRESET', call };
    if (can('vendor_breaks', 0.1) !== undefined)
      return { ms: random() * 500, text: '{"results":', status: 200, call };
    call.isServed = true;
    const ms = can('vendor_slow', 0.3, () => random() * 45_000) ?? usualMs();
    const isStrange = can('vendor_price', 0.5) !== undefined;
    const price = isStrange ? strangePriceBy(random()) : undefined;
    call.owed = owedFor(question, price);
    return { ms, ...engineAnswer(question, serial, price), call };
  };
  const receive = (life: Life, path: string, headers: Headers, body: string): Reply => {
    const isDead = can('dead_receiver', 0.5) !== undefined;
    const status = isDead ? (random() < 0.5 ? 500 : 404) : 204;
    if (isDead && random() < 0.3) return { ms: random() * 20_000, error: 'ECONNRESET' };
    const { type, data } = JSON.parse(body) as {
      type: string;
      data: { id?: string; provider?: string };
    };
    const [id, time] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? ''];
    const signer = secrets.findIndex((secret) => {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
      const sign = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
      return headers.get('webhook-signature') === `v1,${sign}`;
    });
    const about = { id, path, type, jobId: data.id ?? data.provider ?? '', signer, status };
    deliveries.push({ at: scheduler.now(), ...about });
    world.note('receiver', `${type} ${about.jobId} from ${life.name}: ${status}`);
    return { ms: random() * 50, status, text: '' };
  };
  const answer = async (life: Life, url: URL, init: BunFetchRequestInit): Promise<Reply> => {
    const headers = new Headers(init.headers);
    const host = headers.get('host') ?? url.host;
    if (host === receiverHost) {
      return receive(life, url.pathname, headers, await (init.body as Blob).text());
    }
    if (host === bucketHost) {
      return { ms: random() * 50, ...world.files.answer(init.method ?? 'GET', url) };
    }
    const question = engineQuestion(host, init);
    if (question) return engine(life, question);
    const outgoing = { url: url.href, method: init.method, body: init.body } as Outgoing;
    const sent = speech.send(outgoing);
    if (outgoing.method === 'POST' && sent.ok && sent.status >= 400) {
      const { body } = init;
      const fields = body instanceof FormData ? JSON.stringify([...body]) : String(body);
      refusedRecordings.push(`${url.href} ${fields}`);
    }
    const ms = can('vendor_slow', 0.05, () => random() * 20_000) ?? 5 + random() * 200;
    if (!sent.ok || sent.status >= 400) incidents.add('vendor_breaks');
    if (sent.ok) return { ms, status: sent.status, text: sent.text };
    if (sent.failure === 'timed_out') return { ms: Infinity, error: 'ETIMEDOUT' };
    return { ms, error: sent.failure === 'unreachable' ? 'ECONNREFUSED' : 'ECONNRESET' };
  };
  world.outside.fetch = (life, url, init) =>
    exchange(world, life, init.signal, () => answer(life, url, init));
  sendCallbacks(world, callbacks);
  return {
    engineCalls,
    speechJobs: speech.accepted,
    refusedRecordings,
    deliveries,
    faults: callbacks.faults,
    calm: () => {
      isCalm = true;
      speech.calm();
      callbacks.calm();
    },
  };
}

function beginCall(life: Life, subject: string, serial: number, now: () => number): EngineCall {
  const call: EngineCall = {
    ...{
      subject,
      isShadow: false,
      serial,
      owed: 0,
      at: now(),
      isServed: false,
      isDelivered: false,
    },
    ...{ endedAt: Infinity, gatewayEndedAt: Infinity },
  };
  const end = () => {
    call.gatewayEndedAt = now();
    call.endedAt = Math.min(call.endedAt, now());
  };
  // The process may have ended while its request was on the way.
  if (life.isAlive) life.atEnd.push(end);
  else end();
  return call;
}

/** What comes back after a while, an error included. */
type Reply = { ms: number; call?: EngineCall } & (
  | { status: number; text: string }
  | { status: number; json: object }
  | { error: string }
);

function refusalBy(roll: number): Reply {
  const [status, headers] = roll < 0.4 ? [429, {}] : roll < 0.7 ? [500, {}] : [400, {}];
  return { ms: roll * 100, status, json: { error: 'refused', tag: 'SIMULATED', ...headers } };
}

/** More than was held, nothing, and what cannot be a price. */
function strangePriceBy(roll: number): unknown {
  if (roll < 0.3) return 0.05;
  if (roll < 0.5) return 0;
  if (roll < 0.7) return -1;
  return roll < 0.9 ? 'free' : 1e12;
}

/** There and back over the network. An aborted request is answered to no one. */
function exchange(
  { scheduler, random }: World,
  life: Life,
  signal: AbortSignal | null | undefined,
  answer: () => Promise<Reply>,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  let call: EngineCall | undefined;
  const end = () => {
    if (call) call.endedAt = Math.min(call.endedAt, scheduler.now());
  };
  const abort = () => {
    end();
    reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
  };
  if (signal?.aborted)
    return Promise.reject(Object.assign(new Error('aborted'), { name: 'AbortError' }));
  signal?.addEventListener('abort', abort, { once: true });
  scheduler.after(0.1 + random(), undefined, () => {
    void answer().then((reply) => {
      ({ call } = reply);
      if (signal?.aborted) end();
      if (reply.ms === Infinity) return;
      scheduler.after(reply.ms, life, () => {
        signal?.removeEventListener('abort', abort);
        if (call && !signal?.aborted) call.isDelivered = true;
        end();
        if ('error' in reply) {
          const error = reply.error === 'ECONNREFUSED' ? unreachable() : new Error(reply.error);
          return reject(Object.assign(error, { code: reply.error }));
        }
        const text = 'text' in reply ? reply.text : JSON.stringify(reply.json);
        resolve(new Response(reply.status === 204 ? null : text, { status: reply.status }));
      });
    });
  });
  return promise;
}

/** Vendors call back over the network, as any other caller. */
function sendCallbacks(world: World, callbacks: ReturnType<typeof createCallbackSender>): void {
  const life = world.makeLife('callbacks');
  const deliver = async () => {
    await callbacks.deliver(
      async ({ provider, token, headers, body }) => {
        const path = `/callbacks/${provider}${token === undefined ? '' : `/${token}`}`;
        const text = await new Response(body).text();
        const sent = Object.fromEntries(headers);
        const answer = await world.call(life, { path, key: '', body: text, headers: sent });
        world.note(
          'vendor',
          `calls back ${path.slice(0, 70)}: ${answer.kind === 'answer' ? answer.status : answer.kind}`,
        );
        return answer.kind === 'answer' ? answer.status : undefined;
      },
      (token) => isOpen(world, life, token),
    );
    const dueInMs = callbacks.nextDue() - epochMs - world.scheduler.now();
    await world.sleep(life, Math.min(world.pauseMs(1000), Math.max(50, dueInMs)));
    void deliver();
  };
  world.scheduler.after(0, life, () => void deliver());
}

/** Read from the store, because only a delivery for an open job has to be kept. */
async function isOpen(world: World, life: Life, token: string): Promise<boolean> {
  const id = (token.split('.')[0] ?? '').replaceAll("'", '');
  for (;;) {
    const rows = world.read(`select finished_at from jobs where id = '${id}'`);
    if (rows) return rows[0]?.['finished_at'] === null;
    await world.sleep(life, 1);
  }
}
