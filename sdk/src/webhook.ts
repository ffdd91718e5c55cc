// Verifies a webhook according to the Standard Webhooks specification (symmetric signatures,
// version 1). WebCrypto compares the signatures, in constant time and in every runtime.
import { ConfigurationError, WebhookVerificationError } from './errors.ts';
import { optionsOf } from './names.ts';
import type { EitherOption } from './names.ts';

export interface WebhookDelivery {
  /** `whsec_` and the base64 of at least 24 bytes. */
  secret: string;
  /** The request's headers. */
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The body exactly as received: a body that was parsed and printed again has other bytes. */
  body: string | Uint8Array;
  /** How far the clocks may differ; 300 seconds by default. */
  toleranceSeconds?: number | undefined;
  /** The current time in milliseconds; taken from the clock by default. */
  nowMs?: number | undefined;
}

export interface VerifiedWebhook {
  /** The same for every attempt to deliver this message. Store it to handle each message once. */
  id: string;
  timestamp: Date;
  /** The parsed body. */
  payload: unknown;
}

/** Throws a WebhookVerificationError unless the body was signed with the secret, and recently. */
export async function verifyWebhook(
  given: EitherOption<WebhookDelivery>,
): Promise<VerifiedWebhook> {
  const delivery = optionsOf<WebhookDelivery>(given);
  const { headers, nowMs = Date.now(), toleranceSeconds = defaultToleranceSeconds } = delivery;
  const key = await importSecret(delivery.secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  const seconds = secondsOf(timestamp);
  const ageSeconds = nowMs / 1000 - seconds;
  if (!(toleranceSeconds >= 0)) {
    throw new ConfigurationError('toleranceSeconds must be a number of at least 0.');
  }
  if (!(Math.abs(ageSeconds) <= toleranceSeconds)) {
    throw new WebhookVerificationError(
      `The webhook-timestamp is too ${ageSeconds > 0 ? 'old' : 'far in the future'}.`,
    );
  }
  const body = typeof delivery.body === 'string' ? encode(delivery.body) : delivery.body;
  const signed = join(encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned(key, signatures, signed))) {
    throw new WebhookVerificationError('No webhook-signature matches the body and the secret.');
  }
  return { id, timestamp: new Date(seconds * 1000), payload: parse(body) };
}

const defaultToleranceSeconds = 300;
const prefix = 'whsec_';
const minSecretBytes = 24;
const maxSecretBytes = 64;
/** During a rotation there are two signatures. The limit protects the receiver from extra work. */
const maxSignatures = 20;
const algorithm = { name: 'HMAC', hash: 'SHA-256' } as const;

async function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(prefix) ? fromBase64(secret.slice(prefix.length)) : undefined;
  if (bytes === undefined || bytes.length < minSecretBytes || bytes.length > maxSecretBytes) {
    throw new ConfigurationError(
      `The secret of a webhook is ${prefix} and the base64 of ` +
        `${minSecretBytes} to ${maxSecretBytes} bytes.`,
    );
  }
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
}

function headerOf(headers: WebhookDelivery['headers'], name: string): string {
  const values = isHeaders(headers)
    ? [headers.get(name)]
    : Object.entries(headers)
        .filter(([key]) => key.toLowerCase() === name)
        .flatMap(([, value]) => value);
  const [value] = values;
  if (values.length === 1 && typeof value === 'string' && value !== '') return value;
  const fault = values.length > 1 ? 'given more than once' : 'missing';
  throw new WebhookVerificationError(`The header ${name} is ${fault}.`);
}

/** Checks for a method, because a program may use the Headers of another library. */
function isHeaders(headers: WebhookDelivery['headers']): headers is Headers {
  return typeof headers['get' as keyof typeof headers] === 'function';
}

function secondsOf(timestamp: string): number {
  if (/^\d{1,12}$/.test(timestamp)) return Number(timestamp);
  throw new WebhookVerificationError('The webhook-timestamp must be whole seconds since 1970.');
}

async function isSigned(
  key: CryptoKey,
  signatures: string,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  // Signatures of other versions, such as v1a, are ignored.
  const own = signatures
    .split(' ', maxSignatures)
    .filter((signature) => signature.startsWith('v1,'))
    .flatMap((signature) => fromBase64(signature.slice('v1,'.length)) ?? []);
  for (const signature of own) {
    if (await crypto.subtle.verify(algorithm, key, signature, signed)) return true;
  }
  return false;
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as unknown;
  } catch {
    throw new WebhookVerificationError('The body is signed, but is not JSON.');
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function join(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length);
  whole.set(head);
  whole.set(tail, head.length);
  return whole;
}
