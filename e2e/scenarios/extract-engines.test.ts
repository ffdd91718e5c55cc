// The nine extraction engines: a plain page, and which parameters each of them warns about.
import { test } from 'bun:test';
import { askExtract, strictIssues, warningCodes } from '../asking.ts';
import { extractEngines, extractMounts, extractEnginesBut } from '../engines.ts';
import type { ExtractEngine } from '../engines.ts';
import { sharedSandbox } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox();
const url = 'https://gridlines.example/storage/solar-storage-guide';
const ask = (request: object) => askExtract(pair().gateway, { urls: [url], ...request });

type Code = 'param_ignored' | 'param_approximated';
type Warned = Partial<Record<ExtractEngine, Code>>;
const all = (engines: ExtractEngine[], code: Code): Warned =>
  Object.fromEntries(engines.map((engine) => [engine, code]));

/** One line for every engine whose warnings or strict refusals differ from what is expected. */
async function differences(param: string, changes: object, warned: Warned): Promise<string[]> {
  const lines: string[] = [];
  for (const provider of extractEngines) {
    const request = { urls: [url], provider, ...changes };
    const code = warned[provider];
    const expected = JSON.stringify(code === undefined ? [] : [`${param}: ${code}`]);
    const warnings = JSON.stringify(warningCodes(await askExtract(pair().gateway, request)));
    const issues = JSON.stringify(await strictIssues(pair().gateway, '/v1/extract', request));
    if (warnings !== expected) lines.push(`${provider} warned ${warnings}, not ${expected}`);
    if (issues !== expected) lines.push(`${provider} objected ${issues}, not ${expected}`);
  }
  return lines;
}

