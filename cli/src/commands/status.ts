// trivium status: the gateway on one screen, from reads that cost nothing.
import { providerLabel } from '@trivium/contract';
import type { ProviderDescription, RequestLine } from '@trivium/contract';
import { printJson } from '../command.ts';
import type { Command, Context } from '../command.ts';
import { readHealth } from '../health.ts';
import { formatUsd } from '../paid.ts';
import { plain } from '../style.ts';
import { formatTable } from '../table.ts';

const maxErrors = 5;
const openStatuses = ['queued', 'running'] as const;

export const status: Command = {
  name: 'status',
  group: 'The gateway',
  summary: 'Show mode, version, store, providers, balance, open jobs and the last errors',
  usage: '',
  examples: ['status'],
  working: 'Asking the gateway',
  options: {},
  run: async (_given, context) => {
    const { signal } = context;
    const client = context.client();
    const [health, ready, listed, money, jobs, errors] = await Promise.all([
      readHealth(context),
      isReady(context),
      client.providers({ signal }),
      client.balance({ signal }),
      Promise.all(openStatuses.map((one) => client.jobs.list({ status: one }, { signal }))),
      readErrors(context),
    ]);
    const open = jobs.flatMap(({ jobs: page }) => page).length;
    const { mode, providers } = listed;
    const { version } = health;
    if (context.json) {
      const { balance_usd } = money;
      const found = { url: context.url(), version, mode, ready, balance_usd, open_jobs: open };
      printJson(context, { ...found, providers, errors: errors ?? null });
    } else {
      const rows = [
        ['gateway', `${context.url()}, version ${version}`],
        ['mode', mode === 'sandbox' ? 'sandbox: every vendor is simulated' : 'live'],
        ['store', ready ? 'accepts writes' : 'does not accept writes; see the gateway’s log'],
        ['balance', `${formatUsd(money.balance_usd)} USD`],
        ['open jobs', String(open)],
        ...providers.filter(({ state }) => state === 'configured').map(providerRow),
      ];
      context.out(formatTable(['part', 'state'], rows, context));
      showErrors(errors, context);
    }
    return ready ? 0 : 1;
  },
};

function providerRow({ id, health }: ProviderDescription): [string, string] {
  return [providerLabel(id), health ? describeHealth(health) : 'configured'];
}

function describeHealth(health: NonNullable<ProviderDescription['health']>): string {
  const { circuit, retry_at, credentials, credentials_refused, last_refusal } = health;
  if (circuit === 'open') return `not called until ${retry_at ?? 'later'}, because calls failed`;
  if (credentials_refused > 0) {
    return `${credentials_refused} of ${credentials} credentials refused by the vendor`;
  }
  return last_refusal ? `ok, last failure at ${last_refusal.at}` : 'ok';
}

async function isReady({ url, signal }: Context): Promise<boolean> {
  return (await fetch(`${url()}/readyz`, { signal })).ok;
}

/** Undefined without an operator's token, because only operators may read the request log. */
async function readErrors(context: Context): Promise<RequestLine[] | undefined> {
  if (!context.env['TRIVIUM_ADMIN_TOKEN']) return undefined;
  const filters = { outcome: 'failed', limit: maxErrors } as const;
  return (await context.admin().requests.list(filters, { signal: context.signal })).requests;
}

function showErrors(errors: readonly RequestLine[] | undefined, context: Context): void {
  if (errors === undefined) {
    context.note('Set TRIVIUM_ADMIN_TOKEN to see the last errors.\n');
    return;
  }
  const rows = errors.map(({ created_at, tool, provider, error_message }) => [
    created_at,
    tool,
    plain(provider ?? ''),
    plain(error_message ?? ''),
  ]);
  if (rows.length === 0) context.out('\nNo request has failed.\n');
  else context.out(`\n${formatTable(['time', 'tool', 'provider', 'error'], rows, context)}`);
}
