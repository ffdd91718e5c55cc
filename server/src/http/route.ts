// The definition of a route: its method and path, who may call it, and what its handler receives.
import type { Person } from '@trivium/contract';
import type { z } from 'zod';
import type { ChangeOnce } from '../accounts/index.ts';
import type { Author } from '../audit/index.ts';
import type { Caller } from '../requests/index.ts';
import type { Query } from './middleware/request-checks.ts';

/** The security headers of an HTML page. */
export type PageHeaders = Readonly<Record<string, string>>;

export interface Incoming {
  request: Request;
  request_id: string;
  /** The client's IP address, looked up only when it is needed. */
  address: () => string;
  /** Call it if the response may take longer than the listener usually waits. */
  keepOpen?: () => void;
  params: Readonly<Record<string, string>>;
  /** The query parameters. None occurs twice. */
  query: Query;
}

export type HandlerResult = Response | Promise<Response>;

/** What the row of every route says. */
interface RouteRow {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** Takes turns with other reports, and counts towards the reads of its account. */
  report?: boolean;
  /** Reads charges, of which some may still be in the journal: they are booked first. */
  booked?: true;
}

/** Public, for operators, or for callers with an API key or a session. */
export type Route = RouteRow &
  (
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
        /** Makes further requests, which count towards the limit of requests instead of this one. */
        waits?: true;
        /** Also accepts the access tokens of agents, and tells clients where to get one. */
        challenge?: (request: Request) => string;
        handle: (incoming: Incoming & { caller: Caller }) => HandlerResult;
      }
  );

/** The client's connection. */
export interface Connection {
  address: () => string;
  keepOpen: () => void;
}

/**
 * Finds the account that owns the object in a path. Undefined if there is none, null for the
 * gateway.
 */
export interface Owners {
  key: (id: string) => Promise<string | undefined>;
  webhook: (id: string) => Promise<string | null | undefined>;
  delivery: (id: string) => Promise<string | null | undefined>;
}

/** What every handler of the admin API can read from a request. */
export interface AdminRequest<Body> {
  /** Reads the body with the schema of the operation, or with a stricter one. */
  body(schema?: z.ZodType<Body>): Promise<Body>;
  idempotency_key: () => string | undefined;
  /** This request as a change that runs once under its idempotency key. */
  change: (body: unknown) => Parameters<ChangeOnce>[1];
  /** False for a member of an account. */
  is_operator: boolean;
  /** Who makes the request, for the audit log. */
  by: Author;
  /** True if the caller prefers this media type to JSON. */
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
  /** `account_id` of the query. Undefined means all accounts, for operators only. */
  account_in_query: { account_id: string | undefined; query: Query; id: string };
  /** `:id` is a key. */
  key_in_path: { key_id: string };
  /** `:id` is an endpoint for events. For another account's endpoint the gateway answers 404. */
  webhook_in_path: { webhook_id: string };
  /** `:id` is a delivery of an event. For another account's delivery the gateway answers 404. */
  delivery_in_path: { delivery_id: string };
  /** Concerns the signed-in person. The operator token is refused. */
  person: { person: Person; id: string; headers: Headers };
}

/** A route with a body of this type. */
export type AdminOptions<Body> = {
  [Name in keyof Scopes]: {
    scope: Name;
    /** Not for viewers, although it changes nothing. */
    reveals?: 'secret';
    handle: (request: AdminRequest<Body> & Scopes[Name]) => HandlerResult;
  };
}[keyof Scopes];

export type AdminRoute = AdminOptions<never> & {
  operator: true;
  public?: false;
  /** Undefined for operations without a body. */
  body?: z.ZodType;
  /** Serves it on a port of its own, where it needs no token. */
  handleOnOwnPort?: () => HandlerResult;
};
