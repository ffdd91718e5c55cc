// A minimal browser: it keeps every cookie and sends its origin.
import { NewInvite, SessionView } from '@trivium/contract';
import type { Gateway } from '../harness.ts';

export interface Visitor {
  ask: (method: string, path: string, more?: Asked) => Promise<Response>;
  /** Its origin and its cookies. */
  headers: () => Headers;
  session: () => Promise<SessionView>;
  /** Returns the created account or person, or throws with the response. */
  made: (path: string, body: object) => Promise<{ id: string }>;
  join: (token: string, email: string) => Promise<number>;
  signIn: (email: string, password?: string, headers?: Headers) => Promise<number>;
}

export interface Asked {
  /** Text is sent as a form, everything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

type Headers = Record<string, string>;

export const defaultPassword = 'correct horse battery';

/** `origin` is where the dashboard is, as the browser sees it. */
export function visitor(url: () => string, origin = url): Visitor {
  const cookies = new Map<string, string>();
  const own = (): Headers => ({
    origin: origin(),
    ...(cookies.size === 0 ? {} : { cookie: [...cookies].map((one) => one.join('=')).join('; ') }),
  });
  const ask: Visitor['ask'] = async (method, path, { body, headers = {} } = {}) => {
    const response = await fetch(url() + path, {
      method,
      redirect: 'manual',
      headers: {
        ...own(),
        ...(body === undefined ? {} : { 'content-type': contentType(body) }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm(body) ? body : JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  return {
    ask,
    headers: own,
    session: async () => SessionView.parse(await (await ask('GET', '/admin/v1/session')).json()),
    made: async (path, body) => {
      const response = await ask('POST', path, { body });
      if (response.status !== 201) throw new Error(`${path}: ${await response.text()}`);
      return (await response.json()) as { id: string };
    },
    join: async (token, email) => {
      const body = { token, name: email, email, password: defaultPassword };
      return (await ask('POST', '/admin/v1/join', { body })).status;
    },
    signIn: async (email, password = defaultPassword, headers = {}) => {
      const body = { email, password };
      return (await ask('POST', '/auth/sign-in/email', { body, headers })).status;
    },
  };
}

function isForm(body: unknown): body is string {
  return typeof body === 'string';
}

function contentType(body: unknown): string {
  return isForm(body) ? 'application/x-www-form-urlencoded' : 'application/json';
}

export function setUpToken(gateway: Gateway): string {
  const token = /join#(\S+)/.exec(gateway.printed())?.[1];
  if (token === undefined) throw new Error('The gateway printed no set-up link.');
  return token;
}

/** The first operator, signed in. */
export async function operator(gateway: Gateway, email = 'ada@example.org'): Promise<Visitor> {
  const ada = visitor(() => gateway.url);
  await ada.join(setUpToken(gateway), email);
  await mustSignIn(ada, email);
  return ada;
}

/** A member or viewer of an account, invited by an operator and signed in. */
export async function member(
  gateway: Gateway,
  by: Visitor,
  accountId: string,
  email: string,
  role: 'member' | 'viewer' = 'member',
): Promise<Visitor> {
  const body = { role, account_id: accountId };
  const invited = await by.ask('POST', '/admin/v1/invites', { body });
  const { token } = NewInvite.parse(await invited.json());
  const bob = visitor(() => gateway.url);
  await bob.join(token, email);
  await mustSignIn(bob, email);
  return bob;
}

async function mustSignIn(who: Visitor, email: string): Promise<void> {
  const status = await who.signIn(email);
  if (status !== 200) throw new Error(`${email} cannot sign in: ${status}`);
}

/** Throws with the response unless it is a success. */
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
