// Answers to a model: short text, the same facts as data, and errors it can act upon.
import type { CallToolResult } from '@modelcontextprotocol/server';
import type { Usage, Warning } from '@trivium/contract';
import { ApiError, TriviumError } from '../errors.ts';

export function answer(text: string, facts: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text }], structuredContent: facts };
}

/** What the caller can mend is told to the model; anything else is a fault of ours. */
export async function orExplain(work: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TriviumError)) throw error;
    const type = error instanceof ApiError ? `${error.type}: ` : '';
    return { isError: true, content: [{ type: 'text', text: `${type}${error.message}` }] };
  }
}

/** The last lines of every answer: what was adjusted, who served, what it cost. */
export function ending(
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

/** Without what was not given, because our own types tell an absent field from an undefined one. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
