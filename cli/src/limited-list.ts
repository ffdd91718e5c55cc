// Long lists: a command prints the newest entries, up to --limit.
import { UsageError } from './command.ts';
import type { ParsedArguments } from './command.ts';
import { numberOption, textOption } from './options.ts';

const defaultLimit = 50;
const maxLimit = 10_000;
const maxPage = 500;

export const limitOption = {
  limit: numberOption('count', `the maximum number of entries; ${defaultLimit} by default`),
};

export const dayOptions = {
  from: textOption('YYYY-MM-DD', 'the first day, in UTC'),
  to: textOption('YYYY-MM-DD', 'the last day, in UTC'),
};

/** `open` gets the size of a page, which is enough for a short list. */
export async function readLimited<Item>(
  given: ParsedArguments,
  open: (pageSize: number) => AsyncIterable<Item>,
): Promise<Item[]> {
  const limit = given.number('limit') ?? defaultLimit;
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    throw new UsageError(`--limit must be a whole number from 1 to ${maxLimit}.`);
  }
  const items: Item[] = [];
  for await (const item of open(Math.min(limit, maxPage))) {
    items.push(item);
    if (items.length === limit) break;
  }
  return items;
}
