// Which addresses may receive a code.
import { describe, expect, test } from 'bun:test';
import { isRedirectUri, isRegistered } from './redirect-uri.ts';

test.each([
  'https://agent.example/callback',
  'https://agent.example/callback?a=b',
  'http://localhost:3000/callback',
  'http://127.0.0.1/callback',
  'http://[::1]:9/x',
  'cursor://anysphere.cursor-retrieval/oauth/callback',
  'com.example.app:/callback',
])('%s may be registered', (uri) => {
  expect(isRedirectUri(uri)).toBe(true);
});

test.each([
  '',
  'callback',
  '/callback',
  '//evil.example',
  'http://agent.example/callback',
  'http://localhost.evil.example/',
  'http://127.0.0.1.evil.example/',
  'http://127.0.0.1@evil.example/',
  'https://user@agent.example/',
  'https://agent.example/#part',
  'https://agent.example\\@evil.example/',
  'https://agent.example/a b',
  'https://agent.example/\n',
  'javascript:alert(1)',
  'JavaScript://%0aalert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'view-source:https://a.example/',
  'cursor:callback',
])('%j may not', (uri) => {
  expect(isRedirectUri(uri)).toBe(false);
});

describe('an address that is asked for', () => {
  const registered = ['https://agent.example/callback', 'http://127.0.0.1:3000/callback'];

  test('is one of the registered ones, with any port on the own machine', () => {
    expect(isRegistered(registered, 'https://agent.example/callback')).toBe(true);
    expect(isRegistered(registered, 'http://127.0.0.1:41999/callback')).toBe(true);
  });

  test.each([
    'https://agent.example/callback/',
    'https://agent.example/callback?next=https://evil.example',
    'https://agent.example/callback/../other',
    'https://AGENT.example/callback',
    'https://agent.example:8443/callback',
    'https://evil.example/callback',
    'http://127.0.0.1:3000/other',
    'http://localhost:3000/callback',
    'https://127.0.0.1:3000/callback',
    'javascript:alert(1)',
  ])('and not %s', (uri) => {
    expect(isRegistered(registered, uri)).toBe(false);
  });
});
