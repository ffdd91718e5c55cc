// Features beyond the interface, and settings.
export const operation = {
  // What the gateway offers beyond the interface: agents by OAuth, uploads, policies, estimates, the
  // audit log, webhooks and the cache.
  'oauth.grant-is-a-key':
    'An agent that a person authorizes is listed as a key of the account, without its token.',
  'oauth.revocation': 'Revoking that key ends the access of the agent.',
  'oauth.refresh':
    'A refresh replaces both tokens; a replaced refresh token is refused after its retry.',
  'oauth.code-once':
    'An authorization code works once; a second use revokes the access that the first one gave.',
  'oauth.tools-only': 'A token of an agent is valid for /mcp and no other address.',
  'oauth.redirects':
    'A request with an unregistered address or application redirects the browser nowhere.',
  'uploads.answer': 'An upload returns its id, address, size, length and expiry.',
  'uploads.bytes-to-provider':
    'A provider that cannot fetch an upload receives its bytes with the request.',
  'uploads.deleted-after-last-job':
    'An upload is deleted when the last job that uses it has ended.',
  'uploads.account-only': 'Only its own account reads or deletes an upload.',
  'policies.blocked-results':
    'Results of blocked domains are removed, and a warning says how many.',
  'policies.account-and-key': 'The policies of account and key both apply.',
  'policies.blocked-pages-free':
    'Blocked pages are listed as failed, are not sent to a provider, and cost nothing.',
  'policies.providers': 'auto chooses among the allowed providers; naming another one is refused.',
  'policies.tools': 'A tool that the policy does not allow is refused.',
  'policies.max-cost': 'A request that may cost more than max_cost_usd is refused.',
  'estimates.free': 'An estimate charges and holds nothing.',
  'estimates.maximum': 'A request is accepted at the estimated maximum, and never costs more.',
  'estimates.transcription-hour': 'The estimate of a transcription names the price of an hour.',
  'estimates.validation': 'An estimate of an invalid request names the field.',
  'estimates.authentication': 'An estimate needs a key.',
  'audit-log.every-change':
    'Every route that changes something writes one entry with its author and address.',
  'audit-log.before-and-after': 'An entry has the changed fields before and after the change.',
  'audit-log.no-change-no-entry': 'A request that is refused or changes nothing writes no entry.',
  'audit-log.no-secrets': 'No entry contains a key, a token or a password.',
  'audit-log.export': 'The export has the same entries as the list.',
  'audit-log.member': 'A member reads only the entries of their own account.',
  'webhooks.signed': 'Every delivery is signed as the Standard Webhooks specification says.',
  'webhooks.once': 'A repeated request with one idempotency key sends one delivery.',
  'webhooks.rotation':
    'After a rotation, deliveries are signed with both secrets during the overlap.',
  'webhooks.paused': 'A paused endpoint receives its events in order after it resumes.',
  'webhooks.retried': 'A delivery that fails is scheduled again, later.',
  'cache.free': 'A cached answer is free, and has the same results byte for byte.',
  'cache.only-on-request':
    'Without the header x-trivium-cache nothing is read from or written to the cache.',
  'cache.account-only': 'An account never receives the cached answers of another.',
  'cache.no-balance': 'A cached answer needs no balance.',
  'cache.single-flight': 'Equal requests at the same time call the provider once per gateway.',
  // What the environment decides, and how the gateway starts and stops.
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
