// trivium webhooks: endpoints for events, their secrets, and the log of deliveries (operator).
import type { NewWebhook, Webhook, WebhookDelivery } from '@trivium/contract';
import { accountEvents, gatewayEvents } from '@trivium/contract';
import type { WebhookClient } from '../../admin-webhooks.ts';
import type { DeliveryFilters } from '../../filters.ts';
import { printJson, UsageError } from '../command.ts';
import type { Command, Context, ParsedArguments } from '../command.ts';
import { formatTable } from '../table.ts';

type Verb = (
  api: WebhookClient,
  subject: string,
  given: ParsedArguments,
  context: Context,
) => Promise<void>;

const pageSize = 500;
const eventNames = [...accountEvents, ...gatewayEvents];

const verbs: Readonly<Record<string, Verb>> = {
  create: async (api, url, given, context) => {
    const events = given.texts('event') as Webhook['events'] | undefined;
    if (events === undefined) throw new UsageError('Name an event with --event.');
    const description = given.text('description');
    const request = { url, events, ...(description === undefined ? {} : { description }) };
    const account = given.flag('gateway') ? undefined : (given.text('account') ?? defaultAccount);
    showSecret(await api.create(account, request), context);
  },
  get: async (api, id, _given, context) => showWebhooks([await api.get(id)], context),
  pause: async (api, id, _given, context) => showWebhooks([await api.pause(id)], context),
  resume: async (api, id, _given, context) => showWebhooks([await api.resume(id)], context),
  delete: async (api, id, _given, context) => {
    const removed = await api.delete(id);
    if (context.json) return printJson(context, removed);
    context.out(`${removed.id}\n`);
  },
  rotate: async (api, id, given, context) => {
    const hours = given.number('overlap-hours');
    showSecret(await api.rotate(id, hours === undefined ? {} : { overlap_hours: hours }), context);
  },
  test: async (api, id, _given, context) => showDeliveries([await api.test(id)], context),
  redeliver: async (api, id, _given, context) =>
    showDeliveries([await api.deliveries.redeliver(id)], context),
};

const defaultAccount = 'acct_default';

export const webhooks: Command = {
  name: 'webhooks',
  summary: 'Manage endpoints for events and their deliveries (operator)',
  usage:
    'list | create <url> | deliveries | secret\n' +
    '       trivium webhooks get, pause, resume, rotate, test, delete <id>\n' +
    '       trivium webhooks redeliver <delivery id>',
  working: 'Asking the gateway',
  words: ['list', ...Object.keys(verbs), 'deliveries', 'secret'],
  options: {
    account: {
      type: 'string',
      value: 'id',
      describe: `the account; ${defaultAccount} for a new endpoint and for secret`,
    },
    gateway: { type: 'boolean', describe: 'create an endpoint for events about providers' },
    event: {
      type: 'string',
      describe: 'an event to send; may be repeated',
      choices: eventNames,
      multiple: true,
    },
    description: { type: 'string', value: 'text', describe: 'a note about a new endpoint' },
    'overlap-hours': {
      type: 'string',
      value: 'hours',
      describe: 'how long the old secret signs as well; 24 by default',
    },
    webhook: { type: 'string', value: 'id', describe: 'only deliveries to this endpoint' },
    state: {
      type: 'string',
      describe: 'only deliveries in this state',
      choices: ['pending', 'delivered', 'failed'],
    },
  },
  run: async (given, context) => {
    const [verb = 'list', subject] = given.positionals;
    const { webhooks: api } = context.admin();
    if (verb === 'list') return listWebhooks(api, given, context);
    if (verb === 'deliveries') return listDeliveries(api, given, context);
    if (verb === 'secret') {
      const found = await api.secret(given.text('account') ?? defaultAccount);
      if (context.json) return printJson(context, found);
      return context.out(`${found.secret}\n`);
    }
    const run = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
    if (run === undefined || subject === undefined) {
      const known = webhooks.words?.join(', ');
      throw new UsageError(`Missing argument: trivium webhooks ${known}, then a URL or an id.`);
    }
    await run(api, subject, given, context);
  },
};

async function listWebhooks(api: WebhookClient, given: ParsedArguments, context: Context) {
  const rows: Webhook[] = [];
  const filters = { account_id: given.text('account'), limit: pageSize };
  for await (const row of api.list(filters, { signal: context.signal })) rows.push(row);
  showWebhooks(rows, context);
}

/** The newest deliveries only: a log has no end. */
async function listDeliveries(api: WebhookClient, given: ParsedArguments, context: Context) {
  const filters = {
    account_id: given.text('account'),
    webhook_id: given.text('webhook'),
    // The choices of the option are the states.
    state: given.text('state') as DeliveryFilters['state'],
  };
  const { deliveries } = await api.deliveries.list(filters, { signal: context.signal });
  showDeliveries(deliveries, context);
}

function showSecret(made: NewWebhook, context: Context): void {
  if (context.json) return printJson(context, made);
  context.out(`${made.secret}\n`);
  context.note(`Shown only once. The id of the endpoint is ${made.id}.\n`);
}

function showWebhooks(rows: readonly Webhook[], context: Context): void {
  if (context.json) return printJson(context, { webhooks: rows });
  const cells = rows.map(({ id, paused, url, events }) => [
    id,
    paused ? 'paused' : 'active',
    url,
    events.join(' '),
  ]);
  context.out(formatTable(['id', 'state', 'url', 'events'], cells, context));
}

function showDeliveries(rows: readonly WebhookDelivery[], context: Context): void {
  if (context.json) return printJson(context, { deliveries: rows });
  const cells = rows.map(({ id, event, subject, state, attempts, last_status }) => [
    id,
    event,
    subject,
    state,
    String(attempts),
    String(last_status ?? ''),
  ]);
  const heads = ['id', 'event', 'subject', 'state', 'attempts', 'status'];
  context.out(formatTable(heads, cells, context));
}
