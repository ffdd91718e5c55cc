// The tool report_results: an agent says which results of a search it used.
import { FeedbackRequest, SearchId } from '@trivium/contract';
import { z } from 'zod';
import type { ReportResultsToolOutput } from '../tool-types.ts';
import { argumentsOf } from './arguments.ts';
import { definedOnly } from './text.ts';
import type { AgentTool } from './tool.ts';

const fields = FeedbackRequest.shape;
const input = argumentsOf('report_results', {
  id: SearchId.describe('The id of the search: srch_ and 32 hexadecimal digits.'),
  cited: fields.cited.describe('URLs that your answer cites or is based on.'),
  opened: fields.opened.describe('URLs that you read but did not cite.'),
  rejected: fields.rejected.describe('URLs that were not useful.'),
});

const output = z.object({
  id: z.string(),
  cited: z.number(),
  opened: z.number(),
  rejected: z.number(),
  unknown: z.array(z.string()).describe('Entries that are not results of the search.'),
});

export const reportResultsTool: AgentTool<ReportResultsToolOutput, typeof input> = {
  name: 'report_results',
  title: 'Report which results you used',
  description:
    'Say which results of a search you cited, opened or found useless, once your answer is ' +
    'written. It is free and helps to choose better engines.',
  input,
  output,
  annotations: { readOnlyHint: false, openWorldHint: false },
  run: async ({ id, ...rest }, { client, signal }) => {
    const known = await client.feedback({ search_id: id, ...definedOnly(rest) }, { signal });
    const { cited, opened, rejected, unknown } = known;
    return { id, cited, opened, rejected, unknown };
  },
  write: ({ cited, opened, rejected, unknown }) => {
    const others = unknown.length === 0 ? '' : ` ${unknown.length} are not results of this search.`;
    return `${cited} cited, ${opened} opened, ${rejected} rejected.${others}`;
  },
};
