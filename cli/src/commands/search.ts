// trivium search: prints a list on a terminal, the whole response as JSON in a pipe.
import { searchEngineIds } from '@trivium/contract';
import type { SearchRequestInput, SearchResponse } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { cut } from '../display-width.ts';
import { answerOptions, paidOptions, printFooter, readPaid } from '../paid.ts';
import { plain } from '../style.ts';
import { providerOption } from '../provider-option.ts';

export const search: Command = {
  name: 'search',
  group: 'Tools',
  summary: 'Search the web',
  usage: '<query>',
  examples: ['search solar energy storage --freshness year', 'search solar -p tavily -n 3 --json'],
  working: 'Searching',
  options: {
    provider: {
      ...providerOption('the provider', ['auto', 'fusion', ...searchEngineIds]),
      short: 'p',
    },
    'max-results': { type: 'string', short: 'n', value: 'count', describe: '1 to 100' },
    mode: {
      type: 'string',
      describe: 'search depth',
      choices: ['instant', 'fast', 'balanced', 'deep'],
    },
    freshness: {
      type: 'string',
      describe: 'how recent the pages are',
      choices: ['day', 'week', 'month', 'year'],
    },
    after: {
      type: 'string',
      value: 'YYYY-MM-DD',
      describe: 'only pages published on or after this day',
    },
    before: {
      type: 'string',
      value: 'YYYY-MM-DD',
      describe: 'only pages published on or before this day',
    },
    include: { type: 'string', value: 'domain', describe: 'only this domain; may be repeated' },
    exclude: { type: 'string', value: 'domain', describe: 'not this domain; may be repeated' },
    category: {
      type: 'string',
      describe: 'the kind of page',
      choices: ['general', 'news', 'company', 'people', 'research'],
    },
    country: { type: 'string', value: 'code', describe: 'two letters, such as de' },
    language: { type: 'string', value: 'code', describe: 'two letters, such as en' },
    'safe-search': {
      type: 'string',
      describe: 'how much adult content to leave out',
      choices: ['off', 'moderate', 'strict'],
    },
    offset: { type: 'string', value: 'count', describe: 'skip this many results' },
    'full-text': { type: 'boolean', describe: 'ask for the whole text of each page' },
    summary: { type: 'boolean', describe: 'ask for a summary of each page' },
    ...answerOptions,
    ...paidOptions,
  },
  run: async (given, context) => {
    const query = given.positionals.join(' ');
    if (query === '') throw new UsageError('Missing query: trivium search <query>.');
    const { call, body } = readPaid(given, context);
    // The gateway validates the values.
    const request = { query, ...searchFields(given), ...body } as SearchRequestInput;
    const { data: answer, headers } = await context.client().search(request, call).withResponse();
    if (context.json) printJson(context, answer);
    else show(answer, headers, context);
  },
};

/** The request fields that the options of a search set. */
export function searchFields(given: ParsedArguments): object {
  const { text, texts, number, flag } = given;
  const fields = {
    provider: text('provider'),
    max_results: number('max-results'),
    mode: text('mode'),
    freshness: text('freshness'),
    published_after: text('after'),
    published_before: text('before'),
    include_domains: texts('include'),
    exclude_domains: texts('exclude'),
    category: text('category'),
    safe_search: text('safe-search'),
    offset: number('offset'),
  };
  const locale = { country: text('country'), language: text('language') };
  const content = { full_text: flag('full-text'), summary: flag('summary') };
  return {
    ...fields,
    ...((locale.country ?? locale.language) ? { locale } : {}),
    ...(content.full_text || content.summary ? { content } : {}),
  };
}

function show(answer: SearchResponse, headers: Headers, context: Context): void {
  const { style, columns } = context;
  answer.results.forEach(({ title, url, snippets, summary, published_date }, index) => {
    const date = published_date === undefined ? '' : style.dim(`  ${plain(published_date)}`);
    const said = plain(summary ?? snippets[0] ?? '').replaceAll(/\s+/g, ' ');
    context.out(`${index + 1}. ${style.bold(plain(title ?? url))}${date}\n`);
    context.out(`   ${style.cyan(plain(url))}\n`);
    if (said !== '') context.out(`   ${cut(said, Math.max(columns - 3, 40))}\n`);
  });
  if (answer.results.length === 0) context.out('No results.\n');
  printFooter(context, answer, headers);
}
