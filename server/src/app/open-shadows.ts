// Shadow calls as requests of the account that pays: admitted, held, settled and logged like any
// other, through the same function.
import { GatewayError } from '@trivium/contract';
import type { SearchResponse } from '@trivium/contract';
import type { Authenticator } from '../accounts/index.ts';
import { type Limiters, makeAdmit, makePaidTools, servePaid } from '../http/index.ts';
import { newRequestId } from '../platform/ids.ts';
import { machine } from '../platform/machine.ts';
import type { Metrics } from '../platform/metrics.ts';
import { type AskShadow, makeShadows, type Shadows } from '../search/index.ts';
import type { JobContext } from '../transcription/index.ts';
import { isReady } from '../upstream/index.ts';
import { checkShadowAccounts } from './check-shadow-accounts.ts';
import type { AppContext } from './context.ts';

interface ShadowParts {
  context: AppContext;
  jobs: JobContext;
  authenticator: Authenticator;
  limiters: Limiters;
  metrics: Metrics;
}

/** Undefined when nothing is repeated: requests then have nothing to do for it. */
export function openShadows(parts: ShadowParts): Shadows | undefined {
  const { context, authenticator, metrics } = parts;
  const { shadow } = context.settings;
  if (!shadow) return undefined;
  const { clock, log, evidence, overlap, providers, random = machine.random } = context;
  const engines = shadow.engines.filter((id) => isReady(providers[id]));
  const shadows = makeShadows({
    ...{ clock, log, evidence, random, settings: { ...shadow, engines } },
    ...(overlap ? { overlap } : {}),
    payer: () => authenticator.identify(shadow.key),
    ask: makeAsk(parts),
  });
  checkShadowAccounts(context, shadow).catch((error: unknown) => {
    log.warn({ err: error }, 'the accounts of shadow calls could not be checked');
  });
  const help = 'Calls of shadow searches: asked, failed, refused by a limit or a policy, dropped.';
  metrics.total('trivium_shadow_calls_total', help, ['result'], () =>
    Object.entries(shadows.counts()).map(([result, value]) => ({ labels: { result }, value })),
  );
  return shadows;
}

/** Only this says something about the engine; others are limits and policies of this gateway. */
const failure = 'provider_error';

function makeAsk({ context, jobs, authenticator, limiters }: ShadowParts): AskShadow {
  const { shadows: _shadows, ...own } = context;
  const addresses = { privateHosts: [], allowPrivateWebhooks: false };
  const { search } = makePaidTools(own, jobs, addresses);
  const admit = makeAdmit(authenticator, limiters);
  return async (body, caller) => {
    try {
      const served = await admit(caller, () =>
        servePaid(search, caller, {
          request_id: newRequestId(),
          body,
          // Prices and latencies are compared, and the cache has neither.
          headers: { 'x-trivium-cache': '0' },
        }),
      );
      const { results, usage }: SearchResponse = JSON.parse(served.text);
      return { pages: results.map(({ id }) => id), cost: Math.round(usage.cost_usd * 1e6) };
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return error.type === failure ? 'failed' : undefined;
    }
  };
}
