// POST /v1/feedback: which results of a search were useful. It is free, and rate limits count it
// like any request.
import { FeedbackRequest } from '@trivium/contract';
import type { FeedbackResponse } from '@trivium/contract';
import { countUnpaid } from '../../../billing/index.ts';
import { giveFeedback } from '../../../quality/index.ts';
import { type Caller, checkTool } from '../../../requests/index.ts';
import { readBody } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';

type FeedbackContext = Parameters<typeof giveFeedback>[0] & Parameters<typeof countUnpaid>[0];

export function feedbackRoutes(context: FeedbackContext): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/feedback',
      role: 'caller',
      booked: true,
      handle: async ({ request, caller }) => {
        const body = await readBody(request, FeedbackRequest);
        return Response.json(await takeFeedback(context, caller, body));
      },
    },
  ];
}

export async function takeFeedback(
  context: FeedbackContext,
  caller: Caller,
  request: FeedbackRequest,
): Promise<FeedbackResponse> {
  checkTool(caller.policy, 'search');
  await countUnpaid(context, caller);
  return giveFeedback(context, caller, request);
}
