// Sends telemetry to a collector as OTLP over HTTP, in JSON: in batches, from a bounded queue. No
// request waits for the collector, and lost items are counted.
import { every } from './every.ts';
import { machine } from './machine.ts';
import type { Metrics, Sample } from './metrics.ts';

type Signal = 'traces' | 'logs';

export interface OtlpOptions {
  /** The base address of a collector; `/v1/traces` or `/v1/logs` is added. */
  endpoint: string;
  warn: (message: string) => void;
}

interface OtlpQueue<T> {
  add: (item: T) => void;
  /** Sends the waiting items, within a time limit. */
  stop: () => Promise<void>;
}

const sendEveryMs = 2000;
const maxWaiting = 20_000;
const maxBatchItems = 512;
const sendTimeoutMs = 5000;
const maxBatchesAtStop = 40;

export function makeOtlpQueue<T>(
  signal: Signal,
  { endpoint, warn }: OtlpOptions,
  write: (batch: readonly T[]) => string,
): OtlpQueue<T> {
  const url = `${endpoint.replace(/(?<!\/)\/+$/, '')}/v1/${signal}`;
  const count = countersOf(signal);
  const waiting: T[] = [];
  let sending: Promise<boolean> | undefined;
  const sendBatch = async (): Promise<boolean> => {
    const batch = waiting.splice(0, maxBatchItems);
    if (batch.length === 0) return false;
    const { rejected, again, reason } = await post(url, write(batch), batch.length);
    if (reason !== undefined) warn(`the collector of ${signal} ${reason}`);
    if (again) {
      // If there is no room for all, the newest are lost.
      const kept = batch.slice(0, Math.max(0, maxWaiting - waiting.length));
      waiting.unshift(...kept);
      count.lost += batch.length - kept.length;
      return false;
    }
    count.sent += batch.length - rejected;
    count.lost += rejected;
    return waiting.length >= maxBatchItems;
  };
  const sendOne = () => (sending ??= sendBatch().finally(() => (sending = undefined)));
  const flush = async () => {
    while (await sendOne());
  };
  const repeated = every(sendEveryMs, { name: signal, work: flush });
  return {
    add: (item) => {
      if (waiting.length >= maxWaiting) {
        count.lost += 1;
        return;
      }
      waiting.push(item);
      if (waiting.length === maxBatchItems) repeated.runNow();
    },
    stop: async () => {
      repeated.stop();
      await sending;
      for (let batch = 0; batch < maxBatchesAtStop && waiting.length > 0; batch += 1) {
        const before = waiting.length;
        await sendOne();
        if (waiting.length >= before) break;
      }
      count.lost += waiting.splice(0).length;
    },
  };
}

interface PostResult {
  /** How many items the collector refused. */
  rejected: number;
  /** True if the same items may be sent again. */
  again: boolean;
  reason?: string;
}

/** According to the OTLP specification, these may be sent again. Others are refused permanently. */
const retryable = new Set([429, 502, 503, 504]);

async function post(url: string, body: string, items: number): Promise<PostResult> {
  try {
    const response = await machine.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(sendTimeoutMs),
    });
    const text = await response.text();
    if (response.ok) {
      const rejected = Math.min(items, rejectedIn(text));
      return {
        rejected,
        again: false,
        ...(rejected > 0 ? { reason: `rejected ${rejected} of ${items} items` } : {}),
      };
    }
    const reason = `answered with status ${response.status}`;
    return { rejected: items, again: retryable.has(response.status), reason };
  } catch {
    return { rejected: items, again: true, reason: 'cannot be reached' };
  }
}

/** A collector may accept some items and refuse others. */
function rejectedIn(text: string): number {
  try {
    const answer: unknown = JSON.parse(text);
    const { partialSuccess } = (answer ?? {}) as { partialSuccess?: Record<string, unknown> };
    const { rejectedLogRecords, rejectedSpans } = partialSuccess ?? {};
    const rejected = Number(rejectedLogRecords ?? rejectedSpans ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    return 0;
  }
}

interface Counters {
  sent: number;
  lost: number;
}

/** For this process, by signal. */
const counted = new Map<Signal, Counters>();

function countersOf(signal: Signal): Counters {
  const counters = counted.get(signal) ?? { sent: 0, lost: 0 };
  counted.set(signal, counters);
  return counters;
}

export function registerOtlp({ total }: Pick<Metrics, 'total'>): void {
  const read = (value: (counters: Counters) => number) => (): Sample[] =>
    [...counted].map(([signal, counters]) => ({ labels: { signal }, value: value(counters) }));
  const sent = 'Spans and log records that the collector accepted.';
  total(
    'trivium_otlp_sent_total',
    sent,
    ['signal'],
    read((counters) => counters.sent),
  );
  const lost = 'Spans and log records that were lost before they reached the collector.';
  total(
    'trivium_otlp_lost_total',
    lost,
    ['signal'],
    read((counters) => counters.lost),
  );
}

/** A whole number that has decimals in other records is a `double`, for databases. */
type AttributeValue = string | number | boolean | { double: number };

export type Attributes = Readonly<Record<string, AttributeValue>>;

/** The resource and scope of every batch. */
export function resourceOf(serviceName: string): object {
  return { attributes: attributeList({ 'service.name': serviceName }) };
}

export const scope = { name: 'trivium' };

export function attributeList(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));
}

function valueOf(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'object') return { doubleValue: value.double };
  return { intValue: String(value) };
}

const nsPerMs = 1_000_000n;

/** As text, because nanoseconds exceed the precision of a JSON number. */
export function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  const rest = Math.round((ms - whole) * 1e6);
  return (BigInt(whole) * nsPerMs + BigInt(rest)).toString();
}
