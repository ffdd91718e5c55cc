// The provider page is generated; this fails when it no longer says what the tables say.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { provider_docs_file, providerDocs } from '../../scripts/provider-docs.ts';

test('docs/providers.md is what the tables say (run `npm run docs` when it is not)', () => {
  expect(readFileSync(provider_docs_file, 'utf8')).toBe(providerDocs());
});
