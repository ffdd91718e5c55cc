// The options that set the policy of an account or of a key, and the policy that they set.
import { contentModes, noPolicy, providerIds, toolNames } from '@trivium/contract';
import type { ContentMode, PolicyChange } from '@trivium/contract';
import { UsageError } from './command.ts';
import type { Options, ParsedArguments } from './command.ts';
import { providerOption } from './provider-option.ts';

const domain = { type: 'string', value: 'domain', multiple: true } as const;
const count = { type: 'string', value: 'count' } as const;

export const policyOptions = {
  provider: providerOption('only this provider; may be repeated', providerIds),
  tool: {
    type: 'string',
    multiple: true,
    choices: toolNames,
    describe: 'only this tool; may be repeated',
  },
  'blocked-domain': {
    ...domain,
    describe: 'no pages from this domain and its subdomains; may be repeated',
  },
  'allowed-domain': {
    ...domain,
    describe: 'only pages from this domain and its subdomains; may be repeated',
  },
  'requests-per-minute': { ...count, describe: 'requests per minute' },
  'requests-at-once': { ...count, describe: 'requests in progress' },
  'max-cost': { type: 'string', value: 'usd', describe: 'the maximum cost of one request' },
  'max-audio-minutes': {
    type: 'string',
    value: 'minutes',
    describe: 'the length to assume for a recording of unknown length',
  },
  overdraft: {
    type: 'string',
    value: 'usd',
    describe: 'how far below zero open transcriptions may take the balance',
  },
  'max-stored-mb': {
    type: 'string',
    value: 'mib',
    describe: 'how much the account may store: uploads, transcripts, stored answers, tags',
  },
  'keep-query-hours': {
    type: 'string',
    value: 'hours',
    describe: 'how long the text of queries is kept',
  },
  content: {
    type: 'string',
    choices: contentModes,
    describe: 'what to do with suspicious text from the web',
  },
  remove: {
    type: 'string',
    value: 'field',
    multiple: true,
    choices: Object.keys(noPolicy),
    describe: 'remove this limit of the policy; may be repeated',
  },
} as const satisfies Options;

/** Only the given options; the gateway checks the values. */
export function policyOf(given: ParsedArguments): PolicyChange {
  const set = {
    providers: given.texts('provider'),
    tools: given.texts('tool'),
    blocked_domains: given.texts('blocked-domain'),
    allowed_domains: given.texts('allowed-domain'),
    requests_per_minute: given.number('requests-per-minute'),
    requests_at_once: given.number('requests-at-once'),
    max_cost_usd: given.number('max-cost'),
    max_audio_minutes: given.number('max-audio-minutes'),
    overdraft_usd: given.number('overdraft'),
    max_stored_mb: given.number('max-stored-mb'),
    keep_query_hours: given.number('keep-query-hours'),
    content: given.text('content') as ContentMode | undefined,
  };
  const fields = Object.entries(set).filter(([, value]) => value !== undefined);
  const removed = given.texts('remove') ?? [];
  const both = removed.find((name) => fields.some(([field]) => field === name));
  if (both !== undefined)
    throw new UsageError(`${both} cannot be set and removed at the same time.`);
  return Object.fromEntries([...fields, ...removed.map((name) => [name, null] as const)]);
}
