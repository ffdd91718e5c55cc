// Requests of scenarios: searches and extractions that must succeed, their warnings and issues.
import { extractEngines, searchEngines } from './engines.ts';
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

/** The letters of the engines that warn with each code; the others honour the parameter. */
type Warned = Partial<Record<'param_ignored' | 'param_approximated', string>>;

export type Row = readonly [param: string, changes: object, warned: Warned];

/** One line for every engine whose warnings or strict refusals differ from what is expected. */
export async function differences(
  gateway: Gateway,
  path: '/v1/search' | '/v1/extract',
  request: object,
  [param, changes, warned]: Row,
): Promise<string[]> {
  const lines: string[] = [];
  const ask = path === '/v1/search' ? askSearch : askExtract;
  for (const provider of path === '/v1/search' ? searchEngines : extractEngines) {
    const asked = { ...request, provider, ...changes };
    const codes = Object.entries(warned).filter(([, few]) => few.includes(provider.slice(-1)));
    const expected = codes.map(([code]) => `${param}: ${code}`).join();
    const warnings = warningCodes(await ask(gateway, asked)).join();
    const issues = (await strictIssues(gateway, path, asked)).join();
    if (warnings !== expected) lines.push(`${provider} warned ${warnings}, not ${expected}`);
    if (issues !== expected) lines.push(`${provider} objected ${issues}, not ${expected}`);
  }
  return lines;
}
