// The outcome of an extraction for each URL.
import type { CheckedCost } from '../billing/index.ts';
import type { Refusal } from '../upstream/core/index.ts';
import type { Warning } from '@trivium/contract';
import type { Page } from '../providers/index.ts';

/** A page with the vendor's own object, as the text that was received. */
export type Extracted = Omit<Page, 'reply' | 'item'> & { raw: string };

export type PageAnswer = { ok: true; page: Extracted } | { ok: false; url: string; error: string };

export interface ExtractOutcome {
  /** One answer for each distinct URL. */
  answers: Map<string, PageAnswer>;
  cost: CheckedCost;
  /** The vendor's own warnings, with the pages of their call. */
  warnings: { urls: readonly string[]; warning: Warning }[];
  /** How many items of the provider's answers could not be read, and how many there were. */
  leftOut: number;
  of: number;
  /** Set if every call failed for a reason that is not about the pages. */
  refusal?: Refusal;
}
