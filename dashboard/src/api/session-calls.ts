// Calls that only the browser of a person can make, not a key or a token: signing in and out, the
// links to join and to reset a password, the person's own profile, and consent for agents.
import type {
  InviteState,
  JoinRequest,
  PasswordChange,
  Person,
  Profile,
  ProfileChange,
  ResetRequest,
  ResetState,
  SessionView,
} from '@trivium/contract';
import { ApiError, ConnectionError, TimedOutError } from '@trivium/sdk';
import { reportChange } from './data.ts';
import { errorFrom } from './errors.ts';
import { reportLostSession } from './session-events.ts';

interface AccessRequest {
  client_name: string;
  /** The host or scheme that the browser is redirected to. */
  returns_to: string;
  account: { id: string; name: string };
  person: string;
}

export interface Redirect {
  redirect_to: string;
}

type ConsentQuery = Readonly<Record<string, string>>;

export const readSession = () => send<SessionView>('GET', '/admin/v1/session');

export const signIn = (email: string, password: string) =>
  send('POST', '/auth/sign-in/email', { email, password }).catch((error: unknown) => {
    const isWrong = error instanceof ApiError && error.status === 401;
    throw isWrong ? new Error('The email address or the password is wrong.') : error;
  });

/** Returns the address of the identity provider. */
export const startSingleSignOn = () =>
  send<{ url: string }>('POST', '/auth/sign-in/social', {
    provider: 'oidc',
    callbackURL: '/',
    errorCallbackURL: '/sign-in',
  });

export const signOut = () => send('POST', '/auth/sign-out', {});
export const revokeSessions = () => send('POST', '/auth/revoke-sessions', {});
export const changePassword = (change: PasswordChange) =>
  send('POST', '/auth/change-password', change).catch((error: unknown) => {
    const isWrong = error instanceof ApiError && error.message === 'Invalid password.';
    throw isWrong ? new Error('The current password is wrong.') : error;
  });

export const checkInvite = (token: string) =>
  send<InviteState>('POST', '/admin/v1/join/check', { token });
export const join = (request: JoinRequest) => send('POST', '/admin/v1/join', request);

export const checkReset = (token: string) =>
  send<ResetState>('POST', '/admin/v1/reset/check', { token });
export const resetPassword = (request: ResetRequest) => send('POST', '/admin/v1/reset', request);

export const readProfile = () => send<Profile>('GET', '/admin/v1/profile');
export const changeProfile = (change: ProfileChange) =>
  send<Person>('PATCH', '/admin/v1/profile', change);
export const endSession = (id: string) =>
  send('DELETE', `/admin/v1/profile/sessions/${encodeURIComponent(id)}`);
export const endOtherSessions = () => send('DELETE', '/admin/v1/profile/sessions');

export const checkConsent = (query: ConsentQuery) =>
  send<AccessRequest | Redirect>('POST', '/oauth/consent/check', query);
export const giveConsent = (query: ConsentQuery, allow: boolean) =>
  send<Redirect>('POST', '/oauth/consent', { ...query, allow });

const timeLimitMs = 60_000;

async function send<T>(
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(path, {
    method,
    signal: AbortSignal.timeout(timeLimitMs),
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch((error: unknown) => {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    throw isLate ? new TimedOutError(String(error)) : new ConnectionError(String(error), 'unknown');
  });
  if (method !== 'GET') reportChange(path);
  if (response.status === 401 && !path.startsWith('/auth/')) reportLostSession();
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as T;
  throw errorFrom(response.status, answer);
}
