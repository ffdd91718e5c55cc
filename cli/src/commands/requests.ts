// trivium requests and trivium logs: lists the request log, shows one request, or follows new ones
// (operator).
import { setTimeout as sleep } from 'node:timers/promises';
import { outcomes, providerIds, providerLabel, toolNames } from '@trivium/contract';
import type { RequestLine } from '@trivium/contract';
import type { RequestFilters } from '@trivium/sdk';
import { printJson } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { dayOptions, limitOption, readLimited } from '../limited-list.ts';
import { listing, noun } from '../nouns.ts';
import type { Table } from '../nouns.ts';
import { choiceOption, fieldsOf, flagOption, textOption } from '../options.ts';
import { formatUsd } from '../paid.ts';
import { providerOption } from '../options.ts';
import { jsonText, plain } from '../style.ts';
import { formatTable } from '../table.ts';

const filterOptions = {
  account: textOption('id', 'only requests of this account', { field: 'account_id' }),
  tool: choiceOption('only requests of this tool', toolNames),
  provider: providerOption('only requests to this provider', ['fusion', ...providerIds]),
  outcome: choiceOption('only requests with this outcome', [...outcomes, 'error']),
  tag: textOption('name=value', 'only requests with this tag'),
  text: textOption('text', 'only requests whose query contains this text'),
  ...dayOptions,
};

const filtersOf = (given: ParsedArguments) => fieldsOf(given, filterOptions) as RequestFilters;

const table: Table<RequestLine> = {
  heads: ['time', 'status', 'tool', 'provider', 'USD', 'ms', 'asked'],
  cells: (line) => [
    line.created_at,
    String(line.status),
    line.tool,
    line.provider === null ? '' : providerLabel(line.provider),
    formatUsd(line.cost_usd),
    String(line.latency_ms),
    line.error_message ?? line.asked ?? '',
  ],
};

export const requests = noun({
  name: 'requests',
  group: 'Operators',
  summary: 'List requests, or show one with its calls and its cost',
  options: { ...filterOptions, ...limitOption },
  verbs: {
    list: {
      summary: 'list the newest requests',
      usage: '',
      example: 'requests list --outcome failed --limit 20',
      run: listing('requests', table, newest),
    },
    get: {
      summary: 'show one, by its id, the id of its answer, or of its job',
      usage: '<id>',
      example: 'requests get srch_0198…',
      run: async (id, _given, context) => {
        const line = await context.admin().requests.get(id, { signal: context.signal });
        if (context.json) return printJson(context, line);
        context.out(formatTable(['field', 'value'], rowsOf(line), context));
      },
    },
  },
});

function newest({ admin, signal }: Context, given: ParsedArguments): Promise<RequestLine[]> {
  return readLimited(given, (limit) =>
    admin().requests.list({ ...filtersOf(given), limit }, { signal }),
  );
}

function rowsOf(line: RequestLine): string[][] {
  const attempts = line.attempts.map(({ provider, status, latency_ms }, index) => [
    `call ${index + 1}`,
    `${providerLabel(provider)}: ${status ?? 'no answer'}, ${latency_ms} ms`,
  ]);
  const parts = line.cost_parts.map(({ provider, cost_usd }) => [
    `cost of ${provider}`,
    `${formatUsd(cost_usd)} USD`,
  ]);
  return [
    ['id', line.id],
    ...(line.answer_id === null ? [] : [['answer', line.answer_id]]),
    ['time', line.created_at],
    ['account', line.account_id],
    ['key', line.key_id],
    ['tool', line.tool],
    ['provider', line.provider === null ? '' : providerLabel(line.provider)],
    ...(line.routing ? [['chosen by', line.routing]] : []),
    ['asked', line.asked ?? ''],
    ['outcome', `${line.outcome}, ${line.status}`],
    ...(line.error_message === null ? [] : [['error', line.error_message]]),
    ['cost', `${formatUsd(line.cost_usd)} USD`],
    ...parts,
    ...attempts,
    ...line.warning_details.map(({ message }) => ['adjusted', message]),
  ];
}

export const logs: Command = {
  name: 'logs',
  group: 'Operators',
  summary: 'Print the newest requests, and with --follow each new one',
  usage: '',
  examples: ['logs --follow', 'logs --follow --outcome failed --json'],
  working: 'Asking the gateway',
  options: {
    follow: flagOption('print each new request until it is interrupted', { short: 'f' }),
    ...filterOptions,
    ...limitOption,
  },
  run: async (given, context) => {
    const print = (line: RequestLine) => context.out(`${lineText(line, context)}\n`);
    const first = await newest(context, given);
    for (const line of first.toReversed()) print(line);
    if (given.flag('follow')) await follow(first, given, context, print);
  },
};

const followMs = 1000;
const followPage = 100;
/** Requests do not end in the order of their start, so new ones are recognised by their ids. */
const rememberedIds = 5000;

async function follow(
  first: readonly RequestLine[],
  given: ParsedArguments,
  context: Context,
  print: (line: RequestLine) => void,
): Promise<never> {
  const { signal } = context;
  const seen = new Set(first.map(({ id }) => id));
  // Requests from before the first list are not new.
  const since = first[0]?.created_at ?? '';
  for (;;) {
    await sleep(followMs, undefined, { signal });
    const filters = { ...filtersOf(given), limit: followPage };
    const fresh: RequestLine[] = [];
    let known = 0;
    for await (const line of context.admin().requests.list(filters, { signal })) {
      if (seen.has(line.id) || line.created_at < since) known += 1;
      else fresh.push(line);
      // If a whole page is new, the next page may have new requests too.
      if (known > 0 && known + fresh.length >= followPage) break;
      if (fresh.length >= rememberedIds) break;
    }
    for (const line of fresh.toReversed()) {
      seen.add(line.id);
      print(line);
    }
    for (const id of seen) {
      if (seen.size <= rememberedIds) break;
      seen.delete(id);
    }
  }
}

/** In a pipe each line is one JSON object. */
function lineText(line: RequestLine, { json, style }: Context): string {
  if (json) return jsonText(line);
  const paint = { served: style.green, refused: style.yellow, failed: style.red }[line.outcome];
  const [time = '', status = '', ...cells] = table.cells(line).map(oneLine);
  return [time, paint(status), ...cells].join('  ');
}

function oneLine(text: string): string {
  return plain(text).replaceAll(/\s+/g, ' ');
}
