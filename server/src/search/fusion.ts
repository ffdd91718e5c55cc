// Fusion: calls all members of the panel at once, calls late ones once more, and merges their
// lists.
import {
  defaultFusionPanel,
  defaultFusionTimeoutMs,
  FusionOptions,
  GatewayError,
} from '@trivium/contract';
import type { SearchEngineId, SearchRequest, Warning } from '@trivium/contract';
import { reasonForFewPages } from './core/explain.ts';
import { fuse, type Fusion, type Listed } from './core/merge.ts';
import { compareMembers, type PairOverlap } from './overlap.ts';
import type { Attempt, CostPart } from '../requests/index.ts';
import type { RequestPolicy } from '../policy/core/index.ts';
import type { Panel as ComparedPanel, EngineAnswer } from '../quality/index.ts';
import type { Refusal } from '../upstream/core/index.ts';
import type { Budget, UpstreamContext } from '../upstream/index.ts';
import { classOfSearch, isComparable } from '../quality/core/index.ts';
import type { Panel } from './engine-choice.ts';
import {
  type CallPlan,
  type CheckedCost,
  maxCostOfAll,
  policyCeiling,
  sumOfCosts,
} from '../billing/index.ts';
import { callsMs, fusionTries, timeForFusion } from '../platform/time-limits.ts';
import { type CachedSearch, fillFromCache } from './cached-search.ts';
import { performSearch, planSearch, type SearchOutcome, type SearchPlan } from './search-engine.ts';

export interface FusionPlan extends CallPlan {
  request: SearchRequest;
  /** One per member, in the order of the panel. */
  members: SearchPlan[];
  options: FusionOptions;
  /** Warnings known before any member is called. */
  warnings: Warning[];
}

/** A member that returned no list. */
interface Failed {
  engine: SearchEngineId;
  reason: string;
  refusal: Refusal;
}

/** For the comparison of engines, once the answer is paid for. */
interface Compared {
  panel: Omit<ComparedPanel, 'account_id'>;
  pairs: readonly PairOverlap[];
}

type FusionOutcome =
  | {
      ok: true;
      fusion: Fusion;
      /** Why there are few pages, if there are. */
      fewPages: string | undefined;
      warnings: Warning[];
      cost: CheckedCost;
      /** What each member cost. */
      parts: CostPart[];
      /** Absent where the answers say nothing about the engines. */
      compared?: Compared;
    }
  | { ok: false; failed: Failed[] };

export function planFusion(
  context: UpstreamContext,
  panel: Panel,
  request: SearchRequest,
  policy?: RequestPolicy,
  cached?: CachedSearch,
): FusionPlan {
  const options = FusionOptions.parse(request.provider_options?.fusion ?? {});
  const members = panel.members.map((chosen) =>
    planSearch(context, chosen, request, policy, cached?.knows(chosen)),
  );
  return {
    provider: 'fusion',
    calls: members.map(({ chosen }) => chosen.provider.id),
    request,
    members,
    options,
    warnings: panel.warnings,
    time: timeForFusion(context.settings.provider_queue_ms, options.timeout_ms),
    maxCost: maxCostOfAll(
      policyCeiling(context.settings, policy),
      members.flatMap(({ chosen, maxCost }) => (cached?.knows(chosen) ? [] : [maxCost])),
      'provider_options',
    ),
  };
}

export async function performFusion(
  context: UpstreamContext,
  plan: FusionPlan,
  budget: Budget,
  cached?: CachedSearch,
): Promise<FusionOutcome> {
  const { request, options, time } = plan;
  const isHurried = time.vendorMs < defaultFusionTimeoutMs;
  const own = isHurried ? { ...budget, hurried: true as const } : budget;
  const answers = await Promise.all(
    plan.members.map((member) =>
      cached
        ? fillFromCache(cached, member.chosen, callsMs(time), () => askMember(context, member, own))
        : askMember(context, member, own),
    ),
  );
  const failed: Failed[] = [];
  const lists = new Map<SearchEngineId, readonly Listed[]>();
  const reported: MemberWarning[] = [];
  const costs: CheckedCost[] = [];
  const parts: CostPart[] = [];
  plan.members.forEach((member, position) => {
    const engine = engineOf(member);
    const answer = answers[position];
    if (!answer?.ok) {
      if (answer) failed.push({ engine, ...answer });
      return;
    }
    lists.set(engine, answer.found);
    reported.push(...answer.warnings.map((warning) => ({ engine, warning })));
    costs.push(answer.cost);
    const { amount, reported: report } = answer.cost;
    parts.push({ provider: engine, amount, reported: report !== undefined });
  });
  if (lists.size === 0) return { ok: false, failed };
  const rules = { ...request.content?.snippets, top_k: options.top_k };
  const fusion = fuse(plan.members.map(engineOf), lists, rules);
  const compared = compareFetched(plan, answers, fusion, budget);
  const fewPages = reasonForFewPages(fusion, {
    panel: options.providers ?? defaultFusionPanel,
    answered: [...lists.keys()],
    maxResults: request.max_results,
    topK: options.top_k,
  });
  const warnings = [...plan.warnings, ...failed.map(droppedMember), ...mergeWarnings(reported)];
  const cost = sumOfCosts(context.settings, costs);
  return { ok: true, fusion, fewPages, warnings, cost, parts, ...(compared ? { compared } : {}) };
}

