// trivium feedback: which results of a search were useful.
import { printJson, UsageError } from '../command.ts';
import type { Command } from '../command.ts';
import { fieldsOf, textOption } from '../options.ts';
import { plain } from '../style.ts';

const named = (describe: string) => textOption('result', describe, { multiple: true });
const lists = {
  cited: named('a result that an answer was based on, by id or URL; may be repeated'),
  opened: named('a result that was opened; may be repeated'),
  rejected: named('a result that was not useful; may be repeated'),
};

export const feedback: Command = {
  name: 'feedback',
  group: 'Tools',
  summary: 'Report which results of a search were useful',
  usage: '<search id>',
  examples: [
    'feedback srch_0123456789abcdef0123456789abcdef --cited https://example.com/page',
    'feedback srch_0123456789abcdef0123456789abcdef --rejected res_0123456789abcdef',
  ],
  working: 'Sending feedback',
  options: lists,
  run: async (given, context) => {
    const [id, ...others] = given.positionals;
    if (id === undefined || others.length > 0) {
      throw new UsageError(`Name one search: trivium feedback ${feedback.usage}.`);
    }
    const results = fieldsOf(given, lists);
    if (Object.keys(results).length === 0) {
      throw new UsageError('Name at least one result with --cited, --opened or --rejected.');
    }
    const { signal } = context;
    const known = await context.client().feedback({ search_id: id, ...results }, { signal });
    if (context.json) return printJson(context, known);
    context.out(`${known.cited} cited, ${known.opened} opened, ${known.rejected} rejected.\n`);
    for (const one of known.unknown) context.note(`Not a result of this search: ${plain(one)}\n`);
  },
};
