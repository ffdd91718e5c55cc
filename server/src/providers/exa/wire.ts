// Schemas of Exa's answers: only the fields that are used; others are ignored.
import { z } from 'zod';
import { asGiven, maybe } from '../shared/schemas.ts';

const described = {
  url: z.string(),
  title: maybe.text,
  publishedDate: maybe.text,
  author: maybe.text,
  text: maybe.text,
  summary: maybe.text,
  highlights: maybe.texts,
};

const Found = z.object({ ...described, score: maybe.number });
export type Found = z.infer<typeof Found>;

export const SearchAnswer = asGiven(z.object({ results: z.array(Found) }));

export const ContentsAnswer = z.object({
  results: z.array(
    z.object({
      ...described,
      id: maybe.text,
      image: maybe.text,
      extras: maybe.object({ links: maybe.texts, imageLinks: maybe.texts }),
    }),
  ),
  statuses: maybe.list({
    id: z.string(),
    error: maybe.object({ tag: maybe.text, httpStatusCode: maybe.number }),
  }),
});

/**
 * Older products have a sentence under `error`, newer ones an object, and a payment demand has
 * neither.
 */
export const Failure = z.object({
  error: z.union([z.string(), z.object({ message: z.string() })]).nullish(),
  tag: maybe.text,
  x402Version: maybe.number,
});
