// The options that set the policy of an account or of a key, and the policy that they set.
import { contentModes, noPolicy, providerIds, toolNames } from '@trivium/contract';
import type { PolicyChange } from '@trivium/contract';
import { UsageError } from './command.ts';
import type { ParsedArguments } from './command.ts';
import { choiceOption, fieldsOf, numberOption, textOption } from './options.ts';
import { providerOption } from './options.ts';

const limits = {
  provider: providerOption('only this provider; may be repeated', providerIds, {
    field: 'providers',
    multiple: true,
  }),
  tool: choiceOption('only this tool; may be repeated', toolNames, {
    field: 'tools',
    multiple: true,
  }),
  'blocked-domain': textOption(
    'domain',
    'no pages from this domain and its subdomains; may be repeated',
    { field: 'blocked_domains', multiple: true },
  ),
  'allowed-domain': textOption(
    'domain',
    'only pages from this domain and its subdomains; may be repeated',
    { field: 'allowed_domains', multiple: true },
  ),
  'requests-per-minute': numberOption('count', 'requests per minute'),
  'requests-at-once': numberOption('count', 'requests in progress'),
  'max-cost': numberOption('usd', 'the maximum cost of one request', { field: 'max_cost_usd' }),
  'max-audio-minutes': numberOption(
    'minutes',
    'the length to assume for a recording of unknown length',
  ),
  overdraft: numberOption('usd', 'how far below zero open transcriptions may take the balance', {
    field: 'overdraft_usd',
  }),
  'max-stored-mb': numberOption(
    'mib',
    'how much the account may store: uploads, transcripts, stored answers, tags',
  ),
  'keep-query-hours': numberOption('hours', 'how long the text of queries is kept'),
  content: choiceOption('what to do with suspicious text from the web', contentModes),
};

export const policyOptions = {
  ...limits,
  remove: choiceOption('remove this limit of the policy; may be repeated', Object.keys(noPolicy), {
    multiple: true,
    value: 'field',
  }),
};

/** Only the given options. */
export function policyOf(given: ParsedArguments): PolicyChange {
  const fields = fieldsOf(given, limits);
  const removed = given.texts('remove') ?? [];
  const both = removed.find((name) => Object.hasOwn(fields, name));
  if (both !== undefined)
    throw new UsageError(`${both} cannot be set and removed at the same time.`);
  return { ...fields, ...Object.fromEntries(removed.map((name) => [name, null])) };
}
