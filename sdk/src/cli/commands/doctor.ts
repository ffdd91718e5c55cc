// trivium doctor: looks at everything a working gateway needs, and says what to do about the rest.
import { spawn } from 'node:child_process';
import type { ProviderDescription } from '@trivium/contract';
import { programOf } from '../clone.ts';
import { printJson } from '../command.ts';
import type { Command, Context } from '../command.ts';
import { messageOf } from '../finding.ts';
import type { Finding } from '../finding.ts';
import { formatUsd } from '../paid.ts';
import { formatTable } from '../table.ts';
import { CLEAR_LINE } from '../progress.ts';
import { tryProvider } from '../try-provider.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check gateway, settings, store, callbacks, key, money and each provider',
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
  if (gateway.state === 'fault') return [gateway, await settings(context)];
  const store = answering(context, 'store', context.url, '/readyz');
  const around = await Promise.all([settings(context), store, callbacks(context)]);
  const findings = [gateway, ...around];
  let listed: ProviderDescription[];
  try {
    listed = (await context.client().providers({ signal: context.signal })).providers;
  } catch (error) {
    const advice = 'Put a key of this gateway into TRIVIUM_API_KEY; its first start prints one.';
    return [...findings, { check: 'key', state: 'fault', found: messageOf(error), advice }];
  }
  findings.push({ check: 'key', state: 'ok', found: 'accepted' }, await money(context));
  if (!calls) return [...findings, ...listed.map(untried)];
  if (context.live) context.note(`Asking ${listed.length} providers …`);
  const client = context.client();
  const tried = listed.map((provider) => tryProvider(client, provider, context.signal));
  const found = await Promise.all(tried);
  if (context.live) context.note(CLEAR_LINE);
  return [...findings, ...found];
}

function untried({ id, name, state }: ProviderDescription): Finding {
  const found = state === 'configured' ? 'configured, not called' : state.replace('_', ' ');
  return { check: `${id} ${name}`, state: 'note', found };
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
  const finding = await answering(context, check, url.replace(/(?<!\/)\/+$/, ''), '/healthz');
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

/** The programs of a clone check the settings of this shell and of the .env file in this folder. */
async function settings({ env, signal }: Context): Promise<Finding> {
  const check = 'settings';
  const [command, ...words] = programOf('server/src/maintain.ts', ['settings']) ?? [];
  if (command === undefined) {
    const found = 'checked by the gateway when it starts; a clone can check them here';
    return { check, state: 'note', found };
  }
  const child = spawn(command, words, { env, signal, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (part: Buffer) => (told += part.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  if (code === 0) return { check, state: 'ok', found: 'those of this shell are in order' };
  const advice = 'docs/settings.md explains every variable.';
  return { check, state: 'fault', found: told.trim().replaceAll('\n', ' '), advice };
}

const CHECK_LIMIT_MS = 10_000;
/** What was found is never cut: a reason without its end is none. */
const WIDE = 10_000;

function show(findings: readonly Finding[], context: Context): void {
  const { style, out } = context;
  const rows = findings.map(({ check, state, found }) => [state, check, found]);
  const table = formatTable(['', 'check', 'found'], rows, { ...context, columns: WIDE });
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
  out(`\n${faults === 0 ? style.green('All is well.') : style.red(`${faults} to mend.`)}\n`);
}
