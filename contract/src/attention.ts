// Problems that need a person's attention: on an account, and for operators also on the gateway.
import { z } from 'zod';
import { AccountId } from './admin.ts';

export const AttentionQuery = z.strictObject({ account_id: AccountId });
export type AttentionQuery = z.infer<typeof AttentionQuery>;

const attentionKinds = [
  'store',
  'clock',
  'circuit_open',
  'credential_refused',
  'provider_failing',
  'balance_low',
  'key_cap',
  'budget',
  'webhook_failing',
  'job_deadline',
] as const;

export const AttentionItem = z
  .object({
    kind: z.enum(attentionKinds).describe('What it is about.'),
    severe: z.boolean().describe('Whether requests are failing or refused now.'),
    subject: z.string().describe('The provider, key, tag and value, endpoint, job or account.'),
    message: z.string().describe('A description, in one sentence.'),
  })
  .describe('Something that needs attention.');
export type AttentionItem = z.infer<typeof AttentionItem>;

export const AttentionList = z
  .object({
    items: z.array(AttentionItem).describe('Severe ones first; empty if there is nothing to do.'),
  })
  .describe('What needs attention.');
export type AttentionList = z.infer<typeof AttentionList>;
