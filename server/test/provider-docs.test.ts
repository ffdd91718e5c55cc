// The documentation of the providers is generated; this fails if a page differs from the registry.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import {
  providerDocs,
  providerDocsFile,
  settingsDocs,
  settingsDocsFile,
} from '../../scripts/provider-docs.ts';

test('docs/providers.md agrees with the registry (otherwise run `npm run generate -- docs`)', () => {
  expect(readFileSync(providerDocsFile, 'utf8')).toBe(providerDocs());
});

test('docs/settings.md names every provider variable (otherwise run `npm run generate -- docs`)', () => {
  const page = readFileSync(settingsDocsFile, 'utf8');
  expect(page).toBe(settingsDocs(page));
});
