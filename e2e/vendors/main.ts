// The program of `npm test -- --suite vendors`: installs the newest clients of the vendors into a
// temporary folder, checks with their own models what the adapters send, and compares their public
// types with those of the last run. `--keep` makes this run the last one.
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { providerIds, typedName } from '@trivium/contract';
import { projectRoot, runCommand } from '../../scripts/command.ts';
import { loadBrave } from './brave-client.ts';
import { capturedCalls, writeCalls } from './captured-calls.ts';
import { type Client, compareTypes } from './compare-types.ts';
import { installBrave, installForPython, lastLine } from './newest-clients.ts';

const lastRunFile = join(import.meta.dir, 'last-run.json');
const judgeLimitMs = 5 * 60_000;
const maxShown = 20;

type Clients = Record<string, Client>;
interface Found {
  clients: Clients;
  /** By vendor, what a client would not send, each once. */
  faults: Map<string, Set<string>>;
  /** By vendor, why nothing could be checked. */
  missing: Map<string, string>;
  /** By vendor, why an older client was checked than the newest one. */
  older: Map<string, string>;
}

const began = performance.now();
const root = await mkdtemp(join(tmpdir(), 'trivium-vendors-'));
try {
  const calls = capturedCalls();
  const matrix = join(root, 'matrix');
  writeCalls(matrix, calls);
  const found: Found = { clients: {}, faults: new Map(), missing: new Map(), older: new Map() };
  await Promise.all([judgeInPython(found, matrix), judgeBrave(found, calls.get('brave') ?? [])]);
  const lastRun = JSON.parse(readFileSync(lastRunFile, 'utf8')) as Clients;
  for (const vendor of providerIds.map(typedName).toSorted()) {
    report(vendor, calls.get(vendor)?.length ?? 0, lastRun[vendor], found);
  }
  if (process.argv.includes('--keep')) keep({ ...lastRun, ...readable(found.clients) });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  process.stdout.write(`\nDone in ${seconds} s.\n`);
  const isIncomplete = found.missing.size > 0 || found.older.size > 0;
  process.exitCode = found.faults.size > 0 || isIncomplete ? 1 : 0;
} finally {
  await rm(root, { recursive: true, force: true });
}

async function judgeInPython(found: Found, matrix: string): Promise<void> {
  const { clients, faults, missing, older } = found;
  const python = await installForPython(join(root, 'python'));
  if ('missing' in python) return void missing.set('python', python.missing);
  const script = join(import.meta.dir, '../python/vendor_drift.py');
  const folders = [matrix, join(projectRoot, 'server/src/providers')];
  const flags = ['-E', '-s', '-B'];
  const judged = await runCommand(
    python.program,
    [...flags, script, join(root, 'out'), ...folders],
    {
      capture: true,
      limitMs: judgeLimitMs,
    },
  );
  if (judged.code !== 0) return void missing.set('python', lastLine(judged.output));
  const { requests, clients: described } = JSON.parse(
    readFileSync(join(root, 'out'), 'utf8'),
  ) as Judged;
  Object.assign(clients, described);
  for (const { vendor, faults: some } of requests) {
    for (const fault of some) addFault(faults, vendor, fault);
  }
  await Promise.all(
    Object.entries(described).map(async ([vendor, { package: name, version }]) => {
      const reason = await python.notNewest(name, version);
      if (reason !== undefined) older.set(vendor, reason);
    }),
  );
}

interface Judged {
  requests: { vendor: string; faults: string[] }[];
  clients: Clients;
}

async function judgeBrave(
  { clients, faults, missing }: Found,
  calls: readonly { url: string }[],
): Promise<void> {
  const installed = await installBrave(join(root, 'npm'));
  if ('missing' in installed) return void missing.set('brave', installed.missing);
  try {
    const { judge, ...client } = await loadBrave(installed.folder);
    clients['brave'] = client;
    for (const { url } of calls) for (const fault of judge(url)) addFault(faults, 'brave', fault);
  } catch (error) {
    missing.set('brave', `the client cannot be read any more: ${String(error)}`);
  }
}

function addFault(faults: Found['faults'], vendor: string, fault: string): void {
  faults.set(vendor, (faults.get(vendor) ?? new Set()).add(fault));
}

function report(vendor: string, calls: number, before: Client | undefined, found: Found): void {
  const client = found.clients[vendor];
  if (!client) {
    const reason = found.missing.get(vendor) ?? found.missing.get('python');
    const hasNone = vendor === 'serper' || vendor === 'jina';
    return say(vendor, hasNone ? 'publishes no client' : `could not be checked: ${reason}`);
  }
  const versions =
    before && before.version !== client.version
      ? `${before.version} is now ${client.version}`
      : client.version;
  const faults = [...(found.faults.get(vendor) ?? [])];
  const verdict =
    faults.length === 0 ? 'accepts all of them' : `does not accept ${faults.length} things`;
  say(vendor, `${client.package} ${versions}: ${calls} calls, ${verdict}`);
  const reason = found.older.get(vendor);
  list([...(reason ? [reason] : []), ...faults.map((fault) => `refused: ${fault}`)]);
  // A client that cannot be read is among the faults.
  if (Object.keys(client.types).length === 0) return;
  if (before) list(compareTypes(before.types, client.types));
  else
    process.stdout.write(`  ${Object.keys(client.types).length} types, none of them known yet\n`);
}

function say(vendor: string, line: string): void {
  process.stdout.write(`${vendor.padEnd(12)}${line}\n`);
}

function list(lines: readonly string[]): void {
  for (const line of lines.slice(0, maxShown)) process.stdout.write(`  ${line}\n`);
  const more = lines.length - maxShown;
  if (more > 0) process.stdout.write(`  and ${more} more\n`);
}

function readable(clients: Clients): Clients {
  const known = ([, { types }]: [string, Client]) => Object.keys(types).length > 0;
  return Object.fromEntries(Object.entries(clients).filter(known));
}

/** One type on each line, so that a change is easy to read. */
function keep(clients: Clients): void {
  const vendors = Object.entries(clients)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([vendor, { package: name, version, types }]) => {
      const lines = Object.entries(types).map(
        ([type, fields]) => `      ${JSON.stringify(type)}: ${JSON.stringify(fields)}`,
      );
      const head = `    "package": ${JSON.stringify(name)},\n    "version": ${JSON.stringify(version)}`;
      return `  "${vendor}": {\n${head},\n    "types": {\n${lines.join(',\n')}\n    }\n  }`;
    });
  writeFileSync(lastRunFile, `{\n${vendors.join(',\n')}\n}\n`);
}
