// The request log in the admin API: pages, single requests, and exports of filtered requests.
import { maxExportRows, RequestQuery } from '@trivium/contract';
import type { ListEnd, RequestLine } from '@trivium/contract';
import { readNames } from '../../../accounts/index.ts';
import {
  exportRequests,
  readErrorKinds,
  readRequest,
  readRequestAnswer,
  readRequests,
} from '../../../reporting/index.ts';
import { csvLine } from '@trivium/shared/csv';
import { streamOf } from '../../../platform/streams.ts';
import type { HttpContext } from '../../context.ts';
import type { Route } from '../../route.ts';
import { admin } from '../rows.ts';

export function requestLogRoutes(context: HttpContext): Route[] {
  const ofQuery = { scope: 'account_in_query', booked: true } as const;
  const ofOne = { ...ofQuery, query: RequestQuery.pick({ id: true, account_id: true }) };
  return [
    admin('GET', '/requests', ofQuery, ({ filter }) => readRequests(context, filter)),
    admin('GET', '/requests/errors', ofQuery, ({ filter }) => readErrorKinds(context, filter)),
    admin('GET', '/requests/export', ofQuery, async ({ filter: { format, ...filter } }) => {
      const pages = exportRequests(context, filter);
      // Read before the response begins, because a refusal can set the status only until then.
      return fileOf(context, await pages.next(), pages, format);
    }),
    admin('GET', '/requests/:id', ofOne, ({ filter, id }) =>
      readRequest(context, { ...filter, id: filter.id ?? id }),
    ),
    admin('GET', '/requests/:id/answer', ofOne, ({ filter, id }) =>
      readRequestAnswer(context, { ...filter, id: filter.id ?? id }),
    ),
  ];
}

/** Written while the client reads it, so that a long log is never in memory as a whole. */
function fileOf(
  context: HttpContext,
  first: IteratorResult<RequestLine[], ListEnd | undefined>,
  pages: AsyncGenerator<RequestLine[], ListEnd | undefined>,
  format: 'csv' | 'jsonl',
): Response {
  const encoder = new TextEncoder();
  const write = format === 'csv' ? csvOf : jsonLinesOf;
  const writeEnd = format === 'csv' ? csvEnd : jsonOf;
  const chunks = async function* () {
    if (format === 'csv') yield encoder.encode(csvLine(columns.map(([name]) => name)));
    for (let next = Promise.resolve(first); ;) {
      const { value, done } = await next;
      if (done) {
        if (value) yield encoder.encode(writeEnd(value));
        return;
      }
      next = pages.next();
      if (value.length > 0) yield encoder.encode(await write(context, value));
    }
  };
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl';
  return new Response(streamOf(chunks()), {
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="requests.${format}"`,
    },
  });
}

function jsonOf(line: RequestLine | ListEnd): string {
  return `${JSON.stringify(line)}\n`;
}

/** The last line of an incomplete export. */
function csvEnd({ searched_until, next_cursor }: ListEnd): string {
  return csvLine([
    `This export stopped at ${searched_until}: it looked at ` +
      `${maxExportRows.toLocaleString('en')} requests. Export the rest with cursor=${next_cursor}`,
  ]);
}

function jsonLinesOf(_context: object, lines: readonly RequestLine[]): string {
  return lines.map(jsonOf).join('');
}

/** Of accounts and keys, by id. */
type Names = Readonly<Record<'accounts' | 'keys', ReadonlyMap<string, string>>>;

async function csvOf(context: HttpContext, lines: readonly RequestLine[]): Promise<string> {
  const names: Names = {
    accounts: await readNames(
      context,
      'accounts',
      lines.map(({ account_id }) => account_id),
    ),
    keys: await readNames(
      context,
      'keys',
      lines.map(({ key_id }) => key_id),
    ),
  };
  return lines.map((line) => csvLine(columns.map(([, read]) => read(line, names)))).join('');
}

/** The name of a column, and its cell. */
type Column = readonly [
  name: string,
  read: (line: RequestLine, names: Names) => string | number | null,
];

/** The columns that are fields of a line as they are. */
type ValueName = {
  [Name in keyof RequestLine]: RequestLine[Name] extends string | number | null ? Name : never;
}[keyof RequestLine];

function field(name: ValueName): Column {
  return [name, (line) => line[name]];
}

const columns: readonly Column[] = [
  field('created_at'),
  field('id'),
  field('answer_id'),
  field('account_id'),
  ['account_name', ({ account_id }, names) => names.accounts.get(account_id) ?? ''],
  field('key_id'),
  ['key_name', ({ key_id }, names) => names.keys.get(key_id) ?? ''],
  field('tool'),
  field('provider'),
  field('asked'),
  [
    'tags',
    ({ tags }) =>
      Object.entries(tags)
        .map((tag) => tag.join('='))
        .join(','),
  ],
  field('outcome'),
  field('status'),
  field('error_type'),
  field('error_message'),
  field('warnings'),
  ['warning_messages', (line) => line.warning_details.map(({ message }) => message).join('\n')],
  [
    'attempts',
    ({ attempts }) =>
      attempts.map((one) => `${one.provider} ${one.outcome} ${one.latency_ms} ms`).join('\n'),
  ],
  field('delivered'),
  field('held_usd'),
  field('cost_usd'),
  field('cost_basis'),
  field('reported_cost_usd'),
  field('latency_ms'),
  ['parameters', ({ parameters }) => (parameters === null ? null : JSON.stringify(parameters))],
];
