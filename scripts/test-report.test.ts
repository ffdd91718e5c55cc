// Proves that the last line of `npm test` tells the truth about what the runs reported.
import { describe, expect, test } from 'bun:test';
import { addUp, failedCheck, formatTotals, isGreen, judgeRun, readReport } from './test-report.ts';

const PASSED = '<testcase name="works" classname="" file="a.test.ts" line="2" />';
const GROUPS = 'classname="inner &gt; outer"';
const FAILED = `<testcase name="a &amp; &lt;b&gt;" ${GROUPS} file="a.test.ts" line="3">
  <failure type="AssertionError" message="expected" />
</testcase>`;
const SKIPPED = `<testcase name="later" classname="" file="a.test.ts" line="4">
  <skipped message="TODO" />
</testcase>`;

function judge(cases: string[], code: number, files = ['a.test.ts']) {
  return judgeRun('unit tests', `<testsuites>${cases.join('\n')}</testsuites>`, files, code);
}

describe('a test run', () => {
  test('is green when every test passed', () => {
    const report = judge([PASSED, PASSED], 0);
    expect(report).toEqual({ passed: 2, failed: 0, skipped: 0, faults: [], leftOut: [] });
    expect(isGreen(report)).toBe(true);
  });

  test('names what failed, where, with its groups from the outside in', () => {
    const report = judge([PASSED, FAILED], 1);
    expect(report.faults).toEqual(['a.test.ts:3: outer > inner > a & <b>']);
    expect(formatTotals(report)).toBe('1 passed, 1 failed');
    expect(isGreen(report)).toBe(false);
  });

  test('is red when a test was skipped', () => {
    const report = judge([PASSED, SKIPPED], 0);
    expect(formatTotals(report)).toBe('1 passed, 0 failed, 1 skipped');
    expect(report.faults).toEqual(['a.test.ts:4: later (skipped: mend it or remove it)']);
    expect(isGreen(report)).toBe(false);
  });

  test('is green and says so when what needs another language is left out', () => {
    const file = 'e2e/clients/python.test.ts';
    const report = judge([PASSED, SKIPPED.replace('a.test.ts', file)], 0, ['a.test.ts', file]);
    expect(formatTotals(report)).toBe('1 passed, 0 failed, 1 skipped');
    expect(addUp([report]).leftOut).toEqual([`${file}: later`]);
    expect(isGreen(report)).toBe(true);
  });

  test('is red when a file is missing from the report', () => {
    const report = judge([PASSED], 0, ['a.test.ts', 'b.test.ts']);
    expect(formatTotals(report)).toBe('1 passed, 1 failed');
    expect(report.faults[0]).toStartWith('b.test.ts: no test of it ran');
  });

  test('is red when it ended badly for no visible reason', () => {
    expect(judge([PASSED], 134).faults).toEqual(['unit tests: ended with 134']);
  });

  test('is red when there is no report, and when no test ran', async () => {
    const report = await readReport('unit tests', '/nowhere/report.xml', ['a.test.ts'], 0);
    expect(report.faults).toEqual(['unit tests: ended with 0 and no report']);
    expect(isGreen(addUp([]))).toBe(false);
  });

  test('is added to others, with a failed check counting as one', () => {
    const total = addUp([failedCheck('lint: see above'), judge([PASSED, PASSED], 0)]);
    expect(formatTotals(total)).toBe('2 passed, 1 failed');
    expect(total.faults).toEqual(['lint: see above']);
  });
});
