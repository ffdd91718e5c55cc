// The table of overlaps between engines, as markup.
import { expect, test } from 'bun:test';
import type { ProviderDescription } from '@trivium/contract';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { OverlapTable } from './overlap-table.tsx';

function draw(...providers: object[]): string {
  const known = providers as ProviderDescription[];
  return renderToStaticMarkup(createElement(OverlapTable, { providers: known }));
}

test('each pair of engines has a share, and an engine has none with itself', () => {
  const drawn = draw(
    {
      id: 'engine_a',
      name: 'Exa',
      overlap: [{ provider: 'engine_b', share: 0.256, searches: 21 }],
    },
    {
      id: 'engine_b',
      name: 'Parallel',
      overlap: [{ provider: 'engine_a', share: 1, searches: 1 }],
    },
    { id: 'engine_c', name: 'Tavily' },
  );
  const cells = [...drawn.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = '']) =>
    cell.replaceAll(/<[^>]+>/g, ''),
  );
  expect(cells).toEqual(['–', '25.6%', '100%', '–']);
  expect(drawn).toContain('title="21 searches"');
  expect(drawn).not.toContain('Tavily');
});

test('before enough fusions it says what is missing', () => {
  expect(draw({ id: 'engine_a', name: 'Exa' })).toContain('Nothing to compare yet');
});
