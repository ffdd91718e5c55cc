// Which addresses an application may register, and which of them it may ask for.
import { describe, expect, test } from 'bun:test';
import { isRedirectUri, isRegistered, registerClient } from '../oauth/clients.ts';

describe('an address may be registered', () => {
  test.each([
    'https://agent.example/callback',
    'https://agent.example',
    'https://agent.example:8443/callback?from=trivium',
    'http://127.0.0.1/callback',
    'http://localhost:33418/',
    'http://[::1]:9/callback',
    'com.example.app:/callback',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'vscode://vscode.git/callback',
  ])('%s', (uri) => expect(isRedirectUri(uri)).toBe(true));
});

describe('an address may not be registered', () => {
  const runs = ['javascript', 'JavaScript', 'vbscript', 'livescript', 'data', 'blob', 'about'];
  const opens = ['file', 'jar', 'resource', 'view-source', 'feed', 'ms-msdt', 'ms-settings'];
  const stores = ['search-ms', 'itms-services', 'android-app', 'intent', 'market', 'steam'];
  const browsers = ['chrome', 'chrome-extension', 'moz-extension', 'edge', 'web+agent', 'smb'];
  test.each([...runs, ...opens, ...stores, ...browsers])('with the scheme %s', (scheme) => {
    for (const rest of [':/x', '://x/y', ':x', ':alert(1)', ':///x']) {
      expect([rest, isRedirectUri(scheme + rest)]).toEqual([rest, false]);
    }
  });

  test.each([
    ...['', 'https://', 'https:evil.example', 'https:/evil.example', 'https:///evil.example'],
    ...['http://agent.example/', 'http://127.0.0.1.evil.example/', 'http://localhost.evil/'],
    ...['http://2130706433/', 'http://0x7f.1/', 'http://127.1/', 'http:/127.0.0.1/'],
    ...[
      'http://127.0.0.1:9@evil.example/',
      'https://a@c.example/',
      'http://evil@127.0.0.1/',
      'https://a:b@c.example/',
    ],
    ...['https://a.example/#x', 'https://a.example\\@evil.example/', 'https://ａ.example/'],
    ...[
      'callback',
      '/callback',
      'https://a.example/a b',
      'cursor:callback',
      'https://a.example/\n',
    ],
    ...['http://127.0.0.1@evil.example/', 'JavaScript://%0aalert(1)', 'file:///etc/passwd'],
    ...['https://a.example/\r\nx: y', ' https://a.example/', 'java\tscript:/x', '//a.example/'],
  ])('as %p', (uri) => expect(isRedirectUri(uri)).toBe(false));
});

describe('of the registered addresses', () => {
  const registered = ['https://agent.example/callback', 'http://127.0.0.1/callback'];

  test.each([...registered, 'http://127.0.0.1:33418/callback'])('%s may be asked for', (asked) =>
    expect(isRegistered(registered, asked)).toBe(true),
  );

  test.each([
    ...[
      'https://agent.example/callback/',
      'https://agent.example/callback?',
      'https://evil.example',
    ],
    ...['https://AGENT.example/callback', 'https://agent.example:443/callback'],
    ...['https://agent.example:8443/callback', 'https://agent.example/./callback'],
    ...['https://agent.example/callback?next=https://evil.example'],
    ...['https://agent.example/callback/../other', 'https://evil.example/callback'],
    ...['http://127.0.0.1:9/other', 'http://127.0.0.1:9/callback?x', 'http://localhost:9/callback'],
    ...['http://127.1:9/callback', 'https://127.0.0.1/callback', 'http://127.0.0.1:99999/callback'],
    ...['', '__proto__', 'javascript:alert(1)'],
  ])('%p may not', (asked) => expect(isRegistered(registered, asked)).toBe(false));
});

test('the id of an application has a limit', () => {
  const registering = (count: number) => () =>
    registerClient('secret', {
      redirect_uris: Array.from({ length: count }, (_, at) => `https://${at}.a/${'x'.repeat(480)}`),
    });
  expect(registering(5)).not.toThrow();
  expect(registering(6)).toThrow('too long in total');
});
