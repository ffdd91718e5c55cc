// Text that only the holder of a secret can read: AES-256-GCM with a separate key for each purpose.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import { machine } from './machine.ts';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

interface Seal {
  close: (text: string) => string;
  /** Throws for a text that was not sealed with the same secret and purpose. */
  open: (sealed: string) => string;
}

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
