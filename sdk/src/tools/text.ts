// The text of a tool's result, and errors as text that a model can act on.
import { labelProviders, providerLabel } from '@trivium/contract';
import type { Usage, Warning } from '@trivium/contract';
import { ApiError, JobFailedError } from '../errors.ts';
import type { TriviumError } from '../errors.ts';
import type { Frame } from './tool.ts';

/** What a provider, or a proxy in between, said is framed like a page. */
export function describeError(error: TriviumError, frame: Frame): string {
  if (error instanceof JobFailedError) {
    const { job, reason } = error;
    return `The job ${job.id} failed: ${reason.type}:\n${frame([labelProviders(reason.message)])}`;
  }
  const message = labelProviders(error.message);
  if (!(error instanceof ApiError)) return message;
  const isForeign = error.type === 'provider_error' || error.type === 'unknown';
  return isForeign ? `${error.type}:\n${frame([message])}` : `${error.type}: ${message}`;
}

interface Ending {
  provider: string;
  warnings: readonly Warning[];
  usage?: Usage | undefined;
  /** The id of a search, for report_results. */
  id?: string;
  /** A sentence of the tool itself. */
  note?: string | undefined;
}

/**
 * Texts for a model in a frame, with the warnings, because these can repeat what a provider said.
 * Then come what the gateway flagged, the provider and the cost.
 */
export function resultText(
  texts: readonly string[],
  { provider, warnings, usage, id, note }: Ending,
  frame: Frame,
): string {
  const written = (are: 'Flagged' | 'Adjusted') =>
    warnings
      .filter(({ code }) => (code === 'content_flagged') === (are === 'Flagged'))
      .map(({ param, message }) => {
        const place = param === undefined ? '' : ` ${param}`;
        return `${are}${place}: ${labelProviders(message)}`;
      });
  const framed = [...texts, ...written('Adjusted')];
  const cost = usage === undefined ? '' : `, ${usage.cost_usd} USD`;
  const last = `(${providerLabel(provider)}${cost}${id === undefined ? '' : `, ${id}`})`;
  return [
    ...(texts.length === 0 ? ['No results.'] : []),
    ...(framed.length === 0 ? [] : [frame(framed)]),
    ...(note === undefined ? [] : [note]),
    [...written('Flagged'), last].join('\n'),
  ].join('\n\n');
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
