// An account with endpoints, a clock that tests set, and a receiver whose answers tests choose.
import { insertAccount } from '../../src/accounts/store/accounts.ts';
import { bootstrap } from '../../src/audit/audit.ts';
import type { EventsContext } from '../../src/events/context.ts';
import { deliver, makeEventBodies } from '../../src/events/deliver.ts';
import { createWebhook } from '../../src/events/endpoints.ts';
import { claimDeliveries, type ClaimedDelivery } from '../../src/events/store/delivery-leases.ts';
import { type DeliveryRow, listDeliveries } from '../../src/events/store/deliveries.ts';
import { type Clock, systemClock } from '../../src/platform/clock.ts';
import { makeLog } from '../../src/platform/log.ts';
import type { PostWebhook } from '../../src/events/post-webhook.ts';
import type { Database } from '../../src/store/database.ts';

export const accountId = 'acct_1';
export const start = Date.UTC(2026, 10, 16, 12);
const secret = 'the secret of a gateway under test';

/** What was sent, with its body as text. */
export type Post = Omit<Parameters<PostWebhook>[0], 'body'> & { body: string };

export interface Fixture {
  clock: Clock;
  /** The time, which tests set. */
  at: { now: number };
  context: EventsContext;
  subscribe: (events: readonly string[], account?: string) => ReturnType<typeof createWebhook>;
  /** Every delivery, the oldest first. */
  rows: () => Promise<DeliveryRow[]>;
  claim: (owner?: string, more?: object) => Promise<ClaimedDelivery[]>;
  /** Claims and sends what is due, and returns what was sent. */
  send: (answer: PostWebhook, owner?: string) => Promise<Post[]>;
}

/** What events need in a test. Nothing is sent. */
export function makeEventsContext(
  database: Database,
  parts: Partial<EventsContext> = {},
): EventsContext {
  return {
    database,
    clock: systemClock,
    secret,
    owner: 'worker',
    log: makeLog('silent'),
    settings: { allow_private_webhooks: false },
    random: () => 0.5,
    openBody: makeEventBodies((id) => Promise.resolve([JSON.stringify({ id })])),
    attempted: () => undefined,
    post: () => Promise.resolve({ status: 200 }),
    nudge: () => undefined,
    ...parts,
  };
}

export async function makeFixture(database: Database): Promise<Fixture> {
  await insertAccount(database, { id: accountId, name: 'One' }, 0);
  const at = { now: start };
  const clock: Clock = { ...systemClock, now: () => new Date(at.now) };
  const context = makeEventsContext(database, { clock });
  const claim: Fixture['claim'] = (owner = 'worker', more = {}) =>
    claimDeliveries(database, {
      owner,
      now: at.now,
      lease_until: at.now + 15_000,
      limit: 100,
      perTarget: 8,
      perAccount: 100,
      busy: [],
      ...more,
    });
  return {
    clock,
    at,
    context,
    claim,
    subscribe: (events, account = accountId) =>
      createWebhook(context, bootstrap, account === '' ? undefined : account, {
        url: `https://${events.join('-')}.example/hook`,
        events: events as ['job.failed'],
        description: '',
      }),
    rows: async () => (await listDeliveries(database, { limit: 500 })).rows.toReversed(),
    send: async (answer, owner = 'worker') => {
      const sent: Post[] = [];
      const delivery: EventsContext = {
        ...context,
        owner,
        post: async (post) => {
          sent.push({ ...post, body: await post.body.text() });
          return answer(post);
        },
      };
      for (const one of await claim(owner)) await deliver(delivery, one);
      return sent;
    },
  };
}
