// Examples of the operator's API, shown in its description and checked against its schemas.
import { noPolicy } from './policy.ts';
import type { Account, Key, TransferLine } from './admin.ts';
import type { AuditEntry } from './audit-log.ts';
import type { UsageLine } from './usage.ts';
import type { Budget } from './budgets.ts';
import type { JobLine } from './job-list.ts';
import type { RequestLine } from './request-log.ts';
import type { Overview, ProviderCheck, ProviderRecordList } from './overview.ts';
import type { SettingsView } from './settings.ts';
import type { Invite, JoinRequest, PeopleList, Person, Profile, SessionView } from './people.ts';

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
  asked: 'solar energy storage',
  asked_until: '2026-12-15T12:03:00.000Z',
  tags: { team: 'search' },
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
  held_usd: 0.007,
  cost_usd: 0.007,
  cost_basis: 'reported',
  cost_parts: [],
  reported_cost_usd: 0.007,
  latency_ms: 812,
  created_at: '2026-11-15T12:03:00.000Z',
};

export const usage: UsageLine = {
  group: '2026-11-15',
  requests: 1204,
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
};

const sums = { requests: 2, failures: 0, cost_usd: 0.014 };

export const overview: Overview = {
  span: '7d',
  balance_usd: 24.986,
  held_usd: 0,
  total: sums,
  previous: { requests: 1, failures: 0, cost_usd: 0.007 },
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
  version: '0.1.0',
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
