// A browser of a person: it keeps cookies and sends its origin. Passwords are hashed with the least
// cost, because a gateway of the tests shares their process.
import { mock } from 'bun:test';
import crypto from 'node:crypto';
import type { TestGateway } from './gateway.ts';

const { scrypt } = crypto;
type Done = (error: Error | null, key: Buffer) => void;

await mock.module('node:crypto', () => ({
  ...crypto,
  scrypt: (text: string, salt: string, length: number, _cost: object, done: Done) =>
    scrypt(text, salt, length, { N: 2, r: 1 }, done),
}));

export interface Browser {
  ask: (method: string, path: string, body?: object, headers?: object) => Promise<Response>;
  join: (token: string, email: string, name?: string) => Promise<Response>;
  signIn: (email: string, withPassword?: string) => Promise<Response>;
}

export const password = 'correct horse battery';

export function openBrowser({ url }: Pick<TestGateway, 'url'>): Browser {
  const cookies = new Map<string, string>();
  const ask: Browser['ask'] = async (method, path, body, headers = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url + path, {
      method,
      headers: {
        origin: url,
        ...('authorization' in headers || cookie === '' ? {} : { cookie }),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  return {
    ask,
    join: (token, email, name = 'Member') =>
      ask('POST', '/admin/v1/join', { token, name, email, password }),
    signIn: (email, withPassword = password) =>
      ask('POST', '/auth/sign-in/email', { email, password: withPassword }),
  };
}

/** The link that the first start prints. */
export function setUpToken({ printed }: TestGateway): string {
  return /join#(\S+)/.exec(printed)?.[1] ?? '';
}
