// Applications that ask people for access (RFC 7591). The id of an application contains its
// registration, signed. Registering stores nothing, so registrations cannot fill the store.
import { GatewayError, OAuthClientRequest } from '@trivium/contract';
import { z } from 'zod';
import { keyedDigest, sha256Hex } from '../platform/ids.ts';
import { sameText } from '../platform/signatures.ts';
import { isRedirectUri } from './core/redirect-uri.ts';

const maxNameChars = 80;
/** The id is part of addresses, so its length is limited. */
const maxIdChars = 4000;
const prefix = 'mcpc_';

const addresses = OAuthClientRequest.shape.redirect_uris;

export const ClientMetadata = OAuthClientRequest.extend({
  redirect_uris: addresses.superRefine((uris, context) => {
    for (const [at, uri] of uris.entries()) {
      if (!isRedirectUri(uri)) context.addIssue({ code: 'custom', path: [at], message: wrongUri });
    }
  }),
});

const wrongUri =
  "Must be https, http on the user's own machine, or the private scheme of an application.";

const Signed = z.object({ u: z.array(z.string()), n: z.string() });

export interface OAuthClient {
  /** Stored with codes and grants instead of the long id. */
  digest: string;
  name: string;
  redirect_uris: readonly string[];
}

export function registerClient(secret: string, given: z.output<typeof ClientMetadata>) {
  const { redirect_uris: uris } = given;
  const name = readableName(given.client_name ?? '') || hostOf(uris[0] ?? '');
  const payload = Buffer.from(JSON.stringify({ u: uris, n: name })).toString('base64url');
  const id = `${prefix}${payload}.${signatureOf(secret, payload)}`;
  if (id.length > maxIdChars) {
    throw new GatewayError('invalid_request', 'The redirect_uris are too long in total.');
  }
  return { id, name, redirect_uris: uris };
}

/** Undefined if this gateway did not register it. */
export function readClient(secret: string, id: string): OAuthClient | undefined {
  const [, payload, signature] = /^mcpc_([\w-]+)\.([\w-]+)$/.exec(id) ?? [];
  if (payload === undefined || signature === undefined || id.length > maxIdChars) return undefined;
  const expected = signatureOf(secret, payload);
  if (!sameText(signature, expected)) return undefined;
  const { u, n } = Signed.parse(JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')));
  return { digest: sha256Hex(id), name: n, redirect_uris: u };
}

function signatureOf(secret: string, payload: string): string {
  return keyedDigest(secret, `oauth client ${payload}`);
}

/** One line without invisible characters, which could imitate another name. */
function readableName(name: string): string {
  return name
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, maxNameChars)
    .trim();
}

/** Where the person is sent back to: a host, or the scheme of an installed application. */
export function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri);
  return /^https?:$/.test(protocol) ? host : protocol;
}