/**
 * What the members that were called say about each other. Undefined if the caller left, or changed
 * what the members are asked or how long they may take.
 */
function compareFetched(
  { request, options, members }: FusionPlan,
  answers: readonly (MemberAnswer | undefined)[],
  fusion: Fusion,
  { attempts = [], signal }: Budget,
): Compared | undefined {
  if (signal?.aborted || !isComparable(request)) return undefined;
  if (options.timeout_ms < defaultFusionTimeoutMs) return undefined;
  const called = new Map(attempts.map((attempt) => [attempt.provider, attempt]));
  const fetched = members.flatMap((member, position) => {
    const engine = engineOf(member);
    const attempt = called.get(engine);
    return attempt ? [answerOf(engine, answers[position], attempt)] : [];
  });
  const engines = new Set(fetched.map(({ engine }) => engine));
  if (engines.size < 2) return undefined;
  const pairs = compareMembers(fusion).filter(({ pair }) => pair.every((one) => engines.has(one)));
  return { panel: { class: classOfSearch(request), answers: fetched }, pairs };
}

/** They say nothing about the vendor: the gateway had no room, or the caller disconnected. */
const saysNothing: readonly string[] = ['overloaded', 'abandoned'];

/** What a member did, for the comparison of engines. */
function answerOf(
  engine: SearchEngineId,
  answer: MemberAnswer | undefined,
  attempt: Attempt,
): EngineAnswer {
  const cost = answer?.ok ? answer.cost.amount : 0;
  return {
    engine,
    pages: answer?.ok ? answer.found.map(({ url }) => url) : undefined,
    call: !saysNothing.includes(attempt.outcome) ? { cost, ms: attempt.ms } : undefined,
  };
}

type MemberAnswer =
  | Extract<SearchOutcome, { ok: true }>
  | { ok: false; reason: string; refusal: Refusal };

async function askMember(
  context: UpstreamContext,
  member: SearchPlan,
  budget: Budget,
): Promise<MemberAnswer> {
  let outcome = await performSearch(context, member, budget);
  let tries = 1;
  while (!outcome.ok && outcome.refusal.late && tries < fusionTries && !budget.signal?.aborted) {
    outcome = await performSearch(context, member, budget);
    tries += 1;
  }
  if (outcome.ok) return outcome;
  const { refusal } = outcome;
  const message = refusal.message.replace(/\.$/, '');
  const reason = tries > 1 ? `${message}, asked ${tries} times` : message;
  return { ok: false, reason, refusal };
}

function engineOf({ chosen }: SearchPlan): SearchEngineId {
  return chosen.provider.id as SearchEngineId;
}

function droppedMember({ engine, reason }: Failed): Warning {
  return {
    code: 'results_post_filtered',
    message: `${engine}: dropped from the panel: ${reason}.`,
  };
}

interface MemberWarning {
  engine: SearchEngineId;
  warning: Warning;
}

/** A warning that several members share is given once, with all their ids. */
function mergeWarnings(reported: readonly MemberWarning[]): Warning[] {
  const groups = new Map<string, { engines: SearchEngineId[]; warning: Warning }>();
  for (const { engine, warning } of reported) {
    // A vendor's own warning already names its engine.
    const prefix = `${engine}: `;
    const own = warning.message.startsWith(prefix);
    const message = own ? warning.message.slice(prefix.length) : warning.message;
    const words = JSON.stringify([warning.code, warning.param, message]);
    const group = groups.get(words) ?? { engines: [], warning: { ...warning, message } };
    group.engines.push(engine);
    groups.set(words, group);
  }
  return [...groups.values()].map(({ engines, warning }) => ({
    ...warning,
    message: `${engines.join(', ')}: ${warning.message}`,
  }));
}

/** If no member returned a list, the error gives the reason of each. */
export function panelError(failed: readonly Failed[]): GatewayError {
  const reasons = failed.map(({ engine, reason }) => `${engine}: ${reason}`);
  return new GatewayError(
    'provider_error',
    `No member of the fusion panel answered. ${reasons.join('; ')}.`,
    {
      provider: 'fusion',
      members: failed.map(({ engine, reason, refusal }) => ({
        provider: engine,
        reason,
        status: refusal.status ?? null,
        body: refusal.body ?? null,
      })),
    },
  );
}
