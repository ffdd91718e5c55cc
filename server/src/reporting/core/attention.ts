// Decides what needs a person's attention, from what the gateway currently knows.
import type {
  Account,
  AttentionItem,
  Budget,
  JobLine,
  Key,
  ProviderDescription,
  ProviderRecord,
  WebhookDelivery,
} from '@trivium/contract';
import { hourMs, minuteMs } from '@trivium/contract/durations';
import { providerLabel } from '@trivium/contract/provider-names';

export interface AttentionFacts {
  account: Pick<Account, 'id' | 'balance_usd' | 'low_balance_usd'>;
  keys: readonly Key[];
  budgets: readonly Budget[];
  /** Those that did not succeed, and the latest of each endpoint that did. */
  deliveries: readonly WebhookDelivery[];
  /** Running jobs only. */
  jobs: readonly Pick<JobLine, 'id' | 'created_at' | 'deadline_at'>[];
  providers: readonly Pick<ProviderDescription, 'id' | 'health'>[];
  /** For operators only: records of all accounts. */
  records: readonly ProviderRecord[];
  storeTrouble?: string | undefined;
  clockOffsetS?: number | undefined;
  /** The size of the default partition of the request log, if it is too large. */
  restMb?: number | undefined;
}

/** The share of a cap or budget. */
const nearShare = 0.8;
/** Above this share a provider counts as failing, if it was called often enough. */
const failingShare = 0.2;
const leastCalls = 10;
/** A failed delivery is shown for a day. */
const deliveryMs = 24 * hourMs;
const deadlineMs = 10 * minuteMs;

export function attentionOf(facts: AttentionFacts, now: number): AttentionItem[] {
  const items = [
    ...ofGateway(facts),
    ...facts.providers.flatMap(ofProvider),
    ...facts.records.flatMap(ofRecord),
    ...ofBalance(facts.account),
    ...facts.keys.flatMap((key) => ofKey(key, now)),
    ...facts.budgets.flatMap(ofBudget),
    ...ofDeliveries(facts.deliveries, now),
    ...facts.jobs.flatMap((job) => ofJob(job, now)),
  ];
  return items.toSorted((one, other) => Number(other.severe) - Number(one.severe));
}

function ofGateway({ storeTrouble, clockOffsetS, restMb }: AttentionFacts): AttentionItem[] {
  const items: AttentionItem[] = [];
  if (storeTrouble !== undefined) {
    items.push({ kind: 'store', severe: true, subject: 'store', message: storeTrouble });
  }
  if (restMb !== undefined) {
    const message =
      `The default partition of the request log has ${restMb} MB, so no new partitions are made ` +
      'and old rows are deleted one by one. The page “Store” of the documentation says what to do.';
    items.push({ kind: 'store', severe: false, subject: 'requests_rest', message });
  }
  if (clockOffsetS !== undefined) {
    const message = `The clock of the store differs from this machine’s by ${clockOffsetS} seconds.`;
    items.push({ kind: 'clock', severe: false, subject: 'clock', message });
  }
  return items;
}

function ofProvider({ id, health }: AttentionFacts['providers'][number]): AttentionItem[] {
  if (!health) return [];
  const { circuit, credentials, credentials_refused: refused } = health;
  const items: AttentionItem[] = [];
  if (circuit !== 'closed') {
    const message = `The circuit of ${providerLabel(id)} is open after repeated failures.`;
    items.push({ kind: 'circuit_open', severe: true, subject: id, message });
  }
  if (refused > 0) {
    const of = `${refused} of ${credentials} ${credentials === 1 ? 'credential' : 'credentials'}`;
    const message = `${providerLabel(id)} refuses ${of}.`;
    const severe = refused === credentials;
    items.push({ kind: 'credential_refused', severe, subject: id, message });
  }
  return items;
}

