// A real request to each route that changes keys, people and profiles, for the test of the audit
// log.
import type { AuditAction } from '@trivium/contract';
import { defaultPassword } from './visitor.ts';
import type { Visitor } from './visitor.ts';

export interface Change {
  action: AuditAction;
  act: () => Promise<unknown>;
}

interface Cast {
  ada: () => Visitor;
  account: () => string;
  someKey: () => Promise<string>;
  /** A new member, who is signed in. */
  somePerson: () => Promise<Visitor>;
  /** A browser without cookies. */
  anonymous: () => Visitor;
  send: (who: Visitor, method: string, path: string, body?: unknown) => Promise<Response>;
}

export function peopleChanges(cast: Cast): Readonly<Record<string, Change>> {
  const { ada, account, someKey, somePerson, anonymous, send } = cast;
  const idOf = async (person: Visitor) => (await person.session()).person?.id;
  const signInAgain = async (person: Visitor) => {
    const { person: known } = await person.session();
    const body = { email: known?.email, password: defaultPassword };
    await send(anonymous(), 'POST', '/auth/sign-in/email', body);
  };
  const rotated = async () => {
    const path = `/admin/v1/keys/${await someKey()}`;
    await send(ada(), 'POST', `${path}/rotate`, {});
    return path;
  };
  const resetLink = async () => {
    const path = `/admin/v1/people/${await idOf(await somePerson())}/reset`;
    return (await (await send(ada(), 'POST', path, {})).json()) as { token: string };
  };
  return {
    'PATCH /admin/v1/accounts/:id': {
      action: 'account.changed',
      act: () => send(ada(), 'PATCH', account(), { name: `Renamed ${Math.random()}` }),
    },
    'POST /admin/v1/keys/:id/rotate': { action: 'key.rotated', act: rotated },
    'DELETE /admin/v1/keys/:id/previous': {
      action: 'key.overlap_ended',
      act: async () => send(ada(), 'DELETE', `${await rotated()}/previous`),
    },
    'PATCH /admin/v1/people/:id': {
      action: 'person.changed',
      act: async () => {
        const path = `/admin/v1/people/${await idOf(await somePerson())}`;
        await send(ada(), 'PATCH', path, { role: 'operator' });
      },
    },
    'POST /admin/v1/people/:id/reset': { action: 'person.reset_link_created', act: resetLink },
    'POST /admin/v1/reset': {
      action: 'person.password_changed',
      act: async () => {
        const { token } = await resetLink();
        await send(ada(), 'POST', '/admin/v1/reset', { token, password: 'another horse battery' });
      },
    },
    'PATCH /admin/v1/profile': {
      action: 'person.changed',
      act: async () => send(await somePerson(), 'PATCH', '/admin/v1/profile', { name: 'Robert' }),
    },
    'DELETE /admin/v1/profile/sessions': {
      action: 'person.signed_out',
      act: async () => {
        const person = await somePerson();
        await signInAgain(person);
        await send(person, 'DELETE', '/admin/v1/profile/sessions');
      },
    },
    'DELETE /admin/v1/profile/sessions/:id': {
      action: 'person.signed_out',
      act: async () => {
        const person = await somePerson();
        const profile = await (await send(person, 'GET', '/admin/v1/profile')).json();
        const [session] = (profile as { sessions: { id: string }[] }).sessions;
        await send(person, 'DELETE', `/admin/v1/profile/sessions/${session?.id}`);
      },
    },
  };
}
