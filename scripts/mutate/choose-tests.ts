// The tests that can notice a change of a file of the server, nearest first.
import { findImports } from '../../server/test/tidy/imports.ts';
import { isTest, type SourceFile } from '../../server/test/tidy/source.ts';

/** Tests that start gateways as programs import nothing of them, so these are named by subject. */
const ofPrograms: Readonly<Record<string, RegExp>> = {
  accounts: /authentication|policies|policy-limits|rate-limit|oauth|single-sign-on|audit-log|keys/,
  billing: /e2e\/billing|money|estimates|policy-limits|unbooked/,
  cache: /scenarios\/cache/,
  events: /webhook/,
  negotiation: /search-(?:warnings|validation|wire|dates)|options-validation|domains/,
  policy: /polic/,
  requests: /rate-limit|fairness|keyed|activity|load|observability|raw-answers|durability/,
  store: /durability|postgres|backup|lost-store|damaged-store|start-and-stop/,
  transcription: /transcription|stopping-jobs|callbacks|lying-vendor/,
  uploads: /e2e\/uploads|stored-bytes|bytes-in-progress/,
  upstream: /provider-failures|resilience|search-faults|routing|switched-off/,
};
const notAsked = /new-engine|e2e\/chaos|soak|fuzz|growth|browser/;

export function makeTestChooser(files: readonly SourceFile[]): (file: string) => string[] {
  const importers = new Map<string, string[]>();
  for (const file of files) {
    for (const { kind, target, isOfTypes } of findImports(file)) {
      if (kind !== 'ours' || isOfTypes) continue;
      importers.set(target, [...(importers.get(target) ?? []), file.path]);
    }
  }
  return (changed) => {
    const reached = new Set([changed]);
    // A set lists what is added while it is read, so the nearest come first.
    for (const path of reached) importers.get(path)?.forEach((importer) => reached.add(importer));
    const subject = ofPrograms[changed.split('/')[2] ?? ''];
    const started = files
      .map(({ path }) => path)
      .filter((path) => /^e2e\//.test(path) && subject?.test(path));
    return [...new Set([...reached, ...started])].filter(
      (path) => isTest(path) && !notAsked.test(path),
    );
  };
}
