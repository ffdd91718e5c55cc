// Shadow calls: a share of searches is asked again on other engines, after the caller has its
// answer, so that the engines can be compared. Another account pays, and what is found is only
// counted.
import type { SearchEngineId, SearchRequest } from '@trivium/contract';
import { minuteMs } from '@trivium/contract/durations';
import type { Done } from '../billing/index.ts';
import type { Evidence, EngineAnswer } from '../quality/index.ts';
import { classOfSearch, isComparable } from '../quality/core/index.ts';
import type { Caller, CurrentRequest } from '../requests/index.ts';
import type { Clock } from '../platform/clock.ts';
import { makeConcurrencyLimiter } from '../platform/concurrency-limiter.ts';
import type { Log } from '../platform/log.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import type { ShadowSettings } from '../settings/index.ts';
import { compareLists, type OverlapCounts } from './overlap.ts';

/** Asks one engine as the account that pays; undefined when it was not asked at all. */
export type AskShadow = (
  request: object,
  caller: Caller,
) => Promise<{ pages: readonly string[]; cost: number } | 'failed' | undefined>;

export interface Shadows {
  /**
   * Chooses by chance, and returns at once. Without `done` the search failed: it is not repeated,
   * and the failures of its engines are counted.
   */
  offer: (request: SearchRequest, currentRequest: CurrentRequest, done?: Done) => void;
  /** No search is repeated any more; those that wait are dropped. */
  stop: () => void;
  counts: () => Readonly<Record<'asked' | 'failed' | 'refused' | 'dropped', number>>;
}

interface ShadowContext {
  clock: Clock;
  log: Log;
  random: () => number;
  settings: ShadowSettings;
  evidence: Pick<Evidence, 'note'>;
  overlap?: Pick<OverlapCounts, 'add'>;
  /** The account that pays; undefined when its key is unknown, revoked or expired. */
  payer: () => Promise<Caller | undefined>;
  ask: AskShadow;
}

/** A caller has its answer long before. */
const delayMs = 100;
/** After a longer wait, the answers of other engines would not be comparable. */
const limits = { name: 'shadow_calls', maxRunning: 4, maxWaiting: 100, maxWaitMs: minuteMs };
/** More are not compared. */
const maxResults = 10;

interface Waiting {
  request: SearchRequest;
  account_id: string;
  policy: RequestPolicy | undefined;
  /** Undefined for a search that failed. */
  own: EngineAnswer | undefined;
  /** Calls of the search itself that failed, before another engine was asked or at its end. */
  failed: readonly EngineAnswer[];
}

export function makeShadows(given: ShadowContext): Shadows {
  const context = { ...given, payer: warnAboutKey(given) };
  const { clock, log, random, settings } = context;
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
      else await repeatSearch(context, one, counts);
    } catch (error) {
      log.warn({ err: error }, 'a search could not be repeated as a shadow');
    } finally {
      limiter.leave(one.account_id);
    }
  };
  // The next search asks again.
  context.payer().catch(() => undefined);
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

/** At start and whenever the key becomes invalid: nothing else would say that nothing is compared. */
function warnAboutKey({ payer, log }: Pick<ShadowContext, 'payer' | 'log'>) {
  let isValid = true;
  return async (): Promise<Caller | undefined> => {
    const found = await payer();
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
 * A panel is compared anyway, and an answer from the cache was compared when it was fetched. Neither
 * is an answer to other options, without blocked or cut parts, or incomplete because its caller
 * left, the answer of the engine.
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

/** What this gateway or the caller caused says nothing about the engine. */
const notFailures = new Set(['answered', 'no_results', 'overloaded', 'abandoned']);

function failedCalls({ seen: { attempts } }: CurrentRequest): EngineAnswer[] {
  // A call that was repeated with success did not fail.
  const last = new Map(attempts.map((attempt) => [attempt.provider, attempt]));
  return [...last.values()].flatMap(({ provider: engine, outcome, ms }) => {
    if (notFailures.has(outcome)) return [];
    return [{ engine, pages: undefined, call: { cost: 0, ms } }];
  });
}

async function repeatSearch(
  { clock, settings, evidence, overlap, payer, ask }: ShadowContext,
  { request, account_id, policy, own, failed }: Waiting,
  counts: Record<'asked' | 'failed' | 'refused', number>,
): Promise<void> {
  const paying = await payer();
  if (paying?.account_id === account_id) return;
  const called = [...failed, ...(own ? [own] : [])];
  const others = own
    ? settings.engines.filter((one) => !called.some(({ engine }) => engine === one))
    : [];
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
      if (found === undefined) counts.refused += 1;
      else if (found === 'failed') counts.failed += 1;
      else counts.asked += 1;
      if (found === undefined) return [];
      return found === 'failed'
        ? [{ engine, pages: undefined, call: { cost: 0, ms } }]
        : [{ engine, pages: found.pages, call: { cost: found.cost, ms } }];
    }),
  );
  const all = [...called, ...answers.flat()];
  if (own && all.length < 2) return;
  evidence.note({ account_id, class: classOfSearch(request), answers: all });
  overlap?.add(
    account_id,
    compareLists(
      all.map(({ engine, pages = [] }) => ({ engine: engine as SearchEngineId, pages })),
    ),
  );
}

/** The same question without what costs more and is not compared. */
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
 * The account that pays, under the rules of the caller as well: no engine and no page that either
 * forbids, and the query is not kept at all. Rate limits are those of the account that pays.
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
