// The variables of the gateway, each with its schema, default and meaning. A variable that is in no
// group becomes the setting of its name. `npm run generate -- docs` writes docs/settings.md from them.
import {
  extractEngineIds,
  maxAudioMinutes,
  maxCacheSeconds,
  providerIds,
  searchEngineIds,
  transcriberIds,
} from '@trivium/contract';
import { z } from 'zod';
import { longestQueueMs } from '../platform/time-limits.ts';
import { databaseUrl } from './database-url.ts';
import {
  bucketVariables,
  defaultVariables,
  routingVariables,
  shadowVariables,
  signOnVariables,
} from './groups.ts';
import {
  apiKey,
  httpUrl,
  idList,
  oneOf,
  origins,
  port,
  processes,
  proxies,
  publicHttpUrl,
  switchOf,
  usdUpTo,
  wholeBetween,
  wholeOr,
} from './values.ts';

const serving = {
  PORT: wholeOr(0, 65_535, 8787).describe('the port where the gateway listens'),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('the address where it listens; a container needs `0.0.0.0`'),
  TRIVIUM_ADMIN_PORT: port
    .optional()
    .meta({ default: '`PORT`', description: 'a separate port for the admin API' }),
  TRIVIUM_METRICS_PORT: port.optional().meta({
    default: '`PORT`',
    description: 'a separate port for `/metrics`, which then needs no token',
  }),
  TRIVIUM_PUBLIC_URL: publicHttpUrl
    .optional()
    .describe('the URL of the gateway, for callbacks of providers and for the dashboard'),
  TRIVIUM_CORS_ORIGINS: origins
    .default([])
    .describe(
      'comma-separated origins whose pages may call the gateway from a browser, or `*`; see ' +
        '[SDK](sdk.md#in-browsers)',
    ),
  TRIVIUM_TRUSTED_PROXIES: proxies.describe(
    'addresses or networks (`10.0.0.0/8, fd00::/8`) whose `X-Forwarded-For` is trusted; from ' +
      'others it is ignored',
  ),
  TRIVIUM_PROCESSES: processes
    .default(1)
    .describe(
      'how many processes serve one port, or `auto` for one per core; see ' +
        '[Replicas and failover](replicas.md#all-cores-of-one-machine)',
    ),
  TRIVIUM_WATCHDOG: switchOf(['on']).describe(
    '`on`: a supervisor replaces a process that ends or freezes, even if there is only one; see ' +
      '[Replicas and failover](replicas.md#frozen-processes)',
  ),
  TRIVIUM_DRAIN_MS: wholeBetween(0, 60_000)
    .optional()
    .meta({
      default: '`2000`, in the sandbox `0`',
      description:
        'how long a gateway still serves requests after SIGTERM, while `/readyz` answers 503, so ' +
        'that load balancers stop sending them; see [Upgrading](upgrading.md#stops-and-migrations)',
    }),
  TRIVIUM_SANDBOX: oneOf(['auto', 'on', 'off'])
    .default('auto')
    .describe(
      '`auto`: simulate all vendors if no credential is set and there is no live store; `on`: ' +
        'always; `off`: never; see [Store and backups](store.md#store)',
    ),
  TRIVIUM_READER: switchOf(['on']).describe('`on`: the sandbox fetches real pages'),
};

const access = {
  TRIVIUM_SECRET: z.string().min(32, 'must have at least 32 characters').optional().meta({
    default: 'generated at first start',
    description:
      'at least 32 characters; signs callbacks. Required with `DATABASE_URL`, the same on every gateway',
  }),
  TRIVIUM_ADMIN_TOKEN: z
    .string()
    .regex(/^\S{32,}$/, 'must have at least 32 characters, without spaces')
    .optional()
    .meta({
      default: 'generated at first start, printed once',
      description:
        "at least 32 characters: the operator's token; see [Accounts and audit](accounts.md)",
    }),
  TRIVIUM_BOOTSTRAP_KEY: apiKey('must be sk_live_ or sk_test_ and 43 URL-safe base64 characters')
    .optional()
    .describe(
      'an `sk_live_…` or `sk_test_…` value that becomes a key of the default account; a changed ' +
        'value replaces it',
    ),
  TRIVIUM_BOOTSTRAP_BALANCE_USD: usdUpTo(1_000_000).optional().meta({
    default: '`10` in the sandbox, else `0`',
    description: 'the opening balance, at first start only',
  }),
  TRIVIUM_ALLOW_PRIVATE_PAGES: switchOf(['on']).describe(
    '`on`: a provider whose URL you set may fetch pages in private networks',
  ),
  TRIVIUM_ALLOW_PRIVATE_WEBHOOKS: switchOf(['1', '0', 'on']).describe(
    '`1` or `on`: [webhooks](webhooks.md) may go to private networks and over `http`',
  ),
};

