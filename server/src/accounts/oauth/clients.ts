// Applications that ask people for access (RFC 7591). The id of an application contains its
// registration, signed. Registering stores nothing, so registrations cannot fill the store.
import {
  GatewayError,
  issuesOf,
  type OAuthClientInformation,
  OAuthClientRequest,
} from '@trivium/contract';
import { z } from 'zod';
import { keyedDigest, sameText, sha256Hex } from '../../platform/ids.ts';

const maxNameChars = 80;
/** The id is part of addresses, so its length is limited. */
const maxIdChars = 4000;
const prefix = 'mcpc_';

const addresses = OAuthClientRequest.shape.redirect_uris;

const ClientMetadata = OAuthClientRequest.extend({
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

/** The registration that an application asks for, as it is answered. */
export function registerClient(secret: string, body: unknown): OAuthClientInformation {
  const read = ClientMetadata.safeParse(body);
  if (!read.success) {
    const { path = '', message = '' } = issuesOf(read.error)[0] ?? {};
    const isUri = path.startsWith('redirect_uris');
    const code = isUri ? 'invalid_redirect_uri' : 'invalid_client_metadata';
    throw new OAuthError(code, `${path}: ${message}`);
  }
  const { redirect_uris: uris, client_name = '' } = read.data;
  // One line without invisible characters, which could imitate another name.
  const readable = client_name
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .trim()
    .slice(0, maxNameChars);
  const name = readable.trim() || hostOf(uris[0] ?? '');
  const payload = Buffer.from(JSON.stringify({ u: uris, n: name })).toString('base64url');
  const id = `${prefix}${payload}.${signatureOf(secret, payload)}`;
  if (id.length > maxIdChars) {
    throw new GatewayError('invalid_request', 'The redirect_uris are too long in total.');
  }
  return {
    client_id: id,
    client_name: name,
    redirect_uris: uris,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: oauthScope,
  };
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

/** Where the person is sent back to: a host, or the scheme of an installed application. */
export function hostOf(uri: string): string {
  const { host, protocol } = new URL(uri);
  return /^https?:$/.test(protocol) ? host : protocol;
}

/** Schemes that a browser or the operating system runs, opens or sends on its own. */
const refusedSchemes = new Set([
  ...[
    'javascript',
    'vbscript',
    'livescript',
    'mocha',
    'data',
    'blob',
    'about',
    'file',
    'filesystem',
  ],
  ...['view-source', 'wyciwyg', 'jar', 'resource', 'res', 'mk', 'mhtml', 'hcp', 'help', 'shell'],
  ...['ftp', 'sftp', 'ssh', 'telnet', 'smb', 'nfs', 'ldap', 'ldaps', 'gopher', 'dav', 'ws', 'wss'],
  ...['mailto', 'tel', 'sms', 'callto', 'facetime', 'sip', 'sips', 'xmpp', 'irc', 'news', 'nntp'],
  ...['intent', 'market', 'steam', 'magnet', 'feed', 'webcal', 'cid', 'mid', 'http+unix'],
]);
/** Families of such schemes, used by Windows, browsers, app stores and Android. */
const refusedFamilies =
  /^(?:ms-|search|itms|x-apple|android|moz-|chrome|edge|opera|brave|safari|web\+)|-extension$/;

const loopback = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?:[/?]|$)/;

export function isRedirectUri(text: string): boolean {
  const url = /^[\x21-\x7e]+$/.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || text.includes('#') || text.includes('\\')) return false;
  if (url.username !== '' || url.password !== '') return false;
  const scheme = url.protocol.slice(0, -1);
  // Must be spelled in full: `https:evil.example` would be read as `https://evil.example`.
  if (scheme === 'https') return /^https:\/\/[^/]/i.test(text);
  if (scheme === 'http') return loopback.test(text);
  if (refusedSchemes.has(scheme) || refusedFamilies.test(scheme)) return false;
  return text.startsWith(`${scheme}:/`);
}

/**
 * The address must match exactly, except that a program on the person's own machine may choose its
 * port at each start.
 */
export function isRegistered(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true;
  if (!isRedirectUri(asked) || !loopback.test(asked)) return false;
  return registered.some((one) => withoutPort(one) === withoutPort(asked));
}

function withoutPort(text: string): string {
  const url = new URL(text);
  url.port = '';
  return url.href;
}

export const oauthScope = 'mcp';

/** An error in the OAuth format (RFC 6749, section 5.2), which programs read. */
type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_target'
  | 'invalid_redirect_uri'
  | 'invalid_client_metadata'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'access_denied';

export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;

  constructor(code: OAuthErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
