// The dashboard in a real browser against a real gateway and its sandbox, as a person meets it.
import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { sharedGateway } from '../harness.ts';
import { scenario } from '../verifies.ts';
import { launchChromium, visit } from './visit.ts';

const LIMIT_MS = 120_000;
const PASSWORD = 'correct horse battery';
const PHONE = { width: 390, height: 844 };

const gateway = sharedGateway();
let browser: Browser;
/** The cookies of the operator, once there is one. */
let signed_in: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>;

beforeAll(async () => {
  browser = await launchChromium();
}, LIMIT_MS);
afterAll(() => browser.close());

scenario(
  'from the set-up link to the first key to the first search',
  ['authentication.issued-from-dashboard'],
  async () => {
    await using ada = await visit(browser);
    const { page } = ada;
    await page.goto(setUpLink());
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill('ada@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    expect(await ada.barriers()).toEqual([]);
    await ada.picture('join');
    await page.getByRole('button', { name: 'Create the operator' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    signed_in = await page.context().storageState();

    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('from a browser');
    expect(await ada.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = (await page.locator('.secret').textContent()) ?? '';
    expect(key).toMatch(/^sk_live_[\w-]{43}$/);
    await ada.picture('key-shown');
    await page.getByRole('button', { name: 'I have it' }).click();
    expect(await page.content()).not.toContain(key);
    const with_it = { authorization: `Bearer ${key}` };
    const answer = await gateway().post('/v1/search', { query: 'wind' }, with_it);
    expect(answer.status).toBe(200);

    await page.getByRole('link', { name: 'Playground' }).click();
    await page.getByLabel('query').fill('solar energy storage');
    await page.getByText('More options').click();
    await page.getByLabel('safe_search').selectOption('strict');
    await page.locator('form button[type=submit]').click();
    await page.locator('.result').first().waitFor();
    const field = page.locator('.field', { has: page.getByLabel('safe_search') });
    expect(await field.locator('.fault').textContent()).toContain('cannot express');
    expect(await ada.barriers()).toEqual([]);
    await ada.picture('playground-search');
    expect(ada.complaints).toEqual([]);
  },
  LIMIT_MS,
);

test(
  'engines answer side by side, and a fusion shows why each page survived',
  async () => {
    await using ada = await visit(browser, { storageState: signed_in });
    const { page } = ada;
    await page.goto(`${gateway().url}/playground`);
    await page.getByLabel('query').fill('solar energy storage');
    await page.getByRole('button', { name: 'Side by side' }).click();
    await page.locator('form button[type=submit]').click();
    await page.locator('.beside .results').nth(3).waitFor();
    expect(await ada.barriers()).toEqual([]);
    await ada.picture('playground-side-by-side');
    await page.getByRole('button', { name: 'Fusion' }).click();
    await page.locator('form button[type=submit]').click();
    await page.locator('table.fusion').waitFor();
    expect(await page.locator('table.fusion').textContent()).toContain('4 engines agree');
    expect(await ada.barriers()).toEqual([]);
    await ada.picture('playground-fusion');
    expect(ada.complaints).toEqual([]);
  },
  LIMIT_MS,
);

test(
  'an extracted page is rendered without its scripts, and a lost one is named',
  async () => {
    await using ada = await visit(browser, { storageState: signed_in });
    const { page } = ada;
    await page.goto(`${gateway().url}/playground?tool=extract`);
    const urls = 'https://www.sunstore.example/support/islanding\nhttps://nowhere.example/';
    await page.getByLabel('urls').fill(urls);
    await page.locator('form button[type=submit]').click();
    await page.locator('.rendered h3').first().waitFor();
    const lost = page.getByLabel('Pages that could not be had');
    expect(await lost.textContent()).toContain('https://nowhere.example/');
    expect(await ada.barriers()).toEqual([]);
    await ada.picture('playground-extract');
    expect(ada.complaints).toEqual([]);
  },
  LIMIT_MS,
);

test(
  'a recording becomes a transcript with speakers, and its job is in the list',
  async () => {
    await using ada = await visit(browser, { storageState: signed_in });
    const { page } = ada;
    await page.goto(`${gateway().url}/playground?tool=transcription`);
    await page.getByLabel('audio_url').fill('https://recordings.example/interview.wav');
    await page.getByLabel('diarize').selectOption('true');
    await page.locator('form button[type=submit]').click();
    await page.locator('.words').waitFor();
    expect(await page.locator('.words').textContent()).toContain('Speaker 2');
    await page.locator('.word').nth(3).click();
    expect(await page.locator('.word[aria-pressed=true]').count()).toBe(1);
    expect(await ada.barriers()).toEqual([]);
    await ada.picture('playground-transcript');
    await page.goto(`${gateway().url}/jobs`);
    await page.getByRole('button', { name: /^Open job_/ }).click();
    await page.getByText('Transcript is here').waitFor();
    await page.locator('.words').waitFor();
    expect(await ada.barriers()).toEqual([]);
    await ada.picture('job');
    expect(ada.complaints).toEqual([]);
  },
  LIMIT_MS,
);

const PAGES = [
  ['/', 'Overview', 'overview'],
  ['/playground?tool=transcription', 'Playground', 'playground-transcription'],
  ['/keys', 'Keys', 'keys'],
  ['/requests', 'Requests', 'requests'],
  ['/jobs', 'Jobs', 'jobs'],
  ['/billing', 'Billing', 'billing'],
  ['/providers', 'Providers', 'providers'],
  ['/people', 'People and accounts', 'people'],
] as const;

test.each(PAGES)(
  '%s has no barriers and no complaints, at a desk and on a phone',
  async (path, title, name) => {
    await using ada = await visit(browser, { storageState: signed_in });
    const { page } = ada;
    await page.goto(gateway().url + path);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await ada.barriers()).toEqual([]);
    await ada.picture(name);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await ada.barriers()).toEqual([]);
    await page.setViewportSize(PHONE);
    await ada.picture(`${name}-phone`);
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    expect(ada.complaints).toEqual([]);
  },
  LIMIT_MS,
);

test(
  'a key that is revoked in the browser is refused within a second',
  async () => {
    await using ada = await visit(browser, { storageState: signed_in });
    const { page } = ada;
    await page.goto(`${gateway().url}/keys`);
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('to be revoked');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = (await page.locator('.secret').textContent()) ?? '';
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('button', { name: 'Revoke to be revoked' }).click();
    await page.getByRole('button', { name: 'Revoke this key' }).click();
    await page
      .getByRole('row', { name: 'to be revoked' })
      .getByText('Revoked', { exact: true })
      .waitFor();
    const answer = await gateway().get('/v1/balance', { authorization: `Bearer ${key}` });
    expect(answer.status).toBe(401);
  },
  LIMIT_MS,
);

scenario(
  'an operator tops an account up, and the ledger says why',
  ['money.top-up.dashboard'],
  async () => {
    await using ada = await visit(browser, { storageState: signed_in });
    const { page } = ada;
    const before = await balance();
    await page.goto(`${gateway().url}/billing`);
    await page.getByRole('button', { name: 'Top up' }).click();
    await page.getByLabel('Amount in USD').fill('12.5');
    await page.getByLabel('Reason').fill('invoice 2026-11');
    await page.locator('dialog').getByRole('button', { name: 'Top up' }).click();
    await page.getByRole('row', { name: 'invoice 2026-11' }).getByText('+$12.50').waitFor();
    expect(await balance()).toBeCloseTo(before + 12.5, 6);
  },
  LIMIT_MS,
);

scenario(
  'signing out leads to the way in, and the pages are closed',
  ['surface.dashboard'],
  async () => {
    await using ada = await visit(browser);
    const { page } = ada;
    await page.goto(`${gateway().url}/billing`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').fill('ada@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    expect(await ada.barriers()).toEqual([]);
    await ada.picture('sign-in');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.goto(`${gateway().url}/`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(ada.complaints).toEqual([]);
  },
  LIMIT_MS,
);

async function balance(): Promise<number> {
  return ((await gateway().get('/v1/balance')).body as { balance_usd: number }).balance_usd;
}

function setUpLink(): string {
  const link = /set up +(\S+)/.exec(gateway().output())?.[1];
  if (link === undefined) throw new Error('The gateway printed no set-up link.');
  return link;
}
