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
  /** Newest first. */
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
  const store: AttentionItem[] =
    storeTrouble === undefined
      ? []
      : [{ kind: 'store', severe: true, subject: 'store', message: storeTrouble }];
  if (restMb !== undefined) {
    const message =
      `The default partition of the request log has ${restMb} MB, so no new partitions are made ` +
      'and old rows are deleted one by one. The page “Store” of the documentation says what to do.';
    store.push({ kind: 'store', severe: false, subject: 'requests_rest', message });
  }
  if (clockOffsetS === undefined) return store;
  const message = `The clock of the store differs from this machine’s by ${clockOffsetS} seconds.`;
  return [...store, { kind: 'clock', severe: false, subject: 'clock', message }];
}

function ofProvider({ id, health }: AttentionFacts['providers'][number]): AttentionItem[] {
  if (!health) return [];
  const { circuit, credentials, credentials_resting: refused } = health;
  const items: AttentionItem[] = [];
  if (circuit !== 'closed') {
    const message = `The circuit of ${providerLabel(id)} is open after repeated failures.`;
    items.push({ kind: 'circuit_open', severe: true, subject: id, message });
  }
  if (refused > 0) {
    const of = `${refused} of ${credentials} ${credentials === 1 ? 'credential' : 'credentials'}`;
    const message = `${providerLabel(id)} refuses ${of}.`;
    items.push({
      kind: 'credential_refused',
      severe: refused === credentials,
      subject: id,
      message,
    });
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
  return [
    ...ofCap('key_cap', key.id, `The key “${key.name}”`, 'daily', [
      key.used_today_usd,
      key.daily_cap_usd,
    ]),
    ...ofCap('key_cap', key.id, `The key “${key.name}”`, 'monthly', [
      key.used_this_month_usd,
      key.monthly_cap_usd,
    ]),
  ];
}

function ofBudget(budget: Budget): AttentionItem[] {
  const name = `${budget.tag}=${budget.value}`;
  return [
    ...ofCap('budget', name, `The budget of ${name}`, 'daily', [
      budget.today_usd,
      budget.daily_cap_usd,
    ]),
    ...ofCap('budget', name, `The budget of ${name}`, 'monthly', [
      budget.this_month_usd,
      budget.monthly_cap_usd,
    ]),
  ];
}

function ofCap(
  kind: 'key_cap' | 'budget',
  subject: string,
  whose: string,
  period: 'daily' | 'monthly',
  [used, cap]: readonly [number, number | null],
): AttentionItem[] {
  if (cap === null || cap === 0 || used / cap < nearShare) return [];
  const message = `${whose} has used ${percent(used / cap)} of its ${period} cap.`;
  return [{ kind, severe: used >= cap, subject, message }];
}

/** Lists an endpoint once, however many of its deliveries failed. */
function ofDeliveries(deliveries: readonly WebhookDelivery[], now: number): AttentionItem[] {
  const recent = deliveries.filter(
    ({ state, attempts, last_error, last_attempt_at }) =>
      (state === 'failed' || (state === 'pending' && attempts > 0 && last_error !== null)) &&
      now - Date.parse(last_attempt_at ?? '') < deliveryMs,
  );
  return [...Map.groupBy(recent, ({ url }) => url)].map(([url, own]) => {
    const count = own.length === 1 ? 'A delivery' : `${own.length} deliveries`;
    const message = `${count} to ${url} did not succeed.`;
    return { kind: 'webhook_failing', severe: false, subject: url, message };
  });
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
