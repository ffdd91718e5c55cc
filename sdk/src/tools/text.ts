// The text of a tool's result, and errors as text that a model can act on.
import { labelProviders, providerLabel } from '@trivium/contract';
import type { Usage, Warning } from '@trivium/contract';
import { ApiError, JobFailedError } from '../errors.ts';
import type { TriviumError } from '../errors.ts';

export function describeError(error: TriviumError): string {
  if (error instanceof JobFailedError) {
    const { job, reason } = error;
    return labelProviders(`The job ${job.id} failed: ${reason.type}: ${reason.message}`);
  }
  const type = error instanceof ApiError ? `${error.type}: ` : '';
  return type + labelProviders(error.message);
}

/** The last lines of every result: the warnings, the provider and the cost. */
export function footer(
  provider: string,
  warnings: readonly Warning[],
  usage: Usage | undefined,
  /** The id of a search, for report_results. */
  searchId?: string,
): string {
  const adjusted = warnings.map(({ code, param, message }) => {
    const done = code === 'content_flagged' ? 'Flagged' : 'Adjusted';
    return `${done}${param === undefined ? '' : ` ${param}`}: ${labelProviders(message)}`;
  });
  const cost = usage === undefined ? '' : `, ${usage.cost_usd} USD`;
  return [
    ...adjusted,
    `(${providerLabel(provider)}${cost}${searchId === undefined ? '' : `, ${searchId}`})`,
  ].join('\n');
}

/** A page as text for a model, with the number that an answer cites. */
export function numberedPage(
  page: { title?: string | null; url: string; published_date?: string },
  index: number,
  text: string,
): string {
  const { title, url, published_date } = page;
  const dated = published_date === undefined ? '' : ` (${published_date})`;
  return `[${index + 1}] ${oneLine(`${title ?? url}${dated}`)}\n${oneLine(url)}\n${text}`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
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
