// Decides which limits are reached now: the balance, caps, budgets and deadlines, and what the gateway
// finds about itself.
import type { Account, Budget, Incident, JobLine, Key } from '@trivium/contract';
import { minuteMs } from '@trivium/contract/durations';

export interface ConditionFacts {
  account: Pick<Account, 'id' | 'balance_usd' | 'low_balance_usd' | 'created_at'>;
  /** When money was last added or removed, in milliseconds. 0 if never. */
  movedAt: number;
  keys: readonly Key[];
  budgets: readonly Budget[];
  /** Running jobs only. */
  jobs: readonly Pick<JobLine, 'id' | 'deadline_at'>[];
  /** For operators only. */
  storeTrouble?: string | undefined;
  clockOffsetS?: number | undefined;
  /** The size of the default partition of the request log, if it is too large. */
  restMb?: number | undefined;
}

/** An incident that lasts as long as its condition. */
export type Condition = Pick<
  Incident,
  'kind' | 'severe' | 'subject' | 'message' | 'started_at' | 'cost_usd'
>;

/** The share of a cap or budget. */
const nearShare = 0.8;
const deadlineMs = 10 * minuteMs;

/** Severe ones first. */
export function conditionsOf(facts: ConditionFacts, now: number): Condition[] {
  const found = [
    ...ofGateway(facts),
    ...ofBalance(facts),
    ...facts.keys.flatMap((key) => ofKey(key, now)),
    ...facts.budgets.flatMap((budget) => ofBudget(budget, now)),
    ...facts.jobs.flatMap((job) => ofJob(job, now)),
  ];
  return found.toSorted((one, other) => Number(other.severe) - Number(one.severe));
}

function ofGateway({ storeTrouble, clockOffsetS, restMb }: ConditionFacts): Condition[] {
  const found: Condition[] = [];
  const unknown = { started_at: null, cost_usd: null };
  if (storeTrouble !== undefined) {
    const about = { kind: 'store', subject: 'store', message: storeTrouble } as const;
    found.push({ ...about, ...unknown, severe: true });
  }
  if (restMb !== undefined) {
    const message =
      `The default partition of the request log has ${restMb} MB, so no new partitions are made ` +
      'and old rows are deleted one by one. The page “Store” of the documentation says what to do.';
    found.push({ kind: 'store', severe: false, subject: 'requests_rest', message, ...unknown });
  }
  if (clockOffsetS !== undefined) {
    const message = `The clock of the store differs from this machine’s by ${clockOffsetS} seconds.`;
    found.push({ kind: 'clock', severe: false, subject: 'clock', message, ...unknown });
  }
  return found;
}

/** Only a movement of money can end it, so the last one tells two low balances apart. */
function ofBalance({ account, movedAt }: ConditionFacts): Condition[] {
  const { id, balance_usd, low_balance_usd, created_at } = account;
  if (balance_usd > 0 && balance_usd >= low_balance_usd) return [];
  const severe = balance_usd <= 0;
  const message = severe
    ? 'The balance is empty. Requests are refused until a top-up.'
    : 'The balance is below the account’s threshold.';
  const startedAt = movedAt === 0 ? created_at : new Date(movedAt).toISOString();
  return [
    { kind: 'balance_low', severe, subject: id, message, started_at: startedAt, cost_usd: null },
  ];
}

function ofKey(key: Key, now: number): Condition[] {
  const isOver = key.expires_at !== null && Date.parse(key.expires_at) <= now;
  if (key.revoked_at !== null || isOver) return [];
  const { id, name, used_today_usd: today, used_this_month_usd: month } = key;
  const of = { kind: 'key_cap', subject: id } as const;
  return ofCaps(key, [today, month], of, `The key “${name}”`, now);
}

function ofBudget(budget: Budget, now: number): Condition[] {
  const { tag, value, today_usd: today, this_month_usd: month } = budget;
  const subject = `${tag}=${value}`;
  const of = { kind: 'budget', subject } as const;
  return ofCaps(budget, [today, month], of, `The budget of ${subject}`, now);
}

function ofCaps(
  { daily_cap_usd, monthly_cap_usd }: Pick<Key, 'daily_cap_usd' | 'monthly_cap_usd'>,
  [today, month]: readonly [number, number],
  of: Pick<Condition, 'kind' | 'subject'>,
  whose: string,
  now: number,
): Condition[] {
  const day = new Date(now).toISOString().slice(0, 10);
  const caps = [
    { period: 'daily', since: day, cap: daily_cap_usd, used: today },
    { period: 'monthly', since: `${day.slice(0, 7)}-01`, cap: monthly_cap_usd, used: month },
  ];
  return caps.flatMap(({ period, since, cap, used }) => {
    if (cap === null || cap === 0 || used / cap < nearShare) return [];
    const percent = Math.floor((100 * used) / cap);
    const message = `${whose} has used ${percent} % of its ${period} cap.`;
    const startedAt = `${since}T00:00:00.000Z`;
    return { ...of, severe: used >= cap, message, started_at: startedAt, cost_usd: used };
  });
}

function ofJob({ id, deadline_at }: ConditionFacts['jobs'][number], now: number): Condition[] {
  const leftMs = Date.parse(deadline_at) - now;
  if (leftMs >= deadlineMs) return [];
  const minutes = Math.max(0, Math.ceil(leftMs / minuteMs));
  const message = `The job ${id} fails in ${minutes} min if it has not finished.`;
  const startedAt = new Date(Date.parse(deadline_at) - deadlineMs).toISOString();
  return [
    {
      kind: 'job_deadline',
      severe: false,
      subject: id,
      message,
      started_at: startedAt,
      cost_usd: null,
    },
  ];
}
