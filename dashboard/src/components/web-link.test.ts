// A vendor's URL becomes a link only if it is http or https.
import { expect, test } from 'bun:test';
import { isWebAddress } from './web-link.tsx';

test.each(['https://a.example/', 'http://a.example/?q=javascript:', 'HTTPS://A.example'])(
  '%s is a link',
  (url) => {
    expect(isWebAddress(url)).toBe(true);
  },
);

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'vbscript:a',
  '/relative',
  '',
])('%j is not a link', (url) => {
  expect(isWebAddress(url)).toBe(false);
});
