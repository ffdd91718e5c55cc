// The search requests that the vendors receive.
import { test } from 'bun:test';
import { askSearch, strictIssues, warningCodes } from '../asking.ts';
import type { SearchEngine } from '../engines.ts';
import { searchEngines, searchMounts } from '../engines.ts';
import { sharedSandbox } from '../harness.ts';
import { expect, proves } from '../proves.ts';

const pair = sharedSandbox();
const query = 'solar energy storage';

/** Searches with one engine and returns its vendor's last request, body and query together. */
async function sent(provider: SearchEngine, changes: object = {}) {
  const { gateway, sandbox } = pair();
  const answer = await askSearch(gateway, { query, provider, ...changes });
  const call = (await sandbox.calls(searchMounts[provider])).at(-1);
  if (call === undefined) throw new Error(`${provider} received no request.`);
  const fields: Record<string, unknown> = { ...call.query, ...(call.body as object) };
  return { answer, fields, path: call.path, text: JSON.stringify(fields) };
}

test('keyword engines receive the query as it was typed, spaces and signs included', async () => {
  const typed = '  "Solar  Storage" -lead +cost, 50% & more?  ';
  for (const provider of ['engine_d', 'engine_e'] as const) {
    const { fields } = await sent(provider, { query: typed });
    proves('search.query.as-typed', () =>
      expect([provider, fields['q']]).toEqual([provider, typed]),
    );
  }
});

test('neural engines receive natural language without operators', async () => {
  const question = 'how do households store the sun for the night?';
  const filters = {
    include_domains: ['gridlines.example'],
    exclude_domains: ['wattnews.example'],
    published_after: '2020-01-01',
  };
  for (const provider of ['engine_a', 'engine_b'] as const) {
    const { fields, text } = await sent(provider, { query: question, ...filters });
    proves('search.query.neural', () => {
      expect(fields[provider === 'engine_a' ? 'query' : 'objective']).toBe(question);
      expect(text).not.toMatch(/site:|after:|before:/);
    });
  }
});

test('mode picks the tier of three engines, and without it they use their default', async () => {
  for (const [provider, name, ...tiers] of [
    ['engine_a', 'type', 'instant', 'fast', 'auto', 'deep'],
    ['engine_b', 'mode', 'turbo', 'fast', 'basic', 'advanced'],
    ['engine_c', 'search_depth', 'ultra-fast', 'fast', 'basic', 'advanced'],
  ] as const) {
    for (const [index, mode] of ['instant', 'fast', 'balanced', 'deep'].entries()) {
      const { fields, answer } = await sent(provider, { mode });
      proves(
        [
          'search-engines.mode.engine-a',
          'search-engines.mode.engine-b',
          'search-engines.mode.engine-c',
        ],
        () => expect([mode, fields[name], answer.warnings]).toEqual([mode, tiers[index], []]),
      );
    }
    await proves('search-engines.mode.default', async () =>
      expect((await sent(provider)).fields).not.toContainKey(name),
    );
  }
});

test('domains become site: operators on engines d and e', async () => {
  for (const provider of ['engine_d', 'engine_e'] as const) {
    const one = await sent(provider, { include_domains: ['gridlines.example'] });
    proves('search-engines.include-domains.site-operators', () => {
      expect(one.fields['q']).toBe(`${query} site:gridlines.example`);
      expect(warningCodes(one.answer)).toEqual(['include_domains: param_approximated']);
    });
    const two = await sent(provider, { include_domains: ['a.example', 'b.example'] });
    proves('search-engines.include-domains.site-operators', () =>
      expect(two.fields['q']).toMatch(/ \(?site:a\.example OR site:b\.example\)?$/),
    );
    const without = await sent(provider, { exclude_domains: ['a.example', 'b.example'] });
    proves('search-engines.exclude-domains.site-operators', () => {
      expect(without.fields['q']).toBe(`${query} -site:a.example -site:b.example`);
      expect(warningCodes(without.answer)).toEqual(['exclude_domains: param_approximated']);
    });
  }
});

test('safe_search reaches engines d and e in their own values', async () => {
  for (const [provider, name, level, own] of [
    ...['off', 'moderate', 'strict'].map((one) => ['engine_d', 'safesearch', one, one] as const),
    ['engine_e', 'safe', 'off', 'off'],
    ['engine_e', 'safe', 'strict', 'active'],
  ] as const) {
    const { fields, answer } = await sent(provider, { safe_search: level });
    proves('search-engines.safe-search.native', () =>
      expect([fields[name], answer.warnings]).toEqual([own, []]),
    );
  }
});

