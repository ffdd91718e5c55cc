// Every list with filters, on both engines: however few rows a page may read, its cursors cover all
// rows that match, each once and the newest first.
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { exportAudit } from '../../src/audit/read-audit.ts';
import { listEntries } from '../../src/audit/store/audit-log.ts';
import { listDeliveries } from '../../src/events/store/deliveries.ts';
import { makeJobRow } from '../job-row.ts';
import { exportRequests } from '../../src/reporting/request-log.ts';
import { listTransfers } from '../../src/billing/store/ledger.ts';
import { listRequests } from '../../src/requests/store/requests.ts';
import { listJobs } from '../../src/transcription/store/job-reports.ts';
import type { Database, Runner, Value } from '../../src/store/database.ts';
import type { ListPage, scanPage } from '../../src/store/paging.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';

type Fields = Record<string, Value>;
type Found = Awaited<ReturnType<typeof scanPage<{ id: string }>>>;

interface Case {
  table: string;
  /** Columns that matter to no filter. */
  constant: Fields;
  /** Columns that filters of the same name compare. */
  varied: Record<string, readonly Value[]>;
  list: (on: Runner, page: ListPage) => Promise<Found>;
}

const accounts = ['acct_a', 'acct_b'];
const keys = ['key_1', 'key_2'];
const providers = ['engine_a', 'engine_b'];

const cases: readonly Case[] = [
  {
    table: 'requests',
    constant: { warnings: 0, cost: 0, latency_ms: 1 },
    varied: {
      account_id: accounts,
      key_id: keys,
      provider: [...providers, null],
      tool: ['search', 'extract'],
      status: [200, 402, 502],
      error_type: ['provider_error', null],
    },
    list: listRequests,
  },
  {
    table: 'transfers',
    constant: { amount: 0 },
    varied: { account_id: accounts, key_id: keys, kind: ['topup', 'settle', 'refund'] },
    list: listTransfers,
  },
  {
    table: 'jobs',
    constant: {
      request_id: 'r',
      model: 'm',
      request: JSON.stringify(makeJobRow().request),
      attempt: 1,
      attempt_status: 'queued',
      tries: 0,
      updated_at: 0,
      deadline_at: 0,
      run_at: 0,
    },
    varied: {
      account_id: accounts,
      key_id: keys,
      provider: providers,
      status: ['queued', 'completed'],
    },
    list: listJobs,
  },
  {
    table: 'deliveries',
    constant: { event_id: 'e', url: 'u', target: 't', lane: 'l', place: 1, attempts: 0 },
    varied: {
      account_id: accounts,
      webhook_id: ['hook_1', 'hook_2', null],
      event: ['job.failed', 'balance.low'],
      subject: ['s1', 's2'],
      state: ['pending', 'delivered'],
    },
    list: listDeliveries,
  },
  {
    table: 'audit_log',
    constant: { actor_id: null },
    varied: {
      account_id: [...accounts, null],
      action: ['key.created', 'key.revoked'],
      target: ['one', 'other'],
    },
    list: (on, page) => listEntries(on, { ...page, actor: 'person' }),
  },
];

/** More than an export reads in one step of 500. */
const exportedRows = 601;
const rowCount = 40;

