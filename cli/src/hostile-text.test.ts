// Text from a page, a provider or a gateway never controls the terminal.
import { describe, expect, test } from 'bun:test';
import { found, jobId, jobIn, startStubGateway, words } from '@trivium/sdk/stub-gateway';
import { runHere } from './run-cli.ts';

/** A window title, a colour, a line above, a C1 introducer, and reversed text. */
const hostile =
  'a\u001b]0;title\u0007b\u001b[2Jc\rd\u009b31me\u007f\u0085f\u202eg\u2066h\n\n-->\u001b[1Ai';
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const colours = /\u001b\[\d{1,2}m/g;

/** Every text of a value, except for those that a command compares. */
function spoil(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return kept.has(name) ? value : `${value}${hostile}`;
  if (Array.isArray(value)) return value.map((one) => spoil(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, spoil(one, key)]));
}

const kept = new Set([
  'outcome',
  'status',
  'type',
  'code',
  'tool',
  'attempt_status',
  'next_cursor',
]);
const money = { cost_usd: 1, credits: 1000 };
const result = {
  ...{ id: 'res_1', url: 'https://a.example/', title: 'A', snippets: ['said'], summary: 'short' },
  ...{ published_date: '2026-11-17', score: 1, raw: { a: 'b' } },
};
const page = { url: 'https://a.example/', title: 'A', text: 'said', links: ['https://b.example/'] };
const failed = [{ url: 'https://c.example/', error: 'gone' }];
const account = { id: 'acct_1', name: 'A', balance_usd: 1, held_usd: 0, created_at: '2026' };
const key = { id: 'key_1', name: 'A', display: 'sk_live_', key: 'sk_live_x', revoked_at: null };
const webhook = {
  id: 'we_1',
  url: 'https://a.example/',
  events: ['job.failed'],
  secret: 'whsec_x',
};
const line = { by: 'day', group: 'x', requests: 1, failures: 0, cost_usd: 1, day: '2026-11-17' };
const entry = { id: 'aud_1', created_at: '2026', action: 'x', target: 'y', after: { a: 'b' } };

const provider = { id: 'engine_a', name: 'Exa', tools: ['search'], available: true };

const request = {
  ...{
    id: 'req_1',
    answer_id: 'srch_1',
    created_at: '2026',
    account_id: 'acct_1',
    key_id: 'key_1',
  },
  ...{ tool: 'search', provider: 'engine_a', asked: 'solar', outcome: 'served', status: 200 },
  ...{ error_message: 'gone', cost_usd: 1, latency_ms: 1, warning_details: [{ message: 'x' }] },
  attempts: [{ provider: 'engine_a', status: 200, latency_ms: 1 }],
  cost_parts: [{ provider: 'engine_a', cost_usd: 1 }],
  routing: 'x',
};
const transfer = { id: 'tx_1', created_at: '2026', kind: 'topup', amount_usd: 1, reason: 'x' };
const invite = {
  id: 'inv_1',
  role: 'member',
  account_id: 'acct_1',
  label: 'Ada',
  expires_at: '2026',
};
const said = { search_id: 'x', cited: 1, opened: 0, rejected: 0, unknown: ['x'] };
const week = { mean: 0.5, lower: 0.4, upper: 0.6, observations: 9 };
const measured = { ...week, weeks: [], changes: [{ day: '2026', before: 0.1, after: 0.2 }] };
const scored = {
  ...{ provider: 'engine_a', group: 'de', agreement: measured, feedback: null, calls: 1 },
  ...{ failures: 0, price_usd: 1, latency_ms: 1, useful: 0, useful_price_usd: null },
};
const estimated = { max_cost_usd: 1, hour_cost_usd: 1, average_cost_usd: 1, average_of: 1 };

/** One answer with the fields of all commands. */
const everything = {
  ...{ ...found, results: [result], failed, usage: [line], total: line, by: 'day' },
  ...{ accounts: [account], keys: [key], webhooks: [webhook], budgets: [], entries: [entry] },
  ...{ jobs: [jobIn('completed')], deliveries: [], providers: [provider], requests: [request] },
  ...{ transfers: [transfer], invites: [invite], people: [], token: 'x', ...estimated, ...said },
  lines: [scored],
  ...{ balance_usd: 1, held_usd: 0, credits: 1, next_cursor: null },
};

function answerTo(path: string): unknown {
  if (path.startsWith('/v1/jobs/')) return jobIn('completed');
  if (path === '/v1/search' || path === '/v1/usage') {
    return path === '/v1/usage' ? { ...everything } : { ...everything, usage: money };
  }
  if (path === '/v1/extract') return { ...everything, results: [page], usage: money };
  if (path.startsWith('/admin/v1/requests/')) return request;
  return { ...everything, ...account, ...key, ...webhook };
}

const commands = [
  ['search', 'solar'],
  ['extract', 'https://a.example/'],
  ['transcribe', 'https://a.example/a.mp3', '--srt'],
  ['transcribe', 'https://a.example/a.mp3', '--vtt'],
  ['transcribe', 'https://a.example/a.mp3', '--text'],
  ['transcribe', 'https://a.example/a.mp3'],
  ['jobs', 'get', jobId],
  ['jobs', 'raw', jobId],
  ['jobs', 'list'],
  ['balance'],
  ['providers'],
  ['usage'],
  ['accounts'],
  ['keys', '--account', 'acct_1'],
  ['keys', 'create', 'laptop', '--account', 'acct_1'],
  ['webhooks'],
  ['audit-log'],
  ['estimate', 'search', 'solar'],
  ['feedback', `srch_${'0'.repeat(32)}`, '--cited', 'https://a.example/'],
  ['requests'],
  ['requests', 'get', 'req_1'],
  ['logs'],
  ['transfers'],
  ['scorecard'],
  ['invitations'],
  ['invitations', 'create', 'Ada', '--operator'],
  ['whoami'],
];

describe.each([
  ['on a terminal', []],
  ['as JSON', ['--json']],
])('%s', (_name, more) => {
  test.each(commands)(
    '%s %s %s prints whole lines, and no control character of an answer',
    async (...command) => {
      const args = [...command.filter((word) => typeof word === 'string'), ...more];
      for (const status of [200, 400]) {
        await using gateway = startStubGateway([
          ({ path }) => {
            const refused = {
              error: { type: 'invalid_request', message: 'No.', detail: { words } },
            };
            const answer = status === 200 ? answerTo(path.split('?')[0] ?? '') : refused;
            return Response.json(spoil(answer), {
              status,
              headers: { 'x-trivium-ends-early': '1 s' },
            });
          },
        ]);
        const env = { TRIVIUM_ADMIN_TOKEN: 'operator' };
        const terminal = { outIsTerminal: true, errIsTerminal: true };
        const { out, err } = await runHere(args, gateway, env, terminal);
        expect((out + err).length).toBeGreaterThan(1);
        // The status line of a slow command is this program's own.
        for (const text of [out, err]) {
          const shown = text.replaceAll('\r\u001b[K', '').replaceAll(colours, '');
          expect(shown.match(controls)).toBeNull();
          expect(shown).toMatch(/^$|\n$/);
        }
        if (out.startsWith('{')) expect(() => JSON.parse(out) as unknown).not.toThrow();
      }
    },
  );
});
