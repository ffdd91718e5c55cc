// trivium webhooks: endpoints for events, their secrets, and the log of deliveries (operator).
import type { NewWebhook, Webhook, WebhookDelivery } from '@trivium/contract';
import { accountEvents, gatewayEvents } from '@trivium/contract';
import type { DeliveryFilters } from '@trivium/sdk';
import { printJson, UsageError } from '../command.ts';
import type { Context } from '../command.ts';
import { listing, noun, showing } from '../nouns.ts';
import type { Table } from '../nouns.ts';
import { choiceOption, fieldsOf, flagOption, numberOption, textOption } from '../options.ts';
import { accountOf } from './admin.ts';

const pageSize = 500;
const eventNames = [...accountEvents, ...gatewayEvents];

const webhookTable: Table<Webhook> = {
  heads: ['id', 'state', 'url', 'events'],
  cells: ({ id, paused, url, events }) => [id, paused ? 'paused' : 'active', url, events.join(' ')],
};
const deliveryTable: Table<WebhookDelivery> = {
  heads: ['id', 'event', 'subject', 'state', 'attempts', 'status'],
  cells: ({ id, event, subject, state, attempts, last_status }) => [
    id,
    event,
    subject,
    state,
    String(attempts),
    String(last_status ?? ''),
  ],
};

const anEndpoint = '<id>';

const accountOption = {
  account: textOption('id', 'the account; acct_default for a new endpoint and for secret', {
    field: 'account_id',
  }),
};
const newOptions = { description: textOption('text', 'a note about a new endpoint') };
const rotationOptions = {
  'overlap-hours': numberOption(
    'hours',
    'how long deliveries are also signed with the old secret; 24 by default',
  ),
};
const deliveryOptions = {
  webhook: textOption('id', 'only deliveries to this endpoint', { field: 'webhook_id' }),
  state: choiceOption('only deliveries in this state', ['pending', 'delivered', 'failed']),
};

export const webhooks = noun({
  name: 'webhooks',
  group: 'Operators',
  summary: 'Manage endpoints for events and their deliveries',
  options: {
    ...accountOption,
    gateway: flagOption('create an endpoint for events about providers'),
    event: choiceOption('an event to send; may be repeated', eventNames),
    ...newOptions,
    ...rotationOptions,
    ...deliveryOptions,
  },
  verbs: {
    list: {
      summary: 'list the endpoints',
      usage: '',
      example: 'webhooks list',
      run: listing('webhooks', webhookTable, async ({ admin, signal }, given) => {
        const rows: Webhook[] = [];
        const filters = { ...fieldsOf(given, accountOption), limit: pageSize };
        for await (const row of admin().webhooks.list(filters, { signal })) rows.push(row);
        return rows;
      }),
    },
    create: {
      summary: 'create an endpoint and print its secret once',
      usage: '<url>',
      example: 'webhooks create https://hooks.example/events --event job.completed',
      run: async (url, given, context) => {
        const events = given.texts('event') as Webhook['events'] | undefined;
        if (events === undefined) throw new UsageError('Name an event with --event.');
        const request = { url, events, ...fieldsOf(given, newOptions) };
        const account = given.flag('gateway') ? undefined : accountOf(given);
        showSecret(await context.admin().webhooks.create(account, request), context);
      },
    },
    get: {
      summary: 'show one endpoint',
      usage: anEndpoint,
      example: 'webhooks get whk_0198…',
      run: showing(webhookTable, ({ admin }, id) => admin().webhooks.get(id)),
    },
    pause: {
      summary: 'send nothing to it until it is resumed',
      usage: anEndpoint,
      example: 'webhooks pause whk_0198…',
      run: showing(webhookTable, ({ admin }, id) => admin().webhooks.pause(id)),
    },
    resume: {
      summary: 'resume sending to it',
      usage: anEndpoint,
      example: 'webhooks resume whk_0198…',
      run: showing(webhookTable, ({ admin }, id) => admin().webhooks.resume(id)),
    },
    rotate: {
      summary: 'print a new secret; deliveries are signed with both during the overlap',
      usage: anEndpoint,
      example: 'webhooks rotate whk_0198… --overlap-hours 48',
      run: async (id, given, context) => {
        const rotation = fieldsOf(given, rotationOptions);
        showSecret(await context.admin().webhooks.rotate(id, rotation), context);
      },
    },
    test: {
      summary: 'send the event webhook.test to it',
      usage: anEndpoint,
      example: 'webhooks test whk_0198…',
      run: showing(deliveryTable, ({ admin }, id) => admin().webhooks.test(id)),
    },
    delete: {
      summary: 'delete it with its deliveries',
      usage: anEndpoint,
      example: 'webhooks delete whk_0198… --yes',
      loses: 'The endpoint receives no more events, and its secret is lost.',
      run: async (id, _given, context) => {
        const removed = await context.admin().webhooks.delete(id);
        if (context.json) return printJson(context, removed);
        context.out(`${removed.id} deleted\n`);
      },
    },
    deliveries: {
      summary: 'list the newest deliveries',
      usage: '',
      example: 'webhooks deliveries --state failed',
      // Only the newest, because the log can be long.
      run: listing('deliveries', deliveryTable, async ({ admin, signal }, given) => {
        const filters: DeliveryFilters = fieldsOf(given, { ...accountOption, ...deliveryOptions });
        return (await admin().webhooks.deliveries.list(filters, { signal })).deliveries;
      }),
    },
    redeliver: {
      summary: 'send a delivery again',
      usage: '<delivery id>',
      example: 'webhooks redeliver dlv_0198…',
      run: showing(deliveryTable, ({ admin }, id) => admin().webhooks.deliveries.redeliver(id)),
    },
    secret: {
      summary: 'print the secret that signs events for the address in x-trivium-webhook',
      usage: '',
      example: 'webhooks secret',
      run: async (_subject, given, context) => {
        const found = await context.admin().webhooks.secret(accountOf(given));
        if (context.json) return printJson(context, found);
        context.out(`${found.secret}\n`);
      },
    },
  },
});

function showSecret(made: NewWebhook, context: Context): void {
  if (context.json) return printJson(context, made);
  context.out(`${made.secret}\n`);
  context.note(`Shown only once. The id of the endpoint is ${made.id}.\n`);
}
