// An example of every request and response, shown in OpenAPI and checked against its schema.
import { noPolicy } from './index.ts';
import type {
  AttentionList,
  Account,
  AuditEntry,
  Balance,
  Budget,
  ErrorEnvelope,
  ErrorType,
  Estimate,
  ExtractRequestInput,
  ExtractResponse,
  FeedbackRequest,
  FeedbackResponse,
  Invite,
  Job,
  JobLine,
  JoinRequest,
  Key,
  OAuthAccessRequest,
  OAuthAccessView,
  OAuthClientInformation,
  OAuthClientRequest,
  OAuthFailure,
  OAuthRedirect,
  OAuthResourceMetadata,
  OAuthServerMetadata,
  OAuthTokens,
  OpenAiError,
  OpenAiModelList,
  OpenAiTranscription,
  Overview,
  OwnJobList,
  OwnUsage,
  PeopleList,
  Person,
  Profile,
  ProviderCheck,
  ProviderHourList,
  ProviderRecordList,
  ProvidersResponse,
  RawDocument,
  DeliveryDetail,
  ErrorKind,
  RequestAnswer,
  RequestLine,
  SearchRequestInput,
  SearchResponse,
  SessionView,
  SettingsView,
  TranscriptionAccepted,
  TranscriptionRequestInput,
  TransferLine,
  Upload,
  UploadDeleted,
  Scorecard,
  UsageLine,
  UsageReport,
  Webhook,
  WebhookDelivery,
} from './index.ts';
import { version } from './version.ts';

const jobId = 'job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d';

export const searchRequest: SearchRequestInput = {
  query: 'how do heat pumps work in cold climates',
  provider: 'engine_c',
  max_results: 5,
  published_after: '2025-01-01',
  exclude_domains: ['pinterest.com'],
  content: { snippets: { max_per_result: 2 } },
};

export const searchResponse: SearchResponse = {
  id: 'srch_019a84c25b7e7c319d426f0e8a1b2c3d',
  provider: 'engine_c',
  results: [
    {
      id: 'res_4f9a1c07be52d368',
      url: 'https://example.org/heat-pumps',
      title: 'Heat pumps below freezing',
      snippets: ['Even at -20 °C there is heat in the air to be moved indoors.'],
      score: 0.91,
      score_synthesized: false,
      published_date: '2025-03-14',
      raw: { url: 'https://example.org/heat-pumps', score: 0.91 },
    },
  ],
  warnings: [],
  usage: { cost_usd: 0.008, credits: 8 },
  latency_ms: 412,
};

export const extractRequest: ExtractRequestInput = {
  urls: ['https://example.org/heat-pumps', 'https://example.org/gone'],
  content: { max_chars: 20000, format: 'text' },
};

export const extractResponse: ExtractResponse = {
  id: 'ext_019a84c25b7e7c319d426f0e8a1b2c3d',
  provider: 'engine_a',
  results: [
    {
      url: 'https://example.org/heat-pumps',
      title: 'Heat pumps below freezing',
      content: '# Heat pumps below freezing\n\nEven at -20 °C there is heat in the air.',
      raw: { url: 'https://example.org/heat-pumps' },
    },
  ],
  failed: [{ url: 'https://example.org/gone', error: 'The page answered 404.' }],
  warnings: [
    {
      code: 'param_ignored',
      param: 'content.format',
      message: 'engine_a returns markdown only.',
    },
  ],
  usage: { cost_usd: 0.001, credits: 1 },
  latency_ms: 1280,
};

export const transcriptionRequest: TranscriptionRequestInput = {
  audio_url: 'https://recordings.example/interview.wav',
  provider: 'stt_b',
  language: 'en',
  diarize: true,
  keyterms: ['Trivium'],
};

export const upload: Upload = {
  id: 'upl_0197f2f3a9c17c54b1f2d3e4a5b6c7d8',
  audio_url:
    'https://gateway.example/files/upl_0197f2f3a9c17c54b1f2d3e4a5b6c7d8.1772529300000.' +
    '6d1f0c2b3a4958671f0e2d3c4b5a69788796a5b4',
  bytes: 5_242_880,
  duration_seconds: 328,
  expires_at: '2026-03-03T09:15:00.000Z',
};

export const uploadDeleted: UploadDeleted = { id: upload.id, deleted: true };

