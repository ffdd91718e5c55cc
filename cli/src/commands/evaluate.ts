// trivium evaluate: which engine is good for these queries, and what it costs. Sends the same
// queries to several engines through the gateway, and writes a report.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import { providerLabel, searchEngineIds, unknownProvider } from '@trivium/contract';
import type { SearchEngineId } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { keepAnswers } from '../evaluate/answers.ts';
import { concludeFrom, count } from '../evaluate/conclusions.ts';
import { answersCsv, enginesCsv } from '../evaluate/csv-report.ts';
import { writeHtml } from '../evaluate/html-report.ts';
import { inputLimits, readInput, readJudgements, readQueries } from '../evaluate/input.ts';
import type { EvaluatedQuery } from '../evaluate/input.ts';
import { measureEngines } from '../evaluate/measure.ts';
import type { Report } from '../evaluate/measure.ts';
import { runQueries, searchOf } from '../evaluate/run-queries.ts';
import { flagOption, numberOption, textOption } from '../options.ts';
import { formatUsd } from '../paid.ts';
import { toId } from '../options.ts';
import { plain } from '../style.ts';
import { formatTable } from '../table.ts';
import { writeWhole } from '../whole-file.ts';

/** Each combination of parameters is priced for each engine before the run. */
const maxCombinations = 50;

export const evaluate: Command = {
  name: 'evaluate',
  group: 'Tools',
  summary: 'Compare engines on your own queries',
  usage: '<queries.jsonl>',
  examples: [
    'evaluate queries.jsonl --engines exa,tavily,brave --budget 5',
    'evaluate queries.jsonl --engines exa,tavily --judgements qrels.tsv --yes',
  ],
  working: 'Evaluating',
  options: {
    engines: textOption('names', 'the engines, separated by commas'),
    judgements: textOption('file', 'which pages are relevant: query id, URL and grade in columns'),
    budget: numberOption('usd', 'spend at most this much'),
    output: textOption('name', 'the report files begin with this name'),
    yes: flagOption('do not ask before money is spent', { short: 'y' }),
  },
  run: async (given, context) => {
    const [file, ...others] = given.positionals;
    if (file === undefined || others.length > 0) {
      throw new UsageError('Give one file of queries: trivium evaluate queries.jsonl --engines …');
    }
    const engines = readEngines(given.text('engines'));
    const budget = readBudget(given);
    const queries = readQueries(await readInput(file, inputLimits.queriesBytes), file);
    const judged = await readJudged(given.text('judgements'), queries);
    const output = given.text('output') ?? `${basename(file, extname(file))}-evaluation`;
    await checkFolder(output);
    const client = context.client();
    const answers = keepAnswers(`${output}.answers.jsonl`, identityOf(context, queries), Date.now);
    const isOpen = (query: EvaluatedQuery) =>
      engines.some((engine) => answers.find(query.id, engine) === undefined);
    let notAsked = 0;
    if (queries.some(isOpen)) {
      const prices = await priceAll(context, queries, engines);
      const maxCostOf = (query: EvaluatedQuery, engine: SearchEngineId) =>
        prices.byShape.get(`${shapeOf(query)} ${engine}`) ?? 0;
      const openUsd = queries
        .flatMap((query) => engines.map((engine) => ({ query, engine })))
        .filter(({ query, engine }) => answers.find(query.id, engine) === undefined)
        .reduce((sum, { query, engine }) => sum + maxCostOf(query, engine), 0);
      const plan = {
        ...{ queries: queries.filter(isOpen).length, engines, openUsd, budget },
        ...{ spentUsd: answers.spentUsd(), balanceUsd: prices.balanceUsd },
      };
      await agree(plan, given, context);
      const what =
        'Run the same command again: answered queries are neither sent nor charged again.';
      context.onFailure(() => ({ hint: what }));
      notAsked = await runQueries({
        ...{ client, queries, engines, answers, maxCostOf, signal: context.signal },
        budgetUsd: budget ?? Infinity,
        onProgress: (done) =>
          context.status(
            `${done} of ${queries.length} queries, ${formatUsd(answers.spentUsd())} USD`,
          ),
      });
    }
    const report = measureEngines(queries, engines, answers.list(), judged?.judgements);
    const lost = answers.list().filter(({ outcome }) => outcome === 'lost').length;
    const notes = [
      ...(judged?.notes ?? []),
      ...(notAsked > 0
        ? [`${count(notAsked, 'query was', 'queries were')} not sent, because of the budget.`]
        : []),
      ...(lost > 0
        ? [
            `${count(lost, 'answer was', 'answers were')} lost in an interruption. Their queries are left out.`,
          ]
        : []),
    ];
    const date = new Date().toISOString().slice(0, 10);
    const files = {
      html: `${output}.html`,
      csv: `${output}.csv`,
      answers_csv: `${output}-answers.csv`,
    };
    await writeWhole(files.html, writeHtml(report, { title: basename(file), date, notes }));
    await writeWhole(files.csv, enginesCsv(report));
    await writeWhole(files.answers_csv, answersCsv(report));
    context.onFailure(undefined);
    show(report, { notes, files, spentUsd: answers.spentUsd() }, context);
  },
};

