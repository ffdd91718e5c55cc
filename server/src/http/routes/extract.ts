// POST /v1/extract.
import { ExtractRequest } from '@trivium/contract';
import { extract } from '../../services/extract.ts';
import type { House } from '../../services/house.ts';
import type { Route } from '../app.ts';
import { paidPost } from '../paid-post.ts';

export function extractRoutes(house: House): Route[] {
  return [
    paidPost(house, {
      path: '/v1/extract',
      tool: 'extract',
      schema: ExtractRequest,
      serve: (asked, asking) => extract(house, asked, asking),
    }),
  ];
}
