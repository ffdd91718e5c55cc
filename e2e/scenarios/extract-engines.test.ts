// Each of the nine extraction engines: a plain page, and parameter by parameter what it warns
// about.
import { expect } from 'bun:test';
import { askExtract, objections, told } from '../asking.ts';
import { extract_engines, extract_mounts, extractEnginesBut } from '../engines.ts';
import type { ExtractEngine } from '../engines.ts';
import { sharedSandbox } from '../shared-sandbox.ts';
import { scenario } from '../verifies.ts';

const pair = sharedSandbox();
const url = 'https://gridlines.example/storage/solar-storage-guide';
const ask = (request: object) => askExtract(pair().gateway, { urls: [url], ...request });

type Code = 'param_ignored' | 'param_approximated';
type Warned = Partial<Record<ExtractEngine, Code>>;
const all = (engines: ExtractEngine[], code: Code): Warned =>
  Object.fromEntries(engines.map((engine) => [engine, code]));

/** Answers one line for every engine that warned otherwise than expected, or refused otherwise. */
async function differences(param: string, changes: object, warned: Warned): Promise<string[]> {
  const lines: string[] = [];
  for (const provider of extract_engines) {
    const request = { urls: [url], provider, ...changes };
    const code = warned[provider];
    const expected = JSON.stringify(code === undefined ? [] : [`${param}: ${code}`]);
    const warnings = JSON.stringify(told(await askExtract(pair().gateway, request)));
    const issues = JSON.stringify(await objections(pair().gateway, '/v1/extract', request));
    if (warnings !== expected) lines.push(`${provider} warned ${warnings}, not ${expected}`);
    if (issues !== expected) lines.push(`${provider} objected ${issues}, not ${expected}`);
  }
  return lines;
}

