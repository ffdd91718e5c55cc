// The figures of bench/choice.json as the section of docs/choosing.md that shows them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alignedTable } from '../arithmetic.ts';
import { rules, shadowShares } from './study.ts';
import type { CollectionResult } from './study.ts';

interface ChoiceResults {
  date: string;
  collections: CollectionResult[];
}

const page = join(import.meta.dir, '../../docs/choosing.md');
const file = join(import.meta.dir, '../choice.json');
const section = /^## Measured offline\n.*?(?=^## )/ms;
const ways = ['quality', 'judged', 'order', 'cheapest', 'fastest', 'weighted', 'random'];
const nameOf = (way: string) => (way === 'judged' ? '`quality`, shadows judged' : `\`${way}\``);

const targets = { tau: 0.7, regret: 0.05, queriesUntilLost: 200 };

/** The page with the section that the measurements make. */
export function choosingPage(): string {
  const text = readFileSync(page, 'utf8');
  if (!section.test(text)) throw new Error(`${page} has no section "Measured offline"`);
  const results = JSON.parse(readFileSync(file, 'utf8')) as ChoiceResults;
  return text.replace(section, () => writeSection(results));
}

export function writeResults(results: ChoiceResults): void {
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  writeFileSync(page, choosingPage());
}

function writeSection({ date, collections }: ChoiceResults): string {
  const names = collections.map(({ name }) => name.toLowerCase());
  return `## Measured offline

Measured on ${date} with

\`\`\`
npm run bench -- choice ${names.map((name) => `--collection ${name}`).join(' ')}
\`\`\`

The command writes \`bench/choice.json\` and the tables below, and gives the same figures on every run. The collections and the retrievers are those of
[the study of fusion](consensus.md#public-collections).

### The order without judgements

Each market is a random draw in which every retriever is an engine with faults of its own: it has not crawled 0, 10, 25 or 40 percent of the pages, 0, 10 or 30
percent of its results are wrong, and some return five results instead of ten. A ninth engine resells the index of another one. Kendall's tau
compares the order of the nine by agreement with their order by nDCG@10: 1 is the same order, 0 is chance.

${alignedTable(
  [
    ...['Collection', 'Questions', 'Tau, mean of markets', 'Lowest', 'Certain pairs', 'Halves'],
    ...['Copies as opinions', 'No faults'],
  ],
  [
    ...collections.map(
      ({ name, questions, taus, certain, halves, tausWithoutOpinions, tauPlain }) => [
        ...[name, String(questions), fixed(mean(taus)), fixed(Math.min(...taus))],
        ...[fixed(mean(certain)), fixed(mean(halves))],
        ...[fixed(mean(tausWithoutOpinions)), fixed(tauPlain)],
      ],
    ),
    [
      ...['mean', '', fixed(meanOf(collections, ({ taus }) => mean(taus)))],
      fixed(Math.min(...collections.flatMap(({ taus }) => taus))),
      fixed(meanOf(collections, ({ certain }) => mean(certain))),
      fixed(meanOf(collections, ({ halves }) => mean(halves))),
      fixed(meanOf(collections, ({ tausWithoutOpinions }) => mean(tausWithoutOpinions))),
      fixed(meanOf(collections, ({ tauPlain }) => tauPlain)),
    ],
  ],
)}

"Certain pairs" counts only pairs of engines whose judged difference is statistically significant. "Halves" shows how well the judgements agree with themselves: it compares
the order by one half of the questions with the order by the other half. "Copies as opinions" is the first figure without the rule that engines on one index count as one opinion. "No faults" uses the
eight retrievers unchanged, so all of them know every page.

${verdict(
  'The mean over the collections',
  meanOf(collections, ({ taus }) => mean(taus)),
  targets.tau,
  'at least',
)}

With [feedback](choosing.md#feedback) alone, from five accounts of which one makes most of the searches, tau is ${fixed(meanOf(collections, ({ feedback }) => feedback.tau))}; if that account praises only the worst engine, it is ${fixed(meanOf(collections, ({ feedback }) => feedback.tauWithLoudAccount))}.

### Routing

Each collection has five markets with 1,000 questions each, 100 per day. Each engine has a random price from 0.001 to 0.009 USD, a latency, and up to 5 percent of
failures, which count as empty answers. Regret is the share of nDCG@10 that is lost compared with the one engine that was best for the whole stream, which
is known only afterwards. \`quality\` starts without evidence, in a random order, with a bar of ${rules.bar}, an exploration of ${rules.exploration}, and the given share of
questions as shadows. The table shows regret, and the mean price of an answer in thousandths of a dollar:

${alignedTable(
  ['Routing', ...shadowShares.flatMap((share) => [`Regret, ${share * 100} % shadows`, 'Price'])],
  ways.map((way) => [
    nameOf(way),
    ...shadowShares.flatMap((share) => [
      `${(regretOf(collections, share, way) * 100).toFixed(1)} %`,
      (meanOf(runsOf(collections, share), ({ served }) => served[way]?.price ?? 0) / 1000).toFixed(
        1,
      ),
    ]),
  ]),
)}

"Shadows judged" learns from the true nDCG@10 of the same shadows and shows what routing could do with perfect evidence. The engine with the highest agreement on all questions loses
${(meanOf(collections, ({ lostByAgreement }) => mean(lostByAgreement)) * 100).toFixed(1)} % compared with the best one, so no number of shadows brings \`quality\` below that; the rest is learning, the bar and exploration.

${shadowShares.map((share) => `- ${verdict(`Regret of \`quality\` with ${share * 100} % shadows`, regretOf(collections, share, 'quality'), targets.regret, 'at most')}`).join('\n')}
${verdictOfOthers(collections)}

### An engine that becomes worse

Halfway through, the engine in first place starts to return wrong pages for 80 percent of its results:

${alignedTable(
  ['Shadows', 'Queries until it lost its place: median', 'Most', 'Within 200', 'Change marked'],
  shadowShares.map((share) => {
    const runs = collections.flatMap(({ spoiled }) =>
      spoiled.filter(({ shadows }) => shadows === share),
    );
    const until = runs
      .map(({ queriesUntilLost }) => queriesUntilLost ?? Infinity)
      .toSorted((one, other) => one - other);
    const most = until.at(-1) ?? 0;
    const within = until.filter((count) => count <= targets.queriesUntilLost).length;
    return [
      `${share * 100} %`,
      String(until[Math.floor(until.length / 2)] ?? 0),
      most === Infinity ? 'never in 500' : String(most),
      `${within} of ${until.length}`,
      `${runs.filter(({ marked }) => marked).length} of ${runs.length}`,
    ];
  }),
)}

`;
}

