// Audits the ledger of the configured store. It only reads, so gateways can keep running. With
// `--gateway <url>` it also checks that a running gateway's memory agrees with the store.
import { MemoryAudit } from '@trivium/contract';
import { choosePrices } from '../choose-prices.ts';
import { StartError } from '../../platform/start-error.ts';
import { freeProviders } from '../../providers/index.ts';
import { auditLedger, auditLines, violationLines } from '../../billing/index.ts';
import { openForReading, runProgram } from './programs.ts';

const timeoutMs = 30_000;

await runProgram(process.env, async (words, settings) => {
  const gateway = readGatewayOption(words);
  const { name, database, readJournal } = await openForReading(settings);
  const free = freeProviders(choosePrices(settings.prices));
  const options = { now: Date.now(), freeProviders: free, ...(readJournal && { readJournal }) };
  const audit = await auditLedger(database, options);
  await database.close();
  process.stdout.write(auditLines(name, audit));
  const memory = gateway === undefined ? [] : await auditGateway(gateway, settings.admin_token);
  return audit.violations.length + memory.length === 0 ? 0 : 1;
});

function readGatewayOption([option, url, ...more]: readonly string[]): URL | undefined {
  if (option === undefined) return undefined;
  const parsed = URL.parse(url ?? '');
  if (option !== '--gateway' || !parsed || more.length > 0) {
    throw new StartError('Use: audit [--gateway http://127.0.0.1:8787]');
  }
  return parsed;
}

/** Prints the gateway's audit of its memory, and returns the violations. */
async function auditGateway(gateway: URL, token: string | undefined): Promise<string[]> {
  if (token === undefined) {
    throw new StartError('Set TRIVIUM_ADMIN_TOKEN: only operators can audit a gateway.');
  }
  const { accounts, reserved_usd, violations } = await readMemoryAudit(gateway, token);
  const result =
    violations.length === 0 ? ['It agrees with the store.'] : violationLines(violations);
  const sum = `  ${accounts} accounts, ${reserved_usd ?? 'no amount of'} USD reserved`;
  process.stdout.write(`Memory of ${gateway.origin}\n${sum}\n${result.join('\n')}\n`);
  return violations;
}

async function readMemoryAudit(gateway: URL, token: string): Promise<MemoryAudit> {
  try {
    const response = await fetch(new URL('/admin/v1/books', gateway), {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok) throw new Error(`it answered ${response.status}`);
    return MemoryAudit.parse(await response.json());
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The gateway at ${gateway.origin} could not be audited: ${reason}.`);
  }
}
