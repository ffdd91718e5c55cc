// The operator's API: accounts, balances, keys, the ledger, the request log and usage.
import { z } from 'zod';
import { toolNames } from './account.ts';
import { DayOrTime, storable, Timestamp } from './common.ts';
import { Policy, PolicyChange } from './policy.ts';
import { Usd } from './usd.ts';

const largestMovementUsd = 1_000_000;
const maxPage = 500;
const defaultPage = 50;

const Reason = storable(z.string().max(500).trim().min(1)).describe(
  'The reason; recorded in the ledger permanently.',
);
const Name = storable(z.string().max(200).trim().min(1)).describe('A name for people to read.');
const Cursor = z.string().min(1).max(500).describe('next_cursor of the previous page.');
const NextCursor = z.string().nullable().describe('Null on the last page.');
/** The fields at the end of a page of a list with filters. */
export const ListEnd = z.object({
  next_cursor: NextCursor,
  searched_until: Timestamp.nullable().describe(
    'Set if the search stopped at this time because it had examined many entries: older ' +
      'ones may match too, and next_cursor continues with them. Null otherwise.',
  ),
});
export type ListEnd = z.infer<typeof ListEnd>;
/** The maximum number of entries that one export examines; it then says how to continue. */
export const maxExportRows = 5_000_000;
const Limit = z.coerce
  .number()
  .int()
  .min(1)
  .max(maxPage)
  .default(defaultPage)
  .describe('The maximum number of entries per page.');

export const AccountId = storable(z.string().min(1).max(100)).describe('The id of an account.');
export const KeyId = storable(z.string().min(1).max(100)).describe('The id of an API key.');

export const Account = z
  .object({
    id: AccountId,
    name: z.string().describe('A name for people to read.'),
    created_at: Timestamp.describe('When the account was created.'),
    balance_usd: z.number().describe('Available to spend, without held amounts.'),
    held_usd: z.number().min(0).describe('Held for requests in progress.'),
    exposed_usd: z
      .number()
      .min(0)
      .describe(
        'What open transcriptions could cost beyond their holds, if the recordings are long.',
      ),
    ...Policy.shape,
    low_balance_usd: z.number().min(0).describe('Below this, the event balance.low is sent.'),
  })
  .describe('An account, its balance and its policy.');
export type Account = z.infer<typeof Account>;

const LowBalance = Usd.min(0)
  .max(largestMovementUsd)
  .describe('When the booked balance falls below this, the event balance.low is sent.');

export const AccountRequest = z
  .strictObject({ name: Name, ...PolicyChange.shape })
  .describe('An account to create.');
export type AccountRequest = z.infer<typeof AccountRequest>;
export const AccountChange = z
  .strictObject({ ...AccountRequest.partial().shape, low_balance_usd: LowBalance.optional() })
  .describe('What to change; an omitted field keeps its value, and null removes a limit.');
export type AccountChange = z.infer<typeof AccountChange>;
export const AccountList = z
  .object({ accounts: z.array(Account).describe('Newest first.'), next_cursor: NextCursor })
  .describe('A page of accounts.');
export type AccountList = z.infer<typeof AccountList>;

export const TopupRequest = z
  .strictObject({
    amount_usd: Usd.positive().max(largestMovementUsd).describe('How much to add.'),
    reason: Reason,
  })
  .describe('Money to add to an account.');
export type TopupRequest = z.infer<typeof TopupRequest>;

export const AdjustmentRequest = z
  .strictObject({
    amount_usd: Usd.min(-largestMovementUsd)
      .max(largestMovementUsd)
      .refine((usd) => usd !== 0, { error: 'Must not be zero.' })
      .describe('Negative to debit; never more than the account has available.'),
    reason: Reason,
  })
  .describe('A correction of a balance.');
export type AdjustmentRequest = z.infer<typeof AdjustmentRequest>;

export const RefundRequest = z
  .strictObject({
    request_id: storable(z.string().min(1).max(100)).describe('The request to refund.'),
    amount_usd: Usd.positive()
      .max(largestMovementUsd)
      .describe('How much to return; never more than the request cost.'),
    reason: Reason,
  })
  .describe('Money to return for a request.');
export type RefundRequest = z.infer<typeof RefundRequest>;

const transferKindNames = ['topup', 'settle', 'refund', 'adjust'] as const;

