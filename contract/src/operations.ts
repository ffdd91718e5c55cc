// The API as one table: the purpose, input and output of each operation. The server builds its
// routes from it, and openapi.ts generates the description from it.
import { z } from 'zod';
import * as examples from './examples.ts';
import * as schemas from './index.ts';

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 429 | 500 | 501 | 502 | 503;

type Examples = Readonly<Record<string, unknown>>;
/** A schema with its name in index.ts, and examples by name. */
type Body = readonly [z.ZodType, Examples];

export interface Operation {
  /**
   * Must not be the stem of a schema's name, because generators append Request and Response to it.
   */
  id: string;
  summary: string;
  description: string;
  query?: z.ZodObject;
  body?: Body;
  form?: z.ZodType;
  /** A body that is or contains a file, as OpenAPI describes it. */
  file?: object;
  /** Accepts a content mode for text from the web. */
  checked?: true;
  /** Held and charged; accepts the headers of paid requests, and either of these. */
  paid?: 'cache' | 'webhook';
  /** Accepts an idempotency key. */
  keyed?: 'change' | 'money';
  /** An admin operation that needs no token. */
  open?: true;
  /**
   * A GET of the admin API that does not count towards the reports that an account may read at
   * once.
   */
  unlimited?: true;
  status?: 201 | 202;
  /** What the response is; "Done." by default. */
  meaning?: string;
  answer?: Body;
  /** The response in other formats: the schema of a line, or as OpenAPI describes it. */
  formats?: Readonly<Record<string, object>>;
  /** In addition to the statuses that follow from the rest. */
  refuses?: readonly ErrorStatus[];
}

const text = { type: 'string' };
const described = (description: string) => ({ ...text, description });
/** Any bytes, as in OpenAPI 3.0; OpenAPI 3.1 would omit the schema. */
const anyBytes = { type: 'string', format: 'binary' };
const recording = { ...anyBytes, description: 'Audio or video.' };

const recordingFile = {
  description: 'A form with one file, or the file itself with its own Content-Type.',
  content: {
    'multipart/form-data': {
      schema: { type: 'object', required: ['file'], properties: { file: recording } },
    },
    'application/octet-stream': { schema: anyBytes },
  },
};

const openAiForm = {
  description: "OpenAI's form, with the file at any position.",
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: ['file', 'model'],
        properties: {
          file: recording,
          model: described(
            "whisper-1 for the first configured provider, an id, or a vendor's name.",
          ),
          language: described('If omitted, the provider detects it.'),
          prompt: described('Split at commas and sent as keyterms.'),
          response_format: {
            ...described('The format of the response. Default: json.'),
            enum: ['json', 'text', 'verbose_json', 'diarized_json', 'srt', 'vtt'],
          },
          'timestamp_granularities[]': {
            type: 'array',
            items: { type: 'string', enum: ['word', 'segment'] },
            description: 'Which of them verbose_json lists. Default: segment.',
          },
          stream: described('Only false.'),
          temperature: described('Ignored with a warning, unless it is 0.'),
        },
      },
    },
  },
};

const estimate = {
  summary: 'Estimate the cost of a request',
  description:
    'Takes the same request as the tool and returns what it can cost. The request is ' +
    'validated as usual, but no provider is called and nothing is charged.',
  meaning: 'What the request can cost.',
  answer: [schemas.Estimate, { estimate: examples.estimate }],
} as const;

const OneRequest = z.object({
  account_id: schemas.AccountId.optional().describe(
    'Only a request of this account; required for its members.',
  ),
});

const { url, events, description } = examples.webhook;

