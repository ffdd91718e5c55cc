// Shadow calls: a share of searches is repeated on other engines after the caller has its answer, so
// that the engines can be compared. Another account pays, and the results are only counted.
import type { SearchEngineId, SearchRequest } from '@trivium/contract';
import { minuteMs } from '@trivium/contract/durations';
import type { Done } from '../billing/index.ts';
import type { EngineAnswer } from '../quality/index.ts';
import { classOfSearch, isComparable } from '../quality/core/index.ts';
import type { Caller, CurrentRequest } from '../requests/index.ts';
import { makeConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import type { Log } from '../platform/log.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import type { ShadowSettings } from '../settings/index.ts';
import type { SearchContext, Shadows } from './context.ts';
import { compareLists } from './overlap.ts';

/** The account that pays for shadow calls. */
interface Payer {
  /** Undefined if its key is unknown, revoked or expired. */
  identify: () => Promise<Caller | undefined>;
  ask: AskShadow;
}

/** Asks one engine. Undefined if it was not called at all. */
export type AskShadow = (
  request: object,
  caller: Caller,
) => Promise<{ pages: readonly string[]; cost: number } | 'failed' | undefined>;

type ShadowCounts = ReturnType<Shadows['counts']>;

/** By then the caller has its answer. */
const delayMs = 100;
/** After a longer wait, the answers of other engines would not be comparable. */
const limits = { name: 'shadow_calls', maxRunning: 4, maxWaiting: 100, maxWaitMs: minuteMs };
/** Only the first results are compared. */
const maxResults = 10;

interface Waiting {
  request: SearchRequest;
  account_id: string;
  policy: RequestPolicy | undefined;
  /** Undefined if the search failed. */
  own: EngineAnswer | undefined;
  /** The failed calls of the search itself, including those before another engine answered. */
  failed: readonly EngineAnswer[];
}

export function makeShadows(
  context: Pick<SearchContext, 'clock' | 'log' | 'evidence' | 'overlap'> & { random: () => number },
  settings: ShadowSettings,
  { identify, ask }: Payer,
): Shadows {
  const { clock, log, random } = context;
  const payer = { identify: warnAboutKey(identify, log), ask };
  const limiter = makeConcurrencyLimiter(limits, clock);
  const stopped = new AbortController();
  const counts = { asked: 0, failed: 0, refused: 0, dropped: 0 };
  const repeat = async (one: Waiting) => {
    if (!(await limiter.enter(one.account_id, stopped.signal))) {
      counts.dropped += 1;
      return;
    }
    try {
      await clock.sleep(delayMs);
      if (stopped.signal.aborted) counts.dropped += 1;
      else await repeatSearch(context, settings.engines, payer, one, counts);
    } catch (error) {
      log.warn({ err: error }, 'a search could not be repeated as a shadow');
    } finally {
      limiter.leave(one.account_id);
    }
  };
  // Warns at start. If it fails, the next search asks again.
  payer.identify().catch(() => undefined);
  return {
    offer: (request, currentRequest, done) => {
      if (stopped.signal.aborted || !isWanted(settings, request, currentRequest, done)) return;
      if (random() >= settings.share) return;
      const failed = failedCalls(currentRequest);
      if (!done && failed.length === 0) return;
      const { account_id, policy } = currentRequest.caller;
      const own = done && ownAnswer(currentRequest, done);
      void repeat({ request, account_id, policy, own, failed });
    },
    stop: () => stopped.abort(),
    counts: () => counts,
  };
}

/** Warns when the key becomes invalid, because then no engines are compared. */
function warnAboutKey(identify: Payer['identify'], log: Log): Payer['identify'] {
  let isValid = true;
  return async () => {
    const found = await identify();
    if (!found && isValid) {
      log.warn(
        'TRIVIUM_SHADOW_KEY is unknown, revoked or expired, so no search is repeated as a shadow',
      );
    }
    isValid = found !== undefined;
    return found;
  };
}

/**
 * A panel is always compared, and a cached answer was compared when it was fetched. An answer is not
 * what the engine alone would give if it has other options, if parts were blocked or cut, or if its
 * caller disconnected.
 */
function isWanted(
  { accounts, excluded, tags }: ShadowSettings,
  request: SearchRequest,
  { caller: { account_id }, tags: given, content, signal }: CurrentRequest,
  done: Done | undefined,
): boolean {
  if (request.provider === 'fusion' || done?.fromCache || excluded.has(account_id)) return false;
  if (!isComparable(request) || request.mode !== undefined || signal?.aborted) return false;
  if (content?.mode === 'block' || content?.max_tokens !== undefined) return false;
  if (accounts.size > 0 && !accounts.has(account_id)) return false;
  if (tags.length === 0) return true;
  const own = given?.split(',') ?? [];
  return tags.some((tag) => own.includes(tag));
}

const idFrom = '{"id":"'.length;
const idLength = 'res_0123456789abcdef'.length;

function ownAnswer({ seen }: CurrentRequest, { cost, pieces = [] }: Done): EngineAnswer {
  const ms = seen.attempts.findLast(({ provider }) => provider === seen.provider)?.ms ?? 0;
  return {
    engine: seen.provider ?? '',
    pages: pieces.slice(0, maxResults).map((piece) => piece.slice(idFrom, idFrom + idLength)),
    call: { cost: cost.amount, ms },
  };
}

/** Outcomes that the gateway or the caller caused say nothing about the engine. */
const notFailures = new Set(['answered', 'no_results', 'overloaded', 'abandoned']);

function failedCalls({ seen: { attempts } }: CurrentRequest): EngineAnswer[] {
  // A call that succeeded when it was repeated did not fail.
  const last = new Map(attempts.map((attempt) => [attempt.provider, attempt]));
  return [...last.values()].flatMap(({ provider: engine, outcome, ms }) => {
    if (notFailures.has(outcome)) return [];
    return [{ engine, pages: undefined, call: { cost: 0, ms } }];
  });
}

async function repeatSearch(
  { clock, evidence, overlap }: Pick<SearchContext, 'clock' | 'evidence' | 'overlap'>,
  compared: ShadowSettings['engines'],
  { identify, ask }: Payer,
  { request, account_id, policy, own, failed }: Waiting,
  counts: ShadowCounts,
): Promise<void> {
  const paying = await identify();
  if (paying?.account_id === account_id) return;
  const called = [...failed, ...(own ? [own] : [])];
  const others = own ? compared.filter((one) => !called.some(({ engine }) => engine === one)) : [];
  const caller = paying && strictest(paying, policy);
  const allowed = caller?.policy?.providers;
  const engines = others.filter((engine) => allowed?.includes(engine) ?? true);
  counts.refused += others.length - (caller ? engines.length : 0);
  if (!caller) return;
  const answers = await Promise.all(
    engines.map(async (engine): Promise<EngineAnswer[]> => {
      const began = clock.ticks();
      const found = await ask(shadowOf(request, engine), caller);
      const ms = clock.ticks() - began;
      if (found === undefined) {
        counts.refused += 1;
        return [];
      }
      const { pages, cost } = found === 'failed' ? { pages: undefined, cost: 0 } : found;
      counts[pages ? 'asked' : 'failed'] += 1;
      return [{ engine, pages, call: { cost, ms } }];
    }),
  );
  const all = [...called, ...answers.flat()];
  if (own && all.length < 2) return;
  evidence?.note({ account_id, class: classOfSearch(request), answers: all });
  overlap?.add(
    account_id,
    compareLists(
      all.map(({ engine, pages = [] }) => ({ engine: engine as SearchEngineId, pages })),
    ),
  );
}

/** The same search, without options that cost more and are not compared. */
function shadowOf(
  { content: _content, provider_options: _options, ...request }: SearchRequest,
  engine: string,
): object {
  return {
    ...request,
    provider: engine,
    strict: false,
    max_results: Math.min(request.max_results, maxResults),
  };
}

/**
 * The account that pays, under the caller's rules as well: only engines and pages that both allow,
 * and the query is not kept. The rate limits are those of the account that pays.
 */
function strictest(payer: Caller, policy: RequestPolicy | undefined): Caller {
  const own = payer.policy;
  const providers = inBoth(own?.providers, policy?.providers);
  const allowsOwn = own?.allowsPage;
  const allowsCaller = policy?.allowsPage;
  const allowsPage =
    allowsOwn || allowsCaller
      ? (url: string) => (allowsOwn?.(url) ?? true) && (allowsCaller?.(url) ?? true)
      : undefined;
  const { content: _content, ...rest } = own ?? {};
  return {
    ...payer,
    policy: {
      ...rest,
      ...(providers ? { providers } : {}),
      ...(allowsPage ? { allowsPage } : {}),
      keep_query_hours: 0,
    },
  };
}

function inBoth<T>(
  one: readonly T[] | undefined,
  other: readonly T[] | undefined,
): readonly T[] | undefined {
  if (!one || !other) return one ?? other;
  return one.filter((id) => other.includes(id));
}
