// Settings of several variables: a bucket, routing, default parameters, shadow calls and single
// sign-on. Each has its variables, and a function that reads them.
import {
  addKnownFields,
  extractEngineIds,
  ExtractRequest,
  issuesOf,
  routings,
  searchEngineIds,
  SearchRequest,
  transcriberIds,
  TranscriptionRequest,
} from '@trivium/contract';
import type { ProviderId, Routing } from '@trivium/contract';
import { z } from 'zod';
import {
  apiKey,
  httpUrl,
  idList,
  listOf,
  oneOf,
  readBy,
  share,
  weights,
  withoutEndSlash,
} from './values.ts';

type ValuesOf<Rows extends z.core.$ZodLooseShape> = z.output<z.ZodObject<Rows>>;

const bucketName = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;

export const bucketVariables = {
  TRIVIUM_S3_URL: readBy(
    bucketIn,
    'must be s3://bucket or https://host/bucket, and may end with a folder',
  )
    .optional()
    .describe(
      'store uploads in a bucket: `s3://bucket/folder`, or `https://host/bucket/folder` for other ' +
        'S3-compatible storage; required for several gateways',
    ),
  AWS_ACCESS_KEY_ID: z.string().optional().describe('the access key of the bucket'),
  AWS_SECRET_ACCESS_KEY: z.string().optional().describe('its secret'),
  AWS_SESSION_TOKEN: z.string().optional().describe('the session token of temporary credentials'),
  AWS_REGION: z.string().optional().describe('the region of the bucket'),
};

export type BucketSettings = NonNullable<ReturnType<typeof readBucket>>;

export function readBucket(v: ValuesOf<typeof bucketVariables>) {
  const { TRIVIUM_S3_URL: place, AWS_REGION: region, AWS_SESSION_TOKEN: sessionToken } = v;
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = v;
  if (!place || accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return {
    ...place,
    access_key_id: accessKeyId,
    secret_access_key: secretAccessKey,
    ...(region === undefined ? {} : { region }),
    ...(sessionToken === undefined ? {} : { session_token: sessionToken }),
  };
}

interface BucketPlace {
  /** Undefined for Amazon's own endpoint. */
  endpoint?: string;
  bucket: string;
  /** Put before the name of every file. Empty, or ends with a slash. */
  prefix: string;
}

function bucketIn(text: string): BucketPlace | undefined {
  const url = URL.parse(text);
  if (!url || url.username !== '' || url.search !== '' || url.hash !== '') return undefined;
  if (url.protocol === 's3:') return bucketNamed(url.host, url.pathname.split('/'));
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  const [, bucket = '', ...folders] = url.pathname.split('/');
  const place = bucketNamed(bucket, folders);
  return place && { ...place, endpoint: url.origin };
}

function bucketNamed(bucket: string, folders: readonly string[]): BucketPlace | undefined {
  if (!bucketName.test(bucket)) return undefined;
  return { bucket, prefix: folders.flatMap((name) => (name === '' ? [] : [`${name}/`])).join('') };
}

const simpleRoutings = ['order', 'cheapest', 'fastest', 'weighted'] as const;

export const routingVariables = {
  TRIVIUM_AUTO_SEARCH_ROUTING: routingBy(routings),
  TRIVIUM_AUTO_EXTRACT_ROUTING: routingBy(simpleRoutings),
  TRIVIUM_AUTO_TRANSCRIPTION_ROUTING: routingBy(simpleRoutings),
  TRIVIUM_AUTO_SEARCH_WEIGHTS: weightsOf(searchEngineIds),
  TRIVIUM_AUTO_EXTRACT_WEIGHTS: weightsOf(extractEngineIds),
  TRIVIUM_AUTO_TRANSCRIPTION_WEIGHTS: weightsOf(transcriberIds),
  TRIVIUM_AUTO_QUALITY_BAR: share
    .default(0.05)
    .describe(
      'for routing by `quality`: how far below the best engine one may be, as a share; see ' +
        '[Choosing an engine](choosing.md#routing-by-quality)',
    ),
  TRIVIUM_AUTO_QUALITY_EXPLORATION: share
    .default(0.02)
    .describe('for routing by `quality`: the share of searches for which another engine is tried'),
};

function routingBy<const T extends readonly [string, ...string[]]>(kinds: T) {
  return oneOf(kinds)
    .default('order' as never)
    .describe(
      `how \`auto\` chooses: ${kinds.map((kind) => `\`${kind}\``).join(', ')}; see ` +
        '[Operating](operating.md#how-auto-chooses-a-provider)',
    );
}

/** A provider without a weight is tried after the others. */
type Weights = Readonly<Partial<Record<ProviderId, number>>>;

function weightsOf(ids: readonly [ProviderId, ProviderId, ...ProviderId[]]) {
  const equal: Weights = Object.fromEntries(ids.map((id) => [id, 1]));
  const description = `the shares of \`weighted\`, such as \`${ids[0]}=3,${ids[1]}=1\``;
  return weights(ids).default(equal).meta({ default: 'all equal', description });
}

