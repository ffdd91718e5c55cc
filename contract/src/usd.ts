// An amount in US dollars that a request may state.
import { z } from 'zod';
import { addFault } from './faults.ts';

/** Amounts are stored as whole micro-USD, so a finer amount is refused rather than rounded. */
export const Usd = z.number().superRefine((usd, context) => {
  if (Number(usd.toFixed(6)) === usd) return;
  addFault(context, [], 'not_exact', 'Must have at most six decimals.');
});
