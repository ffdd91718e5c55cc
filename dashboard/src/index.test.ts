// The files of the dashboard: the typeface is cached for long, under the address of its version.
import { expect, test } from 'bun:test';
import font from '@fontsource-variable/geist/package.json' with { type: 'json' };
import { buildDashboard } from './index.ts';

test('the address of the typeface has its version, and the style sheet names it', async () => {
  const assets = await buildDashboard();
  const path = `/assets/geist-${font.version}.woff2`;
  expect(assets.find((asset) => asset.path === path)?.type).toBe('font/woff2');
  const styles = assets.filter(({ type }) => type.startsWith('text/css'));
  expect(styles.map(({ body }) => new TextDecoder().decode(body)).join('')).toContain(path);
});
