// The operator of a gateway, who joined through the set-up link, as a program: cookies and calls.
import type { Cookie } from 'playwright-core';
import type { Gateway } from '../harness.ts';

export const ada = { email: 'ada@example.org', password: 'correct horse battery' };

export interface Operator {
  cookies: Cookie[];
  call: <T>(method: string, path: string, body?: unknown) => Promise<T>;
}

export async function setUpOperator(gateway: Gateway): Promise<Operator> {
  const token = /set up +\S+#(\S+)/.exec(gateway.printed())?.[1];
  const you = { token, name: 'Ada Lovelace', ...ada };
  const joined = await send(gateway, 'POST', '/admin/v1/join', you);
  if (joined.status !== 201) throw new Error(`Joining failed: ${await joined.text()}`);
  const cookies = await signIn(gateway, ada);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return {
    cookies,
    call: async <T>(method: string, path: string, body?: unknown) => {
      const response = await send(gateway, method, path, body, cookie);
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
      return (await response.json()) as T;
    },
  };
}

/** The cookies of a person who signs in with a password. */
export async function signIn(
  gateway: Gateway,
  person: { email: string; password: string },
): Promise<Cookie[]> {
  const signedIn = await send(gateway, 'POST', '/auth/sign-in/email', person);
  if (!signedIn.ok) throw new Error(`Signing in failed: ${await signedIn.text()}`);
  return signedIn.headers.getSetCookie().map((line): Cookie => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const place = { domain: '127.0.0.1', path: '/', expires: -1 };
    return { name, value, ...place, httpOnly: true, secure: false, sameSite: 'Lax' };
  });
}

function send(
  gateway: Gateway,
  method: string,
  path: string,
  body?: unknown,
  cookie = '',
): Promise<Response> {
  return fetch(gateway.url + path, {
    method,
    headers: { origin: gateway.url, cookie, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
