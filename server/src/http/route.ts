// What a route is: its method and path, who may call it, and what its handler receives.
import type { Person } from '@trivium/contract';
import type { z } from 'zod';
import type { Change } from '../accounts/index.ts';
import type { Author } from '../audit/core/index.ts';
import type { Caller } from '../requests/index.ts';
import type { PageHeaders } from './middleware/page-headers.ts';
import type { Query } from './middleware/request-checks.ts';

export interface Incoming {
  request: Request;
  request_id: string;
  /** The client's IP address, looked up only when it is needed. */
  address: () => string;
  /** The response may take longer than the listener usually waits for one. */
  keepOpen?: () => void;
  params: Readonly<Record<string, string>>;
  /** The query parameters; none is given twice. */
  query: Query;
}

export type HandlerResult = Response | Promise<Response>;

/** Public, for operators, or for callers with an API key or a session. */
export type Route = { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string } & (
  | {
      public: true;
      operator?: false;
      /** Part of the dashboard, so it is served on the admin port. */
      dashboard?: true;
      /** The security headers of an HTML page. */
      page?: PageHeaders;
      handle: (incoming: Incoming) => HandlerResult;
    }
  | AdminRoute
  | {
      public?: false;
      operator?: false;
      /** Answers 404 to API keys: only the dashboard calls it. */
      signedInOnly?: true;
      /** Makes requests of its own, which count towards the limit of requests, not this. */
      waits?: true;
      /** Accepts the access tokens of agents too, and says where a client can get one. */
      challenge?: (request: Request) => string;
      handle: (incoming: Incoming & { caller: Caller }) => HandlerResult;
    }
);

/** The client's connection. */
export interface Connection {
  address: () => string;
  keepOpen: () => void;
}

/** Finds the account that owns what a path names; undefined for none, null for the gateway. */
export interface Owners {
  key: (id: string) => Promise<string | undefined>;
  webhook: (id: string) => Promise<string | null | undefined>;
  delivery: (id: string) => Promise<string | null | undefined>;
}

/** What every handler of the admin API may read of a request. */
export interface AdminRequest<Body> {
  /** Reads the body by the schema of the operation, or by a stricter one. */
  body(schema?: z.ZodType<Body>): Promise<Body>;
  idempotency_key: () => string | undefined;
  /** This request as a change that runs once under its idempotency key. */
  change: (body: unknown) => Change;
  /** False for a member of an account. */
  is_operator: boolean;
  /** Who makes the request, for the audit log. */
  by: Author;
  /** Whether the caller prefers this media type to JSON. */
  accepts: (mediaType: string) => boolean;
}

interface Scopes {
  /** Concerns the whole gateway: operators only. */
  gateway: { query: Query; id: string };
  /** `:id` is an account; its members may call it. */
  account_in_path: { account_id: string };
  /** `:id` is an account whose balance changes: operators only. */
  money_in_path: { account_id: string };
  /** `:id` is an account whose name or policy changes: operators only. */
  policy_in_path: { account_id: string };
  /** `account_id` of the query; undefined means all accounts, for operators only. */
  account_in_query: { account_id: string | undefined; query: Query; id: string };
  /** `:id` is a key. */
  key_in_path: { key_id: string };
  /** `:id` is an endpoint for events; for another account's endpoint the gateway answers 404. */
  webhook_in_path: { webhook_id: string };
  /** `:id` is a delivery of an event; for another account's delivery the gateway answers 404. */
  delivery_in_path: { delivery_id: string };
  /** Concerns the signed-in person: the operator token is refused. */
  person: { person: Person; id: string; headers: Headers };
}

/** A route whose body is of this type. */
export type AdminOptions<Body> = {
  [Name in keyof Scopes]: {
    scope: Name;
    /** Not for viewers, although nothing is changed. */
    reveals?: 'secret';
    handle: (request: AdminRequest<Body> & Scopes[Name]) => HandlerResult;
  };
}[keyof Scopes];

export type AdminRoute = AdminOptions<never> & {
  operator: true;
  public?: false;
  /** Undefined for operations without a body. */
  body?: z.ZodType;
};
