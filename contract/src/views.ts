// Saved views: named addresses of the dashboard's lists, shared by the people of an account.
import { z } from 'zod';
import { AccountId } from './admin.ts';
import { storable, Timestamp } from './common.ts';

/** The pages of the dashboard that have a list. */
export const viewPages = [
  '/requests',
  '/jobs',
  '/usage',
  '/webhooks',
  '/billing',
  '/audit',
] as const;
export type ViewPage = (typeof viewPages)[number];

const maxQueryLength = 2000;

const ViewName = storable(z.string().max(100).trim().min(1)).describe(
  'Its name, which no other view of the page has.',
);

/** Written as a browser writes the parameters of an address, so that it cannot be anything else. */
const ViewQuery = z
  .string()
  .max(maxQueryLength, { abort: true })
  .regex(/^[\w*.+&=%-]*$/, {
    error: 'Must be the query of an address, with percent-encoded values and without the ?.',
    abort: true,
  })
  .refine((query) => !new URLSearchParams(query).has('account'), {
    error: 'Must not name an account: the view belongs to one.',
  })
  .describe('The filters, the columns and the order of the list, as in the address of the page.');

export const SavedView = z
  .object({
    id: z.string().describe('The id of the view.'),
    account_id: AccountId,
    name: ViewName,
    page: z.enum(viewPages).describe('The page of the dashboard.'),
    query: ViewQuery,
    created_at: Timestamp.describe('When the view was saved.'),
    updated_at: Timestamp.describe('When the view was last changed.'),
  })
  .describe('A named address of a list in the dashboard.');
export type SavedView = z.infer<typeof SavedView>;

export const ViewRequest = z
  .strictObject({ ...SavedView.pick({ name: true, page: true, query: true }).shape })
  .describe('A view to save.');
export type ViewRequest = z.infer<typeof ViewRequest>;

export const ViewChange = z
  .strictObject(ViewRequest.pick({ name: true, query: true }).partial().shape)
  .describe('What to change; an omitted field keeps its value.');
export type ViewChange = z.infer<typeof ViewChange>;

export const ViewList = z
  .object({ views: z.array(SavedView).describe('Ordered by name; at most 100.') })
  .describe('The saved views of an account.');
export type ViewList = z.infer<typeof ViewList>;
