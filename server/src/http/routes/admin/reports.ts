// The reports of the admin API: the overview, the request log with its exports, jobs, provider records
// and checks, the cache, the audit log, the audit of the gateway's memory, and the settings.
import {
  JobQuery,
  type ListEnd,
  type RequestLine,
  RequestQuery,
  type SettingsView,
  maxExportRows,
  version,
} from '@trivium/contract';
import { csvLine } from '@trivium/shared/csv';
import { readNames } from '../../../accounts/index.ts';
import { exportAudit, readAudit } from '../../../audit/index.ts';
import { auditMemory } from '../../../billing/index.ts';
import { streamOf } from '../../../platform/streams.ts';
import { readScorecard } from '../../../quality/index.ts';
import {
  exportRequests,
  findAnything,
  readActivity,
  readErrorKinds,
  readOverview,
  readRequest,
  readRequestAnswer,
  readRequests,
} from '../../../reporting/index.ts';
import { notes, readProviderHours, readProviderRecords } from '../../../requests/index.ts';
import { readJobs, readRecording } from '../../../transcription/index.ts';
import type { HttpContext } from '../../context.ts';
import { prefers, prefersCsv, scorecardCsv } from '../../csv.ts';
import type { Route } from '../../route.ts';
import { admin } from '../rows.ts';

const jsonLines = 'application/x-ndjson';

