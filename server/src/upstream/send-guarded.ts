// One call to a provider through its guard: admitted or rejected, timed, counted, and checked when
// the answer arrives. Searches, extractions and jobs all use it.
import type { Refusal } from './core/refusal.ts';
import type { Outgoing, Sent } from '../platform/http-client.ts';
import type { ReadyProvider } from './choose-provider.ts';
import { callerLeft, enterGuard, leaveGuard } from './guard.ts';
import type { UpstreamContext } from './context.ts';
import { sendRedacted } from './redact.ts';

interface CheckedAnswer<T> {
  value: T;
  /** What the answer means for the provider and the credential; undefined for a good one. */
  refusal: Refusal | undefined;
}

/** A busy or failing provider is not called at all; `turned_away` says why. */
export async function sendGuarded<T>(
  context: UpstreamContext,
  chosen: ReadyProvider,
  key: string | undefined,
  outgoing: Outgoing & { account_id?: string },
  check: (sent: Sent) => CheckedAnswer<T>,
): Promise<CheckedAnswer<T> | { turned_away: Refusal }> {
  const { provider, guard } = chosen;
  const { signal, account_id = '', ...call } = outgoing;
  if (signal?.aborted) return { turned_away: callerLeft };
  const turnedAway = guard && (await enterGuard(guard, account_id, signal));
  if (turnedAway) return { turned_away: turnedAway };
  const began = context.clock.ticks();
  let refusal: Refusal | undefined = unheard;
  try {
    // The provider may charge for a request it received, so a disconnect does not abort it.
    const checked = check(await sendRedacted(context, chosen, call));
    ({ refusal } = checked);
    return checked;
  } finally {
    if (guard) leaveGuard(guard, account_id, key, refusal);
    context.metrics?.called(
      provider.id,
      refusal?.kind ?? 'answered',
      context.clock.ticks() - began,
    );
  }
}

const unheard: Refusal = { kind: 'abandoned', message: 'the call was never read' };
