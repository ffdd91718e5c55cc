// Examples of people, sessions and invitations.
import type { Invite, JoinRequest, PeopleList, Person, Profile, SessionView } from '../index.ts';
import { account } from './accounts.ts';

export const person: Person = {
  id: 'auth_019a84c25b7e7c319d426f0e8a1b2c50',
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  role: 'operator',
  account_id: null,
};

export const session: SessionView = {
  person,
  account: { id: account.id, name: account.name },
  needs_set_up: false,
  sandbox: false,
  single_sign_on: 'Example Works',
};

export const join: JoinRequest = {
  token: 'c2VjcmV0LW9mLWEtbGluaw',
  name: person.name,
  email: person.email,
  password: 'correct horse battery',
};

export const invite: Invite = {
  id: 'inv_019a84c25b7e7c319d426f0e8a1b2c51',
  label: 'Grace, on call',
  role: 'operator',
  account_id: null,
  created_at: '2026-11-15T12:00:00.000Z',
  expires_at: '2026-11-22T12:00:00.000Z',
};

export const people: PeopleList = {
  people: [{ ...person, created_at: '2026-11-15T11:59:00.000Z' }],
  invites: [invite],
};

export const profile: Profile = {
  person,
  has_password: true,
  sessions: [
    {
      id: 'auth_019a84c25b7e7c319d426f0e8a1b2c52',
      current: true,
      address: '192.0.2.7',
      browser: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/141.0',
      created_at: '2026-11-15T11:59:00.000Z',
      expires_at: '2026-11-22T11:59:00.000Z',
    },
  ],
};
