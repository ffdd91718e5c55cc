// What the gateway offers beyond the interface: agents by OAuth, uploads, policies, estimates, the
// audit log, webhooks and the cache.
import type { Requirement } from '../requirement.ts';

export const features = [
  {
    id: 'oauth.grant-is-a-key',
    says: 'An agent that a person authorizes is listed as a key of the account, without its token.',
  },
  { id: 'oauth.revocation', says: 'Revoking that key ends the access of the agent.' },
  {
    id: 'oauth.refresh',
    says: 'A refresh replaces both tokens; a replaced refresh token is refused after its retry.',
  },
  {
    id: 'oauth.code-once',
    says: 'An authorization code works once; a second use revokes the access that the first one gave.',
  },
  { id: 'oauth.tools-only', says: 'A token of an agent is valid for /mcp and no other address.' },
  {
    id: 'oauth.redirects',
    says: 'A request with an unregistered address or application redirects the browser nowhere.',
  },
  {
    id: 'uploads.answer',
    says: 'An upload returns its id, address, size, length and expiry.',
  },
  {
    id: 'uploads.bytes-to-provider',
    says: 'A provider that cannot fetch an upload receives its bytes with the request.',
  },
  {
    id: 'uploads.deleted-after-last-job',
    says: 'An upload is deleted when the last job that uses it has ended.',
  },
  { id: 'uploads.account-only', says: 'Only its own account reads or deletes an upload.' },
  {
    id: 'policies.blocked-results',
    says: 'Results of blocked domains are removed, and a warning says how many.',
  },
  { id: 'policies.account-and-key', says: 'The policies of account and key both apply.' },
  {
    id: 'policies.blocked-pages-free',
    says: 'Blocked pages are listed as failed, are not sent to a provider, and cost nothing.',
  },
  {
    id: 'policies.providers',
    says: 'auto chooses among the allowed providers; naming another one is refused.',
  },
  { id: 'policies.tools', says: 'A tool that the policy does not allow is refused.' },
  {
    id: 'policies.max-cost',
    says: 'A request that may cost more than max_cost_usd is refused.',
  },
  { id: 'estimates.free', says: 'An estimate charges and holds nothing.' },
  {
    id: 'estimates.maximum',
    says: 'A request is accepted at the estimated maximum, and never costs more.',
  },
  {
    id: 'estimates.transcription-hour',
    says: 'The estimate of a transcription names the price of an hour.',
  },
  { id: 'estimates.validation', says: 'An estimate of an invalid request names the field.' },
  { id: 'estimates.authentication', says: 'An estimate needs a key.' },
  {
    id: 'audit-log.every-change',
    says: 'Every route that changes something writes one entry with its author and address.',
  },
  {
    id: 'audit-log.before-and-after',
    says: 'An entry has the changed fields before and after the change.',
  },
  {
    id: 'audit-log.no-change-no-entry',
    says: 'A request that is refused or changes nothing writes no entry.',
  },
  { id: 'audit-log.no-secrets', says: 'No entry contains a key, a token or a password.' },
  { id: 'audit-log.export', says: 'The export has the same entries as the list.' },
  {
    id: 'audit-log.member',
    says: 'A member reads only the entries of their own account.',
  },
  {
    id: 'webhooks.signed',
    says: 'Every delivery is signed as the Standard Webhooks specification says.',
  },
  {
    id: 'webhooks.once',
    says: 'A repeated request with one idempotency key sends one delivery.',
  },
  {
    id: 'webhooks.rotation',
    says: 'After a rotation, deliveries are signed with both secrets during the overlap.',
  },
  {
    id: 'webhooks.paused',
    says: 'A paused endpoint receives its events in order after it resumes.',
  },
  { id: 'webhooks.retried', says: 'A delivery that fails is scheduled again, later.' },
  {
    id: 'cache.free',
    says: 'A cached answer is free, and has the same results byte for byte.',
  },
  {
    id: 'cache.only-on-request',
    says: 'Without the header x-trivium-cache nothing is read from or written to the cache.',
  },
  { id: 'cache.account-only', says: 'An account never receives the cached answers of another.' },
  { id: 'cache.no-balance', says: 'A cached answer needs no balance.' },
  {
    id: 'cache.single-flight',
    says: 'Equal requests at the same time call the provider once per gateway.',
  },
] as const satisfies readonly Requirement[];
