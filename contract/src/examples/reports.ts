// Examples of the request log, usage and other reports.
import type {
  AuditEntry,
  ErrorKind,
  Found,
  Incident,
  JobLine,
  Overview,
  RequestAnswer,
  RequestLine,
  RequestNote,
  Scorecard,
  UsageComparison,
  UsageLine,
  UsageReport,
} from '../index.ts';
import { account, key } from './accounts.ts';
import { person } from './people.ts';

export const incident: Incident = {
  id: 'inc_3f1c0f6f4d5b4a0c9d1e2b3a4c5d6e7f',
  kind: 'provider_failing',
  severe: true,
  account_id: account.id,
  subject: 'engine_g',
  message: 'Linkup failing',
  reason: 'status 500',
  started_at: '2026-11-16T09:40:12.000Z',
  ended_at: null,
  gaps: [],
  requests: 143,
  cost_usd: 0,
  muted: false,
  note: null,
  changed_by: null,
  changed_at: null,
};

export const incidentMark = {
  muted: true,
  note: 'The vendor knows about it.',
  changed_by: 'ada@example.org',
  changed_at: '2026-11-16T10:02:00.000Z',
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
    {
      ...{ provider: 'engine_a', outcome: 'answered', status: null, message: null },
      ...{ started_ms: 1, queued_ms: 0, latency_ms: 811 },
    },
  ],
  delivered: 10,
  replay_of: null,
  simulated: false,
  from_cache: false,
  held_usd: 0.007,
  cost_usd: 0.007,
  cost_basis: 'reported',
  cost_parts: [],
  reported_cost_usd: 0.007,
  latency_ms: 812,
  created_at: '2026-11-15T12:03:00.000Z',
  notes: [],
};

export const note: RequestNote = {
  id: 'note_019a84c25b7e7c319d426f0e8a1b2c49',
  request_id: request.id,
  author: { kind: 'person', id: person.id, name: person.email },
  text: 'The vendor confirmed that this page had moved.',
  created_at: '2026-11-15T13:10:00.000Z',
  updated_at: '2026-11-15T13:10:00.000Z',
};

export const found: Found = {
  kind: 'request',
  id: request.id,
  account_id: account.id,
  name: request.asked,
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

export const usageChange: UsageComparison = {
  since: '2026-11-15T00:00:00.000Z',
  until: '2026-11-16T00:00:00.000Z',
  previous_since: '2026-11-14T00:00:00.000Z',
  previous_until: '2026-11-15T00:00:00.000Z',
  total: { requests: 1204, cost_usd: 17.3 },
  previous: { requests: 310, cost_usd: 3.1 },
  causes: [
    { by: 'key', group: key.id, requests: 880, cost_usd: 14 },
    { by: 'provider', group: 'fusion', requests: 640, cost_usd: 13.9 },
    { by: 'tag', group: 'run=reindex', requests: 640, cost_usd: 13.9 },
  ],
  not_compared: [],
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
  file_name: 'interview.wav',
  duration_seconds: 61,
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
  simulated: false,
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
