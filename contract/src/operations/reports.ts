// What an operator reads about the work of the gateway: the request log, usage, reports and
// checks.
import * as examples from '../examples/reports.ts';
import { transfer } from '../examples/accounts.ts';
import * as schemas from '../index.ts';
import { text, type Operations } from './operation.ts';

export const reports = {
  'GET /admin/v1/requests': {
    id: 'listRequests',
    resource: 'requests',
    verb: 'list',
    summary: 'List requests, newest first',
    description:
      'Returns one page of the request log, filtered. A search examines a limited number ' +
      'of requests: if searched_until is set, the cursor continues the search, even if the ' +
      'page is not full or is empty. By cost or latency, the newest 50,000 requests of the range ' +
      'are sorted; after the last of them, the cursor continues with the next 50,000.',
    query: schemas.RequestQuery,
    answer: [
      schemas.RequestList,
      { usual: { requests: [examples.request], next_cursor: null, searched_until: null } },
    ],
  },
  'GET /admin/v1/requests/export': {
    id: 'exportRequests',
    summary: 'Export the request log as CSV or JSON lines',
    description:
      'Returns every request that matches the filters, newest first, as one file. One ' +
      `export examines at most ${schemas.maxExportRows.toLocaleString('en')} requests; if ` +
      'there are more, its last line has the cursor to continue with.',
    query: schemas.RequestExportQuery,
    meaning: 'The file.',
    formats: { 'application/jsonl': text, 'text/csv': text },
  },
  'GET /admin/v1/requests/errors': {
    id: 'listErrorKinds',
    resource: 'requests',
    verb: 'errors',
    summary: 'Group the errors of the request log by kind',
    description:
      'Returns how often each kind of error occurred, when it was first and last seen, and ' +
      'the latest request with it. It examines the newest 100,000 requests in the range.',
    query: schemas.ErrorKindQuery,
    answer: [
      schemas.ErrorKindList,
      { usual: { errors: [examples.errorKind], searched_until: null } },
    ],
  },
  'GET /admin/v1/requests/:id': {
    id: 'readRequest',
    resource: 'requests',
    verb: 'get',
    summary: 'Read one request of the log',
    description: 'Finds a request by its id, by the id of its answer, or by the id of its job.',
    query: schemas.RequestAnswerQuery,
    answer: [schemas.RequestLine, { usual: examples.request }],
  },
  'GET /admin/v1/requests/:id/answer': {
    id: 'readRequestAnswer',
    resource: 'requests',
    verb: 'answer',
    summary: 'Read the answer to a request of the log',
    description:
      'Returns the answer to a search or an extraction, if the gateway keeps answers. The answer ' +
      'of a transcription is kept with its job.',
    query: schemas.RequestAnswerQuery,
    answer: [schemas.RequestAnswer, { usual: examples.requestAnswer }],
  },
  'POST /admin/v1/requests/:id/notes': {
    id: 'writeNote',
    resource: 'requests.notes',
    verb: 'create',
    summary: 'Write a note on a request of the log',
    description:
      'Adds a note, which everyone who can see the request can read. A request can have 20 notes.',
    keyed: 'change',
    body: [schemas.NoteRequest, { usual: { text: examples.note.text } }],
    status: 201,
    answer: [schemas.RequestNote, { usual: examples.note }],
  },
  'PATCH /admin/v1/notes/:id': {
    id: 'changeNote',
    resource: 'requests.notes',
    verb: 'update',
    summary: 'Change a note on a request',
    description: 'Changes the text of a note. Only its author and operators may do this.',
    body: [schemas.NoteRequest, { usual: { text: examples.note.text } }],
    answer: [schemas.RequestNote, { usual: examples.note }],
    refuses: [403],
  },
  'DELETE /admin/v1/notes/:id': {
    id: 'removeNote',
    resource: 'requests.notes',
    verb: 'delete',
    summary: 'Delete a note on a request',
    description: 'Deletes a note. Only its author and operators may do this.',
    answer: [schemas.Removed, { usual: { id: examples.note.id } }],
    refuses: [403],
  },
  'GET /admin/v1/find': {
    id: 'findByName',
    verb: 'find',
    summary: 'Find keys, accounts, people, requests and jobs by name or id',
    description:
      'Returns what has this text in its name, or as its id. Members find keys, requests and jobs of ' +
      'their account; operators find those of all accounts, and accounts and people.',
    query: schemas.FindQuery,
    answer: [schemas.FoundList, { usual: { found: [examples.found] } }],
  },
  'GET /admin/v1/transfers': {
    id: 'listTransfers',
    resource: 'transfers',
    verb: 'list',
    summary: 'List ledger lines, newest first',
    description: 'Returns one page of the ledger, filtered.',
    query: schemas.TransferQuery,
    answer: [
      schemas.TransferList,
      { usual: { transfers: [transfer], next_cursor: null, searched_until: null } },
    ],
  },
  'GET /admin/v1/usage': {
    id: 'readUsage',
    verb: 'usage',
    summary: 'Sum usage by day, provider, key, tool, account or tag',
    description: 'Returns requests, their outcomes and cost, added up by group.',
    query: schemas.UsageQuery,
    answer: [
      schemas.UsageReport,
      { usual: { by: 'day', usage: [examples.usage], total: examples.usageTotal } },
    ],
    formats: { 'text/csv': text },
  },
  'GET /admin/v1/usage/change': {
    id: 'readUsageChange',
    verb: 'usageChange',
    summary: 'Explain the change of usage between two ranges',
    description:
      'Compares a range with the one before it, which is as long, and names the keys, providers and ' +
      'tags that account for at least a third of the difference.',
    query: schemas.UsageChangeQuery,
    answer: [schemas.UsageComparison, { usual: examples.usageChange }],
  },
  'GET /admin/v1/scorecard': {
    id: 'readScorecard',
    verb: 'scorecard',
    summary: 'Compare search engines by measured quality, price, latency and failures',
    description:
      'Returns, for an account or for the deployment, how good the answers of each engine were ' +
      'by agreement with other engines and by feedback, with intervals, weeks and changes.',
    query: schemas.ScorecardQuery,
    answer: [schemas.Scorecard, { usual: examples.scorecard }],
    formats: { 'text/csv': text },
  },
  'GET /admin/v1/jobs': {
    id: 'listJobs',
    resource: 'jobs',
    verb: 'list',
    summary: 'List transcription jobs, newest first',
    description: 'Returns one page of the transcription jobs, filtered.',
    query: schemas.JobQuery,
    answer: [
      schemas.JobList,
      { usual: { jobs: [examples.job], next_cursor: null, searched_until: null } },
    ],
  },
  'GET /admin/v1/jobs/:id/recording': {
    id: 'readJobRecording',
    resource: 'jobs',
    verb: 'recording',
    summary: 'Read where the recording of a job can be heard',
    description:
      'Returns the address that the caller gave, or that of an upload while it is kept. Viewers ' +
      'get only an address without a signature. The gateway does not contact it.',
    query: schemas.JobRecordingQuery,
    refuses: [404],
    answer: [
      schemas.JobRecording,
      { usual: { audio_url: 'https://recordings.example/interview.wav', withheld: false } },
    ],
  },
  'GET /admin/v1/overview': {
    id: 'readOverview',
    verb: 'overview',
    summary: 'Read the balance, requests, outcomes and latency of an account over a time range',
    description: 'Returns the figures of the overview page of the dashboard.',
    query: schemas.OverviewQuery,
    answer: [schemas.Overview, { usual: examples.overview }],
  },
  'GET /admin/v1/activity': {
    id: 'readActivity',
    verb: 'activity',
    summary: 'See whether something has happened on an account',
    description:
      'Returns a version that changes with the requests, jobs, money and incidents of the account.',
    query: schemas.ActivityQuery,
    answer: [schemas.Activity, { usual: { version: '498541-2-0-14000-24986000-1763208129000' } }],
  },
  'GET /admin/v1/incidents': {
    id: 'listIncidents',
    resource: 'incidents',
    verb: 'list',
    summary: 'List incidents, newest first',
    description:
      'Returns what fails or is used up: providers and endpoints from their first failure to the ' +
      'next success, and, while they last, caps and budgets that are at least 80 % used, a low ' +
      'balance, and jobs close to their deadline. Operators also get those of the whole gateway: ' +
      'providers, refused credentials, the store and the clock; without an account, those of all ' +
      'accounts that have a start and an end. A range selects what lasted during some of it.',
    query: schemas.IncidentQuery,
    refuses: [404],
    answer: [
      schemas.IncidentList,
      { usual: { incidents: [examples.incident], next_cursor: null, searched_until: null } },
    ],
  },
  'PATCH /admin/v1/incidents/:id': {
    id: 'changeIncident',
    resource: 'incidents',
    verb: 'update',
    summary: 'Mute an incident, or note something about it',
    description:
      'Everyone who sees the incident sees the change, and it is in the audit log. The account in ' +
      'the query is the one whose incidents were listed.',
    query: schemas.IncidentOwnerQuery,
    body: [schemas.IncidentChange, { usual: { muted: true, note: 'The vendor knows about it.' } }],
    refuses: [404, 409],
    answer: [schemas.Incident, { usual: { ...examples.incident, ...examples.incidentMark } }],
  },
  'GET /admin/v1/cache': {
    id: 'readCache',
    summary: 'Read the size of the cache',
    description: 'Returns how many answers are cached, and the limits.',
    answer: [
      schemas.CacheStatus,
      { usual: { entries: 12, bytes: 148_031, max_entries: 50_000, max_bytes: 536_870_912 } },
    ],
  },
  'DELETE /admin/v1/cache': {
    id: 'clearCache',
    summary: 'Clear the cache',
    description: 'Deletes the cached answers of one account, or of all accounts.',
    query: schemas.CacheQuery,
    answer: [schemas.CacheCleared, { usual: { deleted: 12 } }],
  },
  'GET /admin/v1/audit': {
    id: 'readAuditLog',
    resource: 'audit',
    verb: 'list',
    summary: 'List changes, newest first',
    description:
      'Returns one page of the audit log, filtered. With Accept: application/x-ndjson, ' +
      'every matching entry is streamed as one line of JSON, and limit does not apply. ' +
      'Members can read the entries of their account.',
    query: schemas.AuditQuery,
    answer: [
      schemas.AuditList,
      { usual: { entries: [examples.auditEntry], next_cursor: null, searched_until: null } },
    ],
    formats: { 'application/x-ndjson': schemas.AuditEntry },
  },
  'GET /admin/v1/books': {
    id: 'readMemoryAudit',
    summary: 'Compare the balances this gateway keeps in memory with its store',
    description: 'Checks that the balances and holds in memory match the database.',
    answer: [
      schemas.MemoryAudit,
      { usual: { engine: 'sqlite', accounts: 12, reserved_usd: 0.021, violations: [] } },
    ],
  },
} as const satisfies Operations;