describe.each(engines)('on $name', (engine) => {
  test.each(cases)('pages of $table cover what matches, each row once', async (one) => {
    await using store = await makeStore(engine);
    const { database } = store;
    for (const id of accounts) await insert(database, 'accounts', { id, name: id, created_at: 0 });
    const rows = await fill(database, one);
    const filters = fc.record(
      Object.fromEntries(
        Object.entries(one.varied).map(([name, values]) => [
          name,
          fc.constantFrom(...values.filter((value) => value !== null)),
        ]),
      ),
      { requiredKeys: [] },
    );
    const bounds = {
      rowsPerStep: fc.integer({ min: 1, max: 9 }),
      steps: fc.integer({ min: 1, max: 4 }),
    };
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.integer({ min: 1, max: 12 }),
        fc.record(bounds),
        async (filter, limit, { rowsPerStep, steps }) => {
          const limits = { rowsPerStep, maxRows: rowsPerStep * steps, maxMs: 60_000 };
          const found: string[] = [];
          let cursor: string | null | undefined;
          do {
            const wanted = { ...filter, cursor: cursor ?? undefined, limit, limits };
            const page = await one.list(database.reader, wanted);
            expect(page.looked).toBeLessThanOrEqual(Math.max(limits.maxRows, limit));
            expect(page.end.searched_until !== null && page.rows.length === limit).toBe(false);
            expect(page.stop?.next_cursor ?? null).toBe(page.end.next_cursor);
            found.push(...page.rows.map(({ id }) => id));
            cursor = page.end.next_cursor;
          } while (cursor !== null);
          const wanted = rows.filter((row) =>
            Object.entries(filter).every(([name, value]) => row[name] === value),
          );
          expect(found).toEqual(wanted.map(({ id }) => String(id)));
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe.each(engines)('sorted on $name', (engine) => {
  test.each([
    ['cost', 'cost'],
    ['latency', 'latency_ms'],
  ] as const)('by %s, each row once, the largest of the newest rows first', async (sort, name) => {
    await using store = await makeStore(engine);
    const { database } = store;
    const { varied } = cases[0] as Case;
    const values = { cost: [0, 700, 10_000_000], latency_ms: [1, 20, 300] };
    const one = { ...(cases[0] as Case), varied: { ...varied, ...values } };
    const rows = await fill(database, one);
    const filters = fc.record(
      { account_id: fc.constantFrom(...accounts), key_id: fc.constantFrom(...keys) },
      { requiredKeys: [] },
    );
    const size = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(filters, size, size, size, async (filter, limit, rowsPerStep, steps) => {
        const maxRows = rowsPerStep * steps;
        const limits = { rowsPerStep, maxRows, maxMs: 60_000 };
        const indexed = rows.filter(
          (row) => (filter.account_id ?? row['account_id']) === row['account_id'],
        );
        const wanted = Array.from({ length: Math.ceil(indexed.length / maxRows) }, (_, part) =>
          indexed
            .slice(part * maxRows, (part + 1) * maxRows)
            .filter((row) => (filter.key_id ?? row['key_id']) === row['key_id'])
            .toSorted((row, other) => Number(other[name]) - Number(row[name])),
        ).flat();
        const found: string[] = [];
        let cursor: string | null | undefined;
        do {
          const page = { ...filter, sort, limit, limits, cursor: cursor ?? undefined };
          const { rows: read, end, looked } = await listRequests(database.reader, page);
          expect(looked).toBeLessThanOrEqual(maxRows);
          const isCut = indexed.length >= maxRows && end.next_cursor !== null;
          expect(end.searched_until !== null && !isCut).toBe(false);
          found.push(...read.map(({ id }) => id));
          cursor = end.next_cursor;
        } while (cursor !== null);
        expect(found).toEqual(wanted.map(({ id }) => String(id)));
      }),
      { numRuns: 20 },
    );
  });

  test('a cursor of another order is refused', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await fill(database, cases[0] as Case);
    const list = (sort: 'time' | 'cost' | 'latency', cursor?: string) =>
      listRequests(database.reader, { sort, limit: 1, cursor });
    const cursor = (await list('cost')).end.next_cursor ?? '';
    expect((await list('cost', cursor)).rows).toHaveLength(1);
    const forged = [
      [1, 'id', 'cost', '1', 1, 'id'],
      [1, 'id', 'cost', 0.5, 1, 'id'],
      [1, 'id', 'cost', 1, 1],
      [1, null, 'cost', 1, 1, 'id'],
      [1, 'id', 'id', 1, 1, 'id'],
      [1, 'id', 'cost', 1, 1, 'id', 1],
      [null, null],
      [],
    ].map((parts) => list('cost', btoa(JSON.stringify(parts))));
    const refused = [list('latency', cursor), list('time', cursor), ...forged];
    for (const one of await Promise.allSettled(refused)) {
      expect(one.status === 'rejected' && String(one.reason)).toContain('cursor is not valid');
    }
  });
});

describe.each(engines)('exports on $name', (engine) => {
  test('an export that stops early says where the next one continues', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const requests = cases.find(({ table }) => table === 'requests');
    const audit = cases.find(({ table }) => table === 'audit_log');
    if (!requests || !audit) throw new Error('both lists are cases');
    const ids = async (one: Case) =>
      (await fill(database, one, exportedRows)).map(({ id }) => String(id));
    const wanted = { requests: await ids(requests), audit: await ids(audit) };
    const found: { requests: string[]; audit: string[] } = { requests: [], audit: [] };

    let cursor: string | null | undefined;
    for (let part = 0; cursor !== null; part += 1) {
      expect(part).toBeLessThan(rowCount);
      const pages = exportRequests({ database }, { ...cursorOf(cursor) }, 1);
      let step = await pages.next();
      while (!step.done) {
        found.requests.push(...step.value.map(({ id }) => id));
        step = await pages.next();
      }
      cursor = step.value?.next_cursor ?? null;
    }
    for (cursor = undefined; cursor !== null;) {
      const lines: AuditLine[] = await auditLines(database, cursor);
      found.audit.push(...lines.flatMap(({ id }) => id ?? []));
      cursor = lines.at(-1)?.next_cursor ?? null;
    }
    expect(found).toEqual(wanted);
  });

  test('an export with an invalid cursor is refused before it begins', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const query = { limit: 50, cursor: 'no-cursor' } as const;
    const begun = [exportAudit({ database }, query), exportRequests({ database }, query).next()];
    for (const { status, reason } of (await Promise.allSettled(begun)) as PromiseRejectedResult[]) {
      expect(status).toBe('rejected');
      expect(String(reason)).toContain('The cursor is not valid');
    }
  });
});

interface AuditLine {
  id?: string;
  next_cursor?: string;
}

async function auditLines(
  database: Database,
  cursor: string | null | undefined,
): Promise<AuditLine[]> {
  const query = { limit: 50, actor: 'person', ...cursorOf(cursor) } as const;
  const text = await new Response(await exportAudit({ database }, query, 1)).text();
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as AuditLine);
}

