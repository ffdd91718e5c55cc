// One operation of the API: its purpose, input and output.
import type { z } from 'zod';
import type { answerHeaders } from '../headers.ts';

export type ErrorStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 429 | 500 | 501 | 502 | 503;

type Examples = Readonly<Record<string, unknown>>;
/** A schema with its name in index.ts, and examples by name. */
type Body = readonly [z.ZodType, Examples];

/** The parts of the admin clients. */
export const resources = {
  accounts: 'Accounts and their balances.',
  keys: 'The API keys of accounts.',
  budgets: 'How much requests with a tag value may spend.',
  views: 'Named addresses of the lists in the dashboard.',
  people: 'The people who can sign in to the dashboard.',
  invitations: 'Links that give people access to the dashboard; `people.list` lists open ones.',
  requests: 'The request log.',
  'requests.notes': 'Notes that people write on requests; each request has its own.',
  transfers: 'The ledger.',
  jobs: 'Transcription jobs of every account.',
  audit: 'Who changed what.',
  providers: 'The health of the providers.',
  incidents: 'What fails or is used up, from its start to its end.',
  webhooks: 'Endpoints for events, and their secrets.',
  'webhooks.deliveries': 'The log of deliveries.',
};
export type Resource = keyof typeof resources;

/** The parts of the API description. */
export const tags = {
  search: 'Web search.',
  extract: 'Content of web pages.',
  transcription: 'Speech to text, as jobs.',
  account: 'The balance of the caller, and the providers.',
  agents: 'How a person gives an agent access to the tools: OAuth 2.1.',
  admin: 'Accounts, keys, money and people, for operators.',
};
export type Tag = keyof typeof tags;

export interface Operation {
  /**
   * Must not be the stem of a schema's name, because generators append Request and Response to it.
   */
  id: string;
  /** Its part of the API description; admin if omitted. */
  tag?: Tag;
  /** Where the admin clients have it, such as `webhooks.deliveries`; omitted at their top level. */
  resource?: Resource;
  /** The name of its method in the admin clients, which are generated; omitted if they lack it. */
  verb?: string;
  summary: string;
  description: string;
  query?: z.ZodObject;
  body?: Body;
  form?: z.ZodType;
  /** A body that is or contains a file, as OpenAPI describes it. */
  file?: object;
  /** Accepts a content mode for text from the web. */
  checked?: true;
  /** Held and charged; accepts the headers of paid requests, and either of these. */
  paid?: 'cache' | 'webhook';
  /** Accepts an idempotency key. */
  keyed?: 'change' | 'money';
  /** An admin operation that needs no token. */
  open?: true;
  /**
   * A GET of the admin API that does not count towards the reports that an account may read at
   * once.
   */
  unlimited?: true;
  status?: 201 | 202;
  /** What the response is; "Done." by default. */
  meaning?: string;
  answer?: Body;
  /** The response in other formats: the schema of a line, or as OpenAPI describes it. */
  formats?: Readonly<Record<string, object>>;
  /** Headers of the response, in addition to those that follow from the rest. */
  answerHeaders?: readonly (keyof typeof answerHeaders)[];
  /** In addition to the statuses that follow from the rest. */
  refuses?: readonly ErrorStatus[];
  /** The format of its errors, if it is not that of the gateway. */
  errors?: 'oauth' | 'openai';
}

export type Operations = Readonly<
  Record<`${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`, Operation>
>;

export const text = { type: 'string' };
export const described = (description: string) => ({ ...text, description });
/** Any bytes, as in OpenAPI 3.0; OpenAPI 3.1 would omit the schema. */
export const anyBytes = { type: 'string', format: 'binary' };
