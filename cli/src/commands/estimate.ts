// trivium estimate: what a request may cost, without making it.
import { didYouMean, providerIds, providerLabel, toolNames } from '@trivium/contract';
import type { Estimate, ToolName } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Command, Options, ParsedArguments } from '../command.ts';
import { fieldsOf } from '../options.ts';
import { formatUsd, readPaid } from '../paid.ts';
import { providerOption } from '../options.ts';
import { plain } from '../style.ts';
import { formatTable } from '../table.ts';
import { extract, extractFields } from './extract.ts';
import { search, searchOptions } from './search.ts';
import { transcribe, transcriptionFields } from './transcribe.ts';

/** Options that change how a request is sent and paid for, but not its price. */
const ofTheCall = new Set([
  ...['max-cost', 'idempotency-key', 'tag', 'cache', 'content', 'max-tokens'],
  ...['webhook', 'no-wait', 'srt', 'vtt', 'text'],
]);

function priced(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !ofTheCall.has(name)));
}

const bodies: Readonly<
  Record<ToolName, (subjects: readonly string[], given: ParsedArguments) => object>
> = {
  search: (words, given) => ({ query: words.join(' '), ...fieldsOf(given, searchOptions) }),
  extract: (urls, given) => ({ urls, ...extractFields(given) }),
  transcription: ([recording], given) => ({ audio_url: recording, ...transcriptionFields(given) }),
};

export const estimate: Command = {
  name: 'estimate',
  group: 'Tools',
  summary: 'Estimate the cost of a request without sending it',
  usage: `${toolNames.join('|')} <query, pages or https URL>`,
  examples: [
    'estimate search solar energy --provider fusion',
    'estimate transcription https://recordings.example/interview.wav --diarize',
  ],
  working: 'Asking the gateway',
  words: toolNames,
  options: {
    ...priced(transcribe.options),
    ...priced(extract.options),
    ...priced(search.options),
    provider: providerOption('the provider', ['auto', 'fusion', ...providerIds], { short: 'p' }),
  },
  run: async (given, context) => {
    const [typed = '', ...subjects] = given.positionals;
    const tool = toolNames.find((name) => name === typed);
    if (tool === undefined) {
      const near = typed === '' ? '' : didYouMean(typed, toolNames, 'trivium estimate ');
      throw new UsageError(`Name a tool: ${toolNames.join(', ')}.${near}`);
    }
    if (subjects.length === 0) {
      throw new UsageError(`Missing argument: trivium ${estimate.usage}.`);
    }
    const { body } = readPaid(given, context);
    const { signal } = context;
    const request = { ...bodies[tool](subjects, given), ...body };
    // The gateway checks the values.
    const ask = context.client().estimate as (
      ...call: [ToolName, object, object]
    ) => Promise<Estimate>;
    const found = await ask(tool, request, { signal });
    if (context.json) return printJson(context, found);
    context.out(formatTable(['what', 'value'], rowsOf(found), context));
  },
};

function rowsOf(found: Estimate): string[][] {
  const usd = (amount: number) => `${formatUsd(amount)} USD`;
  const { hour_cost_usd, average_cost_usd, average_of } = found;
  return [
    ['provider', providerLabel(plain(found.provider))],
    ['at most', usd(found.max_cost_usd)],
    ['held', usd(found.held_usd)],
    ...(hour_cost_usd === null ? [] : [['an hour', usd(hour_cost_usd)]]),
    ...(average_cost_usd === null
      ? []
      : [['on average', `${usd(average_cost_usd)}, over ${average_of} requests`]]),
    ['balance', usd(found.balance_usd)],
  ];
}
