// What a running gateway finds when it compares its memory with its store.
import { z } from 'zod';

export const MemoryAudit = z
  .object({
    engine: z.enum(['sqlite', 'postgres']).describe('The kind of database.'),
    accounts: z
      .number()
      .int()
      .min(0)
      .describe('How many accounts are in memory; none on PostgreSQL.'),
    reserved_usd: z
      .number()
      .nullable()
      .describe('The amount that requests in progress hold in memory.'),
    violations: z
      .array(z.string())
      .describe('One line for each difference; empty if memory and store agree.'),
  })
  .describe('What the gateway found when it compared its memory with its store.');
export type MemoryAudit = z.infer<typeof MemoryAudit>;
