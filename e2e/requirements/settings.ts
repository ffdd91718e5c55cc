// What the environment decides, and how the gateway starts and stops.
import type { Requirement } from '../requirement.ts';

export const settings = [
  { id: 'settings.port-and-host', says: 'The gateway listens on PORT and HOST.' },
  { id: 'settings.data-dir', says: 'The embedded store is in TRIVIUM_DATA_DIR.' },
  {
    id: 'settings.data-dir.one-process',
    says: 'A data directory serves one process; a second process reports this and exits with 1.',
  },
  {
    id: 'settings.data-dir.unusable',
    says: 'A data directory that cannot be used ends the start with one sentence.',
  },
  { id: 'settings.port-in-use', says: 'A port that is taken ends the start with one sentence.' },
  { id: 'settings.database-url', says: 'With DATABASE_URL the gateway runs on PostgreSQL.' },
  {
    id: 'settings.database-url.shared',
    says: 'Several gateways may share one PostgreSQL database.',
  },
  {
    id: 'settings.database-url.needs-secret',
    says: 'With DATABASE_URL a missing TRIVIUM_SECRET is reported as an error.',
  },
  {
    id: 'settings.secret.made-once',
    says: 'Without DATABASE_URL a secret is generated at the first start and kept.',
  },
  {
    id: 'settings.sandbox.auto',
    says: 'Without any credential all providers run on the built-in sandbox.',
  },
  {
    id: 'settings.sandbox.auto-with-credential',
    says: 'With a credential the built-in sandbox is disabled.',
  },
  {
    id: 'settings.sandbox.on',
    says: 'TRIVIUM_SANDBOX=on runs the sandbox regardless of credentials.',
  },
  {
    id: 'settings.sandbox.off',
    says: 'TRIVIUM_SANDBOX=off leaves providers without credentials unconfigured.',
  },
  { id: 'settings.bootstrap-key', says: 'TRIVIUM_BOOTSTRAP_KEY is a working key from the start.' },
  {
    id: 'settings.first-key',
    says: 'Without it the first start creates and prints a key, and no later start does.',
  },
  {
    id: 'settings.bootstrap-balance',
    says: 'The opening balance is 10 USD in the sandbox and 0 otherwise.',
  },
  {
    id: 'settings.bootstrap-balance.first-start-only',
    says: 'The opening balance is given at the first start only.',
  },
  {
    id: 'settings.public-url',
    says: 'Callbacks use TRIVIUM_PUBLIC_URL.',
  },
  {
    id: 'settings.log-level',
    says: 'LOG_LEVEL decides how much is logged.',
  },
  {
    id: 'settings.credential.engine-a',
    says: 'EXA_API_KEY configures engine_a, and the key is sent to it.',
  },
  {
    id: 'settings.credentials.all',
    says: "Every provider is configured by the variable its vendor's tools use.",
  },
  {
    id: 'settings.credentials.brave-either',
    says: 'engine_d accepts either of its two variables.',
  },
  {
    id: 'settings.credentials.firecrawl-self-hosted',
    says: 'engine_f needs no credential when an address is set.',
  },
  {
    id: 'settings.reader',
    says: 'With TRIVIUM_READER=on the sandbox reads real pages for engine_f, public ones only.',
  },
  {
    id: 'settings.base-address.engine-a',
    says: 'EXA_BASE_URL replaces the address of engine_a.',
  },
  {
    id: 'settings.base-address.all',
    says: 'Every provider has a variable that replaces its address, including the path.',
  },
  { id: 'settings.dot-env', says: 'A .env file is read too.' },
  {
    id: 'settings.faults-at-once',
    says: 'All errors in the settings are reported together, each with its variable.',
  },
  { id: 'start.prints-address', says: 'The start prints the address it listens on.' },
  { id: 'start.prints-curl', says: 'The start prints a curl command for a first request.' },
  { id: 'stop.drains', says: 'SIGTERM lets requests in flight finish and then ends with 0.' },
  { id: 'stop.kill-keeps-keys', says: 'After a kill -9 the keys still work.' },
] as const satisfies readonly Requirement[];
