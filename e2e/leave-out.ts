// Tests that need an external tool. Where the tool is missing they are left out, and the end of the
// run reports how many and what to install.
import { test } from 'bun:test';

type Declare = (name: string, work: () => Promise<void> | void, limitMs?: number) => void;

/** `test` where nothing is missing. `missing` is a short hint what to install. */
export function testWhere(missing: string | undefined): Declare {
  if (missing === undefined) return test;
  // scripts/test-report.ts reads the name.
  return (name) => test.skip(`${name} (left out: ${missing})`, () => {});
}

/** What to install if the program is missing. */
export function missingProgram(program: string, advice = `install ${program}`): string | undefined {
  return Bun.which(program) === null ? advice : undefined;
}
