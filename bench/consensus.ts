// Compares ways to merge ranked lists on judged questions: those of the sandbox or, with one or
// more `--collection DIR`, those of public collections.
import { parseArgs } from 'node:util';
import { loadCollection } from './consensus/collection.ts';
import type { Collection } from './consensus/judged-collection.ts';
import { studyCollection } from './consensus/collection-study.ts';
import { reportStudies } from './consensus/report.ts';
import { reportSandbox } from './consensus/sandbox-study.ts';

const collections = readCollections();
if (collections !== undefined) {
  const lines =
    collections.length === 0
      ? await reportSandbox()
      : reportStudies(collections.map(studyCollection));
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** The named collections, or undefined for invalid arguments. */
function readCollections(): Collection[] | undefined {
  try {
    const options = { collection: { type: 'string', multiple: true } } as const;
    return (parseArgs({ options }).values.collection ?? []).map(loadCollection);
  } catch (error) {
    const usage = 'npm run bench -- consensus [--collection DIR]...';
    process.stderr.write(`${error instanceof Error ? error.message : ''}\nUsage: ${usage}\n`);
    process.exitCode = 2;
    return undefined;
  }
}
