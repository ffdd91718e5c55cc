// trivium doctor: checks everything a working gateway needs, and says how to fix what is wrong.
import { spawn } from 'node:child_process';
import type { ProviderDescription, ProvidersResponse } from '@trivium/contract';
import { printJson } from '../command.ts';
import type { Command, Context } from '../command.ts';
import { messageOf } from '../finding.ts';
import type { Finding } from '../finding.ts';
import { flagOption } from '../options.ts';
import { formatUsd } from '../paid.ts';
import { formatTable } from '../table.ts';
import { tryProvider } from '../try-provider.ts';

export const doctor: Command = {
  name: 'doctor',
  group: 'The gateway',
  summary: 'Check the gateway, settings, store, callbacks, key, balance and each provider',
  usage: '',
  examples: ['doctor', 'doctor --no-calls'],
  working: 'Checking the gateway',
  options: {
    'no-calls': flagOption('do not call providers; costs nothing'),
  },
  run: async (given, context) => {
    const findings = await runChecks(context, !given.flag('no-calls'));
    if (context.json) printJson(context, { findings });
    else show(findings, context);
    return findings.some(({ state }) => state === 'fault') ? 1 : 0;
  },
};

async function runChecks(context: Context, calls: boolean): Promise<Finding[]> {
  const gateway = await checkUrl(context, 'gateway', context.url(), '/healthz');
  if (gateway.state === 'fault') return [gateway, await checkSettings(context)];
  const store = checkUrl(context, 'store', context.url(), '/readyz');
  const environment = await Promise.all([checkSettings(context), store, checkCallbacks(context)]);
  const findings = [gateway, ...environment];
  let listed: ProvidersResponse;
  try {
    listed = await context.client().providers({ signal: context.signal });
  } catch (error) {
    const advice = 'Log in with a key of this gateway (trivium login); its first start prints one.';
    return [...findings, { check: 'key', state: 'fault', found: messageOf(error), advice }];
  }
  findings.push({ check: 'key', state: 'ok', found: 'accepted' }, await checkBalance(context));
  const { mode, providers } = listed;
  if (mode === 'sandbox') findings.push({ check: 'mode', state: 'note', found: sandboxNote });
  if (!calls) return [...findings, ...providers.map(notCalled)];
  context.status(`Calling ${providers.length} providers`);
  const client = context.client();
  const tried = providers.map((provider) => tryProvider(client, provider, context.signal));
  const found = await Promise.all(tried);
  return [...findings, ...found];
}

function notCalled({ id, name, state }: ProviderDescription): Finding {
  const found = state === 'configured' ? 'configured, not called' : state.replace('_', ' ');
  return { check: `${id} ${name}`, state: 'note', found };
}

async function checkUrl(
  { signal }: Context,
  check: string,
  url: string,
  path: string,
): Promise<Finding> {
  const expiry = AbortSignal.timeout(checkLimitMs);
  try {
    const response = await fetch(url + path, { signal: AbortSignal.any([signal, expiry]) });
    if (response.ok) return { check, state: 'ok', found: `${url}${path} answers` };
    const advice = 'See the gateway’s log.';
    return { check, state: 'fault', found: `${path} answers ${response.status}`, advice };
  } catch (error) {
    const advice = 'Start it with trivium serve, or set TRIVIUM_URL to its address.';
    // This reference keeps the time limit from being garbage-collected before it ends the request.
    const why = expiry.aborted ? `no response within ${checkLimitMs} ms` : messageOf(error);
    return { check, state: 'fault', found: `${url}: ${why}`, advice };
  }
}

async function checkCallbacks(context: Context): Promise<Finding> {
  const check = 'callbacks';
  const url = context.env['TRIVIUM_PUBLIC_URL'];
  if (!url) {
    const found = 'TRIVIUM_PUBLIC_URL is not set here; transcriptions are polled';
    return { check, state: 'note', found };
  }
  const finding = await checkUrl(context, check, url.replace(/(?<!\/)\/+$/, ''), '/healthz');
  const advice = 'Providers must reach this address: check DNS, TLS and the proxy in front.';
  return finding.state === 'fault' ? { ...finding, advice } : finding;
}

async function checkBalance(context: Context): Promise<Finding> {
  const check = 'balance';
  try {
    const { balance_usd } = await context.client().balance({ signal: context.signal });
    const found = `${formatUsd(balance_usd)} USD`;
    if (balance_usd > 0) return { check, state: 'ok', found };
    return { check, state: 'fault', found, advice: 'Add money to the account: trivium topup.' };
  } catch (error) {
    return { check, state: 'fault', found: messageOf(error) };
  }
}

/** A program of the gateway checks the settings of this shell and of the .env file here. */
async function checkSettings({ env, signal, programs }: Context): Promise<Finding> {
  const check = 'settings';
  const [command, ...words] = programs?.commandLine('maintain', ['settings']) ?? [];
  if (command === undefined) {
    const found = 'the gateway checks them when it starts; only the client is installed here';
    return { check, state: 'note', found };
  }
  const child = spawn(command, words, { env, signal, stdio: ['ignore', 'ignore', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  if (code === 0) return { check, state: 'ok', found: 'the settings of this shell are valid' };
  const advice = 'docs/settings.md explains every variable.';
  return { check, state: 'fault', found: stderr.trim().replaceAll('\n', ' '), advice };
}

const sandboxNote = 'sandbox: every vendor is simulated, and results are invented';
const checkLimitMs = 10_000;
/** Findings are never truncated: the end of a reason often matters most. */
const unlimitedColumns = 10_000;

function show(findings: readonly Finding[], context: Context): void {
  const { style, out } = context;
  const rows = findings.map(({ check, state, found }) => [state, check, found]);
  const table = formatTable(['', 'check', 'found'], rows, {
    ...context,
    columns: unlimitedColumns,
  });
  const paint = { ok: style.green, note: style.yellow, fault: style.red };
  out(
    table.replaceAll(/^(ok|note|fault)(?= )/gm, (state) =>
      paint[state as keyof typeof paint](state),
    ),
  );
  const advised = findings.filter(({ advice }) => advice !== undefined);
  if (advised.length > 0) out('\nWhat to do:\n');
  for (const { check, advice } of advised) out(`  ${style.bold(check)}  ${advice}\n`);
  const faults = findings.filter(({ state }) => state === 'fault').length;
  out(
    `\n${faults === 0 ? style.green('Everything works.') : style.red(`Problems to fix: ${faults}.`)}\n`,
  );
}
