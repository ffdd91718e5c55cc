// What a person enters for one tool of the playground.
import type { Filled } from './form-fields.ts';

export type Way = 'one' | 'beside' | 'fusion';

export interface ToolState {
  provider: string;
  filled: Filled;
  /** How to search: with one engine, with several side by side, or with a fusion panel. */
  way: Way;
  /** The engines of a comparison or a panel. */
  panel: readonly string[];
}
