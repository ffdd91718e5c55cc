// Explains why there was no response. Runtimes report the same failure in different places: Node in
// the cause of the error, Bun in its code, Deno only in the text.

export type ConnectionFailure =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'timed_out'
  | 'unreachable'
  | 'closed'
  | 'not_http'
  | 'unknown';

const kinds: readonly (readonly [ConnectionFailure, RegExp, words: string])[] = [
  ['refused', /ECONNREFUSED|connection refused/i, 'nothing accepts connections there'],
  ['dns', /ENOTFOUND|EAI_AGAIN|EAI_NODATA|EAI_NONAME|dns error/i, 'the host name is unknown (DNS)'],
  [
    'tls',
    /CERT|SSL|EPROTO|\bTLS\b|peer certificate|InvalidContentType/i,
    'the secure connection failed (TLS); the certificate is not trusted, or the address ' +
      'should begin with http',
  ],
  ['timed_out', /TIMEDOUT|TIMEOUT|timed out/i, 'the connection timed out'],
  [
    'unreachable',
    /EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|unreachable/i,
    'there is no network route to it',
  ],
  [
    'not_http',
    /HPE_|invalid HTTP|bad port|Requests to port/i,
    'the server there does not speak HTTP, or the address should begin with https',
  ],
  [
    'closed',
    /ECONNRESET|EPIPE|UND_ERR_SOCKET|closed|reset by peer|reading a body/i,
    'the connection was closed before the response was complete',
  ],
];

export function explainConnection(error: unknown): { failure: ConnectionFailure; words: string } {
  const text = reportOf(error);
  for (const [failure, pattern, words] of kinds) if (pattern.test(text)) return { failure, words };
  const message = error instanceof Error ? error.message : String(error);
  return { failure: 'unknown', words: message.slice(0, maxShownChars) };
}

const maxDepth = 5;
const maxShownChars = 200;

/** Codes and messages of the error and its causes. */
function reportOf(error: unknown, depth = 0): string {
  if (!(error instanceof Error) || depth === maxDepth) return '';
  const { code, errors } = error as { code?: unknown; errors?: unknown };
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined;
  const own = `${typeof code === 'string' ? code : ''} ${error.message.slice(0, maxReportChars)}`;
  return [own, reportOf(error.cause, depth + 1), reportOf(first, depth + 1)].join(' ');
}

const maxReportChars = 1000;
