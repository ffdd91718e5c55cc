// The row of a route: its method and path, who may call it, its limits, and its handler. The handler
// gets what `dispatch.ts` found and checked.
import type { Person } from '@trivium/contract';
import type { z } from 'zod';
import type { ChangeOnce } from '../accounts/index.ts';
import type { Author } from '../audit/index.ts';
import type { Caller } from '../requests/index.ts';

export type Query = Readonly<Record<string, string>>;

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

export type CallerRequest = Incoming & { caller: Caller };

/** The client's connection. */
export interface Connection {
  address: () => string;
  keepOpen: () => void;
}

/** An object is sent as JSON, with the status of the row. */
export type Answer = Response | object | Promise<Response | object>;

/** The security headers of an HTML page. */
export type PageHeaders = Readonly<Record<string, string>>;

interface Row {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  /** The status of an answer that is an object; 200 if absent. */
  status?: number;
  /** Takes turns with other reports, and counts towards the reads of its account. */
  report?: boolean;
  /** Reads charges, of which some may still be in the journal: they are booked first. */
  booked?: true;
  /** Of a page. */
  page?: PageHeaders;
}

export interface OpenRoute extends Row {
  /** `drop_in`: the handler identifies the caller, as another API has its keys elsewhere. */
  role: 'public' | 'drop_in';
  handle: (incoming: Incoming) => Answer;
}

/** Anyone on a page of the dashboard, signed in or not: no other site can send a change. */
export interface VisitorRoute extends Row {
  role: 'visitor';
  body?: z.ZodType;
  handle(incoming: Incoming & { body: unknown }): Answer;
}

/** A caller with an API key or a session. */
export interface CallerRoute extends Row {
  role: 'caller';
  /** Answers 404 to API keys: only the dashboard calls it. */
  signedInOnly?: true;
  /** Makes further requests, which count towards the limit of requests instead of this one. */
  waits?: true;
  /** Also accepts the access tokens of agents, and tells clients where to get one. */
  challenge?: (request: Request) => string;
  handle: (incoming: CallerRequest) => Answer;
}

/** What each scope of the admin API tells its handlers, and who may call it besides operators. */
export interface Scopes {
  /** Concerns the whole gateway: operators only. */
  gateway: unknown;
  /** `:id` is an account; its members may call it. */
  account_in_path: { account_id: string };
  /** `:id` is an account whose balance changes: operators only. */
  money_in_path: { account_id: string };
  /** `:id` is an account whose name or policy changes: operators only. */
  policy_in_path: { account_id: string };
  /** `account_id` of the query. Undefined means all accounts, for operators only. */
  account_in_query: { account_id: string | undefined };
  /** `:id` is a key. */
  key_in_path: unknown;
  /** `:id` is an endpoint for events. For another account's endpoint the gateway answers 404. */
  webhook_in_path: unknown;
  /** `:id` is a delivery of an event. For another account's delivery the gateway answers 404. */
  delivery_in_path: unknown;
  /** `:id` is a request of the log. For another account's request the gateway answers 404. */
  request_in_path: unknown;
  /** `:id` is a note on a request. For a note of another account the gateway answers 404. */
  note_in_path: unknown;
  /** `:id` is a saved view. For another account's view the gateway answers 404. */
  view_in_path: unknown;
  /** Concerns the signed-in person. The operator token is refused. */
  person: { person: Person };
}

/** What every handler of the admin API gets. */
export interface AdminRequest<Body, Filter> extends Incoming {
  /** `:id` of the path. */
  id: string;
  /** Checked against the schema of the row, or undefined without one. */
  body: Body;
  /** The query with the account and `:id`, if the schema of the row names them. */
  filter: Filter;
  idempotency_key: string | undefined;
  /** The context whose statements belong to the transaction of a keyed change. */
  joined: <C extends Parameters<ChangeOnce>[0]>(context: C) => C;
  /** False for a member of an account. */
  is_operator: boolean;
  /** False for a viewer. */
  may_change: boolean;
  /** Who makes the request, for the audit log. */
  by: Author;
}

export interface AdminRoute extends Row {
  role: 'admin';
  scope: keyof Scopes;
  /** Not for viewers, although it changes nothing. */
  reveals?: 'secret';
  query?: z.ZodObject;
  body?: z.ZodType;
  /** Runs once under its idempotency key. A movement of money commits by itself. */
  keyed?: 'change' | 'money';
  /** Runs when the change is committed, before the answer. */
  after?: () => Promise<void> | void;
  /** Serves it on a port of its own, where it needs no token. */
  onOwnPort?: () => Answer;
  handle(
    request: AdminRequest<unknown, unknown> & { account_id?: string | undefined; person?: Person },
  ): Answer;
}

export type Route = OpenRoute | VisitorRoute | CallerRoute | AdminRoute;
