// What pages load: shared between pages, refreshed by a change, and visible while it is missing or
// out of date.
import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Fixture } from './fixture.ts';
import { browserTest as test } from './visit.ts';

export function dataTests(fixture: Fixture): void {
  sharedTest(fixture);
  missingTest(fixture);
  jobTest(fixture);
}

function sharedTest({ gateway, operator }: Fixture): void {
  test('a page shows what another one has loaded, and a change refreshes only what it affects', async () => {
    await using seen = await operator();
    const { page } = seen;
    // Time stops, so that nothing that was loaded gets old.
    await page.clock.setFixedTime(new Date());
    const asked = countReads(page);
    await page.goto(`${gateway().url}/keys`);
    await page.getByRole('region', { name: 'Keys' }).waitFor();
    for (const name of ['Requests', 'Jobs', 'Billing', 'Usage', 'Keys']) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await seen.settled();
    }
    expect(asked(keys)).toBe(1);
    expect(asked(providers)).toBe(1);
    const before = [asked(accounts), asked(people)];
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('shared data');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'I have it' }).waitFor();
    await page.getByText('shared data').first().waitFor();
    expect(asked(keys)).toBe(2);
    expect([asked(accounts), asked(people)]).toEqual(before);
    expect(asked(providers)).toBe(1);
    expect(seen.complaints).toEqual([]);
  });
}

function missingTest({ gateway, operator }: Fixture): void {
  test('what is loading, what has failed, and what is out of date can be seen', async () => {
    await search(gateway);
    await using seen = await operator();
    const { page } = seen;
    const state = page.locator('.live-state');
    const list = /\/admin\/v1\/requests\?/;
    const held = Promise.withResolvers<void>();
    await page.route(list, async (route) => {
      await held.promise;
      await route.fulfill(broken);
    });
    await page.goto(`${gateway().url}/requests`);
    await page.getByText('Loading', { exact: true }).waitFor();
    const bars = page.locator('.skeleton > [aria-hidden]');
    await bars.first().waitFor();
    expect(await bars.evaluateAll(narrowest)).toBeGreaterThan(200);
    held.resolve();
    await page.getByText('The disk is full').waitFor();
    expect(await state.textContent()).toBe('Not up to date');
    expect(await state.getAttribute('class')).not.toContain('on');
    await page.unroute(list);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('cell', { name: 'Exa' }).first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.route(list, (route) => route.fulfill(broken));
    await search(gateway);
    await page.getByText('This may be out of date.').waitFor();
    expect(await page.getByRole('cell', { name: 'Exa' }).count()).toBeGreaterThan(0);
    expect(await state.textContent()).toBe('Not up to date');
    await page.unroute(list);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText('This may be out of date.').waitFor({ state: 'detached' });
  });
}

function jobTest({ gateway, operator }: Fixture): void {
  test('a request whose job failed says so, with the reason and the way to the job', async () => {
    const { status } = await gateway().post('/v1/transcriptions', {
      audio_url: 'https://recordings.example/interview.wav',
      provider: 'stt_b',
      language: 'de',
      provider_options: { stt_b: { model: 'nova-2-medical' } },
    });
    expect(status).toBe(202);
    await using seen = await operator();
    const { page } = seen;
    await page.goto(`${gateway().url}/requests?tool=transcription`);
    const row = page.getByRole('row', { name: 'Job failed 202' });
    await row.getByRole('button', { name: 'Open' }).click();
    const panel = page.getByRole('complementary', { name: 'Request' });
    await panel.getByText('No such model/language/tier combination found').waitFor();
    expect(await panel.textContent()).not.toContain('Served');
    await panel.getByRole('link', { name: 'Open the job' }).click();
    await page.getByRole('complementary', { name: 'Job' }).getByText('Failed').first().waitFor();
    expect(seen.complaints).toEqual([]);
  });
}

function narrowest(bars: Element[]): number {
  return Math.min(...bars.map((bar) => bar.getBoundingClientRect().width));
}

const broken = {
  status: 500,
  json: { error: { type: 'internal_error', message: 'The disk is full' } },
};

async function search(gateway: Fixture['gateway']): Promise<void> {
  const { status } = await gateway().post('/v1/search', { query: 'tide', provider: 'engine_a' });
  expect(status).toBe(200);
}

const keys = /^\/admin\/v1\/accounts\/[^/]+\/keys$/;
const providers = /^\/v1\/providers$/;
const accounts = /^\/admin\/v1\/accounts$/;
const people = /^\/admin\/v1\/people$/;

/** How often the page has read an address. */
function countReads(page: Page): (address: RegExp) => number {
  const paths: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET') paths.push(new URL(request.url()).pathname);
  });
  return (address) => paths.filter((path) => address.test(path)).length;
}
