// The vendors' Python clients as a reference: they call the sandbox, and the adapters' requests are
// validated against their types. Reported as left out without Python.
import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, runCommand } from '../../scripts/command.ts';
import { keepCompiled, preparePython } from '../python/environment.ts';
import { mistakes, writeWrongRequests } from '../python/wrong-requests.ts';
import { testWhere } from '../leave-out.ts';
import { startSandboxProcess } from '../sandbox-process.ts';

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
  const { readings, requests } = await checkClients(python.program);

  for (const vendor of vendors) {
    test(`the Python client of ${vendor} works with the sandbox`, () => {
      expect(faultsOf(readings, vendor)).toEqual([]);
    });

    test(`the Python client of ${vendor} knows every field that the adapter sends`, () => {
      const ours = requests.filter((verdict) => !isMadeWrong(verdict));
      expect(faultsOf(ours, vendor)).toEqual([]);
    });
  }

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

type Report = { readings: Verdict[]; requests: Verdict[] };

async function checkClients(program: string): Promise<Report> {
  await using sandbox = await startSandboxProcess();
  const wrong = writeWrongRequests();
  afterAll(() => rmSync(wrong, { recursive: true, force: true }));
  const script = join(import.meta.dir, '../python/check_clients.py');
  const rest = [sandbox.url, join(projectRoot, 'server/src/providers'), wrong];
  const { code, output } = await runCommand(
    program,
    ['-E', '-s', ...keepCompiled, script, ...rest],
    {
      capture: true,
      limitMs: checkLimitMs,
      env: { ...process.env, NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' },
    },
  );
  // Warnings of a client surround the one line of the report.
  const report = output.split('\n').findLast((line) => line.startsWith('{"readings"'));
  if (code !== 0 || report === undefined) {
    throw new Error(`check_clients.py ended with ${code} and no report: ${output}`);
  }
  return JSON.parse(report) as Report;
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
