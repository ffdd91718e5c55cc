// The conclusions of an evaluation, one sentence each, limited to what the intervals support.
import { providerLabel } from '@trivium/contract/provider-names';
import { leastOpinions } from '@trivium/shared/agreement';
import type { Interval } from './bootstrap.ts';
import { pairedDifference } from './measure.ts';
import type { EngineReport, Report } from './measure.ts';

/** With fewer queries the intervals themselves are rough. */
const fewQueries = 30;
/** A share of empty or failed answers below this is not worth a sentence. */
const notableShare = 0.02;

const nameOfFigure = { ndcg: 'nDCG@10', agreement: 'agreement with the other engines' };

export function concludeFrom(report: Report): string[] {
  const { decides, engines, queries, sharing } = report;
  const known = engines.flatMap((engine) => {
    const figure = engine.figures[decides];
    return figure ? [{ engine, figure }] : [];
  });
  const ranked = known.toSorted((one, other) => other.figure.value - one.figure.value);
  const [best, ...others] = ranked;
  const measured = best?.engine.byQuery.size ?? 0;
  return [
    ...(best ? compare(best, others, decides) : [noFigure(report)]),
    ...(measured > 0 && measured < fewQueries
      ? [
          `Only ${count(measured, 'query', 'queries')} could be compared: with so few, intervals are rough.`,
        ]
      : []),
    ...sharing.map(
      (group) =>
        `${group.map(providerLabel).join(' and ')} share most of their pages, so they count as one opinion.`,
    ),
    ...engines.flatMap(({ engine, figures: { empty, failed } }) => [
      ...notable(empty, `${providerLabel(engine)} found nothing for`),
      ...notable(failed, `${providerLabel(engine)} failed for`),
    ]),
    ...(queries.length === 0 ? ['No query was answered by every engine.'] : []),
  ];
}

interface Ranked {
  engine: EngineReport;
  figure: Interval;
}

function compare(best: Ranked, others: readonly Ranked[], decides: Report['decides']): string[] {
  const name = providerLabel(best.engine.engine);
  const isAlike = ({ figure }: Ranked) => figure.upper >= best.figure.lower;
  const alike = others.filter(isAlike);
  return [
    `${name} has the highest ${nameOfFigure[decides]}: ${shown(best.figure)}, on ${count(best.engine.byQuery.size, 'query', 'queries')}.`,
    ...others.map((other) => {
      const label = providerLabel(other.engine.engine);
      const apart = pairedDifference(best.engine, other.engine);
      if (!isAlike(other)) {
        const by = apart ? `, by ${shown(apart)} query by query` : '';
        return `${label} is behind: ${shown(other.figure)}${by}.`;
      }
      const though =
        apart && apart.lower > 0
          ? ` Compared query by query, ${name} is ahead by ${shown(apart)}.`
          : '';
      return `${label} is not distinguishable from it: ${shown(other.figure)}; the intervals overlap.${though}`;
    }),
    ...aboutMoney(best, alike),
  ];
}

/** Compares the prices of engines that are not distinguishable. */
function aboutMoney(best: Ranked, alike: readonly Ranked[]): string[] {
  const costOf = ({ engine }: Ranked) => engine.figures.cost?.value ?? Infinity;
  const cheapest = alike.reduce((one, other) => (costOf(other) < costOf(one) ? other : one), best);
  if (cheapest === best || !(costOf(cheapest) < costOf(best))) return [];
  const label = providerLabel(cheapest.engine.engine);
  if (costOf(cheapest) === 0) return [`${label} is as good on these queries, and costs nothing.`];
  const times = (costOf(best) / costOf(cheapest)).toFixed(1);
  return [
    `${label} is the cheapest of those that are not distinguishable: the same money buys ${times} times as many searches as with ${providerLabel(best.engine.engine)}.`,
  ];
}

function noFigure({ decides, engines }: Report): string {
  if (decides === 'ndcg') return 'No judged query was answered by every engine.';
  return engines.length <= leastOpinions
    ? `Agreement needs at least ${leastOpinions + 1} engines. Give more --engines, or --judgements.`
    : `Agreement needs at least ${leastOpinions + 1} engines that return something and do not share an index.`;
}

function notable(share: Interval | undefined, beginning: string): string[] {
  if (!share || share.value < notableShare) return [];
  return [
    `${beginning} ${percent(share.value)} of the queries (${percent(share.lower)} to ${percent(share.upper)}).`,
  ];
}

export function shown({ value, lower, upper }: Interval): string {
  return `${value.toFixed(3)} (${lower.toFixed(3)} to ${upper.toFixed(3)})`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

export function count(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}
