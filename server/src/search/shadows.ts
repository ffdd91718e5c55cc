// Shadow calls: a share of searches is asked again on other engines, after the caller has its
// answer, so that the engines can be compared. Another account pays, and what is found is only
// counted.
import type { SearchEngineId, SearchRequest } from '@trivium/contract';
import type { Done } from '../billing/index.ts';
import type { Evidence, EngineAnswer } from '../quality/index.ts';
import { classOfSearch } from '../quality/core/index.ts';
import type { Caller, RequestContext } from '../requests/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import type { ShadowSettings } from '../settings/index.ts';
import { compareLists } from './core/overlap.ts';
import type { OverlapCounts } from './overlap-counts.ts';

/** Asks one engine as the account that pays; undefined when it was not asked at all. */
export type AskShadow = (
  request: object,
  caller: Caller,
) => Promise<{ pages: readonly string[]; cost: number } | 'failed' | undefined>;

export interface Shadows {
  /** Chooses by chance, and returns at once. */
  offer: (request: SearchRequest, requestContext: RequestContext, done: Done) => void;
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
const maxRunning = 4;
const maxWaiting = 100;
/** More are not compared. */
const maxResults = 10;

interface Waiting {
  request: SearchRequest;
  account_id: string;
  policy: RequestPolicy | undefined;
  own: EngineAnswer;
}

export function makeShadows(context: ShadowContext): Shadows {
  const { clock, log, random, settings } = context;
  const waiting: Waiting[] = [];
  const counts = { asked: 0, failed: 0, refused: 0, dropped: 0 };
  let [running, isStopped] = [0, false];
  const work = async () => {
    running += 1;
    try {
      await clock.sleep(delayMs);
      for (let one = waiting.shift(); one && !isStopped; one = waiting.shift()) {
        await repeatSearch(context, one, counts);
      }
    } catch (error) {
      log.warn({ err: error }, 'a search could not be repeated as a shadow');
    } finally {
      running -= 1;
    }
  };
  return {
    offer: (request, requestContext, done) => {
      if (isStopped || !isWanted(settings, request, requestContext, done)) return;
      if (random() >= settings.share) return;
      if (waiting.length >= maxWaiting) {
        counts.dropped += 1;
        return;
      }
      const { account_id, policy } = requestContext.caller;
      waiting.push({ request, account_id, policy, own: ownAnswer(requestContext, done) });
      if (running < maxRunning) void work();
    },
    stop: () => {
      isStopped = true;
      counts.dropped += waiting.length;
      waiting.length = 0;
    },
    counts: () => counts,
  };
}

/** A panel is compared anyway, and an answer from the cache was compared when it was fetched. */
function isWanted(
  { accounts, excluded, tags }: ShadowSettings,
  { provider }: SearchRequest,
  { caller: { account_id }, tags: given }: RequestContext,
  { fromCache }: Done,
): boolean {
  if (provider === 'fusion' || fromCache || excluded.has(account_id)) return false;
  if (accounts.size > 0 && !accounts.has(account_id)) return false;
  if (tags.length === 0) return true;
  const own = given?.split(',') ?? [];
  return tags.some((tag) => own.includes(tag));
}

const idFrom = '{"id":"'.length;
const idLength = 'res_0123456789abcdef'.length;

function ownAnswer({ seen }: RequestContext, { cost, pieces = [] }: Done): EngineAnswer {
  const ms = seen.attempts.findLast(({ provider }) => provider === seen.provider)?.ms ?? 0;
  return {
    engine: seen.provider ?? '',
    pages: pieces.slice(0, maxResults).map((piece) => piece.slice(idFrom, idFrom + idLength)),
    call: { cost: cost.amount, ms },
  };
}

async function repeatSearch(
  { clock, settings, evidence, overlap, payer, ask }: ShadowContext,
  { request, account_id, policy, own }: Waiting,
  counts: Record<'asked' | 'failed' | 'refused', number>,
): Promise<void> {
  const paying = await payer();
  if (paying?.account_id === account_id) return;
  const others = settings.engines.filter((engine) => engine !== own.engine);
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
  const all = [own, ...answers.flat()];
  if (all.length < 2) return;
  evidence.note({ account_id, class: classOfSearch(request), answers: all });
  overlap?.add(
    compareLists(
      all.map(({ engine, pages = [] }) => ({ engine: engine as SearchEngineId, pages })),
    ),
  );
}

/** The same question without what costs more and is not compared. */
function shadowOf(
  { content: _content, provider_options: _options, mode: _mode, ...request }: SearchRequest,
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
