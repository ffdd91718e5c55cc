// What the environment decides, and how the gateway starts and stops.
export const settings = {
  'settings.port-and-host': 'The gateway listens on PORT and HOST.',
  'settings.data-dir': 'The embedded store is in TRIVIUM_DATA_DIR.',
  'settings.data-dir.one-process':
    'A data directory serves one process; a second process reports this and exits with 1.',
  'settings.data-dir.unusable':
    'A data directory that cannot be used ends the start with one sentence.',
  'settings.port-in-use': 'A port that is taken ends the start with one sentence.',
  'settings.database-url': 'With DATABASE_URL the gateway runs on PostgreSQL.',
  'settings.database-url.shared': 'Several gateways may share one PostgreSQL database.',
  'settings.database-url.needs-secret':
    'With DATABASE_URL a missing TRIVIUM_SECRET is reported as an error.',
  'settings.secret.made-once':
    'Without DATABASE_URL a secret is generated at the first start and kept.',
  'settings.sandbox.auto': 'Without any credential all providers run on the built-in sandbox.',
  'settings.sandbox.auto-with-credential': 'With a credential the built-in sandbox is disabled.',
  'settings.sandbox.on': 'TRIVIUM_SANDBOX=on runs the sandbox regardless of credentials.',
  'settings.sandbox.off': 'TRIVIUM_SANDBOX=off leaves providers without credentials unconfigured.',
  'settings.bootstrap-key': 'TRIVIUM_BOOTSTRAP_KEY is a working key from the start.',
  'settings.first-key':
    'Without it the first start creates and prints a key, and no later start does.',
  'settings.bootstrap-balance': 'The opening balance is 10 USD in the sandbox and 0 otherwise.',
  'settings.bootstrap-balance.first-start-only':
    'The opening balance is given at the first start only.',
  'settings.public-url': 'Callbacks use TRIVIUM_PUBLIC_URL.',
  'settings.log-level': 'LOG_LEVEL decides how much is logged.',
  'settings.credential.engine-a': 'EXA_API_KEY configures engine_a, and the key is sent to it.',
  'settings.credentials.all':
    "Every provider is configured by the variable its vendor's tools use.",
  'settings.credentials.brave-either': 'engine_d accepts either of its two variables.',
  'settings.credentials.firecrawl-self-hosted':
    'engine_f needs no credential when an address is set.',
  'settings.reader':
    'With TRIVIUM_READER=on the sandbox reads real pages for engine_f, public ones only.',
  'settings.base-address.engine-a': 'EXA_BASE_URL replaces the address of engine_a.',
  'settings.base-address.all':
    'Every provider has a variable that replaces its address, including the path.',
  'settings.dot-env': 'A .env file is read too.',
  'settings.faults-at-once':
    'All errors in the settings are reported together, each with its variable.',
  'start.prints-address': 'The start prints the address it listens on.',
  'start.prints-curl': 'The start prints a curl command for a first request.',
  'stop.drains': 'SIGTERM lets requests in flight finish and then ends with 0.',
  'stop.kill-keeps-keys': 'After a kill -9 the keys still work.',
} as const;
