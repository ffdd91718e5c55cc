// At start, asks speech vendors for the settings that callbacks need and the operator did not
// provide. A vendor that does not answer delays the start only briefly.
import { type TranscriberId, transcriberIds } from '@trivium/contract';
import type { TranscribeProduct, VendorSettings } from '../providers/index.ts';
import { parseJson } from '../upstream/core/index.ts';
import {
  type UpstreamContext,
  callProvider,
  keysOf,
  type ReadyProvider,
} from '../upstream/index.ts';
import { callableProviderOf } from './job-context.ts';

export interface Discovered {
  /** The provided settings and the discovered ones. */
  extras: Readonly<Record<string, string>>;
  /** Messages for the start-up lines, by provider. */
  messages: Readonly<Partial<Record<TranscriberId, string>>>;
}

const question = { timeout_ms: 3000, maxBytes: 1024 * 1024 };
const maxSteps = 4;

export async function discoverVendorSettings(context: UpstreamContext): Promise<Discovered> {
  const { extras, public_url } = context.settings;
  if (public_url === undefined) return { extras, messages: {} };
  const all = await Promise.all(
    transcriberIds.map(async (id) => {
      const given = { extras, callback_url: `${public_url}/callbacks/${id}` };
      return { id, ...(await discoverOf(context, id, given)) };
    }),
  );
  return {
    extras: Object.assign({}, ...all.map(({ found }) => found), extras) as Record<string, string>,
    messages: Object.fromEntries(
      all.flatMap(({ id, message }) => (message === undefined ? [] : [[id, message]])),
    ),
  };
}

interface FoundSettings {
  found: Readonly<Record<string, string>>;
  message?: string | undefined;
}

/** A setting counts only if it is found with every credential. The values are joined. */
async function discoverOf(
  context: UpstreamContext,
  id: TranscriberId,
  given: VendorSettings,
): Promise<FoundSettings> {
  const configured = callableProviderOf(context, id);
  const discovery = configured?.provider.transcribe?.discovery;
  if (!discovery) return { found: {} };
  const all = await Promise.all(
    keysOf(configured.upstream).map((key) =>
      discoverWith(context, configured, key, discovery, given),
    ),
  );
  const incomplete = all.find(({ found }) => Object.keys(found).length === 0);
  if (incomplete) return incomplete;
  const [first] = all;
  const names = Object.keys(first?.found ?? {});
  const united = names.map((name) => {
    const values = all.flatMap(({ found }) => (found[name] ?? '').split(','));
    return [name, [...new Set(values)].join(',')];
  });
  return { found: Object.fromEntries(united) as Record<string, string>, message: first?.message };
}

async function discoverWith(
  context: UpstreamContext,
  configured: ReadyProvider,
  key: string,
  { first, next }: NonNullable<TranscribeProduct['discovery']>,
  given: VendorSettings,
): Promise<FoundSettings> {
  let step = first(given);
  for (let steps = 0; steps < maxSteps && step.kind === 'ask'; steps += 1) {
    // Bypasses the guard: a credential that may not list settings can still transcribe.
    const once = { key, isUncounted: true } as const;
    const outcome = await callProvider(context, configured, step.wire, question, { once });
    const { reply } = outcome;
    if (!reply) return { found: {}, message: `the request failed: ${outcome.refusal.message}` };
    step = next({ ...reply, body: parseJson(reply.text) }, step.state, given);
  }
  return step.kind === 'over' ? step : { found: {} };
}
