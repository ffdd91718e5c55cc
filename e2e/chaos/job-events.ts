// Webhooks under chaos: every job that ended has its event delivered, to the address of its request
// and to the endpoint of its account.
import { expect } from 'bun:test';
import type { SQL } from 'bun';
import type { GatewayProcess } from '../harness.ts';
import { operatorToken, webhookAdmin } from '../webhook-admin.ts';
import { startReceiver } from '../webhook-receiver.ts';
import type { Receiver } from '../webhook-receiver.ts';
import { waitFor } from '../wait-for.ts';

/** Settings of gateways that send webhooks to this machine. */
export const eventSettings = {
  TRIVIUM_ADMIN_TOKEN: operatorToken,
  TRIVIUM_ALLOW_PRIVATE_WEBHOOKS: '1',
};

const paths = ['/request', '/endpoint'];

/** A receiver that every job of the gateways reports to. */
export async function receiveEvents(gateways: readonly GatewayProcess[]): Promise<Receiver> {
  const receiver = startReceiver();
  const admin = webhookAdmin(() => {
    const [first] = gateways;
    if (!first) throw new Error('There is no gateway.');
    return first;
  });
  const events = ['job.completed', 'job.failed'];
  await admin.create({ url: `${receiver.url}/endpoint`, events }, await admin.account());
  return receiver;
}

/** Waits until nothing is to be delivered, and compares what arrived with the jobs. */
export async function checkEvents(receiver: Receiver, store: SQL): Promise<void> {
  const pending = `select id from deliveries where state = 'pending'`;
  await waitFor(async () => (await store.unsafe(pending)) as unknown[], {
    what: 'every event is delivered',
    until: ({ length }) => length === 0,
  });
  const jobs = (await store.unsafe('select id, status from jobs')) as {
    id: string;
    status: string;
  }[];
  for (const path of paths) {
    const arrived = receiver.received.filter((one) => one.path === path);
    const ended = new Map(arrived.map(({ event }) => [String(event.data['id']), event.type]));
    const expected = new Map(jobs.map(({ id, status }) => [id, `job.${status}`]));
    expect([...ended].toSorted()).toEqual([...expected].toSorted());
    // A repeated delivery has the same id, so that the receiver can ignore it.
    const ids = new Set(arrived.map(({ headers }) => headers['webhook-id']));
    expect(ids.size).toBe(jobs.length);
  }
}
