// The dashboard's endpoints of the OpenAPI document: sign-in, people and provider checks.
import * as examples from './admin-examples.ts';
import { ProviderId } from './ids.ts';
import { creationKeyParameter } from './openapi-rotation.ts';
import { idParameter, adminOperation, busy } from './openapi-admin-operation.ts';
import type { AdminEndpoint } from './openapi-admin-operation.ts';
import { Invite, Person, SessionLine } from './people.ts';

export function peoplePaths(): Record<string, object> {
  return {
    '/admin/v1/session': { get: adminOperation(readSession) },
    '/admin/v1/join': { post: adminOperation(join) },
    '/admin/v1/join/check': { post: adminOperation(checkInvite) },
    '/admin/v1/people': { get: adminOperation(listPeople) },
    '/admin/v1/people/{id}': {
      patch: adminOperation(changePerson),
      delete: adminOperation(removePerson),
    },
    '/admin/v1/people/{id}/reset': { post: adminOperation(makeResetLink) },
    '/admin/v1/reset': { post: adminOperation(resetPassword) },
    '/admin/v1/reset/check': { post: adminOperation(checkReset) },
    '/admin/v1/profile': {
      get: adminOperation(readProfile),
      patch: adminOperation(changeProfile),
    },
    '/admin/v1/profile/sessions': { delete: adminOperation(endOtherSessions) },
    '/admin/v1/profile/sessions/{id}': { delete: adminOperation(endSession) },
    '/admin/v1/invites': { post: adminOperation(invite) },
    '/admin/v1/invites/{id}': { delete: adminOperation(withdrawInvite) },
    '/admin/v1/settings': { get: adminOperation(readSettings) },
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

const personParameter = idParameter(Person.shape.id, examples.person.id, 'The person.');

const changePerson: AdminEndpoint = {
  id: 'changePerson',
  summary: 'Change the role of a person',
  description: 'Takes effect with the next request of the person. The last operator stays one.',
  request: {
    schema: 'PersonChange',
    example: { role: 'member', account_id: examples.account.id },
  },
  response: 'Person',
  example: { ...examples.person, role: 'member', account_id: examples.account.id },
  failures: [400, 404, 409, 413],
  parameters: [personParameter],
};

const makeResetLink: AdminEndpoint = {
  id: 'makeResetLink',
  summary: 'Make a link with which a person chooses a new password',
  description:
    'The link works for a day, and until the password is changed. Hand it to the person yourself.',
  response: 'ResetLink',
  example: { token: examples.join.token, expires_at: '2026-11-16T12:00:00.000Z' },
  status: 201,
  failures: [404],
  parameters: [personParameter],
};

const resetPassword: AdminEndpoint = {
  id: 'resetPassword',
  summary: 'Choose a new password behind a link; only from the dashboard’s own origin',
  description: 'Changes the password and ends every session of the person.',
  request: {
    schema: 'ResetRequest',
    example: { token: examples.join.token, password: examples.join.password },
  },
  response: 'ResetState',
  example: { open: false, email: null },
  failures: [400, 403, 404, 413],
  open: true,
};

const checkReset: AdminEndpoint = {
  id: 'checkReset',
  summary: 'See whether a link to choose a new password still works',
  description: 'Uses nothing up. Only from the dashboard’s own origin.',
  request: { schema: 'InviteCheck', example: { token: examples.join.token } },
  response: 'ResetState',
  example: { open: true, email: examples.person.email },
  failures: [400, 403, 413],
  open: true,
};

const readProfile: AdminEndpoint = {
  id: 'readProfile',
  summary: 'Read the own profile and sessions, by the session cookie',
  description: 'Returns the person who is signed in, and where. The operator token has no profile.',
  response: 'Profile',
  example: examples.profile,
  failures: [403],
};

const changeProfile: AdminEndpoint = {
  id: 'changeProfile',
  summary: 'Change the own name',
  description: 'Changes the name that others see.',
  request: { schema: 'ProfileChange', example: { name: 'Ada King' } },
  response: 'Person',
  example: { ...examples.person, name: 'Ada King' },
  failures: [400, 403, 413],
};

const endOtherSessions: AdminEndpoint = {
  id: 'endOtherSessions',
  summary: 'Sign out every other browser',
  description: 'Ends every session of the person except the one of this request.',
  response: 'Profile',
  example: examples.profile,
  failures: [403],
};

const endSession: AdminEndpoint = {
  id: 'endSession',
  summary: 'Sign out one browser',
  description: 'Ends one session of the person who is signed in.',
  response: 'Removed',
  example: { id: examples.profile.sessions[0]?.id },
  failures: [403, 404],
  parameters: [
    idParameter(SessionLine.shape.id, 'auth_019a84c25b7e7c319d426f0e8a1b2c52', 'The session.'),
  ],
};

const removePerson: AdminEndpoint = {
  id: 'removePerson',
  summary: 'Remove a person, who is signed out at once',
  description: 'Removes a person and ends every session of that person.',
  response: 'Removed',
  example: { id: examples.person.id },
  failures: [404, 409],
  parameters: [personParameter],
};

const invite: AdminEndpoint = {
  id: 'createInvite',
  summary: 'Create an invitation link; its token is shown only once',
  description: 'Creates a link with which one person can join.',
  request: { schema: 'InviteRequest', example: { role: 'operator' } },
  response: 'NewInvite',
  example: { ...examples.invite, token: 'c2VjcmV0LW9mLWEtbGluaw' },
  status: 201,
  failures: [400, 409, 413],
  parameters: [creationKeyParameter],
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

const readSettings: AdminEndpoint = {
  id: 'readSettings',
  summary: 'Read the settings in force',
  description: 'Returns every setting that this gateway was started with. Secrets are hidden.',
  response: 'SettingsView',
  example: examples.settings,
};

const readRecords: AdminEndpoint = {
  id: 'readProviderRecords',
  summary: 'Recent latency and failures of each provider',
  description: 'Returns the latency and failures of the latest requests, by provider.',
  response: 'ProviderRecordList',
  example: examples.providerRecords,
  failures: busy,
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
