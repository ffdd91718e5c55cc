// Interactive charts: figures for the pointer and the keyboard, a link to the requests of each
// point, whole counts, weeks over ninety days, and the change since the range before.
import { expect } from 'bun:test';
import type { Overview, OverviewPoint } from '@trivium/contract';
import type { Fixture } from './fixture.ts';
import { browserTest as test } from './visit.ts';

const dayMs = 86_400_000;
const engines = [
  'engine_a',
  'engine_b',
  'engine_c',
  'engine_d',
  'engine_e',
  'engine_f',
  'engine_j',
];

export function chartTests(fixture: Fixture): void {
  pointTest(fixture);
  spanTest(fixture);
  colourTest(fixture);
}

function pointTest({ gateway, operator }: Fixture): void {
  test('a point of a chart shows its figures, and leads to its requests', async () => {
    expect((await gateway().post('/v1/search', { query: 'wind' })).status).toBe(200);
    await using seen = await operator();
    const { page } = seen;
    await page.goto(`${gateway().url}/?span=24h`);
    const requests = page.getByRole('region', { name: 'Requests' });
    const last = requests.getByRole('link').last();
    await requests.locator('.plot-column').last().hover();
    const tooltip = page.locator('.tooltip');
    expect(await tooltip.textContent()).toContain('Served');
    expect(await last.getAttribute('aria-label')).toMatch(/^\d\d:00 to \d\d:00, .+: Served \d+/);
    const ticks = await requests.locator('.tick span').allTextContents();
    expect(ticks.every((tick) => /^[\d,]+$/.test(tick))).toBe(true);
    expect(await seen.inspect()).toEqual([]);
    // One stop for the keyboard, and arrows from point to point.
    expect(await requests.locator('a[tabindex="0"]').count()).toBe(1);
    await last.focus();
    await page.keyboard.press('ArrowLeft');
    const focused = requests.locator('a:focus');
    expect(await focused.getAttribute('href')).not.toBe(await last.getAttribute('href'));
    await page.keyboard.press('End');
    const [shown] = /Served \d+/.exec((await focused.getAttribute('aria-label')) ?? '') ?? [];
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    const rows = page.locator('tbody tr');
    await rows.first().waitFor();
    expect(`Served ${await page.locator('tbody .tag.good').count()}`).toBe(shown ?? '');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    expect(new URL(page.url()).search).toBe('?sort=cost');
    await page.goBack();
    const providers = page.getByRole('region', { name: 'By provider', exact: true });
    await providers.getByRole('link', { name: 'Exa' }).click();
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('provider')).toBe('engine_a');
    expect(seen.complaints).toEqual([]);
  });
}

function spanTest({ gateway, operator }: Fixture): void {
  test('ninety days are drawn by week, stacked, and compared with the range before', async () => {
    await using seen = await operator();
    const { page } = seen;
    await page.route('**/admin/v1/overview?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as Overview;
      await route.fulfill({ response, json: withHistory(body) });
    });
    await page.goto(`${gateway().url}/?span=90d`);
    const requests = page.getByRole('region', { name: 'Requests' });
    const points = requests.getByRole('link');
    await points.first().waitFor();
    expect([13, 14]).toContain(await points.count());
    expect(await points.nth(5).getAttribute('aria-label')).toMatch(
      /^\w{3} \d+ to \w{3} \d+, UTC: Served 85, Refused 5, Failed 10$/,
    );
    expect(await requests.locator('.plot-column').nth(5).locator('.plot-bar > *').count()).toBe(3);
    expect(await requests.locator('.tick span').allTextContents()).toEqual(['0', '50', '100']);
    const figure = page.locator('.figure', { hasText: 'Served' });
    expect(await figure.textContent()).toContain('25%more than in the previous 90 days');
    const cost = page.getByRole('region', { name: 'Cost' });
    expect(await cost.locator('.chart-legend li').count()).toBe(7);
    expect(await cost.locator('.plot-column').nth(2).locator('.plot-bar > *').count()).toBe(7);
    await cost.getByRole('button', { name: 'Key' }).click();
    expect(await cost.locator('.chart-legend li').allTextContents()).toEqual(['Dashboard']);
    const latency = page.getByRole('region', { name: 'Latency', exact: true });
    expect(await latency.locator('.plot-lines path').count()).toBe(2);
    const median = await latency.getByRole('link').first().getAttribute('aria-label');
    await latency.getByRole('button', { name: 'p95' }).click();
    expect(await latency.getByRole('link').first().getAttribute('aria-label')).not.toBe(median);
    await latency.getByRole('button', { name: 'Table' }).click();
    expect(await latency.getByRole('row').count()).toBe((await points.count()) + 1);
    expect(await seen.inspect()).toEqual([]);
    expect(seen.complaints).toEqual([]);
  });
}

