// A map with a limit. What happens above it is stated where the map is made.
import { gaugeLimit } from './limit-gauges.ts';

export interface BoundedMap<K, V> extends Map<K, V> {
  /**
   * Adds or replaces an entry, where `set` would exceed the limit. False if the map is full and
   * nothing may be evicted.
   */
  put: (key: K, value: V) => boolean;
}

interface Bounds<V> {
  limit: number;
  /** The name in the metrics. */
  name?: string;
  /** Of which entries the oldest is evicted for a new one: of all if absent. */
  mayEvict?: false | ((value: V) => boolean);
}

export function boundedMap<K, V>({ limit, name, mayEvict }: Bounds<V>): BoundedMap<K, V> {
  const map = new Map<K, V>();
  gaugeLimit(name, () => ({ entries: map.size }));
  const put = (key: K, value: V) => {
    if (map.size >= limit && !map.has(key)) {
      const evicted =
        mayEvict !== false && map.entries().find(([, one]) => mayEvict?.(one) ?? true);
      if (!evicted) return false;
      map.delete(evicted[0]);
    }
    map.set(key, value);
    return true;
  };
  return Object.assign(map, { put });
}