function ofRecord({ id, requests, failures }: ProviderRecord): AttentionItem[] {
  if (requests < leastCalls || failures / requests < failingShare) return [];
  const message = `${percent(failures / requests)} of the latest requests to ${providerLabel(id)} failed.`;
  return [{ kind: 'provider_failing', severe: false, subject: id, message }];
}

function ofBalance({ id, balance_usd, low_balance_usd }: AttentionFacts['account']) {
  if (balance_usd > 0 && balance_usd >= low_balance_usd) return [];
  const severe = balance_usd <= 0;
  const message = severe
    ? 'The balance is empty. Requests are refused until a top-up.'
    : 'The balance is below the account’s threshold.';
  return [{ kind: 'balance_low', severe, subject: id, message } as const];
}

function ofKey(key: Key, now: number): AttentionItem[] {
  const isOver = key.expires_at !== null && Date.parse(key.expires_at) <= now;
  if (key.revoked_at !== null || isOver) return [];
  const { id, name, used_today_usd: today, used_this_month_usd: month } = key;
  return ofCaps(key, [today, month], { kind: 'key_cap', subject: id }, `The key “${name}”`);
}

function ofBudget(budget: Budget): AttentionItem[] {
  const { tag, value, today_usd: today, this_month_usd: month } = budget;
  const subject = `${tag}=${value}`;
  return ofCaps(budget, [today, month], { kind: 'budget', subject }, `The budget of ${subject}`);
}

function ofCaps(
  { daily_cap_usd, monthly_cap_usd }: Pick<Key, 'daily_cap_usd' | 'monthly_cap_usd'>,
  [today, month]: readonly [number, number],
  item: Pick<AttentionItem, 'kind' | 'subject'>,
  whose: string,
): AttentionItem[] {
  const caps = [
    { period: 'daily', cap: daily_cap_usd, used: today },
    { period: 'monthly', cap: monthly_cap_usd, used: month },
  ];
  return caps.flatMap(({ period, cap, used }) => {
    if (cap === null || cap === 0 || used / cap < nearShare) return [];
    const message = `${whose} has used ${percent(used / cap)} of its ${period} cap.`;
    return { ...item, severe: used >= cap, message };
  });
}

/**
 * Lists an endpoint once, however many of its deliveries failed, until one succeeds. The subject is
 * the endpoint, or the address of a delivery that a request asked for.
 */
function ofDeliveries(deliveries: readonly WebhookDelivery[], now: number): AttentionItem[] {
  const byEndpoint = Map.groupBy(deliveries, ({ webhook_id, url }) => webhook_id ?? url);
  return [...byEndpoint].flatMap(([subject, own]): AttentionItem[] => {
    const succeeded = own.filter(({ state }) => state === 'delivered');
    const lastSuccess = Math.max(...succeeded.map(attemptedAt));
    const unsuccessful = own.filter((one) => {
      if (one.state === 'delivered') return false;
      const wasTried = one.state === 'failed' || (one.attempts > 0 && one.last_error !== null);
      const at = attemptedAt(one);
      return wasTried && at > lastSuccess && now - at < deliveryMs;
    });
    const [first] = unsuccessful;
    if (!first) return [];
    const count = unsuccessful.length === 1 ? 'A delivery' : `${unsuccessful.length} deliveries`;
    const message = `${count} to ${first.url} did not succeed.`;
    return [{ kind: 'webhook_failing', severe: false, subject, message }];
  });
}

function attemptedAt({ last_attempt_at }: WebhookDelivery): number {
  return Date.parse(last_attempt_at ?? '');
}

function ofJob({ id, deadline_at }: AttentionFacts['jobs'][number], now: number): AttentionItem[] {
  const leftMs = Date.parse(deadline_at) - now;
  if (leftMs >= deadlineMs) return [];
  const minutes = Math.max(0, Math.ceil(leftMs / minuteMs));
  const message = `The job ${id} fails in ${minutes} min if it has not finished.`;
  return [{ kind: 'job_deadline', severe: false, subject: id, message }];
}

function percent(share: number): string {
  return `${Math.floor(100 * share)} %`;
}
