// The operator of a gateway, who joined through the set-up link, as a program: cookies and calls.
import type { Cookie } from 'playwright-core';
import type { Gateway } from '../harness.ts';

export const ada = { email: 'ada@example.org', password: 'correct horse battery' };

export interface Operator {
  cookies: Cookie[];
  call: <T>(method: string, path: string, body?: unknown) => Promise<T>;
}

export async function setUpOperator(gateway: Gateway): Promise<Operator> {
  const token = /set up +\S+#(\S+)/.exec(gateway.output())?.[1];
  const send = (method: string, path: string, body?: unknown, cookie = '') =>
    fetch(gateway.url + path, {
      method,
      headers: { origin: gateway.url, cookie, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const joined = await send('POST', '/admin/v1/join', { token, name: 'Ada Lovelace', ...ada });
  if (joined.status !== 201) throw new Error(`Joining failed: ${await joined.text()}`);
  const signedIn = await send('POST', '/auth/sign-in/email', ada);
  const cookies = signedIn.headers.getSetCookie().map((line): Cookie => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const place = { domain: '127.0.0.1', path: '/', expires: -1 };
    return { name, value, ...place, httpOnly: true, secure: false, sameSite: 'Lax' };
  });
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return {
    cookies,
    call: async <T>(method: string, path: string, body?: unknown) => {
      const response = await send(method, path, body, cookie);
      if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
      return (await response.json()) as T;
    },
  };
}
