// The address of the requests of a part of a chart: the costliest first, under the sentence that says
// why it changed.
import { withQuery } from '../shell/router.tsx';

interface Part {
  at: string | undefined;
  until: string | undefined;
}

/** What the sentence is about: the cost, or the number of requests. */
export const changeParameter = 'why';

export function changeAddress(
  filters: object,
  { at, until }: Part,
  measure: 'cost' | 'requests' = 'cost',
): string {
  const why = { [changeParameter]: measure };
  return withQuery('/requests', { ...filters, from: at, to: until, sort: 'cost', ...why });
}
