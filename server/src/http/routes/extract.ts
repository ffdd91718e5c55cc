// POST /v1/extract.
import { ExtractRequest } from '@trivium/contract';
import { extract } from '../../services/extract.ts';
import type { House } from '../../services/house.ts';
import type { Route } from '../app.ts';
import { readBody } from '../body.ts';
import { jsonText } from '../json-text.ts';

export function extractRoutes(house: House): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/extract',
      handle: async ({ request }) => {
        const asked = await readBody(request, ExtractRequest);
        return jsonText(await extract(house, asked, request.signal));
      },
    },
  ];
}
