// Reads the reports of test runs and sums them into the last line of `npm test`.

export interface TestReport {
  passed: number;
  failed: number;
  skipped: number;
  /** One line for each failure, with its place. */
  faults: string[];
  /** Tests that this machine cannot run. */
  leftOut: LeftOut[];
}

export interface LeftOut {
  file: string;
  tests: number;
  /** What to install. */
  missing: string;
}

/** A check that is not a test, or a run that could not start, counts as one failure. */
export function failedCheck(fault: string): TestReport {
  return { passed: 0, failed: 1, skipped: 0, faults: [fault], leftOut: [] };
}

export function addUp(reports: TestReport[]): TestReport {
  return {
    passed: reports.reduce((sum, report) => sum + report.passed, 0),
    failed: reports.reduce((sum, report) => sum + report.failed, 0),
    skipped: reports.reduce((sum, report) => sum + report.skipped, 0),
    faults: reports.flatMap((report) => report.faults),
    leftOut: reports.flatMap((report) => report.leftOut),
  };
}

/** A run with a skipped test is red, unless the test may be left out. */
export function isGreen(report: TestReport): boolean {
  return report.faults.length === 0 && report.passed > 0;
}

export function formatTotals({ passed, failed, skipped }: TestReport): string {
  const end = skipped > 0 ? `, ${skipped} skipped` : '';
  return `${passed} passed, ${failed} failed${end}`;
}

export function formatLeftOut({ file, tests, missing }: LeftOut): string {
  return `Left out: ${tests} ${tests === 1 ? 'test' : 'tests'} of ${file}. To run: ${missing}.`;
}

/** Written by e2e/leave-out.ts: the only tests that may be skipped. */
const leftOutName = /\(left out: (.+)\)$/;

/** Reads the JUnit file of one run; a run without one has failed. */
export async function readReport(
  name: string,
  path: string,
  files: string[],
  code: number,
): Promise<TestReport> {
  const file = Bun.file(path);
  if (!(await file.exists())) return failedCheck(`${name}: ended with ${code} and no report`);
  return readRun(name, await file.text(), files, code);
}

/** Any other means that the runner itself ended. */
const codeOfFailedTests = 1;

/** Bun's report omits files that do not load, so each of them must appear in it. */
export function readRun(name: string, xml: string, files: string[], code: number): TestReport {
  const cases = parseCases(xml);
  const seen = new Set(cases.map((test) => test.file));
  const silent = files.filter((file) => !seen.has(file));
  const failed = cases.filter((test) => test.outcome === 'failed');
  const skipped = cases.filter((test) => test.outcome === 'skipped');
  const leftOut = skipped.filter((test) => leftOutName.test(test.name));
  const faults = [
    ...silent.map((file) => `${file}: no test of it ran (it does not load, or has none)`),
    ...failed.map((test) => `${test.place}: ${test.name}`),
    ...skipped
      .filter((test) => !leftOut.includes(test))
      .map((test) => `${test.place}: ${test.name} (skipped: fix it or remove it)`),
  ];
  const isExplained = code === 0 || (code === codeOfFailedTests && faults.length > 0);
  const unexplained = isExplained ? [] : [`${name}: ended with ${code}`];
  return {
    passed: cases.length - failed.length - skipped.length,
    failed: failed.length + silent.length + unexplained.length,
    skipped: skipped.length,
    faults: [...faults, ...unexplained],
    leftOut: groupLeftOut(leftOut),
  };
}

function groupLeftOut(cases: readonly TestCase[]): LeftOut[] {
  const groups = Map.groupBy(cases, ({ file, name }) =>
    JSON.stringify([file, leftOutName.exec(name)?.[1]]),
  );
  return [...groups].map(([group, { length }]) => {
    const [file, missing] = JSON.parse(group) as [string, string];
    return { file, tests: length, missing };
  });
}

interface TestCase {
  name: string;
  file: string;
  place: string;
  outcome: 'passed' | 'failed' | 'skipped';
}

// Attribute values contain no bare angle brackets, so a pattern can find the tags.
const caseLine = /<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;

function parseCases(xml: string): TestCase[] {
  return [...xml.matchAll(caseLine)].map(([, attributes = '', body = '']) => {
    const file = readAttribute(attributes, 'file');
    // Bun writes the groups of a test with the innermost first.
    const groups = readAttribute(attributes, 'classname').split(' > ').reverse();
    return {
      name: [...groups.filter(Boolean), readAttribute(attributes, 'name')].join(' > '),
      file,
      place: `${file}:${readAttribute(attributes, 'line')}`,
      outcome: outcomeOf(body),
    };
  });
}

function outcomeOf(body: string): TestCase['outcome'] {
  if (body.includes('<skipped')) return 'skipped';
  return /<(failure|error)\b/.test(body) ? 'failed' : 'passed';
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function readAttribute(attributes: string, name: string): string {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  return value.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => entities[entity] ?? '');
}
