// Long lists: a command prints the newest entries, up to --limit.
import { UsageError } from './command.ts';
import type { Options, ParsedArguments } from './command.ts';

const defaultLimit = 50;
const maxLimit = 10_000;
const maxPage = 500;

export const limitOption = {
  limit: {
    type: 'string',
    value: 'count',
    describe: `the maximum number of entries; ${defaultLimit} by default`,
  },
} as const satisfies Options;

export const dayOptions = {
  from: { type: 'string', value: 'YYYY-MM-DD', describe: 'the first day, in UTC' },
  to: { type: 'string', value: 'YYYY-MM-DD', describe: 'the last day, in UTC' },
} as const satisfies Options;

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
