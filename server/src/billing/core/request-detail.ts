// The details of a request in the log, as one compact JSON text. Its property names are stored, so
// they must not change.
import type { Warning } from '@trivium/contract';
import { withoutAsked } from './asked.ts';

/** One call to a provider. */
export interface Attempt {
  provider: string;
  /** `answered`, `no_results`, or why it was refused. */
  outcome: string;
  /** With the wait for a free place. */
  ms: number;
  status?: number | undefined;
  message?: string | undefined;
}

/** What one provider of a request cost, in micro-USD. */
export interface CostPart {
  provider: string;
  amount: number;
  /** The provider itself reported the amount; otherwise it is the list price. */
  reported: boolean;
}

interface RequestDetail {
  attempts: readonly Attempt[];
  warnings: readonly Warning[];
  /** The error's text. */
  error: string | null;
  /** The maximum price, which was held. */
  held: number | null;
  /** Only where several providers were paid. */
  parts: readonly CostPart[];
}

type StoredAttempt = [
  provider: string,
  outcome: string,
  ms: number,
  status?: number | null,
  message?: string,
];

interface Stored {
  a?: StoredAttempt[];
  w?: Warning[];
  e?: string;
  h?: number;
  p?: [provider: string, amount: number, reported: 0 | 1][];
}

const maxAttempts = 60;
const maxWarnings = 40;
const maxMessageChars = 500;
const maxErrorChars = 2000;

/** Null when there is nothing to tell. */
export function writeDetail(
  { attempts, warnings, error, held, parts }: RequestDetail,
  asked: readonly string[],
): string | null {
  const stored: Stored = {};
  const message = (text: string, limit: number) => withoutAsked(text, asked, limit);
  if (attempts.length > 0) {
    stored.a = attempts.slice(0, maxAttempts).map((one): StoredAttempt => {
      if (one.message === undefined) return [one.provider, one.outcome, one.ms];
      const words = message(one.message, maxMessageChars);
      return [one.provider, one.outcome, one.ms, one.status ?? null, words];
    });
  }
  if (warnings.length > 0) {
    stored.w = warnings
      .slice(0, maxWarnings)
      .map((one) => ({ ...one, message: message(one.message, maxMessageChars) }));
  }
  if (error !== null) stored.e = message(error, maxErrorChars);
  if (held !== null) stored.h = held;
  if (parts.length > 0) {
    stored.p = parts.map(({ provider, amount, reported }) => [provider, amount, reported ? 1 : 0]);
  }
  const text = JSON.stringify(stored);
  return text === '{}' ? null : text;
}

export function readDetail(text: string | null): RequestDetail {
  const {
    a = [],
    w = [],
    e = null,
    h = null,
    p = [],
  } = text === null ? {} : (JSON.parse(text) as Stored);
  return {
    attempts: a.map(([provider, outcome, ms, status, words]) => ({
      provider,
      outcome,
      ms,
      status: status ?? undefined,
      message: words,
    })),
    warnings: w,
    error: e,
    held: h,
    parts: p.map(([provider, amount, reported]) => ({
      provider,
      amount,
      reported: reported === 1,
    })),
  };
}
