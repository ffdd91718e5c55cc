// A request in the log shows what was found in text from the web, and where.
import { expect, test } from 'bun:test';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { RequestWarnings } from './request-warnings.tsx';

test('signals are marked, with their place and without the text itself', () => {
  const flagged = {
    code: 'content_flagged' as const,
    param: 'results[0].snippets[1]',
    message: 'instruction at 12 (a sentence that gives a model instructions).',
  };
  const adjusted = { code: 'param_ignored' as const, param: 'offset', message: 'Ignored.' };
  const of = { warnings: 5, warning_details: [flagged, adjusted] };
  const shown = renderToStaticMarkup(createElement(RequestWarnings, { of }));
  expect(shown.match(/Flagged/g)).toHaveLength(1);
  expect(shown).toContain('<code>results[0].snippets[1]</code> instruction at 12');
  expect(shown).toContain('<code>offset</code> Ignored.');
  expect(shown).toContain('3 more, not kept in the log');
});
