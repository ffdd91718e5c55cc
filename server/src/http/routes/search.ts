// POST /v1/search.
import { SearchRequest } from '@trivium/contract';
import { explain_header } from '../../services/explain.ts';
import type { House } from '../../services/house.ts';
import { search } from '../../services/search.ts';
import type { Route } from '../app.ts';
import { paidPost } from '../paid-post.ts';
import { wantsVendorFields } from '../vendor-fields.ts';

export function searchRoutes(house: House): Route[] {
  return [
    paidPost(house, {
      path: '/v1/search',
      tool: 'search',
      schema: SearchRequest,
      serve: (asked, asking, request) => {
        const explain = request.headers.get(explain_header) === '1';
        return search(house, asked, asking, { explain, vendorFields: wantsVendorFields(request) });
      },
    }),
  ];
}
