// The request log: each request, how it was served, and what it cost and why.
import { z } from 'zod';
import { toolNames } from './account.ts';
import { AccountId, KeyId, ListEnd, PageQuery, Span } from './admin.ts';
import { storable, Timestamp, Warning } from './common.ts';
import { errorTypes } from './gateway-error.ts';
import { RequestNote } from './notes.ts';
import { outcomes } from './outcomes.ts';

const amount = z.number().min(0);

export const RequestAttempt = z
  .object({
    provider: z.string().describe('The provider that was called.'),
    outcome: z.string().describe('answered, no_results, or why the provider refused.'),
    started_ms: z
      .number()
      .int()
      .min(0)
      .nullable()
      .describe(
        'When it began, in milliseconds after the request arrived; null if that is unknown, as in ' +
          'rows of older versions.',
      ),
    queued_ms: z
      .number()
      .int()
      .min(0)
      .nullable()
      .describe('How much of latency_ms it waited for a free slot; null where started_ms is.'),
    latency_ms: z
      .number()
      .int()
      .min(0)
      .describe('How long it took, including any time in the queue.'),
    status: z.number().int().nullable().describe("The provider's status, if it refused with one."),
    message: z.string().nullable().describe("The provider's reason, if it refused."),
  })
  .describe('One call to a provider.');
export type RequestAttempt = z.infer<typeof RequestAttempt>;

const costBases = ['reported', 'list'] as const;
/** For a request that paid several providers. */
const requestCostBases = [...costBases, 'mixed'] as const;

export const RequestCostPart = z
  .object({
    provider: z.string().describe('The provider that was paid.'),
    cost_usd: amount.describe('What it cost, in US dollars.'),
    basis: z.enum(costBases).describe('Reported by the provider, or the list price.'),
  })
  .describe('The cost of one provider.');
export type RequestCostPart = z.infer<typeof RequestCostPart>;

export const RequestLine = z
  .object({
    id: z.string().describe('The id of the request.'),
    answer_id: z.string().nullable().describe('The id in its answer, or of its job.'),
    account_id: AccountId,
    key_id: KeyId,
    tool: z.enum(toolNames).describe('What was requested.'),
    provider: z.string().nullable().describe('Null if no provider was chosen.'),
    routing: z
      .string()
      .nullable()
      .describe('Why auto chose the provider, if it chooses by quality; else null.'),
    asked: z
      .string()
      .nullable()
      .describe('The query, the pages, one per line, or the recording; null once it is deleted.'),
    parameters: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe(
        'The other parameters as they were sent; null if there were none, or once they are ' +
          'deleted.',
      ),
    asked_until: Timestamp.nullable().describe('When that text and the parameters are deleted.'),
    tags: z.record(z.string(), z.string()).describe('The tags of the request.'),
    outcome: z
      .enum(outcomes)
      .describe('served, refused by the gateway, or failed in a provider or the gateway.'),
    status: z.number().int().describe('The status of the response.'),
    error_type: z.string().nullable().describe('Null for a success.'),
    error_message: z.string().nullable().describe('The error message; null for a success.'),
    warnings: z.number().int().min(0).describe('How many warnings the response had.'),
    warning_details: z.array(Warning).describe('The warnings; at most 40.'),
    attempts: z.array(RequestAttempt).describe('Each call to a provider, in order; at most 60.'),
    delivered: z.number().int().min(0).nullable().describe('How many results or pages it had.'),
    replay_of: z
      .string()
      .nullable()
      .describe('The request whose stored answer was sent again, free of charge.'),
    simulated: z
      .boolean()
      .describe('Whether a simulated provider answered, so that results were invented.'),
    from_cache: z.boolean().describe('Whether all of it came from the cache, free of charge.'),
    held_usd: amount.nullable().describe('The maximum cost, held before the call.'),
    cost_usd: amount.describe('The amount charged, in US dollars.'),
    cost_basis: z
      .enum(requestCostBases)
      .nullable()
      .describe(
        'Reported by the provider, the list price, or mixed: see cost_parts. Null if ' +
          'nothing was charged.',
      ),
    cost_parts: z.array(RequestCostPart).describe('By provider, if several were paid.'),
    reported_cost_usd: amount.nullable().describe('The cost the provider reported.'),
    latency_ms: z.number().int().min(0).describe('How long it took, in milliseconds.'),
    created_at: Timestamp.describe('When it arrived.'),
    notes: z.array(RequestNote).describe('What people noted on it, oldest first; at most 20.'),
  })
  .describe('A request in the log.');
export type RequestLine = z.infer<typeof RequestLine>;

