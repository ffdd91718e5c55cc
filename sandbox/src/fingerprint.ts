// Deterministic values that look random, so that the same call returns the same bytes.

/** Hex digits derived from the parts. */
export function fingerprint(length: number, ...parts: string[]): string {
  return new Bun.CryptoHasher('sha256').update(parts.join('\u0000')).digest('hex').slice(0, length);
}

/** A number from 0 up to, but not including, 1, derived from the parts. */
export function share(...parts: string[]): number {
  return Number.parseInt(fingerprint(8, ...parts), 16) / 2 ** 32;
}

/** The fingerprint in the eight-four-four-four-twelve form that many vendors use for ids. */
export function fingerprintUuid(...parts: string[]): string {
  const hex = fingerprint(32, ...parts);
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
