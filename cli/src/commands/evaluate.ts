// trivium evaluate: which engine is good for these queries, and what it costs. Sends the same
// queries to several engines through the gateway, and writes a report.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import {
  addKnownFields,
  issuesOf,
  providerLabel,
  SearchRequest,
  searchEngineIds,
  unknownProvider,
} from '@trivium/contract';
import type { SearchEngineId } from '@trivium/contract';
import {
  answersCsv,
  concludeFrom,
  count,
  enginesCsv,
  inputLimits,
  isBudget,
  maxBudgetUsd,
  measureEngines,
  notesOn,
  openCostOf,
  priceQueries,
  readJudgements,
  readQueries,
  runQueries,
  summaryOf,
  writeHtml,
} from '@trivium/sdk/evaluate';
import type { EvaluatedQuery, Report } from '@trivium/sdk/evaluate';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { keepAnswers } from '../evaluate/answers.ts';
import { asUsage, checked, readInput } from '../evaluate/read-input.ts';
import { flagOption, numberOption, textOption } from '../options.ts';
import { formatUsd } from '../paid.ts';
import { toId } from '../options.ts';
import { plain } from '../style.ts';
import { formatTable } from '../table.ts';
import { writeWhole } from '../whole-file.ts';

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
    const text = await readInput(file, inputLimits.queriesBytes);
    const queries = checked(() => readQueries(text, file, faultOf));
    const judged = await readJudged(given.text('judgements'), queries);
    const output = given.text('output') ?? `${basename(file, extname(file))}-evaluation`;
    await checkFolder(output);
    const client = context.client();
    const answers = keepAnswers(`${output}.answers.jsonl`, identityOf(context, queries), Date.now);
    let notAsked = 0;
    if (openCostOf(queries, engines, answers, () => 0).open > 0) {
      const { maxCostOf, balanceUsd } = await priceQueries(
        client,
        queries,
        engines,
        context.signal,
      ).catch(asUsage);
      const { open, usd } = openCostOf(queries, engines, answers, maxCostOf);
      const plan = {
        ...{ queries: open, engines, openUsd: usd, budget, balanceUsd },
        spentUsd: answers.spentUsd(),
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
    const notes = [...(judged?.notes ?? []), ...notesOn(answers.list(), notAsked)];
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
  if (budget === undefined || isBudget(budget)) return budget;
  throw new UsageError(`--budget must be an amount in USD above 0, at most ${maxBudgetUsd}.`);
}

async function readJudged(file: string | undefined, queries: readonly EvaluatedQuery[]) {
  if (file === undefined) return undefined;
  const text = await readInput(file, inputLimits.judgementsBytes);
  return checked(() => readJudgements(text, file, queries));
}

/** What is wrong with a search, before anything is sent. */
function faultOf(search: object): string | undefined {
  const { error } = SearchRequest.safeParse(search, addKnownFields);
  const [issue] = error ? issuesOf(error) : [];
  return issue && `${issue.path}: ${issue.message}`;
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
  if (context.json) {
    return printJson(context, { ...summaryOf(report, notes, spentUsd), files });
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
  for (const sentence of [...concludeFrom(report), ...notes]) context.out(`${plain(sentence)}\n`);
  context.note(
    `Spent ${formatUsd(spentUsd)} USD. Wrote ${Object.values(files).map(plain).join(', ')}.\n`,
  );
}
