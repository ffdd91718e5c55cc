// Signatures of the gateway's own tokens, vendors' signatures of their callbacks, and sealed texts.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto';
import { machine } from './machine.ts';

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

interface BodySignature {
  add: (chunk: Uint8Array) => void;
  /** True if a signature in the header matches the chunks. */
  fits: () => boolean;
}

/** A vendor that rotates its secret signs with both for a while. */
const maxSignatures = 4;

/** Parses `t=<seconds>,v0=<hex>[,v0=…]`. Undefined if it is malformed or too old. */
export function openSignature(
  header: string,
  secret: string,
  nowS: number,
  toleranceS: number,
): BodySignature | undefined {
  const fields = header.split(',').map((field) => field.trim().split('=', 2));
  const time = fields.find(([name]) => name === 't')?.[1];
  const signatures = fields.flatMap(([name, value]) => (name === 'v0' && value ? [value] : []));
  if (time === undefined || !/^\d{1,12}$/.test(time)) return undefined;
  if (signatures.length === 0 || signatures.length > maxSignatures) return undefined;
  if (!signatures.every((signature) => /^[0-9a-f]{64}$/i.test(signature))) return undefined;
  if (Math.abs(nowS - Number(time)) > toleranceS) return undefined;
  const hmac = createHmac('sha256', secret).update(`${time}.`);
  return {
    add: (chunk) => void hmac.update(chunk),
    fits: () => {
      const digest = hmac.digest('hex');
      return signatures.some((signature) => sameText(signature.toLowerCase(), digest));
    },
  };
}

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/** Makes text that only the holder of a secret can read. */
interface Seal {
  close: (text: string) => string;
  /** Throws for a text that was not sealed with the same secret and purpose. */
  open: (sealed: string) => string;
}

/** AES-256-GCM with a separate key for each purpose. */
export function makeSeal(secret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return {
    close: (text) => {
      const nonce = machine.randomBytes(nonceBytes);
      const cipher = createCipheriv(algorithm, key, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
    },
    open: (sealed) => {
      const bytes = Buffer.from(sealed, 'base64url');
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes));
      const tagEnd = nonceBytes + tagBytes;
      decipher.setAuthTag(bytes.subarray(nonceBytes, tagEnd));
      return decipher.update(bytes.subarray(tagEnd), undefined, 'utf8') + decipher.final('utf8');
    },
  };
}
