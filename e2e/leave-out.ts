// Tests that need a tool which the project does not bring. Where the tool is missing they are left
// out, and the end of a run says how many and what to install.
import { test } from 'bun:test';

type Declare = (name: string, work: () => Promise<void> | void, limitMs?: number) => void;

/** `test` where nothing is missing. `missing` says what to install, in a few words. */
export function testWhere(missing: string | undefined): Declare {
  if (missing === undefined) return (name, work, limitMs) => test(name, work, limitMs);
  // scripts/test-report.ts reads the name.
  return (name) => test.skip(`${name} (left out: ${missing})`, () => {});
}

/** What to install if the program is not there. */
export function missingProgram(program: string, advice = `install ${program}`): string | undefined {
  return Bun.which(program) === null ? advice : undefined;
}