export const openAiTranscription: OpenAiTranscription = {
  text: 'Good morning.',
  usage: { type: 'duration', seconds: 2 },
};

export const openAiModels: OpenAiModelList = {
  object: 'list',
  data: [{ id: 'whisper-1', object: 'model', created: 0, owned_by: 'trivium' }],
};

export const openAiError: OpenAiError = {
  error: {
    message: 'stream: This gateway returns a transcript as a whole.',
    type: 'invalid_request_error',
    param: 'stream',
    code: 'unsupported',
  },
};

export const transcriptionAccepted: TranscriptionAccepted = {
  id: jobId,
  tool: 'transcription',
  status: 'queued',
  provider: 'stt_b',
  model: 'nova-3',
  warnings: [],
  created_at: '2026-03-02T09:15:00.000Z',
};

export const completedJob: Job = {
  id: jobId,
  tool: 'transcription',
  status: 'completed',
  provider: 'stt_b',
  model: 'nova-3',
  attempt_status: 'completed',
  created_at: '2026-03-02T09:15:00.000Z',
  updated_at: '2026-03-02T09:15:21.000Z',
  finished_at: '2026-03-02T09:15:21.000Z',
  result: {
    text: 'Good morning.',
    language: 'en',
    duration_seconds: 1.4,
    words: [
      { text: 'Good', start: 0.2, end: 0.5, speaker_id: 'speaker_0', confidence: 0.99 },
      { text: 'morning.', start: 0.5, end: 1.1, speaker_id: 'speaker_0', confidence: 0.98 },
    ],
    provider: 'stt_b',
    model: 'nova-3',
    usage: { cost_usd: 0.000131, credits: 1 },
  },
  error: null,
};

export const rawDocument: RawDocument = {
  id: '5d0563f8-6c3d-4a4e-9e2a-0d6a1d1c7a10',
  status: 'completed',
  text: 'Good morning, and thank you for making the time.',
  summary: 'Two people talk about a tidal station.',
};

const { result: _result, ...finished } = completedJob;

export const ownJobs: OwnJobList = {
  jobs: [{ ...finished, cost_usd: 0.000131 }],
  next_cursor: null,
  searched_until: null,
};

export const ownUsage: OwnUsage = {
  by: 'tool',
  usage: [
    {
      group: 'extract',
      requests: 12,
      served: 12,
      refused: 0,
      failed: 0,
      failures: 0,
      cost_usd: 0.012,
    },
    {
      group: 'search',
      requests: 240,
      served: 239,
      refused: 0,
      failed: 1,
      failures: 1,
      cost_usd: 1.68,
    },
  ],
  total: { requests: 252, served: 251, refused: 0, failed: 1, failures: 1, cost_usd: 1.692 },
};

export const attention: AttentionList = {
  items: [
    {
      kind: 'key_cap',
      severe: false,
      subject: 'key_1',
      message: 'The key “Website” has used 92 % of its daily cap.',
    },
  ],
};

export const failedJob: Job = {
  ...completedJob,
  status: 'failed',
  attempt_status: 'failed',
  result: null,
  error: {
    type: 'audio_unreachable',
    message: 'The provider could not read the audio: the address answered 403.',
    provider_status: 400,
    retryable: false,
  },
};

export const balance: Balance = {
  balance_usd: 12.5,
  held_usd: 0.25,
  exposed_usd: 1.89,
  credits: 12500,
};

export const providers: ProvidersResponse = {
  mode: 'live',
  providers: [
    {
      id: 'engine_c',
      name: 'Tavily',
      state: 'configured',
      tools: {
        search: {
          capabilities: {
            max_results: { support: 'approximated', note: 'At most 20.' },
            include_domains: { support: 'native' },
            safe_search: { support: 'ignored' },
          },
          prices: { basic: 0.008, advanced: 0.016 },
        },
      },
    },
  ],
  auto: {
    search: {
      routing: 'cheapest',
      order: [{ provider: 'engine_c', reason: 'a plain request costs at most 0.008 USD' }],
    },
    extract: { routing: 'order', order: [] },
    transcription: { routing: 'order', order: [] },
  },
};