/** How `auto` chooses, by tool. */
export function readRouting(v: ValuesOf<typeof routingVariables>) {
  const of = (kind: Routing, ofProviders: Weights) => ({ kind, weights: ofProviders });
  return {
    auto_routing: {
      search: of(v.TRIVIUM_AUTO_SEARCH_ROUTING, v.TRIVIUM_AUTO_SEARCH_WEIGHTS),
      extract: of(v.TRIVIUM_AUTO_EXTRACT_ROUTING, v.TRIVIUM_AUTO_EXTRACT_WEIGHTS),
      transcribe: of(v.TRIVIUM_AUTO_TRANSCRIPTION_ROUTING, v.TRIVIUM_AUTO_TRANSCRIPTION_WEIGHTS),
    },
    quality_routing: {
      bar: v.TRIVIUM_AUTO_QUALITY_BAR,
      exploration: v.TRIVIUM_AUTO_QUALITY_EXPLORATION,
    },
  };
}

type Defaults = Readonly<Record<string, unknown>>;

/**
 * Parameters without a default: each request sets its own subject, the order of `auto` chooses the
 * provider, and the caller decides whether the request may be adjusted.
 */
const perRequest = ['query', 'urls', 'audio_url', 'provider', 'strict', 'offset'];

export const defaultVariables = {
  TRIVIUM_DEFAULTS_SEARCH: defaultsOf(SearchRequest, { query: 'x' }),
  TRIVIUM_DEFAULTS_EXTRACT: defaultsOf(ExtractRequest, { urls: ['https://page.example/'] }),
  TRIVIUM_DEFAULTS_TRANSCRIPTION: defaultsOf(TranscriptionRequest, {
    audio_url: 'https://page.example/recording.wav',
  }),
};

export function readDefaults(v: ValuesOf<typeof defaultVariables>) {
  return {
    search: v.TRIVIUM_DEFAULTS_SEARCH,
    extract: v.TRIVIUM_DEFAULTS_EXTRACT,
    transcription: v.TRIVIUM_DEFAULTS_TRANSCRIPTION,
  };
}

/** Kept as given. A request is validated as a whole, including its defaults. */
function defaultsOf(schema: z.ZodType, subject: object) {
  return readBy(readObject, 'must be a JSON object of parameters, such as {"max_results":5}')
    .check(({ value: given, issues }) => {
      const refuse = (message: string) => issues.push({ code: 'custom', input: given, message });
      const fixed = Object.keys(given).find((name) => perRequest.includes(name));
      if (fixed !== undefined) {
        refuse(`must not set ${fixed}, which each request sets itself`);
        return;
      }
      const { error } = schema.safeParse({ ...subject, ...given }, addKnownFields);
      const [issue] = error ? issuesOf(error) : [];
      if (issue) refuse(`is not valid: ${issue.path}: ${issue.message.replace(/\.$/, '')}`);
    })
    .optional()
    .describe(
      'default parameters of requests, as JSON; see ' +
        '[Default parameters](settings.md#default-parameters)',
    );
}

