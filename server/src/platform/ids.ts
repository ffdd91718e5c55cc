// Ids, API keys and tokens, and the digests under which they are stored.
import { createHash, createHmac } from 'node:crypto';
import { machine } from './machine.ts';

/**
 * The id of an answer is the id of its request with another prefix, so that the log can find it.
 */
export function answerId(prefix: 'srch' | 'ext', requestId: string): string {
  return `${prefix}_${requestId.slice(requestId.indexOf('_') + 1)}`;
}

/** Derived from the page key: the same page has the same id in every search. */
export function resultId(pageKey: string): string {
  return `res_${sha256Hex(pageKey).slice(0, 16)}`;
}

export function newJobId(): string {
  return `job_${machine.newUuid()}`;
}

export function newId(prefix: string): string {
  return `${prefix}_${machine.newUuid().replaceAll('-', '')}`;
}

export function newRequestId(): string {
  return newId('req');
}

/** The number in the marks around text from the web that an agent reads. */
export function newFrameMarker(): string {
  return machine.randomBytes(8).toString('hex');
}

/** The prefix shows whether a key can cost money. */
export function newApiKey(mode: 'live' | 'sandbox'): string {
  const prefix = mode === 'sandbox' ? 'sk_test_' : 'sk_live_';
  return prefix + randomToken();
}

export function newOperatorToken(): string {
  return `op_${randomToken()}`;
}

export function newInviteToken(): string {
  return randomToken();
}

/** What an agent receives when a person grants it access: see accounts/oauth/tokens.ts. */
export function newOAuthToken(kind: 'access' | 'refresh' | 'code'): string {
  return oauthPrefixes[kind] + randomToken();
}

/** The token that replaces `before`. The result is the same every time. */
export function nextOAuthToken(secret: string, kind: 'access' | 'refresh', before: string): string {
  return oauthPrefixes[kind] + keyedDigest(secret, JSON.stringify(['after', kind, before]));
}

const oauthPrefixes = { access: 'mcp_', refresh: 'mcr_', code: 'mcc_' };

export function isAccessToken(credential: string): boolean {
  return credential.startsWith(oauthPrefixes.access);
}

/** A digest that only the holder of the secret can compute. */
export function keyedDigest(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

export function sha256Hex(text: string): string {
  return Bun.SHA256.hash(text, 'hex');
}

/** A digest of bytes that arrive in pieces. */
export function startSha256(): { add: (bytes: Uint8Array) => void; hex: () => string } {
  const hash = new Bun.SHA256();
  return { add: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') };
}

export function sha256Base64Url(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function randomToken(): string {
  return machine.randomBytes(32).toString('base64url');
}
