// trivium doctor: looks at everything a working gateway needs, and says what to do about the rest.
import type { ProviderDescription } from '@trivium/contract';
import { ApiError } from '../../errors.ts';
import { printJson } from '../command.ts';
import type { Command, Context } from '../command.ts';
import { formatUsd } from '../paid.ts';
import { formatTable } from '../table.ts';

export interface Finding {
  check: string;
  state: 'ok' | 'note' | 'fault';
  found: string;
  advice?: string;
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check the gateway, its store, your key, the money and each provider',
  usage: '',
  options: {
    'no-calls': { type: 'boolean', describe: 'call no provider, so that it costs nothing' },
  },
  run: async (given, context) => {
    const findings = await examine(context, !given.flag('no-calls'));
    if (context.json) printJson(context, { findings });
    else show(findings, context);
    return findings.some(({ state }) => state === 'fault') ? 1 : 0;
  },
};

async function examine(context: Context, calls: boolean): Promise<Finding[]> {
  const gateway = await answering(context, 'gateway', context.url, '/healthz');
  if (gateway.state === 'fault') return [gateway];
  const store = await answering(context, 'store', context.url, '/readyz');
  const findings = [gateway, store, await callbacks(context)];
  let listed: ProviderDescription[];
  try {
    listed = (await context.client().providers({ signal: context.signal })).providers;
  } catch (error) {
    const advice = 'Put a key of this gateway into TRIVIUM_API_KEY; its first start prints one.';
    return [...findings, { check: 'key', state: 'fault', found: messageOf(error), advice }];
  }
  findings.push({ check: 'key', state: 'ok', found: 'accepted' }, await money(context));
  for (const provider of listed) findings.push(await tryProvider(context, provider, calls));
  return findings;
}

async function answering(
  { signal }: Context,
  check: string,
  url: string,
  path: string,
): Promise<Finding> {
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CHECK_LIMIT_MS)]);
    const response = await fetch(url + path, { signal: limit });
    if (response.ok) return { check, state: 'ok', found: `${url}${path} answers` };
    const advice = 'Look into the log of the gateway.';
    return { check, state: 'fault', found: `${path} answers ${response.status}`, advice };
  } catch (error) {
    const advice = 'Start it with trivium serve, or say where it is in TRIVIUM_URL.';
    return { check, state: 'fault', found: `${url}: ${messageOf(error)}`, advice };
  }
}

async function callbacks(context: Context): Promise<Finding> {
  const check = 'callbacks';
  const url = context.env['TRIVIUM_PUBLIC_URL'];
  if (!url) {
    const found = 'TRIVIUM_PUBLIC_URL is not set here; transcriptions are polled for';
    return { check, state: 'note', found };
  }
  const finding = await answering(context, check, url.replace(/\/+$/, ''), '/healthz');
  const advice = 'Providers must reach this address: check DNS, TLS and the proxy in front.';
  return finding.state === 'fault' ? { ...finding, advice } : finding;
}

async function money(context: Context): Promise<Finding> {
  const check = 'balance';
  try {
    const { balance_usd } = await context.client().balance({ signal: context.signal });
    const found = `${formatUsd(balance_usd)} USD`;
    if (balance_usd > 0) return { check, state: 'ok', found };
    return { check, state: 'fault', found, advice: 'Have the account topped up: trivium topup.' };
  } catch (error) {
    return { check, state: 'fault', found: messageOf(error) };
  }
}

async function tryProvider(
  context: Context,
  { id, name, state, tools }: ProviderDescription,
  calls: boolean,
): Promise<Finding> {
  const check = `${id} ${name}`;
  if (state !== 'configured') return { check, state: 'note', found: state.replace('_', ' ') };
  if (!calls || tools.search === undefined) {
    return { check, state: 'ok', found: 'configured, not called' };
  }
  try {
    const provider = id as 'engine_a';
    const request = { query: 'weather', provider, max_results: 1 };
    const { latency_ms, usage } = await context.client().search(request, {
      signal: context.signal,
    });
    const found = `answers in ${latency_ms} ms for ${formatUsd(usage.cost_usd)} USD`;
    return { check, state: 'ok', found };
  } catch (error) {
    const advice = 'Check its credential, and whether its account has money left.';
    return { check, state: 'fault', found: messageOf(error), advice };
  }
}

const CHECK_LIMIT_MS = 10_000;

function messageOf(error: unknown): string {
  if (error instanceof ApiError) return `${error.type}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

function show(findings: readonly Finding[], context: Context): void {
  const rows = findings.map(({ check, state, found, advice }) => [
    state,
    check,
    advice === undefined ? found : `${found} → ${advice}`,
  ]);
  context.out(formatTable(['', 'check', 'found'], rows, { ...context, columns: 1000 }));
  const faults = findings.filter(({ state }) => state === 'fault').length;
  const sum = faults === 0 ? context.style.green('All is well.') : `${faults} to mend.`;
  context.out(`\n${sum}\n`);
}
