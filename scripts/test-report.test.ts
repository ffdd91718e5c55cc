// The last line of `npm test` is correct for every kind of report.
import { describe, expect, test } from 'bun:test';
import {
  addUp,
  failedCheck,
  formatLeftOut,
  formatTotals,
  isGreen,
  readRun,
  readReport,
} from './test-report.ts';

const passed = '<testcase name="works" classname="" file="a.test.ts" line="2" />';
const groups = 'classname="inner &gt; outer"';
const failed = `<testcase name="a &amp; &lt;b&gt;" ${groups} file="a.test.ts" line="3">
  <failure type="AssertionError" message="expected" />
</testcase>`;
const skipped = `<testcase name="later" classname="" file="a.test.ts" line="4">
  <skipped message="TODO" />
</testcase>`;

function reportOf(cases: string[], code: number, files = ['a.test.ts']) {
  return readRun('unit tests', `<testsuites>${cases.join('\n')}</testsuites>`, files, code);
}

describe('a test run', () => {
  test('is green when every test passed', () => {
    const report = reportOf([passed, passed], 0);
    expect(report).toMatchObject({ passed: 2, failed: 0, skipped: 0, faults: [], leftOut: [] });
    expect(isGreen(report)).toBe(true);
  });

  test('lists what failed, with its place and its groups, outermost first', () => {
    const report = reportOf([passed, failed], 1);
    expect(report.faults).toEqual(['a.test.ts:3: outer > inner > a & <b>']);
    expect(formatTotals(report)).toBe('1 passed, 1 failed');
    expect(isGreen(report)).toBe(false);
  });

  test('is red when a test was skipped', () => {
    const report = reportOf([passed, skipped], 0);
    expect(formatTotals(report)).toBe('1 passed, 0 failed, 1 skipped');
    expect(report.faults).toEqual(['a.test.ts:4: later (skipped: fix it or remove it)']);
    expect(isGreen(report)).toBe(false);
  });

  test('is green, with a note for each file, when tests that need a tool are left out', () => {
    const leftOut = skipped.replace('"later"', '"later (left out: install a &amp; b)"');
    const report = reportOf([passed, leftOut, leftOut], 0);
    expect(formatTotals(report)).toBe('1 passed, 0 failed, 2 skipped');
    expect(addUp([report]).leftOut.map(formatLeftOut)).toEqual([
      'Left out: 2 tests of a.test.ts. To run: install a & b.',
    ]);
    expect(isGreen(report)).toBe(true);
  });

  test('is red when a file is missing from the report', () => {
    const report = reportOf([passed], 0, ['a.test.ts', 'b.test.ts']);
    expect(formatTotals(report)).toBe('1 passed, 1 failed');
    expect(report.faults[0]).toStartWith('b.test.ts: no test of it ran');
  });

  test('is red when the runner failed for no visible reason, or ended before its tests did', () => {
    expect(reportOf([passed], 1).faults).toEqual(['unit tests: ended with 1']);
    expect(reportOf([passed, failed], 134).faults).toContain('unit tests: ended with 134');
  });

  test('is red when there is no report, and when no test ran', async () => {
    const report = await readReport('unit tests', '/nowhere/report.xml', ['a.test.ts'], 0);
    expect(report.faults).toEqual(['unit tests: ended with 0 and no report']);
    expect(isGreen(addUp([]))).toBe(false);
  });

  test('is summed with others, and a failed check counts as one', () => {
    const total = addUp([failedCheck('lint: see above'), reportOf([passed, passed], 0)]);
    expect(formatTotals(total)).toBe('2 passed, 1 failed');
    expect(total.faults).toEqual(['lint: see above']);
  });
});
