// Live pages: activity of the account appears by itself, nothing jumps, and a page survives a
// gateway that is unavailable and a session that ends.
import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Operator } from './operator-api.ts';
import type { Fixture } from './fixture.ts';
import { browserTest as test } from './visit.ts';

const short = { width: 1360, height: 320 };

export function liveTests(fixture: Fixture, program: () => Operator): void {
  arrivalTest(fixture);
  readingTest(fixture);
  awayTest(fixture, program);
}

function arrivalTest({ gateway, operator }: Fixture): void {
  test('the overview, requests and jobs update by themselves, unless they are paused or hidden', async () => {
    await using seen = await operator();
    const { page } = seen;
    await page.goto(`${gateway().url}/requests?provider=engine_b`);
    await page.getByText('No request matches these filters.').waitFor();
    await search(gateway, 'engine_b');
    await page.getByRole('cell', { name: 'Parallel' }).waitFor();
    await page.getByRole('button', { name: 'Pause live updates' }).click();
    expect(await page.locator('.live-state').textContent()).toBe('Paused');
    const asked = countActivity(page);
    await search(gateway, 'engine_b');
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.locator('.live-state').textContent()).toBe('Paused');
    await page.locator('.figures').waitFor();
    const before = await page.evaluate(requestsAbove, 0);
    await search(gateway, 'engine_b');
    expect(asked()).toBe(0);
    await page.evaluate(setHidden, true);
    await page.getByRole('button', { name: 'Resume live updates' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    expect(asked()).toBe(0);
    await page.evaluate(setHidden, false);
    await page.waitForFunction(requestsAbove, before);
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByText('No jobs').first().waitFor();
    const job = { audio_url: 'https://recordings.example/interview.wav', provider: 'stt_a' };
    expect((await gateway().post('/v1/transcriptions', job)).status).toBe(202);
    await page
      .getByRole('row', { name: 'AssemblyAI' })
      .getByText('completed', { exact: true })
      .waitFor();
    expect(seen.complaints).toEqual([]);
  });
}

function readingTest({ gateway, operator }: Fixture): void {
  test('new rows wait behind a button while the person reads, and nothing moves', async () => {
    for (let round = 0; round < 12; round += 1) await search(gateway, 'engine_c');
    await using seen = await operator();
    const { page } = seen;
    await page.setViewportSize(short);
    await page.goto(`${gateway().url}/requests?provider=engine_c`);
    const rows = page.locator('tbody tr');
    await rows.nth(11).waitFor();
    await page.evaluate(() => window.scrollTo(0, 200));
    await page.waitForFunction(() => window.scrollY > 180);
    const placed = await rows.nth(8).boundingBox();
    // The titles of the columns stay in sight.
    const header = await page.getByRole('columnheader', { name: 'Time' }).boundingBox();
    expect(header?.y).toBeWithin(40, 80);
    await search(gateway, 'engine_c');
    await search(gateway, 'engine_c');
    const show = page.getByRole('button', { name: '2 new requests' });
    const one = page.getByRole('button', { name: '1 new request' });
    await one.or(show).waitFor();
    await show.waitFor();
    expect(await rows.count()).toBe(12);
    expect(await rows.nth(8).boundingBox()).toEqual(placed);
    expect(await seen.inspect()).toEqual([]);
    await show.click();
    await rows.nth(13).waitFor();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    expect(await page.locator('tr.arrived').count()).toBe(2);
    await show.waitFor({ state: 'detached' });
    expect(seen.complaints).toEqual([]);
  });
}

function awayTest({ gateway, anonymous }: Fixture, program: () => Operator): void {
  test('a page waits for a gateway that restarts, and asks to sign in when the session has ended', async () => {
    await using seen = await anonymous();
    const { page } = seen;
    await page.context().addCookies(program().cookies);
    await page.goto(`${gateway().url}/requests?provider=engine_d`);
    await page.getByText('No request matches these filters.').waitFor();
    await gateway().stop();
    await page.getByText('Reconnecting').waitFor();
    await gateway().restart();
    await search(gateway, 'engine_d');
    await page.evaluate(setHidden, false);
    await page.getByRole('cell', { name: 'Brave' }).waitFor();
    expect(await page.locator('.live-state').textContent()).toBe('Live');
    await page.context().setOffline(true);
    await page.getByText('Reconnecting').waitFor();
    await page.getByRole('cell', { name: 'Brave' }).waitFor();
    await page.context().setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.context().clearCookies();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${gateway().url}/requests?provider=engine_d`);
  });
}

async function search(gateway: Fixture['gateway'], provider: string): Promise<void> {
  const { status } = await gateway().post('/v1/search', { query: 'wind', provider });
  expect(status).toBe(200);
}

function countActivity(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.url().includes('/admin/v1/activity')) count += 1;
  });
  return () => count;
}

/** As when the person looks at another tab. */
function setHidden(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** The figure of the overview, once it is above another one. */
function requestsAbove(before: number): number {
  const figures = [...document.querySelectorAll('.figure')];
  const requests = figures.find((figure) => figure.querySelector('dt')?.textContent === 'Served');
  const shown = Number(requests?.querySelector('dd')?.querySelector('a')?.textContent);
  return shown > before ? shown : 0;
}
