// trivium export: the request log of a running gateway as a file, in JSON lines or Parquet
// (operator). It is read page by page, so neither side holds all of it in memory.
import { appendFile } from 'node:fs/promises';
import type { RequestLine } from '@trivium/contract';
import { outcomes, providerIds, toolNames } from '@trivium/contract';
import type { RequestFilters } from '@trivium/sdk';
import { UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { choiceOption, fieldsOf, flagOption, textOption } from '../options.ts';
import { providerOption } from '../options.ts';
import { jsonText } from '../style.ts';
import { writeWhole } from '../whole-file.ts';

const pageSize = 500;
/** How many rows are kept in memory before a part of a Parquet file is written. */
const rowsPerGroup = 20_000;

const filters = {
  account: textOption('id', 'only requests of this account', { field: 'account_id' }),
  tool: choiceOption('only requests for this tool', toolNames),
  provider: providerOption('only requests to this provider', ['fusion', ...providerIds]),
  outcome: choiceOption('only requests with this outcome', outcomes),
  tag: textOption('tag', 'only requests with this tag, such as team=search'),
  from: textOption('time', 'the first day or the start time, in UTC'),
  to: textOption('time', 'the last day, or the end time'),
};

export const exportCommand: Command = {
  name: 'export',
  group: 'Operators',
  summary: 'Write the request log as JSON lines or Parquet',
  usage: '[file]',
  examples: ['export requests.parquet --from 2026-11-01', 'export --jsonl --outcome failed'],
  working: 'Reading the request log',
  options: {
    jsonl: flagOption('one JSON object per line; the default'),
    parquet: flagOption('Apache Parquet, into a file'),
    ...filters,
  },
  run: async (given, context) => {
    const [file, ...others] = given.positionals;
    if (others.length > 0) throw new UsageError('Give one file.');
    const isParquet = given.flag('parquet') || (!given.flag('jsonl') && isNamedParquet(file));
    if (given.flag('parquet') && given.flag('jsonl')) {
      throw new UsageError('Give one of --jsonl and --parquet.');
    }
    if (isParquet && file === undefined) {
      throw new UsageError('Parquet is written into a file: trivium export requests.parquet.');
    }
    const counted = { rows: 0 };
    const lines = count(() => readLog(given, context), counted, context);
    if (file === undefined) {
      for await (const line of lines) context.out(`${jsonText(line)}\n`);
      return;
    }
    await writeWhole(file, (part) =>
      isParquet ? writeParquet(part, lines) : writeJson(part, lines),
    );
    context.note(`Wrote ${counted.rows} requests to ${file}.\n`);
  },
};

function isNamedParquet(file: string | undefined): boolean {
  return file?.toLowerCase().endsWith('.parquet') === true;
}

function readLog(given: ParsedArguments, context: Context): AsyncIterable<RequestLine> {
  const asked = { ...(fieldsOf(given, filters) as RequestFilters), limit: pageSize };
  return context.admin().requests.list(asked, { signal: context.signal });
}

/** The first page is asked for once the file can be written. */
async function* count(
  open: () => AsyncIterable<RequestLine>,
  counted: { rows: number },
  context: Context,
): AsyncGenerator<RequestLine> {
  for await (const line of open()) {
    counted.rows += 1;
    if (counted.rows % pageSize === 0) context.status(`Read ${counted.rows} requests`);
    yield line;
  }
}

async function writeJson(part: string, lines: AsyncIterable<RequestLine>): Promise<void> {
  let text = '';
  let waiting = 0;
  for await (const line of lines) {
    text += `${JSON.stringify(line)}\n`;
    waiting += 1;
    if (waiting < pageSize) continue;
    await appendFile(part, text);
    [text, waiting] = ['', 0];
  }
  await appendFile(part, text);
}

async function writeParquet(part: string, lines: AsyncIterable<RequestLine>): Promise<void> {
  const { fileWriter, parquetWriteRows } = await import('hyparquet-writer');
  await parquetWriteRows({
    writer: fileWriter(part),
    rows: asRows(lines),
    columns: Object.entries(columns).map(([name, type]) => ({ name, type })),
    rowGroupSize: rowsPerGroup,
    createdBy: 'trivium',
  });
}

/** Converts times from text to dates. */
async function* asRows(lines: AsyncIterable<RequestLine>): AsyncGenerator<Record<string, unknown>> {
  for await (const line of lines) {
    const until = line.asked_until === null ? null : new Date(line.asked_until);
    yield { ...line, created_at: new Date(line.created_at), asked_until: until };
  }
}

const columns = {
  created_at: 'TIMESTAMP',
  id: 'STRING',
  answer_id: 'STRING',
  account_id: 'STRING',
  key_id: 'STRING',
  tool: 'STRING',
  provider: 'STRING',
  routing: 'STRING',
  asked: 'STRING',
  parameters: 'JSON',
  asked_until: 'TIMESTAMP',
  tags: 'JSON',
  outcome: 'STRING',
  status: 'INT32',
  error_type: 'STRING',
  error_message: 'STRING',
  warnings: 'INT32',
  warning_details: 'JSON',
  attempts: 'JSON',
  delivered: 'INT32',
  replay_of: 'STRING',
  simulated: 'BOOLEAN',
  from_cache: 'BOOLEAN',
  held_usd: 'DOUBLE',
  cost_usd: 'DOUBLE',
  cost_basis: 'STRING',
  cost_parts: 'JSON',
  reported_cost_usd: 'DOUBLE',
  latency_ms: 'INT32',
  notes: 'JSON',
} as const satisfies Record<keyof RequestLine, string>;
