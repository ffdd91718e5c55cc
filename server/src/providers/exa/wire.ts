// Schemas of Exa's answers: only the fields that are used; others are ignored.
import { z } from 'zod';
import { asGiven } from '../shared/as-given.ts';

const described = {
  url: z.string(),
  title: z.string().nullish(),
  publishedDate: z.string().nullish(),
  author: z.string().nullish(),
  text: z.string().nullish(),
  summary: z.string().nullish(),
  highlights: z.array(z.string()).nullish(),
};

const Found = z.object({ ...described, score: z.number().nullish() });
export type Found = z.infer<typeof Found>;

export const SearchAnswer = asGiven(z.object({ results: z.array(Found) }));

export const ContentsAnswer = z.object({
  results: z.array(
    z.object({
      ...described,
      id: z.string().nullish(),
      image: z.string().nullish(),
      extras: z
        .object({
          links: z.array(z.string()).nullish(),
          imageLinks: z.array(z.string()).nullish(),
        })
        .nullish(),
    }),
  ),
  statuses: z
    .array(
      z.object({
        id: z.string(),
        error: z
          .object({ tag: z.string().nullish(), httpStatusCode: z.number().nullish() })
          .nullish(),
      }),
    )
    .nullish(),
});

/**
 * Older products have a sentence under `error`, newer ones an object, and a payment demand has
 * neither.
 */
export const Failure = z.object({
  error: z.union([z.string(), z.object({ message: z.string() })]).nullish(),
  tag: z.string().nullish(),
  x402Version: z.number().nullish(),
});
