// The list by which many vendors name the fields of a request that they refuse.
import { z } from 'zod';

/** As FastAPI writes it. */
export const FieldFaults = z.array(
  z.object({ loc: z.array(z.unknown()).nullish(), msg: z.string() }),
);

export function fieldFaults(faults: z.infer<typeof FieldFaults>): string {
  return faults.map(({ loc, msg }) => faultAt(loc ?? [], msg)).join('; ');
}

/** `count: must be at most 100`; the first step says only that it is in the body. */
export function faultAt(place: readonly unknown[], sentence: string): string {
  const field = place.filter((step) => step !== 'body' && step !== '').join('.');
  return field === '' ? sentence : `${field}: ${sentence}`;
}