export const operations = {
  'POST /v1/search': {
    id: 'searchWeb',
    summary: 'Search the web',
    description:
      'Searches with one engine, with the first configured one (auto), or with a panel of ' +
      'engines whose results are merged by consensus (fusion).',
    paid: 'cache',
    body: [schemas.SearchRequest, { search: examples.searchRequest }],
    meaning: 'The search results.',
    answer: [schemas.SearchResponse, { found: examples.searchResponse }],
    refuses: [501, 502],
  },
  'POST /v1/extract': {
    id: 'extractPages',
    summary: 'Extract pages',
    description:
      'Returns the cleaned content of up to 20 pages. A page that cannot be extracted is listed' +
      ' in failed and does not fail the others.',
    paid: 'cache',
    body: [schemas.ExtractRequest, { extract: examples.extractRequest }],
    meaning: 'The extracted pages; pages that could not be extracted are listed in failed.',
    answer: [schemas.ExtractResponse, { partly: examples.extractResponse }],
    refuses: [502],
  },
  'POST /v1/transcriptions': {
    id: 'createTranscription',
    summary: 'Submit audio',
    description:
      'Accepts a recording by its URL and returns a job immediately. The job is submitted ' +
      'once, charged once, and survives a restart of the gateway.',
    paid: 'webhook',
    body: [schemas.TranscriptionRequest, { transcription: examples.transcriptionRequest }],
    status: 202,
    meaning: 'The job was accepted; read it at /v1/jobs/{id}.',
    answer: [schemas.TranscriptionAccepted, { queued: examples.transcriptionAccepted }],
    refuses: [404],
  },
  'POST /v1/uploads': {
    id: 'createUpload',
    summary: 'Upload a recording',
    description:
      'Stores a recording for transcription, up to TRIVIUM_MAX_UPLOAD_MB. The first bytes ' +
      'determine the type. The recording is deleted when its jobs have ended, or after 24 ' +
      'hours.',
    file: recordingFile,
    status: 201,
    meaning: 'The recording was stored.',
    answer: [schemas.Upload, { stored: examples.upload }],
    refuses: [503],
  },
  'GET /v1/uploads/:id': {
    id: 'readUpload',
    summary: 'Read an upload',
    description: 'Returns an upload that has not been deleted.',
    meaning: 'The upload.',
    answer: [schemas.Upload, { stored: examples.upload }],
  },
  'DELETE /v1/uploads/:id': {
    id: 'deleteUpload',
    summary: 'Delete an upload',
    description: 'Deletes an upload immediately. A job that still needs it fails.',
    meaning: 'The upload was deleted.',
    answer: [schemas.UploadDeleted, { deleted: examples.uploadDeleted }],
  },
  'POST /v1/audio/transcriptions': {
    id: 'createOpenAiTranscription',
    summary: "Transcribe a file in OpenAI's format",
    description:
      'Uploads the file, runs a job and waits until it ends. The header x-trivium-job-id ' +
      'is the id of the job, which continues if the caller disconnects. With an ' +
      'Idempotency-Key, the same file and fields get the same job again. The formats text, ' +
      'srt and vtt are plain text.',
    paid: 'webhook',
    file: openAiForm,
    meaning: 'The transcript.',
    answer: [schemas.OpenAiTranscription, { json: examples.openAiTranscription }],
    refuses: [404, 502],
  },
  'GET /v1/models': {
    id: 'listOpenAiModels',
    summary: "List the models in OpenAI's format",
    description: "Returns the values that model can have, in OpenAI's format.",
    meaning: 'The names.',
    answer: [schemas.OpenAiModelList, { models: examples.openAiModels }],
  },
  'GET /v1/jobs/:id': {
    id: 'readJob',
    summary: 'Read a job',
    description:
      'Returns the state of a job, and its transcript once it is completed. Free of charge. With ' +
      'x-trivium-content the gateway checks the transcript; if block removes it, it returns 404.',
    checked: true,
    meaning: 'The job in its current state.',
    answer: [schemas.Job, { completed: examples.completedJob, failed: examples.failedJob }],
    refuses: [402, 503],
  },
  'GET /v1/jobs/:id/raw': {
    id: 'readRawDocument',
    summary: "Read the provider's document for a job",
    description:
      'Returns the document that the transcript of a completed job was made from, as the ' +
      'provider sent it: summaries, chapters, entities, and everything else that native ' +
      'options requested. The header x-trivium-unread-words counts incomplete words, and ' +
      'x-trivium-ends-early reports that the last word ends long before the recording. ' +
      'Free of charge.',
    meaning: 'The document as the gateway received it.',
    answer: [schemas.RawDocument, { usual: examples.rawDocument }],
    refuses: [503],
  },
  'GET /v1/usage': {
    id: 'readOwnUsage',
    summary: 'Read the usage',
    description:
      "Returns the requests of the key's account, their outcomes and their cost, added up " +
      'by group. A key with own_use_only gets only its own. Days are in UTC. With accept: ' +
      'text/csv, the response is CSV.',
    query: schemas.OwnUsageQuery,
    meaning: 'The usage, one line for each group.',
    answer: [schemas.OwnUsage, { by_tool: examples.ownUsage }],
    formats: { 'text/csv': text },
  },
  'GET /v1/jobs': {
    id: 'listOwnJobs',
    summary: 'List the jobs',
    description:
      "Returns the jobs of the key's account, newest first, without their transcripts. A " +
      'key with own_use_only gets only its own. With accept: text/csv, the response is ' +
      'CSV, and the header x-next-cursor has the cursor of the next page.',
    query: schemas.OwnJobQuery,
    meaning: 'One page of jobs.',
    answer: [schemas.OwnJobList, { one: examples.ownJobs }],
    formats: { 'text/csv': text },
  },
  'GET /v1/balance': {
    id: 'readBalance',
    summary: 'Read the balance',
    description: "Returns the balance of the key's account.",
    meaning: 'The balance of the account.',
    answer: [schemas.Balance, { balance: examples.balance }],
  },
  'GET /v1/providers': {
    id: 'listProviders',
    summary: 'List the providers',
    description:
      'Returns every provider with its state, its health, its prices, and how it supports each ' +
      'parameter.',
    meaning: 'Every provider, what it can do and what it costs.',
    answer: [schemas.ProvidersResponse, { providers: examples.providers }],
  },
  'POST /v1/estimates/search': {
    id: 'estimateSearch',
    ...estimate,
    body: [schemas.SearchRequest, { usual: examples.searchRequest }],
    refuses: [501, 503],
  },
  'POST /v1/estimates/extract': {
    id: 'estimateExtract',
    ...estimate,
    body: [schemas.ExtractRequest, { usual: examples.extractRequest }],
    refuses: [503],
  },
  'POST /v1/estimates/transcription': {
    id: 'estimateTranscription',
    ...estimate,
    body: [schemas.TranscriptionRequest, { usual: examples.transcriptionRequest }],
    refuses: [503],
  },
  'POST /v1/feedback': {
    id: 'giveFeedback',
    summary: 'Report which results were useful',
    description:
      'Reports which results of a search of this account were cited, opened or rejected, up to ' +
      'seven days after the search. It is free, but counts towards the rate limits. A later report ' +
      'about a result replaces an earlier one, and a repeated report changes nothing.',
    body: [schemas.FeedbackRequest, { cited: examples.feedback }],
    meaning: 'The feedback about the results of the search so far.',
    answer: [schemas.FeedbackResponse, { known: examples.feedbackKnown }],
    refuses: [404, 409],
  },
  'POST /admin/v1/accounts': {
    id: 'createAccount',
    summary: 'Create an account',
    description: 'Creates an account with an empty balance, and its policy if one is given.',
    keyed: 'change',
    body: [schemas.AccountRequest, { usual: { name: examples.account.name } }],
    status: 201,
    answer: [
      schemas.Account,
      { usual: { ...examples.account, ...schemas.noPolicy, balance_usd: 0, held_usd: 0 } },
    ],
  },
  'GET /admin/v1/accounts': {
    id: 'listAccounts',
    summary: 'List accounts, newest first',
    description: 'Returns one page of the accounts, or of those whose name or id contains a text.',
    query: schemas.AccountQuery,
    answer: [schemas.AccountList, { usual: { accounts: [examples.account], next_cursor: null } }],
  },
  'GET /admin/v1/accounts/:id': {
    id: 'readAccount',
    summary: 'Read an account',
    description: 'Returns an account with its balance.',
    answer: [schemas.Account, { usual: examples.account }],
  },
  'PATCH /admin/v1/accounts/:id': {
    id: 'changeAccount',
    summary: 'Rename an account, or change its policy; null removes a limit',
    description:
      'Changes the name or the policy of an account. This gateway applies it immediately, ' +
      'others within half a second.',
    body: [
      schemas.AccountChange,
      { usual: { blocked_domains: ['casino.example'], requests_per_minute: 600 } },
    ],
    answer: [schemas.Account, { usual: examples.account }],
  },
  'POST /admin/v1/accounts/:id/topups': {
    id: 'topUp',
    summary: 'Add money to an account',
    description:
      'Adds money to the balance. Send an Idempotency-Key, so that a retry does not add it ' +
      'twice.',
    keyed: 'money',
    body: [schemas.TopupRequest, { usual: { amount_usd: 25, reason: 'invoice 2026-104' } }],
    status: 201,
    answer: [schemas.TransferLine, { usual: examples.transfer }],
  },
  'POST /admin/v1/accounts/:id/adjustments': {
    id: 'adjustBalance',
    summary: 'Correct the balance of an account',
    description: 'Changes the balance by a positive or negative amount, to correct a mistake.',
    keyed: 'money',
    body: [schemas.AdjustmentRequest, { usual: { amount_usd: -2.5, reason: 'typed twice' } }],
    status: 201,
    answer: [
      schemas.TransferLine,
      { usual: { ...examples.transfer, kind: 'adjust', amount_usd: -2.5, reason: 'typed twice' } },
    ],
  },
  'POST /admin/v1/accounts/:id/refunds': {
    id: 'refundCost',
    summary: 'Refund the cost of a request',
    description: 'Returns all or part of the cost of a request to the balance.',
    keyed: 'money',
    body: [
      schemas.RefundRequest,
      {
        usual: {
          request_id: examples.request.id,
          amount_usd: 0.007,
          reason: 'answer was unusable',
        },
      },
    ],
    status: 201,
    answer: [
      schemas.TransferLine,
      { usual: { ...examples.transfer, kind: 'refund', amount_usd: 0.007 } },
    ],
  },
  'POST /admin/v1/accounts/:id/keys': {
    id: 'createKey',
    summary: 'Create an API key; it is shown only once',
    description:
      'Creates an API key for an account, with optional caps, expiry and policy. Members ' +
      'may set the name, the caps, the expiry and the providers.',
    keyed: 'change',
    body: [schemas.KeyRequest, { usual: { name: 'Agent', daily_cap_usd: 1 } }],
    status: 201,
    answer: [schemas.NewKey, { usual: { ...examples.key, key: examples.apiKey } }],
  },
  'GET /admin/v1/accounts/:id/keys': {
    id: 'listKeys',
    summary: 'List the keys of an account',
    description: 'Returns the keys of an account, without their secrets.',
    answer: [schemas.KeyList, { usual: { keys: [examples.key] } }],
  },
  'POST /admin/v1/accounts/:id/budgets': {
    id: 'setBudget',
    summary: 'Set the budget of a tag value',
    description:
      "Caps what the account's requests with this tag value may spend in a UTC day or " +
      'month. It replaces an existing budget of the tag value; without a cap, it removes ' +
      'it.',
    keyed: 'change',
    body: [schemas.BudgetRequest, { usual: { tag: 'team', value: 'search', monthly_cap_usd: 50 } }],
    answer: [schemas.Budget, { usual: examples.budget }],
  },
  'GET /admin/v1/accounts/:id/budgets': {
    id: 'listBudgets',
    summary: 'List the budgets of an account',
    description:
      'Returns every budget, and the spending that counts towards it today and this month.',
    answer: [schemas.BudgetList, { usual: { budgets: [examples.budget] } }],
  },
  'PATCH /admin/v1/keys/:id': {
    id: 'changeKey',
    summary: 'Rename or limit a key; null removes a limit',
    description:
      'Changes the name, the limits or the policy of a key. Members may change the name, the ' +
      'caps, the expiry and the providers.',
    body: [schemas.KeyChange, { usual: { monthly_cap_usd: 20, daily_cap_usd: null } }],
    answer: [schemas.Key, { usual: { ...examples.key, monthly_cap_usd: 20, daily_cap_usd: null } }],
  },
  'DELETE /admin/v1/keys/:id': {
    id: 'revokeKey',
    summary: 'Revoke a key',
    description: 'Makes a key permanently invalid, with immediate effect.',
    answer: [schemas.Key, { usual: { ...examples.key, revoked_at: '2026-11-15T14:00:00.000Z' } }],
  },
  'POST /admin/v1/keys/:id/rotate': {
    id: 'rotateKey',
    summary: 'Give a key a new secret; the old one keeps working for a while',
    description:
      'The key keeps its id, its limits and its spending. Only one old secret works ' +
      'besides the new one: rotating again ends it. To rotate TRIVIUM_BOOTSTRAP_KEY, ' +
      'change the setting.',
    keyed: 'change',
    body: [schemas.KeyRotation, { usual: { overlap_hours: 24 } }],
    status: 201,
    answer: [
      schemas.NewKey,
      {
        usual: {
          ...examples.key,
          previous_until: '2026-11-16T12:01:00.000Z',
          key: examples.apiKey,
        },
      },
    ],
  },
  'DELETE /admin/v1/keys/:id/previous': {
    id: 'endOverlap',
    summary: 'End the old secret of a rotated key immediately',
    description: 'From now on only the newest secret of the key works.',
    answer: [schemas.Key, { usual: examples.key }],
  },
  'GET /admin/v1/requests': {
    id: 'listRequests',
    summary: 'List requests, newest first',
    description:
      'Returns one page of the request log, filtered. A search examines a limited number ' +
      'of requests: if searched_until is set, the cursor continues the search, even if the ' +
      'page is not full or is empty.',
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
    summary: 'Read one request of the log',
    description: 'Finds a request by its id, by the id of its answer, or by the id of its job.',
    query: OneRequest,
    answer: [schemas.RequestLine, { usual: examples.request }],
  },
  'GET /admin/v1/requests/:id/answer': {
    id: 'readRequestAnswer',
    summary: 'Read the answer to a request of the log',
    description:
      'Returns the answer to a search or an extraction, if the gateway keeps answers. The answer ' +
      'of a transcription is kept with its job.',
    query: OneRequest,
    answer: [schemas.RequestAnswer, { usual: examples.requestAnswer }],
  },
  'GET /admin/v1/transfers': {
    id: 'listTransfers',
    summary: 'List ledger lines, newest first',
    description: 'Returns one page of the ledger, filtered.',
    query: schemas.TransferQuery,
    answer: [
      schemas.TransferList,
      { usual: { transfers: [examples.transfer], next_cursor: null, searched_until: null } },
    ],
  },
  'GET /admin/v1/usage': {
    id: 'readUsage',
    summary: 'Sum usage by day, provider, key, tool, account or tag',
    description: 'Returns requests, their outcomes and cost, added up by group.',
    query: schemas.UsageQuery,
    answer: [
      schemas.UsageReport,
      { usual: { by: 'day', usage: [examples.usage], total: examples.usageTotal } },
    ],
    formats: { 'text/csv': text },
  },
  'GET /admin/v1/scorecard': {
    id: 'readScorecard',
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
    summary: 'List transcription jobs, newest first',
    description: 'Returns one page of the transcription jobs, filtered.',
    query: schemas.JobQuery,
    answer: [
      schemas.JobList,
      { usual: { jobs: [examples.job], next_cursor: null, searched_until: null } },
    ],
  },
  'GET /admin/v1/overview': {
    id: 'readOverview',
    summary: 'Read the balance, requests, outcomes and latency of an account over a time range',
    description: 'Returns the figures of the overview page of the dashboard.',
    query: schemas.OverviewQuery,
    answer: [schemas.Overview, { usual: examples.overview }],
  },
  'GET /admin/v1/activity': {
    id: 'readActivity',
    summary: 'See whether something has happened on an account',
    description: 'Returns a version that changes with the requests, jobs and money of the account.',
    query: schemas.ActivityQuery,
    answer: [schemas.Activity, { usual: { version: '498541-2-0-14000-24986000-1763208129000' } }],
  },
  'GET /admin/v1/attention': {
    id: 'readAttention',
    summary: 'List problems that need attention',
    description:
      'Returns open circuits, refused credentials, caps and budgets that are at least 80 % ' +
      'used, a low balance, failing webhooks, and jobs close to their deadline. Operators ' +
      'also get providers that often fail, and problems with the store or the clock.',
    query: schemas.AttentionQuery,
    answer: [schemas.AttentionList, { usual: examples.attention }],
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
  'GET /admin/v1/session': {
    id: 'readSession',
    summary: 'Read the signed-in person, identified by the session cookie',
    description: 'Returns the signed-in person, or null, and what the sign-in page needs to know.',
    open: true,
    answer: [schemas.SessionView, { usual: examples.session }],
    refuses: [400],
  },
  'POST /admin/v1/join': {
    id: 'acceptInvite',
    summary: 'Accept a set-up or invitation link; only from the dashboard’s own origin',
    description: 'Creates the person that a set-up or invitation link is for.',
    open: true,
    body: [schemas.JoinRequest, { usual: examples.join }],
    status: 201,
    answer: [schemas.Joined, { usual: { joined: true } }],
    refuses: [403, 404],
  },
  'POST /admin/v1/join/check': {
    id: 'checkInvite',
    summary: 'See whether a set-up or invitation link still works',
    description: 'The link stays valid. Only from the dashboard’s own origin.',
    open: true,
    body: [schemas.InviteCheck, { usual: { token: examples.join.token } }],
    answer: [schemas.InviteState, { usual: { open: true } }],
    refuses: [403],
  },
  'GET /admin/v1/people': {
    id: 'listPeople',
    summary: 'List the people who can sign in, and open invitations',
    description: 'Returns everyone who can sign in to the dashboard.',
    unlimited: true,
    answer: [schemas.PeopleList, { usual: examples.people }],
  },
  'PATCH /admin/v1/people/:id': {
    id: 'changePerson',
    summary: 'Change the role of a person',
    description:
      "Takes effect with the person's next request. The last operator cannot be demoted.",
    body: [schemas.PersonChange, { usual: { role: 'member', account_id: examples.account.id } }],
    answer: [
      schemas.Person,
      { usual: { ...examples.person, role: 'member', account_id: examples.account.id } },
    ],
    refuses: [409],
  },
  'DELETE /admin/v1/people/:id': {
    id: 'removePerson',
    summary: 'Remove a person and sign them out',
    description: 'Removes a person and ends all of their sessions.',
    answer: [schemas.Removed, { usual: { id: examples.person.id } }],
    refuses: [409],
  },
  'POST /admin/v1/people/:id/reset': {
    id: 'makeResetLink',
    summary: 'Create a link for choosing a new password',
    description:
      'The link works for a day, or until the password is changed. Pass it on to the ' +
      'person yourself.',
    status: 201,
    answer: [
      schemas.ResetLink,
      { usual: { token: examples.join.token, expires_at: '2026-11-16T12:00:00.000Z' } },
    ],
  },
  'POST /admin/v1/reset': {
    id: 'resetPassword',
    summary: 'Choose a new password with a link; only from the dashboard’s own origin',
    description: 'Changes the password and ends every session of the person.',
    open: true,
    body: [
      schemas.ResetRequest,
      { usual: { token: examples.join.token, password: examples.join.password } },
    ],
    answer: [schemas.ResetState, { usual: { open: false, email: null } }],
    refuses: [403, 404],
  },
  'POST /admin/v1/reset/check': {
    id: 'checkReset',
    summary: 'See whether a link for choosing a new password still works',
    description: 'The link stays valid. Only from the dashboard’s own origin.',
    open: true,
    body: [schemas.InviteCheck, { usual: { token: examples.join.token } }],
    answer: [schemas.ResetState, { usual: { open: true, email: examples.person.email } }],
    refuses: [403],
  },
  'GET /admin/v1/profile': {
    id: 'readProfile',
    summary: 'Read your own profile and sessions, identified by the session cookie',
    description:
      'Returns the signed-in person and their sessions. The operator token has no profile.',
    unlimited: true,
    answer: [schemas.Profile, { usual: examples.profile }],
    refuses: [403],
  },
  'PATCH /admin/v1/profile': {
    id: 'changeProfile',
    summary: 'Change your own name',
    description: 'Changes the name that others see.',
    body: [schemas.ProfileChange, { usual: { name: 'Ada King' } }],
    answer: [schemas.Person, { usual: { ...examples.person, name: 'Ada King' } }],
    refuses: [403],
  },
  'DELETE /admin/v1/profile/sessions': {
    id: 'endOtherSessions',
    summary: 'Sign out every other browser',
    description: 'Ends every session of the person except the one of this request.',
    answer: [schemas.Profile, { usual: examples.profile }],
    refuses: [403],
  },
  'DELETE /admin/v1/profile/sessions/:id': {
    id: 'endSession',
    summary: 'Sign out one browser',
    description: 'Ends one session of the signed-in person.',
    answer: [schemas.Removed, { usual: { id: examples.profile.sessions[0]?.id } }],
    refuses: [403],
  },
  'POST /admin/v1/invites': {
    id: 'createInvite',
    summary: 'Create an invitation link; its token is shown only once',
    description: 'Creates a link that lets one person join.',
    keyed: 'change',
    body: [schemas.InviteRequest, { usual: { role: 'operator' } }],
    status: 201,
    answer: [schemas.NewInvite, { usual: { ...examples.invite, token: 'c2VjcmV0LW9mLWEtbGluaw' } }],
  },
  'DELETE /admin/v1/invites/:id': {
    id: 'withdrawInvite',
    summary: 'Withdraw an invitation',
    description: 'Makes an invitation link invalid.',
    answer: [schemas.Removed, { usual: { id: examples.invite.id } }],
  },
  'GET /admin/v1/settings': {
    id: 'readSettings',
    summary: 'Read the settings that apply',
    description: 'Returns every setting that this gateway was started with. Secrets are hidden.',
    unlimited: true,
    answer: [schemas.SettingsView, { usual: examples.settings }],
  },
  'GET /admin/v1/provider-records': {
    id: 'readProviderRecords',
    summary: 'Read the recent latency and failures of each provider',
    description: 'Returns the latency and failures of the latest requests, by provider.',
    answer: [schemas.ProviderRecordList, { usual: examples.providerRecords }],
  },
  'GET /admin/v1/providers/:id/hours': {
    id: 'readProviderHours',
    summary: 'Read how often and how fast a provider answered, by hour',
    description: 'Returns the hours of the last 30 days in which requests reached the provider.',
    answer: [schemas.ProviderHourList, { usual: examples.providerHours }],
  },
  'POST /admin/v1/providers/:id/check': {
    id: 'checkProvider',
    summary: 'Make one real, inexpensive call to a provider',
    description: 'Calls the provider once with its configured credential, and reports the result.',
    answer: [schemas.ProviderCheck, { usual: examples.providerCheck }],
    refuses: [501, 503],
  },
  'POST /admin/v1/webhooks': {
    id: 'createWebhook',
    summary: 'Create an endpoint for events; its secret is shown only once',
    description:
      'Creates an endpoint for the account in the query. Without an account, operators ' +
      'create an endpoint for the gateway itself.',
    query: schemas.WebhookQuery.pick({ account_id: true }),
    keyed: 'change',
    body: [schemas.WebhookRequest, { usual: { url, events, description } }],
    status: 201,
    answer: [schemas.NewWebhook, { usual: { ...examples.webhook, secret: examples.secret } }],
    refuses: [404],
  },
  'GET /admin/v1/webhooks': {
    id: 'listWebhooks',
    summary: 'List endpoints, newest first',
    description:
      'Returns one page of the endpoints of an account, or, for operators, of all accounts.',
    query: schemas.WebhookQuery,
    answer: [schemas.WebhookList, { usual: { webhooks: [examples.webhook], next_cursor: null } }],
  },
  'GET /admin/v1/webhooks/deliveries': {
    id: 'listDeliveries',
    summary: 'List deliveries, newest first',
    description: 'Returns one page of the log of deliveries, filtered.',
    query: schemas.DeliveryQuery,
    answer: [
      schemas.DeliveryList,
      { usual: { deliveries: [examples.delivery], next_cursor: null, searched_until: null } },
    ],
  },
  'GET /admin/v1/webhooks/deliveries/:id/detail': {
    id: 'readDelivery',
    summary: 'Read a delivery with its payload',
    description: 'Returns one delivery of the log, the data of its event, and its attempts.',
    answer: [schemas.DeliveryDetail, { usual: examples.deliveryDetail }],
  },
  'POST /admin/v1/webhooks/deliveries/:id/redeliver': {
    id: 'redeliverEvent',
    summary: 'Send an event again',
    description: 'Sends it now, with the same webhook-id, and retries for another 24 hours.',
    keyed: 'change',
    answer: [
      schemas.WebhookDelivery,
      {
        usual: {
          ...examples.delivery,
          state: 'pending',
          next_attempt_at: '2026-11-15T13:00:00.000Z',
          finished_at: null,
        },
      },
    ],
    refuses: [429],
  },
  'GET /admin/v1/webhooks/:id': {
    id: 'readWebhook',
    summary: 'Read an endpoint',
    description: 'Returns an endpoint without its secret.',
    answer: [schemas.Webhook, { usual: examples.webhook }],
  },
  'PATCH /admin/v1/webhooks/:id': {
    id: 'changeWebhook',
    summary: 'Change, pause or resume an endpoint',
    description:
      'Changes the given fields. Events for a paused endpoint are kept and sent when it is ' +
      'resumed.',
    body: [schemas.WebhookChange, { usual: { paused: true } }],
    answer: [schemas.Webhook, { usual: { ...examples.webhook, paused: true } }],
  },
  'DELETE /admin/v1/webhooks/:id': {
    id: 'deleteWebhook',
    summary: 'Delete an endpoint',
    description: 'Deletes an endpoint. Its pending deliveries are cancelled.',
    answer: [schemas.Removed, { usual: { id: examples.webhook.id } }],
  },
  'POST /admin/v1/webhooks/:id/rotate': {
    id: 'rotateWebhookSecret',
    summary: 'Replace the secret of an endpoint; the new one is shown only once',
    description: 'During the overlap each delivery carries a signature of both secrets.',
    keyed: 'change',
    body: [schemas.SecretRotation, { usual: { overlap_hours: 24 } }],
    answer: [
      schemas.NewWebhook,
      {
        usual: {
          ...examples.webhook,
          old_secret_until: '2026-11-16T12:00:00.000Z',
          secret: examples.secret,
        },
      },
    ],
  },
  'POST /admin/v1/webhooks/:id/test': {
    id: 'sendTestEvent',
    summary: 'Send a test event to an endpoint',
    description:
      'Queues the event webhook.test, even for a paused endpoint. The result appears in ' +
      'the list of deliveries.',
    keyed: 'change',
    status: 201,
    answer: [
      schemas.WebhookDelivery,
      {
        usual: {
          ...examples.delivery,
          event: 'webhook.test',
          subject: examples.webhook.id,
          state: 'pending',
          attempts: 0,
          last_status: null,
          last_attempt_at: null,
          next_attempt_at: examples.delivery.created_at,
          finished_at: null,
        },
      },
    ],
    refuses: [429],
  },
  'GET /admin/v1/accounts/:id/webhook-secret': {
    id: 'readWebhookSecret',
    summary: 'Read the secret that signs deliveries to x-trivium-webhook',
    description: 'Returns the secret of the account for the addresses in x-trivium-webhook.',
    answer: [
      schemas.WebhookSecret,
      {
        usual: { account_id: examples.account.id, secret: examples.secret, old_secret_until: null },
      },
    ],
  },
  'POST /admin/v1/accounts/:id/webhook-secret/rotate': {
    id: 'rotateAccountSecret',
    summary: 'Replace the secret that signs deliveries to x-trivium-webhook',
    description: 'During the overlap each delivery carries a signature of both secrets.',
    keyed: 'change',
    body: [schemas.SecretRotation, { usual: { overlap_hours: 24 } }],
    answer: [
      schemas.WebhookSecret,
      {
        usual: {
          account_id: examples.account.id,
          secret: examples.secret,
          old_secret_until: '2026-11-16T12:00:00.000Z',
        },
      },
    ],
  },
  'GET /.well-known/oauth-authorization-server': {
    id: 'describeAuthorizationServer',
    summary: 'Read the metadata of the authorization server',
    description: 'Lists every endpoint below (RFC 8414).',
    answer: [schemas.OAuthServerMetadata, { usual: examples.serverMetadata }],
    refuses: [400],
  },
  'GET /.well-known/oauth-protected-resource': {
    id: 'describeProtectedResource',
    summary: 'Read the metadata of the tools',
    description: 'Names the authorization server of /mcp (RFC 9728).',
    answer: [schemas.OAuthResourceMetadata, { usual: examples.resourceMetadata }],
    refuses: [400],
  },
  'GET /.well-known/oauth-protected-resource/mcp': {
    id: 'describeTools',
    summary: 'Read the metadata of the tools',
    description: 'Names the authorization server of /mcp (RFC 9728).',
    answer: [schemas.OAuthResourceMetadata, { usual: examples.resourceMetadata }],
    refuses: [400],
  },
  'POST /oauth/register': {
    id: 'registerApplication',
    summary: 'Register an application',
    description:
      'Returns an id that contains the signed registration; nothing is stored (RFC 7591).',
    body: [schemas.OAuthClientRequest, { usual: examples.clientRequest }],
    status: 201,
    answer: [schemas.OAuthClientInformation, { usual: examples.clientInformation }],
  },
  'GET /oauth/authorize': {
    id: 'openAuthorization',
    summary: 'The page where a person decides',
    description:
      'Opened in a browser, with the request in the query. The person signs in and allows ' +
      'or refuses access. The browser then returns to redirect_uri with code or error, ' +
      'state and iss.',
    query: schemas.OAuthAccessRequest,
    meaning: 'A page of the dashboard.',
    formats: { 'text/html': described('The page.') },
  },
  'POST /oauth/token': {
    id: 'exchangeToken',
    summary: 'Exchange a code or a refresh token',
    description: 'Each works once. Using one a second time ends the access that it granted.',
    form: schemas.OAuthTokenRequest,
    answer: [schemas.OAuthTokens, { usual: examples.tokens }],
    refuses: [401],
  },
  'POST /oauth/revoke': {
    id: 'revokeToken',
    summary: 'End the access of an application',
    description: 'Takes either token; an unknown token is accepted too (RFC 7009).',
    form: schemas.OAuthRevocationRequest,
    answer: [schemas.OAuthRevoked, { usual: {} }],
    refuses: [401],
  },
  'POST /oauth/consent/check': {
    id: 'checkAccess',
    summary: 'Read what an application requests; only from the page, with its session',
    description: 'Returns what the person needs to know, or where the browser goes with an error.',
    body: [schemas.OAuthAccessRequest, { usual: examples.accessRequest }],
    answer: [schemas.OAuthAccessView, { usual: examples.accessView }],
    refuses: [401, 403, 404],
  },
  'POST /oauth/consent': {
    id: 'decideAccess',
    summary: 'Allow or refuse an application; only from the page, with its session',
    description: 'Returns the address with the code, or with the error access_denied.',
    body: [schemas.OAuthDecisionRequest, { usual: { ...examples.accessRequest, allow: true } }],
    answer: [schemas.OAuthRedirect, { usual: examples.redirect }],
    refuses: [401, 403, 404],
  },
} as const satisfies Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, Operation>;
