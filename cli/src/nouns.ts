// Commands that are a noun with verbs, such as `trivium keys rotate <id>`. JSON output has the same
// shape for every verb: a list under the noun, a single object as itself.
import { didYouMean } from '@trivium/contract';
import { printJson, UsageError } from './command.ts';
import type { Command, Context, ParsedArguments, Verb, Verbs } from './command.ts';
import { flagOption } from './options.ts';
import { plain } from './style.ts';
import { formatTable } from './table.ts';

const yesOption = { yes: flagOption('do not ask for confirmation', { short: 'y' }) };

/** `list` is the verb when none is given. */
export function noun(
  definition: Omit<Command, 'usage' | 'run' | 'verbs'> & { verbs: Verbs },
): Command {
  const { name, verbs } = definition;
  const asks = Object.values(verbs).some(({ loses }) => loses !== undefined);
  return {
    working: 'Asking the gateway',
    ...definition,
    options: { ...definition.options, ...(asks ? yesOption : {}) },
    usage: '<verb> [argument]',
    run: (given, context) => runVerb(name, verbs, given, context),
  };
}

async function runVerb(
  name: string,
  verbs: Verbs,
  given: ParsedArguments,
  context: Context,
): Promise<number | void> {
  const [typed = 'list', subject, ...more] = given.positionals;
  const verb = Object.hasOwn(verbs, typed) ? verbs[typed] : undefined;
  const names = Object.keys(verbs);
  if (verb === undefined) {
    const known =
      didYouMean(typed, names, `trivium ${name} `) || ` Its verbs are ${names.join(', ')}.`;
    throw new UsageError(`trivium ${name} has no verb ${shown(typed)}.${known}`);
  }
  const wanted = `trivium ${name} ${typed} ${verb.usage}`.trim();
  if (subject === undefined && verb.usage !== '') {
    throw new UsageError(`Missing argument: ${wanted}.`);
  }
  const [extra] = verb.usage === '' && subject !== undefined ? [subject] : more;
  if (extra !== undefined) {
    throw new UsageError(`Unexpected argument ${shown(extra)}: ${wanted}.`);
  }
  if (verb.loses !== undefined)
    await confirm(`${name} ${typed} ${subject}`, verb.loses, given, context);
  return verb.run(subject ?? '', given, context);
}

/** Throws unless the person agrees; a script agrees with --yes. */
export async function confirm(
  what: string,
  loses: string,
  given: ParsedArguments,
  { input, note }: Context,
): Promise<void> {
  if (given.flag('yes')) return;
  if (!input.inIsTerminal || given.flag('json')) {
    throw new UsageError(`${plain(what)} cannot be undone: ${loses} Add --yes to confirm.`);
  }
  note(`${loses}\n`);
  const answer = await input.ask(`${plain(what)}? Type yes: `);
  if (!['y', 'yes'].includes(answer.trim().toLowerCase()))
    throw new UsageError('Nothing was done.');
}

/** How the objects of a noun are shown to a person. */
export interface Table<Row> {
  heads: readonly string[];
  cells: (row: Row) => string[];
}

export function showList<Row>(
  context: Context,
  name: string,
  rows: readonly Row[],
  { heads, cells }: Table<Row>,
): void {
  if (context.json) return printJson(context, { [name]: rows });
  if (rows.length === 0) return context.out(`There are no ${name}.\n`);
  context.out(formatTable(heads, rows.map(cells), context));
}

export function showOne<Row>(context: Context, row: Row, { heads, cells }: Table<Row>): void {
  if (context.json) return printJson(context, row);
  context.out(formatTable(heads, [cells(row)], context));
}

/** A verb whose answer is a row of the table. */
export function showing<Row>(
  table: Table<Row>,
  ask: (context: Context, subject: string, given: ParsedArguments) => Promise<Row>,
): Verb['run'] {
  return async (subject, given, context) =>
    showOne(context, await ask(context, subject, given), table);
}

/** A verb whose answer is a list under a name. */
export function listing<Row>(
  name: string,
  table: Table<Row>,
  ask: (context: Context, given: ParsedArguments) => Promise<readonly Row[]>,
): Verb['run'] {
  return async (_subject, given, context) =>
    showList(context, name, await ask(context, given), table);
}

function shown(text: string): string {
  return plain(text.slice(0, 60));
}
