// POST /v1/search.
import { SearchRequest } from '@trivium/contract';
import { explainHeader } from '../../../search/explain.ts';
import type { SearchContext } from '../../../search/context.ts';
import { prepareSearch, search } from '../../../search/search.ts';
import { paidPost } from '../../middleware/paid-post.ts';
import { wantsVendorFields } from '../compat/vendor-fields.ts';
import type { Route } from '../../route.ts';

export function searchRoutes(context: SearchContext): Route[] {
  return [
    paidPost(context, {
      path: '/v1/search',
      tool: 'search',
      schema: SearchRequest,
      cacheSeconds: context.settings.cache_seconds_search,
      calls: (body, requestContext) => prepareSearch(context, body, requestContext).calls,
      serve: (body, requestContext, request) => {
        const explain = request.headers.get(explainHeader) === '1';
        return search(context, body, requestContext, {
          explain,
          vendorFields: wantsVendorFields(request),
        });
      },
    }),
  ];
}
