// The worker that sends deliveries, on both engines: receivers that do not answer, no matter how
// many, do not delay deliveries to others.
import { describe, expect, test } from 'bun:test';
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { startDeliveryWorker } from '../../src/events/deliver.ts';
import { writeEvent } from '../../src/events/write-event.ts';
import type { PostWebhook } from '../../src/events/post-webhook.ts';
import type { Database } from '../../src/store/database.ts';
import { engines } from './engines.ts';
import { makeEventsContext } from './event-fixture.ts';
import { makeStore } from './migrated-store.ts';
import { waitFor } from '../../../e2e/wait-for.ts';

const hostileAccounts = 12;
const eventsOfEach = 60;
const places = 256;

describe.each(engines)('on $name', (engine) => {
  test('accounts whose receivers never answer leave room for the others', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    const hostile = Array.from({ length: hostileAccounts }, (_, at) => `acct_bad_${at}`);
    const honest = ['acct_good_0', 'acct_good_1', 'acct_good_2'];
    for (const id of [...hostile, ...honest]) await insertAccount(database, { id, name: id }, 0);
    // The oldest are those that will hang, and each has an address of its own.
    const old = Date.now() - 60_000;
    for (const id of hostile) await queue(database, id, eventsOfEach, old);
    const receiver = makeReceiver();
    const worker = startDeliveryWorker(makeEventsContext(database, { post: receiver.post }));
    await receiver.until(() => receiver.hanging.size >= hostileAccounts);
    for (const id of honest) await queue(database, id, 5, Date.now());
    await receiver.until(() => receiver.delivered.length === honest.length * 5);
    await receiver.until(() => receiver.hanging.size > places / 2);
    expect(receiver.hanging.size).toBeLessThan(places);
    // All time out at the same moment, and the next ones are as old.
    receiver.timeOut();
    for (const id of honest) await queue(database, id, 5, Date.now());
    await receiver.until(() => receiver.delivered.length === honest.length * 10);
    const running = [...receiver.hanging.values()];
    const most = Math.max(...hostile.map((id) => running.filter((one) => one === id).length));
    expect(most).toBeLessThanOrEqual(64);
    receiver.timeOut();
    await worker.stop();
  });

  test('one account uses only its share, however many addresses it has', async () => {
    await using store = await makeStore(engine);
    const { database } = store;
    await insertAccount(database, { id: 'acct_bad_0', name: 'One' }, 0);
    await queue(database, 'acct_bad_0', 150, Date.now() - 60_000);
    const receiver = makeReceiver();
    const worker = startDeliveryWorker(makeEventsContext(database, { post: receiver.post }));
    await receiver.until(() => receiver.hanging.size >= 64);
    await insertAccount(database, { id: 'acct_good_0', name: 'Other' }, 0);
    await queue(database, 'acct_good_0', 100, Date.now());
    await receiver.until(() => receiver.delivered.length === 100);
    expect(receiver.hanging.size).toBeLessThan(64 + 8);
    receiver.timeOut();
    await worker.stop();
  });
});

/** Events about jobs whose requests named an address. */
async function queue(database: Database, account: string, count: number, at: number) {
  await database.transaction(async (tx) => {
    for (let job = 0; job < count; job += 1) {
      const url = `https://${account}.${job}.example/`.replaceAll('_', '-');
      const subject = `${account} ${job} ${at}`;
      await writeEvent(tx, { type: 'job.completed', account_id: account, subject, at, url });
    }
  });
}

/** Addresses of bad accounts hang until `timeOut`; the others answer at once. */
function makeReceiver() {
  const hanging = new Map<() => void, string>();
  const delivered: string[] = [];
  const post: PostWebhook = ({ url }) => {
    const { hostname } = new URL(url);
    const account = (hostname.split('.')[0] ?? '').replaceAll('-', '_');
    if (!account.startsWith('acct_bad')) {
      delivered.push(hostname);
      return Promise.resolve({ status: 200 });
    }
    return new Promise((resolve) => {
      hanging.set(() => resolve({ error: 'No answer.' }), account);
    });
  };
  return {
    post,
    hanging,
    delivered,
    timeOut: () => {
      for (const end of hanging.keys()) end();
      hanging.clear();
    },
    until: async (isReached: () => boolean) => {
      await waitFor(isReached, { what: 'the deliveries' });
    },
  };
}