function readObject(text: string): Defaults | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Defaults) : undefined;
  } catch {
    return undefined;
  }
}

const accountIds = listOf(/^\S{1,100}$/, 'must be a comma-separated list of account ids');

export const shadowVariables = {
  TRIVIUM_SHADOW_SHARE: share
    .default(0)
    .describe(
      'the share of searches, from 0 to 1, that is repeated on other engines after the answer; see ' +
        '[Shadow calls](choosing.md#shadow-calls)',
    ),
  TRIVIUM_SHADOW_ENGINES: idList(searchEngineIds)
    .default([])
    .describe('the engines, at least two: their answers are compared'),
  TRIVIUM_SHADOW_KEY: apiKey('must be an API key of the account that pays')
    .optional()
    .describe('an API key of the account that pays for the calls'),
  TRIVIUM_SHADOW_ACCOUNTS: accountIds
    .default([])
    .meta({ default: 'all', description: 'the only accounts whose searches are repeated' }),
  TRIVIUM_SHADOW_EXCLUDE: accountIds
    .default([])
    .describe('accounts whose searches are never repeated'),
  TRIVIUM_SHADOW_TAGS: listOf(
    /^[A-Za-z0-9_.:-]{1,64}=[A-Za-z0-9_.:-]{1,64}$/,
    'must be a comma-separated list of tags such as team=search',
  )
    .default([])
    .meta({
      default: 'all',
      description: 'repeat only searches with one of these tags, such as `team=search`',
    }),
};

export type ShadowSettings = NonNullable<ReturnType<typeof readShadow>>;

/** Undefined when nothing is repeated. */
export function readShadow(v: ValuesOf<typeof shadowVariables>) {
  const { TRIVIUM_SHADOW_SHARE: ofSearches, TRIVIUM_SHADOW_KEY: key } = v;
  if (ofSearches === 0 || key === undefined) return undefined;
  return {
    share: ofSearches,
    engines: v.TRIVIUM_SHADOW_ENGINES,
    key,
    accounts: new Set(v.TRIVIUM_SHADOW_ACCOUNTS),
    excluded: new Set(v.TRIVIUM_SHADOW_EXCLUDE),
    tags: v.TRIVIUM_SHADOW_TAGS,
  };
}

export const signOnVariables = {
  TRIVIUM_OIDC_ISSUER: httpUrl
    .optional()
    .describe('the identity provider for single sign-on to the [dashboard](dashboard.md)'),
  TRIVIUM_OIDC_CLIENT_ID: z.string().optional().describe('its client id for the gateway'),
  TRIVIUM_OIDC_CLIENT_SECRET: z.string().optional().describe('the secret of this client'),
  TRIVIUM_OIDC_NAME: z
    .string()
    .max(60)
    .optional()
    .meta({ default: 'the host of the issuer', description: 'the label of the button' }),
};

export type SingleSignOn = NonNullable<ReturnType<typeof readSingleSignOn>>;

/** Undefined if no issuer is set. If one is set, the settings require a public URL. */
export function readSingleSignOn(
  given: ValuesOf<typeof signOnVariables>,
  publicUrl: string | undefined,
) {
  const { TRIVIUM_OIDC_ISSUER: issuer } = given;
  if (issuer === undefined || publicUrl === undefined) return undefined;
  return {
    name: given.TRIVIUM_OIDC_NAME ?? new URL(issuer).host,
    discoveryUrl: `${withoutEndSlash(issuer)}/.well-known/openid-configuration`,
    clientId: given.TRIVIUM_OIDC_CLIENT_ID ?? '',
    clientSecret: given.TRIVIUM_OIDC_CLIENT_SECRET ?? '',
    // Taken from the settings, never from a request.
    redirectURI: `${publicUrl}/auth/callback/oidc`,
    scopes: ['openid', 'profile', 'email'],
    pkce: true,
  };
}
