// A real request to each route that changes webhooks, for the test of the audit log.
import type { Change } from './audited-changes.ts';
import type { Visitor } from './visitor.ts';

interface Cast {
  ada: () => Visitor;
  /** The path of the account. */
  account: () => string;
  send: (who: Visitor, method: string, path: string, body?: unknown) => Promise<Response>;
}

export function webhookChanges({ ada, account, send }: Cast): Readonly<Record<string, Change>> {
  const events = ['job.completed'];
  let made = 0;
  const create = async () => {
    const accountId = account().split('/').at(-1);
    const path = `/admin/v1/webhooks?account_id=${accountId}`;
    const url = `https://receiver${(made += 1)}.invalid/`;
    return (await (await send(ada(), 'POST', path, { url, events })).json()) as { id: string };
  };
  const some = async () => `/admin/v1/webhooks/${(await create()).id}`;
  const tested = async () => {
    const response = await send(ada(), 'POST', `${await some()}/test`);
    return (await response.json()) as { id: string };
  };
  return {
    'POST /admin/v1/webhooks': { action: 'webhook.created', act: create },
    'PATCH /admin/v1/webhooks/:id': {
      action: 'webhook.changed',
      act: async () => send(ada(), 'PATCH', await some(), { paused: true }),
    },
    'DELETE /admin/v1/webhooks/:id': {
      action: 'webhook.removed',
      act: async () => send(ada(), 'DELETE', await some()),
    },
    'POST /admin/v1/webhooks/:id/rotate': {
      action: 'webhook.rotated',
      act: async () => send(ada(), 'POST', `${await some()}/rotate`, {}),
    },
    'POST /admin/v1/webhooks/:id/test': { action: 'webhook.tested', act: tested },
    'POST /admin/v1/webhooks/deliveries/:id/redeliver': {
      action: 'webhook.redelivered',
      act: async () => {
        const { id } = await tested();
        await send(ada(), 'POST', `/admin/v1/webhooks/deliveries/${id}/redeliver`);
      },
    },
    'POST /admin/v1/accounts/:id/webhook-secret/rotate': {
      action: 'webhook.rotated',
      act: () => send(ada(), 'POST', `${account()}/webhook-secret/rotate`, {}),
    },
  };
}
