// The detection of leaked credentials: it finds every leak, without false alarms.
import { expect, test } from 'bun:test';
import { refuseSecrets, secretsOf } from './secrets.ts';

const env = {
  EXA_API_KEY: 'first-credential,second-credential',
  TRIVIUM_SECRET: 'a-secret-of-some-length',
  DATABASE_URL: 'postgres://user:long-password@host/db',
  BRAVE_API_KEY: 'short',
  PORT: '123456789012345',
};

test('recognises credentials, secrets and passwords by the names of their variables', () => {
  expect(secretsOf(env)).toEqual([
    'first-credential',
    'second-credential',
    'a-secret-of-some-length',
    'long-password',
  ]);
});

test('refuses a text with a secret without repeating the secret', () => {
  const leak = () => refuseSecrets('{"key":"second-credential"}', secretsOf(env), 'a log line');
  expect(leak).toThrow('a log line');
  expect(leak).not.toThrow('second-credential');
  refuseSecrets('nothing to see', secretsOf(env), 'a log line');
});
