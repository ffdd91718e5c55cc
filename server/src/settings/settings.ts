// Settings: one schema for the environment variables, parsed once at start. All faults are reported
// together, each with the name of its variable.
import {
  extractEngineIds,
  maxCacheSeconds,
  providerIds,
  searchEngineIds,
  transcriberIds,
} from '@trivium/contract';
import type { ExtractEngineId, ProviderId, SearchEngineId, TranscriberId } from '@trivium/contract';
import { hourMs } from '@trivium/contract/durations';
import { z } from 'zod';
import type { TrustedProxies } from '../platform/addresses.ts';
import { StartError } from '../platform/start-error.ts';
import { databaseUrl } from './database-url.ts';
import { limitVariables, readLimits } from './limit-settings.ts';
import type { LimitSettings } from './limit-settings.ts';
import { findMisspelt } from './misspelt.ts';
import { dataDirOf, modeOf } from './mode.ts';
import type { Mode, SandboxSetting } from './mode.ts';
import { jobVariables, readJobSettings } from './job-settings.ts';
import type { JobSettings } from './job-settings.ts';
import { defaultVariables, readDefaults } from './request-defaults.ts';
import type { RequestDefaults } from './request-defaults.ts';
import { readQualityRouting, readRouting, routingVariables } from './routing-settings.ts';
import {
  readShadow,
  shadowFault,
  shadowVariables,
  type ShadowSettings,
} from './shadow-settings.ts';
import type { QualityRouting, RoutingSettings } from './routing-settings.ts';
import { bucketVariables, readBucket } from './bucket-setting.ts';
import type { BucketSettings } from './bucket-setting.ts';
import { idList, origins, proxies } from './setting-lists.ts';
import {
  faultIn,
  oneOf,
  optional,
  pick,
  port,
  processes,
  usdUpTo,
  whole,
  wholeNumber,
} from './setting-values.ts';
import { showSettings } from './show-settings.ts';
import { readSingleSignOn } from './single-sign-on.ts';
import type { SingleSignOn } from './single-sign-on.ts';
import { httpUrl, publicHttpUrl, readUpstreams } from './upstreams.ts';
import type { Declaration, Upstreams } from './upstreams.ts';

