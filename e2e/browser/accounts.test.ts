// Keys, the playground, money, people and webhooks in a real browser, as operator and as member.
import { beforeAll } from 'bun:test';
import { keyTests } from './key-tests.ts';
import { moneyTests } from './money-tests.ts';
import { peopleTests } from './people-tests.ts';
import { setUpOperator } from './operator-api.ts';
import type { Operator } from './operator-api.ts';
import { browserFixture, passwordsOnly } from './fixture.ts';
import { hasBrowser } from './visit.ts';
import { webhookTests } from './webhook-tests.ts';
import { workbenchTests } from './workbench-tests.ts';

const fixture = browserFixture({ ...passwordsOnly, TRIVIUM_ALLOW_PRIVATE_WEBHOOKS: 'on' });
let program: Operator;

beforeAll(async () => {
  if (!hasBrowser) return;
  program = await setUpOperator(fixture.gateway());
  await fixture.signedIn(program.cookies);
});

keyTests(fixture);
workbenchTests(fixture);
peopleTests(fixture);
moneyTests(fixture);
webhookTests(fixture, () => program);
