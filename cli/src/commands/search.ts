// trivium search: prints a list on a terminal, the whole response as JSON in a pipe.
import { searchEngineIds } from '@trivium/contract';
import type { SearchRequestInput, SearchResponse } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context } from '../command.ts';
import { cut } from '../display-width.ts';
import { choiceOption, fieldsOf, flagOption, numberOption, textOption } from '../options.ts';
import { answerOptions, paidOptions, printFooter, readPaid } from '../paid.ts';
import { plain } from '../style.ts';
import { providerOption } from '../options.ts';

/** The options that set fields of the request. */
export const searchOptions = {
  provider: providerOption('the provider', ['auto', 'fusion', ...searchEngineIds], { short: 'p' }),
  'max-results': numberOption('count', '1 to 100', { short: 'n' }),
  mode: choiceOption('search depth', ['instant', 'fast', 'balanced', 'deep']),
  freshness: choiceOption('how recent the pages are', ['day', 'week', 'month', 'year']),
  after: textOption('YYYY-MM-DD', 'only pages published on or after this day', {
    field: 'published_after',
  }),
  before: textOption('YYYY-MM-DD', 'only pages published on or before this day', {
    field: 'published_before',
  }),
  include: textOption('domain', 'only this domain; may be repeated', {
    field: 'include_domains',
    multiple: true,
  }),
  exclude: textOption('domain', 'not this domain; may be repeated', {
    field: 'exclude_domains',
    multiple: true,
  }),
  category: choiceOption('the kind of page', ['general', 'news', 'company', 'people', 'research']),
  country: textOption('code', 'two letters, such as de', { field: 'locale.country' }),
  language: textOption('code', 'two letters, such as en', { field: 'locale.language' }),
  'safe-search': choiceOption('how much adult content to leave out', ['off', 'moderate', 'strict']),
  offset: numberOption('count', 'skip this many results'),
  'full-text': flagOption('ask for the whole text of each page', { field: 'content.full_text' }),
  summary: flagOption('ask for a summary of each page', { field: 'content.summary' }),
};

export const search: Command = {
  name: 'search',
  group: 'Tools',
  summary: 'Search the web',
  usage: '<query>',
  examples: ['search solar energy storage --freshness year', 'search solar -p tavily -n 3 --json'],
  working: 'Searching',
  options: { ...searchOptions, ...answerOptions, ...paidOptions },
  run: async (given, context) => {
    const query = given.positionals.join(' ');
    if (query === '') throw new UsageError('Missing query: trivium search <query>.');
    const { call, body } = readPaid(given, context);
    const request = { query, ...fieldsOf(given, searchOptions), ...body } as SearchRequestInput;
    const { data: answer, headers } = await context.client().search(request, call).withResponse();
    if (context.json) printJson(context, answer);
    else show(answer, headers, context);
  },
};

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
