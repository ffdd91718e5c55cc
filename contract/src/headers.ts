// The headers of requests and the gateway's own headers of answers. The server reads and checks them,
// lets pages of other origins use them, and the OpenAPI document describes them from here.
import { z } from 'zod';
import { type ToolName, toolNames } from './account.ts';
import { CacheSeconds, IdempotencyKey, MaxCostUsd } from './common.ts';
import { ContentMode, MaxTokens } from './content.ts';
import { Tags } from './tags.ts';
import { WebhookRequest } from './webhooks.ts';

interface PaidHeader {
  schema: z.ZodType;
  /** The tools that take it. */
  tools: readonly ToolName[];
  /** A text that no value contains, but that joins the values of a header that is sent twice. */
  joint?: ',' | ', ';
  /** For the other tools: a header without effect would otherwise be ignored silently. */
  otherwise?: z.ZodType;
  description: string;
  example?: string;
}

const never = (message: string) => z.string().refine(() => false, message);
const pages = ['search', 'extract'] as const;
const notChecked = never(
  'Only search and extraction accept this header. A transcript is checked when its job is read.',
);

export const paidHeaders = {
  'idempotency-key': {
    schema: IdempotencyKey,
    tools: toolNames,
    joint: ', ',
    description:
      'For 24 hours, the same key and body return the first response again, free of charge.',
  },
  'x-max-cost-usd': {
    schema: MaxCostUsd,
    tools: toolNames,
    joint: ',',
    description:
      'Refuse the request before any provider is called if it could cost more than this.',
    example: '0.05',
  },
  'x-trivium-tags': {
    schema: Tags,
    tools: toolNames,
    description:
      'Up to 10 tags of the request, for the log, usage reports and budgets. Names and ' +
      'values consist of 1 to 64 characters from A-Z, a-z, 0-9, _, ., : and -.',
    example: 'team=search,run=42',
  },
  'x-trivium-cache': {
    schema: CacheSeconds,
    tools: pages,
    otherwise: z.literal('0', {
      error: 'Answers of this tool are not cached. Leave out the header, or send 0.',
    }),
    description:
      'The maximum age of a cached answer, in seconds; 0 bypasses the cache. The operator ' +
      'sets the default, usually 0.',
    example: '3600',
  },
  'x-trivium-content': {
    schema: ContentMode,
    tools: pages,
    otherwise: notChecked,
    description:
      'Checks the texts of the answer for suspicious content. annotate: adds a content_flagged ' +
      'warning for each text; clean: also removes content that is hidden or can leak data; block: ' +
      'removes the result. If the policy is stricter, the policy applies.',
    example: 'annotate',
  },
  'x-trivium-max-tokens': {
    schema: MaxTokens,
    tools: pages,
    otherwise: notChecked,
    description:
      'Limits all texts of the answer together to this many tokens (o200k), from 100 to 1000000. ' +
      'Longer texts are cut at the ends of sentences, with a warning for each.',
    example: '4000',
  },
  'x-trivium-explain': {
    schema: z.string(),
    tools: ['search'],
    otherwise: z.string(),
    joint: ',',
    description:
      'Send 1 for an answer of several engines whose header of the same name explains the order ' +
      'of its pages.',
    example: '1',
  },
  'x-trivium-webhook': {
    schema: WebhookRequest.shape.url,
    tools: ['transcription'],
    otherwise: never('Only transcriptions send events. Leave out the header.'),
    description:
      'A public https URL that receives job.completed or job.failed, signed with the secret of ' +
      'the account.',
    example: 'https://hooks.example/trivium',
  },
} as const satisfies Record<string, PaidHeader>;

export type PaidHeaderName = keyof typeof paidHeaders;
export const paidHeaderNames = Object.keys(paidHeaders) as PaidHeaderName[];

interface OtherHeader extends Pick<PaidHeader, 'joint'> {
  /** A page of another origin may send it. */
  fromPages?: true;
}

const otherHeaders: Readonly<Record<string, OtherHeader>> = {
  authorization: { fromPages: true, joint: ',' },
  'content-type': { fromPages: true, joint: ',' },
  'content-disposition': { fromPages: true },
  accept: { fromPages: true },
  'x-api-key': { fromPages: true, joint: ',' },
  'mcp-protocol-version': { fromPages: true },
  'x-trivium-provider': { fromPages: true, joint: ',' },
  'x-trivium-strict': { fromPages: true, joint: ',' },
  'x-trivium-account': { joint: ',' },
  host: { joint: ',' },
  origin: { joint: ',' },
  'content-length': { joint: ',' },
  'sec-fetch-site': { joint: ',' },
};

/** What a page of another origin may send. */
export const headersFromPages = [
  ...Object.keys(otherHeaders).filter((name) => otherHeaders[name]?.fromPages),
  ...paidHeaderNames,
];

/** The headers that may be sent only once. */
export const singleHeaders = Object.entries<OtherHeader | PaidHeader>({
  ...otherHeaders,
  ...paidHeaders,
}).flatMap(([name, { joint }]) => (joint === undefined ? [] : [{ name, joint }]));

export const answerHeaders = {
  'x-request-id': 'The id of the request, as in the log.',
  'retry-after': 'How many seconds to wait.',
  'idempotent-replayed': 'true if this is the stored response of an earlier request.',
  'x-trivium-provider': 'The provider that served the request.',
  'x-trivium-cost-usd': 'What it cost.',
  'x-trivium-warnings': 'A JSON list of warnings.',
  'x-trivium-cache':
    'Where the answer came from, if the cache was used: hit with its age, joined, partial or miss.',
  'x-trivium-job-id': 'The job of the request.',
  'x-trivium-sandbox': 'true if the sandbox simulates the vendors.',
  'x-trivium-unread-words': 'How many words of a vendor could not be read.',
  'x-trivium-ends-early': 'The last word ends long before the recording.',
  'x-trivium-content-signals':
    'What was found in a transcript that was checked, and where; none for nothing.',
  'x-trivium-routing': 'Why auto chose the engine, if this deployment chooses by quality.',
  'x-trivium-explain': 'Why the pages of several engines have this order, if it was requested.',
} as const;
