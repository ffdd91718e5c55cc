// The program of `npm run generate -- pictures`: photographs the dashboard for the documentation, on a
// gateway that has served requests, with a month of earlier ones in its log.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../../scripts/command.ts';
import { startGateway } from '../harness.ts';
import type { Gateway } from '../harness.ts';
import { hasEnded, waitForJob } from '../jobs.ts';
import { addHistory } from './picture-history.ts';
import { launchChromium, visit } from './visit.ts';

const folder = join(projectRoot, 'docs', 'images');
const size = { width: 1360, height: 850 };
const rounds = 6;
const questions = ['solar energy storage', 'wind power', 'heat pumps', 'battery recycling'];
const engines = ['engine_a', 'engine_b', 'engine_c', 'engine_d', 'engine_j', 'engine_k', 'fusion'];

await using gateway = await startGateway({ env: { TRIVIUM_BOOTSTRAP_BALANCE_USD: '25' } });
const setUpLink = /set up +(\S+)/.exec(gateway.printed())?.[1] ?? '';
await gateway.stop();
await addHistory(join(gateway.store_dir, 'trivium.sqlite'));
await gateway.restart();
await serveRequests(gateway);
const browser = await launchChromium();
try {
  await using operator = await visit(browser);
  const { page } = operator;
  await page.setViewportSize(size);
  await signUp(page);
  await page.goto(`${gateway.url}/?span=30d`);
  await page.getByRole('region', { name: 'Cost' }).waitFor();
  await operator.settled();
  await page.getByRole('region', { name: 'Cost' }).locator('.plot-column').nth(18).hover();
  await keep(page, 'dashboard-overview');
  await page.goto(`${gateway.url}/requests`);
  await page.getByRole('row', { name: 'Fusion' }).first().locator('td').first().click();
  await page.getByRole('list', { name: 'Timeline' }).waitFor();
  await keep(page, 'dashboard-requests');
  await page.goto(`${gateway.url}/playground`);
  await page.getByLabel('query').fill('solar energy storage');
  await page.getByRole('button', { name: 'Fusion' }).click();
  await page.locator('form button[type=submit]').click();
  await page.locator('table.fusion').waitFor();
  await keep(page, 'dashboard-playground');
  await page.goto(`${gateway.url}/providers`);
  await page.getByRole('row', { name: 'Exa engine_a' }).waitFor();
  await operator.settled();
  await keep(page, 'dashboard-providers');
  await keepPages(page);
} finally {
  await browser.close();
}

async function serveRequests({ post }: Gateway): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const query = questions[round % questions.length];
    const searches = engines.map((provider) => post('/v1/search', { query, provider }));
    await Promise.all([
      ...searches,
      post('/v1/search', { query, provider: 'engine_a', offset: 10, strict: true }),
      post('/v1/extract', { urls: ['https://gridlines.example/storage/solar-storage-guide'] }),
    ]);
  }
  const recording = { audio_url: 'https://recordings.example/interview.wav', diarize: true };
  const { body } = await post('/v1/transcriptions', recording);
  await waitForJob(gateway, (body as { id: string }).id, hasEnded);
}

async function signUp(page: Page): Promise<void> {
  await page.goto(`${gateway.url}/join${new URL(setUpLink).hash}`);
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill('ada@example.org');
  await page.getByLabel('Password').fill('correct horse battery');
  await page.getByRole('button', { name: 'Create the operator' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

/** A test compares them with the pages of the dashboard, so that old pictures are noticed. */
async function keepPages(page: Page): Promise<void> {
  const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
  const pages = await links.evaluateAll((all) =>
    all.map((link) => ({ path: link.getAttribute('href'), title: link.textContent })),
  );
  await Bun.write(join(folder, 'pages.json'), `${JSON.stringify({ pages }, null, 2)}\n`);
}

async function keep(page: Page, name: string): Promise<void> {
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  process.stdout.write(`docs/images/${name}.png\n`);
}
