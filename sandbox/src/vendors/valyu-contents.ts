// Valyu's AI processing of a page: a summary for an instruction, or fields for a JSON schema.
import type { Page } from '../corpus/page.ts';
import { termsOf } from '../terms.ts';
import { bestPassages, summarise } from '../text.ts';
import type { ContentsBody } from './valyu-wire.ts';

/** The `summary` of a page; undefined if it was not requested. */
export function makeSummary(
  page: Page,
  wish: ContentsBody['summary'],
): string | object | undefined {
  if (wish === undefined || wish === false) return undefined;
  if (wish === true) return summarise(page.body, termsOf(page.title));
  if (typeof wish === 'string') return summarise(page.body, termsOf(subjectOf(wish)));
  return fillSchema(page, wish);
}

const defaultItems = 5;

type Field = { type?: unknown; maxItems?: unknown; description?: unknown };

function fillSchema(page: Page, schema: Record<string, unknown>): object {
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Field>);
  return Object.fromEntries(fields.map(([name, field]) => [name, fillField(page, field)]));
}

function fillField(page: Page, { type, maxItems, description }: Field): unknown {
  const terms = termsOf(subjectOf(typeof description === 'string' ? description : page.title));
  if (type === 'string') return summarise(page.body, terms);
  if (type !== 'array') return null;
  const limit = typeof maxItems === 'number' ? maxItems : defaultItems;
  // A model copies words faithfully, but not line breaks.
  return bestPassages(page.body, terms, limit).map(({ text }) => text.replace(/\s+/g, ' '));
}

/** An instruction ends in its subject, after a colon. */
function subjectOf(instruction: string): string {
  return instruction.slice(instruction.lastIndexOf(': ') + 1);
}
