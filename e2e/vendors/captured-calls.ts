// The calls of the whole matrix: each value of each parameter alone, and each pair of them, on
// every provider.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerIds, typedName } from '@trivium/contract';
import {
  type Body,
  extractValues,
  type Planned,
  plansOf,
  searchValues,
  transcriptionValues,
} from '../../server/test/request-matrix.ts';

type Call = Planned['sent'][number];

/** By vendor, each call once. */
export function capturedCalls(): Map<string, Call[]> {
  const found = new Map<string, Map<string, Call>>();
  for (const id of providerIds) {
    const calls = new Map<string, Call>();
    const { search, extract, transcribe } = plansOf(id);
    for (const [plan, values] of [
      [search, searchValues],
      [extract, extractValues],
      [transcribe, transcriptionValues],
    ] as const) {
      for (const body of plan ? withPairs(values) : []) {
        for (const call of sentFor(plan, body)) calls.set(JSON.stringify(call), call);
      }
    }
    found.set(typedName(id), calls);
  }
  return new Map([...found].map(([vendor, calls]) => [vendor, [...calls.values()]]));
}

/** As fixtures, which the judge reads. */
export function writeCalls(folder: string, calls: ReadonlyMap<string, readonly Call[]>): void {
  for (const [vendor, sent] of calls) {
    mkdirSync(join(folder, vendor, 'fixtures'), { recursive: true });
    writeFileSync(join(folder, vendor, 'fixtures', 'matrix.json'), JSON.stringify({ sent }));
  }
}

export function withPairs(values: readonly Body[]): Body[] {
  const pairs = values.flatMap((one, at) => values.slice(at + 1).map((other) => merge(one, other)));
  return [...values, ...pairs];
}

function merge(one: Body, other: Body): Body {
  const merged: Body = { ...one, ...other };
  for (const key of ['content', 'locale']) {
    if (key in one && key in other)
      merged[key] = { ...(one[key] as Body), ...(other[key] as Body) };
  }
  return merged;
}

/** Pairs that exclude each other, such as a window and a date, are not valid requests. */
function sentFor(plan: ((body: Body) => Planned) | undefined, body: Body): Call[] {
  try {
    return plan?.(body).sent ?? [];
  } catch (error) {
    if (error instanceof Error && error.name === 'ZodError') return [];
    throw error;
  }
}
