// What happened to a request as rows on one time axis: the request, its calls, and the states of its
// job, each with its start, its end and its cost.
import type { JobLine, JobStep, RequestAttempt, RequestLine } from '@trivium/contract';

export interface WaterfallRow {
  name: string;
  /** Decides its colour; undefined for the request as a whole. */
  provider?: string;
  /** In milliseconds after the request arrived. Without a start, only the duration is known. */
  start: number | undefined;
  duration: number;
  /** How much of the duration it waited for a free slot. */
  queued?: number;
  attempt?: RequestAttempt;
  cost_usd?: number;
  /** How many calls the cost paid for, if there were several. */
  calls?: number;
  /** It has not ended. */
  running?: true;
}

type Name = (provider: string) => string;
type Calls = Pick<RequestLine, 'attempts' | 'cost_parts' | 'cost_usd'>;
type Asked = Calls & Pick<RequestLine, 'latency_ms' | 'created_at'>;
type Steps = Pick<JobLine, 'steps' | 'provider' | 'attempt' | 'finished_at' | 'cost_usd'>;

export const answered: Readonly<Record<string, string>> = {
  answered: 'Answered',
  no_results: 'No results',
};

export function waterfallRows(
  request: Asked,
  job: Steps | undefined,
  nameOf: Name,
  now: number,
): WaterfallRow[] {
  const { latency_ms: duration, cost_usd } = request;
  const whole = { name: 'Request', start: 0, duration };
  if (job) return [whole, ...stepRows(job, Date.parse(request.created_at), now)];
  return [
    { ...whole, cost_usd },
    ...attemptRows(request, nameOf),
    ...uncalledRows(request, nameOf),
  ];
}

function attemptRows(request: Calls, nameOf: Name): WaterfallRow[] {
  const { attempts } = request;
  const costs = costsOf(request);
  return attempts.map((attempt, place): WaterfallRow => {
    const { provider, started_ms: start, queued_ms: queued, latency_ms: duration } = attempt;
    const same = (one: RequestAttempt) => one.provider === provider;
    const order = attempts.slice(0, place + 1).filter(same).length;
    const name = attempts.filter(same).length === 1 ? '' : `, call ${order}`;
    return {
      name: nameOf(provider) + name,
      provider,
      start: start ?? undefined,
      duration,
      queued: queued ?? 0,
      attempt,
      ...costs.get(attempt),
    };
  });
}

/** The cost of a provider is that of all its answers, so it stands beside the last one. */
function costsOf({ attempts, cost_parts, cost_usd }: Calls) {
  const paid = attempts.filter(({ outcome }) => Object.hasOwn(answered, outcome));
  const only = cost_parts.length === 0 ? paid.at(-1)?.provider : undefined;
  const providers = Map.groupBy(paid, ({ provider }) => provider);
  const costs = [...providers].flatMap(([provider, own]) => {
    const last = own.at(-1);
    const cost = provider === only ? cost_usd : partOf(cost_parts, provider);
    return last && cost !== undefined
      ? [[last, { cost_usd: cost, calls: own.length }] as const]
      : [];
  });
  return new Map(costs);
}

function partOf(parts: RequestLine['cost_parts'], id: string): number | undefined {
  const own = parts.filter(({ provider }) => provider === id);
  return own.length === 0 ? undefined : own.reduce((sum, { cost_usd }) => sum + cost_usd, 0);
}

/** Members of a fusion whose answer came from the cache, which is immediate. */
function uncalledRows({ attempts, cost_parts }: Calls, nameOf: Name): WaterfallRow[] {
  const called = new Set(attempts.map(({ provider }) => provider));
  return cost_parts
    .filter(({ provider }) => !called.has(provider))
    .map(({ provider, cost_usd }) => ({
      name: `${nameOf(provider)}, from the cache`,
      provider,
      start: undefined,
      duration: 0,
      cost_usd,
    }));
}

const stepNames: Readonly<Record<JobStep['attempt_status'], string>> = {
  queued: 'Queued',
  submitting: 'Submission',
  waiting: 'Waiting for the provider',
  unknown: 'Checking whether the provider accepted it',
  completed: 'Transcript ready',
  failed: 'Job failed',
};

/** Each state lasts until the next one. The last one of a job that has ended is a moment. */
function stepRows(
  { steps, provider, attempt, finished_at, cost_usd }: Steps,
  arrived: number,
  now: number,
) {
  return steps.map((step, place): WaterfallRow => {
    const start = Math.max(0, Date.parse(step.at) - arrived);
    const next = steps[place + 1];
    const running = next === undefined && finished_at === null;
    const end = next ? Date.parse(next.at) - arrived : running ? now - arrived : start;
    const which = attempt === 1 ? '' : `, submission ${step.attempt}`;
    return {
      name: stepNames[step.attempt_status] + which,
      provider,
      start,
      duration: Math.max(0, end - start),
      ...(running ? { running } : {}),
      ...(next === undefined && !running ? { cost_usd } : {}),
    };
  });
}
