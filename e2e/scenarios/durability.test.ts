// The gateway syncs a debit to disk before it sends the response, as its system calls show.
import { test } from 'bun:test';
import { constants, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { startGatewayProcess } from '../harness.ts';
import { testWhere } from '../leave-out.ts';
import { expect, proves } from '../proves.ts';
import { findMissingTracer, parseCalls, recordSystemCalls } from '../system-calls.ts';
import type { SystemCall } from '../system-calls.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';

const question = { query: 'solar energy storage', provider: 'engine_a' };
const found = [{ url: 'https://example.org/', title: 'Example', highlights: ['words'] }];
const requests = 5;

testWhere(await findMissingTracer())(
  'the debit is synced before the response is sent',
  async () => {
    await using upstream = startUpstream(() => exaAnswer(found, 0.002));
    await using gateway = await startGatewayProcess({ env: upstream.env });
    // Two requests first, so that the free balance is in memory and settlements are deferred.
    await gateway.post('/v1/search', question);
    await gateway.post('/v1/search', question);
    expect(flagsOf(gateway.pid(), 'trivium.sqlite.journal') & constants.O_DSYNC).not.toBe(0);
    const ids: string[] = [];
    const calls = await recordSystemCalls(gateway.pid(), async () => {
      for (let count = 0; count < requests; count += 1) {
        const { status, headers } = await gateway.post('/v1/search', question);
        expect(status).toBe(200);
        ids.push(headers.get('x-request-id') ?? 'no id');
      }
    });
    proves('money.debit-before-answer', () => {
      for (const id of ids) expect(describeOrder(calls, id)).toBe('written, synced, sent');
    });
  },
);

/** Of an open file: each write to one with `O_DSYNC` is synced before it returns. */
function flagsOf(pid: number, name: string): number {
  const open = readdirSync(`/proc/${pid}/fd`);
  const fd = open.find((one) => readlinkSync(`/proc/${pid}/fd/${one}`).endsWith(name));
  const [, flags = '0'] =
    /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8')) ?? [];
  return Number.parseInt(flags, 8);
}

/** The writes to the journal and to the store's log between the vendor's response and the gateway's response. */
function describeOrder(calls: readonly SystemCall[], id: string): string {
  const sent = calls.find(({ name, text }) => /^(?:send|write)/.test(name) && text.includes(id));
  if (sent === undefined) return 'never sent';
  const answered = calls.findLast(
    ({ name, text, returned }) =>
      /^(?:recv|read)/.test(name) && text.includes('costDollars') && returned < sent.began,
  );
  if (answered === undefined) return 'the answer of the vendor was not seen';
  const between = calls.filter(
    ({ text, began }) =>
      /trivium\.sqlite(?:-wal|\.journal)>/.test(text) &&
      began > answered.returned &&
      began < sent.began,
  );
  // The first write that has the id is the journal's. Booking writes it again, and needs no sync.
  const journaled = between.find(
    ({ name, text }) => name.startsWith('pwrite') && text.includes(id),
  );
  if (journaled === undefined) return 'nothing was written before it was sent';
  const isJournal = journaled.text.includes('.journal>');
  const synced = isJournal
    ? journaled.returned < sent.began && Number(journaled.result) > 0
    : between.some(
        ({ name, began, returned, result }) =>
          /sync$/.test(name) &&
          began > journaled.returned &&
          returned < sent.began &&
          result === '0',
      );
  return synced ? 'written, synced, sent' : 'written and sent without a sync';
}

test('detects a missing sync and a sync that comes too late', () => {
  const wal = '7</data/trivium.sqlite-wal>';
  const vendor = '10 recvfrom(9<socket:[1]>, "{\\"costDollars\\":{}}", 99, 0, NULL, NULL) = 30';
  const write = `11 pwrite64(${wal}, "req_1", 5, 0) = 5`;
  const other = `11 pwrite64(${wal}, "req_0", 5, 0) = 5`;
  const sync = `11 fsync(${wal}) = 0`;
  const begin = `11 fsync(${wal} <unfinished ...>`;
  const end = '11 <... fsync resumed>) = 0';
  const failed = `11 fsync(${wal}) = -1 EIO (Input/output error)`;
  const send = '10 sendto(8<socket:[2]>, "req_1", 5, 0, NULL, 0) = 5';
  const order = (...lines: string[]) => describeOrder(parseCalls(lines.join('\n')), 'req_1');
  expect(order(vendor, write, sync, send)).toBe('written, synced, sent');
  const journal = write.replace('sqlite-wal', 'sqlite.journal');
  expect(order(vendor, journal, send)).toBe('written, synced, sent');
  expect(order(vendor, send, journal)).toBe('nothing was written before it was sent');
  expect(order(vendor, journal.replace('= 5', '= -1 EIO'), send)).toContain('without a sync');
  expect(order(vendor, write, begin, end, send)).toBe('written, synced, sent');
  expect(order(vendor, write, begin, send, end)).toBe('written and sent without a sync');
  expect(order(vendor, write, send, sync)).toBe('written and sent without a sync');
  expect(order(vendor, write, failed, send)).toBe('written and sent without a sync');
  expect(order(vendor, sync, write, send)).toBe('written and sent without a sync');
  expect(order(vendor, write, sync, other, send)).toBe('written, synced, sent');
  expect(order(vendor, other, sync, send)).toBe('nothing was written before it was sent');
  expect(order(write, sync, vendor, send)).toBe('nothing was written before it was sent');
});
