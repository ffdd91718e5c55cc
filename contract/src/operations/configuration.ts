// The settings of the gateway and its providers.
import * as examples from '../examples/configuration.ts';
import * as schemas from '../index.ts';
import type { Operations } from './operation.ts';

export const configuration = {
  'GET /admin/v1/settings': {
    id: 'readSettings',
    verb: 'settings',
    summary: 'Read the settings that apply',
    description: 'Returns every setting that this gateway was started with. Secrets are hidden.',
    unlimited: true,
    answer: [schemas.SettingsView, { usual: examples.settings }],
  },
  'GET /admin/v1/provider-records': {
    id: 'readProviderRecords',
    resource: 'providers',
    verb: 'records',
    summary: 'Read the recent latency and failures of each provider',
    description: 'Returns the latency and failures of the latest requests, by provider.',
    answer: [schemas.ProviderRecordList, { usual: examples.providerRecords }],
  },
  'GET /admin/v1/providers/:id/hours': {
    id: 'readProviderHours',
    resource: 'providers',
    verb: 'hours',
    summary: 'Read how often and how fast a provider answered, by hour',
    description: 'Returns the hours of the last 30 days in which requests reached the provider.',
    answer: [schemas.ProviderHourList, { usual: examples.providerHours }],
  },
  'POST /admin/v1/providers/:id/check': {
    id: 'checkProvider',
    resource: 'providers',
    verb: 'check',
    summary: 'Make one real, inexpensive call to a provider',
    description: 'Calls the provider once with its configured credential, and reports the result.',
    answer: [schemas.ProviderCheck, { usual: examples.providerCheck }],
    refuses: [501, 503],
  },
} as const satisfies Operations;