function colourTest({ gateway, operator }: Fixture): void {
  test('a provider, a key and an outcome have the same colour on every page', async () => {
    for (const provider of ['engine_a', 'engine_e', 'fusion']) {
      const { status } = await gateway().post('/v1/search', { query: 'dunes', provider });
      expect(status).toBe(200);
    }
    await using seen = await operator();
    const { page } = seen;
    /** The colours of a legend or of bars, by name. */
    const coloursOf = async (title: string, [line, name, mark]: readonly string[]) => {
      const lines = page.getByRole('region', { name: title, exact: true }).locator(line ?? '');
      await lines.first().waitFor();
      return lines.evaluateAll(readColours, [name ?? '', mark ?? ''] as const);
    };
    const legend = ['.chart-legend li', '', '.swatch'];
    const bars = ['.bar-line', ':first-child', '.bar-fill:last-child'];
    await page.goto(gateway().url);
    const byProvider = await coloursOf('Cost', legend);
    expect(new Set(Object.values(byProvider)).size).toBe(Object.keys(byProvider).length);
    expect(await coloursOf('By provider', bars)).toMatchObject(byProvider);
    const served = (await coloursOf('Requests', legend))['Served'];
    const byKey = await coloursOf('By key', bars);
    const cost = page.getByRole('region', { name: 'Cost', exact: true });
    await cost.getByRole('button', { name: 'Key' }).click();
    await cost.locator('.chart-legend').getByText('Bootstrap').waitFor();
    expect(byKey).toMatchObject(await coloursOf('Cost', legend));
    await page.goto(`${gateway().url}/usage?by=key`);
    expect(await coloursOf('Cost', legend)).toMatchObject(byKey);
    await page.goto(`${gateway().url}/usage?by=provider`);
    expect(await coloursOf('Cost', legend)).toMatchObject(byProvider);
    await page.goto(`${gateway().url}/providers?provider=engine_a`);
    const panel = page.getByRole('complementary');
    await panel.locator('.uptime-day.good').last().waitFor();
    expect(served).toBe(await panel.locator('.uptime-day.good').last().evaluate(background));
    const line = panel.locator('.hour-chart path');
    expect(await line.evaluate((path) => getComputedStyle(path).stroke)).toBe(
      byProvider['Exa (engine_a)'] ?? 'none',
    );
    expect(seen.complaints).toEqual([]);
  });
}

function background(mark: Element): string {
  return getComputedStyle(mark).backgroundColor;
}

/** Runs in the page: the colour of the mark in each line, by its name. */
function readColours(lines: Element[], [name, mark]: readonly [string, string]) {
  const colours = lines.map((line) => {
    const words = (name === '' ? line : line.querySelector(name))?.textContent ?? '';
    return [words, getComputedStyle(line.querySelector(mark) ?? line).backgroundColor] as const;
  });
  return Object.fromEntries(colours);
}

const busy = { requests: 100, served: 85, refused: 5, failed: 10, failures: 10 };

/** The weeks of a real response, with the figures of an account that was busy in each of them. */
function withHistory(body: Overview): Overview {
  const points = body.points.map((point): OverviewPoint => {
    const days = (Date.parse(point.until) - Date.parse(point.at)) / dayMs;
    expect(days).toBeLessThanOrEqual(7);
    return { ...point, ...busy, cost_usd: 0.7 };
  });
  const each = <T>(value: T) => points.map(() => value);
  const counts = { requests: 100 * points.length, served: 85 * points.length };
  const total = { ...busy, ...counts, cost_usd: 9 };
  return {
    ...body,
    points,
    total,
    previous: { ...total, requests: 80 * points.length, served: 68 * points.length },
    cost_by_provider: [...engines.slice(0, 6), null].map((group) => ({
      group,
      cost_usd: each(0.1),
    })),
    cost_by_key: [{ group: 'dashboard', cost_usd: each(0.7) }],
    latency_over_time: [
      { id: 'engine_a', p50_ms: each(200), p95_ms: each(900) },
      { id: 'engine_b', p50_ms: each(null), p95_ms: each(null) },
    ],
  };
}
