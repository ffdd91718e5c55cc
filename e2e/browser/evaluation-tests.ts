// The scorecard concludes, and a person's own queries are evaluated from the page: within the budget,
// through failures, and never beyond the page.
import { expect } from 'bun:test';
import type { RequestList, Scorecard } from '@trivium/contract';
import type { Download, Page, Route } from 'playwright-core';
import type { Fixture } from './fixture.ts';
import type { Operator } from './operator-api.ts';
import { waitFor } from '../wait-for.ts';
import { browserTest as test, phone } from './visit.ts';

export function evaluationTests(fixture: Fixture, program: () => Operator): void {
  conclusionTest(fixture, program);
  attackTest(fixture);
  runTest(fixture, program);
  stopTest(fixture, program);
}

const observed = 11;

function conclusionTest({ gateway, operator }: Fixture, program: () => Operator): void {
  test('the scorecard shows price against quality, and concludes what the intervals allow', async () => {
    for (let at = 0; at < observed; at += 1) {
      const body = { query: `solar energy ${at}`, provider: 'fusion' };
      expect((await gateway().post('/v1/search', body)).status).toBe(200);
    }
    const path = '/admin/v1/scorecard?account_id=acct_default';
    const { lines } = await waitFor(() => program().call<Scorecard>('GET', path), {
      what: 'the fusions are counted',
      until: (scorecard) => scorecard.lines.some(({ calls }) => calls === observed),
    });
    await using seen = await operator();
    const { page } = seen;
    await page.goto(`${gateway().url}/scorecard`);
    const card = page.getByRole('region', { name: 'Agreement and price', exact: true });
    const said = await card.getByRole('note', { name: 'Conclusion' }).textContent();
    expect(said).toMatch(/(cannot be told apart|has a higher agreement than) .*on your queries/);
    expect(await card.locator('.scatter-range').count()).toBe(lines.length);
    expect(await seen.inspect('both')).toEqual([]);
    await card.getByRole('button', { name: 'Table' }).click();
    for (const { agreement } of lines) {
      const { mean = 0, lower = 0, upper = 0 } = agreement ?? {};
      const figures = [mean, lower, upper].map((figure) => figure.toFixed(3)).join('');
      expect(await card.textContent()).toContain(figures);
    }
    await page.setViewportSize(phone);
    await page.waitForFunction(() => document.body.scrollWidth <= window.innerWidth);
    expect(seen.complaints).toEqual([]);
  });
}

function attackTest({ gateway, operator }: Fixture): void {
  test('files that are no queries and impossible budgets are refused, and nothing is sent', async () => {
    await using seen = await operator();
    const { page } = seen;
    const sent = countSearches(page);
    await open(page, gateway().url);
    const many = Buffer.from('a query\n'.repeat(100_000));
    const files: [string, Buffer, string][] = [
      ['empty.jsonl', Buffer.from(''), 'empty.jsonl has no queries.'],
      ['many.txt', many, 'many.txt has more than 5,000 queries'],
      ['huge.txt', Buffer.alloc(17 * 1024 * 1024, 'x'), 'an evaluation reads at most 16'],
      ['photo.png', Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0]), 'neither a line of text'],
      ['cut.jsonl', Buffer.from('{"query": '), 'Line 1 of cut.jsonl is not JSON.'],
    ];
    for (const [name, buffer, fault] of files) {
      await chooseFile(page, name, buffer);
      await page.getByText(fault).waitFor();
      expect(await start(page).isEnabled()).toBe(false);
      const remove = page.getByRole('button', { name: 'Remove', exact: true });
      if ((await remove.count()) > 0) await remove.click();
    }
    await queries(page).fill('{"query": "x", "frehsness": "day"}');
    await start(page).click();
    await page.getByRole('alert').getByText('frehsness').waitFor();
    expect(seen.complaints.splice(0)).toEqual([expect.stringContaining('400') as string]);
    await queries(page).fill('<img src=x onerror=alert(1)>');
    await start(page).click();
    await page.getByText(/^1 query to 3 engines: at most \$0\.\d+/).waitFor();
    for (const budget of ['', '0', '-1', '1e308']) {
      await page.getByLabel('Budget in USD').fill(budget);
      expect([budget, await start(page).isEnabled()]).toEqual([budget, false]);
      expect(await page.getByText('An amount above 0').count()).toBe(budget === '' ? 0 : 1);
    }
    await page.getByLabel('Budget in USD').fill('0.000001');
    await start(page).click();
    await page.getByText('1 query was not sent, because of the budget.').waitFor();
    expect(sent()).toBe(0);
    expect(await seen.inspect()).toEqual([]);
    expect(seen.complaints).toEqual([]);
  });
}