export interface Settings extends JobSettings, LimitSettings {
  port: number;
  host: string;
  /** As configured. The store of each mode is in a folder below it. */
  configured_dir: string;
  /** Where this gateway's embedded store is. */
  data_dir: string;
  database_url?: string;
  sandbox: SandboxSetting;
  mode: Mode;
  bootstrap_key?: string;
  bootstrap_balance_usd?: number;
  admin_token?: string;
  public_url?: string;
  /**
   * Where providers call back: the public address, or in the sandbox an address that only the
   * sandbox resolves, because it is part of the gateway.
   */
  callback_base?: string;
  secret?: string;
  disabled: ReadonlySet<ProviderId>;
  auto_search: readonly SearchEngineId[];
  auto_extract: readonly ExtractEngineId[];
  auto_transcription: readonly TranscriberId[];
  /** Searches that are repeated on other engines; absent when none is. */
  shadow?: ShadowSettings;
  /** How `auto` chooses, by tool. */
  auto_routing: RoutingSettings;
  quality_routing: QualityRouting;
  /** Parameters for requests that omit them. */
  request_defaults: RequestDefaults;
  /** The provider of the drop-in APIs. */
  compat_provider: string;
  /** Origins whose pages may call the gateway from a browser. */
  cors_origins: readonly string[];
  /** Proxies whose X-Forwarded-For names the client. */
  trusted_proxies: TrustedProxies;
  prices_file?: string;
  max_upload_mb: number;
  /** Where uploads are stored. If undefined, in the data directory. */
  bucket: BucketSettings | undefined;
  /** The maximum that one request may hold or cost. */
  max_request_usd: number;
  /** How long usage by tag is kept, and the request log, unless hours are set for it. */
  request_log_days: number;
  request_log_hours?: number;
  /** How long the request log keeps what was asked. 0 keeps no text. */
  keep_query_hours: number;
  /** How long answers are kept beside the log. 0 keeps none. */
  keep_answer_hours: number;
  /** For all answers together. */
  keep_answers_max_mb: number;
  audit_log_days: number;
  /**
   * Whether `auto` tries the next provider if one fails (`on`), or also if one finds nothing
   * (`empty`).
   */
  failover: 'off' | 'on' | 'empty';
  /** Whether a provider at an overridden address may fetch pages of private networks. */
  allow_private_pages: boolean;
  /** Whether webhooks may be sent to private networks and over http. */
  allow_private_webhooks: boolean;
  webhook_log_days: number;
  /** How many requests one key may make per minute. Unlimited if absent. */
  key_requests_per_minute?: number;
  /** Separate ports for the admin API and the metrics. */
  admin_port?: number;
  metrics_port?: number;
  /** The collector. Without it, nothing is sent. */
  otlp_endpoint?: string;
  /** What is sent to the collector. */
  otlp_signals: readonly ('traces' | 'logs')[];
  /** Whether log records contain the text of what was asked. */
  otlp_logs_text: boolean;
  otel_service_name: string;
  log_level: string;
  /** How many processes serve one port. `auto` means one per core. */
  processes: number | 'auto';
  /** A supervisor replaces the process if it ends or freezes, even if there is only one. */
  watchdog: boolean;
  /**
   * How long a stopping gateway still accepts requests, so that load balancers have time to stop
   * sending them.
   */
  drain_ms: number;
  reader: boolean;
  single_sign_on: SingleSignOn | undefined;
  /** The maximum age of a cached answer if a request does not set one. 0 means no cache. */
  cache_seconds_search: number;
  cache_seconds_extract: number;
  /** Which of several requests that share one call to a provider pay for it. */
  cache_joined: 'first' | 'each';
  cache_keep_hours: number;
  cache_max_entries: number;
  cache_max_mb: number;
  upstreams: Upstreams;
  /** Variables that look like settings but are not. */
  unknown_names: readonly string[];
  /** Optional vendor settings, by variable name. */
  extras: Readonly<Record<string, string>>;
  /** What an operator may read of all these. Secrets are hidden. */
  displayed: ReturnType<typeof showSettings>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Only the gateway's own sandbox can resolve this address. */
const sandboxCallbacks = 'https://gateway.invalid';

export function readSettings(env: Environment, declarations: readonly Declaration[]): Settings {
  const given: Record<string, string> = {};
  // An empty variable counts as not set.
  for (const name in env) if (env[name]?.trim()) given[name] = env[name].trim();
  const parsed = Variables.safeParse(given);
  const { upstreams, faults } = readUpstreams(given, declarations);
  if (!parsed.success) faults.unshift(...parsed.error.issues.map(faultIn));
  const { faults: misspelt, unknown } = findMisspelt(Object.keys(given), namesOf(declarations));
  faults.push(...misspelt);
  if (!parsed.success || faults.length > 0) throw new StartError(faults.join('\n'));
  const v = parsed.data;
  const mode = modeOf(v.TRIVIUM_SANDBOX, Object.keys(upstreams).length);
  const publicUrl = v.TRIVIUM_PUBLIC_URL?.replace(/(?<!\/)\/+$/, '');
  return Object.freeze({
    port: v.PORT,
    host: v.HOST,
    configured_dir: v.TRIVIUM_DATA_DIR,
    data_dir: dataDirOf(v.TRIVIUM_DATA_DIR, mode),
    sandbox: v.TRIVIUM_SANDBOX,
    mode,
    disabled: new Set(v.TRIVIUM_DISABLED_PROVIDERS),
    auto_search: v.TRIVIUM_AUTO_SEARCH,
    auto_extract: v.TRIVIUM_AUTO_EXTRACT,
    auto_transcription: v.TRIVIUM_AUTO_TRANSCRIPTION,
    ...readJobSettings(v),
    max_upload_mb: v.TRIVIUM_MAX_UPLOAD_MB,
    bucket: readBucket(v),
    max_request_usd: v.TRIVIUM_MAX_REQUEST_USD,
    request_log_days: v.TRIVIUM_REQUEST_LOG_DAYS,
    ...optional('request_log_hours', v.TRIVIUM_REQUEST_LOG_HOURS),
    keep_query_hours: v.TRIVIUM_KEEP_QUERY_HOURS,
    keep_answer_hours: v.TRIVIUM_KEEP_ANSWER_HOURS,
    keep_answers_max_mb: v.TRIVIUM_KEEP_ANSWERS_MAX_MB,
    ...optional('shadow', readShadow(v)),
    auto_routing: readRouting(v),
    quality_routing: readQualityRouting(v),
    request_defaults: readDefaults(v),
    compat_provider: v.TRIVIUM_COMPAT_PROVIDER,
    cors_origins: v.TRIVIUM_CORS_ORIGINS,
    trusted_proxies: v.TRIVIUM_TRUSTED_PROXIES,
    failover: v.TRIVIUM_FAILOVER,
    allow_private_pages: v.TRIVIUM_ALLOW_PRIVATE_PAGES === 'on',
    allow_private_webhooks: ['1', 'on'].includes(v.TRIVIUM_ALLOW_PRIVATE_WEBHOOKS),
    webhook_log_days: v.TRIVIUM_WEBHOOK_LOG_DAYS,
    ...readLimits(v),
    otlp_signals: [
      ...(v.OTEL_TRACES_EXPORTER === 'otlp' ? (['traces'] as const) : []),
      ...(v.OTEL_LOGS_EXPORTER === 'otlp' ? (['logs'] as const) : []),
    ],
    otlp_logs_text: v.TRIVIUM_OTLP_LOGS_TEXT === 'on',
    otel_service_name: v.OTEL_SERVICE_NAME,
    log_level: v.LOG_LEVEL,
    processes: v.TRIVIUM_PROCESSES,
    watchdog: v.TRIVIUM_WATCHDOG === 'on',
    drain_ms: v.TRIVIUM_DRAIN_MS ?? (mode === 'sandbox' ? 0 : liveDrainMs),
    reader: v.TRIVIUM_READER === 'on',
    single_sign_on: readSingleSignOn(v),
    cache_seconds_search: v.TRIVIUM_CACHE_SECONDS_SEARCH,
    cache_seconds_extract: v.TRIVIUM_CACHE_SECONDS_EXTRACT,
    cache_joined: v.TRIVIUM_CACHE_JOINED,
    cache_keep_hours: v.TRIVIUM_CACHE_KEEP_HOURS,
    cache_max_entries: v.TRIVIUM_CACHE_MAX_ENTRIES,
    cache_max_mb: v.TRIVIUM_CACHE_MAX_MB,
    unknown_names: unknown,
    upstreams,
    extras: Object.fromEntries(vendorSettingNames.flatMap((name) => pick(name, given[name]))),
    displayed: showSettings(
      [...Object.keys(Variables.shape), ...vendorSettingNames],
      v,
      given,
      declarations,
    ),
    ...optional('database_url', v.DATABASE_URL),
    ...optional('bootstrap_key', v.TRIVIUM_BOOTSTRAP_KEY),
    ...optional('bootstrap_balance_usd', v.TRIVIUM_BOOTSTRAP_BALANCE_USD),
    ...optional('admin_token', v.TRIVIUM_ADMIN_TOKEN),
    ...optional('public_url', publicUrl),
    ...optional('callback_base', publicUrl ?? (mode === 'sandbox' ? sandboxCallbacks : undefined)),
    ...optional('secret', v.TRIVIUM_SECRET),
    ...optional('prices_file', v.TRIVIUM_PRICES),
    audit_log_days: v.TRIVIUM_AUDIT_LOG_DAYS,
    ...optional('admin_port', v.TRIVIUM_ADMIN_PORT),
    ...optional('key_requests_per_minute', v.TRIVIUM_KEY_REQUESTS_PER_MINUTE),
    ...optional('metrics_port', v.TRIVIUM_METRICS_PORT),
    ...optional('otlp_endpoint', v.OTEL_EXPORTER_OTLP_ENDPOINT),
  });
}

function namesOf(declarations: readonly Declaration[]): string[] {
  const vendors = declarations.flatMap(({ credential, hosts }) => [
    ...credential.env,
    ...Object.values(hosts).map(({ env }) => env),
  ]);
  return [...Object.keys(Variables.shape), ...vendorSettingNames, ...vendors];
}

/** Load balancers usually ask every second or two whether a gateway is ready. */
const liveDrainMs = 2000;

const vendorSettingNames = [
  'DEEPGRAM_PROJECT_ID',
  'DEEPGRAM_KEY_ID',
  'ELEVENLABS_WEBHOOK_ID',
  'ELEVENLABS_WEBHOOK_SECRET',
];

const Variables = z
  .object({
    PORT: whole(0, 65_535, 8787),
    HOST: z.string().default('127.0.0.1'),
    TRIVIUM_DATA_DIR: z.string().default('./.trivium'),
    DATABASE_URL: databaseUrl.optional(),
    TRIVIUM_SANDBOX: oneOf(['auto', 'on', 'off']).default('auto'),
    TRIVIUM_BOOTSTRAP_KEY: z
      .string()
      .regex(
        /^sk_(?:live|test)_[A-Za-z0-9_-]{43}$/,
        'must be sk_live_ or sk_test_ and 43 URL-safe base64 characters',
      )
      .optional(),
    TRIVIUM_BOOTSTRAP_BALANCE_USD: usdUpTo(1_000_000).optional(),
    TRIVIUM_MAX_REQUEST_USD: usdUpTo(10_000)
      .refine((usd) => usd > 0, 'must be more than 0')
      .default(10),
    TRIVIUM_ADMIN_TOKEN: z
      .string()
      .regex(/^\S{32,}$/, 'must have at least 32 characters, without spaces')
      .optional(),
    TRIVIUM_PUBLIC_URL: publicHttpUrl.optional(),
    TRIVIUM_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
    TRIVIUM_DISABLED_PROVIDERS: idList(providerIds).default([]),
    TRIVIUM_AUTO_SEARCH: idList(searchEngineIds).default([...searchEngineIds]),
    TRIVIUM_AUTO_EXTRACT: idList(extractEngineIds).default([...extractEngineIds]),
    TRIVIUM_AUTO_TRANSCRIPTION: idList(transcriberIds).default([...transcriberIds]),
    ...routingVariables,
    ...shadowVariables,
    ...defaultVariables,
    TRIVIUM_COMPAT_PROVIDER: oneOf([...extractEngineIds, 'auto']).default('auto'),
    TRIVIUM_CORS_ORIGINS: origins.default([]),
    TRIVIUM_TRUSTED_PROXIES: proxies,
    TRIVIUM_PRICES: z.string().optional(),
    ...jobVariables,
    TRIVIUM_REQUEST_LOG_DAYS: whole(1, 3650, 90),
    TRIVIUM_REQUEST_LOG_HOURS: wholeNumber(1, 87_600).optional(),
    TRIVIUM_KEEP_QUERY_HOURS: whole(0, 87_600, 720),
    TRIVIUM_KEEP_ANSWER_HOURS: whole(0, 87_600, 0),
    TRIVIUM_KEEP_ANSWERS_MAX_MB: whole(1, 1_000_000, 512),
    TRIVIUM_AUDIT_LOG_DAYS: whole(1, 36_500, 365),
    TRIVIUM_MAX_UPLOAD_MB: whole(1, 5120, 1024),
    ...bucketVariables,
    TRIVIUM_OIDC_ISSUER: httpUrl.optional(),
    TRIVIUM_OIDC_CLIENT_ID: z.string().optional(),
    TRIVIUM_OIDC_CLIENT_SECRET: z.string().optional(),
    TRIVIUM_OIDC_NAME: z.string().max(60).optional(),
    TRIVIUM_ADMIN_PORT: port.optional(),
    TRIVIUM_METRICS_PORT: port.optional(),
    OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
    OTEL_TRACES_EXPORTER: oneOf(['otlp', 'none']).default('otlp'),
    OTEL_LOGS_EXPORTER: oneOf(['otlp', 'none']).default('none'),
    TRIVIUM_OTLP_LOGS_TEXT: oneOf(['on', 'off']).default('off'),
    OTEL_SERVICE_NAME: z.string().default('trivium'),
    TRIVIUM_FAILOVER: oneOf(['on', 'off', 'empty']).default('off'),
    TRIVIUM_ALLOW_PRIVATE_PAGES: oneOf(['on', 'off']).default('off'),
    TRIVIUM_ALLOW_PRIVATE_WEBHOOKS: oneOf(['1', '0', 'on', 'off']).default('off'),
    TRIVIUM_WEBHOOK_LOG_DAYS: whole(1, 3650, 30),
    TRIVIUM_CACHE_SECONDS_SEARCH: whole(0, maxCacheSeconds, 0),
    TRIVIUM_CACHE_SECONDS_EXTRACT: whole(0, maxCacheSeconds, 0),
    TRIVIUM_CACHE_JOINED: oneOf(['first', 'each']).default('first'),
    TRIVIUM_CACHE_KEEP_HOURS: whole(1, 720, 168),
    TRIVIUM_CACHE_MAX_ENTRIES: whole(1, 10_000_000, 50_000),
    TRIVIUM_CACHE_MAX_MB: whole(1, 1_000_000, 512),
    ...limitVariables,
    TRIVIUM_KEY_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).optional(),
    TRIVIUM_PROCESSES: processes.default(1),
    TRIVIUM_WATCHDOG: oneOf(['on', 'off']).default('off'),
    TRIVIUM_DRAIN_MS: wholeNumber(0, 60_000).optional(),
    TRIVIUM_READER: oneOf(['on', 'off']).default('off'),
    LOG_LEVEL: oneOf(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']).default(
      'info',
    ),
  })
  .refine((v) => v.DATABASE_URL === undefined || v.TRIVIUM_SECRET !== undefined, {
    path: ['TRIVIUM_SECRET'],
    message: 'is required with DATABASE_URL, the same on every gateway',
  })
  .check(({ value, issues }) => {
    const fault = shadowFault(value);
    if (fault) issues.push({ code: 'custom', input: value, ...fault });
  })
  .refine((v) => v.TRIVIUM_KEEP_ANSWER_HOURS <= v.TRIVIUM_KEEP_QUERY_HOURS, {
    path: ['TRIVIUM_KEEP_ANSWER_HOURS'],
    message: 'must not be more than TRIVIUM_KEEP_QUERY_HOURS: an answer reveals what was asked',
  })
  .refine((v) => v.TRIVIUM_S3_URL === undefined || v.AWS_SECRET_ACCESS_KEY !== undefined, {
    path: ['AWS_SECRET_ACCESS_KEY'],
    message: 'is required with TRIVIUM_S3_URL, and so is AWS_ACCESS_KEY_ID',
  })
  .refine(
    (v) => v.TRIVIUM_OIDC_ISSUER === undefined || v.TRIVIUM_OIDC_CLIENT_SECRET !== undefined,
    {
      path: ['TRIVIUM_OIDC_CLIENT_SECRET'],
      message: 'is required with TRIVIUM_OIDC_ISSUER, and so is TRIVIUM_OIDC_CLIENT_ID',
    },
  )
  .refine((v) => v.TRIVIUM_OIDC_ISSUER === undefined || v.TRIVIUM_PUBLIC_URL !== undefined, {
    path: ['TRIVIUM_PUBLIC_URL'],
    message: 'is required with TRIVIUM_OIDC_ISSUER: people are sent back to it after signing in',
  });

/** How long the rows of the request log are kept. */
export function logKeptMs(
  settings: Pick<Settings, 'request_log_days' | 'request_log_hours'>,
): number {
  return (settings.request_log_hours ?? settings.request_log_days * 24) * hourMs;
}
