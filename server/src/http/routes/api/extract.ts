// POST /v1/extract.
import { ExtractRequest } from '@trivium/contract';
import { extract, prepareExtract } from '../../../extract/extract.ts';
import type { ToolContext } from '../../../upstream/context.ts';
import { paidPost } from '../../middleware/paid-post.ts';
import type { Route } from '../../route.ts';

export function extractRoutes(context: ToolContext): Route[] {
  return [
    paidPost(context, {
      path: '/v1/extract',
      tool: 'extract',
      schema: ExtractRequest,
      cacheSeconds: context.settings.cache_seconds_extract,
      calls: (body, requestContext) => prepareExtract(context, body, requestContext).calls,
      serve: (body, requestContext) => extract(context, body, requestContext),
    }),
  ];
}
