// The pictures of the documentation show the dashboard as it is: the pages that were photographed are
// those of its navigation.
import { expect, test } from 'bun:test';
import { pages } from '../../dashboard/src/shell/pages.tsx';
import photographed from '../../docs/images/pages.json' with { type: 'json' };

test('the navigation in the pictures is that of the dashboard; else run npm run generate -- pictures', () => {
  const listed = pages.filter(({ unlisted }) => !unlisted);
  expect(photographed.pages).toEqual(listed.map(({ path, title }) => ({ path, title })));
});
