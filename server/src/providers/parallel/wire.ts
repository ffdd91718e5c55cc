// Schemas of Parallel's answers: only the fields that are used; others are ignored.
import { z } from 'zod';
import { asGiven } from '../shared/as-given.ts';
import { FieldFaults, fieldFaults } from '../shared/field-faults.ts';

const described = {
  url: z.string(),
  title: z.string().nullish(),
  publish_date: z.string().nullish(),
  excerpts: z.array(z.string()).nullish(),
};

export const SearchAnswer = asGiven(z.object({ results: z.array(z.object(described)) }));

export const ExtractAnswer = z.object({
  results: z.array(z.object({ ...described, full_content: z.string().nullish() })),
  errors: z
    .array(
      z.object({
        url: z.string(),
        error_type: z.string().nullish(),
        http_status_code: z.number().nullish(),
        /** What an unreachable page answered. */
        content: z.string().nullish(),
      }),
    )
    .nullish(),
});

/** The vendor's message, and the fields it objects to, if it names them in the known format. */
export function messageOf(body: unknown): string | undefined {
  const error = Failure.safeParse(body).data?.error;
  if (!error) return undefined;
  const faults = fieldFaults(error.detail?.errors ?? []);
  return faults === '' ? error.message : `${error.message}; ${faults}`;
}

/** The content of `detail` varies, so it is read only if it fits. */
const Failure = z.object({
  error: z.object({
    message: z.string(),
    detail: z.object({ errors: FieldFaults }).nullish().catch(undefined),
  }),
});