const storage = {
  TRIVIUM_DATA_DIR: z
    .string()
    .default('./.trivium')
    .describe(
      'the embedded store and its lock; the sandbox has its own store in the folder `sandbox` below',
    ),
  DATABASE_URL: databaseUrl
    .optional()
    .describe(
      '`postgres://…`: store everything in PostgreSQL instead; several gateways can share it',
    ),
  TRIVIUM_MAX_UPLOAD_MB: wholeOr(1, 5120, 1024).describe(
    'the largest upload in MiB, at most 5120; see [Files](files.md)',
  ),
  TRIVIUM_KEEP_RECORDING_HOURS: wholeOr(0, 168, 0).describe(
    'how long an upload is kept after its last job, for people to play it beside the transcript; `0` ' +
      'deletes it when the job ends',
  ),
  TRIVIUM_MAX_STORED_MB: wholeOr(1, 1_000_000_000, 10_240).describe(
    'how much one account may store, in MiB: uploads, transcripts, stored answers, tags; see ' +
      '[What an account keeps](store.md#what-an-account-keeps)',
  ),
  TRIVIUM_MIN_FREE_DISK_MB: wholeOr(0, 1_000_000, 64).describe(
    'free space on the disk of `TRIVIUM_DATA_DIR` in MiB, below which a gateway on SQLite refuses ' +
      'paid requests; `0` for no limit; see [A full disk](store.md#a-full-disk)',
  ),
};

const choice = {
  TRIVIUM_DISABLED_PROVIDERS: idList(providerIds)
    .default([])
    .transform((ids) => new Set(ids))
    .describe('comma-separated ids of providers to disable (501)'),
  TRIVIUM_AUTO_SEARCH: orderOf(searchEngineIds),
  TRIVIUM_AUTO_EXTRACT: orderOf(extractEngineIds),
  TRIVIUM_AUTO_TRANSCRIPTION: orderOf(transcriberIds),
  TRIVIUM_FAILOVER: oneOf(['on', 'off', 'empty'])
    .default('off')
    .describe(
      '`on`: `auto` tries the next provider when one fails; `empty`: also when one finds nothing; ' +
        'see [Observability](observability.md#limits)',
    ),
  TRIVIUM_COMPAT_PROVIDER: oneOf([...extractEngineIds, 'auto'])
    .default('auto')
    .describe('the provider of the [drop-in addresses](drop-in.md)'),
};

function orderOf<const T extends readonly [string, ...string[]]>(ids: T) {
  return idList(ids)
    .default([...ids])
    .meta({
      default: 'see [Operating](operating.md#how-auto-chooses-a-provider)',
      description: 'the order in which `auto` chooses, as comma-separated ids',
    });
}

const limits = {
  TRIVIUM_PRICES: z.string().optional().describe('a JSON file that overrides the price table'),
  TRIVIUM_MAX_REQUEST_USD: usdUpTo(10_000)
    .refine((usd) => usd > 0, 'must be more than 0')
    .default(10)
    .describe('the most that one request may cost; requests that could cost more get a 400'),
  TRIVIUM_OVERDRAFT_USD: usdUpTo(10_000)
    .default(5)
    .describe(
      'how far below zero the open transcriptions of an account may take its balance; see ' +
        '[Money](money.md#transcription)',
    ),
  TRIVIUM_JOB_DEADLINE_MINUTES: wholeOr(1, 10_080, 120).describe(
    'the time after which an unfinished job fails',
  ),
  TRIVIUM_JOB_HOLD_MINUTES: wholeOr(1, 1440, 60).describe(
    'a transcription of unknown length holds the price of this many minutes, at most the longest ' +
      'recording',
  ),
  TRIVIUM_MAX_AUDIO_MINUTES: wholeOr(1, maxAudioMinutes, 600).describe(
    'the longest recording to expect if the length is unknown, in minutes; see ' +
      '[Money](money.md#transcription)',
  ),
  TRIVIUM_MAX_REQUESTS: wholeOr(1, 60_000, 4096).describe(
    'requests in progress at once; further ones get a 503',
  ),
  TRIVIUM_MAX_BYTES_IN_PROGRESS_MB: wholeOr(1, 1_000_000, 64).describe(
    'memory for long answers in progress, in MiB; see [Observability](observability.md#limits)',
  ),
  TRIVIUM_KEY_REQUESTS_PER_MINUTE: wholeBetween(1, 1_000_000)
    .optional()
    .meta({
      default: 'no limit',
      description:
        'searches, extractions and transcriptions per key and minute, over all gateways; further ' +
        'ones get a 429',
    }),
  TRIVIUM_PROVIDER_CONCURRENCY: wholeOr(1, 60_000, 2048).describe('calls to one provider at once'),
  TRIVIUM_PROVIDER_QUEUE: wholeOr(0, 60_000, 1024).describe(
    'how many further calls wait for a provider',
  ),
  TRIVIUM_PROVIDER_QUEUE_MS: wholeOr(1, longestQueueMs, 2000).describe('how long they wait'),
};

