// The headers of paid requests in the OpenAPI document.
import { IdempotencyKey, MaxCostUsd } from './common.ts';
import { inline, textHeader } from './openapi-operation.ts';
import { Tags } from './tags.ts';
import { WebhookRequest } from './webhooks.ts';

const tagsParameter = {
  name: 'x-trivium-tags',
  in: 'header',
  description:
    'Up to 10 tags of the request, for the log, for usage and for budgets. Names and values have ' +
    '1 to 64 characters of A-Z, a-z, 0-9, _, ., : and -.',
  schema: inline(Tags),
  example: 'team=search,run=42',
};

/** What every paid request takes. */
export const postParameters = [
  {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'For 24 hours, the same key and body return the first response again, free of charge.',
    schema: inline(IdempotencyKey),
  },
  {
    name: 'x-max-cost-usd',
    in: 'header',
    description: 'Refuse the request before any provider is called if it may cost more than this.',
    schema: inline(MaxCostUsd),
    example: '0.05',
  },
  tagsParameter,
];

export const webhookParameter = {
  name: 'x-trivium-webhook',
  in: 'header',
  description:
    'A public https URL that receives job.completed or job.failed, signed with the secret of ' +
    'the account.',
  schema: inline(WebhookRequest.shape.url),
  example: 'https://hooks.example/trivium',
};

export const replayedHeader = {
  'idempotent-replayed': textHeader('true if this is the stored response of an earlier request.'),
};
