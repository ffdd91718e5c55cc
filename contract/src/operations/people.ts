// People who sign in: sessions, invitations, passwords and profiles.
import * as examples from '../examples/people.ts';
import { account } from '../examples/accounts.ts';
import * as schemas from '../index.ts';
import type { Operations } from './operation.ts';

export const people = {
  'GET /admin/v1/session': {
    id: 'readSession',
    summary: 'Read the signed-in person, identified by the session cookie',
    description: 'Returns the signed-in person, or null, and what the sign-in page needs to know.',
    open: true,
    answer: [schemas.SessionView, { usual: examples.session }],
    refuses: [400],
  },
  'POST /admin/v1/join': {
    id: 'acceptInvite',
    summary: 'Accept a set-up or invitation link; only from the dashboard’s own origin',
    description: 'Creates the person that a set-up or invitation link is for.',
    open: true,
    body: [schemas.JoinRequest, { usual: examples.join }],
    status: 201,
    answer: [schemas.Joined, { usual: { joined: true } }],
    refuses: [403, 404],
  },
  'POST /admin/v1/join/check': {
    id: 'checkInvite',
    summary: 'See whether a set-up or invitation link still works',
    description: 'The link stays valid. Only from the dashboard’s own origin.',
    open: true,
    body: [schemas.InviteCheck, { usual: { token: examples.join.token } }],
    answer: [schemas.InviteState, { usual: { open: true } }],
    refuses: [403],
  },
  'GET /admin/v1/people': {
    id: 'listPeople',
    resource: 'people',
    verb: 'list',
    summary: 'List the people who can sign in, and open invitations',
    description: 'Returns everyone who can sign in to the dashboard.',
    unlimited: true,
    answer: [schemas.PeopleList, { usual: examples.people }],
  },
  'PATCH /admin/v1/people/:id': {
    id: 'changePerson',
    resource: 'people',
    verb: 'update',
    summary: 'Change the role of a person',
    description:
      "Takes effect with the person's next request. The last operator cannot be demoted.",
    body: [schemas.PersonChange, { usual: { role: 'member', account_id: account.id } }],
    answer: [
      schemas.Person,
      { usual: { ...examples.person, role: 'member', account_id: account.id } },
    ],
    refuses: [409],
  },
  'DELETE /admin/v1/people/:id': {
    id: 'removePerson',
    resource: 'people',
    verb: 'delete',
    summary: 'Remove a person and sign them out',
    description: 'Removes a person and ends all of their sessions.',
    answer: [schemas.Removed, { usual: { id: examples.person.id } }],
    refuses: [409],
  },
  'POST /admin/v1/people/:id/reset': {
    id: 'makeResetLink',
    resource: 'people',
    verb: 'resetPassword',
    summary: 'Create a link for choosing a new password',
    description:
      'The link works for a day, or until the password is changed. Pass it on to the ' +
      'person yourself.',
    status: 201,
    answer: [
      schemas.ResetLink,
      { usual: { token: examples.join.token, expires_at: '2026-11-16T12:00:00.000Z' } },
    ],
  },
  'POST /admin/v1/reset': {
    id: 'resetPassword',
    summary: 'Choose a new password with a link; only from the dashboard’s own origin',
    description: 'Changes the password and ends every session of the person.',
    open: true,
    body: [
      schemas.ResetRequest,
      { usual: { token: examples.join.token, password: examples.join.password } },
    ],
    answer: [schemas.ResetState, { usual: { open: false, email: null } }],
    refuses: [403, 404],
  },
  'POST /admin/v1/reset/check': {
    id: 'checkReset',
    summary: 'See whether a link for choosing a new password still works',
    description: 'The link stays valid. Only from the dashboard’s own origin.',
    open: true,
    body: [schemas.InviteCheck, { usual: { token: examples.join.token } }],
    answer: [schemas.ResetState, { usual: { open: true, email: examples.person.email } }],
    refuses: [403],
  },
  'GET /admin/v1/profile': {
    id: 'readProfile',
    summary: 'Read your own profile and sessions, identified by the session cookie',
    description:
      'Returns the signed-in person and their sessions. The operator token has no profile.',
    unlimited: true,
    answer: [schemas.Profile, { usual: examples.profile }],
    refuses: [403],
  },
  'PATCH /admin/v1/profile': {
    id: 'changeProfile',
    summary: 'Change your own name',
    description: 'Changes the name that others see.',
    body: [schemas.ProfileChange, { usual: { name: 'Ada King' } }],
    answer: [schemas.Person, { usual: { ...examples.person, name: 'Ada King' } }],
    refuses: [403],
  },
  'DELETE /admin/v1/profile/sessions': {
    id: 'endOtherSessions',
    summary: 'Sign out every other browser',
    description: 'Ends every session of the person except the one of this request.',
    answer: [schemas.Profile, { usual: examples.profile }],
    refuses: [403],
  },
  'DELETE /admin/v1/profile/sessions/:id': {
    id: 'endSession',
    summary: 'Sign out one browser',
    description: 'Ends one session of the signed-in person.',
    answer: [schemas.Removed, { usual: { id: examples.profile.sessions[0]?.id } }],
    refuses: [403],
  },
  'POST /admin/v1/invites': {
    id: 'createInvite',
    resource: 'invitations',
    verb: 'create',
    summary: 'Create an invitation link; its token is shown only once',
    description: 'Creates a link that lets one person join.',
    keyed: 'change',
    body: [schemas.InviteRequest, { usual: { role: 'operator' } }],
    status: 201,
    answer: [schemas.NewInvite, { usual: { ...examples.invite, token: 'c2VjcmV0LW9mLWEtbGluaw' } }],
  },
  'DELETE /admin/v1/invites/:id': {
    id: 'withdrawInvite',
    resource: 'invitations',
    verb: 'delete',
    summary: 'Withdraw an invitation',
    description: 'Makes an invitation link invalid.',
    answer: [schemas.Removed, { usual: { id: examples.invite.id } }],
  },
} as const satisfies Operations;
