// Brave's query strings, parameter by parameter, with its closed lists of countries and languages.
import { z } from 'zod';

const maxCharacters = 400;
const maxWords = 50;
const maxPage = 9;

const countries =
  'ALL AR AU AT BE BR CA CL CN DE DK ES FI FR GB HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA ' +
  'SE CH TR TW US ZA';
const languages =
  'ar bg bn ca cs da de en en-gb es et eu fi fr gl gu he hi hr hu is it jp kn ko lt lv ml mr ms ' +
  'nb nl pa pl pt-br pt-pt ro ru sk sl sr sv ta te th tr uk vi zh-hans zh-hant';
const sections = 'web news videos discussions faq infobox query summarizer locations rich'.split(
  ' ',
);

const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const upTo = (max: number, min: number) => z.coerce.number().pipe(z.int().min(min).max(max));

const shared = {
  q: z
    .string()
    .min(1)
    .max(maxCharacters)
    .refine((text) => text.split(/\s+/).length <= maxWords, `At most ${maxWords} words`),
  offset: upTo(maxPage, 0).optional(),
  country: z.enum(countries.split(' ')).optional(),
  search_lang: z.enum(languages.split(' ')).optional(),
  ui_lang: z
    .string()
    .regex(/^[a-z]{2}-[A-Z]{2}$/)
    .optional(),
  safesearch: z.enum(['off', 'moderate', 'strict']).optional(),
  freshness: z
    .union([
      z.enum(['pd', 'pw', 'pm', 'py']),
      z.string().regex(/^\d{4}-\d{2}-\d{2}to\d{4}-\d{2}-\d{2}$/),
    ])
    .optional(),
  extra_snippets: Flag.optional(),
  spellcheck: Flag.optional(),
  goggles: z.union([z.string(), z.array(z.string())]).optional(),
  operators: Flag.optional(),
};

export const WebQuery = z.strictObject({
  ...shared,
  count: upTo(20, 1).optional(),
  text_decorations: Flag.optional(),
  result_filter: z
    .string()
    .refine((text) => text.split(',').every((section) => sections.includes(section)))
    .optional(),
  units: z.enum(['metric', 'imperial']).optional(),
  summary: Flag.optional(),
  enable_rich_callback: Flag.optional(),
  include_fetch_metadata: Flag.optional(),
});
export type WebQuery = z.infer<typeof WebQuery>;

export const NewsQuery = z.strictObject({ ...shared, count: upTo(50, 1).optional() });
export type NewsQuery = z.infer<typeof NewsQuery>;
