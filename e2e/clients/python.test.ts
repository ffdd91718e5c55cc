// The vendors' Python clients as a reference: the adapters' requests are validated against their types.
// Reported as left out without Python. sandbox/test/reference-clients has clients that call the
// sandbox.
import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot, runCommand } from '../../scripts/command.ts';
import { keepCompiled, preparePython } from '../python/environment.ts';
import { mistakes, writeWrongRequests } from '../python/wrong-requests.ts';
import { testWhere } from '../leave-out.ts';
import { capturedCalls, writeCalls } from '../vendors/captured-calls.ts';
import { type Client, compareTypes, type Types } from '../vendors/compare-types.ts';
import lastRun from '../vendors/last-run.json' with { type: 'json' };

type Verdict = { vendor: string; case: string; faults: string[] };

const vendors = [
  ...['assemblyai', 'deepgram', 'elevenlabs', 'exa', 'firecrawl', 'linkup', 'parallel'],
  ...['perplexity', 'tavily', 'valyu', 'you'],
];
const checkLimitMs = 10 * 60_000;

// The first installation takes minutes, more than a test may, so it runs before the tests.
const python = await preparePython();

if ('missing' in python) {
  testWhere(python.missing)('the Python clients of the vendors', () => {});
} else {
  const { requests, clients } = await checkClients(python.program);

  for (const vendor of vendors) {
    test(`the Python client of ${vendor} knows every field that the adapter sends`, () => {
      const ours = requests.filter((verdict) => !isMadeWrong(verdict));
      expect(faultsOf(ours, vendor)).toEqual([]);
    });
  }

  test('the kept types of the newest clients are those that the clients have', () => {
    expect(Object.keys(clients).toSorted()).toEqual(vendors.toSorted());
    const kept = lastRun as Record<string, Client>;
    for (const [vendor, { version, types }] of Object.entries(clients)) {
      expect([vendor, Object.keys(types).length > 0]).toEqual([vendor, true]);
      // The pinned client may be older than the newest.
      if (kept[vendor]?.version !== version) continue;
      const differences = compareTypes(namesIn(kept[vendor].types), namesIn(types));
      expect([vendor, differences]).toEqual([vendor, []]);
    }
  });

  test('detects a field, a value, a type and a path that a client does not know', () => {
    const found = requests.filter(isMadeWrong);
    const expected = Object.entries(mistakes).map(([vendor, faults]) => ({
      vendor,
      case: `${vendor}.wrong.json`,
      faults: faults.map((fault): unknown => expect.stringContaining(fault)),
    }));
    expect(found).toEqual(expected as Verdict[]);
  });
}

type Report = { requests: Verdict[]; clients: Record<string, Client> };

async function checkClients(program: string): Promise<Report> {
  const wrong = writeWrongRequests();
  afterAll(() => rmSync(wrong, { recursive: true, force: true }));
  const script = join(import.meta.dir, '../python/vendor_drift.py');
  const matrix = mkdtempSync(join(tmpdir(), 'trivium-matrix-'));
  afterAll(() => rmSync(matrix, { recursive: true, force: true }));
  writeCalls(matrix, capturedCalls());
  const report = join(wrong, 'report');
  const folders = [join(projectRoot, 'server/src/providers'), matrix, wrong];
  const { code, output } = await runCommand(
    program,
    ['-E', '-s', ...keepCompiled, script, report, ...folders],
    { capture: true, limitMs: checkLimitMs },
  );
  if (code !== 0) throw new Error(`vendor_drift.py ended with ${code}: ${output}`);
  return JSON.parse(readFileSync(report, 'utf8')) as Report;
}

/** Without the types of fields, whose words may depend on the version of Python. */
function namesIn(types: Types): Types {
  const bare = (fields: Types[string]) =>
    Object.fromEntries(Object.keys(fields).map((field) => [field, '']));
  return Object.fromEntries(Object.entries(types).map(([type, fields]) => [type, bare(fields)]));
}

function isMadeWrong(verdict: Verdict): boolean {
  return verdict.case === `${verdict.vendor}.wrong.json`;
}

/** A vendor without any checked request is also a fault. */
function faultsOf(verdicts: Verdict[], vendor: string): string[] {
  const checked = verdicts.filter((verdict) => verdict.vendor === vendor);
  if (checked.length === 0) return [`nothing of ${vendor} was checked`];
  return checked.flatMap((one) => one.faults.map((fault) => `${one.case}: ${fault}`));
}
