// The dashboard in a real browser, against a real gateway and its sandbox.
import { expect, proves } from '../proves.ts';
import { startIdentityProvider } from './identity-provider.ts';
import { playerTests } from './player-tests.ts';
import { extractTest, searchTest, transcriptTest } from './playground-tests.ts';
import { browserFixture } from './fixture.ts';
import { browserTest as test } from './visit.ts';
import type { Visit } from './visit.ts';

const email = 'ada@example.org';
const password = 'correct horse battery';
/** Script, styles and typeface, compressed. */
const maxFirstLoadBytes = 140_000;
/** With its data. */
const maxPlaygroundBytes = 155_000;

const fixture = browserFixture({ TRIVIUM_MAX_UPLOAD_MB: '10' });
const { gateway, anonymous, operator } = fixture;

test('from the set-up link to the first key to the first search', async () => {
  await using ada = await anonymous();
  const { page } = ada;
  await page.goto(setUpLink());
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  expect(await ada.inspect()).toEqual([]);
  await page.getByRole('button', { name: 'Create the operator' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await fixture.signedIn(await page.context().cookies());

  await page.getByRole('link', { name: 'Keys' }).click();
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill('from a browser');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const key = (await page.locator('.secret').textContent()) ?? '';
  await proves('authentication.issued-from-dashboard', async () => {
    expect(key).toMatch(/^sk_test_[\w-]{43}$/);
    await page.getByRole('button', { name: 'Copy the key' }).click();
    await page.getByRole('button', { name: 'I have it' }).click();
    expect(await page.content()).not.toContain(key);
    const withIt = { authorization: `Bearer ${key}` };
    const answer = await gateway().post('/v1/search', { query: 'wind' }, withIt);
    expect(answer.status).toBe(200);
  });

  await page.getByRole('link', { name: 'Playground' }).click();
  await page.getByLabel('query').fill('solar energy storage');
  await page.getByText('More options').click();
  await page.getByLabel('safe_search').selectOption('strict');
  await page.locator('form button[type=submit]').click();
  await page.locator('.result').first().waitFor();
  const field = page.locator('.field', { has: page.getByLabel('safe_search') });
  expect(await field.locator('.fault').textContent()).toContain('cannot express');
  expect(await ada.inspect()).toEqual([]);
  proves('surface.dashboard', () => {
    expect(new URL(page.url()).origin).toBe(gateway().url);
    expect(ada.complaints).toEqual([]);
  });
});

searchTest(fixture);
extractTest(fixture);
transcriptTest(fixture);
playerTests(fixture);

test('an operator tops up an account, and the ledger shows the reason', async () => {
  await using ada = await operator();
  const { page } = ada;
  const before = await balance();
  await page.goto(`${gateway().url}/billing`);
  await page.getByRole('button', { name: 'Top up' }).click();
  await page.getByLabel('Amount in USD').fill('12.5');
  await page.getByLabel('Reason').fill('invoice 2026-11');
  await page.locator('dialog').getByRole('button', { name: 'Top up' }).click();
  await page.getByRole('row', { name: 'invoice 2026-11' }).getByText('+$12.50').waitFor();
  await proves('money.top-up.dashboard', async () =>
    expect(await balance()).toBeCloseTo(before + 12.5, 6),
  );
  await page.getByRole('link', { name: /^req_/ }).first().click();
  await page.locator('.panel').getByText('Cost reported by the provider').waitFor();
  expect(await ada.inspect()).toEqual([]);
  expect(ada.complaints).toEqual([]);
});

test('only invited people sign in through the identity provider', async () => {
  const works = startIdentityProvider(fixture.issuer, gateway().url);
  try {
    const comeAs = async ({ page }: Visit, email: string, path: string) => {
      works.become(email);
      await page.goto(gateway().url + path);
      await page.getByRole('button', { name: 'Continue with Example Works' }).click();
    };
    await using eve = await anonymous();
    await comeAs(eve, 'eve@example.org', '/sign-in');
    await eve.page.getByText('was not invited').waitFor();
    await using ada = await anonymous();
    await comeAs(ada, email, '/jobs?status=failed');
    await ada.page.getByRole('heading', { name: 'Jobs' }).waitFor();
    expect(ada.page.url()).toBe(`${gateway().url}/jobs?status=failed`);
    await ada.page.getByText('Ada Lovelace').waitFor();
    expect([...eve.complaints, ...ada.complaints]).toEqual([]);
  } finally {
    works.stop();
  }
});

test('the first load is small, and no foreign script may run in the page', async () => {
  const page = await fetch(gateway().url);
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(policy).toContain("; media-src 'self' blob: https:;");
  const scripts = [...(await page.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)];
  expect(scripts.length).toBeGreaterThan(1);
  let bytes = 0;
  for (const [, path = ''] of scripts) {
    const headers = { 'accept-encoding': 'gzip' };
    const file = await fetch(gateway().url + path, { headers, decompress: false });
    expect(file.headers.get('content-encoding')).toBe('gzip');
    bytes += (await file.arrayBuffer()).byteLength;
  }
  expect(bytes).toBeLessThan(maxFirstLoadBytes);
});

test('a cold playground is small', async () => {
  await using seen = await operator();
  const { page } = seen;
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Network.enable');
  await protocol.send('Network.setCacheDisabled', { cacheDisabled: true });
  let bytes = 0;
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(`${gateway().url}/playground`);
  await page.getByLabel('query').waitFor();
  await page.waitForLoadState('networkidle');
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(maxPlaygroundBytes);
});

test('an accessibility problem of a single row in one theme is found', async () => {
  await using seen = await anonymous();
  const cells = ['one', 'two', '<b>three</b>', '<button></button>', '<b class="faint">five</b>'];
  const rows = cells.map((cell) => `<tr><td>${cell}</td></tr>`).join('');
  const faint = '@media (prefers-color-scheme: dark) { .faint { color: #333; background: #222 } }';
  const body = `<main><h1>Rows</h1><table>${rows}</table></main>`;
  await seen.page.setContent(
    `<html lang="en"><title>Rows</title><style>${faint}</style>${body}</html>`,
  );
  const found = (await seen.inspect('both')).map((barrier) => barrier.split(': ')[1]);
  expect(found).toEqual(['button-name', 'color-contrast']);
  expect(await seen.page.locator('[data-alike]').count()).toBe(0);
});

async function balance(): Promise<number> {
  return ((await gateway().get('/v1/balance')).body as { balance_usd: number }).balance_usd;
}

function setUpLink(): string {
  const link = /set up +(\S+)/.exec(gateway().printed())?.[1];
  if (link === undefined) throw new Error('The gateway printed no set-up link.');
  return link;
}
