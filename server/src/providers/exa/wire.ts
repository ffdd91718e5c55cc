// Schemas of Exa's answers: only the fields that are used; others are ignored.
import { z } from 'zod';
import {
  maybeList,
  maybeNumber,
  maybeObject,
  maybeText,
  maybeTexts,
  asGiven,
} from '../shared/schemas.ts';

const described = {
  url: z.string(),
  title: maybeText,
  publishedDate: maybeText,
  author: maybeText,
  text: maybeText,
  summary: maybeText,
  highlights: maybeTexts,
};

const Found = z.object({ ...described, score: maybeNumber });
export type Found = z.infer<typeof Found>;

export const SearchAnswer = asGiven(z.object({ results: z.array(Found) }));

export const ContentsAnswer = z.object({
  results: z.array(
    z.object({
      ...described,
      id: maybeText,
      image: maybeText,
      extras: maybeObject({ links: maybeTexts, imageLinks: maybeTexts }),
    }),
  ),
  statuses: maybeList({
    id: z.string(),
    error: maybeObject({ tag: maybeText, httpStatusCode: maybeNumber }),
  }),
});

/**
 * Older products have a sentence under `error`, newer ones an object, and a payment demand has
 * neither.
 */
export const Failure = z.object({
  error: z.union([z.string(), z.object({ message: z.string() })]).nullish(),
  tag: maybeText,
  x402Version: maybeNumber,
});
