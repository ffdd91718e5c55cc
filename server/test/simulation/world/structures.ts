// The maps and sets that a gateway makes while it starts: what it has in memory for as long as it
// runs. Entries that they still have when nothing is open are never forgotten.

export interface StructureWatch {
  /** The gateway is up: what is made from now on belongs to its requests. */
  end: () => void;
  /** Those with many more entries than at the start, in words. */
  grown: () => string[];
}

type Collection = ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>;

/** For each account, key and provider of a run. */
const mostEntries = 12;
/** These keep more, up to a limit of their own. */
const limits: Readonly<Record<string, number>> = {
  /** Prepared statements. */
  'store/sqlite/sqlite-thread.ts': 512,
  /** A meter for each route, provider and result that was seen. */
  'app/observability.ts': 100,
  /** When each vendor was last asked about jobs, for its limit of look-ups in a minute. */
  'transcription/look-up-job.ts': 300,
};

/** `isOwn`: whether the code of this gateway is running. */
export function watchStructures(isOwn: () => boolean): StructureWatch {
  const made: { one: Collection; first: number; where: Error }[] = [];
  const real = { Map: globalThis.Map, Set: globalThis.Set };
  const watched = <T extends typeof Map | typeof Set>(type: T): T =>
    new Proxy(type, {
      construct: (target, given, newTarget) => {
        const one = Reflect.construct(target, given, newTarget) as Collection;
        if (isOwn()) made.push({ one, first: 0, where: new Error('made here') });
        return one;
      },
    });
  Object.assign(globalThis, { Map: watched(real.Map), Set: watched(real.Set) });
  return {
    end: () => {
      Object.assign(globalThis, real);
      for (const structure of made) structure.first = sizeOf(structure.one);
    },
    grown: () =>
      made.flatMap(({ one, first, where }) => {
        const more = sizeOf(one) - first;
        if (more <= mostEntries) return [];
        const place = placeIn(where);
        if (more <= (limits[place.split(':')[0] ?? ''] ?? 0)) return [];
        return [`the collection of ${place} has ${more} entries more than at the start`];
      }),
  };
}

/** With the entries of the collections in it. */
function sizeOf(one: Collection): number {
  let { size } = one;
  for (const value of one.values()) {
    if (Array.isArray(value)) size += value.length;
    else if (value instanceof Map || value instanceof Set) size += value.size;
  }
  return size;
}

/** The line of the gateway's sources; to read it takes time. */
function placeIn({ stack = '' }: Error): string {
  const line = stack.split('\n').find((one) => one.includes('/server/src/'));
  return line?.split('/server/src/')[1]?.replace(')', '') ?? 'a package';
}
