// Signatures: tokens only we can make, and the vendors' own signs on what they deliver.
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Hex digits that follow from the secret and the words; nobody without the secret can guess them.
 */
export function signWords(secret: string, words: string): string {
  return createHmac('sha256', secret).update(words).digest('hex').slice(0, 40);
}

/** In the same time whether and wherever they differ. */
export function sameText(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
}

export interface BodySignature {
  add: (chunk: Uint8Array) => void;
  /** True when one of the signs in the header fits what was added. */
  fits: () => boolean;
}

/** A vendor that changes its secret signs with both for a while. */
const mostSigns = 4;

/** Reads `t=<seconds>,v0=<hex>[,v0=…]`; undefined when it is malformed or too old. */
export function openSignature(
  header: string,
  secret: string,
  now_s: number,
  tolerance_s: number,
): BodySignature | undefined {
  const fields = header.split(',').map((field) => field.trim().split('=', 2));
  const time = fields.find(([name]) => name === 't')?.[1];
  const signs = fields.flatMap(([name, value]) => (name === 'v0' && value ? [value] : []));
  if (time === undefined || !/^\d{1,12}$/.test(time)) return undefined;
  if (signs.length === 0 || signs.length > mostSigns) return undefined;
  if (!signs.every((sign) => /^[0-9a-f]{64}$/i.test(sign))) return undefined;
  if (Math.abs(now_s - Number(time)) > tolerance_s) return undefined;
  const hmac = createHmac('sha256', secret).update(`${time}.`);
  return {
    add: (chunk) => void hmac.update(chunk),
    fits: () => {
      const digest = hmac.digest('hex');
      return signs.some((sign) => sameText(sign.toLowerCase(), digest));
    },
  };
}
