// What is done with the foreign texts of an answer before its caller reads them: checked by the
// content mode, then cut to the budget of tokens.
import type { Warning } from '@trivium/contract';
import type { RequestContext } from '../requests/index.ts';
import { guard } from './core/guard.ts';
import { fitItems, type TokenBudget } from './token-budget.ts';

export interface ContentContext {
  /** Absent where no budget can be asked for. */
  tokens?: TokenBudget;
}

interface GuardedItems<T> {
  items: T[];
  /** The positions of those that were removed, and why. */
  blocked: ReadonlyMap<number, string>;
  warnings: Warning[];
}

export async function guardItems<T extends object>(
  { tokens }: ContentContext,
  { mode, max_tokens: budget }: NonNullable<RequestContext['content']>,
  items: readonly T[],
  fields: readonly (keyof T & string)[],
): Promise<GuardedItems<T>> {
  const cut = fields.filter((field) => !field.endsWith('url'));
  const checked = mode
    ? guard(items, fields, mode)
    : { kept: [...items], blocked: new Map<number, string>(), warnings: [] };
  const { blocked, warnings } = checked;
  if (budget === undefined || !tokens) return { items: checked.kept, blocked, warnings };
  const fitted = await fitItems(tokens, checked.kept, cut, budget);
  return { items: fitted.items, blocked, warnings: [...warnings, ...fitted.warnings] };
}
