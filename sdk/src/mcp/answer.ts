// Tool results for a model: short text, the same facts as data, and errors it can act on.
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Usage, Warning } from '@trivium/contract';
import { ApiError, TriviumError } from '../errors.ts';

export function answer(text: string, facts: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: facts };
}

/** Errors of the gateway become a tool result that the model reads; any other error is thrown. */
export async function explainErrors(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TriviumError)) throw error;
    const type = error instanceof ApiError ? `${error.type}: ` : '';
    return { isError: true, content: [{ type: 'text', text: `${type}${error.message}` }] };
  }
}

/** The last lines of every result: the warnings, the provider and the cost. */
export function footer(
  provider: string,
  warnings: readonly Warning[],
  usage: Usage | undefined,
): string {
  const adjusted = warnings.map(({ param, message }) => `Adjusted ${param ?? ''}: ${message}`);
  const cost = usage === undefined ? '' : `, ${usage.cost_usd} USD`;
  return [...adjusted, `(${provider}${cost})`].join('\n');
}

export function shorten(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** Drops undefined fields: with `exactOptionalPropertyTypes`, absent and undefined differ. */
export function definedOnly<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
