// Incidents: what fails or is used up, from when to when, with what a person has noted about it.
import { z } from 'zod';
import { AccountId, ListEnd, PageQuery, Span } from './admin.ts';
import { storable, Timestamp } from './common.ts';

/** What is followed from its first failure to the next success. */
export const followedKinds = [
  'provider_failing',
  'credential_refused',
  'endpoint_failing',
] as const;
export type FollowedKind = (typeof followedKinds)[number];

/** What is compared with a limit when it is read. */
const conditionKinds = [
  'store',
  'clock',
  'balance_low',
  'key_cap',
  'budget',
  'job_deadline',
] as const;

export const incidentStates = ['open', 'ended'] as const;

const maxNoteChars = 2000;

export const IncidentQuery = z.strictObject({
  account_id: AccountId.optional(),
  state: z.enum(incidentStates).optional().describe('Only incidents in this state.'),
  ...Span,
  ...PageQuery.shape,
});
export type IncidentQuery = z.infer<typeof IncidentQuery>;

/** Whose incidents were listed. */
export const IncidentOwnerQuery = z.strictObject({ account_id: AccountId });

export const IncidentChange = z
  .strictObject({
    muted: z.boolean().optional().describe('A muted incident is still listed, without an alert.'),
    note: storable(z.string().trim().max(maxNoteChars))
      .optional()
      .describe('What others should know about it. An empty text removes the note.'),
  })
  .describe('What to change; an omitted field keeps its value.');
export type IncidentChange = z.infer<typeof IncidentChange>;

export const Incident = z
  .object({
    id: z.string().describe('The id of the incident.'),
    kind: z.enum([...followedKinds, ...conditionKinds]).describe('What it is about.'),
    severe: z.boolean().describe('Whether requests are failing or refused because of it.'),
    account_id: AccountId.nullable().describe('Null if it concerns the whole gateway.'),
    subject: z
      .string()
      .describe('The provider, key, tag and value, endpoint, address, job or account.'),
    message: z.string().describe('What is wrong, without times.'),
    reason: z.string().nullable().describe('Why it failed last, such as “status 500”.'),
    started_at: Timestamp.nullable().describe(
      'When it began: with the first failure, or with the day or month of a cap. Null if unknown.',
    ),
    ended_at: Timestamp.nullable().describe(
      'When the next success ended it; null while it is open. A limit is listed only while it ' +
        'is reached.',
    ),
    gaps: z
      .array(
        z.object({
          started_at: Timestamp.describe('When a success interrupted it.'),
          ended_at: Timestamp.describe('When it failed again.'),
        }),
      )
      .describe(
        'When it was interrupted by successes, for less than an hour each; the latest 100.',
      ),
    requests: z
      .number()
      .int()
      .min(0)
      .nullable()
      .describe('How many requests, jobs or deliveries it affected; null if they are not counted.'),
    cost_usd: z
      .number()
      .nullable()
      .describe(
        'What these requests were charged: a failed one costs nothing, one that another ' +
          'provider served does. Of a cap or a budget, how much of it is used.',
      ),
    muted: z.boolean().describe('Whether a person has muted it.'),
    note: z.string().nullable().describe('What a person has noted about it.'),
    changed_by: z.string().nullable().describe('Who muted it or wrote the note last.'),
    changed_at: Timestamp.nullable().describe('When that was.'),
  })
  .describe('Something that fails or is used up, from its start to its end.');
export type Incident = z.infer<typeof Incident>;

export const IncidentList = z
  .object({
    incidents: z.array(Incident).describe('Newest first, after the limits that are reached now.'),
    ...ListEnd.shape,
  })
  .describe('A page of incidents.');
export type IncidentList = z.infer<typeof IncidentList>;
