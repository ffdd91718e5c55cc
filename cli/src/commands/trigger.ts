// trivium trigger: causes a real event, to test a receiver.
import { accountEvents, testEvent } from '@trivium/contract';
import { ApiError, createClient } from '@trivium/sdk';
import { didYouMean } from '@trivium/contract';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { readHealth } from '../health.ts';
import { plain } from '../style.ts';
import { accountOf, accountOption } from './admin.ts';

type Trigger = (given: ParsedArguments, context: Context) => Promise<string>;

/** Each returns a sentence that says what it did. None of them costs money at a vendor. */
const triggers: Readonly<Record<string, Trigger>> = {
  [testEvent]: async (given, context) => {
    const { webhooks } = context.admin();
    const ids: string[] = [];
    for await (const { id } of webhooks.list({ account_id: accountOf(given) })) ids.push(id);
    if (ids.length === 0) throw new UsageError('The account has no endpoint: see trivium listen.');
    for (const id of ids) await webhooks.test(id);
    return `Sent to ${ids.length} endpoints.`;
  },
  'key.created': (given, context) => withKey(given, context, {}),
  'key.revoked': (given, context) => withKey(given, context, {}),
  'cap.reached': (given, context) =>
    withKey(given, context, { daily_cap_usd: tinyCapUsd }, async (apiKey) => {
      const client = createClient({ url: context.url(), api_key: apiKey });
      // The cap refuses it.
      await client.search({ query: 'trivium trigger' }).catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 402) throw error;
      });
    }),
  'job.completed': (_given, context) => transcribe(context, sandboxRecording),
  'job.failed': (_given, context) => transcribe(context, missingRecording),
};

const tinyCapUsd = 0.000001;
const sandboxRecording = 'https://recordings.example/interview.wav';
const missingRecording = 'https://recordings.example/missing.wav';

export const trigger: Command = {
  name: 'trigger',
  group: 'Development',
  summary: 'Cause an event, to test a receiver',
  usage: '<event>',
  examples: ['trigger webhook.test', 'trigger job.completed'],
  working: 'Asking the gateway',
  words: Object.keys(triggers),
  options: accountOption,
  run: async (given, context) => {
    const [typed = '', ...more] = given.positionals;
    const make = Object.hasOwn(triggers, typed) ? triggers[typed] : undefined;
    const names = Object.keys(triggers);
    if (make === undefined || more.length > 0) {
      const isReal = accountEvents.some((name) => name === typed);
      const why = isReal
        ? ` ${typed} cannot be caused without moving money.`
        : typed && didYouMean(typed, names, 'trivium trigger ');
      throw new UsageError(`Name one event: ${names.join(', ')}.${plain(why)}`);
    }
    const done = await make(given, context);
    if (context.json) printJson(context, { event: typed, done });
    else context.out(`${done}\n`);
  },
};

async function withKey(
  given: ParsedArguments,
  context: Context,
  limits: { daily_cap_usd?: number },
  use?: (apiKey: string) => Promise<void>,
): Promise<string> {
  const { keys } = context.admin();
  const made = await keys.create(accountOf(given), { name: 'trivium trigger', ...limits });
  try {
    await use?.(made.key);
  } finally {
    await keys.revoke(made.id);
  }
  return `The key ${made.id} was created and revoked.`;
}

/** Only in the sandbox, where no vendor is paid. */
async function transcribe(context: Context, recording: string): Promise<string> {
  const { mode } = await readHealth(context);
  if (mode !== 'sandbox') {
    throw new UsageError(
      'On a live gateway this would cost money. Transcribe a recording instead.',
    );
  }
  const { signal } = context;
  const { id } = await context.client().transcribe({ audio_url: recording }, { signal });
  return `The job ${id} was submitted.`;
}
