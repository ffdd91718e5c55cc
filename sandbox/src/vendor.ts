// The definition of a vendor: its mount, its key header, its error format, and its routes.
// Recording, faults, keys and parsing are shared, in serve-vendor.ts.
import type { z } from 'zod';
import type { Reason } from './refusal-reason.ts';
import type { World } from './world.ts';

export type Vendor = {
  mount: `/${string}`;
  /** The gateway setting for this mount's URL. */
  setting: string;
  /** Reads the key where this vendor expects it; an empty one counts as missing. */
  readKey: (headers: Headers) => string | undefined;
  /** Set for vendors that also serve callers without a key. */
  key_optional?: true;
  /** The vendor's own status and body for an error. */
  refuse: (refusal: Refusal) => Reply;
  routes: Route[];
  /** Resumes the callbacks that were pending when the sandbox last ended. */
  resume?: (world: World) => void;
};

export type Refusal = {
  reason: Reason;
  message: string;
  /** The faults of an invalid request, one per field; empty for other reasons. */
  issues: Issue[];
  /** Derived from the request and the clock, for bodies with a request id. */
  id: string;
  now: Date;
  /** Seconds, for bodies with a retry time. */
  retry_after?: number;
};

export type Issue = { path: (string | number)[]; code: string; message: string };

export type Reply = {
  status?: number;
  headers?: Record<string, string>;
  /** Sent as JSON, except a string with its own content type, which is sent unchanged. */
  body: unknown;
};

export type Incoming = {
  id: string;
  method: string;
  /** The path below the mount. */
  path: string;
  params: Record<string, string>;
  /** A parameter given several times becomes a list. */
  query: Record<string, string | string[]>;
  headers: Headers;
  /** Parsed JSON, the fields of a form, the digest of a file, other text, or undefined. */
  body: unknown;
};

export type Asked<Body, Query> = Omit<Incoming, 'body' | 'query'> & { body: Body; query: Query };

export type Route = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the mount, in the notation of `Bun.serve`: `/v2/transcript/:id`. */
  path: string;
  answer: (incoming: Incoming, world: World) => Reply | Issue[] | Promise<Reply>;
};

/** A route whose body and query are validated; an invalid request gets the vendor's own 400. */
export function route<Body = unknown, Query = unknown>(plan: {
  method: Route['method'];
  path: string;
  body?: z.ZodType<Body>;
  query?: z.ZodType<Query>;
  answer: (asked: Asked<Body, Query>, world: World) => Reply | Promise<Reply>;
}): Route {
  return {
    method: plan.method,
    path: plan.path,
    answer: (incoming, world) => {
      const body = check(plan.body, incoming.body, 'body');
      const query = check(plan.query, incoming.query, 'query');
      const issues = [...body.issues, ...query.issues];
      if (issues.length > 0) return issues;
      return plan.answer(
        { ...incoming, body: body.value as Body, query: query.value as Query },
        world,
      );
    },
  };
}

/** The key of an `Authorization` header with the scheme `Bearer`, or with another scheme. */
export function readBearer(headers: Headers, scheme = 'Bearer'): string | undefined {
  const [word, key] = (headers.get('authorization') ?? '').split(/\s+/, 2);
  return word?.toLowerCase() === scheme.toLowerCase() ? key : undefined;
}

function check(
  schema: z.ZodType | undefined,
  value: unknown,
  where: 'body' | 'query',
): { value: unknown; issues: Issue[] } {
  if (schema === undefined) return { value, issues: [] };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data, issues: [] };
  return { value, issues: parsed.error.issues.flatMap((issue) => spell(issue, where)) };
}

function spell(issue: z.core.$ZodIssue, where: 'body' | 'query'): Issue[] {
  const path = [
    where,
    ...issue.path.map((step) => (typeof step === 'number' ? step : String(step))),
  ];
  if (issue.code !== 'unrecognized_keys') {
    return [{ path, code: issue.code, message: issue.message }];
  }
  return issue.keys.map((key) => ({
    path: [...path, key],
    code: 'unrecognized_key',
    message: `Unrecognized key: "${key}"`,
  }));
}
