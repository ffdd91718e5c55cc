// The endpoints of OAuth that anyone may call: what they refuse, and that they store nothing.
import { expect, test } from 'bun:test';
import { OAuthFailure } from '@trivium/contract';
import { sharedGateway } from '../harness.ts';
import { postForm, register } from '../oauth-agent.ts';

const gateway = sharedGateway();

test('registering stores nothing, and is limited in size', async () => {
  const sized = async (body: object) => {
    const answer = await fetch(`${gateway().url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const uris = (count: number) =>
    Array.from({ length: count }, (_, index) => `https://a.example/${index}`);
  expect((await sized({ redirect_uris: uris(10) })).status).toBe(201);
  const wrong: [object, string][] = [
    [{}, 'invalid_redirect_uri'],
    [{ redirect_uris: [] }, 'invalid_redirect_uri'],
    [{ redirect_uris: uris(11) }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: ['http://agent.example/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: [`https://a.example/${'x'.repeat(600)}`] }, 'invalid_redirect_uri'],
    [{ redirect_uris: uris(1), client_name: 7 }, 'invalid_client_metadata'],
  ];
  for (const [body, error] of wrong) {
    expect(await sized(body)).toMatchObject({ status: 400, body: { error } });
  }
  const tooLong = Array.from({ length: 10 }, () => `https://a.example/${'x'.repeat(480)}`);
  expect((await sized({ redirect_uris: tooLong })).status).toBe(400);
  expect((await sized({ redirect_uris: uris(3000) })).status).toBe(413);
  const named = await sized({ redirect_uris: uris(1), client_name: '\u202eevil\u0000 \u200b' });
  expect(named.body['client_name']).toBe('evil');
});

test('faulty requests for tokens are refused in the format of OAuth', async () => {
  const client = await register(gateway());
  const wrong: [Record<string, string>, string][] = [
    [{}, 'invalid_client'],
    [{ client_id: client }, 'unsupported_grant_type'],
    [{ client_id: client, grant_type: 'password' }, 'unsupported_grant_type'],
    [{ client_id: client, grant_type: 'authorization_code' }, 'invalid_grant'],
    [{ client_id: client, grant_type: 'refresh_token' }, 'invalid_grant'],
    [{ client_id: client, resource: 'https://evil.example' }, 'invalid_target'],
  ];
  for (const [fields, error] of wrong) {
    expect((await postForm(gateway(), '/oauth/token', fields)).body).toMatchObject({ error });
  }
  const twice = await fetch(`${gateway().url}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams(`client_id=${client}&client_id=${client}`),
  });
  expect(await twice.json()).toMatchObject({ error: 'invalid_request' });
});

test('every refusal of an endpoint for programs has the format of OAuth', async () => {
  const { url } = gateway();
  const json = { 'content-type': 'application/json' };
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = (path: string, body: string, headers: Record<string, string>) =>
    fetch(url + path, { method: 'POST', headers, body });
  const long = 'a'.repeat(64 * 1024 + 1);
  const refused: [number, Promise<Response>][] = [
    [400, post('/oauth/register', '{"unfinished', json)],
    [400, post('/oauth/register', 'redirect_uris=x', form)],
    [400, post('/oauth/register', '['.repeat(1000), json)],
    [413, post('/oauth/register', `{"a":"${long}"}`, json)],
    [400, post('/oauth/token', '{}', json)],
    [413, post('/oauth/token', `client_id=${long}`, form)],
    [413, post('/oauth/revoke', `token=${long}`, form)],
    [400, post('/oauth/token?a=1&a=2', '', form)],
    [405, fetch(`${url}/oauth/token`)],
    [405, fetch(`${url}/oauth/register`, { method: 'DELETE' })],
    [400, fetch(`${url}/.well-known/oauth-authorization-server?a=1&a=2`)],
    [404, fetch(`${url}/.well-known/openid-configuration`)],
  ];
  for (const [status, answer] of refused) {
    const response = await answer;
    const body = OAuthFailure.strict().parse(await response.json());
    expect([response.url, response.status, body.error]).toEqual([
      ...[response.url, status, 'invalid_request'],
    ]);
  }
});
