// Authentication: who may call the API, and what other callers receive.
export const authentication = {
  'authentication.every-endpoint': 'Each of the four endpoints requires a key.',
  'authentication.bearer-header': 'The key is sent in the Authorization header as a bearer token.',
  'authentication.key-prefix': 'Keys of a live gateway start with sk_live_.',
  'authentication.missing-key': 'A request without a key gives a 401.',
  'authentication.invalid-key': 'A request with a key that we did not issue gives a 401.',
  'authentication.envelope': 'A 401 has the error envelope.',
  'authentication.issued-from-dashboard': 'The dashboard issues keys that work.',
} as const;
