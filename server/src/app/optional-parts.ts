// Parts of the gateway that its settings open: shadow calls, the evidence for routing, and the
// storage for uploads.
import { GatewayError, type SearchResponse, type ToolName } from '@trivium/contract';
import { join, resolve } from 'node:path';
import { readNames } from '../accounts/index.ts';
import { howToTopUp, readBalance } from '../billing/index.ts';
import { type HttpContext, makePaidTools, servePaid } from '../http/index.ts';
import { newId } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { machine } from '../platform/machine.ts';
import type { Metrics } from '../platform/metrics.ts';
import { type RoutingEvidence, makeRoutingEvidence } from '../quality/index.ts';
import { seedLatencies } from '../reporting/index.ts';
import { type Caller, checkTool, storageFull, totalOf } from '../requests/index.ts';
import { type AskShadow, type Shadows, makeShadows } from '../search/index.ts';
import type { ShadowSettings } from '../settings/index.ts';
import type { ReadableDatabase } from '../store/index.ts';
import {
  type UploadContext,
  makeLengthReader,
  makeReceiving,
  openFileBucket,
  openFileFolder,
} from '../uploads/index.ts';
import { type Latencies, makeLatencies } from '../upstream/core/index.ts';
import { isReady } from '../upstream/index.ts';
import type { AppContext } from './context.ts';

/** Undefined when nothing is repeated: requests then have nothing to do for it. */
export function openShadows(
  context: AppContext,
  http: HttpContext,
  metrics: Metrics,
): Shadows | undefined {
  const { shadow } = context.settings;
  if (!shadow) return undefined;
  const { log, providers, random = machine.random } = context;
  const engines = shadow.engines.filter((id) => isReady(providers[id]));
  const shadows = makeShadows(
    { ...context, random },
    { ...shadow, engines },
    {
      identify: async () => http.authenticator.identify(shadow.key),
      ask: makeAsk(context, http),
    },
  );
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

function makeAsk(context: AppContext, { jobs, admit }: HttpContext): AskShadow {
  const { shadows: _shadows, ...own } = context;
  const { search } = makePaidTools(own, jobs);
  return async (body, caller) => {
    try {
      const served = await admit(caller, () =>
        servePaid(search, caller, {
          request_id: newId('req'),
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

export async function checkShadowAccounts(
  { database, log }: { database: ReadableDatabase; log: Pick<Log, 'warn'> },
  { accounts, excluded }: Pick<ShadowSettings, 'accounts' | 'excluded'>,
): Promise<void> {
  const given = [...accounts, ...excluded];
  const names = await readNames({ database }, 'accounts', given);
  const unknown = given.filter((id) => !names.has(id));
  if (unknown.length === 0) return;
  log.warn(
    { accounts: unknown },
    'TRIVIUM_SHADOW_ACCOUNTS or TRIVIUM_SHADOW_EXCLUDE names accounts that do not exist',
  );
}

/** Latencies are measured only if a tool is routed by latency. */
export async function openRouting(
  context: Pick<AppContext, 'database' | 'clock' | 'settings'>,
): Promise<{ latencies?: Latencies; routingEvidence?: RoutingEvidence; random: () => number }> {
  const { search, extract, transcribe } = context.settings.auto_routing;
  const random = machine.random;
  const byQuality =
    search.kind === 'quality' ? { routingEvidence: makeRoutingEvidence(context) } : {};
  await byQuality.routingEvidence?.refresh();
  const routed = { search, extract, transcription: transcribe };
  const tools = (Object.keys(routed) as ToolName[]).filter(
    (tool) => routed[tool].kind === 'fastest',
  );
  if (tools.length === 0) return { ...byQuality, random };
  const latencies = makeLatencies(() => context.clock.now().getTime());
  await seedLatencies(context, latencies, tools);
  return { ...byQuality, latencies, random };
}

export function openUploads(
  context: AppContext,
  secret: string,
  ownUrl: () => string,
): UploadContext {
  const { bucket, data_dir } = context.settings;
  return {
    ...context,
    secret,
    ownUrl,
    files: bucket ? openFileBucket(bucket) : openFileFolder(join(resolve(data_dir), 'uploads')),
    lengths: makeLengthReader(),
    countGateways: context.ledger.countGateways,
    hasRoom: context.writes.hasRoom,
    checkCaller: (caller) => checkUploader(context, caller),
    receiving: makeReceiving(),
  };
}

/**
 * An upload is stored before it is paid for, so only a caller who could transcribe it may send it.
 */
async function checkUploader(context: AppContext, caller: Caller): Promise<void> {
  checkTool(caller.policy, 'transcription');
  const { balance_usd: balance } = await readBalance(context, caller);
  if (balance <= 0) {
    const topUp = howToTopUp(caller.account_id, context.dashboardUrl);
    throw new GatewayError(
      'insufficient_credits',
      'The balance of this account is used up, so it cannot transcribe a recording. ' +
        `Have an operator top up the account: ${topUp}`,
      { balance_usd: balance },
    );
  }
  const { stored } = context;
  const maxBytes = stored.maxBytes(caller);
  if (totalOf(await stored.read(caller.account_id)) >= maxBytes) throw storageFull(maxBytes);
}