export const RequestAnswer = z
  .object({
    id: z.string().describe('The id of the request.'),
    answer: z
      .string()
      .nullable()
      .describe(
        'The answer as it was sent, a JSON text, or the first 262,144 characters of it; null if it ' +
          'is not kept. TRIVIUM_KEEP_ANSWER_HOURS sets how long answers are kept.',
      ),
    truncated: z.boolean().describe('Whether only the beginning of the answer is kept.'),
    kept_until: Timestamp.nullable().describe('When the answer is deleted.'),
  })
  .describe('The answer to a request in the log.');
export type RequestAnswer = z.infer<typeof RequestAnswer>;

export const RequestList = z
  .object({
    requests: z.array(RequestLine).describe('Newest first, or as sort says.'),
    ...ListEnd.shape,
  })
  .describe('A page of the request log.');
export type RequestList = z.infer<typeof RequestList>;

const RequestFilters = {
  id: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Only this request: its id, the id of its answer (srch_…, ext_…), or of its job.'),
  text: storable(z.string().min(1).max(500))
    .optional()
    .describe('Only requests whose query contains this text, in upper or lower case.'),
  tag: z
    .string()
    .min(1)
    .max(129)
    .regex(/^[\w.:-]{1,64}(?:=[\w.:-]{1,64})?$/, {
      error: 'Must be a tag, such as team or team=search.',
    })
    .optional()
    .describe(
      'Only requests with this tag, such as team=search, or with any value of it, such as ' +
        'team.',
    ),
  account_id: AccountId.optional(),
  key_id: KeyId.optional(),
  tool: z.enum(toolNames).optional().describe('Only requests of this tool.'),
  provider: z.string().min(1).max(100).optional().describe('Only requests to this provider.'),
  status: z.coerce
    .number()
    .int()
    .min(100)
    .max(599)
    .optional()
    .describe('Only responses of this status.'),
  outcome: z
    .enum([...outcomes, 'error'])
    .optional()
    .describe('Only requests with this outcome; error is refused or failed.'),
  error_type: z.enum(errorTypes).optional().describe('Only errors of this type.'),
  simulated: z
    .enum(['true', 'false'])
    .optional()
    .describe('Only requests that a simulated provider answered, or only others.'),
  has_note: z.enum(['true', 'false']).optional().describe('Only requests with a note, or without.'),
  ...Span,
};

export const RequestQuery = z.strictObject({
  ...RequestFilters,
  sort: z
    .enum(['time', 'cost', 'latency'])
    .optional()
    .describe('time, newest first; cost or latency, largest first. Default: time.'),
  ...PageQuery.shape,
});
export type RequestQuery = z.infer<typeof RequestQuery>;

/** The query of one request and of its answer. */
export const RequestAnswerQuery = z.object({
  account_id: AccountId.optional().describe(
    'Only a request of this account; required for its members.',
  ),
});

const exportFormats = ['csv', 'jsonl'] as const;

export const RequestExportQuery = z.strictObject({
  ...RequestFilters,
  cursor: PageQuery.shape.cursor.describe('next_cursor of the export to continue.'),
  format: z
    .enum(exportFormats)
    .default('jsonl')
    .describe('CSV, or JSON with one line for each request.'),
});
export type RequestExportQuery = z.infer<typeof RequestExportQuery>;

export const ErrorKind = z
  .object({
    error_type: z.string().nullable().describe('The type of the error.'),
    status: z.number().int().describe('The status of the response.'),
    outcome: z.enum(outcomes).describe('refused by the gateway, or failed.'),
    tool: z.enum(toolNames).describe('What was requested.'),
    provider: z.string().nullable().describe('Null if no provider was chosen.'),
    count: z.number().int().min(1).describe('How many requests.'),
    first_seen_at: Timestamp.describe('When the first of them arrived.'),
    last_seen_at: Timestamp.describe('When the last of them arrived.'),
    last_request_id: z.string().describe('The last of them.'),
    last_message: z.string().nullable().describe('Its error message.'),
  })
  .describe('Errors of the same kind.');
export type ErrorKind = z.infer<typeof ErrorKind>;

export const ErrorKindList = z
  .object({
    errors: z.array(ErrorKind).describe('Most frequent first; at most 100.'),
    searched_until: Timestamp.nullable().describe(
      'Set if there are older requests, which were not examined.',
    ),
  })
  .describe('The errors of the request log by kind.');
export type ErrorKindList = z.infer<typeof ErrorKindList>;

export const ErrorKindQuery = z.strictObject(RequestFilters).omit({ id: true });
export type ErrorKindQuery = z.infer<typeof ErrorKindQuery>;