function readEngines(typed: string | undefined): SearchEngineId[] {
  if (typed === undefined) {
    throw new UsageError('Name the engines: --engines exa,tavily,brave.');
  }
  const engines = typed.split(',').map((name): SearchEngineId => {
    const id = toId(name.trim());
    const known = searchEngineIds.find((one) => one === id);
    if (known !== undefined) return known;
    const shown = plain(name.trim().slice(0, 60));
    throw new UsageError(`--engines ${shown}: ${unknownProvider(name.trim(), searchEngineIds)}`);
  });
  const twice = engines.find((engine, at) => engines.indexOf(engine) !== at);
  if (twice === undefined) return engines;
  throw new UsageError(`--engines names ${providerLabel(twice)} twice.`);
}

function readBudget(given: ParsedArguments): number | undefined {
  const budget = given.number('budget');
  if (budget === undefined || (budget > 0 && budget <= maxBudget)) return budget;
  throw new UsageError(`--budget must be an amount in USD above 0, at most ${maxBudget}.`);
}

const maxBudget = 1_000_000;

async function readJudged(file: string | undefined, queries: readonly EvaluatedQuery[]) {
  if (file === undefined) return undefined;
  return readJudgements(await readInput(file, inputLimits.judgementsBytes), file, queries);
}

async function checkFolder(output: string): Promise<void> {
  const folder = dirname(output);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return;
  throw new UsageError(`--output: ${plain(folder)} is not a folder.`);
}

/** An idempotency key belongs to a gateway and an API key, so answers from others do not count. */
function identityOf({ credentials }: Context, queries: readonly EvaluatedQuery[]): string {
  const key = createHash('sha256').update(credentials.apiKey().value).digest('hex');
  return JSON.stringify([credentials.url().value, key, queries]);
}

/** The parameters that, together with the engine, decide the price of a query. */
function shapeOf({ parameters }: EvaluatedQuery): string {
  return JSON.stringify(parameters);
}

interface Prices {
  /** Keyed by shape and engine. */
  byShape: Map<string, number>;
  balanceUsd: number;
}

/** Also checks that each engine serves this caller. No engine is called, and nothing is charged. */
async function priceAll(
  context: Context,
  queries: readonly EvaluatedQuery[],
  engines: readonly SearchEngineId[],
): Promise<Prices> {
  const shapes = new Map(queries.map((query) => [shapeOf(query), query]));
  if (shapes.size > maxCombinations) {
    throw new UsageError(
      `The queries have ${shapes.size} combinations of parameters; at most ${maxCombinations} can be priced.`,
    );
  }
  const byShape = new Map<string, number>();
  let balanceUsd = Infinity;
  for (const [shape, query] of shapes) {
    for (const engine of engines) {
      const { signal } = context;
      const found = await context.client().estimate('search', searchOf(query, engine), { signal });
      byShape.set(`${shape} ${engine}`, found.max_cost_usd);
      balanceUsd = Math.min(balanceUsd, found.balance_usd);
    }
  }
  return { byShape, balanceUsd };
}