export const errors: Record<ErrorType, ErrorEnvelope> = {
  unauthorized: failure('unauthorized', 'The API key is missing or not valid.'),
  invalid_request: failure('invalid_request', 'The request has 1 error.', {
    issues: [{ path: 'max_results', code: 'too_big', message: 'Must be at most 100.' }],
  }),
  provider_not_available: failure(
    'provider_not_available',
    'The provider cannot be used on this deployment now; choose another or auto.',
  ),
  provider_not_configured: failure(
    'provider_not_configured',
    'engine_f has no credential on this deployment; choose another provider or auto.',
  ),
  provider_error: failure('provider_error', 'engine_c answered with an error.', {
    provider: 'engine_c',
    status: 500,
    body: { error: 'internal' },
    error: 'internal',
  }),
  not_found: failure('not_found', 'There is no such job.'),
  insufficient_credits: failure(
    'insufficient_credits',
    'The balance does not cover what this request may cost.',
  ),
  rate_limited: failure('rate_limited', 'Too many requests with this key; try again shortly.'),
  internal_error: failure('internal_error', 'The gateway failed to handle this request.', {
    request_id: '019a84c2-5b7e-7c31-9d42-6f0e8a1b2c3d',
  }),
};

/** Examples for statuses whose error type is documented with another status as well. */
export const statusErrors: Readonly<Record<number, ErrorEnvelope>> = {
  409: failure(
    'invalid_request',
    'The Idempotency-Key 4f1c was used with a different body or path. Use a new key.',
  ),
  413: failure('invalid_request', 'The body is larger than the limit of 1048576 bytes.'),
};

function failure(type: ErrorType, message: string, detail?: unknown): ErrorEnvelope {
  return { error: { type, message, ...(detail === undefined ? {} : { detail }) } };
}

export const estimate: Estimate = {
  tool: 'search',
  provider: 'engine_a',
  calls: ['engine_a'],
  max_cost_usd: 0.007,
  held_usd: 0.007,
  hour_cost_usd: null,
  average_cost_usd: 0.007,
  average_of: 1204,
  balance_usd: 24.993,
};

export const feedback: FeedbackRequest = {
  search_id: searchResponse.id,
  cited: [searchResponse.results[0]?.id ?? ''],
};

export const feedbackKnown: FeedbackResponse = {
  search_id: searchResponse.id,
  ...{ cited: 1, opened: 0, rejected: 0 },
  unknown: [],
};

export const apiKey = 'sk_live_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';

export const account: Account = {
  id: 'acct_019a84c25b7e7c319d426f0e8a1b2c3d',
  name: 'Research team',
  created_at: '2026-11-15T12:00:00.000Z',
  balance_usd: 24.993,
  held_usd: 0.007,
  exposed_usd: 0,
  ...noPolicy,
  blocked_domains: ['casino.example'],
  requests_per_minute: 600,
  low_balance_usd: 1,
};

export const key: Key = {
  id: 'key_019a84c25b7e7c319d426f0e8a1b2c3e',
  account_id: account.id,
  name: 'Agent',
  display: apiKey.slice(0, 12),
  created_at: '2026-11-15T12:01:00.000Z',
  revoked_at: null,
  last_used_at: '2026-11-15T12:03:00.000Z',
  previous_until: null,
  used_today_usd: 0.014,
  used_this_month_usd: 3.25,
  expires_at: null,
  daily_cap_usd: 1,
  monthly_cap_usd: null,
  ...noPolicy,
  providers: ['engine_a', 'engine_d'],
  own_use_only: false,
};

export const budget: Budget = {
  tag: 'team',
  value: 'search',
  daily_cap_usd: null,
  monthly_cap_usd: 50,
  today_usd: 1.204,
  this_month_usd: 12.407,
  created_at: '2026-11-01T09:00:00.000Z',
};

export const transfer: TransferLine = {
  id: 'top_019a84c25b7e7c319d426f0e8a1b2c3f',
  kind: 'topup',
  account_id: account.id,
  amount_usd: 25,
  request_id: null,
  key_id: null,
  reason: 'invoice 2026-104',
  tool: null,
  provider: null,
  asked: null,
  balance_after_usd: 25,
  created_at: '2026-11-15T12:02:00.000Z',
};

