// Fusion as a verb: all members asked at once, the late ones once more, and their lists merged.
import { default_fusion_timeout_ms, FusionOptions } from '@trivium/contract';
import type { SearchEngineId, SearchRequest, Warning } from '@trivium/contract';
import { fuse } from '../domain/fusion.ts';
import type { Fusion, Listed } from '../domain/fusion.ts';
import type { Amount } from '../domain/amount.ts';
import type { Refusal } from '../domain/refusal.ts';
import type { SnippetCaps } from '../domain/text.ts';
import type { House } from './house.ts';
import { choosePanel } from './panel.ts';
import { maxCostOfAll, sumOfCosts } from './price-call.ts';
import type { CheckedCost } from './price-call.ts';
import { performUncapped, planSearch, search_bounds } from './search-one.ts';
import type { SearchOutcome, SearchPlan } from './search-one.ts';

export interface FusionPlan {
  /** One for each member, in the order of the panel. */
  members: SearchPlan[];
  options: FusionOptions;
  caps: SnippetCaps;
  /** What is known before anyone is asked. */
  warnings: Warning[];
  /** The most all members together can cost. */
  maxCost: Amount;
}

/** A member that gave no list. */
export interface Failed {
  engine: SearchEngineId;
  reason: string;
  refusal: Refusal;
}

export type FusionOutcome =
  | { ok: true; fusion: Fusion; warnings: Warning[]; cost: CheckedCost }
  | { ok: false; failed: Failed[] };

export function planFusion(house: House, request: SearchRequest): FusionPlan {
  const options = FusionOptions.parse(request.provider_options?.fusion ?? {});
  const panel = choosePanel(house.stations, options.providers);
  const members = panel.members.map((chosen) => planSearch(house, chosen, request));
  return {
    members,
    options,
    caps: request.content?.snippets ?? {},
    warnings: panel.warnings,
    maxCost: maxCostOfAll(
      house.settings,
      members.map(({ maxCost }) => maxCost),
      'provider_options',
    ),
  };
}

export async function performFusion(
  house: House,
  plan: FusionPlan,
  signal?: AbortSignal,
): Promise<FusionOutcome> {
  const { options, caps } = plan;
  const heard = await Promise.all(
    plan.members.map((member) => hearMember(house, member, options.timeout_ms, signal)),
  );
  const failed: Failed[] = [];
  const lists = new Map<SearchEngineId, readonly Listed[]>();
  const told: Told[] = [];
  const costs: CheckedCost[] = [];
  plan.members.forEach((member, position) => {
    const engine = engineOf(member);
    const answer = heard[position];
    if (!answer?.ok) {
      if (answer) failed.push({ engine, ...answer });
      return;
    }
    lists.set(engine, answer.found);
    told.push(...answer.warnings.map((warning) => ({ engine, warning })));
    costs.push(answer.cost);
  });
  if (lists.size === 0) return { ok: false, failed };
  const fusion = fuse(plan.members.map(engineOf), lists, { ...caps, top_k: options.top_k });
  const warnings = [...plan.warnings, ...failed.map(droppedMember), ...mergeWarnings(told)];
  return { ok: true, fusion, warnings, cost: sumOfCosts(house.settings, costs) };
}

type Heard = Extract<SearchOutcome, { ok: true }> | { ok: false; reason: string; refusal: Refusal };

/** How often a member is asked: once, and once more if it was late. */
export const fusion_tries = 2;

async function hearMember(
  house: House,
  member: SearchPlan,
  timeout_ms: number,
  signal: AbortSignal | undefined,
): Promise<Heard> {
  const budget = {
    timeout_ms,
    ...search_bounds,
    ...(timeout_ms < default_fusion_timeout_ms ? { hurried: true as const } : {}),
    ...(signal ? { signal } : {}),
  };
  let outcome = await performUncapped(house, member, budget);
  let tries = 1;
  while (!outcome.ok && outcome.refusal.late && tries < fusion_tries && !signal?.aborted) {
    outcome = await performUncapped(house, member, budget);
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

interface Told {
  engine: SearchEngineId;
  warning: Warning;
}

/** What several members say in the same words is said once, with all their names. */
function mergeWarnings(told: readonly Told[]): Warning[] {
  const groups = new Map<string, { engines: SearchEngineId[]; warning: Warning }>();
  for (const { engine, warning } of told) {
    // A vendor's own warning names its engine already.
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
