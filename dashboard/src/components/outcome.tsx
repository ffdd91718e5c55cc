// The three outcomes of a request: their words and their tones, the same on every page.
import { outcomes } from '@trivium/contract/outcomes';
import type { Outcome } from '@trivium/contract/outcomes';
import { Tag } from './basics.tsx';
import type { Tone } from './basics.tsx';

export const outcomeLabels: Readonly<Record<Outcome, string>> = {
  served: 'Served',
  refused: 'Refused',
  failed: 'Failed',
};

const tones: Readonly<Record<Outcome, Tone>> = { served: 'good', refused: 'warn', failed: 'bad' };

/** The choices of a filter, with one choice for all errors. */
export const outcomeOptions: readonly (readonly [string, string])[] = [
  ['error', 'Any error'],
  ...outcomes.map((outcome) => [outcome, outcomeLabels[outcome]] as const),
];

export function OutcomeTag({ of: { outcome, status } }: { of: OutcomeTagProps }) {
  return (
    <Tag tone={tones[outcome]}>
      {outcomeLabels[outcome]} {status}
    </Tag>
  );
}

interface OutcomeTagProps {
  outcome: Outcome;
  status: number;
}