test('every engine answers a plain extraction with the whole page and no warning', async () => {
  for (const provider of extractEngines) {
    const answer = await ask({ provider });
    proves(
      ['identifiers.extraction-prefix', 'money.ids.extract-suffix', 'extract-response.id'],
      () => expect(answer.id).toMatch(/^ext_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/),
    );
    proves(
      [
        'conventions.nine-engines-extract',
        'extract-response.provider',
        'errors.extract.200',
        'extract-response.failed-empty',
        'extract-response.warnings',
      ],
      () => expect(answer).toMatchObject({ provider, failed: [], warnings: [] }),
    );
    proves('extract-response.usage', () => expect(answer.usage.cost_usd).toBeGreaterThan(0));
    proves('extract-response.latency', () =>
      expect(Number.isInteger(answer.latency_ms) && answer.latency_ms >= 0).toBe(true),
    );
    const [page, ...others] = answer.results;
    proves(['extract-response.results', 'extract-result.url', 'extract-result.title'], () => {
      expect(others).toEqual([]);
      expect(page).toMatchObject({ url, title: expect.stringMatching(/^Solar energy storage/) });
    });
    proves('requests.format.default', () =>
      expect([provider, page?.content]).toEqual([
        provider,
        expect.stringMatching(/^# |^Title: |\n#+ /),
      ]),
    );
    proves(['extract-result.content', 'extract.content.full-text-default'], () =>
      expect(page?.content?.length).toBeGreaterThan(1000),
    );
    expect(page).not.toContainAnyKeys(['excerpts', 'summary', 'links', 'images', 'final_url']);
  }
});

test('date and author are present where the vendor knows them', async () => {
  const dated: ExtractEngine[] = ['engine_a', 'engine_b', 'engine_e', 'engine_f'];
  const signed: ExtractEngine[] = ['engine_a', 'engine_e', 'engine_f', 'engine_i'];
  for (const provider of extractEngines) {
    const [page] = (await ask({ provider })).results;
    const knowsDay = [...dated, 'engine_h', 'engine_i'].includes(provider);
    proves('extract-result.published-date', () => {
      if (knowsDay) expect(page).toMatchObject({ published_date: '2026-09-14' });
      else expect(page).not.toContainKey('published_date');
    });
    proves('extract-result.author', () => {
      if (signed.includes(provider)) expect(page).toMatchObject({ author: 'Ines Calloway' });
      else expect(page).not.toContainKey('author');
    });
  }
});

test('links come from engine_a, images from engines a and c; the others warn', async () => {
  const noLinks = all(extractEnginesBut('engine_a'), 'param_ignored');
  await proves(
    [
      'extract.include-links.elsewhere',
      'warnings.on-extract',
      'extract.strict.refuses',
      'extract.strict.default-false',
    ],
    async () =>
      expect(await differences('include_links', { include_links: true }, noLinks)).toEqual([]),
  );
  const noImages = all(extractEnginesBut('engine_a', 'engine_c'), 'param_ignored');
  await proves('extract.include-images.elsewhere', async () =>
    expect(await differences('include_images', { include_images: true }, noImages)).toEqual([]),
  );
  for (const provider of extractEngines) {
    const [page] = (await ask({ provider, include_links: true, include_images: true })).results;
    proves(['extract-result.links', 'extract.include-links.native-a'], () =>
      expect([provider, (page?.links ?? []).length > 0]).toEqual([
        provider,
        provider === 'engine_a',
      ]),
    );
    proves(['extract-result.images', 'extract.include-images.native'], () =>
      expect([provider, (page?.images ?? []).length > 0]).toEqual([
        provider,
        provider === 'engine_a' || provider === 'engine_c',
      ]),
    );
  }
});

test('engine_a honours the age of a copy, and engines a and c honour a page timeout', async () => {
  const ageless = all(extractEnginesBut('engine_a'), 'param_ignored');
  const untimed = all(extractEnginesBut('engine_a', 'engine_c'), 'param_ignored');
  const { sandbox } = pair();
  for (const maxAgeHours of [0, 24]) {
    await proves('extract.max-age-hours.elsewhere', async () =>
      expect(await differences('max_age_hours', { max_age_hours: maxAgeHours }, ageless)).toEqual(
        [],
      ),
    );
    await ask({ provider: 'engine_a', max_age_hours: maxAgeHours });
    const call = (await sandbox.calls('/exa')).at(-1);
    proves(['extract.max-age-hours.native-a', 'extract.max-age-hours.zero-is-live'], () =>
      expect(call?.body).toMatchObject({ maxAgeHours: maxAgeHours }),
    );
  }
  await proves('extract.timeout.elsewhere', async () =>
    expect(await differences('timeout_ms', { timeout_ms: 5000 }, untimed)).toEqual([]),
  );
  for (const [provider, sent] of [
    ['engine_a', { livecrawlTimeout: 5000 }],
    ['engine_c', { timeout: 5 }],
  ] as const) {
    await ask({ provider, timeout_ms: 5000 });
    const call = (await sandbox.calls(extractMounts[provider])).at(-1);
    proves('extract.timeout.native', () => expect(call?.body).toMatchObject(sent));
  }
});

test('engine_c gets no more than 60 seconds for a page, and says so', async () => {
  const { sandbox } = pair();
  for (const [timeoutMs, seconds] of [
    [60_000, 60],
    [60_001, 60],
    [90_000, 60],
  ] as const) {
    const answer = await ask({ provider: 'engine_c', timeout_ms: timeoutMs });
    const call = (await sandbox.calls('/tavily')).at(-1);
    const warned = timeoutMs > 60_000 ? ['timeout_ms: param_approximated'] : [];
    proves('extract.timeout.cap-engine-c', () => {
      expect(call?.body).toMatchObject({ timeout: seconds });
      expect([timeoutMs, warningCodes(answer)]).toEqual([timeoutMs, warned]);
    });
  }
});

test('excerpts without a query, and a query without excerpts', async () => {
  const withoutQuery: Warned = {
    ...all(extractEnginesBut('engine_a', 'engine_f', 'engine_h'), 'param_ignored'),
    engine_b: 'param_approximated',
  };
  await proves('extract.content.excerpts.without-query', async () =>
    expect(
      await differences('content.excerpts', { content: { excerpts: {} } }, withoutQuery),
    ).toEqual([]),
  );
  for (const provider of ['engine_a', 'engine_b', 'engine_f', 'engine_h']) {
    const [page] = (await ask({ provider, content: { excerpts: {} } })).results;
    proves('extract.content.excerpts.without-query', () =>
      expect([provider, (page?.excerpts?.length ?? 0) > 0]).toEqual([provider, true]),
    );
  }
  // engine_b takes it as the objective of the whole extraction.
  const alone = all(extractEnginesBut('engine_b'), 'param_ignored');
  await proves('extract.query.alone', async () =>
    expect(await differences('query', { query: 'battery cost' }, alone)).toEqual([]),
  );
});

test('a summary comes from engines a and h, and the other engines warn', async () => {
  const summary = { content: { summary: true } };
  const without = all(extractEnginesBut('engine_a', 'engine_h'), 'param_ignored');
  await proves('extract-engines.summary-elsewhere', async () =>
    expect(await differences('content.summary', summary, without)).toEqual([]),
  );
  for (const provider of extractEngines) {
    const [page] = (await ask({ provider, ...summary })).results;
    const has = provider === 'engine_a' || provider === 'engine_h';
    proves('extract-result.summary', () =>
      expect([provider, page?.summary !== undefined]).toEqual([provider, has]),
    );
  }
});

test('text comes from engines c and e; the others return markdown and warn', async () => {
  const text = { content: { format: 'text' } };
  const markdownOnly = all(extractEnginesBut('engine_c', 'engine_e'), 'param_ignored');
  await proves(['extract.content.format.elsewhere', 'requests.format.text-ignored'], async () =>
    expect(await differences('content.format', text, markdownOnly)).toEqual([]),
  );
  expect(await differences('content.format', { content: { format: 'markdown' } }, {})).toEqual([]);
  for (const provider of extractEngines) {
    const [page] = (await ask({ provider, ...text })).results;
    const plain = provider === 'engine_c' || provider === 'engine_e';
    proves(['extract.content.format.native', 'requests.format.text-ignored'], () =>
      expect([provider, /^#+ /m.test(page?.content ?? '')]).toEqual([provider, !plain]),
    );
  }
});

test('each engine has the extras of its row in the table, and no others', async () => {
  const everything = {
    query: 'battery cost',
    content: { excerpts: { max_per_url: 2 }, summary: true },
    include_links: true,
    include_images: true,
    max_age_hours: 24,
    timeout_ms: 5000,
  };
  const parameters = [
    'content.excerpts',
    'content.summary',
    'include_images',
    'include_links',
    'max_age_hours',
    'query',
    'timeout_ms',
  ];
  const honoured: Record<ExtractEngine, string[]> = {
    engine_a: parameters,
    engine_b: ['content.excerpts', 'query'],
    engine_c: ['content.excerpts', 'include_images', 'query', 'timeout_ms'],
    engine_e: [],
    engine_f: ['content.excerpts', 'query'],
    engine_g: [],
    engine_h: ['content.excerpts', 'content.summary', 'query'],
    engine_i: [],
    engine_j: [],
  };
  for (const provider of extractEngines) {
    const answer = await ask({ provider, ...everything });
    const missing = parameters.filter((name) => !honoured[provider].includes(name));
    proves(
      [
        'extract-engines.engine-a',
        'extract-engines.engine-b',
        'extract-engines.engine-c',
        'extract-engines.engine-e',
        'extract-engines.engine-f',
        'extract-engines.engine-g',
        'extract-engines.engine-h',
        'extract-engines.engine-i',
        'extract-engines.engine-j',
      ],
      () =>
        expect([provider, warningCodes(answer)]).toEqual([
          provider,
          missing.map((name) => `${name}: param_ignored`),
        ]),
    );
  }
});
