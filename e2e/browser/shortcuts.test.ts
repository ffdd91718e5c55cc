// Short ways through the dashboard: the command menu, keys, saved views, notes, and how many clicks the
// daily jobs take.
import { beforeAll } from 'bun:test';
import type { Account, NewKey } from '@trivium/contract';
import { clickTests } from './click-tests.ts';
import { commandTests } from './command-tests.ts';
import { setUpOperator } from './operator-api.ts';
import type { Operator } from './operator-api.ts';
import { browserFixture, passwordsOnly } from './fixture.ts';
import { viewTests } from './view-tests.ts';
import { hasBrowser } from './visit.ts';

const fixture = browserFixture(passwordsOnly);
let program: Operator;
/** An account beside the one that the tests use. */
let other: Account & { request_id: string };

beforeAll(async () => {
  if (!hasBrowser) return;
  const gateway = fixture.gateway();
  program = await setUpOperator(gateway);
  await fixture.signedIn(program.cookies);
  const account = await program.call<Account>('POST', '/admin/v1/accounts', { name: 'Elsewhere' });
  const path = `/admin/v1/accounts/${account.id}`;
  await program.call('POST', `${path}/topups`, { amount_usd: 1, reason: 'test' });
  const { key } = await program.call<NewKey>('POST', `${path}/keys`, { name: 'far away' });
  const words = { query: 'wind', provider: 'engine_a' };
  const found = await gateway.post('/v1/search', words, { authorization: `Bearer ${key}` });
  other = { ...account, request_id: found.headers.get('x-request-id') ?? '' };
});

commandTests(
  fixture,
  () => program,
  () => other,
);
viewTests(fixture, () => program);
clickTests(fixture);