export const TransferLine = z
  .object({
    id: z.string().describe('The id of the line.'),
    kind: z.enum(transferKindNames).describe('Why money moved.'),
    account_id: AccountId,
    amount_usd: z.number().describe('The change to the balance; negative for a charge.'),
    request_id: z.string().nullable().describe('The request or job it belongs to.'),
    key_id: z.string().nullable().describe('The key that was charged.'),
    reason: z.string().nullable().describe('The reason that the operator gave.'),
    tool: z.enum(toolNames).nullable().describe('The tool that was paid for; null if unknown.'),
    provider: z.string().nullable().describe('The provider that served it.'),
    asked: z.string().nullable().describe('The beginning of the query, while it is kept.'),
    simulated: z
      .boolean()
      .describe('Whether a simulated provider answered, so that results were invented.'),
    balance_after_usd: z
      .number()
      .nullable()
      .describe('The balance after this line, in the list of one account.'),
    created_at: Timestamp.describe('When it was recorded.'),
  })
  .describe('A line of the ledger.');
export type TransferLine = z.infer<typeof TransferLine>;
export const TransferList = z
  .object({
    transfers: z.array(TransferLine).describe('Newest first.'),
    ...ListEnd.shape,
  })
  .describe('A page of the ledger.');
export type TransferList = z.infer<typeof TransferList>;

/** A spending cap; null for none. */
export const Cap = Usd.min(0).max(largestMovementUsd).nullable();
const KeyLimits = {
  expires_at: Timestamp.nullable().describe('From this time on, requests with the key get a 401.'),
  daily_cap_usd: Cap.describe('The maximum it may spend and hold in a UTC day.'),
  monthly_cap_usd: Cap.describe('The maximum it may spend and hold in a calendar month, in UTC.'),
  ...Policy.shape,
  own_use_only: z
    .boolean()
    .describe('Whether it sees only its own usage and jobs, not those of the whole account.'),
};

export const Key = z
  .object({
    id: KeyId,
    account_id: AccountId,
    name: z.string().describe('A name for people to read.'),
    display: z.string().describe('The first characters; the key itself is not stored.'),
    created_at: Timestamp.describe('When the key was created.'),
    revoked_at: Timestamp.nullable().describe('When it was revoked; null while it is valid.'),
    last_used_at: Timestamp.nullable().describe(
      'When it was last used, up to a minute late; null if never.',
    ),
    previous_until: Timestamp.nullable().describe(
      'Until when the secret from before the last rotation works; null if it no longer works.',
    ),
    used_today_usd: z.number().min(0).describe('Spent and held in this UTC day.'),
    used_this_month_usd: z.number().min(0).describe('Spent and held in this month, in UTC.'),
    ...KeyLimits,
  })
  .describe('An API key, without its secret.');
export type Key = z.infer<typeof Key>;

export const KeyRequest = z
  .strictObject({ name: Name, ...z.object(KeyLimits).partial().shape })
  .describe('An API key to create.');
export type KeyRequest = z.infer<typeof KeyRequest>;
export const KeyChange = z
  .strictObject(KeyRequest.partial().shape)
  .describe('What to change; an omitted field keeps its value.');
export type KeyChange = z.infer<typeof KeyChange>;
export const NewKey = Key.extend({ key: z.string().describe('Shown only once.') }).describe(
  'A new API key with its secret.',
);
export type NewKey = z.infer<typeof NewKey>;

const maxOverlapHours = 30 * 24;
export const KeyRotation = z
  .strictObject({
    overlap_hours: z
      .number()
      .min(0)
      .max(maxOverlapHours)
      .default(24)
      .describe('How long the old secret keeps working; 0 ends it immediately.'),
  })
  .describe('How to rotate a key.');
export type KeyRotation = z.infer<typeof KeyRotation>;
export type KeyRotationInput = z.input<typeof KeyRotation>;
export const KeyList = z
  .object({ keys: z.array(Key).describe('Active ones first, and each the newest first.') })
  .describe('The keys of an account.');
export type KeyList = z.infer<typeof KeyList>;

export const PageQuery = z.strictObject({ cursor: Cursor.optional(), limit: Limit });
export type PageQuery = z.infer<typeof PageQuery>;

export const AccountQuery = z.strictObject({
  text: storable(z.string().min(1).max(200))
    .optional()
    .describe('Only accounts whose name or id contains this text, in upper or lower case.'),
  ...PageQuery.shape,
});
export type AccountQuery = z.infer<typeof AccountQuery>;

/** The filters of a list by time. */
export const Span = {
  from: DayOrTime.optional().describe('The first day, in UTC, or the start time.'),
  to: DayOrTime.optional().describe('The last day, in UTC, or the end time, which is excluded.'),
};

export const TransferQuery = z.strictObject({
  account_id: AccountId.optional(),
  key_id: KeyId.optional(),
  kind: z.enum(transferKindNames).optional().describe('Only lines of this kind.'),
  ...Span,
  ...PageQuery.shape,
});
export type TransferQuery = z.infer<typeof TransferQuery>;