const cache = {
  TRIVIUM_CACHE_SECONDS_SEARCH: wholeOr(0, maxCacheSeconds, 0).describe(
    'how old a cached answer of a search may be if the request does not say; see [Cache](cache.md)',
  ),
  TRIVIUM_CACHE_SECONDS_EXTRACT: wholeOr(0, maxCacheSeconds, 0).describe('the same for extraction'),
  TRIVIUM_CACHE_JOINED: oneOf(['first', 'each'])
    .default('first')
    .describe(
      'if several identical requests share one call to a provider, which of them pay: the `first` ' +
        'or `each`',
    ),
  TRIVIUM_CACHE_KEEP_HOURS: wholeOr(1, 720, 168).describe('how long answers are cached'),
  TRIVIUM_CACHE_MAX_ENTRIES: wholeOr(1, 10_000_000, 50_000).describe('how many answers are cached'),
  TRIVIUM_CACHE_MAX_MB: wholeOr(1, 1_000_000, 512).describe('the size of the cache in MiB'),
};

const logs = {
  LOG_LEVEL: oneOf(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .describe('`silent`, `fatal`, `error`, `warn`, `info`, `debug`, `trace`'),
  TRIVIUM_REQUEST_LOG_DAYS: wholeOr(1, 3650, 90).describe(
    'how long the request log and usage by tag are kept',
  ),
  TRIVIUM_REQUEST_LOG_HOURS: wholeBetween(1, 87_600)
    .optional()
    .describe(
      'the same for the request log alone, for example `1` if its ' +
        '[events](observability.md#request-events) are exported',
    ),
  TRIVIUM_KEEP_QUERY_HOURS: wholeOr(0, 87_600, 720).describe(
    'how long the request log keeps queries and the URLs of pages and recordings; `0` keeps none',
  ),
  TRIVIUM_KEEP_ANSWER_HOURS: wholeOr(0, 87_600, 0).describe(
    'how long answers are kept with the request log; `0` keeps none; see ' +
      '[Usage](usage.md#the-request-log)',
  ),
  TRIVIUM_KEEP_ANSWERS_MAX_MB: wholeOr(1, 1_000_000, 512).describe(
    'the size of all of them in MiB',
  ),
  TRIVIUM_AUDIT_LOG_DAYS: wholeOr(1, 36_500, 365).describe(
    'how long the [audit log](accounts.md#audit-log) is kept',
  ),
  TRIVIUM_WEBHOOK_LOG_DAYS: wholeOr(1, 3650, 30).describe(
    'how long the log of webhook deliveries is kept',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl
    .optional()
    .describe(
      'the collector of [traces](observability.md#traces) and ' +
        '[request events](observability.md#request-events)',
    ),
  OTEL_SERVICE_NAME: z.string().default('trivium').describe('the service name in them'),
  OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none'])
    .default('otlp')
    .describe('`otlp`: send traces to the collector; `none`: do not'),
  OTEL_LOGS_EXPORTER: oneOf(['otlp', 'none'])
    .default('none')
    .describe('`otlp`: send an event for each request to the collector; `none`: do not'),
  TRIVIUM_OTLP_LOGS_TEXT: switchOf(['on']).describe(
    '`on`: add the query to the events, if the request log keeps it',
  ),
};

export const vendorVariables = {
  DEEPGRAM_PROJECT_ID: z.string().optional().describe('finds transcripts at Deepgram'),
  DEEPGRAM_KEY_ID: z
    .string()
    .optional()
    .describe('comma-separated ids of the keys that Deepgram may send as origin of a callback'),
  ELEVENLABS_WEBHOOK_ID: z.string().optional().describe('the webhook for `/callbacks/stt_c`'),
  ELEVENLABS_WEBHOOK_SECRET: z.string().optional().describe('authenticates its callbacks'),
};

/** The variables that become the setting of their name. */
export const namedVariables = {
  ...serving,
  ...access,
  ...storage,
  ...choice,
  ...limits,
  ...cache,
  ...logs,
};

export const variables = {
  ...namedVariables,
  ...signOnVariables,
  ...bucketVariables,
  ...routingVariables,
  ...defaultVariables,
  ...shadowVariables,
  ...vendorVariables,
};

/** The tables of docs/settings.md, by their headings. */
export const variableTables = {
  'Serving requests': serving,
  'Access and sign-in': { ...access, ...signOnVariables },
  'Store and files': { ...storage, ...bucketVariables },
  'Choosing a provider': { ...choice, ...routingVariables, ...defaultVariables },
  'Shadow calls': shadowVariables,
  'Money and limits': limits,
  Cache: cache,
  'Logs and observability': logs,
  'Transcripts of vendors': vendorVariables,
};
