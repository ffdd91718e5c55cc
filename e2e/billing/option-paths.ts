// Every native option that an adapter prices or sends, read from the adapters themselves, so that a
// new option is covered without a change here.
import fc from 'fast-check';
import { negotiate } from '../../server/src/negotiation/negotiate.ts';
import { extractAsks, searchAsks } from '../../server/src/negotiation/asks.ts';
import type { ExtractAsk, SearchAsk } from '../../server/src/negotiation/asks.ts';
import { providers } from '../../server/src/providers/registry.ts';
import type { ExtractProduct, SearchProduct } from '../../server/src/providers/provider.ts';
import type { WireRequest } from '../../server/src/providers/shared/wire-request.ts';
import { extractRequests, searchRequests } from '../../server/test/generated-requests.ts';

export type Sold = {
  id: string;
  product: 'search' | 'extract' | 'transcribe';
  /** The options that the price rule reads. */
  reads: readonly string[];
  /** Those, the options that the adapter sends by itself, and one unknown option. */
  paths: readonly string[];
  /** The named rates, which a caller might try as a model or a tier. */
  rates: readonly string[];
};

const samples = { numRuns: 60, seed: 15 };
const now = new Date('2026-11-16T12:00:00Z');

/** Every product of every adapter, in the order of the registry. */
export const sold: readonly Sold[] = Object.values(providers).flatMap((provider): Sold[] => {
  const { id, search, extract, transcribe } = provider;
  return [
    ...(search ? [describe(id, 'search', search, sentBySearch(search))] : []),
    ...(extract ? [describe(id, 'extract', extract, sentByExtract(extract))] : []),
    ...(transcribe ? [describe(id, 'transcribe', transcribe, [])] : []),
  ];
});

type Described = {
  price: { reads: readonly string[]; rates: object };
};

function describe(
  id: string,
  product: Sold['product'],
  { price }: Described,
  sent: readonly string[],
): Sold {
  const { reads, rates } = price;
  const paths = [...new Set([...reads, ...reads.flatMap(parentsOf), ...sent, 'unheard_of'])];
  return { id, product, reads, paths, rates: Object.keys(rates) };
}

function sentBySearch({ supports, toRequests }: SearchProduct): string[] {
  return fc.sample(searchRequests, samples).flatMap((request) => {
    const { granted } = negotiate(supports, searchAsks(request), now);
    return toRequests({ ask: granted as unknown as SearchAsk, now: now }).flatMap(pathsIn);
  });
}

function sentByExtract({ supports, toRequests, batch }: ExtractProduct): string[] {
  return fc.sample(extractRequests, samples).flatMap((request) => {
    const { granted } = negotiate(supports, extractAsks(request), now);
    const urls = request.urls.slice(0, batch);
    return toRequests({ urls, ask: granted as unknown as ExtractAsk, now: now }).flatMap(pathsIn);
  });
}

/** The names in a request, and the names inside its objects. */
function pathsIn({ body, query }: WireRequest): string[] {
  return Object.entries(body ?? query ?? {}).flatMap(([name, value]) => [
    name,
    ...(isObject(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : []),
  ]);
}

function parentsOf(path: string): string[] {
  const names = path.split('.').slice(0, -1);
  return names.map((_, at) => names.slice(0, at + 1).join('.'));
}

/** Options by their paths as the object that a caller sends; a later path overrides its parent. */
export function optionsAt(values: readonly (readonly [path: string, value: unknown])[]) {
  const whole: Record<string, unknown> = {};
  for (const [path, value] of values) {
    const names = path.split('.');
    let place = whole;
    for (const name of names.slice(0, -1)) {
      const inner = place[name];
      place = place[name] = isObject(inner) ? { ...inner } : {};
    }
    place[names.at(-1) ?? ''] = value;
  }
  return whole;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
