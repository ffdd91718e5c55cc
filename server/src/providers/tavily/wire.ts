// Schemas of Tavily's answers: only the fields that are used; others are ignored.
import { z } from 'zod';
import { asGiven, FieldFaults, fieldFaults, maybe } from '../shared/schemas.ts';

export const SearchAnswer = asGiven(
  z.object({
    results: z.array(
      z.object({
        url: z.string(),
        title: maybe.text,
        content: maybe.text,
        raw_content: maybe.text,
        score: maybe.number,
        published_date: maybe.text,
      }),
    ),
  }),
);

const Image = z.union([z.string(), z.object({ url: z.string() }).transform(({ url }) => url)]);

const Pages = z.array(
  z.object({
    url: z.string(),
    title: maybe.text,
    raw_content: maybe.text,
    images: z.array(Image).nullish(),
  }),
);
const Failures = z.array(z.object({ url: z.string(), error: maybe.text }));

/** A refusal of every page may come without `results`, but not without both lists. */
export const ExtractAnswer = z.union([
  z.object({ results: Pages, failed_results: Failures.nullish() }),
  z.object({ results: Pages.nullish(), failed_results: Failures }),
]);

/** The best passages of a page are returned as one text with separators. */
export function chunksOf(text: string | null | undefined): string[] {
  return (text ?? '')
    .split('[...]')
    .map((chunk) => chunk.trim())
    .filter((chunk) => chunk !== '');
}

export function messageOf(body: unknown): string | undefined {
  const { detail, error } = Failure.safeParse(body).data ?? {};
  if (detail === undefined) return typeof error === 'object' ? error.message : error;
  if (typeof detail === 'string') return detail;
  if (Array.isArray(detail)) return fieldFaults(detail);
  return typeof detail.error === 'string' ? detail.error : detail.error.message;
}

/** The seconds to wait, which only the newer form of an error contains. */
export function waitOf(body: unknown): unknown {
  const { detail, error } = Failure.safeParse(body).data ?? {};
  const nested = typeof detail === 'object' && !Array.isArray(detail) ? detail.error : undefined;
  const details = error ?? nested;
  return typeof details === 'object' ? details.retry_after_seconds : undefined;
}

const Told = z.union([
  z.string(),
  z.object({ message: z.string(), retry_after_seconds: z.unknown().optional() }),
]);
const Failure = z.object({
  detail: z.union([z.string(), z.object({ error: Told }), FieldFaults]).optional(),
  error: Told.optional(),
});