test("a category without a counterpart uses the vendor's closest option or a hint", async () => {
  await proves('requests.category.nearest-means', async () =>
    expect((await sent('engine_e', { category: 'research' })).path).toBe('/scholar'),
  );
  const means: [SearchEngine, string, RegExp][] = [
    ['engine_b', 'people', /"objective":"solar energy storage [^"]*people/],
    ['engine_f', 'research', /"categories":\["research"\]/],
    ['engine_h', 'company', /compan/i],
    ['engine_k', 'research', /"search_mode":"academic"/],
    ['engine_k', 'people', /"search_type":"people"/],
  ];
  for (const [provider, category, expected] of means) {
    const { text } = await sent(provider, { category });
    proves('requests.category.nearest-means', () =>
      expect([provider, category, text]).toEqual([
        provider,
        category,
        expect.stringMatching(expected),
      ]),
    );
  }
  const hints = { company: 'company', people: 'profile', research: 'research paper' };
  for (const provider of ['engine_c', 'engine_d', 'engine_g', 'engine_j'] as const) {
    for (const [category, hint] of Object.entries(hints)) {
      const { text } = await sent(provider, { category });
      proves('requests.category.hint', () =>
        expect([provider, text]).toEqual([provider, expect.stringContaining(`"${query} ${hint}"`)]),
      );
    }
  }
});

const limits: Partial<Record<SearchEngine, number>> = {
  engine_b: 5000,
  engine_c: 400,
  engine_d: 400,
  engine_f: 500,
};

test('a query over the limit is cut at a word with a warning, or refused by strict', async () => {
  const { gateway } = pair();
  for (const provider of searchEngines) {
    const limit = limits[provider];
    const words = wordsFor((limit ?? 500) + 100);
    const long = words.join(' ');
    const { answer, text } = await sent(provider, { query: long });
    const expected = limit === undefined ? [] : ['query: param_approximated'];
    proves('requests.query-too-long.cut', () =>
      expect([provider, warningCodes(answer)]).toEqual([provider, expected]),
    );
    const strictly = await strictIssues(gateway, '/v1/search', { query: long, provider });
    proves('requests.query-too-long.strict', () =>
      expect([provider, strictly]).toEqual([provider, expected]),
    );
    if (limit === undefined) {
      expect([provider, text.includes(long)]).toEqual([provider, true]);
      continue;
    }
    const kept = /solar(?: (?:solar|energy|storage))*/.exec(text)?.[0] ?? '';
    proves('requests.query-too-long.cut', () => {
      expect(kept.length).toBeLessThanOrEqual(limit);
      const count = kept.split(' ').length;
      expect(kept).toBe(words.slice(0, count).join(' '));
      const limiter = provider === 'engine_d' ? 50 : Infinity;
      const next = `${kept} ${words[count]}`;
      expect([provider, next.length > limit || count >= limiter]).toEqual([provider, true]);
    });
  }
});

test('a null among the options removes a parameter from a query string', async () => {
  expect((await sent('engine_d', { safe_search: 'strict' })).fields).toMatchObject({
    safesearch: 'strict',
  });
  const { fields } = await sent('engine_d', {
    safe_search: 'strict',
    provider_options: { engine_d: { safesearch: null, spellcheck: false } },
  });
  proves('requests.options.null-in-query', () => expect(fields).not.toContainKey('safesearch'));
  expect(fields).toMatchObject({ spellcheck: 'false', q: query });
});

test('the snippets of engines b, c, d and e come from their documented fields', async () => {
  const fields: [SearchEngine, string[]][] = [
    ['engine_b', ['excerpts']],
    ['engine_c', ['content']],
    ['engine_d', ['description', 'extra_snippets']],
    ['engine_e', ['snippet']],
  ];
  for (const [provider, names] of fields) {
    const { answer } = await sent(provider);
    for (const { snippets, raw, url } of answer.results) {
      const own = names.flatMap((name) => (raw as Record<string, string | string[]>)[name] ?? []);
      const source = letters(own.join(' '));
      proves(
        [
          'search-result.snippets-engine-b',
          'search-result.snippets-engine-c',
          'search-result.snippets-engine-d',
          'search-result.snippets-engine-e',
        ],
        () => {
          for (const snippet of snippets) {
            expect([provider, url, source.includes(letters(snippet))]).toEqual([
              provider,
              url,
              true,
            ]);
          }
          expect(letters(snippets.join(' ')).length).toBeGreaterThan(source.length * 0.9);
        },
      );
    }
  }
});

/** Enough words to fill more than this many characters. */
function wordsFor(characters: number): string[] {
  const each = ['solar', 'energy', 'storage'];
  return Array.from({ length: characters / 6 }, (_, index) => each[index % 3] ?? '');
}

/** The letters and digits of a text, without markup, entities and spaces. */
function letters(text: string): string {
  return text.replace(/<[^>]+>|&\w+;|&#\w+;|[^\p{L}\p{N}]/gu, '');
}
