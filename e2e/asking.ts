// Requests of scenarios: searches and extractions that must succeed, their warnings and issues.
import type { Gateway } from './harness.ts';
import { ExtractAnswer, InvalidRequest, SearchAnswer } from './shapes.ts';
import type { z } from 'zod';

export type Found = z.infer<typeof SearchAnswer>;
export type Extracted = z.infer<typeof ExtractAnswer>;

export async function askSearch(gateway: Gateway, request: object): Promise<Found> {
  const answer = await gateway.post('/v1/search', request);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return SearchAnswer.parse(answer.body);
}

export async function askExtract(gateway: Gateway, request: object): Promise<Extracted> {
  const answer = await gateway.post('/v1/extract', request);
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return ExtractAnswer.parse(answer.body);
}

/** Each warning as `param: code`, sorted. */
export function warningCodes({ warnings }: Pick<Found, 'warnings'>): string[] {
  return warnings.map(({ param, code }) => `${param}: ${code}`).toSorted();
}

/** The issues of the request under strict, as `path: code`; empty when it is served. */
export async function strictIssues(
  gateway: Gateway,
  path: string,
  request: object,
): Promise<string[]> {
  const answer = await gateway.post(path, { ...request, strict: true });
  if (answer.status === 200) return [];
  if (answer.status !== 400) throw new Error(`${answer.status}: ${answer.text}`);
  const { issues } = InvalidRequest.parse(answer.body).error.detail;
  return issues.map((issue) => `${issue.path}: ${issue.code}`).toSorted();
}
