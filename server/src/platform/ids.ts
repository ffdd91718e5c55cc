// Ids, keys and tokens, and what is computed with a secret: digests, signatures and sealed texts.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto';
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

export function newId(prefix: string): string {
  return `${prefix}_${machine.newUuid().replaceAll('-', '')}`;
}

/** The prefix shows whether a key can cost money. */
export function newApiKey(mode: 'live' | 'sandbox'): string {
  const prefix = mode === 'sandbox' ? 'sk_test_' : 'sk_live_';
  return prefix + randomToken();
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

export function randomToken(): string {
  return machine.randomBytes(32).toString('base64url');
}

/** A signature in hex that only the holder of the secret can compute. */
export function signWords(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('hex').slice(0, 40);
}

/** A secret for signing webhooks. It is computed and never stored. */
export function webhookSecret(secret: string, name: string): string {
  const bytes = createHmac('sha256', secret).update(`webhook secret ${name}`).digest('base64');
  return `whsec_${bytes}`;
}

/** A Standard Webhooks signature. The body is read piece by piece, because it may be long. */
export async function signWebhook(
  secret: string,
  { id, seconds, body }: { id: string; seconds: number; body: Blob },
): Promise<string> {
  const hmac = createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  hmac.update(`${id}.${seconds}.`);
  for await (const chunk of body.stream()) hmac.update(chunk);
  return `v1,${hmac.digest('base64')}`;
}

/** Compares in constant time. */
export function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A vendor that rotates its secret signs with both for a while. */
const maxSignatures = 4;

/** Parses `t=<seconds>,v0=<hex>[,v0=…]`. Undefined if it is malformed or too old. */
export function openSignature(header: string, secret: string, nowS: number, toleranceS: number) {
  const fields = header.split(',').map((field) => field.trim().split('=', 2));
  const time = fields.find(([name]) => name === 't')?.[1];
  const signatures = fields.flatMap(([name, value]) => (name === 'v0' && value ? [value] : []));
  if (time === undefined || !/^\d{1,12}$/.test(time)) return undefined;
  if (signatures.length === 0 || signatures.length > maxSignatures) return undefined;
  if (!signatures.every((signature) => /^[0-9a-f]{64}$/i.test(signature))) return undefined;
  if (Math.abs(nowS - Number(time)) > toleranceS) return undefined;
  const hmac = createHmac('sha256', secret).update(`${time}.`);
  return {
    add: (chunk: Uint8Array) => void hmac.update(chunk),
    /** True if a signature in the header matches the chunks. */
    fits: () => {
      const digest = hmac.digest('hex');
      return signatures.some((signature) => sameText(signature.toLowerCase(), digest));
    },
  };
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * Makes text that only the holder of a secret can read, by AES-256-GCM with a separate key for each
 * purpose.
 */
export function makeSeal(secret: string, purpose: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return {
    close: (text: string) => {
      const nonce = machine.randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    /** Throws for a text that was not sealed with the same secret and purpose. */
    open: (sealed: string) => {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
      const tagEnd = nonceBytes + tagBytes;
      decipher.setAuthTag(bytes.subarray(nonceBytes, tagEnd));
      return decipher.update(bytes.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
