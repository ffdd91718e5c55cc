// The pages that people leave open: how they look, and how they stay up to date.
import { beforeAll } from 'bun:test';
import { chartTests } from './chart-tests.ts';
import { dataTests } from './data-tests.ts';
import { incidentTests } from './incident-tests.ts';
import { liveTests } from './live-tests.ts';
import { logTests } from './log-tests.ts';
import { looksTests } from './looks-tests.ts';
import { spaceTests } from './space-tests.ts';
import { setUpOperator } from './operator-api.ts';
import type { Operator } from './operator-api.ts';
import { browserFixture, passwordsOnly } from './fixture.ts';
import { hasBrowser } from './visit.ts';
import { waterfallTests } from './waterfall-tests.ts';

const fixture = browserFixture(passwordsOnly);
let program: Operator;

beforeAll(async () => {
  if (!hasBrowser) return;
  program = await setUpOperator(fixture.gateway());
  await fixture.signedIn(program.cookies);
});

looksTests(fixture, () => program);
chartTests(fixture);
logTests(fixture);
spaceTests(fixture, () => program);
liveTests(fixture, () => program);
dataTests(fixture);
waterfallTests(fixture);
incidentTests(fixture, () => program);
