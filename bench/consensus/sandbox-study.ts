// The study on the sandbox: its synthetic pages, judged by hand, through the gateway's adapters.
import { defaultFusionPanel, searchEngineIds, SearchRequest } from '@trivium/contract';
import type { SearchEngineId } from '@trivium/contract';
import { judgements } from '../../sandbox/src/corpus/judgements.ts';
import { pageKey } from '@trivium/shared/page-key';
import { performSearch, planSearch } from '../../server/src/search/search-engine.ts';
import { startSandboxContext } from '../../server/test/services/sandbox-context.ts';
import type { UpstreamContext } from '../../server/src/upstream/context.ts';
import { compare } from './compare.ts';
import type { Comparison, Setting } from './compare.ts';
import { depth } from './metrics.ts';
import { differenceTable, markdownTable, meanOf, qualityTable } from './report.ts';
import { rules } from './rules.ts';

const budget = { timeout_ms: 30_000, maxBytes: 10_000_000 };
/** The grade of a page that answers its question. */
const answerGrade = 3;

export async function reportSandbox(): Promise<string[]> {
  const sandbox = await startSandboxContext();
  const lists: number[][][] = [];
  const pages = new Map<string, number>();
  const numberOf = (url: string): number => {
    const key = pageKey(url);
    const known = pages.get(key) ?? pages.size;
    pages.set(key, known);
    return known;
  };
  try {
    const context = sandbox.context(searchEngineIds);
    for (const { query } of judgements) {
      const answers = await Promise.all(searchEngineIds.map((id) => ask(context, id, query)));
      lists.push(answers.map((urls) => [...new Set(urls.map(numberOf))]));
    }
  } finally {
    await sandbox.stop();
  }
  const grades = judgements.map(
    ({ relevant }) =>
      new Map(Object.entries(relevant).map(([url, grade]) => [numberOf(url), grade])),
  );
  const allMembers = [...searchEngineIds.keys()];
  const panel = allMembers.filter((at) =>
    defaultFusionPanel.some((id) => id === searchEngineIds[at]),
  );
  const setting = { members: searchEngineIds, grades, lots: [lists] };
  const ofPanel = compare({ ...setting, panels: [panel] });
  const ofAll = compare({ ...setting, panels: [allMembers] });
  return [
    `${judgements.length} questions, asked for ${depth} results each.`,
    '',
    ...qualityTable([
      ['default panel', ofPanel],
      ['all engines', ofAll],
    ]),
    '',
    ...differenceTable([
      ['default panel', [ofPanel]],
      ['all engines', [ofAll]],
    ]),
    '',
    ...splitByKnowledge({ ...setting, panels: [panel] }, ofPanel),
  ];
}

async function ask(context: UpstreamContext, id: SearchEngineId, query: string): Promise<string[]> {
  const request = SearchRequest.parse({ query, max_results: depth });
  const configured = context.providers[id];
  if (!configured.upstream) throw new Error(`${id} is not configured`);
  const plan = planSearch(context, { ...configured, upstream: configured.upstream }, request);
  const outcome = await performSearch(context, plan, budget);
  if (!outcome.ok) throw new Error(`${id} refused "${query}": ${outcome.refusal.message}`);
  return outcome.found.map(({ url }) => url);
}

/** Whether it matters how many members of the panel list a page that answers the question. */
function splitByKnowledge({ grades, lots, panels }: Setting, { ways }: Comparison): string[] {
  const [panel = []] = panels;
  const knownTo = grades.map((graded, question) => {
    const answers = [...graded].filter(([, grade]) => grade === answerGrade);
    const counts = answers.map(
      ([page]) => panel.filter((member) => lots[0]?.[question]?.[member]?.includes(page)).length,
    );
    return Math.max(0, ...counts);
  });
  const columns = rules.filter(({ name }) => name !== '60 + rank').map(({ name }) => name);
  const rows = Array.from({ length: panel.length + 1 }, (_, count) => {
    const among = [...grades.keys()].filter((question) => knownTo[question] === count);
    const figures = columns.map((name) => {
      const all = ways.get(name) ?? [];
      return meanOf(
        among.flatMap((question) => all[question] ?? []),
        'ndcg',
      ).toFixed(3);
    });
    return [String(count), String(among.length), ...figures];
  });
  return markdownTable(['Members that list the answer', 'Questions', ...columns], rows);
}
