// The documentation of the providers is generated; this fails if a page differs from the registry.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  providerDocs,
  providerDocsFile,
  settingsDocs,
  settingsDocsFile,
} from '../../scripts/provider-docs.ts';
import { apiPages } from '../../scripts/api-docs.ts';
import { projectRoot } from '../../scripts/command.ts';

test('docs/providers.md agrees with the registry (otherwise run `npm run generate -- docs`)', () => {
  expect(readFileSync(providerDocsFile, 'utf8')).toBe(providerDocs());
});

test('docs/settings.md names every provider variable (otherwise run `npm run generate -- docs`)', () => {
  const page = readFileSync(settingsDocsFile, 'utf8');
  expect(page).toBe(settingsDocs(page));
});

test.each([...apiPages()])(
  '%s agrees with the API (otherwise run `npm run generate -- docs`)',
  (path, text) => {
    expect(readFileSync(join(projectRoot, path), 'utf8')).toBe(text);
  },
);