export const request: RequestLine = {
  id: 'req_019a84c25b7e7c319d426f0e8a1b2c40',
  answer_id: 'srch_019a84c25b7e7c319d426f0e8a1b2c40',
  account_id: account.id,
  key_id: key.id,
  tool: 'search',
  provider: 'engine_a',
  routing: null,
  asked: 'solar energy storage',
  parameters: { max_results: 5 },
  asked_until: '2026-12-15T12:03:00.000Z',
  tags: { team: 'search' },
  outcome: 'served',
  status: 200,
  error_type: null,
  error_message: null,
  warnings: 0,
  warning_details: [],
  attempts: [
    { provider: 'engine_a', outcome: 'answered', latency_ms: 811, status: null, message: null },
  ],
  delivered: 10,
  replay_of: null,
  from_cache: false,
  held_usd: 0.007,
  cost_usd: 0.007,
  cost_basis: 'reported',
  cost_parts: [],
  reported_cost_usd: 0.007,
  latency_ms: 812,
  created_at: '2026-11-15T12:03:00.000Z',
};

export const requestAnswer: RequestAnswer = {
  id: request.id,
  answer: '{"id":"srch_019a84c25b7e7c319d426f0e8a1b2c40","provider":"engine_a","results":[]}',
  truncated: false,
  kept_until: '2026-11-16T12:03:00.000Z',
};

export const errorKind: ErrorKind = {
  error_type: 'provider_error',
  status: 502,
  outcome: 'failed',
  tool: 'search',
  provider: 'engine_a',
  count: 14,
  first_seen_at: '2026-11-15T11:02:00.000Z',
  last_seen_at: '2026-11-15T11:48:00.000Z',
  last_request_id: 'req_019a84b4a07e7c319d426f0e8a1b2c47',
  last_message: 'engine_a is unavailable (503). Try again later, or choose another provider.',
};

export const scorecard: Scorecard = {
  account_id: null,
  by: 'provider',
  first_day: '2026-11-02',
  last_day: '2026-11-15',
  lines: [
    {
      provider: 'engine_a',
      group: '',
      agreement: {
        ...{ mean: 0.4127, lower: 0.3902, upper: 0.4352, observations: 214.6 },
        weeks: [
          { week: '2026-11-02', mean: 0.4511, lower: 0.4172, upper: 0.485, observations: 96.2 },
          { week: '2026-11-09', mean: 0.3815, lower: 0.353, upper: 0.41, observations: 118.4 },
        ],
        changes: [{ day: '2026-11-09', before: 0.4511, after: 0.3815 }],
      },
      feedback: null,
      ...{ calls: 231, failures: 3, price_usd: 0.007, latency_ms: 412 },
      ...{ useful: 0, useful_price_usd: null },
    },
  ],
};

export const usageTotal: UsageReport['total'] = {
  requests: 1204,
  served: 1201,
  refused: 0,
  failed: 3,
  failures: 3,
  cost_usd: 8.407,
};

export const usage: UsageLine = {
  group: '2026-11-15',
  requests: 1204,
  served: 1201,
  refused: 0,
  failed: 3,
  failures: 3,
  cost_usd: 8.407,
};

export const job: JobLine = {
  id: 'job_019a84c2-5b7e-7c31-9d42-6f0e8a1b2c42',
  account_id: account.id,
  key_id: key.id,
  provider: 'stt_a',
  model: 'universal-3-5-pro',
  status: 'completed',
  attempt: 1,
  attempt_status: 'completed',
  provider_job_id: 'a3b1c7',
  audio_host: 'recordings.example',
  cost_usd: 0.003962,
  error: null,
  created_at: '2026-11-15T12:02:00.000Z',
  submitted_at: '2026-11-15T12:02:00.020Z',
  updated_at: '2026-11-15T12:02:09.000Z',
  finished_at: '2026-11-15T12:02:09.000Z',
  deadline_at: '2026-11-15T14:02:00.000Z',
  steps: [
    { at: '2026-11-15T12:02:00.000Z', attempt: 1, attempt_status: 'queued' },
    { at: '2026-11-15T12:02:00.020Z', attempt: 1, attempt_status: 'submitting' },
    { at: '2026-11-15T12:02:00.310Z', attempt: 1, attempt_status: 'waiting' },
    { at: '2026-11-15T12:02:09.000Z', attempt: 1, attempt_status: 'completed' },
  ],
  has_raw: true,
  unread_words: 0,
  ends_early: null,
};

