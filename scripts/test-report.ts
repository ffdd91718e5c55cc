// Reads what a test run reports, and adds runs up to the one line at the end of `npm test`.

export interface TestReport {
  passed: number;
  failed: number;
  skipped: number;
  /** One line for everything that must be mended, with where it is. */
  faults: string[];
  /** One line for every test that this machine cannot run, with what it lacks. */
  leftOut: string[];
}

/** A check that is not a test, or a run that could not begin, counts as one failure. */
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

/** A skipped test is easily overlooked, so a run with one is red, unless it may be left out. */
export function isGreen(report: TestReport): boolean {
  return report.faults.length === 0 && report.passed > 0;
}

export function formatTotals({ passed, failed, skipped }: TestReport): string {
  const end = skipped > 0 ? `, ${skipped} skipped` : '';
  return `${passed} passed, ${failed} failed${end}`;
}

// The only tests that may be left out: they need a language that the project itself does not.
const mayBeLeftOut = ['e2e/clients/python.test.ts'];

/** Reads the JUnit file of one run; a run that wrote none has failed as a whole. */
export async function readReport(
  name: string,
  path: string,
  files: string[],
  code: number,
): Promise<TestReport> {
  const file = Bun.file(path);
  if (!(await file.exists())) return failedCheck(`${name}: ended with ${code} and no report`);
  return judgeRun(name, await file.text(), files, code);
}

/** Bun's report leaves out files that do not load, so every file asked for must appear in it. */
export function judgeRun(name: string, xml: string, files: string[], code: number): TestReport {
  const cases = parseCases(xml);
  const seen = new Set(cases.map((test) => test.file));
  const silent = files
    .filter((file) => !seen.has(file))
    .map((file) => `${file}: no test of it ran (it does not load, or holds none)`);
  const failed = cases.filter((test) => test.outcome === 'failed');
  const skipped = cases.filter((test) => test.outcome === 'skipped');
  const leftOut = skipped.filter((test) => mayBeLeftOut.includes(test.file));
  const faults = [
    ...silent,
    ...failed.map((test) => `${test.place}: ${test.name}`),
    ...skipped
      .filter((test) => !leftOut.includes(test))
      .map((test) => `${test.place}: ${test.name} (skipped: mend it or remove it)`),
  ];
  const unexplained = code !== 0 && faults.length === 0 ? [`${name}: ended with ${code}`] : [];
  return {
    passed: cases.length - failed.length - skipped.length,
    failed: failed.length + silent.length + unexplained.length,
    skipped: skipped.length,
    faults: [...faults, ...unexplained],
    leftOut: leftOut.map((test) => `${test.file}: ${test.name}`),
  };
}

interface TestCase {
  name: string;
  file: string;
  place: string;
  outcome: 'passed' | 'failed' | 'skipped';
}

// Attribute values hold no bare angle brackets, so the tags can be told apart by a pattern.
const CASE = /<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g;

function parseCases(xml: string): TestCase[] {
  return [...xml.matchAll(CASE)].map(([, attributes = '', body = '']) => {
    const file = readAttribute(attributes, 'file');
    // Bun writes the groups around a test from the innermost outwards.
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

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

function readAttribute(attributes: string, name: string): string {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
  return value.replace(/&(lt|gt|quot|apos|amp);/g, (_, entity: string) => ENTITIES[entity] ?? '');
}
