// Examples of settings and of the records of providers.
import { version } from '../version.ts';
import type {
  ProviderCheck,
  ProviderHourList,
  ProviderRecordList,
  SettingsView,
} from '../index.ts';

export const providerRecords: ProviderRecordList = {
  records: [{ id: 'engine_a', requests: 1204, failures: 3, p50_ms: 210, p95_ms: 640 }],
};

export const providerHours: ProviderHourList = {
  provider: 'engine_a',
  hours: [{ at: '2026-11-15T12:00:00.000Z', served: 1201, failed: 3, mean_ms: 231 }],
};

export const providerCheck: ProviderCheck = {
  provider: 'engine_a',
  ok: true,
  latency_ms: 212,
  message: 'The provider answered as expected.',
};

export const settings: SettingsView = {
  version,
  mode: 'live',
  store: 'sqlite',
  settings: [
    { name: 'PORT', value: '8787', is_set: false, is_secret: false, provider: null },
    { name: 'EXA_API_KEY', value: null, is_set: true, is_secret: true, provider: 'engine_a' },
  ],
};
