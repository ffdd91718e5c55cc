// The list in which many vendors name the fields of a request that they refuse.
import { z } from 'zod';

/** In FastAPI's format. */
export const FieldFaults = z.array(
  z.object({ loc: z.array(z.unknown()).nullish(), msg: z.string() }),
);

export function fieldFaults(faults: z.infer<typeof FieldFaults>): string {
  return faults.map(({ loc, msg }) => faultAt(loc ?? [], msg)).join('; ');
}

/**
 * `count: must be at most 100`. The first step is dropped, because it only says that the field is
 * in the body.
 */
export function faultAt(place: readonly unknown[], sentence: string): string {
  const field = place.filter((step) => step !== 'body' && step !== '').join('.');
  return field === '' ? sentence : `${field}: ${sentence}`;
}