export function reportRoutes(context: HttpContext): Route[] {
  const { mode, displayed } = context.settings;
  const settings = (): SettingsView => ({
    ...{ version, mode, store: context.database.engine },
    settings: [...displayed],
  });
  const ofGateway = { scope: 'gateway', booked: true } as const;
  const ofQuery = { scope: 'account_in_query', booked: true } as const;
  const ofNote = { scope: 'note_in_path' } as const;
  const ofRequest = { ...ofQuery, query: RequestQuery.pick({ id: true, account_id: true }) };
  const ofJob = {
    scope: 'account_in_query',
    query: JobQuery.pick({ id: true, account_id: true }),
  } as const;
  return [
    admin('GET', '/overview', ofQuery, ({ filter }) => readOverview(context, filter)),
    admin('GET', '/activity', ofQuery, async ({ filter, is_operator }) => {
      const incidents = await context.incidents.version(filter.account_id, is_operator);
      const { version: ofRequests } = await readActivity(context, filter);
      return { version: `${ofRequests}-${incidents}` };
    }),
    admin('GET', '/incidents', ofQuery, ({ filter, is_operator }) =>
      context.incidents.list(filter, is_operator),
    ),
    admin('PATCH', '/incidents/:id', { scope: 'account_in_query' }, (request) => {
      const { id, account_id, is_operator: isOperator, by, body } = request;
      return context.incidents.change({ id, account_id, isOperator }, by, body);
    }),
    admin('GET', '/jobs', ofQuery, ({ filter }) => readJobs(context, filter)),
    admin('GET', '/jobs/:id/recording', ofJob, ({ filter, id, may_change }) =>
      readRecording(context.jobs, { ...filter, id: filter.id ?? id }, may_change),
    ),
    admin('GET', '/scorecard', ofQuery, async ({ filter: { format, ...wanted }, request }) => {
      const scorecard = await readScorecard(context, wanted);
      return prefersCsv(request, format) ? scorecardCsv(scorecard) : scorecard;
    }),
    admin('GET', '/cache', ofGateway, () => context.cache.status()),
    admin('DELETE', '/cache', ofGateway, ({ filter, by }) =>
      context.cache.clear(by, filter.account_id),
    ),
    admin('GET', '/audit', ofQuery, async ({ filter, request }) =>
      prefers(request, jsonLines)
        ? new Response(await exportAudit(context, filter), {
            headers: { 'content-type': jsonLines },
          })
        : readAudit(context, filter),
    ),
    admin('GET', '/books', ofGateway, () => auditMemory(context)),
    admin('GET', '/provider-records', ofGateway, () => readProviderRecords(context)),
    admin('GET', '/providers/:id/hours', ofGateway, ({ id }) => readProviderHours(context, id)),
    admin('GET', '/settings', { scope: 'gateway' }, settings),
    admin('POST', '/providers/:id/check', ofGateway, ({ id }) => context.checkProvider(id)),
    admin('GET', '/requests', ofQuery, ({ filter }) => readRequests(context, filter)),
    admin('GET', '/requests/errors', ofQuery, ({ filter }) => readErrorKinds(context, filter)),
    admin('GET', '/requests/export', ofQuery, async ({ filter: { format, ...filter } }) => {
      const pages = exportRequests(context, filter);
      // Read before the response begins, because a refusal can set the status only until then.
      return fileOf(context, await pages.next(), pages, format);
    }),
    admin('GET', '/requests/:id', ofRequest, ({ filter, id }) =>
      readRequest(context, { ...filter, id: filter.id ?? id }),
    ),
    admin('GET', '/requests/:id/answer', ofRequest, ({ filter, id }) =>
      readRequestAnswer(context, { ...filter, id: filter.id ?? id }),
    ),
    admin(
      'POST',
      '/requests/:id/notes',
      { scope: 'request_in_path', booked: true },
      async ({ joined, by, id, body }) =>
        notes.write(joined(context), by, await readRequest(context, { id }), body),
    ),
    admin('PATCH', '/notes/:id', ofNote, ({ by, id, is_operator, body }) =>
      notes.change(context, by, { id, isOperator: is_operator }, body),
    ),
    admin('DELETE', '/notes/:id', ofNote, ({ by, id, is_operator }) =>
      notes.remove(context, by, { id, isOperator: is_operator }),
    ),
    admin('GET', '/find', ofQuery, ({ filter, is_operator }) =>
      findAnything(context, filter, is_operator),
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
  const { type, head, write, end } = formats[format];
  const encoder = new TextEncoder();
  const chunks = async function* () {
    if (head !== '') yield encoder.encode(head);
    for (let next = Promise.resolve(first); ;) {
      const { value, done } = await next;
      if (done) {
        if (value) yield encoder.encode(end(value));
        return;
      }
      next = pages.next();
      if (value.length > 0) yield encoder.encode(await write(value, context));
    }
  };
  const disposition = `attachment; filename="requests.${format}"`;
  const headers = { 'content-type': type, 'content-disposition': disposition };
  return new Response(streamOf(chunks()), { headers });
}

const columns = [
  ...['created_at', 'id', 'answer_id', 'account_id', 'account_name', 'key_id', 'key_name', 'tool'],
  ...['provider', 'asked', 'tags', 'outcome', 'status', 'error_type', 'error_message', 'warnings'],
  ...['warning_messages', 'attempts', 'delivered', 'held_usd', 'cost_usd', 'cost_basis'],
  ...['reported_cost_usd', 'latency_ms', 'parameters', 'simulated'],
] as const;

const jsonOf = (line: RequestLine | ListEnd) => `${JSON.stringify(line)}\n`;

/** `end` writes the last line of an incomplete export. */
const formats = {
  csv: {
    type: 'text/csv; charset=utf-8',
    head: csvLine(columns),
    write: csvOf,
    end: ({ searched_until, next_cursor }: ListEnd) => {
      const looked = `it looked at ${maxExportRows.toLocaleString('en')} requests`;
      const rest = `Export the rest with cursor=${next_cursor}`;
      return csvLine([`This export stopped at ${searched_until}: ${looked}. ${rest}`]);
    },
  },
  jsonl: {
    type: 'application/jsonl',
    head: '',
    write: (lines: readonly RequestLine[]) => lines.map(jsonOf).join(''),
    end: jsonOf,
  },
};

async function csvOf(lines: readonly RequestLine[], context: HttpContext): Promise<string> {
  const accountIds = lines.map(({ account_id }) => account_id);
  const keyIds = lines.map(({ key_id }) => key_id);
  const accounts = await readNames(context, 'accounts', accountIds);
  const keys = await readNames(context, 'keys', keyIds);
  const texts = lines.map((line) => {
    const { tags, attempts, parameters } = line;
    const cells = {
      ...line,
      account_name: accounts.get(line.account_id) ?? '',
      key_name: keys.get(line.key_id) ?? '',
      tags: Object.entries(tags)
        .map((tag) => tag.join('='))
        .join(','),
      warning_messages: line.warning_details.map(({ message }) => message).join('\n'),
      attempts: attempts
        .map((one) => `${one.provider} ${one.outcome} ${one.latency_ms} ms`)
        .join('\n'),
      parameters: parameters === null ? null : JSON.stringify(parameters),
      simulated: String(line.simulated),
    };
    return csvLine(columns.map((name) => cells[name]));
  });
  return texts.join('');
}
