// Authentication: who may call the API, and what other callers receive.
import type { Requirement } from '../requirement.ts';

export const authentication = [
  { id: 'authentication.every-endpoint', says: 'Each of the four endpoints requires a key.' },
  {
    id: 'authentication.bearer-header',
    says: 'The key is sent in the Authorization header as a bearer token.',
  },
  { id: 'authentication.key-prefix', says: 'Keys of a live gateway start with sk_live_.' },
  { id: 'authentication.missing-key', says: 'A request without a key gives a 401.' },
  {
    id: 'authentication.invalid-key',
    says: 'A request with a key that we did not issue gives a 401.',
  },
  { id: 'authentication.envelope', says: 'A 401 has the error envelope.' },
  {
    id: 'authentication.issued-from-dashboard',
    says: 'The dashboard issues keys that work.',
  },
] as const satisfies readonly Requirement[];
