// The client behind the tools for agents: each call is a request of the caller, paid, limited and
// logged like any other, but without HTTP.
import { FeedbackRequest, OwnJobQuery, strictestMode, type Job } from '@trivium/contract';
import { ApiError } from '@trivium/sdk';
import type { AgentClient } from '@trivium/sdk/mcp';
import type { Caller } from '../../../requests/index.ts';
import { newId } from '../../../platform/ids.ts';
import {
  type JobAnswer,
  readJob,
  readJobBriefly,
  readOwnJobs,
} from '../../../transcription/index.ts';
import { validate } from '../../middleware/body.ts';
import { asGatewayError } from '../../middleware/errors.ts';
import type { HttpContext } from '../../context.ts';
import { takeFeedback } from '../api/free.ts';
import { servePaid, type PaidTool } from '../../serve-paid.ts';
import type { McpResults } from './results.ts';

export function makeAgentClient(
  context: HttpContext,
  caller: Caller,
  tags: string | undefined,
  results: McpResults,
): AgentClient {
  const { admit, tools, enterRead, describe } = context;
  const request = async <T>(
    kind: 'paid' | 'free',
    work: (requestId: string) => Promise<JobAnswer['body']>,
  ): Promise<T> => {
    const requestId = newId('req');
    try {
      const serve = async () =>
        await results.count(await admit(caller, () => work(requestId)), kind);
      return JSON.parse(await (kind === 'free' ? results.inTurn(serve) : serve()));
    } catch (error) {
      const { type, message, status, detail } = asGatewayError(error, requestId, context.log);
      throw new ApiError(message, { type, status, detail, request_id: requestId });
    }
  };
  const pay = <T, Answer>(
    tool: PaidTool<T>,
    body: object,
    options: Parameters<AgentClient['search']>[1] = {},
  ) =>
    request<Answer>('paid', async (request_id) => {
      const { signal, maxCostUsd: maxCost, contentMode, maxTokens } = options;
      const { text } = await servePaid(tool, caller, {
        request_id,
        body,
        headers: {
          'x-max-cost-usd': maxCost?.toFixed(6),
          'x-trivium-tags': tags,
          'x-trivium-content': contentMode,
          'x-trivium-max-tokens': maxTokens === undefined ? undefined : String(maxTokens),
        },
        ...(signal ? { signal } : {}),
      });
      return text;
    });
  return {
    search: (body, options) => pay(tools.search, body, options),
    extract: (body, options) => pay(tools.extract, body, options),
    transcribe: (body, options) => pay(tools.transcription, body, options),
    jobs: {
      get: (id, { contentMode } = {}) => ({
        withResponse: async () => {
          const mode = strictestMode(contentMode, caller.policy?.content);
          const read = results.wants === 'whole' ? readJob : readJobBriefly;
          let headers = new Headers();
          const data = await request<Job>('free', async () => {
            const answer = await read(context, caller, id, mode);
            headers = new Headers(answer.headers);
            return answer.body;
          });
          return { data, headers };
        },
      }),
      list: (filters) =>
        request('free', async () => {
          const query = validate(OwnJobQuery, filters);
          const leave = enterRead(caller.account_id);
          try {
            await context.ledger.bookAll();
            return JSON.stringify(await readOwnJobs(context, caller, query));
          } finally {
            leave();
          }
        }),
    },
    feedback: (body) =>
      request('free', async () => {
        const named = validate(FeedbackRequest, body);
        await context.ledger.bookAll();
        return JSON.stringify(await takeFeedback(context, caller, named));
      }),
    providers: () => request('free', () => Promise.resolve(JSON.stringify(describe()))),
  };
}
