// POST /v1/search.
import { SearchRequest } from '@trivium/contract';
import { explain_header } from '../../services/explain.ts';
import type { House } from '../../services/house.ts';
import { search } from '../../services/search.ts';
import type { Route } from '../app.ts';
import { readBody } from '../body.ts';
import { jsonText } from '../json-text.ts';

export function searchRoutes(house: House): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/search',
      handle: async ({ request }) => {
        const asked = await readBody(request, SearchRequest);
        const explain = request.headers.get(explain_header) === '1';
        const { text, headers } = await search(house, asked, { signal: request.signal, explain });
        return jsonText(text, 200, headers);
      },
    },
  ];
}
