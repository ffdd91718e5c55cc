// Test and live in a real browser: the banner of test mode, and the marks of a live gateway with one
// simulated provider.
import { expect } from 'bun:test';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { startTestSandbox } from '../test-sandbox.ts';
import { waitFor } from '../wait-for.ts';
import { exaAnswer, startUpstream } from '../upstream.ts';
import { setUpOperator } from './operator-api.ts';
import { browserTest as test, launchChromium, visit } from './visit.ts';
import type { Visit } from './visit.ts';

const widths = [360, 768, 1280, 1920];

async function asOperator(gateway: Gateway, work: (seen: Visit) => Promise<void>): Promise<void> {
  const { cookies } = await setUpOperator(gateway);
  const browser = await launchChromium();
  try {
    await using seen = await visit(browser);
    await seen.page.context().addCookies(cookies);
    await work(seen);
    expect(seen.complaints).toEqual([]);
  } finally {
    await browser.close();
  }
}

/** At every width, wherever the page is scrolled to, and in print. */
async function expectBanner({ page, overflow }: Visit, words: RegExp): Promise<void> {
  const banner = page.getByRole('complementary', { name: 'Mode' });
  await banner.waitFor();
  for (const width of widths) {
    await page.setViewportSize({ width, height: 700 });
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const { y = -1, height = 0 } = (await banner.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y + height).toBeLessThanOrEqual(701);
    expect(await overflow()).toBe(0);
  }
  expect(await banner.textContent()).toMatch(words);
  await page.emulateMedia({ media: 'print' });
  expect(await banner.isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });
}

test('test mode is visible on every page, and its rows need no marks of their own', async () => {
  await using gateway = await startGateway();
  expect((await gateway.post('/v1/search', { query: 'tides' })).status).toBe(200);
  await asOperator(gateway, async (seen) => {
    const { page } = seen;
    await page.goto(`${gateway.url}/requests`);
    await page.getByRole('cell', { name: 'Exa' }).first().waitFor();
    await expectBanner(seen, /^Test mode: .+ no amount is real money/);
    expect(await page.title()).toStartWith('Test: Requests');
    expect(await page.getByText('simulated', { exact: true }).count()).toBe(0);
    expect(await seen.inspect('both')).toEqual([]);
    // The operator has set a key that begins like one of a live gateway.
    await page.goto(`${gateway.url}/keys`);
    await page.getByRole('row', { name: 'Bootstrap' }).getByText('test', { exact: true }).waitFor();
  });
});

test('on a live gateway every row of a simulated provider is marked, and there is a filter', async () => {
  await using sandbox = await startTestSandbox();
  await using real = startUpstream(() =>
    exaAnswer([{ id: 'https://tides.example/', url: 'https://tides.example/', title: 'Tides' }]),
  );
  const key = `sk_test_${'k'.repeat(43)}`;
  const env = { ...real.env, TRIVIUM_BOOTSTRAP_KEY: key };
  await using gateway = await startGateway({ sandbox: sandbox.url, env });
  for (const provider of ['engine_a', 'engine_g']) {
    expect((await gateway.post('/v1/search', { query: 'tides', provider })).status).toBe(200);
  }
  await waitFor(async () => (await gateway.get('/v1/providers')).text.includes('"simulated":[{'), {
    what: 'the provider is known to be simulated',
  });
  await asOperator(gateway, async (seen) => {
    const { page } = seen;
    await page.goto(`${gateway.url}/requests`);
    const marked = page.getByRole('row', { name: 'Linkup' });
    await marked.getByText('simulated').waitFor();
    await expectBanner(seen, /^Simulated: Linkup\. .+ accounts are charged/);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await page.title()).toStartWith('Requests');
    expect(await page.getByRole('row', { name: 'Exa' }).textContent()).not.toContain('simulated');
    expect(await seen.inspect('both')).toEqual([]);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByLabel('Simulated').selectOption('Not simulated');
    await marked.waitFor({ state: 'detached' });
    await page.goto(`${gateway.url}/billing`);
    await page.getByText('Linkup').first().waitFor();
    await page.getByRole('row', { name: 'Linkup' }).getByText('simulated').waitFor();
    await page.goto(`${gateway.url}/usage?by=provider`);
    const usage = page.getByRole('region', { name: 'Usage', exact: true });
    await usage.getByText('Linkup (engine_g), simulated').waitFor();
    await page.goto(`${gateway.url}/`);
    await page.getByText('Linkup (engine_g), simulated').first().waitFor();
    // The key begins like one of the sandbox, and is not.
    await page.goto(`${gateway.url}/keys`);
    await page.getByText('spends real money').waitFor();
  });
});