const sums = { requests: 2, served: 2, refused: 0, failed: 0, failures: 0, cost_usd: 0.014 };

export const overview: Overview = {
  zone: 'UTC',
  span: '7d',
  balance_usd: 24.986,
  held_usd: 0,
  total: sums,
  previous: { requests: 1, served: 1, refused: 0, failed: 0, failures: 0, cost_usd: 0.007 },
  points: [{ at: '2026-11-15T00:00:00.000Z', until: '2026-11-16T00:00:00.000Z', ...sums }],
  by_tool: [{ group: 'search', ...sums }],
  by_provider: [{ group: 'engine_a', ...sums }],
  by_key: [{ group: key.id, ...sums }],
  cost_by_provider: [{ group: 'engine_a', cost_usd: [0.014] }],
  cost_by_key: [{ group: key.id, cost_usd: [0.014] }],
  latency: { requests: 2, failures: 0, p50_ms: 210, p95_ms: 260 },
  latency_by_provider: [{ id: 'engine_a', requests: 2, failures: 0, p50_ms: 210, p95_ms: 260 }],
  latency_over_time: [{ id: 'engine_a', p50_ms: [210], p95_ms: [260] }],
};

export const person: Person = {
  id: 'auth_019a84c25b7e7c319d426f0e8a1b2c50',
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  role: 'operator',
  account_id: null,
};

export const session: SessionView = {
  person,
  account: { id: account.id, name: account.name },
  needs_set_up: false,
  sandbox: false,
  single_sign_on: 'Example Works',
};

export const join: JoinRequest = {
  token: 'c2VjcmV0LW9mLWEtbGluaw',
  name: person.name,
  email: person.email,
  password: 'correct horse battery',
};

export const invite: Invite = {
  id: 'inv_019a84c25b7e7c319d426f0e8a1b2c51',
  label: 'Grace, on call',
  role: 'operator',
  account_id: null,
  created_at: '2026-11-15T12:00:00.000Z',
  expires_at: '2026-11-22T12:00:00.000Z',
};

export const people: PeopleList = {
  people: [{ ...person, created_at: '2026-11-15T11:59:00.000Z' }],
  invites: [invite],
};

export const providerRecords: ProviderRecordList = {
  records: [{ id: 'engine_a', requests: 1204, failures: 3, p50_ms: 210, p95_ms: 640 }],
};

export const providerHours: ProviderHourList = {
  provider: 'engine_a',
  hours: [{ at: '2026-11-15T12:00:00.000Z', served: 1201, failed: 3, mean_ms: 231 }],
};

export const providerCheck: ProviderCheck = {
  provider: 'engine_a',
  ok: true,
  latency_ms: 212,
  message: 'The provider answered as expected.',
};

export const profile: Profile = {
  person,
  has_password: true,
  sessions: [
    {
      id: 'auth_019a84c25b7e7c319d426f0e8a1b2c52',
      current: true,
      address: '192.0.2.7',
      browser: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0',
      created_at: '2026-11-15T11:59:00.000Z',
      expires_at: '2026-11-22T11:59:00.000Z',
    },
  ],
};

export const settings: SettingsView = {
  version,
  mode: 'live',
  store: 'sqlite',
  settings: [
    { name: 'PORT', value: '8787', is_set: false, is_secret: false, provider: null },
    { name: 'EXA_API_KEY', value: null, is_set: true, is_secret: true, provider: 'engine_a' },
  ],
};

export const auditEntry: AuditEntry = {
  id: 'audit_019a84c25b7e7c319d426f0e8a1b2c60',
  created_at: '2026-11-15T12:04:00.000Z',
  actor: { kind: 'person', id: person.id, name: person.email },
  address: '203.0.113.7',
  account_id: account.id,
  action: 'key.changed',
  target: key.id,
  before: { daily_cap_usd: null },
  after: { daily_cap_usd: 1 },
};

export const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=';

export const webhook: Webhook = {
  id: 'wh_019a84c25b7e7c319d426f0e8a1b2c70',
  account_id: account.id,
  url: 'https://hooks.example/trivium',
  events: ['job.completed', 'job.failed'],
  description: 'Transcripts',
  paused: false,
  old_secret_until: null,
  created_at: '2026-11-15T12:00:00.000Z',
  updated_at: '2026-11-15T12:00:00.000Z',
};