function runsOf(collections: readonly CollectionResult[], share: number) {
  return collections.flatMap(({ routing }) => routing.filter(({ shadows }) => shadows === share));
}

function regretOf(collections: readonly CollectionResult[], share: number, way: string): number {
  return meanOf(
    runsOf(collections, share),
    ({ served, best }) => 1 - (served[way]?.ndcg ?? 0) / best.ndcg,
  );
}

/** Whether routing by quality loses less than every other way, at every share of shadows. */
function verdictOfOthers(collections: readonly CollectionResult[]): string {
  const others = ways.filter((way) => !['quality', 'judged', 'order'].includes(way));
  const behind = shadowShares.filter((share) =>
    others.some(
      (way) => regretOf(collections, share, 'quality') >= regretOf(collections, share, way),
    ),
  );
  const result =
    behind.length === 0
      ? 'met at each share'
      : `**missed** with ${behind.map((share) => `${share * 100} %`).join(' and ')}`;
  return `- Regret of \`quality\` below that of ${others.map((way) => `\`${way}\``).join(', ')}: ${result}.`;
}

function verdict(
  what: string,
  value: number,
  target: number,
  side: 'at least' | 'at most',
): string {
  const isMet = side === 'at least' ? value >= target : value <= target;
  return `${what} is ${fixed(value)}; the target was ${side} ${target}: ${isMet ? 'met' : '**missed**'}.`;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function meanOf<T>(items: readonly T[], read: (item: T) => number): number {
  return mean(items.map(read));
}

function fixed(value: number): string {
  return value.toFixed(3);
}
