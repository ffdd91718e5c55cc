// People who sign in to the dashboard: their roles, their session, and how they are invited.
import { z } from 'zod';
import { storable, Timestamp } from './common.ts';

export const minPasswordLength = 12;
const maxPasswordLength = 128;

export const roles = ['operator', 'member', 'viewer'] as const;
export const Role = z
  .enum(roles)
  .describe(
    'An operator can do everything; a member belongs to one account; a viewer can read one ' +
      'account and change nothing.',
  );
export type Role = z.infer<typeof Role>;

export const Person = z
  .object({
    id: z.string().describe('The id of the person.'),
    name: z.string().describe('The name to show.'),
    email: z.string().describe('The address to sign in with.'),
    role: Role,
    account_id: z.string().nullable().describe('Null for an operator.'),
  })
  .describe('A person who can sign in.');
export type Person = z.infer<typeof Person>;

export const SessionView = z
  .object({
    person: Person.nullable().describe('Null when no one is signed in.'),
    account: z
      .object({
        id: z.string().describe('The id of the account.'),
        name: z.string().describe('Its name.'),
      })
      .nullable()
      .describe('The account shown first.'),
    needs_set_up: z.boolean().describe('True until the first operator exists.'),
    sandbox: z.boolean().describe('True when the sandbox simulates every vendor.'),
    single_sign_on: z.string().nullable().describe('The name of the identity provider, if any.'),
  })
  .describe('Who is signed in, and to which account.');
export type SessionView = z.infer<typeof SessionView>;

const PersonName = storable(z.string().max(200).trim().min(1)).describe('The name to show.');
const NewPassword = z
  .string()
  .min(minPasswordLength)
  .max(maxPasswordLength)
  .describe('The password to sign in with.');

export const JoinRequest = z
  .strictObject({
    token: z.string().min(1).max(200).describe('From the set-up or invitation link.'),
    name: PersonName,
    email: z.email().max(320).describe('The address to sign in with.'),
    password: NewPassword,
  })
  .describe('What a person enters after opening a set-up or invitation link.');
export type JoinRequest = z.infer<typeof JoinRequest>;

export const InviteCheck = JoinRequest.pick({ token: true }).describe('A link to check.');
export type InviteCheck = z.infer<typeof InviteCheck>;

export const InviteState = z
  .object({ open: z.boolean().describe('False if it was used, has expired, or is incomplete.') })
  .describe('Whether a link still works.');
export type InviteState = z.infer<typeof InviteState>;

/** A new password for the person who is signed in. */
export const PasswordChange = z.strictObject({
  current_password: z.string().min(1).max(maxPasswordLength),
  new_password: z.string().min(minPasswordLength).max(maxPasswordLength),
});
export type PasswordChange = z.infer<typeof PasswordChange>;

const Label = storable(z.string().max(200).trim().min(1)).describe(
  'The person or purpose it is for.',
);

export const InviteRequest = z
  .strictObject({
    role: Role,
    label: Label.optional(),
    account_id: storable(z.string().min(1).max(100))
      .optional()
      .describe('Required for a member and for a viewer.'),
  })
  .describe('An invitation to create.');
export type InviteRequest = z.infer<typeof InviteRequest>;

export const Invite = z.object({
  id: z.string().describe('The id of the invitation.'),
  label: z.string().nullable().describe('The person or purpose it is for.'),
  role: Role,
  account_id: z.string().nullable().describe('Null for an operator.'),
  created_at: Timestamp.describe('When the link was created.'),
  expires_at: Timestamp.nullable().describe('When the link stops working.'),
});
export type Invite = z.infer<typeof Invite>;

export const NewInvite = Invite.extend({
  token: z.string().describe('Part of the link; shown only once.'),
}).describe('An invitation with the secret of its link.');
export type NewInvite = z.infer<typeof NewInvite>;

export const PersonChange = z
  .strictObject({
    role: Role,
    account_id: storable(z.string().min(1).max(100))
      .optional()
      .describe('Required for a member and for a viewer.'),
  })
  .describe('A new role; it takes effect immediately.');
export type PersonChange = z.infer<typeof PersonChange>;

export const ResetLink = z
  .object({
    token: z.string().describe('Part of the link; shown only once.'),
    expires_at: Timestamp.describe('When the link stops working.'),
  })
  .describe('A link for choosing a new password.');
export type ResetLink = z.infer<typeof ResetLink>;

export const ResetRequest = z
  .strictObject({
    token: z.string().min(1).max(200).describe('From the link.'),
    password: NewPassword,
  })
  .describe('A new password, chosen with a link.');
export type ResetRequest = z.infer<typeof ResetRequest>;

export const ResetState = z
  .object({
    open: z.boolean().describe('False if it was used, has expired, or is incomplete.'),
    email: z
      .string()
      .nullable()
      .describe('The person whose password it changes, while it is valid.'),
  })
  .describe('Whether a link for choosing a new password still works.');
export type ResetState = z.infer<typeof ResetState>;

export const ProfileChange = z.strictObject({ name: PersonName }).describe('What to change.');
export type ProfileChange = z.infer<typeof ProfileChange>;

export const SessionLine = z
  .object({
    id: z.string().describe('The id of the session.'),
    current: z.boolean().describe('Whether this request belongs to it.'),
    address: z.string().nullable().describe('The IP address at sign-in.'),
    browser: z.string().nullable().describe('The user agent at sign-in.'),
    created_at: Timestamp.describe('When the person signed in.'),
    expires_at: Timestamp.describe('When it ends, unless it is used before then.'),
  })
  .describe('A browser in which a person is signed in.');
export type SessionLine = z.infer<typeof SessionLine>;

export const Profile = z
  .object({
    person: Person,
    has_password: z
      .boolean()
      .describe('False for a person who only signs in through single sign-on.'),
    sessions: z.array(SessionLine).describe('Newest first.'),
  })
  .describe('The person who is signed in.');
export type Profile = z.infer<typeof Profile>;

export const PeopleList = z
  .object({
    people: z
      .array(Person.extend({ created_at: z.string().describe('When the person joined.') }))
      .describe('Everyone who can sign in.'),
    invites: z.array(Invite).describe('Invitations that have not been accepted yet.'),
  })
  .describe('People and open invitations.');
export type PeopleList = z.infer<typeof PeopleList>;

export const Joined = z
  .object({
    joined: z.boolean().describe('Always true; a failure is an error response.'),
  })
  .describe('The person can sign in now.');
export type Joined = z.infer<typeof Joined>;

export const Removed = z
  .object({ id: z.string().describe('What was removed.') })
  .describe('The object was removed.');
export type Removed = z.infer<typeof Removed>;
