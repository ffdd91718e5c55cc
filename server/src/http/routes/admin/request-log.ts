// The request log in the admin API: pages, single requests, and exports of filtered requests.
import { maxExportRows, RequestExportQuery, RequestQuery } from '@trivium/contract';
import type { ListEnd, RequestLine } from '@trivium/contract';
import { type AccountsContext, readNames } from '../../../accounts/index.ts';
import {
  exportRequests,
  readErrorKinds,
  readRequest,
  readRequestAnswer,
  readRequests,
} from '../../../reporting/index.ts';
import { csvLine } from '@trivium/shared/csv';
import { validate } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';
import { admin, ok, report } from './routes.ts';

export function requestLogRoutes(
  context: Parameters<typeof readRequestAnswer>[0] & Pick<AccountsContext, 'database'>,
): Route[] {
  return [
    report('/requests', (query) => readRequests(context, query)),
    report('/requests/errors', (query) => readErrorKinds(context, query)),
    admin('GET', '/requests/export', {
      scope: 'account_in_query',
      handle: async ({ query, account_id }) => {
        const { format, ...filter } = validate(RequestExportQuery, withAccount(query, account_id));
        const pages = exportRequests(context, filter);
        // Read before the response begins, because a refusal can set the status only until then.
        return fileOf(context, await pages.next(), pages, format);
      },
    }),
    admin('GET', '/requests/:id', {
      scope: 'account_in_query',
      handle: (request) => ok(readRequest(context, oneRequest(request))),
    }),
    admin('GET', '/requests/:id/answer', {
      scope: 'account_in_query',
      handle: (request) => ok(readRequestAnswer(context, oneRequest(request))),
    }),
  ];
}

interface AskedFor {
  query: object;
  account_id: string | undefined;
  id: string;
}

const OneRequest = RequestQuery.pick({ id: true, account_id: true });

function oneRequest({ query, account_id, id }: AskedFor) {
  const asked = validate(OneRequest, withAccount({ ...query, id }, account_id));
  return { ...asked, id: asked.id ?? '' };
}

function withAccount(query: object, accountId: string | undefined): object {
  return accountId === undefined ? query : { ...query, account_id: accountId };
}

/** Written while the client reads it, so that a long log is never in memory as a whole. */
function fileOf(
  context: Pick<AccountsContext, 'database'>,
  first: IteratorResult<RequestLine[], ListEnd | undefined>,
  pages: AsyncGenerator<RequestLine[], ListEnd | undefined>,
  format: 'csv' | 'jsonl',
): Response {
  const encoder = new TextEncoder();
  const write = format === 'csv' ? csvOf : jsonLinesOf;
  const writeEnd = format === 'csv' ? csvEnd : jsonOf;
  let head = format === 'csv' ? csvLine(columns.map(([name]) => name)) : '';
  let next: Promise<typeof first> = Promise.resolve(first);
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { value, done } = await next;
      if (!done) next = pages.next();
      const end = () => (value && done ? writeEnd(value) : '');
      const text = head + (done ? end() : await write(context, value));
      head = '';
      if (text !== '') controller.enqueue(encoder.encode(text));
      if (done) controller.close();
    },
    cancel: async () => {
      await pages.return(undefined);
    },
  });
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl';
  return new Response(body, {
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

async function csvOf(
  context: Pick<AccountsContext, 'database'>,
  lines: readonly RequestLine[],
): Promise<string> {
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

type Plain = {
  [Name in keyof RequestLine]: RequestLine[Name] extends string | number | null ? Name : never;
}[keyof RequestLine];

function plain(name: Plain): Column {
  return [name, (line) => line[name]];
}

const columns: readonly Column[] = [
  plain('created_at'),
  plain('id'),
  plain('answer_id'),
  plain('account_id'),
  ['account_name', ({ account_id }, names) => names.accounts.get(account_id) ?? ''],
  plain('key_id'),
  ['key_name', ({ key_id }, names) => names.keys.get(key_id) ?? ''],
  plain('tool'),
  plain('provider'),
  plain('asked'),
  [
    'tags',
    ({ tags }) =>
      Object.entries(tags)
        .map((tag) => tag.join('='))
        .join(','),
  ],
  plain('outcome'),
  plain('status'),
  plain('error_type'),
  plain('error_message'),
  plain('warnings'),
  ['warning_messages', (line) => line.warning_details.map(({ message }) => message).join('\n')],
  [
    'attempts',
    ({ attempts }) =>
      attempts.map((one) => `${one.provider} ${one.outcome} ${one.latency_ms} ms`).join('\n'),
  ],
  plain('delivered'),
  plain('held_usd'),
  plain('cost_usd'),
  plain('cost_basis'),
  plain('reported_cost_usd'),
  plain('latency_ms'),
  ['parameters', ({ parameters }) => (parameters === null ? null : JSON.stringify(parameters))],
];
