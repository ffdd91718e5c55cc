// Shared by the three commands that cost money: their options, and the line that prints the cost.
import { contentModes, labelProviders, providerLabel } from '@trivium/contract';
import type { ContentMode, Usage, Warning } from '@trivium/contract';
import type { CachedPostOptions, PostOptions } from '@trivium/sdk';
import { UsageError } from './command.ts';
import type { Context, ParsedArguments } from './command.ts';
import { choiceOption, flagOption, numberOption, textOption } from './options.ts';
import { plain } from './style.ts';

export const paidOptions = {
  strict: flagOption('refuse the request instead of adjusting it'),
  options: textOption('json', 'provider_options, such as {"exa":{"type":"deep"}}'),
  'max-cost': numberOption('usd', 'refuse the request if it could cost more'),
  'idempotency-key': textOption('key', 'retry a call without paying again'),
  tag: textOption('name=value', 'tag the request, for example team=search; may be repeated'),
};

/** For the text of pages and transcripts. */
export const contentOption = {
  content: choiceOption('what to do with hidden text and instructions to a model', contentModes),
};

export function readContentMode(given: ParsedArguments): ContentMode | undefined {
  return given.text('content') as ContentMode | undefined;
}

/** For search and extraction. */
export const answerOptions = {
  cache: numberOption('seconds', 'accept an answer from the cache that is at most this old'),
  ...contentOption,
  'max-tokens': numberOption('count', 'cut the texts to this many tokens in total'),
};

/** The request fields and call options that these options set. */
export function readPaid(
  given: ParsedArguments,
  context: Context,
): { body: object; call: CachedPostOptions } {
  const options = given.text('options');
  return {
    body: {
      ...(given.flag('strict') ? { strict: true } : {}),
      ...(options === undefined ? {} : { provider_options: readJson(options) }),
    },
    call: {
      signal: context.signal,
      maxCostUsd: given.number('max-cost'),
      idempotencyKey: given.text('idempotency-key'),
      cacheSeconds: given.number('cache'),
      contentMode: readContentMode(given),
      maxTokens: given.number('max-tokens'),
      ...tagsOf(given),
    },
  };
}

/** The gateway validates the rest. */
function tagsOf(given: ParsedArguments): Pick<PostOptions, 'tags'> {
  const typed = given.texts('tag');
  if (typed === undefined) return {};
  const tags = typed.map((tag) => readTag(tag, '--tag team=search'));
  const names = tags.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new UsageError(`The tag ${twice} appears twice. Use it once.`);
  return { tags: Object.fromEntries(tags) };
}

/** `example` is what the caller should have typed. */
export function readTag(typed: string, example: string): readonly [name: string, value: string] {
  const [, name, value] = /^([^=]+)=([^=]+)$/.exec(typed) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new UsageError(`A tag is a name and a value, such as ${example}.`);
}

/** `headers` say whether the answer came from the cache. */
export function printFooter(
  context: Context,
  answer: { provider: string; warnings: readonly Warning[]; usage: Usage; latency_ms: number },
  headers: Headers,
): void {
  printWarnings(context, answer.warnings);
  const { provider, usage, latency_ms } = answer;
  const cost = `${formatUsd(usage.cost_usd)} USD`;
  const cache = headers.get('x-trivium-cache');
  const cached = cache === null ? '' : `, cache: ${plain(cache)}`;
  const served = `${providerLabel(provider)}, ${cost}, ${latency_ms} ms${cached}`;
  context.note(`${context.style.dim(served)}\n`);
}

export function printWarnings(context: Context, warnings: readonly Warning[]): void {
  for (const { code, message, param } of warnings) {
    const text = param === undefined ? message : `${param}: ${message}`;
    const done = code === 'content_flagged' ? 'flagged ' : 'adjusted';
    context.note(`${context.style.yellow(done)}  ${plain(labelProviders(text))}\n`);
  }
}

/** Never in exponential notation; two to six decimals. */
export function formatUsd(amount: number): string {
  return amount.toFixed(6).replace(/0{1,4}$/, '');
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new UsageError(`--options must be JSON, such as '{"exa":{"type":"deep"}}'.`);
  }
}
