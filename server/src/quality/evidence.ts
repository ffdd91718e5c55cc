// Compares the answers of several engines to one search in the background: requests only note what
// was found, and a round adds it up by day.
import { compareAnswers, opinionsOf } from '@trivium/shared/agreement';
import { pageKey } from '@trivium/shared/page-key';
import { resultId } from '../platform/ids.ts';
import { machine } from '../platform/machine.ts';
import { dayOf } from '../requests/core/index.ts';
import {
  addSums,
  noSums,
  observed,
  type QualityDay,
  type QualitySums,
} from './core/quality-day.ts';
import type { SearchClass } from './core/choose.ts';
import type { QualityContext } from './scorecard.ts';
import { addToQualityDays } from './store/quality-days.ts';

/** What one engine did for a search. */
export interface EngineAnswer {
  engine: string;
  /** Its pages in their order, as ids of results or URLs. Undefined if the call failed. */
  pages: readonly string[] | undefined;
  /** Undefined for a call that says nothing about price and latency. */
  call: { cost: number; ms: number } | undefined;
}

/** The answers of several engines to one search of an account. */
export interface Panel {
  account_id: string;
  class: SearchClass;
  answers: readonly EngineAnswer[];
}

/**
 * The share of first pages that two engines have in common, as far as an account may use it.
 * Undefined while it is not known.
 */
type OverlapOf = (one: string, other: string, accountId: string) => number | undefined;

/** At most this many panels wait for a round. */
const maxWaiting = 1000;

export type Evidence = ReturnType<typeof makeEvidence>;

export function makeEvidence({ database, clock }: QualityContext, overlapOf: OverlapOf) {
  let waiting: (Panel & { day: number })[] = [];
  const counts = { compared: 0, dropped: 0 };
  return {
    /** Returns at once. The panel is dropped if too many wait. */
    note: (panel: Panel) => {
      if (waiting.length >= maxWaiting) counts.dropped += 1;
      else waiting.push({ ...panel, day: dayOf(clock.now().getTime()) });
    },
    /** Counts all panels so far, and writes their sums. */
    flush: async () => {
      if (waiting.length === 0) return;
      const panels = waiting;
      waiting = [];
      try {
        const days = await sumUp(panels, overlapOf);
        // In one transaction, so that a retry counts nothing twice.
        await database.transaction((tx) => addToQualityDays(tx, days));
        counts.compared += panels.length;
      } catch (error) {
        // The next round tries again, before the panels noted since.
        waiting = [...panels, ...waiting].slice(0, maxWaiting);
        throw error;
      }
    },
    counts: () => counts,
  };
}

/** Only the first pages are compared. */
const maxPages = 10;

function idOf(page: string): string {
  return page.startsWith('res_') ? page : resultId(pageKey(page));
}

/** Requests are served between panels. */
async function sumUp(
  panels: readonly (Panel & { day: number })[],
  overlapOf: OverlapOf,
): Promise<QualityDay[]> {
  const days = new Map<string, QualityDay>();
  for (const { account_id, day, class: searched, answers } of panels) {
    await machine.nextTurn();
    for (const [engine, sums] of observations(answers, (one, other) =>
      overlapOf(one, other, account_id),
    )) {
      const row = { account_id, day, source: 'agreement' as const, engine, class: searched };
      const place = JSON.stringify(row);
      days.set(place, { ...row, ...addSums(days.get(place) ?? noSums, sums) });
    }
  }
  return [...days.values()];
}

/** What a panel says about each of its engines. A failed call says nothing about quality. */
function observations(
  answers: readonly EngineAnswer[],
  overlapOf: (one: string, other: string) => number | undefined,
): [engine: string, sums: QualitySums][] {
  const engines = answers.map(({ engine }) => engine);
  const answered = answers.flatMap(({ engine, pages }) =>
    pages ? [{ engine, pages: pages.slice(0, maxPages).map(idOf) }] : [],
  );
  const compared = compareAnswers(answered, opinionsOf(engines, overlapOf));
  return answers.map(({ engine, pages, call }) => {
    const quality = observed(compared.get(engine)?.agreement);
    const called = call
      ? { calls: 1, failures: pages ? 0 : 1, cost: call.cost, latency_ms: Math.round(call.ms) }
      : {};
    return [engine, { ...quality, ...called }];
  });
}