scenario(
  'every engine answers a plain extraction with the whole page and no warning',
  [
    'conventions.nine-engines-extract',
    'identifiers.extraction-prefix',
    'money.ids.extract-suffix',
    'errors.extract.200',
    'extract-response.id',
    'extract-response.provider',
    'extract-response.results',
    'extract-response.failed-empty',
    'extract-response.warnings',
    'extract-response.usage',
    'extract-response.latency',
    'extract-result.url',
    'extract-result.title',
    'extract-result.content',
    'extract.content.full-text-default',
    'requests.format.default',
  ],
  async () => {
    for (const provider of extract_engines) {
      const answer = await ask({ provider });
      expect(answer.id).toMatch(/^ext_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
      expect(answer).toMatchObject({ provider, failed: [], warnings: [] });
      expect(answer.usage.cost_usd).toBeGreaterThan(0);
      expect(Number.isInteger(answer.latency_ms) && answer.latency_ms >= 0).toBe(true);
      const [page, ...others] = answer.results;
      expect(others).toEqual([]);
      expect(page).toMatchObject({ url, title: expect.stringMatching(/^Solar energy storage/) });
      expect([provider, page?.content]).toEqual([
        provider,
        expect.stringMatching(/^# |^Title: |\n#+ /),
      ]);
      expect(page?.content?.length).toBeGreaterThan(1000);
      expect(page).not.toContainAnyKeys(['excerpts', 'summary', 'links', 'images', 'final_url']);
    }
  },
);

scenario(
  'day and author are there where the vendor knows them, and left out elsewhere',
  ['extract-result.published-date', 'extract-result.author'],
  async () => {
    const dated: ExtractEngine[] = ['engine_a', 'engine_b', 'engine_e', 'engine_f'];
    const signed: ExtractEngine[] = ['engine_a', 'engine_e', 'engine_f', 'engine_i'];
    for (const provider of extract_engines) {
      const [page] = (await ask({ provider })).results;
      const knows_day = [...dated, 'engine_h', 'engine_i'].includes(provider);
      if (knows_day) expect(page).toMatchObject({ published_date: '2026-09-14' });
      else expect(page).not.toContainKey('published_date');
      if (signed.includes(provider)) expect(page).toMatchObject({ author: 'Ines Calloway' });
      else expect(page).not.toContainKey('author');
    }
  },
);

scenario(
  'links come from engine_a, images from engines a and c, and the others say so',
  [
    'extract-result.links',
    'extract-result.images',
    'extract.include-links.native-a',
    'extract.include-links.elsewhere',
    'extract.include-images.native',
    'extract.include-images.elsewhere',
    'warnings.on-extract',
    'extract.strict.refuses',
    'extract.strict.default-false',
  ],
  async () => {
    const no_links = all(extractEnginesBut('engine_a'), 'param_ignored');
    expect(await differences('include_links', { include_links: true }, no_links)).toEqual([]);
    const no_images = all(extractEnginesBut('engine_a', 'engine_c'), 'param_ignored');
    expect(await differences('include_images', { include_images: true }, no_images)).toEqual([]);
    for (const provider of extract_engines) {
      const [page] = (await ask({ provider, include_links: true, include_images: true })).results;
      expect([provider, (page?.links ?? []).length > 0]).toEqual([
        provider,
        provider === 'engine_a',
      ]);
      expect([provider, (page?.images ?? []).length > 0]).toEqual([
        provider,
        provider === 'engine_a' || provider === 'engine_c',
      ]);
    }
  },
);

scenario(
  'the age of a copy is a matter for engine_a, a page timeout for engines a and c',
  [
    'extract.max-age-hours.native-a',
    'extract.max-age-hours.zero-is-live',
    'extract.max-age-hours.elsewhere',
    'extract.timeout.native',
    'extract.timeout.elsewhere',
  ],
  async () => {
    const ageless = all(extractEnginesBut('engine_a'), 'param_ignored');
    const untimed = all(extractEnginesBut('engine_a', 'engine_c'), 'param_ignored');
    const { sandbox } = pair();
    for (const max_age_hours of [0, 24]) {
      expect(await differences('max_age_hours', { max_age_hours }, ageless)).toEqual([]);
      await ask({ provider: 'engine_a', max_age_hours });
      const call = (await sandbox.calls('/exa')).at(-1);
      expect(call?.body).toMatchObject({ maxAgeHours: max_age_hours });
    }
    expect(await differences('timeout_ms', { timeout_ms: 5000 }, untimed)).toEqual([]);
    for (const [provider, sent] of [
      ['engine_a', { livecrawlTimeout: 5000 }],
      ['engine_c', { timeout: 5 }],
    ] as const) {
      await ask({ provider, timeout_ms: 5000 });
      const call = (await sandbox.calls(extract_mounts[provider])).at(-1);
      expect(call?.body).toMatchObject(sent);
    }
  },
);

scenario(
  'a summary comes from engines a and h, and the others say so',
  ['extract-result.summary', 'extract-engines.summary-elsewhere'],
  async () => {
    const summary = { content: { summary: true } };
    const without = all(extractEnginesBut('engine_a', 'engine_h'), 'param_ignored');
    expect(await differences('content.summary', summary, without)).toEqual([]);
    for (const provider of extract_engines) {
      const [page] = (await ask({ provider, ...summary })).results;
      const has = provider === 'engine_a' || provider === 'engine_h';
      expect([provider, page?.summary !== undefined]).toEqual([provider, has]);
    }
  },
);

scenario(
  'text comes from engines c and e, and the others return markdown and say so',
  [
    'extract.content.format.native',
    'extract.content.format.elsewhere',
    'requests.format.text-ignored',
  ],
  async () => {
    const text = { content: { format: 'text' } };
    const markdown_only = all(extractEnginesBut('engine_c', 'engine_e'), 'param_ignored');
    expect(await differences('content.format', text, markdown_only)).toEqual([]);
    expect(await differences('content.format', { content: { format: 'markdown' } }, {})).toEqual(
      [],
    );
    for (const provider of extract_engines) {
      const [page] = (await ask({ provider, ...text })).results;
      const plain = provider === 'engine_c' || provider === 'engine_e';
      expect([provider, /^#+ /m.test(page?.content ?? '')]).toEqual([provider, !plain]);
    }
  },
);

scenario(
  'each engine has the extras of its row in the table, and no others',
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
  async () => {
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
    for (const provider of extract_engines) {
      const answer = await ask({ provider, ...everything });
      const missing = parameters.filter((name) => !honoured[provider].includes(name));
      expect([provider, told(answer)]).toEqual([
        provider,
        missing.map((name) => `${name}: param_ignored`),
      ]);
    }
  },
);
