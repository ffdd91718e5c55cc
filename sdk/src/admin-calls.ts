// What the methods of the operator's client have in common: how they send their calls.
import { idOfVendor } from '@trivium/contract/provider-names';
import { apiPromise, pagePromise } from './api-promise.ts';
import type { ApiPromise } from './api-promise.ts';
import { queryOf } from './lists.ts';
import type { List } from './lists.ts';
import { optionsOf, wireRequest } from './names.ts';
import type { EitherOption } from './names.ts';
import type { CallOptions } from './options.ts';
import { newIdempotencyKey, send } from './send.ts';
import type { Call, Shape, Transport } from './send.ts';

export interface MovementOptions extends CallOptions {
  /** Generated for each call unless given, so that a retry does not repeat the change. */
  idempotencyKey?: string | undefined;
}

export type Options = EitherOption<CallOptions>;
export type KeyedOptions = EitherOption<MovementOptions>;

export interface AdminCalls {
  ask: <T>(method: Call['method'], path: string, rest?: Options, shape?: Shape) => ApiPromise<T>;
  /** A POST is retried with the same idempotency key after a broken connection. */
  change: <T>(
    method: Call['method'],
    path: string,
    body: object | undefined,
    rest?: KeyedOptions,
    shape?: Shape,
  ) => ApiPromise<T>;
  list: <
    Page extends Record<Name, Item[]> & { next_cursor?: string | null },
    Item,
    Filters extends object,
    Name extends string,
  >(
    path: string,
    name: Name,
  ) => List<Page, Item, Filters>;
}

export function adminCalls(transport: Transport): AdminCalls {
  const ask = <T>(
    method: Call['method'],
    path: string,
    rest?: EitherOption<CallOptions & Pick<Call, 'body' | 'idempotencyKey'>>,
    shape: Shape = { id: 'string' },
  ) => {
    const call = { method, path: `/admin/v1${path}`, shape } as const;
    return apiPromise(send<T>(transport, { ...call, ...optionsOf<CallOptions>(rest) }));
  };
  const change: AdminCalls['change'] = (method, path, body, rest, shape) => {
    const { idempotencyKey = newIdempotencyKey(), ...more } = optionsOf<MovementOptions>(rest);
    const sent = body === undefined ? {} : { body: wireRequest(body) };
    const key = method === 'POST' ? { idempotencyKey } : {};
    return ask(method, path, { ...more, ...sent, ...key }, shape);
  };
  const list: AdminCalls['list'] = (path, name) => (filters, rest) =>
    pagePromise(
      (cursor = (filters as { cursor?: string } | undefined)?.cursor) => {
        const query = queryOf({ ...filters, cursor });
        return ask<never>('GET', path + query, rest, { [name]: 'list' }).withResponse();
      },
      (page) => page[name],
    );
  return { ask, change, list };
}

/** The part of a path that names a provider, by its id or its vendor's name. */
export function providerPart(name: string): string {
  return encodeURIComponent(idOfVendor(name) ?? name);
}
