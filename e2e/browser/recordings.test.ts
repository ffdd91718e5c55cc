// Jobs with their recordings, and evaluations of engines, in a real browser.
import { beforeAll } from 'bun:test';
import { evaluationTests } from './evaluation-tests.ts';
import { browserFixture, passwordsOnly } from './fixture.ts';
import { jobTests } from './job-tests.ts';
import { setUpOperator } from './operator-api.ts';
import type { Operator } from './operator-api.ts';
import { hasBrowser } from './visit.ts';

const fixture = browserFixture({ ...passwordsOnly, TRIVIUM_KEEP_RECORDING_HOURS: '2' });
let program: Operator;

beforeAll(async () => {
  if (!hasBrowser) return;
  program = await setUpOperator(fixture.gateway());
  await fixture.signedIn(program.cookies);
});

jobTests(fixture, () => program);
evaluationTests(fixture, () => program);
