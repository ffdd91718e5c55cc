// Collects what the gateway found in the texts of an answer, by result, from its warnings.
import type { Warning } from '@trivium/contract';

const place = /^[a-z]+\[(\d{1,6})\]/;
const signal = /(?:^|; )([a-z_]{1,40}) at \d/g;

/** The ids of the signals by the position of the result. */
export function signalsByResult(warnings: readonly Warning[]): ReadonlyMap<number, string[]> {
  const found = new Map<number, string[]>();
  for (const { code, param, message } of warnings) {
    const at = place.exec(param ?? '')?.[1];
    if (code !== 'content_flagged' || at === undefined) continue;
    const known = found.get(Number(at)) ?? [];
    found.set(Number(at), [...new Set([...known, ...signalsIn(message)])]);
  }
  return found;
}

/** The ids that a message names. */
export function signalsIn(message: string): string[] {
  return [...message.matchAll(signal)].map(([, id = '']) => id);
}

/** The field is present only if there are signals. */
export function withSignals(signals: readonly string[] | undefined): { signals?: string[] } {
  return signals === undefined || signals.length === 0 ? {} : { signals: [...signals] };
}
