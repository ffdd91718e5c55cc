// The address of an upload. It is unguessable, because the gateway signs it, and valid for a
// limited time. A caller sends it back as `audio_url`, and a provider may fetch the recording from
// it.
import { sameText, signWords } from '../platform/signatures.ts';
import type { UploadContext } from './context.ts';

export const filesPath = '/files';

type UrlContext = Pick<UploadContext, 'secret' | 'settings' | 'ownUrl'>;

export function audioUrl(context: UrlContext, id: string, expiresAt: number): string {
  const base = context.settings.public_url ?? context.ownUrl();
  return `${base}${filesPath}/${tokenOf(context.secret, id, expiresAt)}`;
}

/** The id in the token of an address. Undefined unless the gateway signed it. */
export function readToken(
  secret: string,
  token: string,
): { id: string; expiresAt: number } | undefined {
  const [, id, expiresAt, sign] =
    /^(upl_[0-9a-f]{32})\.(\d{1,15})\.([0-9a-f]{40})$/.exec(token) ?? [];
  if (id === undefined || expiresAt === undefined || sign === undefined) return undefined;
  const expected = signWords(secret, `upload ${id}.${expiresAt}`);
  return sameText(sign, expected) ? { id, expiresAt: Number(expiresAt) } : undefined;
}

/**
 * The id of the upload at this address. Any host is accepted: the public address of a gateway can
 * change, and only the gateway can have signed the token.
 */
export function uploadAt(secret: string, url: string): string | undefined {
  const [, token] = /^https?:\/\/[^?#]*\/files\/([^/?#]+)$/.exec(url) ?? [];
  return token === undefined ? undefined : readToken(secret, token)?.id;
}

/** True for any address below that of uploads, whether it is valid or not. */
export function isFilesUrl(context: UrlContext, url: string): boolean {
  const bases = [context.settings.public_url, context.ownUrl()];
  return bases.some((base) => base !== undefined && url.startsWith(`${base}${filesPath}/`));
}

function tokenOf(secret: string, id: string, expiresAt: number): string {
  return `${id}.${expiresAt}.${signWords(secret, `upload ${id}.${expiresAt}`)}`;
}
