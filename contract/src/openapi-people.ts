// The dashboard's endpoints of the OpenAPI document: sign-in, people and provider checks.
import * as examples from './admin-examples.ts';
import { ProviderId } from './ids.ts';
import { idParameter, adminOperation } from './openapi-admin-operation.ts';
import type { AdminEndpoint } from './openapi-admin-operation.ts';
import { Invite, Person } from './people.ts';

export function peoplePaths(): Record<string, object> {
  return {
    '/admin/v1/session': { get: adminOperation(readSession) },
    '/admin/v1/join': { post: adminOperation(join) },
    '/admin/v1/join/check': { post: adminOperation(checkInvite) },
    '/admin/v1/people': { get: adminOperation(listPeople) },
    '/admin/v1/people/{id}': { delete: adminOperation(removePerson) },
    '/admin/v1/invites': { post: adminOperation(invite) },
    '/admin/v1/invites/{id}': { delete: adminOperation(withdrawInvite) },
    '/admin/v1/provider-records': { get: adminOperation(readRecords) },
    '/admin/v1/providers/{id}/check': { post: adminOperation(checkProvider) },
  };
}

const readSession: AdminEndpoint = {
  id: 'readSession',
  summary: 'Read who is signed in to the dashboard, by the session cookie',
  description:
    'Returns the person of the session cookie, or null, and what the sign-in page needs to know.',
  response: 'SessionView',
  example: examples.session,
  failures: [400],
  open: true,
};

const join: AdminEndpoint = {
  id: 'acceptInvite',
  summary: 'Accept a set-up or invitation link; only from the dashboard’s own origin',
  description: 'Creates the person that a set-up or invitation link is for.',
  request: { schema: 'JoinRequest', example: examples.join },
  response: 'Joined',
  example: { joined: true },
  status: 201,
  failures: [400, 403, 404, 413],
  open: true,
};

const checkInvite: AdminEndpoint = {
  id: 'checkInvite',
  summary: 'See whether a set-up or invitation link still works',
  description: 'Uses nothing up. Only from the dashboard’s own origin.',
  request: { schema: 'InviteCheck', example: { token: examples.join.token } },
  response: 'InviteState',
  example: { open: true },
  failures: [400, 403, 413],
  open: true,
};

const listPeople: AdminEndpoint = {
  id: 'listPeople',
  summary: 'List people who may sign in, and open invitations',
  description: 'Returns everyone who may sign in to the dashboard.',
  response: 'PeopleList',
  example: examples.people,
};

const removePerson: AdminEndpoint = {
  id: 'removePerson',
  summary: 'Remove a person, who is signed out at once',
  description: 'Removes a person and ends every session of that person.',
  response: 'Removed',
  example: { id: examples.person.id },
  failures: [404],
  parameters: [idParameter(Person.shape.id, examples.person.id, 'The person.')],
};

const invite: AdminEndpoint = {
  id: 'createInvite',
  summary: 'Create an invitation link; its token is shown only once',
  description: 'Creates a link with which one person can join.',
  request: { schema: 'InviteRequest', example: { role: 'operator' } },
  response: 'NewInvite',
  example: { ...examples.invite, token: 'c2VjcmV0LW9mLWEtbGluaw' },
  status: 201,
  failures: [400, 413],
};

const withdrawInvite: AdminEndpoint = {
  id: 'withdrawInvite',
  summary: 'Withdraw an invitation',
  description: 'Makes an invitation link invalid.',
  response: 'Removed',
  example: { id: examples.invite.id },
  failures: [404],
  parameters: [idParameter(Invite.shape.id, examples.invite.id, 'The invitation.')],
};

const readRecords: AdminEndpoint = {
  id: 'readProviderRecords',
  summary: 'Recent latency and failures of each provider',
  description: 'Returns the latency and failures of the latest requests, by provider.',
  response: 'ProviderRecordList',
  example: examples.providerRecords,
};

const checkProvider: AdminEndpoint = {
  id: 'checkProvider',
  summary: 'Make one real, cheap call to a provider',
  description: 'Calls the provider once with its configured credential, and reports how it went.',
  response: 'ProviderCheck',
  example: examples.providerCheck,
  failures: [404, 501, 503],
  parameters: [idParameter(ProviderId, 'engine_a', 'The provider.')],
};