function cursorOf(cursor: string | null | undefined): { cursor?: string } {
  return cursor ? { cursor } : {};
}

/**
 * Returns the rows as the list must show them. Few different times, so that ids decide the order
 * too.
 */
async function fill(
  on: Runner,
  { table, constant, varied }: Case,
  length = rowCount,
): Promise<Fields[]> {
  const rows = Array.from({ length }, (_, at): Fields => {
    const values = Object.entries(varied).map(([name, choices]) => {
      const choice = choices[Math.floor(Math.random() * choices.length)] ?? null;
      return [name, choice] as const;
    });
    const createdAt = Math.floor(Math.random() * 20);
    const actor = table === 'audit_log' ? { actor_kind: 'person' } : {};
    return {
      id: `id_${10_000 + at}`,
      created_at: createdAt,
      ...constant,
      ...actor,
      ...Object.fromEntries(values),
    };
  });
  await Promise.all(rows.map((row) => insert(on, table, row)));
  return rows.toSorted(
    (one, other) =>
      Number(other['created_at']) - Number(one['created_at']) ||
      (String(other['id']) < String(one['id']) ? -1 : 1),
  );
}

async function insert(on: Runner, table: string, row: Fields): Promise<void> {
  const names = Object.keys(row);
  const places = names.map((_, at) => `$${at + 1}`);
  await on.run(
    `insert into ${table} (${names.join(', ')}) values (${places.join(', ')})`,
    Object.values(row),
  );
}
