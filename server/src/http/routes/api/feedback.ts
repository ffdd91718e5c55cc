// POST /v1/feedback: which results of a search were useful. It is free, and rate limits count it
// like any request.
import { FeedbackRequest } from '@trivium/contract';
import type { FeedbackResponse } from '@trivium/contract';
import { countUnpaid } from '../../../billing/index.ts';
import { giveFeedback } from '../../../quality/index.ts';
import { type Caller, checkTool } from '../../../requests/index.ts';
import type { HttpContext } from '../../context.ts';
import { readBody } from '../../middleware/body.ts';
import type { Route } from '../../route.ts';
import { callerRoute } from '../rows.ts';

export function feedbackRoutes(context: HttpContext): Route[] {
  return [
    callerRoute('POST', '/v1/feedback', { booked: true }, async ({ request, caller }) =>
      takeFeedback(context, caller, await readBody(request, FeedbackRequest)),
    ),
  ];
}

export async function takeFeedback(
  context: HttpContext,
  caller: Caller,
  request: FeedbackRequest,
): Promise<FeedbackResponse> {
  checkTool(caller.policy, 'search');
  await countUnpaid(context, caller);
  return giveFeedback(context, caller, request);
}