const count = 24;

function runTest({ gateway, operator }: Fixture, program: () => Operator): void {
  test('an evaluation survives a failing engine and an empty balance, and is saved as files', async () => {
    await using seen = await operator();
    const { page } = seen;
    await open(page, gateway().url);
    await chooseFile(page, 'mine.txt', Buffer.from(lines(count)));
    await page.getByText(`${count} queries`, { exact: true }).waitFor();
    await page.getByText('Judgements, if you have them').click();
    await page.getByLabel('Judgements', { exact: true }).fill('1\thttps://example.org/\t1');
    await page.getByText('1 judged query').waitFor();
    // Exa and Parallel share an index in the sandbox.
    await page.getByLabel('Parallel').uncheck();
    for (const name of ['Brave', 'Serper', 'Perplexity']) await page.getByLabel(name).check();
    await start(page).click();
    await page.getByText(`${count} queries to 5 engines: at most`).waitFor();
    await page.getByLabel('Budget in USD').fill('5');
    let served = 0;
    const balance = { limit: 30 };
    const lack = { balance_usd: 0, needed_usd: 0.01 };
    const answer = async (route: Route) => {
      const { provider } = route.request().postDataJSON() as { provider: string };
      if (provider === 'engine_e')
        return route.fulfill(refusal(502, 'provider_error', 'It is down.'));
      served += 1;
      if (served > balance.limit)
        return route.fulfill(refusal(402, 'insufficient_credits', 'Top up.', lack));
      return route.continue();
    };
    await page.route('**/v1/search', answer);
    await start(page).click();
    await page.getByRole('alert').getByText('does not cover').waitFor();
    await page.getByRole('button', { name: 'Top up this account' }).waitFor();
    const report = page.getByRole('region', { name: 'Report' });
    await report.getByText('Serper (engine_e) failed for 100.0 %').waitFor();
    seen.complaints.splice(0);
    balance.limit = Infinity;
    const before = await loggedSearches(program());
    await page.getByRole('button', { name: 'Continue' }).click();
    await report.getByText(`${count} queries were answered`).waitFor();
    await page.unroute('**/v1/search', answer);
    // Every query was paid once for each engine that answered, from this person's session.
    expect(before).toBe(30);
    expect(await loggedSearches(program())).toBe(4 * count);
    await page.getByRole('region', { name: 'nDCG@10 and price' }).waitFor();
    await page.getByLabel('Judgements', { exact: true }).fill('');
    await report.getByRole('columnheader', { name: 'Agreement' }).waitFor();
    expect(await report.getByRole('row', { name: 'Serper' }).textContent()).toContain('100%');
    const json = JSON.parse(await save(page, 'JSON', 'mine-evaluation.json')) as {
      queries: number;
    };
    expect(json.queries).toBe(count);
    expect(await save(page, 'Engines as CSV', 'mine-evaluation.csv')).toStartWith('engine,vendor');
    const html = await save(page, 'Report as HTML', 'mine-evaluation.html');
    expect(html).toContain('&lt;img');
    expect(html).not.toContain('<img');
    await save(page, 'Answers as CSV', 'mine-evaluation-answers.csv');
    expect(await seen.inspect('both')).toEqual([]);
    await page.setViewportSize(phone);
    await page.waitForFunction(() => document.body.scrollWidth <= window.innerWidth);
    seen.complaints.splice(0);
  });
}

