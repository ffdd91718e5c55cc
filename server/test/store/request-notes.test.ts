// Notes on requests, on both engines: a page of the log finds them however few rows it may read, and
// they are deleted with their requests.
import { describe, expect, test } from 'bun:test';
import { dayMs } from '@trivium/contract/durations';
import { deleteExpired } from '../../src/app/retention.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import { insertNotes } from '../../src/requests/store/notes.ts';
import { insertRequests, listRequests } from '../../src/requests/store/requests.ts';
import { engines } from './engines.ts';
import { makeStore } from './migrated-store.ts';
import { requestRow } from './request-row.ts';

const keptDays = 90;

describe.each(engines)('on $name', (engine) => {
  test('requests with a note are found among many, and notes leave with their requests', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const now = Date.now();
    const requests = Array.from({ length: 60 }, (_, at) => ({
      ...requestRow('acct_default'),
      id: `req_${at}`,
      created_at: now - at * 2 * dayMs,
    }));
    await insertRequests(database, requests);
    const noted = requests.filter((_, at) => at % 20 === 10);
    await insertNotes(
      database,
      noted.map(({ id, account_id, created_at }) => ({
        ...{ id: `note_${id}`, request_id: id, account_id, requested_at: created_at },
        ...{ author_kind: 'person' as const, content: 'x', created_at: now, updated_at: now },
      })),
    );
    const limits = { rowsPerStep: 7, maxRows: 14, maxMs: 10_000 };
    const found: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = { has_note: 'true' as const, limit: 2, limits, cursor };
      const { rows, end } = await listRequests(database, page);
      found.push(...rows.map(({ id }) => id));
      cursor = end.next_cursor;
    }
    expect(found).toEqual(['req_10', 'req_30', 'req_50']);
    await deleteExpired({
      ...{ database, clock: systemClock, log: makeLog('silent') },
      settings: {
        ...{ request_log_days: keptDays, audit_log_days: 365 },
        ...{ cache_keep_hours: 1, webhook_log_days: 30 },
      },
    });
    const left = await database.run('select request_id from request_notes order by requested_at');
    expect(left).toEqual([{ request_id: 'req_30' }, { request_id: 'req_10' }]);
  });
});
