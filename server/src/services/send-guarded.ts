// One call to a provider through its guard: let in or turned away, timed, counted, and judged once
// it has come back. Searches, extractions and jobs all go this way.
import type { Refusal } from '../domain/refusal.ts';
import type { Outgoing, Sent } from '../platform/http.ts';
import type { Chosen } from './choose-provider.ts';
import { callerLeft, enterGuard, leaveGuard } from './guard.ts';
import type { House } from './house.ts';
import { sendRedacted } from './redact.ts';

export interface Judged<T> {
  value: T;
  /** What the answer says about the provider and the credential; undefined for a good one. */
  refusal: Refusal | undefined;
}

/** A busy or failing provider is not called at all; `turned_away` says why. */
export async function sendGuarded<T>(
  house: House,
  chosen: Chosen,
  key: string | undefined,
  outgoing: Outgoing,
  judge: (sent: Sent) => Judged<T>,
): Promise<Judged<T> | { turned_away: Refusal }> {
  const { provider, guard } = chosen;
  const { signal, ...call } = outgoing;
  if (signal?.aborted) return { turned_away: callerLeft };
  const turned_away = guard && (await enterGuard(guard, signal));
  if (turned_away) return { turned_away };
  const began = house.clock.ticks();
  let refusal: Refusal | undefined = unheard;
  try {
    // What was sent may be charged by the provider, so a caller who leaves does not end it.
    const judged = judge(await sendRedacted(house, chosen, call));
    ({ refusal } = judged);
    return judged;
  } finally {
    if (guard) leaveGuard(guard, key, refusal);
    house.watch?.called(provider.id, refusal?.kind ?? 'answered', house.clock.ticks() - began);
  }
}

const unheard: Refusal = { kind: 'abandoned', message: 'the call was never read' };
