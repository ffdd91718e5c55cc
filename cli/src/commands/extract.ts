// trivium extract: prints pages as text on a terminal, the whole response as JSON in a pipe.
import { extractEngineIds } from '@trivium/contract';
import type { ExtractRequestInput, ExtractResponse } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { choiceOption, fieldsOf, flagOption, numberOption, textOption } from '../options.ts';
import { answerOptions, paidOptions, printFooter, readPaid } from '../paid.ts';
import { providerOption } from '../options.ts';
import { plain } from '../style.ts';

const fieldOptions = {
  provider: providerOption('the provider', ['auto', ...extractEngineIds], { short: 'p' }),
  query: textOption('text', 'the topic of the excerpts and the summary'),
  format: choiceOption('the format of the content', ['markdown', 'text'], {
    field: 'content.format',
  }),
  'max-chars': numberOption('count', 'truncate the content of each page', {
    field: 'content.max_chars',
  }),
  summary: flagOption('ask for a summary', { field: 'content.summary' }),
  links: flagOption('ask for the links of each page', { field: 'include_links' }),
  images: flagOption('ask for the images of each page', { field: 'include_images' }),
  'max-age-hours': numberOption('hours', 'maximum age of a cached copy'),
  'timeout-ms': numberOption('ms', 'time allowed for each page'),
};

export const extract: Command = {
  name: 'extract',
  group: 'Tools',
  summary: 'Get the content of pages',
  usage: '<url> …',
  examples: ['extract https://example.com', 'extract https://example.com --excerpts --query price'],
  working: 'Reading pages',
  options: {
    ...fieldOptions,
    excerpts: flagOption('ask for excerpts instead of the whole page'),
    ...answerOptions,
    ...paidOptions,
  },
  run: async (given, context) => {
    const urls = [...given.positionals];
    if (urls.length === 0) throw new UsageError('Name at least one page: trivium extract <url>.');
    const { call, body } = readPaid(given, context);
    const request = { urls, ...extractFields(given), ...body } as ExtractRequestInput;
    const { data: answer, headers } = await context.client().extract(request, call).withResponse();
    if (context.json) printJson(context, answer);
    else show(answer, headers, context);
    return answer.results.length === 0 ? 1 : 0;
  },
};

/** The request fields that the options of an extraction set. */
export function extractFields(given: ParsedArguments): object {
  const { content, ...fields } = fieldsOf(given, fieldOptions);
  const excerpts = given.flag('excerpts') ? { excerpts: {}, full_text: false } : {};
  return { ...fields, content: { ...Object(content), ...excerpts } };
}

function show(answer: ExtractResponse, headers: Headers, context: Context): void {
  const { style } = context;
  for (const page of answer.results) {
    context.out(`${style.bold(plain(page.title ?? page.url))}\n${style.cyan(plain(page.url))}\n\n`);
    const parts = [page.summary, ...(page.excerpts ?? []), page.content];
    for (const part of parts) if (part !== undefined) context.out(`${plain(part).trim()}\n\n`);
    for (const link of [...(page.links ?? []), ...(page.images ?? [])]) {
      context.out(`- ${plain(link)}\n`);
    }
  }
  for (const { url, error } of answer.failed) {
    context.note(`${style.red('failed')}  ${plain(url)}: ${plain(error)}\n`);
  }
  printFooter(context, answer, headers);
}