interface Plan {
  queries: number;
  engines: readonly SearchEngineId[];
  /** The maximum cost of the queries that are not answered yet. */
  openUsd: number;
  /** What an earlier run of the same evaluation spent. */
  spentUsd: number;
  budget: number | undefined;
  balanceUsd: number;
}

/** Shows the maximum cost and asks for confirmation; throws unless the person agrees. */
async function agree(plan: Plan, given: ParsedArguments, context: Context): Promise<void> {
  const { queries, engines, openUsd, spentUsd, budget, balanceUsd } = plan;
  const leftUsd = budget === undefined ? Infinity : Math.max(0, budget - spentUsd);
  const mostUsd = Math.min(openUsd, leftUsd);
  const asked = `${count(queries, 'query', 'queries')} to ${engines.map(providerLabel).join(', ')}`;
  const within = openUsd > leftUsd ? `, of which the budget allows ${formatUsd(leftUsd)} USD` : '';
  const before = spentUsd > 0 ? ` An earlier run spent ${formatUsd(spentUsd)} USD.` : '';
  const cost = `${asked}: at most ${formatUsd(openUsd)} USD${within}.${before}`;
  if (mostUsd > balanceUsd) {
    throw new UsageError(
      `${cost} The balance is ${formatUsd(balanceUsd)} USD. Give a --budget within it. No query was sent.`,
    );
  }
  context.note(`${cost} The balance is ${formatUsd(balanceUsd)} USD.\n`);
  if (given.flag('yes')) return;
  if (!context.input.inIsTerminal || given.flag('json')) {
    throw new UsageError('Add --yes to spend it. No query was sent.');
  }
  const answer = await context.input.ask('Start? Type yes: ');
  if (!['y', 'yes'].includes(answer.trim().toLowerCase())) {
    throw new UsageError('No query was sent.');
  }
}

interface Outcome {
  notes: readonly string[];
  files: Readonly<Record<string, string>>;
  spentUsd: number;
}

function show(report: Report, { notes, files, spentUsd }: Outcome, context: Context): void {
  const conclusions = concludeFrom(report);
  const engines = report.engines.map(
    ({ engine, answers, figures, searchesPerUsd, usefulPerUsd }) => ({
      ...{ provider: engine, answers, ...figures },
      ...{ searches_per_usd: searchesPerUsd ?? null, useful_pages_per_usd: usefulPerUsd ?? null },
    }),
  );
  if (context.json) {
    const { length } = report.queries;
    return printJson(context, {
      queries: length,
      engines,
      conclusions,
      notes,
      spent_usd: spentUsd,
      files,
    });
  }
  const heads = [
    'engine',
    report.decides === 'ndcg' ? 'nDCG@10' : 'agreement',
    'empty',
    'p50 ms',
    'USD',
  ];
  const cells = report.engines.map(({ engine, figures }) => [
    providerLabel(engine),
    figures[report.decides]?.value.toFixed(3) ?? 'unknown',
    `${((figures.empty?.value ?? 0) * 100).toFixed(1)} %`,
    String(Math.round(figures.latency?.value ?? 0)),
    formatUsd(figures.cost?.value ?? 0),
  ]);
  context.out(formatTable(heads, cells, context));
  for (const sentence of [...conclusions, ...notes]) context.out(`${plain(sentence)}\n`);
  context.note(
    `Spent ${formatUsd(spentUsd)} USD. Wrote ${Object.values(files).map(plain).join(', ')}.\n`,
  );
}
