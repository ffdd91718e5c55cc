// How the other APIs word a failure, so that their clients show the message to their users.
import type { ErrorEnvelope } from '@trivium/contract';

export interface Wording {
  toError: (error: ErrorEnvelope['error'], status: number) => object;
  /** Statuses of ours for which the other API has one of its own. */
  statuses?: Readonly<Record<number, number>>;
}

/** By the part of the address below /compat. */
const wordings: ReadonlyMap<string, Wording> = new Map<string, Wording>([
  [
    'tavily',
    {
      toError: ({ message }) => ({ detail: { error: message } }),
      // Its client for Python shows no message with a 402; with what Tavily itself says, it does.
      statuses: { 402: 432 },
    },
  ],
  ['exa', { toError: ({ message, type }) => ({ error: message, tag: type }) }],
  ['perplexity', { toError: ({ message, type }, code) => ({ error: { message, type, code } }) }],
  ['searxng', { toError: ({ message }) => ({ error: message }) }],
]);

export function wordingAt(path: string): Wording | undefined {
  return wordings.get(/^\/compat\/([^/]+)/.exec(path)?.[1] ?? '');
}
