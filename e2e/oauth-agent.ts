// An application that a person authorizes, step by step: registration, the person's decision,
// tokens.
import { createHash, randomBytes } from 'node:crypto';
import type { Gateway } from './harness.ts';
import type { Visitor } from './security/visitor.ts';

export const redirectUri = 'https://agent.example/callback';
export const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');

export interface Tokens {
  access_token: string;
  refresh_token: string;
}

type At = Pick<Gateway, 'url'>;

export async function register(at: At, body: object = {}): Promise<string> {
  const answer = await fetch(`${at.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Agent', redirect_uris: [redirectUri], ...body }),
  });
  return ((await answer.json()) as { client_id: string }).client_id;
}

/** What an application puts into the address of the page. */
export function requestOf(clientId: string, changes: object = {}): Record<string, string> {
  return {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    state: 'its state',
    ...changes,
  };
}

export function decide(person: Visitor, asked: object, headers = {}): Promise<Response> {
  return person.ask('POST', '/oauth/consent', { body: { allow: true, ...asked }, headers });
}

export async function codeFor(person: Visitor, asked: object): Promise<string> {
  const { redirect_to } = (await (await decide(person, asked)).json()) as { redirect_to: string };
  return new URL(redirect_to).searchParams.get('code') ?? '';
}

/** Posts a form, as the endpoints for tokens take it. */
export async function postForm(at: At, path: string, fields: Record<string, string>) {
  const answer = await fetch(at.url + path, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

export function exchange(at: At, clientId: string, code: string, changes: object = {}) {
  return postForm(at, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes,
  });
}

export function refresh(at: At, clientId: string, token: string) {
  const fields = { grant_type: 'refresh_token', refresh_token: token, client_id: clientId };
  return postForm(at, '/oauth/token', fields);
}

export async function letIn(at: At, person: Visitor, clientId: string): Promise<Tokens> {
  const code = await codeFor(person, requestOf(clientId));
  return (await exchange(at, clientId, code)).body as unknown as Tokens;
}

/** The status of a tool call with a token. */
export async function callTool(at: At, token: string): Promise<Response> {
  return fetch(`${at.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search', arguments: { query: 'solar' } },
    }),
  });
}
