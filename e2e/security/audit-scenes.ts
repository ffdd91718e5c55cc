// A real request to each route that changes something, for the tests of the audit log.
import { NewInvite } from '@trivium/contract';
import type { AuditAction } from '@trivium/contract';
import type { Gateway } from '../harness.ts';
import { newKey } from './sides.ts';
import { defaultPassword, member } from './visitor.ts';
import type { Visitor } from './visitor.ts';

/** Filled in before the tests run. */
export interface Stage {
  gateway: Gateway;
  /** An operator. */
  ada: Visitor;
  accountId: string;
}

interface Scene {
  action: AuditAction;
  act: () => Promise<unknown>;
}

export async function send(
  who: Visitor,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  const response = await who.ask(method, path, body === undefined ? {} : { body });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return response;
}

export const reason = 'a test';

export const someKey = async (stage: Stage) =>
  (await newKey(stage.ada, stage.accountId, 'one more')).id;

export async function someInvite({ ada }: Stage): Promise<NewInvite> {
  const made = await send(ada, 'POST', '/admin/v1/invites', { role: 'operator' });
  return NewInvite.parse(await made.json());
}

let numbered = 0;

export function somePerson({ gateway, ada, accountId }: Stage): Promise<Visitor> {
  return member(gateway, ada, accountId, `p${(numbered += 1)}@example.org`);
}

/** By method and path. */
export function auditScenes(stage: Stage): Readonly<Record<string, Scene>> {
  return { ...accountScenes(stage), ...peopleScenes(stage) };
}

function accountScenes(stage: Stage): Record<string, Scene> {
  const account = () => `/admin/v1/accounts/${stage.accountId}`;
  return {
    'DELETE /admin/v1/cache': {
      action: 'cache.cleared',
      act: () => send(stage.ada, 'DELETE', '/admin/v1/cache'),
    },
    'POST /admin/v1/accounts': {
      action: 'account.created',
      act: () => send(stage.ada, 'POST', '/admin/v1/accounts', { name: 'Another' }),
    },
    'POST /admin/v1/accounts/:id/topups': {
      action: 'balance.topped_up',
      act: () => send(stage.ada, 'POST', `${account()}/topups`, { amount_usd: 5, reason }),
    },
    'POST /admin/v1/accounts/:id/adjustments': {
      action: 'balance.adjusted',
      act: () => send(stage.ada, 'POST', `${account()}/adjustments`, { amount_usd: 1, reason }),
    },
    'POST /admin/v1/accounts/:id/refunds': {
      action: 'balance.refunded',
      act: async () => {
        const { key } = await newKey(stage.ada, stage.accountId, 'to refund');
        const found = await stage.gateway.post(
          '/v1/search',
          { query: 'solar', provider: 'engine_a' },
          { authorization: `Bearer ${key}` },
        );
        const refund = { request_id: found.headers.get('x-request-id'), amount_usd: 0.001, reason };
        await send(stage.ada, 'POST', `${account()}/refunds`, refund);
      },
    },
    'POST /admin/v1/accounts/:id/keys': { action: 'key.created', act: () => someKey(stage) },
    'PATCH /admin/v1/keys/:id': {
      action: 'key.changed',
      act: async () =>
        send(stage.ada, 'PATCH', `/admin/v1/keys/${await someKey(stage)}`, { daily_cap_usd: 2 }),
    },
    'POST /admin/v1/keys/:id/rotate': {
      action: 'key.rotated',
      act: async () => send(stage.ada, 'POST', `/admin/v1/keys/${await someKey(stage)}/rotate`, {}),
    },
    'DELETE /admin/v1/keys/:id/previous': {
      action: 'key.changed',
      act: async () => {
        const id = await someKey(stage);
        await send(stage.ada, 'POST', `/admin/v1/keys/${id}/rotate`, {});
        await send(stage.ada, 'DELETE', `/admin/v1/keys/${id}/previous`);
      },
    },
    'PATCH /admin/v1/accounts/:id': {
      action: 'account.changed',
      act: () => send(stage.ada, 'PATCH', account(), { name: `Research ${(numbered += 1)}` }),
    },
    'DELETE /admin/v1/keys/:id': {
      action: 'key.revoked',
      act: async () => send(stage.ada, 'DELETE', `/admin/v1/keys/${await someKey(stage)}`),
    },
  };
}

function peopleScenes(stage: Stage): Record<string, Scene> {
  const idOf = async (who: Visitor) => (await who.session()).person?.id ?? '';
  return {
    'PATCH /admin/v1/people/:id': {
      action: 'person.changed',
      act: async () => {
        const id = await idOf(await somePerson(stage));
        await send(stage.ada, 'PATCH', `/admin/v1/people/${id}`, { role: 'operator' });
      },
    },
    'POST /admin/v1/people/:id/reset': {
      action: 'person.reset_link_created',
      act: async () =>
        send(stage.ada, 'POST', `/admin/v1/people/${await idOf(await somePerson(stage))}/reset`),
    },
    'POST /admin/v1/reset': {
      action: 'person.password_changed',
      act: async () => {
        const id = await idOf(await somePerson(stage));
        const made = await send(stage.ada, 'POST', `/admin/v1/people/${id}/reset`);
        const { token } = (await made.json()) as { token: string };
        await send(stage.ada, 'POST', '/admin/v1/reset', {
          token,
          password: `${defaultPassword} 2`,
        });
      },
    },
    'PATCH /admin/v1/profile': {
      action: 'person.changed',
      act: () => send(stage.ada, 'PATCH', '/admin/v1/profile', { name: `Ada ${(numbered += 1)}` }),
    },
    'DELETE /admin/v1/profile/sessions': {
      action: 'person.signed_out',
      act: async () => send(await somePerson(stage), 'DELETE', '/admin/v1/profile/sessions'),
    },
    'DELETE /admin/v1/profile/sessions/:id': {
      action: 'person.signed_out',
      act: async () => {
        const who = await somePerson(stage);
        const profile = await send(who, 'GET', '/admin/v1/profile');
        const { sessions } = (await profile.json()) as { sessions: { id: string }[] };
        await send(who, 'DELETE', `/admin/v1/profile/sessions/${sessions[0]?.id}`);
      },
    },
    'POST /admin/v1/invites': { action: 'invite.created', act: () => someInvite(stage) },
    'DELETE /admin/v1/invites/:id': {
      action: 'invite.withdrawn',
      act: async () =>
        send(stage.ada, 'DELETE', `/admin/v1/invites/${(await someInvite(stage)).id}`),
    },
    'POST /admin/v1/join': { action: 'person.joined', act: () => somePerson(stage) },
    'DELETE /admin/v1/people/:id': {
      action: 'person.removed',
      act: async () => {
        const who = await (await somePerson(stage)).session();
        await send(stage.ada, 'DELETE', `/admin/v1/people/${who.person?.id}`);
      },
    },
    'POST /auth/sign-in/email': { action: 'person.signed_in', act: () => somePerson(stage) },
    'POST /auth/sign-out': {
      action: 'person.signed_out',
      act: async () => send(await somePerson(stage), 'POST', '/auth/sign-out', {}),
    },
    'POST /auth/revoke-sessions': {
      action: 'person.signed_out',
      act: async () => send(await somePerson(stage), 'POST', '/auth/revoke-sessions', {}),
    },
    'POST /auth/change-password': {
      action: 'person.password_changed',
      act: async () =>
        send(await somePerson(stage), 'POST', '/auth/change-password', {
          current_password: defaultPassword,
          new_password: 'another horse battery',
        }),
    },
  };
}