function stopTest({ gateway, operator }: Fixture, program: () => Operator): void {
  test('nothing more is sent once a run is stopped, the page is left or the tab is closed', async () => {
    await using seen = await operator();
    const { page } = seen;
    const sent = countSearches(page);
    await open(page, gateway().url);
    const held = await holdSearches(page);
    const begin = async () => {
      await queries(page).fill(lines(100));
      await start(page).click();
      await page.getByText('100 queries to 3 engines').waitFor();
      await page.getByLabel('Budget in USD').fill('5');
      await start(page).click();
      await page.getByRole('progressbar').waitFor();
      await held.some();
    };
    await begin();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopping:').waitFor();
    const before = sent();
    held.release();
    await page.getByText(/\d+ queries were not sent, because the run was stopped\./).waitFor();
    expect(sent()).toBe(before);
    expect(await page.getByRole('button', { name: 'Continue' }).isEnabled()).toBe(true);
    await queries(page).fill('');
    await begin();
    const left = sent();
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys', level: 1 }).waitFor();
    held.release();
    await seen.settled();
    await page.getByRole('link', { name: 'Scorecard' }).click();
    await page.getByRole('button', { name: 'Evaluate my queries' }).click();
    expect(await queries(page).inputValue()).toBe('');
    expect(sent()).toBe(left);
    const logged = await loggedSearches(program());
    await begin();
    const underWay = sent() - left;
    await page.close();
    held.release();
    // At most the searches that were under way arrive, of the 300 that were planned.
    await gateway().post('/v1/search', { query: 'the end', provider: 'engine_a' });
    expect(await loggedSearches(program())).toBeLessThanOrEqual(logged + underWay);
  });
}

function queries(page: Page) {
  return page.getByLabel('Queries', { exact: true });
}

/** The button that checks the cost, and then starts. */
function start(page: Page) {
  return page.locator('form.evaluation button[type=submit]');
}

async function open(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/scorecard?view=evaluate`);
  await page.getByLabel('Tavily').waitFor();
}

async function chooseFile(page: Page, name: string, buffer: Buffer): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose a file' }).first().click();
  await (await choosing).setFiles({ name, mimeType: 'text/plain', buffer });
}

/** One of them tries to be HTML. */
function lines(many: number): string {
  const usual = Array.from({ length: many - 1 }, (_, at) => `wind power ${at}`);
  return [...usual, '<img src=x onerror=alert(1)>'].join('\n');
}

function refusal(status: number, type: string, message: string, detail = {}) {
  return { status, json: { error: { type, message, detail } } };
}

function countSearches(page: Page): () => number {
  let count = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/v1/search')) count += 1;
  });
  return () => count;
}

/** Searches wait until they are released. */
async function holdSearches(page: Page) {
  let first = Promise.withResolvers<void>();
  let gate = Promise.withResolvers<void>();
  await page.route('**/v1/search', async (route) => {
    first.resolve();
    await gate.promise;
    await route.continue().catch(() => undefined);
  });
  return {
    some: () => first.promise,
    release: () => {
      gate.resolve();
      [first, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    },
  };
}

/** How many searches of the dashboard for these queries are in the log. */
async function loggedSearches({ call }: Operator): Promise<number> {
  const query = 'key_id=dashboard&tool=search&outcome=served&limit=500';
  const { requests } = await call<RequestList>('GET', `/admin/v1/requests?${query}`);
  return requests.length;
}

async function save(page: Page, title: string, name: string): Promise<string> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: title }).click();
  const download: Download = await saving;
  expect(download.suggestedFilename()).toBe(name);
  const stream = await download.createReadStream();
  return new Response(stream as unknown as BodyInit).text();
}
