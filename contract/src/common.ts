// Schemas that several tools share: warnings, usage, dates and the headers of a POST.
import { z } from 'zod';
import { addFault } from './faults.ts';

const warningCodes = [
  'param_ignored',
  'param_approximated',
  'results_post_filtered',
  'content_flagged',
] as const;

export const Warning = z
  .object({
    code: z
      .enum(warningCodes)
      .describe(
        'Dropped, approximated, or applied by the gateway after the provider responded; ' +
          'or, if content is checked, suspicious text.',
      ),
    param: z
      .string()
      .optional()
      .describe('The request field the warning is about, or the flagged text of the answer.'),
    message: z.string().describe('What was adjusted, in one sentence.'),
  })
  .describe('One way in which the request was adjusted for the provider that served it.');
export type Warning = z.infer<typeof Warning>;

export const Usage = z
  .object({
    cost_usd: z.number().min(0).describe('The amount charged, in US dollars.'),
    credits: z.number().min(0).describe('The same cost in credits; one credit is 0.001 USD.'),
  })
  .describe('What the request cost.');
export type Usage = z.infer<typeof Usage>;

export const Timestamp = z.iso.datetime({ offset: true });

/** Text that a database can store: PostgreSQL cannot store a NUL. */
export function storable(text: z.ZodString): z.ZodString {
  return text.refine((value) => !value.includes('\0'), {
    error: 'Must not contain a NUL character.',
  });
}

const datePattern = /^\d{4}-\d{2}-\d{2}$/;

/** A date that exists: 2026-02-30 fits the pattern but is refused. */
export const CalendarDate = z
  .string()
  .regex(datePattern, { error: 'Must be a date written as YYYY-MM-DD.' })
  .superRefine((value, context) => {
    if (!datePattern.test(value) || isCalendarDate(value)) return;
    addFault(context, [], 'invalid_date', `${value} is not a date in the calendar.`);
  });

/** A day, or a time for callers whose days are not those of UTC. */
export const DayOrTime = z.string().superRefine((value, context) => {
  const found = (datePattern.test(value) ? CalendarDate : Timestamp).safeParse(value);
  if (found.success) return;
  const message = datePattern.test(value)
    ? `${value} is not a date in the calendar.`
    : 'Must be a date written as YYYY-MM-DD, or a time written as 2026-11-15T12:00:00Z.';
  addFault(context, [], 'invalid_date', message);
});

/** Longer than any tag in use. */
const maxLanguageTagLength = 255;

export const LanguageTag = z
  .string()
  .max(maxLanguageTagLength, { abort: true })
  .regex(/^[a-zA-Z]{2,3}(?:-[a-zA-Z0-9]{2,8})*$/, {
    error: 'Must be a language tag such as "en" or "pt-BR".',
  });

const maxIdempotencyKeyLength = 255;

/** The `Idempotency-Key` header of a POST. */
export const IdempotencyKey = z
  .string()
  .min(1)
  .max(maxIdempotencyKeyLength)
  .regex(/^[\x21-\x7e]*$/, {
    error: 'Must contain only visible ASCII characters, without spaces.',
  });

/** The `x-max-cost-usd` header of a POST. */
export const MaxCostUsd = z.string().regex(/^\d{1,9}(?:\.\d{1,6})?$/, {
  error: 'Must be an amount in US dollars with at most six decimals, such as 0.05.',
});

/** The maximum age of a cached answer that a caller can accept: 30 days. */
export const maxCacheSeconds = 2_592_000;

/** The `x-trivium-cache` header of a POST. */
export const CacheSeconds = z
  .string()
  .regex(/^\d{1,7}$/, { error: 'Must be a whole number of seconds, such as 3600.', abort: true })
  .refine((text) => Number(text) <= maxCacheSeconds, {
    error: `Must be at most ${maxCacheSeconds} seconds, which is 30 days.`,
  });

/** True for a YYYY-MM-DD that exists in the Gregorian calendar. */
export function isCalendarDate(value: string): boolean {
  if (!datePattern.test(value)) return false;
  const [year = 0, month = 0, day = 0] = value.split('-').map(Number);
  return day >= 1 && day <= daysInMonth(year, month);
}

/** Zero for a month that does not exist. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}
