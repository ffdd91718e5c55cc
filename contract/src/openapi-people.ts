// The dashboard's own endpoints of the OpenAPI document: sign-in, people, and checks of providers.
import * as examples from './admin-examples.ts';
import { ProviderId } from './ids.ts';
import { idParameter, write } from './openapi-admin-operation.ts';
import type { Admin } from './openapi-admin-operation.ts';
import { Invite, Person } from './people.ts';

export function peoplePaths(): Record<string, object> {
  return {
    '/admin/v1/session': { get: write(readSession) },
    '/admin/v1/join': { post: write(join) },
    '/admin/v1/people': { get: write(listPeople) },
    '/admin/v1/people/{id}': { delete: write(removePerson) },
    '/admin/v1/invites': { post: write(invite) },
    '/admin/v1/invites/{id}': { delete: write(withdrawInvite) },
    '/admin/v1/provider-records': { get: write(readRecords) },
    '/admin/v1/providers/{id}/check': { post: write(checkProvider) },
  };
}

const readSession: Admin = {
  id: 'readSession',
  summary: 'Who is signed in to the dashboard, by the cookie sent',
  answer: 'SessionView',
  shown: examples.session,
  open: true,
};

const join: Admin = {
  id: 'join',
  summary: 'Follow a set-up or invitation link; only from the dashboard’s own page',
  takes: { schema: 'JoinRequest', shown: examples.join },
  answer: 'Joined',
  shown: { joined: true },
  status: 201,
  failures: [400, 403, 404, 413],
  open: true,
};

const listPeople: Admin = {
  id: 'listPeople',
  summary: 'List people who may sign in, and open invitations',
  answer: 'PeopleList',
  shown: examples.people,
};

const removePerson: Admin = {
  id: 'removePerson',
  summary: 'Remove somebody, who is signed out at once',
  answer: 'Removed',
  shown: { id: examples.person.id },
  failures: [404],
  parameters: [idParameter(Person.shape.id, examples.person.id)],
};

const invite: Admin = {
  id: 'invite',
  summary: 'Make an invitation link, shown this once',
  takes: { schema: 'InviteRequest', shown: { role: 'operator' } },
  answer: 'NewInvite',
  shown: { ...examples.invite, token: 'c2VjcmV0LW9mLWEtbGluaw' },
  status: 201,
  failures: [400, 413],
};

const withdrawInvite: Admin = {
  id: 'withdrawInvite',
  summary: 'Withdraw an invitation',
  answer: 'Removed',
  shown: { id: examples.invite.id },
  failures: [404],
  parameters: [idParameter(Invite.shape.id, examples.invite.id)],
};

const readRecords: Admin = {
  id: 'readProviderRecords',
  summary: 'How fast and how often each provider answered lately',
  answer: 'ProviderRecordList',
  shown: examples.provider_records,
};

const checkProvider: Admin = {
  id: 'checkProvider',
  summary: 'Make one real and cheap call to a provider',
  answer: 'ProviderCheck',
  shown: examples.provider_check,
  failures: [404, 501, 503],
  parameters: [idParameter(ProviderId, 'engine_a')],
};
