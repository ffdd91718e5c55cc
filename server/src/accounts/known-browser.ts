// A signed cookie that marks a browser in which a person has signed in with a password, so that
// wrong guesses from elsewhere cannot lock that person out.
import { keyedDigest, newId } from '../platform/ids.ts';
import { sameText } from '../platform/signatures.ts';

interface KnownBrowsers {
  /** The browser's id, if its cookie is valid for this person. */
  idFor: (email: string, cookies: string | null) => string | undefined;
  /** The Set-Cookie header that marks the browser. */
  cookieFor: (email: string, id: string | undefined) => string;
}

const maxAgeS = 400 * 86_400;

export function makeKnownBrowsers(secret: string, secure: boolean): KnownBrowsers {
  const name = `${secure ? '__Secure-' : ''}trivium.browser`;
  const proofOf = (email: string, id: string) =>
    keyedDigest(secret, JSON.stringify(['known browser', id, email]));
  return {
    idFor: (email, cookies) => {
      const value = cookieIn(cookies, name) ?? '';
      const [, id, proof] = /^(brw_[0-9a-f]{32})\.([\w-]{43})$/.exec(value) ?? [];
      if (id === undefined || proof === undefined) return undefined;
      return sameText(proof, proofOf(email, id)) ? id : undefined;
    },
    cookieFor: (email, id = newId('brw')) =>
      `${name}=${id}.${proofOf(email, id)}; Max-Age=${maxAgeS}; Path=/auth; HttpOnly; ` +
      `SameSite=Lax${secure ? '; Secure' : ''}`,
  };
}

function cookieIn(cookies: string | null, name: string): string | undefined {
  const found = cookies?.split(';').find((part) => part.trim().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1);
}