export const delivery: WebhookDelivery = {
  id: 'dlv_019a84c25b7e7c319d426f0e8a1b2c71',
  event_id: 'msg_019a84c25b7e7c319d426f0e8a1b2c72',
  event: 'job.completed',
  subject: completedJob.id,
  account_id: account.id,
  webhook_id: webhook.id,
  url: webhook.url,
  state: 'delivered',
  attempts: 2,
  last_status: 204,
  last_error: null,
  created_at: '2026-11-15T12:02:09.000Z',
  last_attempt_at: '2026-11-15T12:02:14.200Z',
  next_attempt_at: null,
  finished_at: '2026-11-15T12:02:14.310Z',
};

export const deliveryDetail: DeliveryDetail = {
  ...delivery,
  attempt_details: [
    {
      number: 1,
      at: '2026-11-15T12:02:09.100Z',
      duration_ms: 240,
      status: 503,
      error: 'Answered 503, not a status from 200 to 299.',
      response_body: 'We are being deployed.',
    },
    {
      number: 2,
      at: '2026-11-15T12:02:14.200Z',
      duration_ms: 110,
      status: 204,
      error: null,
      response_body: null,
    },
  ],
  payload: { account_id: account.id },
};

const issuer = 'https://trivium.example';
const redirectUri = 'http://127.0.0.1:33418/callback';
const clientId = 'mcpc_eyJ1IjpbImh0dHA6Ly8xMjcuMC4wLjE6MzM0MTgvY2FsbGJhY2siXX0.c2lnbmF0dXJl';
const flows = ['authorization_code', 'refresh_token'];

export const serverMetadata: OAuthServerMetadata = {
  issuer,
  authorization_endpoint: `${issuer}/oauth/authorize`,
  token_endpoint: `${issuer}/oauth/token`,
  registration_endpoint: `${issuer}/oauth/register`,
  revocation_endpoint: `${issuer}/oauth/revoke`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: flows,
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  scopes_supported: ['mcp'],
  authorization_response_iss_parameter_supported: true,
  service_documentation: `${issuer}/docs/agents`,
};

export const resourceMetadata: OAuthResourceMetadata = {
  resource: `${issuer}/mcp`,
  authorization_servers: [issuer],
  scopes_supported: ['mcp'],
  bearer_methods_supported: ['header'],
  resource_name: 'Trivium',
  resource_documentation: `${issuer}/docs/agents`,
};

export const clientRequest: OAuthClientRequest = {
  redirect_uris: [redirectUri],
  client_name: 'Reading Assistant',
};

export const clientInformation: OAuthClientInformation = {
  client_id: clientId,
  client_name: 'Reading Assistant',
  redirect_uris: [redirectUri],
  token_endpoint_auth_method: 'none',
  grant_types: flows,
  response_types: ['code'],
  scope: 'mcp',
};

export const accessRequest: OAuthAccessRequest = {
  client_id: clientId,
  redirect_uri: redirectUri,
  response_type: 'code',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
  state: '7f3a',
};

export const accessView: OAuthAccessView = {
  client_name: 'Reading Assistant',
  returns_to: '127.0.0.1:33418',
  account: { id: 'acct_default', name: 'Default' },
  person: 'ada@example.org',
};

export const redirect: OAuthRedirect = {
  redirect_to: `${redirectUri}?code=mcc_c2VjcmV0&state=7f3a&iss=https%3A%2F%2Ftrivium.example`,
};

export const tokens: OAuthTokens = {
  access_token: 'mcp_c2VjcmV0LW9mLWFuLWFnZW50',
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: 'mcr_c2VjcmV0LW9mLWFuLWFnZW50',
  scope: 'mcp',
};

export const oauthFailures: Readonly<Record<number, OAuthFailure>> = {
  400: {
    error: 'invalid_grant',
    error_description: 'The code is unknown, was used, or has expired.',
  },
  401: {
    error: 'invalid_client',
    error_description: 'The application is not registered here.',
  },
  413: {
    error: 'invalid_request',
    error_description: 'The body is larger than the limit of 65536 bytes.',
  },
  500: { error: 'server_error', error_description: 'The gateway failed to handle this request.' },
};
